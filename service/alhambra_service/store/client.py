"""The store behind an address, whatever its shape: which server has which key, and how to follow when that changes.

    redis://[user:password@]host[:port][/db]            one server
    rediss://…                                          the same over TLS
    unix:///path/of/a.sock                              one server on this machine
    redis+sentinel://host:port,host:port/service[/db]   whichever server Sentinel calls the master
    redis+cluster://host:port,host:port                 a cluster; the addresses are doors, any of its servers will do
    embedded:PATH                                       a server of our own, its data in the folder PATH

`rediss+sentinel` and `rediss+cluster` speak TLS. Options of the library stand behind a question mark, such as
`?ssl_ca_certs=ca.pem`; `sentinel_username` and `sentinel_password` are for the Sentinels themselves.

Only masters are read from and written to. Commands that only read are sent again if an answer is lost; everything else
goes through `follow`, which sends again only what certainly was not done.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from redis.crc import key_slot
from redis.exceptions import AskError, ClusterDownError, MovedError, ReadOnlyError, ResponseError, TryAgainError

from .. import limits
from .embedded import EmbeddedStore
from .errors import StoreMisconfigured, StoreUnavailable
from .wire import Command, NotSent, Reply, ReplyLost, Server, settings_of

SLOTS = 16_384
SHAPES = "redis://, rediss://, unix://, redis+sentinel://, redis+cluster:// or embedded:PATH"

NOT_DONE = (AskError, MovedError, ReadOnlyError, TryAgainError, ClusterDownError)
"""Refusals of a server that others may not share."""

Before = Callable[[Server], object]
"""Told which server a command goes to, each time before it is sent."""


class StoreClient(ABC):
    """Connections to the store. Opened by `connect`, after forking; safe to share between threads."""

    @abstractmethod
    def server(self, key: str) -> Server:
        """Who has the key, as far as known."""

    @abstractmethod
    def servers(self) -> tuple[Server, ...]:
        """Every master, as far as known."""

    @abstractmethod
    def learn(self) -> None:
        """Asks anew who the masters are."""

    @abstractmethod
    def close(self) -> None:
        """Hangs up."""

    def door(self, host: str, port: int) -> Server:
        """The server at an address that another server named."""
        raise NotSent(f"the store points to {host}:{port}: it is a cluster, use redis+cluster:// in its address")

    def read(self, key: str, *command: str | bytes | int, before: Before | None = None) -> Reply:
        """The reply to a command that changes nothing."""
        last: StoreUnavailable | None = None
        for _ in range(2):
            try:
                (reply,) = self.follow(key, [command], before)
            except ReplyLost as lost:
                last = lost
                continue
            if isinstance(reply, ResponseError):
                raise StoreUnavailable(f"the store refuses: {reply}") from reply
            return reply
        assert last is not None
        raise last

    def read_many(self, commands: Sequence[tuple[str, Command]]) -> list[Reply]:
        """Replies to commands that change nothing, each with its key: one exchange with every server."""
        by_server: dict[Server, list[int]] = {}
        for place, (key, _) in enumerate(commands):
            by_server.setdefault(self.server(key), []).append(place)
        replies: list[Reply] = [None] * len(commands)
        for server, places in by_server.items():
            try:
                found = server.exchange(*(commands[place][1] for place in places))
            except StoreUnavailable:
                found = [ResponseError()] * len(places)
            for place, reply in zip(places, found, strict=True):
                key, command = commands[place]
                replies[place] = self.read(key, *command) if isinstance(reply, ResponseError) else reply
        return replies

    def write(self, key: str, *command: str | bytes | int) -> Reply:
        """The reply to a command that may be repeated without harm, but is not repeated here."""
        (reply,) = self.follow(key, [command])
        if isinstance(reply, ResponseError):
            raise StoreUnavailable(f"the store refuses: {reply}") from reply
        return reply

    def follow(self, key: str, commands: Sequence[Command], before: Before | None = None) -> list[Reply]:
        """Sends the commands to whoever has the key. Follows redirections and new masters, but never sends again
        what may have been done: then it raises ReplyLost. The first command decides whether anything was done."""
        fault: Exception | None = None
        door: Server | None = None
        began = time.monotonic()
        for attempt in range(limits.REDIRECTS):
            if time.monotonic() - began > limits.STORE_ANSWER_SECONDS:
                break
            if attempt > 1:
                time.sleep(limits.SETTLE_PAUSE_SECONDS)
            server = door or self.server(key)
            if before is not None:
                before(server)
            try:
                replies = server.exchange(("ASKING",), *commands)[1:] if door else server.exchange(*commands)
            except NotSent as reason:
                fault, door = reason, None
                self.learn()
                continue
            first = replies[0]
            if not isinstance(first, NOT_DONE):
                return replies
            fault, door = first, None
            if isinstance(first, AskError) and not isinstance(first, MovedError):
                door = self.door(first.host, first.port)
            else:
                self.learn()
        raise NotSent(_sentence(fault)) from fault


def _sentence(fault: Exception | None) -> str:
    return str(fault) if isinstance(fault, StoreUnavailable) else f"the store does not say who has a key: {fault}"


class OneServer(StoreClient):
    """One server that is always the same."""

    def __init__(self, server: Server, embedded: EmbeddedStore | None = None) -> None:
        self._server = server
        self._embedded = embedded

    def server(self, key: str) -> Server:  # noqa: D102
        return self._server

    def servers(self) -> tuple[Server, ...]:  # noqa: D102
        return (self._server,)

    def learn(self) -> None:
        """There is nothing to learn."""

    def close(self) -> None:
        """Hangs up, and stops the server if it is our own."""
        self._server.close()
        if self._embedded is not None:
            self._embedded.stop()


class SentinelMaster(StoreClient):
    """The one server that Sentinel calls the master."""

    def __init__(self, service: str, sentinels: Sequence[Server], settings: dict[str, Any]) -> None:
        self._service = service
        self._sentinels = sentinels
        self._settings = settings
        self._lock = threading.Lock()
        self._master: Server | None = None

    def server(self, key: str) -> Server:  # noqa: D102
        return self.servers()[0]

    def servers(self) -> tuple[Server, ...]:  # noqa: D102
        if self._master is None:
            self.learn()
        if self._master is None:
            raise NotSent(f"no Sentinel knows a master of {self._service!r}")
        return (self._master,)

    def learn(self) -> None:  # noqa: D102
        for sentinel in self._sentinels:
            try:
                address = sentinel.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", self._service)
            except (StoreUnavailable, ResponseError):
                continue
            if address:
                self._become(address[0].decode(), int(address[1]))
                return

    def _become(self, host: str, port: int) -> None:
        name = f"{host}:{port}"
        with self._lock:
            if self._master is not None and self._master.name == name:
                return
            former, self._master = self._master, Server(name, {**self._settings, "host": host, "port": port})
        if former is not None:
            former.retire()

    def close(self) -> None:  # noqa: D102
        for server in (*self._sentinels, *([self._master] if self._master else [])):
            server.close()


class Cluster(StoreClient):
    """Several servers that share the keys by slots."""

    def __init__(self, doors: Sequence[tuple[str, int]], settings: dict[str, Any]) -> None:
        self._doors = doors
        self._settings = settings
        self._lock = threading.Lock()
        self._known: dict[str, Server] = {}
        self._slots: list[Server | None] = [None] * SLOTS
        self._lessons = 0

    def server(self, key: str) -> Server:  # noqa: D102
        slot = key_slot(key.encode())
        if self._slots[slot] is None:
            self.learn()
        server = self._slots[slot]
        if server is None:
            raise NotSent(f"no server of the cluster has slot {slot}")
        return server

    def servers(self) -> tuple[Server, ...]:  # noqa: D102
        if not any(self._slots):
            self.learn()
        return tuple(dict.fromkeys(server for server in self._slots if server is not None))

    def door(self, host: str, port: int) -> Server:  # noqa: D102
        with self._lock:
            return self._at(host, port)

    def learn(self) -> None:  # noqa: D102
        lessons = self._lessons
        with self._lock:
            if self._lessons != lessons:
                return  # another thread asked while this one waited
            self._lessons += 1
            doors = [*self._known.values(), *(self._at(host, port) for host, port in self._doors)]
            for server in dict.fromkeys(doors):
                try:
                    ranges = server.ask("CLUSTER", "SLOTS")
                except StoreUnavailable:
                    continue
                except ResponseError as refusal:
                    raise StoreMisconfigured(
                        f"the store at {server.name} is no cluster ({refusal}): use redis:// in its address"
                    ) from refusal
                if ranges:
                    self._take(ranges, server)
                    return

    def _take(self, ranges: Iterable[Any], informant: Server) -> None:
        slots: list[Server | None] = [None] * SLOTS
        for first, last, master, *_ in ranges:
            host = (master[0] or b"").decode()
            if host in ("", "?"):  # it does not know its own name; we came in by a good one
                host = informant.name.rpartition(":")[0]
            server = self._at(host, master[1])
            slots[first : last + 1] = [server] * (last - first + 1)
        self._slots = slots
        masters = set(slots) | {informant}
        for name in [name for name, server in self._known.items() if server not in masters]:
            self._known.pop(name).retire()

    def _at(self, host: str, port: int) -> Server:
        name = f"{host}:{port}"
        if name not in self._known:
            self._known[name] = Server(name, {**self._settings, "host": host, "port": port})
        return self._known[name]

    def close(self) -> None:  # noqa: D102
        with self._lock:
            for server in self._known.values():
                server.close()


# -- Addresses -----------------------------------------------------------------------------------------------------


def connect(url: str) -> StoreClient:
    """The store at this address. Nothing is sent yet, but an embedded store is started."""
    scheme, separator, rest = url.partition(":")
    try:
        if scheme == "embedded" and separator:
            embedded = EmbeddedStore(Path(rest.removeprefix("//")).expanduser())
            embedded.start()
            return OneServer(_single(embedded.url), embedded)
        if scheme in ("redis", "rediss", "unix"):
            return OneServer(_single(url))
        if scheme in ("redis+sentinel", "rediss+sentinel"):
            return _sentinel(scheme.partition("+")[0], rest)
        if scheme in ("redis+cluster", "rediss+cluster"):
            return _cluster(scheme.partition("+")[0], rest)
    except (ValueError, TypeError) as fault:
        raise StoreMisconfigured(f"the address of the store cannot be read: {fault}; it is {SHAPES}") from fault
    raise StoreMisconfigured(f"the address of the store begins with {scheme[:20]!r}: it must be {SHAPES}")


def _single(url: str) -> Server:
    settings = settings_of(url)
    if "path" in settings:
        return Server(settings["path"], settings)
    settings.setdefault("host", "localhost")
    settings.setdefault("port", 6379)
    return Server(f"{settings['host']}:{settings['port']}", settings)


def _doors(scheme: str, rest: str, port: int) -> tuple[list[tuple[str, int]], str, dict[str, Any]]:
    """Hosts and ports, the path, and the library's settings of `//user:password@host:port,host:port/path?settings`."""
    address, _, query = rest.removeprefix("//").partition("?")
    hosts, _, path = address.partition("/")
    user, at, hosts = hosts.rpartition("@")
    found = []
    for host in hosts.split(","):
        one = settings_of(f"{scheme}://{host}")
        if "host" not in one:
            raise ValueError("a host is missing")
        found.append((one["host"], one.get("port", port)))
    return found, path, settings_of(f"{scheme}://{user}{at}host?{query}")


def _sentinel(scheme: str, rest: str) -> StoreClient:
    address, _, query = rest.partition("?")
    theirs = dict(parse_qsl(query))
    sentinel_auth = {name: theirs.pop(f"sentinel_{name}", None) for name in ("username", "password")}
    doors, path, settings = _doors(scheme, f"{address}?{urlencode(theirs)}", 26379)
    service, _, db = path.partition("/")
    if not service:
        raise ValueError("the name of the service is missing behind the Sentinels, as in …:26379/mymaster")
    private = {"username", "password", "db"}
    shared = {name: value for name, value in settings.items() if name not in private} | sentinel_auth
    sentinels = [Server(f"{host}:{port}", {**shared, "host": host, "port": port}) for host, port in doors]
    return SentinelMaster(service, sentinels, settings | ({"db": int(db)} if db else {}))


def _cluster(scheme: str, rest: str) -> StoreClient:
    doors, path, settings = _doors(scheme, rest, 6379)
    if path.strip("/") not in ("", "0"):
        raise ValueError("a cluster has only database 0")
    return Cluster(doors, settings)
