"""A failing schedule is made smaller as long as the rest fails."""

from .schedule import Schedule, draw
from .shrink import shrink

DRAWN = draw(5, "single", "always", 60.0)
ENOUGH = 1_000


def test_one_guilty_fault_is_found() -> None:
    guilty = DRAWN.faults[17]
    assert shrink(DRAWN, lambda part: guilty in part.faults, ENOUGH).faults == (guilty,)


def test_two_faults_that_fail_only_together_are_both_kept() -> None:
    guilty = DRAWN.faults[3], DRAWN.faults[29]
    assert shrink(DRAWN, lambda part: {*guilty} <= {*part.faults}, ENOUGH).faults == guilty


def test_a_schedule_that_does_not_fail_again_stays_as_it_was() -> None:
    assert shrink(DRAWN, lambda part: False, ENOUGH) == DRAWN


def test_no_more_rounds_are_played_than_allowed() -> None:
    played: list[Schedule] = []

    def fails(part: Schedule) -> bool:
        played.append(part)
        return True

    shrink(DRAWN, fails, 3)
    assert len(played) == 3
