"""One watcher of notices: what it wants to be told, and its queue, in which one busy game takes little room.

If the queue is full, notices of decisions are left out that a later notice of the same game in the queue shows to be
closed. So the queue holds at most four notices of each game then, and a busy game cannot push out the others. Only a
watcher with notices of very many games falls behind; it resumes where it was.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import grpc

from alhambra_api.v1 import events_pb2, webhooks_pb2

from .. import limits
from ..auth.notice_tickets import Seats
from ..messages.notices import notice_to
from ..notices.feed import FIRST, Place, place_order
from ..notices.game_notices import BOT_DECISION_OPENED, DEADLINE_NEAR, DECISION_OPENED, GAME_ENDED
from .running_stream import Sender
from .watcher import AnyMessage, EncodedMessage, Watcher

NoticeMessage = webhooks_pb2.WatchNoticesResponse
DECISIONS = frozenset({DECISION_OPENED, BOT_DECISION_OPENED, DEADLINE_NEAR})
"""Notices that are about a decision of a seat."""
CLOSING = frozenset({DECISION_OPENED, BOT_DECISION_OPENED, GAME_ENDED})
"""Notices that show that earlier decisions of the game are closed."""


@dataclass(frozen=True, slots=True)
class Interest:
    """What a stream tells: notices of these kinds, about the games of a tenant."""

    tenant: str
    kinds: frozenset[str]
    seats: Seats | None = None
    """With a ticket: only games with these seats, and decisions of these seats."""
    private: bool = False
    """Without a ticket: whether games are told that spectators see with a delay or not at all."""

    def wants(self, notice: Mapping[str, Any]) -> bool:
        """Return whether a notice is told, if the tokens of its seats are still valid."""
        if notice["kind"] not in self.kinds:
            return False
        if self.seats is None:
            return self.private or not notice.get("private")
        own = self.seats.get(notice["game"])
        return own is not None and (notice["kind"] not in DECISIONS or notice["seat"] in own)

    def allows(self, game: str, tokens: Sequence[str]) -> bool:
        """Return whether one of the tokens with which seats of a game were proved is still valid."""
        own = self.seats.get(game, {}) if self.seats is not None else {}
        return any(seat < len(tokens) and tokens[seat] == token for seat, token in own.items())


class NoticeWatcher(Watcher):
    """An open stream of notices."""

    def __init__(self, context: grpc.ServicerContext, sender: Sender, interest: Interest) -> None:
        super().__init__(context, sender, None)
        self.interest = interest
        self.start: Place = place_order(FIRST)
        """The place after which the queue begins. Earlier notices come by other means."""
        self.last_sent = 0.0
        """When something was last queued, on the clock of `time.monotonic`."""

    def _shorten(self) -> bool:
        self._queue = deque(without_closed_decisions(self._queue))
        return len(self._queue) <= limits.WATCHER_QUEUE

    def _resume(self, after: str, because: str) -> AnyMessage:
        return NoticeMessage(resume=events_pb2.Resume(after=after, because=because), id=after)


def encoded_notice(place: str, notice: Mapping[str, Any]) -> EncodedMessage:
    """Return a notice as a message of the stream."""
    return encoded(NoticeMessage(notice=notice_to(notice), id=place))._replace(about=(notice["game"], notice["kind"]))


def encoded(message: NoticeMessage) -> EncodedMessage:
    """Return a message of the stream, encoded."""
    return EncodedMessage(message.SerializeToString(), message.id)


def without_closed_decisions(messages: Iterable[EncodedMessage]) -> list[EncodedMessage]:
    """Return the messages without notices of decisions that a later one of them shows to be closed."""
    closed: set[str] = set()
    kept = []
    for message in reversed(list(messages)):
        game, kind = message.about
        if kind in DECISIONS and game in closed:
            continue
        if kind in CLOSING:
            closed.add(game)
        kept.append(message)
    return kept[::-1]
