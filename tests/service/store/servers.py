"""Real servers for the tests: started on loopback or a socket, ended by their process id, gone with the test run."""

import errno
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

from alhambra_runtime.die_with_parent import dies_with_parent
from alhambra_service.store.connection.connect import SLOTS, StoreClient, connect
from alhambra_service.store.connection.wire import Server
from alhambra_service.store.embedded import embedded_store
from alhambra_service.store.errors import StoreUnavailable

PATIENCE = 60.0
BUS = 10_000
"""The port on which the servers of a cluster talk with each other is this much above their port."""
PROGRAM = "ALHAMBRA_TEST_STORE"
"""A variable: the server to test with, if it is not the embedded one (`python -m tests.service.store.versions`)."""


def free_port() -> int:
    """Return a port of loopback that is free now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def free_port_with_bus() -> int:
    """A port for a server of a cluster, which also takes the port 10,000 above it; Redis 6.2 cannot choose another."""
    while True:
        port = free_port()
        with socket.socket() as listener:
            if port + BUS < 1 << 16 and listener.connect_ex(("127.0.0.1", port + BUS)) == errno.ECONNREFUSED:
                return port


class RealServer:
    """One server with a folder of its own, on a unix socket and on a port of loopback."""

    def __init__(self, *settings: str, fsync: str = "always", append: bool = True, port: int | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="alh-test-"))
        self.port = port or free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.socket_url = f"unix://{self.folder}/s"
        self._settings = [
            *("--port", str(self.port), "--bind", "127.0.0.1", "--unixsocket", str(self.folder / "s")),
            *("--dir", str(self.folder), "--save", "", "--logfile", str(self.folder / "log")),
            *("--appendonly", "yes" if append else "no", "--appendfsync", fsync),
            *settings,
        ]
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def program(self) -> str:
        """The path of the server that is started."""
        return os.environ.get(PROGRAM) or str(embedded_store.find_program())

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def launch(self) -> None:
        """Starts the server without waiting for it."""
        command = dies_with_parent(self.program, *self._settings)
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self) -> None:
        self.launch()
        self._await_answer(self.socket_url)

    def _await_answer(self, url: str) -> None:
        client = connect(url)
        try:
            await_true(lambda: answers(client.servers()[0]), "the server starts")
        finally:
            client.close()

    def ask(self, *command: str | bytes | int) -> object:
        """One command over a connection of its own."""
        client = connect(self.url)
        try:
            return client.servers()[0].ask(*command)
        finally:
            client.close()

    def kill(self) -> None:
        """kill -9, by its id."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class RealSentinel(RealServer):
    """A Sentinel that watches over nobody yet."""

    def launch(self) -> None:
        """Starts from a file, which a Sentinel insists on writing to."""
        file = self.folder / "sentinel.conf"
        file.write_text(f"port {self.port}\nbind 127.0.0.1\ndir {self.folder}\nunixsocket {self.folder}/s\n")
        self._settings = [str(file), "--sentinel"]
        super().launch()


class RealCluster:
    """Masters on loopback that share the slots: three, unless another number is asked for."""

    def __init__(self, masters: int = 3) -> None:
        settings = ("--cluster-enabled", "yes", "--cluster-node-timeout", "2000")
        self.masters = [RealServer(*settings, port=free_port_with_bus()) for _ in range(masters)]
        self.url = "redis+cluster://" + ",".join(f"127.0.0.1:{master.port}" for master in self.masters)
        ends = [number * SLOTS // masters for number in range(masters + 1)]
        bounds = [(first, last - 1) for first, last in pairwise(ends)]
        for epoch, (master, (first, last)) in enumerate(zip(self.masters, bounds, strict=True), 1):
            master.ask("CLUSTER", "SET-CONFIG-EPOCH", epoch)
            master.ask("CLUSTER", "ADDSLOTS", *range(first, last + 1))
        for other in self.masters[1:]:
            self.masters[0].ask("CLUSTER", "MEET", "127.0.0.1", other.port)
        for master in self.masters:
            await_true(partial(whole, master), "the cluster forms")

    def stop(self) -> None:
        for master in self.masters:
            master.stop()


def whole(server: RealServer) -> bool:
    """Whether the server sees its whole cluster."""
    found = server.ask("CLUSTER", "INFO")
    assert isinstance(found, bytes)
    return b"cluster_state:ok" in found and b"cluster_slots_ok:16384" in found


def answers(server: Server) -> bool:
    try:
        return bool(server.ask("PING") == b"PONG")
    except StoreUnavailable:
        return False


def await_true(holds: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    """Waits until something holds; fails after a bounded time."""
    deadline = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < deadline, f"in vain: {what}"
        time.sleep(0.01)


def alive(pid: int) -> bool:
    """Whether the process runs; a dead one that nobody has buried yet does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")


def script_runs(client: StoreClient) -> int:
    """How often scripts were run since the servers started."""
    return sum(
        int(line.partition("calls=")[2].partition(",")[0])
        for server in client.servers()
        for line in server.ask("INFO", "commandstats").decode().splitlines()
        if line.startswith(("cmdstat_evalsha:", "cmdstat_eval:"))
    )
