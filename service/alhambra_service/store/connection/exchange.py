"""Commands on their way to the server that has their key, whatever the shape of the store.

Commands that only read are sent again if an answer is lost; everything else goes through `follow`, which sends again
only what certainly was not done.
"""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from redis.exceptions import AskError, ClusterDownError, MovedError, ReadOnlyError, ResponseError, TryAgainError

from ... import limits
from ..errors import StoreUnavailable, Trouble
from .wire import Command, NotSent, Reply, ReplyLost, Server, trouble_of

_log = logging.getLogger(__name__)

NOT_DONE = (AskError, MovedError, ReadOnlyError, TryAgainError, ClusterDownError)
"""Refusals of a server that others may not share."""

Before = Callable[[Server], object]
"""Told which server a command goes to, each time before it is sent."""


class StoreClient(ABC):
    """Connections to the store. Opened by `connect`, after forking; safe to share between threads."""

    _last_refusal = ""

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
                raise self.refused(reply, "refuses") from reply
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
            raise self.refused(reply, "refuses") from reply
        return reply

    def refused(self, refusal: ResponseError, what: str) -> StoreUnavailable:
        """What a refusal of the store means to the caller. Its words go to the log once, until they change or the
        store works again (`works`)."""
        words = " ".join(str(refusal).split())
        if words != self._last_refusal:
            self._last_refusal = words
            _log.warning("The store %s: %s", what, words)
        return StoreUnavailable(f"the store {what}: {words}", trouble_of(refusal))

    def works(self) -> None:
        """The store took a write: its next refusal is logged, even one in words that were logged before."""
        self._last_refusal = ""

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
        if isinstance(fault, ReadOnlyError):
            raise NotSent(str(self.refused(fault, "takes no writes")), Trouble.READ_ONLY) from fault
        if isinstance(fault, StoreUnavailable):
            raise NotSent(str(fault), fault.trouble) from fault
        raise NotSent(f"the store does not say who has a key: {fault}") from fault
