"""The stream of notices about many games, and what to do when it ends."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from .calls import EVENT_STREAM, Call
from .contract import Notice, NoticeKind, NoticesOpened, WatchNoticesRequest
from .errors import AlhambraError, Refused, Unreachable
from .retries import Attempts, Retry
from .streams import EventParser


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class ToldNotice(Notice):
    """A notice, and where to go on after it."""

    after: str = ""
    """What `notices` takes as `after` to go on after this notice, when the program is started again."""


@dataclass(frozen=True, slots=True)
class NoticesMissed:
    """Notices are gone, because this client was away for too long. Read the games once; what follows is complete."""

    after: str = ""
    """What `notices` takes as `after` to go on from here."""


NoticeMessage: TypeAlias = ToldNotice | NoticesMissed
"""What a reader of notices is told."""


class NoticeWatch:
    """A reader of notices, over as many streams as it takes."""

    def __init__(self, api_key: str, retry: Retry, kinds: Sequence[NoticeKind], after: str, *, has_seats: bool) -> None:
        self.is_finished = False
        """Whether a new ticket is needed for the next stream."""
        self.is_closed = False
        self.ticket = ""
        """The ticket of the next stream, if it is about seats."""
        self._api_key, self._retry, self._kinds = api_key, retry, tuple(kinds)
        self._after, self._has_seats = after, has_seats
        self._parser = EventParser()
        self._attempts = Attempts(retry)
        self._is_alive = False

    def open(self) -> Call[Any]:
        """Return the call that opens the next stream."""
        self._parser = EventParser()
        self._is_alive, self.is_closed = False, False
        request = WatchNoticesRequest(after=self._after, kinds=self._kinds, ticket=self.ticket)
        return Call(request, "" if self._has_seats else self._api_key, EVENT_STREAM)

    def feed(self, chunk: bytes) -> Iterator[NoticeMessage]:
        """Yield what the reader is told by these bytes of the stream."""
        for message in self._parser.feed(chunk):
            self._is_alive = True
            self._after = message.id or self._after
            data = json.loads(message.data)
            if message.type == "opened" and NoticesOpened.from_json(data).missed:
                yield NoticesMissed(self._after)
            elif message.type == "notice":
                yield ToldNotice.from_json({**data, "after": self._after})
            elif message.type == "resume":
                self.is_closed = True

    def pause_after(self, failure: AlhambraError | None) -> float:
        """Return how many seconds to wait before the next stream is opened. Raises the failure if another stream is not
        worth it. A ticket that was refused is replaced: it expired on the way, or opened a stream that was lost."""
        self.is_finished = self._has_seats
        if self._has_seats and isinstance(failure, Refused) and failure.reason == "TOKEN_INVALID":
            failure = Unreachable(str(failure))
        if self._is_alive:
            self._attempts = Attempts(self._retry)
            return self._parser.retry_seconds
        return self._attempts.pause_after(failure or Unreachable("The stream ended before it had begun."))
