"""An embedded store for a test run, servers on it, and hosts that create games; all of them real, on loopback."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from alhambra_service.store import EmbeddedStore

from .playing import Host
from .serving import Clock, GameServer
from .store.servers import RealServer
from .watchers import Place, Seats

PATIENCE = 60.0
ROOT = Path(__file__).parents[2]
StartServer = Callable[..., GameServer]
StartProcess = Callable[[], str]


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    """One store for all tests of a run; each uses games of its own."""
    with EmbeddedStore(tmp_path_factory.mktemp("store"), fsync="always") as store:
        yield store


@pytest.fixture(scope="session")
def game_server(embedded: EmbeddedStore) -> Iterator[GameServer]:
    """A server in this process, without keys."""
    server = GameServer(embedded.url)
    yield server
    server.stop()


@pytest.fixture
def start_server(embedded: EmbeddedStore) -> Iterator[StartServer]:
    """Starts further servers in this process, with a clock of their own for example."""
    started: list[GameServer] = []

    def start(clock: Clock | None = None) -> GameServer:
        started.append(GameServer(embedded.url, clock=clock))
        return started[-1]

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def start_process(embedded: EmbeddedStore) -> Iterator[StartProcess]:
    """Starts servers in processes of their own; answers with their address."""
    started: list[subprocess.Popen[str]] = []

    def start() -> str:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.service.serving", embedded.url],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert process.stdout is not None
        return f"127.0.0.1:{int(process.stdout.readline())}"

    yield start
    for process in started:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


@pytest.fixture
def connect() -> Iterator[Callable[[str], Host]]:
    """Opens channels and closes them after the test."""
    opened: list[Host] = []

    def open_channel(address: str) -> Host:
        opened.append(Host(address))
        return opened[-1]

    yield open_channel
    for host in opened:
        host.close()


@pytest.fixture
def host(game_server: GameServer, connect: Callable[[str], Host]) -> Host:
    """Somebody who creates games on the server in this process."""
    return connect(game_server.address)


@pytest.fixture(scope="module")
def store_url() -> Iterator[str]:
    """A store of their own for the tests of one file."""
    server = RealServer()
    yield server.socket_url
    server.stop()


@pytest.fixture(scope="module")
def place(store_url: str) -> Iterator[Place]:
    """A process of the service on that store, with streams that can be watched and counted."""
    found = Place(store_url)
    yield found
    found.stop()


@pytest.fixture
def seats(place: Place) -> Seats:
    """A game in that process whose seats the test plays."""
    return Seats(place)
