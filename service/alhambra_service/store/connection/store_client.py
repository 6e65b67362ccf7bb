"""Sends commands to the server that has their key.

Commands that only read are repeated if an answer is lost. All other commands go through `follow`, which repeats only
commands that the server has certainly not run.
"""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from redis.exceptions import AskError, ClusterDownError, MovedError, ReadOnlyError, ResponseError, TryAgainError

from ... import limits
from ...blocking import THREAD, NeedsStore
from ..errors import StoreUnavailable, Trouble
from .wire import Command, NotSent, Reply, ReplyLost, Server, trouble_of

if TYPE_CHECKING:
    from ..embedded.embedded_store import EmbeddedStore

_log = logging.getLogger(__name__)

NOT_DONE = (AskError, MovedError, ReadOnlyError, TryAgainError, ClusterDownError)
"""Refusals that concern one server: another one may accept the command."""

BeforeSend = Callable[[Server], object]
"""Called with the server each time before a command is sent to it."""


class StoreClient(ABC):
    """Connections to the store. Open them with `connect`, after forking; threads may share them."""

    observe: Callable[[float], object] | None = None
    """Called after each exchange with the seconds that it took."""
    _last_refusal = ""

    @abstractmethod
    def server(self, key: str) -> Server:
        """Return the server that has the key, as of the last `discover_masters`."""

    @abstractmethod
    def servers(self) -> tuple[Server, ...]:
        """Return all masters, as of the last `discover_masters`."""

    @abstractmethod
    def discover_masters(self) -> None:
        """Find out again which servers are masters."""

    @abstractmethod
    def close(self) -> None:
        """Close all connections."""

    def server_at(self, host: str, port: int) -> Server:
        """Return the server at an address that another server named."""
        raise NotSent(f"the store points to {host}:{port}: it is a cluster, use redis+cluster:// in its address")

    def read(self, key: str, *command: str | bytes | int, before: BeforeSend | None = None) -> Reply:
        """Return the reply to a command that changes nothing."""
        last: StoreUnavailable | None = None
        for _ in range(2):
            try:
                (reply,) = self.follow(key, [command], before)
            except ReplyLost as lost:
                last = lost
                continue
            if isinstance(reply, ResponseError):
                raise self.refused(reply, "refuses") from reply
            return reply
        assert last is not None
        raise last

    def read_many(self, commands: Sequence[tuple[str, Command]]) -> list[Reply]:
        """Return the replies to commands that change nothing, each with its key. One exchange with each server."""
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
        """Return the reply to a command that the caller may repeat without harm. It is not repeated here."""
        (reply,) = self.follow(key, [command])
        if isinstance(reply, ResponseError):
            raise self.refused(reply, "refuses") from reply
        return reply

    def refused(self, refusal: ResponseError, what: str) -> StoreUnavailable:
        """Return the error for a refusal of the store, and log its words, unless they were logged since the store last
        worked (`works`)."""
        words = " ".join(str(refusal).split())
        plain = words.partition(" script: ")[0]  # after it comes the position in the script
        if plain != self._last_refusal:
            self._last_refusal = plain
            _log.warning("The store %s: %s", what, words)
        return StoreUnavailable(f"the store {what}: {words}", trouble_of(refusal))

    def works(self) -> None:
        """Note that the store accepted a write. The next refusal is logged even if its words were logged before."""
        self._last_refusal = ""

    def follow(self, key: str, commands: Sequence[Command], before: BeforeSend | None = None) -> list[Reply]:
        """Send the commands to the server that has the key. Follows redirections and new masters, but raises ReplyLost
        instead of repeating commands that may have been run. The reply to the first command decides that. Raises
        NeedsStore on a thread that must not wait for the store."""
        if THREAD.memory_only:
            raise NeedsStore
        began = time.perf_counter()
        try:
            return self._follow(key, commands, before)
        finally:
            if self.observe is not None:
                self.observe(time.perf_counter() - began)

    def _follow(self, key: str, commands: Sequence[Command], before: BeforeSend | None) -> list[Reply]:
        fault: Exception | None = None
        redirected: Server | None = None
        began = time.monotonic()
        for attempt in range(limits.REDIRECTS):
            if time.monotonic() - began > limits.STORE_ANSWER_SECONDS:
                break
            if attempt > 1:
                time.sleep(limits.SETTLE_PAUSE_SECONDS)
            server = redirected or self.server(key)
            if before is not None:
                before(server)
            try:
                replies = server.exchange(("ASKING",), *commands)[1:] if redirected else server.exchange(*commands)
            except NotSent as reason:
                fault, redirected = reason, None
                self.discover_masters()
                continue
            first = replies[0]
            if not isinstance(first, NOT_DONE):
                return replies
            fault, redirected = first, None
            if isinstance(first, AskError) and not isinstance(first, MovedError):
                redirected = self.server_at(first.host, first.port)
            else:
                self.discover_masters()
        if isinstance(fault, ReadOnlyError):
            raise NotSent(str(self.refused(fault, "takes no writes")), Trouble.READ_ONLY) from fault
        if isinstance(fault, StoreUnavailable):
            raise NotSent(str(fault), fault.trouble) from fault
        raise NotSent(f"the store does not say which server has a key: {fault}") from fault


class OneServer(StoreClient):
    """A store that is one server."""

    def __init__(self, server: Server, embedded: EmbeddedStore | None = None) -> None:
        self._server = server
        self._embedded = embedded

    def server(self, key: str) -> Server:  # noqa: D102
        return self._server

    def servers(self) -> tuple[Server, ...]:  # noqa: D102
        return (self._server,)

    def discover_masters(self) -> None:
        """Do nothing: the server is always the same."""

    def close(self) -> None:
        """Close all connections, and stop the server if it is embedded."""
        self._server.close()
        if self._embedded is not None:
            self._embedded.stop()
