"""GameService: each handler checks its request and its caller, calls another package, and makes the answer.

The handlers for placements and pictures are in `game_boards.py`. No rule is decided here. Views and events contain what
the seat of the caller's token may see, or what a spectator may see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import grpc
from google.api import httpbody_pb2

from alhambra import IllegalMove, Violation
from alhambra_api.v1 import games_pb2, moves_pb2, service_pb2_grpc

from ... import limits
from ...auth.access import Access, Caller, token_invalid
from ...auth.api_keys import SEED_SCOPE, TAKE_OVER_SCOPE
from ...auth.audit_log import GAME_EXPORTED
from ...auth.credentials import matching_index
from ...current_call import asked_language, language_of, mark_replayed
from ...games import create_game, undo
from ...games.answers.game_answer import NOTHING, GameAnswer, Include, Viewer
from ...games.answers.move_pages import MovePage, encoded_page
from ...games.automatic.orders import ORDERS, order_from
from ...games.finished_games import FinishedGames
from ...games.game_commands import ChangeResult, GameCommands, running
from ...games.legal_moves import BRIEF, MoveFilter, verdict
from ...games.lists import tenant_games
from ...games.loaded_game import LoadedGame
from ...games.seats import claim_seat, leave_seat, resign
from ...games.visible_games import game_not_found, is_hidden
from ...messages.events import put_events
from ...messages.field_checks import LimitedField, check_game, check_include, check_move, check_request_id
from ...messages.refusals import Refusal
from ...messages.translate import move_from, verdict_to, view_to
from ...store import DamagedGame, Request, StoreError, WrittenElsewhere
from ...streams.event_streams import EventStreams
from ...streams.notice_streams import NoticeStreams
from ..wrappers import as_message
from .game_boards import GameBoards

CREATE_SCOPE = "games.create"
MODES = frozenset(moves_pb2.Payments.values())
"""How payments can be listed."""
A = TypeVar(
    "A",
    moves_pb2.ApplyMoveResponse,
    games_pb2.UndoResponse,
    games_pb2.ResignResponse,
    games_pb2.SetOrdersResponse,
    games_pb2.LeaveSeatResponse,
)
"""An answer with version, view and events."""
ChangeRequest = (
    moves_pb2.ApplyMoveRequest
    | games_pb2.UndoRequest
    | games_pb2.ResignRequest
    | games_pb2.SetOrdersRequest
    | games_pb2.LeaveSeatRequest
)
LOG_TAIL = LimitedField(games_pb2.GetGameRequest, "log_tail")
MOVES_PAGE = LimitedField(moves_pb2.ListLegalMovesRequest, "page_size")
MOVE_FILTERS = [
    (field, LimitedField(moves_pb2.ListLegalMovesRequest, field, "A word has at most {max_length} characters."))
    for field in ("verb", "slot", "tile", "piece")
]
BOT_WORDS = LimitedField(games_pb2.LeaseBotDecisionRequest, "players")


class GameServicer(GameBoards, service_pb2_grpc.GameServiceServicer):
    """The handlers of GameService. Those for placements and pictures are in GameBoards."""

    def __init__(self, commands: GameCommands, access: Access, streams: EventStreams) -> None:
        super().__init__(commands, access)
        self._finished = FinishedGames(commands, access)
        self._exports = commands.exports
        self._streams = streams
        self._notices = NoticeStreams(commands, access, streams.open)

    @property
    def WatchEvents(self) -> Callable[..., Any]:  # noqa: N802
        """The handler of WatchEvents. It has the threads that it runs in as an attribute, so it is returned
        unchanged."""
        return self._streams.WatchEvents

    @property
    def CreateEventTicket(self) -> Callable[..., Any]:  # noqa: N802
        """The handler of CreateEventTicket."""
        return self._streams.CreateEventTicket

    @property
    def WatchNotices(self) -> Callable[..., Any]:  # noqa: N802
        """The handler of WatchNotices, with the threads that it runs in."""
        return self._notices.WatchNotices

    @property
    def CreateNoticeTicket(self) -> Callable[..., Any]:  # noqa: N802
        """The handler of CreateNoticeTicket."""
        return self._notices.CreateNoticeTicket

    # -- Creating, finding, deleting ---------------------------------------------------------------------------------

    def CreateGame(  # noqa: N802
        self, request: games_pb2.CreateGameRequest, context: grpc.ServicerContext
    ) -> games_pb2.CreateGameResponse:
        """Create a game, and answer with the keys of its seats."""
        caller = self._access.caller(context)
        caller.require(CREATE_SCOPE)
        if request.seed:
            caller.require(SEED_SCOPE)
        check_request_id(request.request_id)
        made = create_game.create(self._commands, request, caller.tenant or "", caller.name, caller.quota)
        if made.repeated:
            mark_replayed(context)
        return games_pb2.CreateGameResponse(
            game=made.game,
            version=made.loaded.version,
            view=view_to(made.loaded, None, game_id=made.game, language=asked_language(context)),
            seat_keys=made.keys,
        )

    def ClaimSeat(  # noqa: N802
        self, request: games_pb2.ClaimSeatRequest, context: grpc.ServicerContext
    ) -> games_pb2.ClaimSeatResponse:
        """Exchange an invitation for the token of a seat, or replace a token."""
        check_game(request.game)
        check_request_id(request.request_id)
        caller = self._access.caller(context)

        def proves(loaded: LoadedGame, seat: int) -> bool:
            if caller.bearer:
                return matching_index(caller.token_digest, loaded.tokens) == seat
            if caller.tenant is None or caller.tenant != loaded.stored.tenant:
                return False
            caller.require(TAKE_OVER_SCOPE)
            return True

        try:
            made = claim_seat.claim(self._commands, request, proves, caller.bearer, caller.name)
        except Refusal as refused:
            if refused.reason == "TOKEN_INVALID" and is_hidden(self._commands.load(request.game), caller):
                raise game_not_found() from None
            raise
        if made.repeated:
            mark_replayed(context)
        return games_pb2.ClaimSeatResponse(
            seat=made.seat,
            token=made.token,
            version=made.loaded.version,
            view=view_to(made.loaded, made.seat, game_id=request.game, language=asked_language(context)),
        )

    def RevealEntropy(  # noqa: N802
        self, request: games_pb2.RevealEntropyRequest, context: grpc.ServicerContext
    ) -> games_pb2.RevealEntropyResponse:
        """Reveal what the seat contributes to the seed."""
        check_request_id(request.request_id)
        proof = self._games.prove_seat(self._access.caller(context), request.game)
        loaded = claim_seat.reveal(self._commands, request, proof, _request_of("RevealEntropy", request, proof.seat))
        return games_pb2.RevealEntropyResponse(
            version=loaded.version,
            view=view_to(loaded, proof.seat, game_id=request.game, language=asked_language(context)),
        )

    def GetGame(  # noqa: N802
        self, request: games_pb2.GetGameRequest, context: grpc.ServicerContext
    ) -> games_pb2.GetGameResponse:
        """Answer with the game as the caller sees it."""
        LOG_TAIL.check(request.log_tail)
        check_include(request.include)
        try:
            loaded, seat = self._games.find(self._access.caller(context), request.game, request.min_version)
        except (WrittenElsewhere, DamagedGame) as unreadable:
            return self._final_view(request, self._access.caller(context), unreadable)
        loaded = self._at(loaded, request)
        viewer = Viewer(seat, asked_language(context), Include.of(request.include))
        told = GameAnswer(self._commands.key, request.game, loaded, viewer)
        answer = games_pb2.GetGameResponse()
        if request.log_tail and loaded.game is not None:
            events, links = self._commands.replay.tail(request.game, loaded, request.log_tail)
            put_events(answer.log_tail, events, links, loaded, seat, viewer.language)
        found: games_pb2.GetGameResponse = as_message(told.added_to(answer, told.known(request.known_checksum)))
        return found

    def _final_view(
        self, request: games_pb2.GetGameRequest, caller: Caller, unreadable: StoreError
    ) -> games_pb2.GetGameResponse:
        """Return the last view of a finished game that these rules cannot read. Its earlier versions are not
        available."""
        stored, seat, kept = self._finished.find(caller, request.game, request.min_version, unreadable)
        if request.HasField("at_version") and request.at_version != stored.version:
            raise unreadable
        return games_pb2.GetGameResponse(view=kept.seen_by(seat))

    def ListGames(  # noqa: N802
        self, request: games_pb2.ListGamesRequest, context: grpc.ServicerContext
    ) -> games_pb2.ListGamesResponse:
        """List the games of the caller's tenant."""
        return tenant_games.list_games(self._commands, self._access.caller(context), request)

    def DeleteGame(  # noqa: N802
        self, request: games_pb2.DeleteGameRequest, context: grpc.ServicerContext
    ) -> games_pb2.DeleteGameResponse:
        """Delete a game of the caller's tenant."""
        check_game(request.game)
        tenant_games.delete(self._commands, request.game, self._access.caller(context))
        return games_pb2.DeleteGameResponse()

    def ListAuditEntries(  # noqa: N802
        self, request: games_pb2.ListAuditEntriesRequest, context: grpc.ServicerContext
    ) -> games_pb2.ListAuditEntriesResponse:
        """List what hosts did with the games of the caller's tenant."""
        return self._commands.audit.page(request, self._access.caller(context).tenant or "", self._commands.key)

    def LeaseBotDecision(  # noqa: N802
        self, request: games_pb2.LeaseBotDecisionRequest, context: grpc.ServicerContext
    ) -> games_pb2.LeaseBotDecisionResponse:
        """Lease a decision of a bot in a game of the caller's tenant."""
        BOT_WORDS.check(request.players)
        tenant = self._access.caller(context).tenant or ""
        found = self._commands.bots.lease(self._commands, tenant, request.players)
        return games_pb2.LeaseBotDecisionResponse(decision=found)

    # -- Moves -------------------------------------------------------------------------------------------------------

    def ListLegalMoves(  # noqa: N802
        self, request: moves_pb2.ListLegalMovesRequest, context: grpc.ServicerContext
    ) -> moves_pb2.ListLegalMovesResponse:
        """List the legal moves of the caller's seat."""
        MOVES_PAGE.check(request.page_size)
        for field, word in MOVE_FILTERS:
            word.check(getattr(request, field))
        mode = request.payments or BRIEF
        if mode not in MODES:
            raise Refusal.malformed("payments", "There is no such mode.")
        wanted = MoveFilter(request.verb, request.slot, request.tile, request.piece)
        size = request.page_size or limits.MOVES_PAGE_USUAL
        loaded, seat = self._games.find_seat(self._access.caller(context), request.game, request.min_version)
        page = MovePage(wanted, mode, size, request.page_token, language_of(context) if request.texts else "")
        answer: moves_pb2.ListLegalMovesResponse = as_message(
            encoded_page(self._commands.key, request.game, loaded, seat, page)
        )
        return answer

    def ApplyMove(  # noqa: N802
        self, request: moves_pb2.ApplyMoveRequest, context: grpc.ServicerContext
    ) -> moves_pb2.ApplyMoveResponse:
        """Make a move, or only judge it."""
        check_move(request)
        check_include(request.include)
        if request.validate_only:
            return self._dry_run(request, self._games.find_seat(self._access.caller(context), request.game)[1], context)
        proof = self._games.prove_seat(self._access.caller(context), request.game)
        move, asked = move_from(request.move), _request_of("ApplyMove", request, proof.seat)
        result = self._commands.apply(request.game, proof, move, request.version, asked, link=request.link)
        answer = moves_pb2.ApplyMoveResponse()
        return self._answer(answer, request, proof.seat, result, context, whole=request.whole_view)

    def _dry_run(
        self, request: moves_pb2.ApplyMoveRequest, seat: int, context: grpc.ServicerContext
    ) -> moves_pb2.ApplyMoveResponse:
        language = language_of(context)
        try:
            move = move_from(request.move)
        except IllegalMove as unreadable:
            loaded = self._commands.load(request.game, request.version)
            return moves_pb2.ApplyMoveResponse(
                version=loaded.version, verdict=verdict_to(unreadable.violations, None, language, loaded.names)
            )
        loaded, violations = self._commands.dry_run(request.game, seat, move, request.version, request.link)
        game = running(loaded)
        asked = game.decision is not None and game.decision.seat == seat
        payment = verdict(game, move) if asked and _well_formed(violations) else None
        judged = verdict_to(violations, payment, language, loaded.names)
        return moves_pb2.ApplyMoveResponse(version=loaded.version, verdict=judged)

    def Undo(  # noqa: N802
        self, request: games_pb2.UndoRequest, context: grpc.ServicerContext
    ) -> games_pb2.UndoResponse:
        """Take a move back, or answer the proposal of another seat to do so."""
        check_move(request)
        check_include(request.include)
        if request.HasField("seat") != request.HasField("consent"):
            raise Refusal.malformed("consent", "A proposal is answered by its seat and by consent, both together.")
        _loaded, seat = self._games.find_seat(self._access.caller(context), request.game)
        asked = _request_of("Undo", request, seat)
        if request.HasField("seat"):
            result = undo.answer_proposal(
                *(self._commands, request.game, seat, request.seat, request.consent, request.version, asked),
                link=request.link,
            )
        else:
            result = undo.take_back(self._commands, request.game, seat, request.version, asked, link=request.link)
        undone = any(event.kind == "undone" for event in result.events)
        return self._answer(games_pb2.UndoResponse(undone=undone), request, seat, result, context)

    def Resign(  # noqa: N802
        self, request: games_pb2.ResignRequest, context: grpc.ServicerContext
    ) -> games_pb2.ResignResponse:
        """Let the seat leave the game."""
        check_request_id(request.request_id)
        check_include(request.include)
        _loaded, seat = self._games.find_seat(self._access.caller(context), request.game)
        result = resign.resign(self._commands, request.game, seat, _request_of("Resign", request, seat))
        return self._answer(games_pb2.ResignResponse(), request, seat, result, context)

    def LeaveSeat(  # noqa: N802
        self, request: games_pb2.LeaveSeatRequest, context: grpc.ServicerContext
    ) -> games_pb2.LeaveSeatResponse:
        """Open a seat again, or let the server play it."""
        check_game(request.game)
        check_request_id(request.request_id)
        check_include(request.include)
        caller = self._access.caller(context)
        asked = leave_seat.request_of(request, caller.token_digest)
        try:
            proof = self._games.prove_seat(caller, request.game)
        except Refusal:  # a call that has revoked its own token may come again, because its answer was lost
            first = self._commands.first_outcome(request.game, asked)
            if first is None:
                raise
            return self._answer_to_spectator(request, first, context)
        result = leave_seat.leave(self._commands, request, proof, asked)
        if result.loaded.seats[proof.seat].token == proof.token:
            return self._answer(games_pb2.LeaveSeatResponse(), request, proof.seat, result, context)
        return self._answer_to_spectator(request, result, context)

    def _answer_to_spectator(
        self, request: games_pb2.LeaveSeatRequest, result: ChangeResult, context: grpc.ServicerContext
    ) -> games_pb2.LeaveSeatResponse:
        """Return the answer to a caller who has left a seat and is a spectator now. It has no view if spectators see
        nothing of the game, or if a repeated call of a delayed spectator would show newer moves too early."""
        loaded = result.loaded
        if loaded.seats_only or (result.repeated and loaded.spectator_delay):
            return games_pb2.LeaveSeatResponse(version=loaded.version)
        return self._answer(games_pb2.LeaveSeatResponse(), request, None, result, context)

    def CancelGame(  # noqa: N802
        self, request: games_pb2.CancelGameRequest, context: grpc.ServicerContext
    ) -> games_pb2.CancelGameResponse:
        """Remove a game that has not been dealt."""
        check_game(request.game)
        leave_seat.cancel(
            self._commands, request.game, self._games.prove_seat(self._access.caller(context), request.game)
        )
        return games_pb2.CancelGameResponse()

    def SetOrders(  # noqa: N802
        self, request: games_pb2.SetOrdersRequest, context: grpc.ServicerContext
    ) -> games_pb2.SetOrdersResponse:
        """Replace the standing orders of the seat."""
        check_request_id(request.request_id)
        check_include(request.include)
        _loaded, seat = self._games.find_seat(self._access.caller(context), request.game)
        given = [order_from(order) for order in request.orders[: ORDERS.limits.max_items + 1]]
        result = self._commands.set_orders(request.game, seat, given, _request_of("SetOrders", request, seat))
        return self._answer(games_pb2.SetOrdersResponse(), request, seat, result, context)

    def _answer(
        self,
        answer: A,
        request: ChangeRequest,
        seat: int | None,
        result: ChangeResult,
        context: grpc.ServicerContext,
        *,
        whole: bool = True,
    ) -> A:
        """Return an answer with version, view and events after a change, as the seat sees them, and with what the
        request asks for besides. The view is joined from encoded parts, so the answer is made as bytes."""
        language, loaded = asked_language(context), result.loaded
        if result.repeated:
            mark_replayed(context)
        answer.version = loaded.stored.version
        if result.events:
            put_events(answer.events, result.events, result.links, loaded, seat, language)
        viewer = Viewer(seat, language, Include.of(request.include) if request.include else NOTHING)
        told = GameAnswer(self._commands.key, request.game, loaded, viewer)
        known = told.known(request.known_checksum, result.before)
        found: A = as_message(told.added_to(answer, known, whole=whole))
        return found

    # -- Exports -----------------------------------------------------------------------------------------------------

    def ExportGame(  # noqa: N802
        self, request: games_pb2.ExportGameRequest, context: grpc.ServicerContext
    ) -> httpbody_pb2.HttpBody:
        """Answer with the export of a game."""
        try:
            caller = self._access.caller(context)
            loaded, seat = self._games.find(caller, request.game, request.min_version)
        except (WrittenElsewhere, DamagedGame) as unreadable:
            caller = self._access.caller(context)
            data = self._finished.export(caller, request.game, request.min_version, unreadable)
            return httpbody_pb2.HttpBody(content_type="application/json", data=data)
        if not running(loaded).over and seat is None and caller.tenant != loaded.stored.tenant:
            raise token_invalid()
        data = self._exports.document(request.game, loaded, seat)
        if not running(loaded).over and seat is None and caller.name:
            self._commands.audit.note(loaded.stored.tenant, caller.name, GAME_EXPORTED, request.game)
        return httpbody_pb2.HttpBody(content_type="application/json", data=data)


def _request_of(method: str, message: Any, seat: int) -> Request | None:
    """Return the request by which the store remembers a call: its id within game and seat, and its content. Return None
    if the call has no request id."""
    if not message.request_id:
        return None
    content = method.encode() + b"\0" + message.SerializeToString(deterministic=True)
    return Request.of(f"seat {seat}", message.request_id, content)


def _well_formed(violations: Sequence[Violation]) -> bool:
    """Return whether the payment of a move can be judged."""
    return not any(violation.code.startswith("NOUN_") or violation.code.startswith("VERB_") for violation in violations)
