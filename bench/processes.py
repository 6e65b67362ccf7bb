"""Stores, services and gateways as child processes, each on its cores. They end when the context ends."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from alhambra_runtime.machine import server_environment
from alhambra_service.games.game_commands import GameCommands
from alhambra_service.games.loaded_game import LoadedGame, decode
from alhambra_service.store import EmbeddedStore, GameStore
from alhambra_service.store.checks import Durability

from . import cores

ROOT = Path(__file__).resolve().parents[1]
STOP_SECONDS = 15
Clock = Callable[[], Mapping[str, float]]
"""Returns the CPU seconds that processes have taken, by role."""


class Process(NamedTuple):
    """A server process."""

    address: str
    pid: int


class Processes:
    """Processes that are ended together."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self.folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="alhambra-bench-")))
        self.files = self.folder / "files"
        self.files.mkdir()

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def store(self, fsync: str = "everysec") -> EmbeddedStore:
        """Start a store."""
        folder = self.folder / f"store-{len([*self.folder.iterdir()])}"
        store = self._stack.enter_context(EmbeddedStore(folder, fsync=fsync))
        assert store.pid is not None
        cores.pin(store.pid, cores.BACK)
        return store

    def commands(self, store: EmbeddedStore) -> GameCommands:
        """Open the games of a store as a process of the service does, to prepare them or to write during a run."""
        games: GameStore[LoadedGame] = GameStore.open(store.url, decode, durability=Durability.EVERYSEC)
        self._stack.callback(games.close)
        return GameCommands(games)

    def service(
        self,
        store: EmbeddedStore,
        answers: Mapping[str, int] | None = None,
        *,
        listen: str = "127.0.0.1:0",
        where: set[int] = cores.FRONT,
        durability: str = "everysec",
        with_store: Mapping[str, Mapping[str, int]] | None = None,
    ) -> Process:
        """Start a process of the service with empty calls beside the real ones. `answers`: the length of their answers,
        by name. `with_store`: the lengths of answer, state and line of empty calls that ask the store, by name."""
        facts = {
            "settings": {"listen": listen, "durability": durability, "log_level": "warning"},
            "store": store.url,
            "answers": dict(answers or {}),
            "with_store": {name: dict(lengths) for name, lengths in (with_store or {}).items()},
            "cores": sorted(where),
        }
        return self._started("bench.floor_service", facts)

    def gateway(
        self,
        service: str,
        answer: bytes = b"",
        *,
        share: bool = True,
        floors: Mapping[str, tuple[str, int, str]] | None = None,
    ) -> Process:
        """A process of the gateway, with an address beside the real ones that forwards an empty call. Unless clients
        share, each stream of events is a stream of the service. `floors`: further addresses, each with the call of the
        floor that it makes, the length of its message, and the text of the answer."""
        facts = {
            "service": service,
            "answer": answer.decode(),
            "share": share,
            "floors": dict(floors or {}),
            "cores": sorted(cores.FRONT),
        }
        return self._started("bench.floor_gateway", facts)

    def _started(self, module: str, facts: Mapping[str, Any]) -> Process:
        process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=server_environment(),
        )
        self._stack.callback(_end, process)
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(facts) + "\n")
        process.stdin.flush()
        said = process.stdout.readline()
        if not said:
            raise AssertionError(f"{module} did not start")
        return Process(*json.loads(said))


def _end(process: subprocess.Popen[str]) -> None:
    """End a process by closing its input. Kill it if it does not end."""
    assert process.stdin is not None and process.stdout is not None
    with suppress(OSError):
        process.stdin.close()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()


def clock(**pids: int) -> Clock:
    """Return a function that returns the CPU seconds of these processes."""
    return lambda: {role: cores.seconds(pid) for role, pid in pids.items()}
