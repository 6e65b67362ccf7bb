"""WatchNotices and CreateNoticeTicket: one stream about many games.

Who is told what:

    an API key with the scope `notices`     every game of its tenant
    an API key with the scope `bots` alone  decisions of bots in games of its tenant
    a ticket                                the games of its seats, and the decisions of those seats
    a server without keys, no ticket        every game that spectators may follow without a delay

A ticket is made from the tokens of seats. A player's client or a bot with a hundred games needs one stream.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import islice

import grpc

from alhambra_api.v1 import webhooks_pb2

from .. import limits
from ..auth.access import Access, Caller, token_invalid
from ..auth.api_keys import NOTICES_SCOPE
from ..auth.credentials import digest, matching_index
from ..auth.notice_tickets import NoticeTicket, NoticeTickets
from ..games.game_commands import GameCommands
from ..messages.field_checks import LimitedField, check_game
from ..messages.notices import kind_from
from ..messages.refusals import Refusal
from ..messages.translate import timestamp
from ..notices.feed import FIRST
from ..notices.game_notices import BOT_DECISION_OPENED, USUAL_KINDS, kinds_allowed
from ..store import DamagedGame, GameNotFound, WrittenElsewhere
from .followed_feed import FollowedFeed
from .notice_watcher import Interest, NoticeMessage, NoticeWatcher, encoded
from .open_streams import OpenStreams
from .running_stream import Messages
from .watcher import MORE, STOPPING, EncodedMessage

BOTS_SCOPE = "bots"
AFTER = LimitedField(
    webhooks_pb2.WatchNoticesRequest, "after", 'The id of a message is two numbers with a hyphen, "1700000000000-0".'
)
KINDS = LimitedField(webhooks_pb2.WatchNoticesRequest, "kinds")
PAGE_SIZE = LimitedField(webhooks_pb2.WatchNoticesRequest, "page_size")
SEATS = LimitedField(
    webhooks_pb2.CreateNoticeTicketRequest, "seats", "A ticket is made for {min_items} to {max_items} seats."
)
TOKEN = LimitedField(webhooks_pb2.SeatToken, "token", "A token has at most {max_length} characters.")


class NoticeStreams:
    """The streams of notices of one process."""

    def __init__(self, commands: GameCommands, access: Access, streams: OpenStreams) -> None:
        self._commands = commands
        self._access = access
        self._streams = streams
        self._tickets = NoticeTickets(commands.store.client, commands.store.now)
        self.WatchNotices = streams.threads.runs(self._watch, "opening-notices")

    # -- Tickets ---------------------------------------------------------------------------------------------------

    def CreateNoticeTicket(  # noqa: N802
        self, request: webhooks_pb2.CreateNoticeTicketRequest, context: grpc.ServicerContext
    ) -> webhooks_pb2.CreateNoticeTicketResponse:
        """Answer with a ticket for one stream about the games of some seats."""
        SEATS.check(request.seats)
        tenants: set[str] = set()
        seats: dict[str, dict[int, str]] = {}
        refused: list[str] = []
        for sent in request.seats:
            check_game(sent.game)
            TOKEN.check(sent.token)
            found = self._proved(sent.game, sent.token)
            if found is None:
                refused.append(sent.game)
                continue
            tenant, seat = found
            tenants.add(tenant)
            seats.setdefault(sent.game, {})[seat] = digest(sent.token)
        if not seats:
            raise token_invalid()
        if len(tenants) > 1:
            raise Refusal.malformed("seats", "The games of one ticket belong to one tenant.")
        secret, expires = self._tickets.issue(NoticeTicket(tenants.pop(), seats))
        return webhooks_pb2.CreateNoticeTicketResponse(
            ticket=secret, expire_time=timestamp(int(1000 * expires)), refused_games=dict.fromkeys(refused)
        )

    def _proved(self, game: str, token: str) -> tuple[str, int] | None:
        """Return the tenant of a game and the seat whose token this is; None if it is not valid."""
        for fresh in (False, True):  # another process may have issued the token a moment ago
            try:
                loaded = self._commands.store.load(game, fresh=fresh)
            except (GameNotFound, DamagedGame, WrittenElsewhere):
                return None
            seat = matching_index(digest(token), loaded.tokens) if token else None
            if seat is not None:
                return loaded.stored.tenant, seat
        return None

    # -- Streams ---------------------------------------------------------------------------------------------------

    def _watch(self, request: webhooks_pb2.WatchNoticesRequest, context: grpc.ServicerContext) -> Messages:
        """Generate the messages of a stream. Runs in the threads of streams."""
        AFTER.check(request.after)
        PAGE_SIZE.check(request.page_size)
        kinds = _kinds(request)
        caller = self._access.caller(context)
        with ExitStack() as until_the_end:
            enter = until_the_end.enter_context
            enter(self._streams.admitted(caller.address))
            interest = self._interest(request, caller, kinds)
            if interest.seats is None:
                who = f"notices of {caller.tenant}/{caller.name}"
                enter(self._streams.counted(who, limits.NOTICE_STREAMS_PER_HOST))
            for game, proved in (interest.seats or {}).items():
                for seat in proved:
                    enter(self._streams.counted(f"seat {seat} of {game}", limits.WATCHERS_PER_SEAT))
            watcher = NoticeWatcher(context, self._streams.threads.sender_of(context), interest)
            enter(self._streams.registered(watcher))
            follow = partial(FollowedFeed, interest.tenant, self._commands)
            following = enter(self._streams.followed(("notices", interest.tenant), follow))
            if request.past_only:
                page = request.page_size or PAGE_SIZE.limits.maximum
                yield from self._past_only(following, watcher, request.after, page)
            else:
                yield from self._live(following, watcher, request.after)

    def _live(self, following: FollowedFeed, watcher: NoticeWatcher, after: str) -> Messages:
        """Generate the notices that were missed, then new ones."""
        last, missed = following.join(watcher, after)
        try:
            if self._streams.stopping.is_set():
                watcher.end(STOPPING)

            def opening() -> Iterator[EncodedMessage]:
                yield encoded(NoticeMessage(opened=webhooks_pb2.NoticesOpened(missed=missed), id=after or last))
                if after:
                    yield from following.past(watcher.interest, after, last)

            yield from watcher.messages(opening, after or last)
        finally:
            following.leave(watcher)

    def _past_only(self, following: FollowedFeed, watcher: NoticeWatcher, after: str, page: int) -> Messages:
        """Generate a page of notices that have come about, then what to send as `after` for the next page."""
        last, missed = following.join(watcher, after, stay=False)

        def opening() -> Iterator[EncodedMessage]:
            yield encoded(NoticeMessage(opened=webhooks_pb2.NoticesOpened(missed=missed), id=after or FIRST))
            past = following.past(watcher.interest, after or FIRST, last)
            yield from islice(past, page)
            if next(past, None) is None:
                yield encoded(NoticeMessage(keep_alive=webhooks_pb2.NoticesKeepAlive(), id=last))
                watcher.end()
            else:
                watcher.end(MORE)

        yield from watcher.messages(opening, after or FIRST)

    def _interest(self, request: webhooks_pb2.WatchNoticesRequest, caller: Caller, kinds: frozenset[str]) -> Interest:
        """Return what the stream tells. Refuses callers that may not open it."""
        if request.ticket:
            found = self._tickets.redeem(request.ticket)
            if found is None:
                raise token_invalid()
            return Interest(found.tenant, kinds or frozenset(USUAL_KINDS), found.seats)
        bots = frozenset({BOT_DECISION_OPENED})
        if caller.may(BOTS_SCOPE) and not caller.may(NOTICES_SCOPE) and (kinds or bots) == bots:
            return Interest(caller.tenant or "", bots, private=True)
        caller.require(NOTICES_SCOPE)
        return Interest(caller.tenant or "", kinds or frozenset(USUAL_KINDS), private=bool(caller.name))


def _kinds(request: webhooks_pb2.WatchNoticesRequest) -> frozenset[str]:
    """Return the words of the kinds that are asked for; none for the usual ones."""
    KINDS.check(request.kinds)
    words = frozenset(map(kind_from, request.kinds))
    if not kinds_allowed() >= words:
        raise Refusal.malformed("kinds", "There is no such kind of notices, or it cannot be chosen.")
    return words
