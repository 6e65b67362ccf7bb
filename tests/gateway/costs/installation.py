"""A service with API keys behind a gateway with a key of its own: here everybody is counted by address.

Strangers come from different addresses of loopback, so that one of them can be refused and the others not.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import psutil

from tests.service.commands import Served, served
from tests.service.small import Keys, key_file

from ..product import Running, gateway
from .campaign import GATEWAY, SERVICE

PATIENCE = 60.0


@dataclass
class Installation:
    """Both processes, and the keys."""

    service: Served
    front: Running
    keys: Keys

    def connection(self, address: str) -> HTTPConnection:
        """A connection that comes from an address of this machine."""
        return connection(self.front.http, address)

    def processes(self) -> dict[str, int]:
        """The ids of the processes that answer."""
        (worker,) = self.front.gateway_workers()
        (own,) = (
            child.pid
            for child in psutil.Process(self.service.process.pid).children()
            if "alhambra_service.process.worker" in child.cmdline()
        )
        return {GATEWAY: worker, SERVICE: own}


def connection(base: str, address: str) -> HTTPConnection:
    """A connection to a server that comes from an address of this machine."""
    parts = urlsplit(base)
    assert parts.hostname is not None
    return HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE, source_address=(address, 0))


@contextmanager
def keyed(*options: str) -> Iterator[Installation]:
    """One process of each, ready. `options`: of the service."""
    with key_file() as keys, TemporaryDirectory(prefix="alh-test-") as folder:
        keys.add("host", "games.create")
        own = Path(folder) / "own.key"
        own.write_text(keys.add("front", gateway=True), "ascii")
        own.chmod(0o600)
        words = ("--listen", "127.0.0.1:0", "--workers", "1", "--drain-seconds", "0", "--keys", str(keys.path))
        with served(*words, *options) as service, gateway(service.address, "--key", str(own)) as front:
            yield Installation(service, front, keys)
