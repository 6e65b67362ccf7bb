"""The feed of one tenant, followed once for all streams of notices of this process.

The feed is read every NOTICES_POLL_SECONDS while it has watchers. Each notice is read and encoded once. The token of a
seat is compared with the stored game before its watcher is told anything about the game: it may have been replaced.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from alhambra_api.v1 import webhooks_pb2

from .. import limits
from ..games.game_commands import GameCommands
from ..messages.refusals import Refusal, from_error
from ..notices.feed import MARK, place_order
from ..notices.upkeep import FeedUpkeep
from ..store import DamagedGame, GameNotFound, StoreError, WrittenElsewhere
from .notice_watcher import Interest, NoticeMessage, NoticeWatcher, encoded, encoded_notice, without_closed_decisions
from .watcher import FELL_BEHIND, EncodedMessage


class FollowedFeed:
    """The notices of a tenant that has streams. Threads may share it."""

    def __init__(self, tenant: str, commands: GameCommands) -> None:
        self.tenant = tenant
        self.users = 0
        """The number of streams. `OpenStreams` counts them."""
        self.forget: Callable[[], None] = lambda: None
        self.check_requested, self.compare_requested = threading.Lock(), threading.Lock()
        self._commands = commands
        self._feed = commands.feed
        self._upkeep = FeedUpkeep(commands.feed, commands.store.client)
        self._watchers: set[NoticeWatcher] = set()
        self._lock = threading.Lock()
        self._place = ""
        """The last notice that was read; empty before the first watcher."""
        self._more = False
        """Whether the feed has notices that are not read yet."""
        self._last_read = self._last_answer = time.monotonic()
        self._kept_up = float("-inf")

    # -- Joining ---------------------------------------------------------------------------------------------------

    def join(self, watcher: NoticeWatcher, after: str, *, stay: bool = True) -> tuple[str, bool]:
        """Add a watcher that has everything up to `after`, or begins now if that is empty. Return the place up to which
        `past` tells, and whether notices are missing. The watcher gets what follows that place."""
        self._feed.want_for_a_while(self.tenant)
        with self._lock:
            if not self._place:
                self._place = self._feed.last(self.tenant)
            missed = bool(after) and not self._feed.reaches(self.tenant, after)
            self._read_all()
            watcher.start, watcher.last_sent = place_order(self._place), time.monotonic()
            if stay:
                self._watchers.add(watcher)
            return self._place, missed

    def leave(self, watcher: NoticeWatcher) -> None:
        """Remove a watcher."""
        with self._lock:
            self._watchers.discard(watcher)

    def past(self, interest: Interest, after: str, last: str) -> Iterator[EncodedMessage]:
        """Generate the notices after a place up to another one that the interest is about, page by page."""
        while place_order(after) < place_order(last):
            found = self._feed.after(self.tenant, after, limits.NOTICES_READ)
            if not found:
                return
            after = found[-1].place
            tokens: dict[str, bool] = {}
            messages = []
            for place, text in found:
                notice = json.loads(text)
                if place_order(place) <= place_order(last) and self._told(interest, notice, tokens):
                    messages.append(encoded_notice(place, notice))
            yield from without_closed_decisions(messages)

    # -- Reading ---------------------------------------------------------------------------------------------------

    @property
    def due(self) -> float:
        """When to read the feed, on the clock of `time.monotonic`."""
        return self._last_read + (0.0 if self._more else limits.NOTICES_POLL_SECONDS)

    def check(self) -> None:
        """Read the feed."""
        self.compare()

    def compare(self) -> None:
        """Send new notices, keep the feed complete, and send keep-alives. End the streams if the store could not be
        reached for STORE_LOST_SECONDS."""
        with self._lock:
            try:
                self._keep_up()
                self._read()
                self._last_answer = time.monotonic()
            except StoreError as fault:
                if time.monotonic() > self._last_answer + limits.STORE_LOST_SECONDS:
                    self._end("", from_error(fault))
            self._last_read = now = time.monotonic()
            message = encoded(NoticeMessage(keep_alive=webhooks_pb2.NoticesKeepAlive(), id=self._place))
            for watcher in self._watchers:
                if now >= watcher.last_sent + limits.STREAM_SILENCE_SECONDS:
                    watcher.last_sent = now
                    watcher.keep_alive(message)

    def _keep_up(self) -> None:
        now = time.monotonic()
        if now < self._kept_up + limits.NOTICES_UPKEEP_SECONDS:
            return
        self._kept_up = now
        self._feed.want_for_a_while(self.tenant)
        self._upkeep.relay_forgotten_in_turn(self.tenant)
        self._upkeep.announce_deadlines(self.tenant, self._commands.now())

    def _read_all(self) -> None:
        self._read()
        while self._more:
            self._read()

    def _read(self) -> None:
        """Read the next notices of the feed, and send each to the watchers that want it."""
        found = self._feed.after(self.tenant, self._place, limits.NOTICES_READ) if self._place else []
        self._more = len(found) == limits.NOTICES_READ
        if not found:
            return
        tokens: dict[str, bool] = {}
        queued: dict[NoticeWatcher, list[EncodedMessage]] = {}
        for place, text in found:
            if text == MARK and self._watchers:  # the store has lost that streams want the notices
                self._end(FELL_BEHIND, None)
                continue
            notice = json.loads(text)
            message: EncodedMessage | None = None
            for watcher in self._watchers:
                if place_order(place) > watcher.start and self._told(watcher.interest, notice, tokens):
                    message = message or encoded_notice(place, notice)
                    queued.setdefault(watcher, []).append(message)
        self._place = found[-1].place
        now = time.monotonic()
        for watcher, messages in queued.items():
            watcher.last_sent = now
            watcher.send(messages)

    def _told(self, interest: Interest, notice: dict[str, Any], tokens: dict[str, Any]) -> bool:
        """Return whether a notice is told. `tokens` keeps the tokens of the games that were looked at."""
        if not interest.wants(notice):
            return False
        if interest.seats is None:
            return True
        game = notice["game"]
        if game not in tokens:
            tokens[game] = self._tokens(game)
        return interest.allows(game, tokens[game])

    def _tokens(self, game: str) -> tuple[str, ...]:
        """Return the digests of the valid tokens of a game; none if it is gone or cannot be read."""
        try:
            return tuple(self._commands.store.load(game).tokens)
        except (GameNotFound, DamagedGame, WrittenElsewhere):
            return ()

    def end(self, because: str, status: Refusal | None = None) -> None:
        """End the streams of all watchers."""
        with self._lock:
            self._end(because, status)

    def _end(self, because: str, status: Refusal | None) -> None:
        for watcher in self._watchers:
            watcher.end(because, status)
