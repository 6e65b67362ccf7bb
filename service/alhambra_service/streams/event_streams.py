"""WatchEvents and CreateEventTicket: streams of events within limits, without delaying unary calls.

A stream has a thread of its own, from a pool of its own, so that plain calls always find theirs free. The thread sends
how the stream begins and how it ends, and sleeps in between: news are sent by the thread that finds them, without
waiting (`watcher.py`). Streams that begin or end take turns (`send_turns.py`), because plain calls feel how many
threads are awake at once.

The rest is in four files: `followed_game.py` finds new events of a game, once for all its watchers; `watcher.py` is
the queue and the stream of one watcher; `send_turns.py` chooses the stream that is written to next; `keep_alive.py`
sends keep-alives to watchers of quiet games.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from ipaddress import ip_address
from itertools import islice
from typing import Any

import grpc

from alhambra_api.v1 import events_pb2

from .. import limits
from ..auth.access import Access, Caller
from ..auth.rates import network_of
from ..current_call import asked_language
from ..games.table import Table
from ..games.tables import Tables
from ..games.viewers import Viewers, is_delayed, load_delayed, unseated, visible
from ..messages.arguments import LimitedField, check_game, check_version
from ..messages.event_ids import EventId
from ..messages.refusals import Refusal, from_error
from ..messages.translate import timestamp
from ..metrics import WATCHERS
from ..store import VersionAhead, WentBack
from .followed_game import FollowedGame
from .keep_alive import KeepAlive
from .send_turns import Turns
from .watcher import MORE, STOPPING, WENT_BACK, Message, Sender, Sent, Watcher

_log = logging.getLogger(__name__)

EVERYBODY, SPECTATORS = "everybody", "spectators"
BEGINNING = EventId(0, -1)
"""The position before the first event."""
AFTER = LimitedField(
    events_pb2.WatchEventsRequest, "after", 'The id of an event is two numbers and digits of a link, "17.2.9f3c1a".'
)
PAGE_SIZE = LimitedField(events_pb2.WatchEventsRequest, "page_size")


class EventStreams:
    """The streams of one process. `stop` it before the server stops, `close` it afterwards."""

    def __init__(
        self,
        tables: Tables,
        access: Access,
        *,
        sender_of: Callable[[grpc.ServicerContext], Sender],
        count: Callable[[float], None] = WATCHERS.inc,
    ) -> None:
        self._tables = tables
        self._access = access
        self._viewers = Viewers(tables, access)
        self._count = count
        """Told of each stream that begins (1) and ends (-1)."""
        self._sender_of = sender_of
        """Makes what sends messages of a stream without its thread."""
        self._turns = Turns()
        self._lock = threading.Condition()
        self._open: Counter[str] = Counter()
        """By who watches, and of everybody together: how many streams are open."""
        self._followings: dict[tuple[str, bool], FollowedGame] = {}
        """By game, and whether it is followed with the delay of its spectators."""
        self._watchers: set[Watcher] = set()
        self._stopping = threading.Event()
        self._threads = ThreadPoolExecutor(limits.WATCHERS + limits.WATCHERS_TURNED_AWAY, thread_name_prefix="watching")
        self._tellers = ThreadPoolExecutor(limits.TELLERS, thread_name_prefix="telling")
        self._keep_alive = KeepAlive(self._stopping, self._followed_games, lambda: list(self._watchers), self._beat)
        self.WatchEvents = self._handler()

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return self._open[EVERYBODY]

    # -- The calls -------------------------------------------------------------------------------------------------

    def _handler(self) -> Callable[..., Iterator[Sent]]:
        """The handler of WatchEvents: a function that says which threads it runs in."""

        def watch_events(request: events_pb2.WatchEventsRequest, context: grpc.ServicerContext) -> Iterator[Sent]:
            return self.watch(request, context, self._access.caller(context))

        marked: Any = watch_events
        marked.experimental_thread_pool = self._threads
        return watch_events

    def CreateEventTicket(  # noqa: N802
        self, request: events_pb2.CreateEventTicketRequest, context: grpc.ServicerContext
    ) -> events_pb2.CreateEventTicketResponse:
        """Answer with a ticket for one stream."""
        return self.ticket(request, self._access.caller(context))

    def ticket(
        self, request: events_pb2.CreateEventTicketRequest, caller: Caller
    ) -> events_pb2.CreateEventTicketResponse:
        """The right of the caller's token, or a spectator's, to open one stream."""
        self._viewers.look(caller, request.game)
        secret, expires = self._access.give_ticket(caller, request.game)
        return events_pb2.CreateEventTicketResponse(ticket=secret, expire_time=timestamp(int(1000 * expires)))

    def watch(
        self, request: events_pb2.WatchEventsRequest, context: grpc.ServicerContext, caller: Caller
    ) -> Iterator[Sent]:
        """The stream that a request asks for, read by its own thread."""
        check_game(request.game)
        after = _after(request)
        page = _page(request)
        least = 0 if after is None else max(0, after.version - (after.place < 0))
        with ExitStack() as until_the_end:
            enter = until_the_end.enter_context
            anonymous = not request.ticket and not caller.bearer
            if anonymous:  # refused before the game is loaded
                enter(self._spectating(request.game))
            enter(self._counted(EVERYBODY, limits.WATCHERS))
            if not _is_this_machine(caller.address):
                enter(self._counted(f"address {network_of(caller.address)}", limits.WATCHERS_PER_ADDRESS))
            demanded = 0 if after is not None and after.digits else least
            viewer, token, delayed = self._viewer(request, caller, demanded)
            if viewer is not None:
                enter(self._counted(f"seat {viewer} of {request.game}", limits.WATCHERS_PER_SEAT))
            elif not anonymous:
                enter(self._spectating(request.game))
            language = asked_language(context)
            watcher = Watcher(
                context,
                self._sender_of(context),
                self._turns,
                viewer,
                token=token,
                language=language,
                snapshots=request.snapshots,
            )
            if not context.add_callback(watcher.close):
                return  # the caller has disconnected already
            enter(self._looked_over(watcher))
            following = enter(self._followed(request.game, delayed))
            if request.past_only:
                yield from self._past_only(following, watcher, after or BEGINNING, page, least)
            else:
                yield from self._live(following, watcher, after, request.after, least)

    def _live(
        self, following: FollowedGame, watcher: Watcher, after: EventId | None, told: str, least: int
    ) -> Iterator[Sent]:
        """A snapshot, what was missed, then whatever happens."""
        table, snapshot = _joined(following, watcher, after, least)
        try:
            if self._stopping.is_set():
                watcher.end(STOPPING)

            def opening() -> Iterator[Message]:
                yield snapshot
                if after is not None:
                    yield from _past(following, table, watcher, after)

            yield from watcher.messages(opening, snapshot.snapshot.last_event if after is None else told)
        finally:
            following.leave(watcher)

    def _past_only(
        self, following: FollowedGame, watcher: Watcher, after: EventId, page: int, least: int
    ) -> Iterator[Sent]:
        """A snapshot and a page of the past."""
        table, snapshot = _joined(following, watcher, after, least, stay=False)

        def opening() -> Iterator[Message]:
            yield snapshot
            past = _past(following, table, watcher, after)
            yield from islice(past, page)
            watcher.end(MORE if any(True for _ in past) else "")

        yield from watcher.messages(opening, "")

    # -- Who watches -----------------------------------------------------------------------------------------------

    def _viewer(
        self, request: events_pb2.WatchEventsRequest, caller: Caller, least: int
    ) -> tuple[int | None, str, bool]:
        """The seat that watches, with the digest of its token, or None for a spectator; and whether it watches with a
        delay."""
        if request.ticket:
            table = self._tables.load(request.game, fresh=True)
            try:
                seat = self._access.take_ticket(request.ticket, request.game, table.tokens)
            except Refusal as refused:
                raise unseated(table.seats_only) if refused.reason == "TOKEN_INVALID" else refused from None
            if seat is None:
                table = visible(self._tables, request.game, table, caller)
        else:
            table, seat = self._viewers.look(caller, request.game, least)
        if seat is None:
            return None, "", is_delayed(table, caller)
        return seat, table.tokens[seat], False

    @contextmanager
    def _counted(self, who: str, most: int) -> Iterator[None]:
        """Count a stream while the block runs. Raises Refusal if there are too many."""
        with self._lock:
            if self._open[who] >= most:
                message = f"Only {most} streams can be open at once: close one, or try another server."
                raise Refusal("WATCHERS_EXCEEDED", message, {"limit": most})
            self._open[who] += 1
        if who == EVERYBODY:
            self._count(1)
        try:
            yield
        finally:
            with self._lock:
                self._open[who] -= 1
                if not self._open[who]:
                    del self._open[who]
                self._lock.notify_all()
            if who == EVERYBODY:
                self._count(-1)

    @contextmanager
    def _spectating(self, game: str) -> Iterator[None]:
        """Count a stream without a seat. Their limit is lower, so that players always find room."""
        with (
            self._counted(SPECTATORS, limits.WATCHERS_SPECTATING),
            self._counted(f"game {game}", limits.WATCHERS_PER_GAME),
        ):
            yield

    @contextmanager
    def _looked_over(self, watcher: Watcher) -> Iterator[None]:
        """Register a watcher, so that it is disconnected if it gets stuck, and told to resume when its stream is
        old."""
        self._watchers.add(watcher)
        try:
            yield
        finally:
            self._watchers.discard(watcher)

    # -- What is watched -------------------------------------------------------------------------------------------

    @contextmanager
    def _followed(self, game: str, delayed: bool) -> Iterator[FollowedGame]:
        """The game, followed as long as anybody needs it. Those who see it with a delay have one of their own, which
        nothing newer ever reaches."""
        key = game, delayed
        with self._lock:
            following = self._followings.get(key)
            if following is None:
                load = partial(load_delayed, self._tables) if delayed else None
                following = self._followings[key] = FollowedGame(game, self._tables, load)
                following.forget = self._tables.store.watch(game, partial(self._wake, following))
            following.users += 1
        try:
            yield following
        finally:
            with self._lock:
                following.users -= 1
                if not following.users:
                    del self._followings[key]
                    following.forget()

    def _wake(self, following: FollowedGame) -> None:
        """Let a teller look for new events of the game. Does not wait."""
        self._soon(following, following.woken, following.look)

    def _beat(self, following: FollowedGame) -> None:
        """Let a teller compare a game with the store, because it was quiet for a while or a decision is due."""
        self._soon(following, following.due_asked, following.beat)

    def _followed_games(self) -> list[FollowedGame]:
        with self._lock:
            return list(self._followings.values())

    def _soon(self, following: FollowedGame, asked: threading.Lock, look: Callable[[], None]) -> None:
        """Ask a teller to look at the game, unless one was asked already."""
        if not asked.acquire(blocking=False):
            return

        def task() -> None:
            asked.release()
            try:
                look()
            except Exception:
                _log.exception("A game that is watched could not be looked at.")
                following.end("", Refusal("INTERNAL_ERROR", "Internal error. Nothing was changed."))

        with suppress(RuntimeError):  # closed already
            self._tellers.submit(task)

    # -- The end ---------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Tell every watcher to resume elsewhere, and wait a moment until they have read it."""
        self._stopping.set()
        for following in self._followed_games():
            following.end(STOPPING)
        with self._lock:
            self._lock.wait_for(lambda: not self._open[EVERYBODY], limits.WATCHING_STOP_SECONDS)

    def close(self) -> None:
        """End the threads, after the server has stopped."""
        self._stopping.set()
        self._keep_alive.join()
        self._turns.close()
        self._tellers.shutdown(cancel_futures=True)
        self._threads.shutdown()


