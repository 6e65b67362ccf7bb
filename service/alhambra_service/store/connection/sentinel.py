"""Finds the master with Sentinel.

All Sentinels are asked, and the highest epoch wins: a fail-over raises the epoch, and a Sentinel that was cut off
during it still names the old master with the old epoch. Among equal epochs the master that most Sentinels name wins. A
server that does not report the role of a master is not used. Each new connection asks the server for its role first, so
a demoted master is used only over connections that are open already.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from redis.exceptions import ResponseError

from ..errors import StoreUnavailable
from .quorum_query import QuorumQuery
from .store_client import StoreClient
from .wire import NotSent, Server


class _Named(NamedTuple):
    """The answer of one Sentinel."""

    epoch: int
    host: str
    port: int


class SentinelMaster(StoreClient):
    """The server that the Sentinels name as master."""

    def __init__(self, service: str, sentinels: Sequence[Server], settings: dict[str, Any]) -> None:
        self._service = service
        self._sentinels = sentinels
        self._settings = settings
        self._lock = threading.Lock()
        self._discovery_lock = threading.Lock()
        self._master: Server | None = None
        self._quorum = QuorumQuery()

    def server(self, key: str) -> Server:  # noqa: D102
        return self.servers()[0]

    def servers(self) -> tuple[Server, ...]:  # noqa: D102
        if self._master is None:
            self.discover_masters()
        master = self._master
        if master is None:
            raise NotSent(f"no Sentinel knows a master of {self._service!r}")
        return (master,)

    def discover_masters(self) -> None:  # noqa: D102
        with self._discovery_lock:
            self._discover()

    def _discover(self) -> None:
        named = self._quorum.ask(self._sentinels, self._named)
        if not named:
            return  # no Sentinel names a master: keep the old one
        votes = {one: named.count(one) for one in named}
        for one in sorted(votes, key=lambda one: (one.epoch, votes[one]), reverse=True):
            if self._became(one.host, one.port):
                return
        with self._lock:
            former, self._master = self._master, None
        if former is not None:
            former.retire()

    def _named(self, sentinel: Server) -> _Named | None:
        try:
            flat = sentinel.ask("SENTINEL", "MASTER", self._service)
        except (StoreUnavailable, ResponseError):
            return None
        about = dict(zip(flat[::2], flat[1::2], strict=True))
        return _Named(int(about.get(b"config-epoch", 0)), about[b"ip"].decode(), int(about[b"port"]))

    def _became(self, host: str, port: int) -> bool:
        """Use the server as the master if it reports that role. Return whether it does."""
        name = f"{host}:{port}"
        known = self._master
        server = known if known is not None and known.name == name else self._at(name, host, port)
        try:
            if server.info("replication").get("role") != "master":
                return False
        except (StoreUnavailable, ResponseError):
            return False
        with self._lock:
            former, self._master = self._master, server
        if former is not None and former is not server:
            former.retire()
        return True

    def _at(self, name: str, host: str, port: int) -> Server:
        return Server(name, {**self._settings, "host": host, "port": port}, master_only=True)

    def close(self) -> None:  # noqa: D102
        self._quorum.close()
        for server in (*self._sentinels, *([self._master] if self._master else [])):
            server.close()
