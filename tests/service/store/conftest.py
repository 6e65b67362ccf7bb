"""One server and one cluster for all tests of a run; every test uses games of its own."""

from collections.abc import Callable, Iterator

import pytest

from alhambra_service.store import GameStore, StoredGame

from .samples import same
from .servers import RealCluster, RealServer

OpenStore = Callable[[str], GameStore[StoredGame]]


@pytest.fixture(scope="session")
def server() -> Iterator[RealServer]:
    one = RealServer()
    yield one
    one.stop()


@pytest.fixture(scope="session")
def cluster() -> Iterator[RealCluster]:
    three = RealCluster()
    yield three
    three.stop()


@pytest.fixture(params=["one server", "cluster"])
def url(request: pytest.FixtureRequest) -> str:
    if request.param == "cluster":
        found: RealCluster = request.getfixturevalue("cluster")
        return found.url
    one: RealServer = request.getfixturevalue("server")
    return one.socket_url


@pytest.fixture
def open_store() -> Iterator[OpenStore]:
    """Opens stores and closes them after the test."""
    opened: list[GameStore[StoredGame]] = []

    def opener(url: str) -> GameStore[StoredGame]:
        opened.append(GameStore.open(url, same))
        return opened[-1]

    yield opener
    for store in opened:
        store.close()


@pytest.fixture
def store(url: str, open_store: OpenStore) -> GameStore[StoredGame]:
    """A store on one server, and again on a cluster."""
    return open_store(url)
