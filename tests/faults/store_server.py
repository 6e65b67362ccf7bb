"""One server of a store, as a real process, and the line to it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from alhambra_service.store.embedded.embedded_store import find_program
from tests.service.store.servers import free_port

from .processes import Program
from .proxy import HOST, Network, Proxy

ANSWER_SECONDS = 3.0
SPEAKERS = ((b"REPLCONF", "replica"), (b"sentinel-", "sentinel"))
"""The first words of replicas and Sentinels; whoever says neither is a service."""
MEMORY = str(256 << 20)


class StoreServer(Program):
    """One server of the store, and the line to it."""

    def __init__(self, name: str, folder: Path, library: Path | None, network: Network, fsync: str) -> None:
        self.port = free_port()
        self.host = HOST
        self.prefix: list[str] = []
        """Words before the command, if the server runs on a host of its own."""
        self.fsync = fsync
        super().__init__(name, folder, library, [str(find_program())])
        self.line: Proxy = network.line(self.port, SPEAKERS)
        self.public_port = self.line.port
        """The port by which all others know the server."""
        self.settings = {
            **{"port": str(self.port), "bind": "127.0.0.1", "dir": str(self.folder), "save": ""},
            **{"appendonly": "yes", "appendfsync": fsync, "maxmemory": MEMORY, "logfile": str(self.folder / "log")},
            **{"repl-diskless-sync-delay": "0", "repl-timeout": "5", "repl-ping-replica-period": "1"},
        }

    def launch(self) -> None:
        """Start the server with its settings."""
        words = [word for name, value in self.settings.items() for word in (f"--{name}", value)]
        self.command = [*self.prefix, str(find_program()), *words]
        super().launch()

    def ready(self) -> bool:
        """Whether the server answers and has loaded its data."""
        with suppress(RedisError, OSError):
            return bool(self.ask("PING"))
        return False

    def reset(self) -> bool:
        """Give the server its usual settings; False if it does not answer."""
        with suppress(RedisError, OSError):
            self.ask("CONFIG", "SET", "maxmemory", MEMORY, "min-replicas-to-write", 0)
            return True
        return False

    def ask(self, *command: str | int) -> Any:
        """Ask the server itself, not through its line."""
        return ask(self.port, *command, host=self.host)

    def info(self, section: str = "replication") -> dict[str, Any]:
        """What the server says about itself; empty if it does not answer."""
        with suppress(RedisError, OSError):
            return dict(self.ask("INFO", section))
        return {}

    @property
    def is_followed(self) -> bool:
        """Whether a replica has all that this server has, and follows it."""
        first = self.info().get("slave0")
        return isinstance(first, dict) and first.get("state") == "online"

    def follows(self, master: StoreServer) -> bool:
        """Whether this server is a replica of another one."""
        return str(self.info().get("master_port", "")) == str(master.public_port)

    @property
    def is_master(self) -> bool:
        """Whether the server calls itself a master."""
        return self.info().get("role") == "master"


def ask(port: int, *command: str | int, host: str = HOST) -> Any:
    """Ask whoever listens on a port of a host."""
    client = redis.Redis(
        host=host,
        port=port,
        socket_timeout=ANSWER_SECONDS,
        retry=Retry(NoBackoff(), 0),
        decode_responses=True,
        protocol=2,
    )
    try:
        answer: Any = client.execute_command(*command)  # type: ignore[no-untyped-call]
        return answer
    finally:
        client.close()