# -- Watchers that resume ----------------------------------------------------------------------------------------------


def _joined(
    following: FollowedGame, watcher: Watcher, after: EventId | None, least: int, *, stay: bool = True
) -> tuple[Table, Message]:
    """Add a watcher to a game. A watcher that demands a later version than the game has is refused. If it resumes after
    an id with digits it is let in instead, and `_past` tells it that the event was taken back."""
    try:
        return following.join(watcher, least, stay=stay)
    except VersionAhead:
        if after is None or not after.digits:
            raise
        return following.join(watcher, 0, stay=stay)


def _past(following: FollowedGame, table: Table, watcher: Watcher, after: EventId) -> Iterator[Message]:
    """Generate what happened after an event. If the store has lost that event, the stream ends and says so."""
    try:
        yield from following.past(table, watcher, after)
    except WentBack as lost:
        watcher.end(WENT_BACK, from_error(lost))


# -- Reading requests --------------------------------------------------------------------------------------------------


def _after(request: events_pb2.WatchEventsRequest) -> EventId | None:
    """Return the position after which events are wanted; None for new events only."""
    if request.after and request.HasField("from_version"):
        raise Refusal.malformed("from_version", "Either `after` or `from_version`, not both.")
    if request.HasField("from_version"):
        check_version(request.from_version, "from_version")
        return EventId(request.from_version, -1)
    if not request.after:
        return None
    AFTER.check(request.after)
    return EventId.read(request.after)


def _page(request: events_pb2.WatchEventsRequest) -> int:
    PAGE_SIZE.check(request.page_size)
    return request.page_size or PAGE_SIZE.limits.maximum


def _is_this_machine(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return True
