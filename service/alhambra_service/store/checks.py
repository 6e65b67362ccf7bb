"""Checks, before the first call, that the store is as durable as the service promises.

Each fault is one sentence that says what is wrong and how to fix it. The operator chooses the promise:

    always       a move is on disk before it is answered (appendfsync always)
    everysec     a crash of the machine loses at most about a second of moves
    replicated   as always, and also on the disks of the chosen number of replicas
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum

from redis.exceptions import ResponseError

from .connection.connect import SLOTS, Cluster, StoreClient
from .connection.wire import Server
from .embedded.capacity import is_refusing, refusal_reason
from .errors import StoreMisconfigured, StoreUnavailable

OLDEST = (6, 2)
OLDEST_FOR_REPLICAS = (7, 2)
"""The first Redis with WAITAOF. Every Valkey has it."""


class Durability(StrEnum):
    """What an acknowledged move survives."""

    ALWAYS = "always"
    EVERYSEC = "everysec"
    REPLICATED = "replicated"


def require(client: StoreClient, durability: Durability, replicas: int = 0) -> None:
    """Raise StoreMisconfigured with every fault of the store, or StoreUnavailable if no server answers."""
    found = list(faults(client, durability, replicas))
    if found:
        raise StoreMisconfigured("\n".join(found))


def faults(client: StoreClient, durability: Durability, replicas: int = 0) -> Iterator[str]:
    """Generate a sentence for each setting of the store that breaks the promise."""
    client.discover_masters()
    try:
        for server in client.servers():
            yield from _version_faults(server, durability)
            yield from _role_faults(server, durability, replicas)
            yield from _memory_faults(server)
            yield from _disk_faults(server, durability)
            yield from cluster_faults(server, isinstance(client, Cluster))
    except ResponseError as refusal:
        yield f"The store cannot be checked ({refusal}): allow its user INFO, CONFIG GET and CLUSTER INFO."


def warnings(client: StoreClient) -> Iterator[str]:
    """Generate a sentence for each setting that the operator should change, although the service works with it."""
    try:
        for server in client.servers():
            if int(server.info("memory").get("maxmemory", 0)) == 0:
                yield _sentence(
                    server,
                    "has no memory limit and may use all memory of the machine",
                    "set `maxmemory`, or --store-memory for an embedded one",
                )
    except (StoreUnavailable, ResponseError):
        return  # `faults` reports whether the store can be used at all


def troubles(client: StoreClient) -> Iterator[str]:
    """Generate a sentence for each embedded server that takes no writes because the machine lacks disk or memory."""
    for server in client.servers():
        with suppress(StoreUnavailable, ResponseError):
            trouble = write_trouble(server)
            if trouble:
                yield trouble


def write_trouble(server: Server) -> str:
    """Return why an embedded store takes no writes; an empty text for any other server. Raises StoreUnavailable."""
    about = server.info("replication")
    return refusal_reason(about, _setting(server, "dir")) if is_refusing(about) else ""


def _version_faults(server: Server, durability: Durability) -> Iterator[str]:
    about = server.info("server")
    version = tuple(int(part) for part in re.findall(r"\d+", about.get("redis_version", ""))[:2])
    if about.get("server_name") == "valkey":
        return
    if version < OLDEST:
        yield _sentence(server, f"is Redis {_dotted(version)}", "use Redis 6.2 or newer, or Valkey")
    elif durability is Durability.REPLICATED and version < OLDEST_FOR_REPLICAS:
        yield _sentence(
            server,
            f"is Redis {_dotted(version)}, which cannot wait for the disks of replicas",
            "use Redis 7.2 or newer, or Valkey, or promise only `always`",
        )


def _role_faults(server: Server, durability: Durability, replicas: int) -> Iterator[str]:
    about = server.info("replication")
    if is_refusing(about):
        return  # an embedded store that cannot write: it recovers by itself (`troubles`)
    if about.get("role") != "master":
        yield _sentence(
            server, "is a replica and takes no writes", "name its master, or use redis+sentinel:// in the address"
        )
    elif durability is Durability.REPLICATED and int(about.get("connected_slaves", 0)) < replicas:
        have = about.get("connected_slaves", 0)
        yield _sentence(
            server, f"has {have} of the {replicas} replicas promised", "start the others, or promise only `always`"
        )


def _memory_faults(server: Server) -> Iterator[str]:
    policy = server.info("memory").get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        yield _sentence(server, f"deletes games when memory is short ({policy})", "set `maxmemory-policy noeviction`")


def _disk_faults(server: Server, durability: Durability) -> Iterator[str]:
    wanted = "everysec" if durability is Durability.EVERYSEC else "always"
    if server.info("persistence").get("aof_enabled") != "1":
        yield _sentence(
            server,
            "keeps games in memory only",
            f"set `appendonly yes` and `appendfsync {wanted}`, or use embedded:PATH",
        )
        return
    have = _setting(server, "appendfsync")
    if have != wanted and not (wanted == "everysec" and have == "always"):
        yield _sentence(
            server,
            f"has appendfsync `{have}` although `{durability}` is promised",
            f"set `appendfsync {wanted}`" + (", or promise only `everysec`" if have == "everysec" else ""),
        )
    if wanted == "always" and _setting(server, "no-appendfsync-on-rewrite") != "no":
        yield _sentence(
            server, "stops syncing to disk while it rewrites its file", "set `no-appendfsync-on-rewrite no`"
        )


def cluster_faults(server: Server, expected: bool) -> Iterator[str]:
    """Generate the faults of the server's cluster, or of an address that expects a cluster."""
    enabled = server.info("cluster").get("cluster_enabled") == "1"
    if enabled and not expected:
        yield _sentence(server, "is part of a cluster", "use redis+cluster:// in its address")
    if not enabled or not expected:
        return
    lines = server.ask("CLUSTER", "INFO").decode().splitlines()
    about = dict(line.split(":", 1) for line in lines if ":" in line)
    served = int(about.get("cluster_slots_ok", 0))
    if served != SLOTS:
        yield _sentence(
            server,
            f"sees only {served} of {SLOTS} slots of its cluster served",
            "bring the missing masters back, or assign their slots to others",
        )
    elif about.get("cluster_state") != "ok":
        yield _sentence(
            server,
            "was cut off from its cluster and does not serve yet",
            "wait a few seconds; if its clock was set back, restart it",
        )


def _setting(server: Server, name: str) -> str:
    pair = server.ask("CONFIG", "GET", name)
    return pair[1].decode() if pair else ""


def _sentence(server: Server, wrong: str, remedy: str) -> str:
    return f"The store at {server.name} {wrong}: {remedy}."


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version)) or "of an unknown version"
