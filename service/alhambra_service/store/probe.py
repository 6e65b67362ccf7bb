"""Checks whether the store can be written to, by writing.

A store that answers a ping may still refuse every commit: its memory or its disk is full, it became a replica, or too
few replicas are connected; or it may be too slow. So a probe writes a small key that expires to every master, over its
own connection and within PROBE_SECONDS. If replicas are promised, it waits for them as a commit does. It also reads the
store's clock.
"""

from __future__ import annotations

import threading
from contextlib import suppress

from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as NoAnswer

from .. import limits
from .checks import cluster_faults, write_trouble
from .clock import StoreClock, seconds_of
from .commit import replica_waits, replicas_reached
from .connection.connect import Cluster, StoreClient
from .connection.wire import Command, Connection, Reply, Server, trouble_of
from .embedded.capacity import explain_error, write_error
from .errors import StoreError, StoreUnavailable, Trouble
from .keys import probe_key

KEY_TRIES = 10_000
"""How many random keys are tried until one belongs to the wanted server of a cluster."""

SENTENCES = {
    Trouble.UNREACHABLE: "does not answer: check that it runs, and that this machine can reach it",
    Trouble.CROWDED: (
        "takes no more connections, or this process has no more file descriptors: raise its maxclients, and the limit "
        "of both processes (ulimit -n)"
    ),
    Trouble.SLOW: f"needs more than {limits.PROBE_SECONDS:g} s for a small write: check its load and its disk",
    Trouble.FULL: "is full: raise its maxmemory, or remove games",
    Trouble.READ_ONLY: "takes no writes: it is a replica now, or cannot write to its disk",
    Trouble.REPLICAS_MISSING: "has too few replicas to take writes: bring them back",
}
"""By kind of trouble: what is wrong with the store, and what to do."""


class Probe:
    """A probe of every master. There is one for each process."""

    def __init__(self, client: StoreClient, clock: StoreClock, replicas: int = 0) -> None:
        self._client = client
        self._clock = clock
        self._replicas = replicas
        self._lock = threading.Lock()
        self._connections: dict[Server, tuple[Connection, str]] = {}
        """By server: an open connection, and the key that is written."""

    def check(self) -> str | None:
        """Return why the store cannot be written to, in one sentence with the store's own words; None if it can."""
        with self._lock:
            try:
                self._client.discover_masters()
                servers = self._client.servers()
            except StoreError as fault:
                return f"The store does not answer: {fault}."
            self._keep_only(servers)
            times = {}
            for server in servers:
                try:
                    times[server.name] = self._written(server)
                    for fault_found in cluster_faults(server, isinstance(self._client, Cluster)):
                        return fault_found
                except StoreUnavailable as fault:
                    trouble = Trouble.CROWDED if server.is_crowded() else fault.trouble
                    words = f"The store at {server.name} {SENTENCES[trouble]}. It says: {fault}."
                    return self._embedded_trouble(server) or words
                except ResponseError as fault:
                    return f"The store at {server.name} cannot be checked. It says: {fault}."
            self._clock.synchronize(times)
            self._client.works()
            return None

    def _embedded_trouble(self, server: Server) -> str:
        """Return why an embedded store takes no writes or does not run; an empty text if that is not known."""
        with suppress(StoreUnavailable, ResponseError):
            return write_trouble(server)
        code = write_error(server.folder) if server.folder is not None else 0
        return explain_error(code, server.folder or "") if code else ""

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            self._keep_only(())

    def _keep_only(self, servers: tuple[Server, ...]) -> None:
        for server in [server for server in self._connections if server not in servers]:
            self._disconnect(server)

    def _disconnect(self, server: Server) -> None:
        found = self._connections.pop(server, None)
        if found is not None:
            with suppress(OSError, RedisError):
                found[0].disconnect()

    def _written(self, server: Server) -> float:
        """Write to one master and return its time. Raises StoreUnavailable with the words of the store."""
        try:
            if server not in self._connections:
                # Replicas report their disks once a second: waiting for them needs the usual time.
                seconds = limits.STORE_ANSWER_SECONDS if self._replicas else limits.PROBE_SECONDS
                self._connections[server] = (server.dial(seconds), self._key_on(server))
            connection, key = self._connections[server]
            write: Command = ("SET", key, "", "PX", limits.PROBE_EXPIRES_MS)
            commands = [write, *replica_waits(self._replicas), ("TIME",)]
            connection.send_packed_command(connection.pack_commands(commands), check_health=False)
            replies = [_reply(connection) for _ in commands]
        except (RedisError, OSError) as fault:
            self._disconnect(server)
            trouble = Trouble.SLOW if isinstance(fault, NoAnswer) else Trouble.UNREACHABLE
            raise StoreUnavailable(_words(fault), trouble) from fault
        for reply in replies:
            if isinstance(reply, ResponseError):
                trouble = trouble_of(reply)
                if trouble is Trouble.UNREACHABLE:
                    self._disconnect(server)  # the key may have moved to another server: find another key
                raise StoreUnavailable(_words(reply), trouble) from reply
        if self._replicas and not replicas_reached(replies[-2], self._replicas):
            words = f"fewer than {self._replicas} replicas confirmed a write on their disks"
            raise StoreUnavailable(words, Trouble.REPLICAS_MISSING)
        return seconds_of(replies[-1])

    def _key_on(self, server: Server) -> str:
        """Return a key that belongs to this server."""
        for _ in range(KEY_TRIES):
            key = probe_key()
            if self._client.server(key) is server:
                return key
        raise StoreUnavailable(f"the store at {server.name} has no slots")


def _reply(connection: Connection) -> Reply:
    try:
        return connection.read_response()
    except ResponseError as refusal:
        return refusal


def _words(fault: Exception) -> str:
    """Return the words of the store in one line."""
    return " ".join(str(fault).split()).rstrip(".") or type(fault).__name__
