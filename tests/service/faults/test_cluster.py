"""Games on a real cluster of three masters: played through the service, watched, and found again after every death."""

from collections.abc import Iterator

import pytest

from ..store.servers import RealCluster
from .house import housed
from .scenario import Report, one_round


@pytest.fixture
def masters() -> Iterator[RealCluster]:
    """Three masters that this test may kill."""
    cluster = RealCluster()
    yield cluster
    cluster.stop()


def test_games_on_three_masters_survive_the_death_of_workers_and_masters(masters: RealCluster) -> None:
    report = Report()
    with housed(masters.masters, masters.url) as house:
        one_round(house, ("worker", "store", "worker"), seed=2, report=report)
    assert report.lost == 0, report
    assert report.acknowledged > 0
