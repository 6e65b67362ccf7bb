"""One short round, with the faults of one seed: everything acknowledged is there, once and in order."""

from pathlib import Path

from .kinds import SEVERAL
from .schedule import Fault, Schedule, draw
from .simulation import play


def test_no_call_fails_while_services_go_up_and_down_behind_a_list_of_them(tmp_path: Path) -> None:
    faults = [
        Fault(at, kind, target, seconds, 0.0)
        for at, kind, target, seconds in (
            *((0.5, "service killed", 0, 0.2), (1.0, "service hung", 1, 3.0)),
            *((2.0, "service added", 0, 0.2), (3.0, "service restarted", 0, 0.0)),
        )
    ]
    schedule = Schedule(1, SEVERAL, "always", 60.0, tuple(faults))
    found = play(schedule, lambda text: None, folder=tmp_path)
    assert found.defects == []
    assert sum(found.faults.values()) == len(faults)
    assert found.counts["acknowledged"] > 0
    assert found.counts["no answer"] == 0


def test_nothing_is_lost_in_a_short_round_of_faults(tmp_path: Path) -> None:
    schedule = draw(1, "single", "always", 6.0)
    found = play(schedule, lambda text: None, folder=tmp_path)
    assert found.defects == []
    assert sum(found.faults.values()) >= 5
    assert found.counts["acknowledged"] > 0
    assert found.lost == 0
