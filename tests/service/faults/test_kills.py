"""kill -9 in the middle of a load: nothing acknowledged is missing, nothing is half done, everything goes on."""

from .house import housed
from .scenario import Report, one_round


def test_no_acknowledged_move_is_lost_when_workers_and_the_store_are_killed() -> None:
    report = Report()
    with housed() as house:
        one_round(house, ("worker", "store", "worker", "store"), seed=1, report=report)
        assert "ended with code -9" in house.log
    assert report.lost == 0, report
    assert report.acknowledged > 0
