"""WatchEvents and CreateEventTicket: streams of events within limits, without delaying unary calls.

The rest is in five files: `open_streams.py` has the limits of all streams; `followed_game.py` finds new events of a
game, once for all its watchers; `watcher.py` is the queue and the stream of one watcher; `running_stream.py` runs a
stream without a thread of its own; `keep_alive.py` sends keep-alives to watchers of quiet games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice

import grpc

from alhambra_api.v1 import events_pb2

from .. import limits
from ..auth.access import Access, Caller
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
from .open_streams import OpenStreams
from .running_stream import Messages, Sender
from .watcher import MORE, STOPPING, WENT_BACK, EncodedMessage, Watcher

SPECTATORS = "spectators"
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
        self.open = OpenStreams(sender_of, count)
        """All streams of the process, those of notices included."""
        self.WatchEvents = self.open.threads.runs(self._watch_events, "opening")

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return self.open.streams

    # -- Handlers -------------------------------------------------------------------------------------------------

    def _watch_events(self, request: events_pb2.WatchEventsRequest, context: grpc.ServicerContext) -> Messages:
        return self.watch(request, context, self._access.caller(context))

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

    def watch(self, request: events_pb2.WatchEventsRequest, context: grpc.ServicerContext, caller: Caller) -> Messages:
        """Generate the messages of the stream that a request asks for. Runs in the threads of streams."""
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
            enter(self.open.admitted(caller.address))
            demanded = 0 if after is not None and after.digits else least
            viewer, token, delayed = self._viewer(request, caller, demanded)
            if viewer is not None:
                enter(self.open.counted(f"seat {viewer} of {request.game}", limits.WATCHERS_PER_SEAT))
            elif not anonymous:
                enter(self._spectating(request.game))
            language = asked_language(context)
            watcher = Watcher(
                context,
                self.open.threads.sender_of(context),
                viewer,
                token=token,
                language=language,
                snapshots=request.snapshots,
                include=Include.of(request.include),
                reactions=request.reactions,
            )
            enter(self.open.registered(watcher))
            follow = partial(self._follow, request.game, delayed)
            following = enter(self.open.followed((request.game, delayed), follow))
            if request.past_only:
                yield from self._past_only(following, watcher, after or BEGINNING, page, least)
            else:
                yield from self._live(following, watcher, after, request.after, least)

    def _live(
        self, following: FollowedGame, watcher: Watcher, after: EventId | None, last_event: str, least: int
    ) -> Messages:
        """Generate a snapshot, the events that were missed, then new events."""
        loaded, snapshot = _joined(following, watcher, after, least)
        try:
            if self.open.stopping.is_set():
                watcher.end(STOPPING)

            def opening() -> Iterator[EncodedMessage]:
                yield snapshot
                if after is not None:
                    yield from _past(following, loaded, watcher, after)

            yield from watcher.messages(opening, snapshot.last_event if after is None else last_event)
        finally:
            following.leave(watcher)

    def _past_only(self, following: FollowedGame, watcher: Watcher, after: EventId, page: int, least: int) -> Messages:
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
    def _spectating(self, game: str) -> Iterator[None]:
        """Count a stream without a seat. Its limits are lower, so that some streams are reserved for players."""
        with (
            self.open.counted(SPECTATORS, limits.WATCHERS_SPECTATING),
            self.open.counted(f"game {game}", limits.WATCHERS_PER_GAME),
        ):
            yield

    def _follow(self, game: str, delayed: bool) -> FollowedGame:
        """Begin to follow a game. All its streams share this; delayed streams share another one, which never gets
        anything newer."""
        load = partial(load_delayed, self._commands) if delayed else None
        following = FollowedGame(game, self._commands, load)
        watches = ExitStack()
        watches.callback(self._commands.store.watch(game, partial(self.open.check, following)))
        if not delayed:
            heard = partial(self.open.submit, following, following.reaction_reported, following.send_reactions)
            watches.callback(self._commands.store.cache.watch_reactions(game, heard))
        following.forget = watches.close
        return following

    # -- Stopping ---------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Tell every watcher to resume elsewhere, and wait until they have read it."""
        self.open.stop()

    def close(self) -> None:
        """End the threads, after the server has stopped."""
        self.open.close()


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
