"""One short round, with the faults of one seed: everything acknowledged is there, once and in order."""

from pathlib import Path

from .schedule import draw
from .simulation import play


def test_nothing_is_lost_in_a_short_round_of_faults(tmp_path: Path) -> None:
    schedule = draw(1, "single", "always", 6.0)
    found = play(schedule, lambda text: None, folder=tmp_path)
    assert found.defects == []
    assert sum(found.faults.values()) >= 5
    assert found.counts["acknowledged"] > 0
    assert found.lost == 0
