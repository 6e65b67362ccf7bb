"""WatchEvents and CreateEventTicket: streams of events within limits, without delaying unary calls.

Each stream has its own thread, from a separate pool. The thread sends the first and the last messages of the stream and
sleeps in between: new events are sent by the thread that finds them, without waiting (`watcher.py`). Only a few streams
begin or end at the same time (`send_queue.py`), because many running threads would delay unary calls.

The rest is in four files: `followed_game.py` finds new events of a game, once for all its watchers; `watcher.py` is
the queue and the stream of one watcher; `send_queue.py` limits the streams that send at the same time; `keep_alive.py`
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
from ..games.answers.game_answer import Include
from ..games.game_commands import GameCommands
from ..games.loaded_game import LoadedGame
from ..games.visible_games import VisibleGames, is_delayed, load_delayed, unseated, visible
from ..messages.event_ids import EventId
from ..messages.field_checks import LimitedField, check_game, check_include, check_version
from ..messages.refusals import Refusal, from_error
from ..messages.translate import timestamp
from ..metrics import WATCHERS
from ..store import VersionAhead, WentBack
from .followed_game import FollowedGame
from .keep_alive import KeepAlive
from .send_queue import SendQueue
from .watcher import MORE, STOPPING, WENT_BACK, EncodedMessage, Sender, Sent, Watcher

_log = logging.getLogger(__name__)

ALL, SPECTATORS = "all", "spectators"
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
        commands: GameCommands,
        access: Access,
        *,
        sender_of: Callable[[grpc.ServicerContext], Sender],
        count: Callable[[float], None] = WATCHERS.inc,
    ) -> None:
        self._commands = commands
        self._access = access
        self._games = VisibleGames(commands, access)
        self._count = count
        """Called with 1 when a stream begins, and with -1 when it ends."""
        self._sender_of = sender_of
        """Returns the sender that sends messages of a stream without its thread."""
        self._send_queue = SendQueue()
        self._lock = threading.Condition()
        self._open: Counter[str] = Counter()
        """The number of open streams: of all watchers, of spectators, and by game, seat and address."""
        self._following: dict[tuple[str, bool], FollowedGame] = {}
        """The followed games, by id and by whether they are followed with the delay of their spectators."""
        self._watchers: set[Watcher] = set()
        self._stopping = threading.Event()
        self._threads = ThreadPoolExecutor(limits.WATCHERS + limits.WATCHERS_TURNED_AWAY, thread_name_prefix="watching")
        self._event_threads = ThreadPoolExecutor(limits.EVENT_THREADS, thread_name_prefix="events")
        self._keep_alive = KeepAlive(self._stopping, self._followed_games, lambda: list(self._watchers), self._compare)
        self.WatchEvents = self._handler()

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return self._open[ALL]

    # -- Handlers -------------------------------------------------------------------------------------------------

    def _handler(self) -> Callable[..., Iterator[Sent]]:
        """Return the handler of WatchEvents, with the threads that it runs in as an attribute."""

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
        """Return a ticket with which the caller's seat, or a spectator, can open one stream."""
        self._games.find(caller, request.game)
        secret, expires = self._access.issue_ticket(caller, request.game)
        return events_pb2.CreateEventTicketResponse(ticket=secret, expire_time=timestamp(int(1000 * expires)))

    def watch(
        self, request: events_pb2.WatchEventsRequest, context: grpc.ServicerContext, caller: Caller
    ) -> Iterator[Sent]:
        """Generate the messages of the stream that a request asks for. Runs in the thread of the stream."""
        check_game(request.game)
        check_include(request.include)
        after = _after(request)
        page = _page(request)
        least = 0 if after is None else max(0, after.version - (after.place < 0))
        with ExitStack() as until_the_end:
            enter = until_the_end.enter_context
            anonymous = not request.ticket and not caller.bearer
            if anonymous:  # refused before the game is loaded
                enter(self._spectating(request.game))
            enter(self._counted(ALL, limits.WATCHERS))
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
                self._send_queue,
                viewer,
                token=token,
                language=language,
                snapshots=request.snapshots,
                include=Include.of(request.include),
                reactions=request.reactions,
            )
            if not context.add_callback(watcher.close):
                return  # the caller has disconnected already
            enter(self._registered(watcher))
            following = enter(self._followed(request.game, delayed))
            if request.past_only:
                yield from self._past_only(following, watcher, after or BEGINNING, page, least)
            else:
                yield from self._live(following, watcher, after, request.after, least)

    def _live(
        self, following: FollowedGame, watcher: Watcher, after: EventId | None, last_event: str, least: int
    ) -> Iterator[Sent]:
        """Generate a snapshot, the events that were missed, then new events."""
        loaded, snapshot = _joined(following, watcher, after, least)
        try:
            if self._stopping.is_set():
                watcher.end(STOPPING)

            def opening() -> Iterator[EncodedMessage]:
                yield snapshot
                if after is not None:
                    yield from _past(following, loaded, watcher, after)

            yield from watcher.messages(opening, snapshot.last_event if after is None else last_event)
        finally:
            following.leave(watcher)

    def _past_only(
        self, following: FollowedGame, watcher: Watcher, after: EventId, page: int, least: int
    ) -> Iterator[Sent]:
        """Generate a snapshot and a page of past events."""
        loaded, snapshot = _joined(following, watcher, after, least, stay=False)

        def opening() -> Iterator[EncodedMessage]:
            yield snapshot
            past = _past(following, loaded, watcher, after)
            yield from islice(past, page)
            watcher.end(MORE if any(True for _ in past) else "")

        yield from watcher.messages(opening, "")

    # -- Watchers -----------------------------------------------------------------------------------------------

    def _viewer(
        self, request: events_pb2.WatchEventsRequest, caller: Caller, least: int
    ) -> tuple[int | None, str, bool]:
        """Return the seat that watches (None for a spectator), the digest of its token, and whether it watches with a
        delay."""
        if request.ticket:
            loaded = self._commands.load(request.game, fresh=True)
            try:
                seat = self._access.redeem_ticket(request.ticket, request.game, loaded.tokens)
            except Refusal as refused:
                raise unseated(loaded.seats_only) if refused.reason == "TOKEN_INVALID" else refused from None
            if seat is None:
                loaded = visible(self._commands, request.game, loaded, caller)
        else:
            loaded, seat = self._games.find(caller, request.game, least)
        if seat is None:
            return None, "", is_delayed(loaded, caller)
        return seat, loaded.tokens[seat], False

    @contextmanager
    def _counted(self, who: str, most: int) -> Iterator[None]:
        """Count a stream while the block runs. Raises Refusal if there are too many."""
        with self._lock:
            if self._open[who] >= most:
                message = f"Only {most} streams can be open at once: close one, or try another server."
                raise Refusal("WATCHERS_EXCEEDED", message, {"limit": most})
            self._open[who] += 1
        if who == ALL:
            self._count(1)
        try:
            yield
        finally:
            with self._lock:
                self._open[who] -= 1
                if not self._open[who]:
                    del self._open[who]
                self._lock.notify_all()
            if who == ALL:
                self._count(-1)

    @contextmanager
    def _spectating(self, game: str) -> Iterator[None]:
        """Count a stream without a seat. Its limits are lower, so that some streams are reserved for players."""
        with (
            self._counted(SPECTATORS, limits.WATCHERS_SPECTATING),
            self._counted(f"game {game}", limits.WATCHERS_PER_GAME),
        ):
            yield

    @contextmanager
    def _registered(self, watcher: Watcher) -> Iterator[None]:
        """Register a watcher while the block runs, so that it is disconnected if it is stuck, and told to resume when
        its stream is old."""
        self._watchers.add(watcher)
        try:
            yield
        finally:
            self._watchers.discard(watcher)

    # -- Followed games -------------------------------------------------------------------------------------------

    @contextmanager
    def _followed(self, game: str, delayed: bool) -> Iterator[FollowedGame]:
        """Follow a game while the block runs. All streams of a game share it; delayed streams share another one, which
        never gets anything newer."""
        key = game, delayed
        with self._lock:
            following = self._following.get(key)
            if following is None:
                load = partial(load_delayed, self._commands) if delayed else None
                following = self._following[key] = FollowedGame(game, self._commands, load)
                following.forget = self._commands.store.watch(game, partial(self._wake, following))
                if not delayed:
                    heard = partial(self._submit, following, following.reaction_reported, following.send_reactions)
                    following.forget_reactions = self._commands.store.cache.watch_reactions(game, heard)
            following.users += 1
        try:
            yield following
        finally:
            with self._lock:
                following.users -= 1
                if not following.users:
                    del self._following[key]
                    following.forget()
                    following.forget_reactions()

    def _wake(self, following: FollowedGame) -> None:
        """Check the game for new events in another thread. Does not wait."""
        self._submit(following, following.check_requested, following.check)

    def _compare(self, following: FollowedGame) -> None:
        """Compare the game with the store in another thread, because it was quiet for a while or a decision is due."""
        self._submit(following, following.compare_requested, following.compare)

    def _followed_games(self) -> list[FollowedGame]:
        with self._lock:
            return list(self._following.values())

    def _submit(self, following: FollowedGame, queued: threading.Lock, check: Callable[[], None]) -> None:
        """Submit a check of the game, unless one is queued already."""
        if not queued.acquire(blocking=False):
            return

        def task() -> None:
            queued.release()
            try:
                check()
            except Exception:
                _log.exception("Cannot check a watched game for new events.")
                following.end("", Refusal("INTERNAL_ERROR", "Internal error. Nothing was changed."))

        with suppress(RuntimeError):  # the threads have been stopped
            self._event_threads.submit(task)

    # -- Stopping ---------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Tell every watcher to resume elsewhere, and wait up to WATCHING_STOP_SECONDS until they have read it."""
        self._stopping.set()
        for following in self._followed_games():
            following.end(STOPPING)
        with self._lock:
            self._lock.wait_for(lambda: not self._open[ALL], limits.WATCHING_STOP_SECONDS)

    def close(self) -> None:
        """End the threads, after the server has stopped."""
        self._stopping.set()
        self._keep_alive.join()
        self._send_queue.close()
        self._event_threads.shutdown(cancel_futures=True)
        self._threads.shutdown()


# -- Watchers that resume ----------------------------------------------------------------------------------------------


def _joined(
    following: FollowedGame, watcher: Watcher, after: EventId | None, least: int, *, stay: bool = True
) -> tuple[LoadedGame, EncodedMessage]:
    """Add a watcher to a game. A watcher that demands a later version than the game has is refused, unless it resumes
    after an id with digits: then `_past` tells it that the event was lost."""
    try:
        return following.join(watcher, least, stay=stay)
    except VersionAhead:
        if after is None or not after.digits:
            raise
        return following.join(watcher, 0, stay=stay)


def _past(following: FollowedGame, loaded: LoadedGame, watcher: Watcher, after: EventId) -> Iterator[EncodedMessage]:
    """Generate the events after an event. If the store has lost that event, end the stream with the reason."""
    try:
        yield from following.past(loaded, watcher, after)
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
