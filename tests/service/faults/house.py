"""The real `alhambra serve` with its workers and its store, where anybody can be killed at any moment, by their id.

The store is the embedded one, or one that the test has started: a server, a cluster.
"""

import os
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from alhambra_service.games.table import Table, decode
from alhambra_service.store import EmbeddedStore, GameStore
from alhambra_service.store.connection.client import connect
from alhambra_service.store.keys import state_key

from ..commands import SAYS, Served, command
from ..store.servers import RealServer, alive, answers, await_true, free_port, whole

PATIENCE = 30.0
WORKERS = 2


class House:
    """A service on a port that stays the same however often it dies."""

    def __init__(self, folder: Path, servers: Sequence[RealServer] = (), store: str = "", *more: str) -> None:
        self.folder = folder
        self.servers = servers
        self.address = f"127.0.0.1:{free_port()}"
        self.deaths = 0
        self._data = folder / "data"
        self._store = store
        self._more = more
        self._service: Served | None = None

    # -- Living ----------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the service; one whose former workers are still leaving the port is started again."""
        deadline = time.monotonic() + PATIENCE
        while not self._try_to_start():
            assert time.monotonic() < deadline, self.log
            time.sleep(0.1)

    def _try_to_start(self) -> bool:
        words = (
            *("serve", "--listen", self.address, "--workers", str(WORKERS), "--drain-seconds", "0"),
            *("--log-level", "warning", "--store", self._store or f"embedded:{self._data}", *self._more),
        )
        with (self.folder / "log").open("a") as log:
            process = subprocess.Popen(command(*words), cwd=self.folder, stdout=subprocess.PIPE, stderr=log, text=True)
        assert process.stdout is not None
        if process.stdout.readline().startswith(SAYS):
            self._service = Served(process, self.folder, self.address)
            return True
        process.stdout.close()
        process.wait(PATIENCE)
        return False

    @property
    def log(self) -> str:
        """Everything that was logged until now."""
        return (self.folder / "log").read_text(encoding="utf-8")

    def stop(self) -> None:
        """Ends the service in good order."""
        if self._service is not None:
            family = self._service.processes()
            code = self._service.stop(signal.SIGINT)
            self._bury(family)
            assert code == 0, self.log

    def _bury(self, family: dict[int, str]) -> None:
        assert self._service is not None
        assert self._service.process.stdout is not None
        self._service.process.stdout.close()
        self._service = None
        await_true(lambda: not any(map(alive, family)), "nobody is left behind", PATIENCE)

    # -- Dying -----------------------------------------------------------------------------------------------------

    def kill_worker(self, rng: Random) -> None:
        """kill -9 of a worker; the parent starts another one."""
        _kill(rng.choice(self._await_family("alhambra_service.process.worker")))
        self.deaths += 1

    def kill_store(self, rng: Random) -> None:
        """kill -9 of the store. The parent starts an embedded one again; any other is started again here."""
        if self.servers:
            server = rng.choice(self.servers)
            server.kill()
            server.start()
        else:
            _kill(self._await_family("-server")[0])
        self.deaths += 1

    def kill_service(self, rng: Random) -> None:
        """kill -9 of everything at once, and a new start."""
        self.crash()
        self.start()

    def crash(self) -> None:
        """kill -9 of the parent, the workers and the store, wherever they are."""
        assert self._service is not None
        family = self._service.processes()
        for server in self.servers:
            server.kill()
        for pid in (self._service.process.pid, *family):
            _kill(pid)
        self._service.process.wait(PATIENCE)
        self._bury(family)
        for server in self.servers:
            server.launch()
        self.deaths += 1

    def _await_family(self, word: str) -> list[int]:
        """Whoever of the service has this word in the command line; after a kill they may still be on their way."""
        assert self._service is not None
        processes = self._service.processes
        found: list[int] = []

        def there() -> bool:
            found[:] = [pid for pid, line in processes().items() if word in line and alive(pid)]
            return bool(found)

        await_true(there, f"{word} is there", PATIENCE)
        return found

    # -- Looking inside --------------------------------------------------------------------------------------------

    @contextmanager
    def opened(self) -> Iterator[GameStore[Table]]:
        """The store as it stands, whether anybody serves it or not."""
        for server in self.servers:
            await_server(server)
        if self._store:
            yield from _store(self._store)
        elif self._service is None:
            with EmbeddedStore(self._data, fsync="always") as embedded:
                yield from _store(embedded.url)
        else:
            yield from _store(f"unix://{self._data}/store.sock")

    def everywhere(self, games: Iterable[str]) -> bool:
        """Whether every server of the store has one of the games."""
        with self.opened() as store:
            owners = {store.client.server(state_key(game)) for game in games}
            return owners == set(store.client.servers())


def _store(url: str) -> Iterator[GameStore[Table]]:
    store: GameStore[Table] = GameStore.open(url, decode)
    try:
        yield store
    finally:
        store.close()


def await_server(server: RealServer) -> None:
    """Waits until a server that was launched answers, and its cluster with it if it has one."""
    client = connect(server.url)
    try:
        await_true(lambda: answers(client.servers()[0]), "the server is back", PATIENCE)
        clustered = client.servers()[0].info("cluster").get("cluster_enabled") == "1"
    finally:
        client.close()
    if clustered:
        await_true(lambda: whole(server), "the cluster is whole again", PATIENCE)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@contextmanager
def housed(servers: Sequence[RealServer] = (), store: str = "", *more: str) -> Iterator[House]:
    """A service that runs; whatever is left of it afterwards is ended."""
    with TemporaryDirectory(prefix="alh-test-") as name:
        house = House(Path(name), servers, store, *more)
        try:
            house.start()
            yield house
        finally:
            house.stop()
