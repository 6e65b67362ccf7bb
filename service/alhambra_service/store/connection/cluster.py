"""A cluster: finds the master of each slot by asking several servers.

A server that is partitioned from the others, or was restarted, can report an old map for a long time. So several
servers are asked at once. Answers of servers with `cluster_state:ok` are preferred: a server that cannot reach the
majority of masters reports `fail`. Among those the highest epoch wins, because every fail-over raises it; among equal
epochs the map that most servers report.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from redis.crc import key_slot
from redis.exceptions import ResponseError

from ..errors import StoreMisconfigured, StoreUnavailable
from .quorum_query import QuorumQuery
from .store_client import StoreClient
from .wire import NotSent, Server

SLOTS = 16_384

Ranges = tuple[tuple[int, int, str, int], ...]
"""A range of slots: first slot, last slot, host and port of their master."""


class _Map(NamedTuple):
    """The answer of one server about its cluster."""

    informant: Server
    whole: bool
    epoch: int
    ranges: Ranges


class Cluster(StoreClient):
    """A cluster of servers, each with the keys of some slots."""

    def __init__(self, seeds: Sequence[tuple[str, int]], settings: dict[str, Any]) -> None:
        self._seeds = seeds
        self._settings = settings
        self._lock = threading.RLock()
        self._discovery_lock = threading.Lock()
        self._known: dict[str, Server] = {}
        self._slots: list[Server | None] = [None] * SLOTS
        self._discoveries = 0
        self._quorum = QuorumQuery()

    def server(self, key: str) -> Server:  # noqa: D102
        slot = key_slot(key.encode())
        if self._slots[slot] is None:
            self.discover_masters()
        server = self._slots[slot]
        if server is None:
            raise NotSent(f"no server of the cluster has slot {slot}")
        return server

    def servers(self) -> tuple[Server, ...]:  # noqa: D102
        if not any(self._slots):
            self.discover_masters()
        return tuple(dict.fromkeys(server for server in self._slots if server is not None))

    def server_at(self, host: str, port: int) -> Server:  # noqa: D102
        with self._lock:
            return self._at(host, port)

    def discover_masters(self) -> None:  # noqa: D102
        discoveries = self._discoveries
        with self._discovery_lock:
            if self._discoveries != discoveries:
                return  # another thread asked while this one waited
            self._discoveries += 1
            with self._lock:
                seeds = [self._at(host, port) for host, port in self._seeds]
                servers = [*dict.fromkeys([*seeds, *self._known.values()])]
            maps = self._quorum.ask(servers, _map)
            if maps:
                votes = Counter(one.ranges for one in maps)
                self._take(max(maps, key=lambda one: (one.whole, one.epoch, votes[one.ranges])))

    def _take(self, best: _Map) -> None:
        slots: list[Server | None] = [None] * SLOTS
        with self._lock:
            for first, last, host, port in best.ranges:
                slots[first : last + 1] = [self._at(host, port)] * (last - first + 1)
            self._slots = slots
            wanted = set(slots) | {self._at(host, port) for host, port in self._seeds}
            for name in [name for name, server in self._known.items() if server not in wanted]:
                self._known.pop(name).retire()

    def _at(self, host: str, port: int) -> Server:
        name = f"{host}:{port}"
        if name not in self._known:
            self._known[name] = Server(name, {**self._settings, "host": host, "port": port})
        return self._known[name]

    def close(self) -> None:  # noqa: D102
        self._quorum.close()
        with self._lock:
            for server in self._known.values():
                server.close()


def _map(server: Server) -> _Map | None:
    """Return the answer of a server; None if it does not answer or knows no slots. Raises StoreMisconfigured if it is
    not part of a cluster."""
    try:
        info, slots = server.exchange(("CLUSTER", "INFO"), ("CLUSTER", "SLOTS"))
    except StoreUnavailable:
        return None
    for reply in (info, slots):
        if isinstance(reply, ResponseError):
            raise StoreMisconfigured(
                f"the store at {server.name} is no cluster ({reply}): use redis:// in its address"
            ) from reply
    about = dict(line.split(":", 1) for line in info.decode().splitlines() if ":" in line)
    own = server.name.rpartition(":")[0]
    ranges = []
    for first, last, master, *_ in slots:
        host = (master[0] or b"").decode()
        if host in ("", "?"):  # it does not know its own name: use the name by which it was reached
            host = own
        ranges.append((first, last, host, master[1]))
    if not ranges:
        return None
    whole = about.get("cluster_state") == "ok"
    return _Map(server, whole, int(about.get("cluster_current_epoch", 0)), tuple(sorted(ranges)))
