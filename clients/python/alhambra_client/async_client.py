"""The client for asyncio.

It sends calls, waits, and reads streams. The modules beside this one, which do no input or output, decide what is sent,
when a call is repeated, and what an answer means.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any, TypeVar

import httpx

from . import games
from .calls import Call, Procedure, all_pages, call
from .contract import (
    BatchValidatePlacementsRequest,
    Board,
    BoardRules,
    BoardScore,
    Component,
    CreateEventTicketRequest,
    CreateEventTicketResponse,
    CreateGameRequest,
    CreateNoticeTicketRequest,
    CreateWebhookRequest,
    CreateWebhookResponse,
    DeleteGameRequest,
    DeleteWebhookRequest,
    Delivery,
    DeliveryStatus,
    Event,
    ExportGameRequest,
    GameStatus,
    GameSummary,
    GetBoardPictureRequest,
    GetComponentPictureRequest,
    GetGameRequest,
    GetTablePictureRequest,
    GetWebhookRequest,
    LeaveSeatResponse,
    LegalMove,
    ListComponentsRequest,
    ListDeliveriesRequest,
    ListEditionsRequest,
    ListEditionsResponse,
    ListGamesRequest,
    ListLegalMovesRequest,
    ListLegalPlacementsRequest,
    ListModulesRequest,
    ListTilesRequest,
    ListVerbsRequest,
    ListVerbsResponse,
    ListViolationsRequest,
    ListViolationsResponse,
    ListWebhooksRequest,
    Module,
    Move,
    NoticeKind,
    Order,
    Payments,
    Placement,
    PlacementVerdict,
    ReplayDeliveriesRequest,
    ResignResponse,
    RotateWebhookSecretRequest,
    ScoreBoardRequest,
    SeatSetup,
    SeatToken,
    SetOrdersResponse,
    TestWebhookRequest,
    Theme,
    Tile,
    UndoResponse,
    UpdateWebhookRequest,
    ValidateBoardPlacementRequest,
    ValidateBoardPlacementResponse,
    ValidatePlacementRequest,
    ValidatePlacementResponse,
    Value,
    Verdict,
    View,
    Visibility,
    Webhook,
)
from .errors import AlhambraError
from .games import GameState, MoveList, Played, new_entropy
from .messages import Answer, Request
from .notices import NoticeMessage, NoticeWatch
from .retries import Attempts, Retry
from .streams import Message, Stream, Told_co, Watch
from .transport import ANSWER_SECONDS, TransportError, http_request, no_answer, refused, settings

T = TypeVar("T")


class AsyncClient:
    """A server. Use it as a context manager, or call `aclose` at the end."""

    def __init__(
        self,
        address: str,
        *,
        api_key: str = "",
        language: str = "",
        retry: Retry | None = None,
        seconds: float = ANSWER_SECONDS,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """`address` is the address of the gateway, `http://127.0.0.1:8080`.

        `api_key` is needed to create, list and delete games if the operator uses API keys. `language` chooses the
        language of texts, "de" for example. `retry` says for how long calls are repeated, and `seconds` how long one
        answer may take. `http` is a client of httpx with settings of your own (proxies, certificates); it needs the
        address as its `base_url`."""
        self.api_key = api_key
        self.retry = retry or Retry()
        self._http = http or httpx.AsyncClient(**settings(address, language, seconds))

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    # -- Calls ---------------------------------------------------------------------------------------------------------

    async def send(self, request: Request[Answer], token: str = "") -> Answer:
        """Send any request of the contract, as often as necessary, and return its answer.

        `token` is the token of a seat; without one, the API key is sent."""
        return await self._send(call(request, token or self.api_key))

    async def repeat(self, error: AlhambraError) -> Any:
        """Send the call of an error again and return its answer. A change that was made already is not made twice."""
        if error.call is None:
            raise ValueError("The error is not about a call.")
        return await self._send(error.call)

    async def run(self, procedure: Procedure[T]) -> T:
        """Carry out the steps of a procedure and return its result."""
        try:
            step = next(procedure)
            while True:
                try:
                    answer = await self._send(step)
                except AlhambraError as error:
                    step = procedure.throw(error)
                else:
                    step = procedure.send(answer)
        except StopIteration as done:
            result: T = done.value
            return result

    async def _send(self, step: Call[Answer]) -> Answer:
        attempts = Attempts(self.retry)
        while True:
            failure: AlhambraError | None
            try:
                response = await self._http.request(**http_request(step))
                failure = refused(step, response)
                if failure is None:
                    return step.read(response.content)
            except TransportError as error:
                failure = no_answer(step, error)
            await asyncio.sleep(attempts.pause_after(failure))

    async def _stream(self, watch: Stream[Told_co]) -> AsyncIterator[Told_co]:
        while not watch.is_finished:
            step = watch.open()
            failure: AlhambraError | None = None
            try:
                async with self._http.stream(**http_request(step)) as response:
                    if not response.is_success:
                        await response.aread()
                        failure = refused(step, response)
                    else:
                        async for chunk in response.aiter_bytes():
                            for message in watch.feed(chunk):
                                yield message
                            if watch.is_closed or watch.is_finished:
                                break
            except TransportError as error:
                failure = no_answer(step, error)
            if not watch.is_finished:
                await asyncio.sleep(watch.pause_after(failure))

    # -- Games ---------------------------------------------------------------------------------------------------------

    async def create_game(
        self,
        seats: Iterable[SeatSetup],
        *,
        modules: Sequence[str] = (),
        preset: str = "",
        edition: str = "",
        variants: Sequence[str] = (),
        options: Mapping[str, Value] | None = None,
        turn_limit: int = 0,
        turn_seconds: int = 0,
        seed: str = "",
        visibility: Visibility | None = None,
        spectator_delay: int = 0,
        open_to_anyone: bool = False,
        game_language: str = "",
        contribute: bool = True,
    ) -> AsyncNewGame:
        """Create a game.

        Seats with `claim=True` are played by this program; their games are in `seats` of the answer. The other seats of
        people have an invitation. With `open_to_anyone`, others find the game with `open_games` and join it without an
        invitation; `game_language` is the language of its players. `contribute` lets the seats of this program
        contribute to the shuffle."""
        request = CreateGameRequest(
            seats=tuple(seats),
            modules=tuple(modules),
            preset=preset,
            edition=edition,
            variants=tuple(variants),
            options=options or {},
            turn_limit=turn_limit,
            turn_seconds=turn_seconds,
            seed=seed,
            visibility=visibility,
            spectator_delay=spectator_delay,
            open=open_to_anyone,
            language=game_language,
        )
        made = await self.run(games.create_game(request, self.api_key, contribute))
        seated = {seat: AsyncGame(self, state) for seat, state in made.seats.items()}
        return AsyncNewGame(made.game, made.view, made.invitations, seated)

    async def join(
        self, game: str, invitation: str = "", *, name: str = "", contribute: bool = True, entropy: bytes = b""
    ) -> AsyncGame:
        """Exchange an invitation for its seat; without one, take the first open seat of a game that is open to anyone.

        The seat contributes random bytes to the shuffle: their hash is sent now, and the bytes themselves as soon as
        the game waits for them and is read or watched. Pass `entropy` if you want to store the bytes before they are
        used: a game whose seats do not all reveal their bytes is never dealt."""
        drawn = entropy or (new_entropy() if contribute else b"")
        return AsyncGame(self, await self.run(games.join_game(game, invitation, name, drawn)))

    def game(self, game: str, token: str = "", seat: int | None = None, entropy: str = "") -> AsyncGame:
        """Return a game that is known already, without calling the server. Without a token, it is a spectator's.

        `client.game(**game.credentials)` continues a seat in another process."""
        return AsyncGame(self, GameState(game, token or self.api_key, seat, bytes.fromhex(entropy)))

    async def list_games(self, status: GameStatus | None = None) -> AsyncIterator[GameSummary]:
        """Yield the games of the API key, the newest first."""
        request = ListGamesRequest(status=status)
        while True:
            page = await self.send(request)
            for found in page.games:
                yield found
            if not page.next_page_token:
                return
            request = replace(request, page_token=page.next_page_token)

    async def open_games(
        self, *, seat_count: int = 0, modules: Sequence[str] = (), language: str = ""
    ) -> AsyncIterator[GameSummary]:
        """Yield the games that are open to anyone and wait for players, the newest first.

        Only games with this number of seats, with all these modules, and in this language, if they are given."""
        request = ListGamesRequest(open=True, seat_count=seat_count, with_modules=tuple(modules), language=language)
        while True:
            page = await self.send(request)
            for found in page.games:
                yield found
            if not page.next_page_token:
                return
            request = replace(request, page_token=page.next_page_token)

    async def delete_game(self, game: str) -> None:
        """Remove a game for good. Deleting a game that is not there succeeds."""
        await self.send(DeleteGameRequest(game=game))

    # -- Webhooks ------------------------------------------------------------------------------------------------------

    async def create_webhook(
        self, address: str, *, kinds: Sequence[NoticeKind] = (), game: str = ""
    ) -> CreateWebhookResponse:
        """Register an address that is told what happens in the games of the API key, or in one game.

        The answer has the secret that signs the deliveries; it is not shown again."""
        return await self.send(CreateWebhookRequest(address=address, kinds=tuple(kinds), game=game))

    async def webhooks(self) -> tuple[Webhook, ...]:
        """Return all webhooks of the API key, the oldest first."""
        return (await self.send(ListWebhooksRequest())).webhooks

    async def webhook(self, webhook: str) -> Webhook:
        """Return one webhook, with how many deliveries wait and are parked."""
        return (await self.send(GetWebhookRequest(webhook=webhook))).webhook

    async def update_webhook(
        self, webhook: str, *, address: str = "", kinds: Sequence[NoticeKind] = (), disabled: bool | None = None
    ) -> Webhook:
        """Change a webhook. What is not given stays as it is."""
        request = UpdateWebhookRequest(webhook=webhook, address=address, kinds=tuple(kinds), disabled=disabled)
        return (await self.send(request)).webhook

    async def delete_webhook(self, webhook: str) -> None:
        """Remove a webhook with all its deliveries. Deleting one that is not there succeeds."""
        await self.send(DeleteWebhookRequest(webhook=webhook))

    async def rotate_webhook_secret(self, webhook: str) -> str:
        """Make a new secret and return it. The old one signs as well for a day."""
        return (await self.send(RotateWebhookSecretRequest(webhook=webhook))).secret

    async def test_webhook(self, webhook: str) -> str:
        """Send a test to a webhook, and return the id of its notice."""
        return (await self.send(TestWebhookRequest(webhook=webhook))).delivery

    async def deliveries(self, webhook: str, status: DeliveryStatus | None = None) -> tuple[Delivery, ...]:
        """Return the newest deliveries of a webhook: those that wait or are parked, and the last that were made."""
        pages = await self.run(all_pages(ListDeliveriesRequest(webhook=webhook, status=status), self.api_key))
        return tuple(one for page in pages for one in page.deliveries)

    async def replay_deliveries(self, webhook: str, delivery: str = "") -> int:
        """Deliver again what was given up, or one notice by its id. Return how many are delivered again."""
        return (await self.send(ReplayDeliveriesRequest(webhook=webhook, delivery=delivery))).replayed

    async def notices(
        self, *, kinds: Sequence[NoticeKind] = (), seats: Sequence[SeatToken] = (), after: str = ""
    ) -> AsyncIterator[NoticeMessage]:
        """Yield notices about all games of the API key, or of these seats: games that start and end, decisions to take,
        deadlines. Goes on after lost connections and restarts of the server, without end."""
        watch = NoticeWatch(self.api_key, self.retry, kinds, after, has_seats=bool(seats))
        while True:
            if seats:
                watch.ticket = (await self.send(CreateNoticeTicketRequest(seats=tuple(seats)))).ticket
            watch.is_finished = False
            async for message in self._stream(watch):
                yield message

    # -- The catalogue -------------------------------------------------------------------------------------------------

    async def modules(self) -> tuple[Module, ...]:
        """Return the modules that can be switched on."""
        return (await self.send(ListModulesRequest())).modules

    async def components(self, *, modules: Sequence[str] = (), kind: str = "") -> tuple[Component, ...]:
        """Return everything that has an id, with its name, what it does and its picture."""
        pages = await self.run(all_pages(ListComponentsRequest(modules=tuple(modules), kind=kind), self.api_key))
        return tuple(found for page in pages for found in page.components)

    async def component_picture(self, kind: str, component: str, *, theme: Theme | None = None) -> bytes:
        """Return a picture of a component, as SVG."""
        return await self.send(GetComponentPictureRequest(kind=kind, id=component, theme=theme))

    async def tiles(self, *, module: str = "", kind: str = "") -> tuple[Tile, ...]:
        """Return the tiles of the base game and of all modules."""
        pages = await self.run(all_pages(ListTilesRequest(module=module, kind=kind), self.api_key))
        return tuple(found for page in pages for found in page.tiles)

    async def editions(self) -> ListEditionsResponse:
        """Return the editions, options, presets, colours and server players that `create_game` knows."""
        return await self.send(ListEditionsRequest())

    async def verbs(self, *, modules: Sequence[str] = ()) -> ListVerbsResponse:
        """Return the verbs with their nouns, the decisions, and the words of events."""
        return await self.send(ListVerbsRequest(modules=tuple(modules)))

    async def violations(self) -> ListViolationsResponse:
        """Return every reason why something can be refused."""
        return await self.send(ListViolationsRequest())

    # -- Boards without a game -----------------------------------------------------------------------------------------

    async def validate_board_placement(
        self, board: Board, placement: Placement, *, rules: BoardRules | None = None
    ) -> ValidateBoardPlacementResponse:
        """Ask whether a tile may be built on a board. Nothing is stored."""
        return await self.send(ValidateBoardPlacementRequest(board=board, placement=placement, rules=rules))

    async def score_boards(
        self, boards: Iterable[Board], scoring: int, *, dirk_tiles: Sequence[str] = (), rules: BoardRules | None = None
    ) -> tuple[BoardScore, ...]:
        """Return what the boards would score, compared with each other. `scoring` is 1, 2 or 3."""
        request = ScoreBoardRequest(boards=tuple(boards), scoring=scoring, dirk_tiles=tuple(dirk_tiles), rules=rules)
        return (await self.send(request)).scores


@dataclass(frozen=True)
class AsyncNewGame:
    """A game that was just created."""

    id: str
    view: View
    """The game as the last of the seats of this program sees it, or as a spectator does."""
    invitations: Mapping[int, str] = field(repr=False)
    """By seat: what the player passes to `join`."""
    seats: Mapping[int, AsyncGame]
    """The game for each seat that this program plays."""


class AsyncGame:
    """A game, seen and played by one seat or seen by a spectator."""

    def __init__(self, client: AsyncClient, state: GameState) -> None:
        self.client = client
        self._state = state

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id} seat={self.seat} version={self.version}>"

    # -- What is known -------------------------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """The id of the game."""
        return self._state.id

    @property
    def seat(self) -> int | None:
        """The seat that this program plays; None for a spectator."""
        return self._state.seat

    @property
    def version(self) -> int:
        """The newest version that was seen."""
        return self._state.version

    @property
    def view(self) -> View:
        """The game as it was seen last. Every call that reads, plays or watches brings it up to date."""
        if self._state.view is None:
            raise RuntimeError("Nothing is known of the game yet: call read() first.")
        return self._state.view

    @property
    def is_asked(self) -> bool:
        """Whether the game waits for a decision of this seat."""
        return self._state.is_asked()

    @property
    def credentials(self) -> dict[str, Any]:
        """What `client.game` needs to continue the seat in another process. JSON can hold it; keep it secret."""
        state = self._state
        return {"game": state.id, "token": state.token, "seat": state.seat, "entropy": state.entropy.hex()}

    # -- Reading -------------------------------------------------------------------------------------------------------

    async def read(self) -> View:
        """Read the game as it is now."""
        return await self.client.run(self._state.read())

    async def read_at(self, version: int) -> View:
        """Read the game as it was at an earlier version."""
        answer = await self._run(self._state.ask(GetGameRequest(game=self.id, at_version=version)))
        return answer.view

    async def moves(
        self,
        *,
        verb: str = "",
        slot: str = "",
        tile: str = "",
        piece: str = "",
        payments: Payments | None = None,
        texts: bool = False,
        limit: int = 0,
    ) -> MoveList:
        """List the legal moves of this seat; none if it is not asked.

        The list holds moves with all the given nouns. `payments="all"` lists every way to pay, which can be very many:
        `limit` bounds the list. `texts` adds a sentence to each move, in the language of the client."""
        request = ListLegalMovesRequest(
            game=self.id, verb=verb, slot=slot, tile=tile, piece=piece, payments=payments, texts=texts
        )
        return await self._run(self._state.moves(request, limit))

    async def events(self, after: str = "") -> tuple[Event, ...]:
        """Return what has happened after this event, or from the beginning."""
        return await self._run(self._state.events(after))

    async def watch(self, *, after: str = "", from_version: int | None = None) -> AsyncIterator[Message]:
        """Yield what happens until the game is over or deleted, however often the connection breaks.

        First comes a snapshot. Then come the events of each move, and after them a snapshot that contains them. With
        `after`, the events that followed this one come first; with `from_version=0`, the events of the whole game.
        WentBack means that the server has lost the newest moves."""
        watch = Watch(self._state, self.client.retry, after, from_version)
        async for message in self.client._stream(watch):
            await self._run(self._state.catch_up())
            yield message

    async def wait_for_turn(self) -> bool:
        """Wait until this seat is asked. Return False if the game ends before."""
        state = self._state
        if state.is_asked() or state.is_over():
            return state.is_asked()
        async for _ in self.watch():
            if state.is_asked():
                return True
        return False

    async def turns(
        self, *, payments: Payments | None = None, texts: bool = False, limit: int = 0
    ) -> AsyncIterator[MoveList]:
        """Yield the legal moves each time when this seat is asked, until the game is over. Play one of them, or resign,
        before you ask for the next list. The arguments are those of `moves`."""
        while await self.wait_for_turn():
            listed = await self.moves(payments=payments, texts=texts, limit=limit)
            if listed:  # otherwise the decision was closed in between: another seat resigned, or time ran out
                yield listed

    async def export(self) -> bytes:
        """Return the record of the game, a JSON document: everything, or what this seat saw if the game still runs."""
        return await self._run(self._state.ask_fresh(ExportGameRequest(game=self.id)))

    async def table_picture(self, *, theme: Theme | None = None) -> bytes:
        """Return a picture of the whole table, as SVG."""
        return await self._run(self._state.ask_fresh(GetTablePictureRequest(game=self.id, theme=theme)))

    async def board_picture(
        self, seat: int | None = None, *, theme: Theme | None = None, at_version: int | None = None
    ) -> bytes:
        """Return a picture of an Alhambra, as SVG; by default that of the caller."""
        request = GetBoardPictureRequest(game=self.id, seat=seat, theme=theme, at_version=at_version)
        return await self._run(self._state.ask(request) if at_version is not None else self._state.ask_fresh(request))

    async def event_ticket(self) -> CreateEventTicketResponse:
        """Return a ticket with which a browser can open one stream of this seat, once, within a minute."""
        return await self._run(self._state.ask(CreateEventTicketRequest(game=self.id)))

    # -- Where a tile may lie ------------------------------------------------------------------------------------------

    async def placements(
        self, tile: str, *, seat: int | None = None, rotation: int | None = None
    ) -> tuple[Placement, ...]:
        """Return every place where a tile may be built in an Alhambra; by default that of the caller."""
        request = ListLegalPlacementsRequest(game=self.id, tile=tile, seat=seat, rotation=rotation)
        return (await self._run(self._state.ask_fresh(request))).placements

    async def validate_placement(self, placement: Placement, *, seat: int | None = None) -> ValidatePlacementResponse:
        """Ask whether a tile may be built somewhere, and why not."""
        request = ValidatePlacementRequest(game=self.id, placement=placement, seat=seat)
        return await self._run(self._state.ask_fresh(request))

    async def validate_placements(
        self, placements: Iterable[Placement], *, seat: int | None = None
    ) -> tuple[PlacementVerdict, ...]:
        """Ask about up to 500 placements, each by itself."""
        request = BatchValidatePlacementsRequest(game=self.id, placements=tuple(placements), seat=seat)
        return (await self._run(self._state.ask_fresh(request))).verdicts

    # -- Playing -------------------------------------------------------------------------------------------------------

    async def play(self, move: LegalMove | Move, *, amount: int | None = None) -> Played:
        """Make a move: one of `moves`, or one of your own. `amount` chooses from the range of a listed move.

        Raises IllegalMove if the rules refuse it, and Stale if the decision that it answers is no longer open."""
        return await self._run(self._state.play(move, amount))

    async def check(self, move: LegalMove | Move, *, amount: int | None = None) -> Verdict:
        """Ask what the rules say about a move, without making it."""
        return await self._run(self._state.check(move, amount))

    async def undo(self) -> UndoResponse:
        """Take the last move of this seat back, or ask the others for it if the game allows that."""
        return await self._run(self._state.undo(None, None))

    async def answer_undo(self, seat: int, consent: bool) -> UndoResponse:
        """Answer a seat that asks to take its move back."""
        return await self._run(self._state.undo(seat, consent))

    async def set_orders(self, orders: Iterable[Order]) -> SetOrdersResponse:
        """Replace all standing orders of this seat; an empty list removes them."""
        return await self._run(self._state.set_orders(orders))

    async def resign(self) -> ResignResponse:
        """Leave the game for good."""
        return await self._run(self._state.resign())

    async def leave_seat(self, *, seat: int | None = None, server_player: str = "") -> LeaveSeatResponse:
        """Leave the seat to another player, or with `server_player` to the server.

        Before the game is dealt, the seat is open again and its token is revoked: the game is a spectator's from then
        on. Later, the server plays the seat until its player claims it back with `join`. An organiser of the game, a
        seat that was claimed by `create_game`, can name another `seat`. The answer has an empty view if spectators see
        nothing of the game. Raises Conflict if it is not possible, and AccessDenied if the token is not valid; that is
        so as well if the seat was left and the answer was lost."""
        return await self._run(self._state.leave_seat(seat, server_player))

    async def cancel(self) -> None:
        """Remove a game that has not been dealt, as one of its organisers, for good. Cancelling a game that is not
        there succeeds; so repeat it after Unreachable. Raises Conflict if it is not possible."""
        await self._run(self._state.cancel())

    async def _run(self, procedure: Procedure[T]) -> T:
        return await self.client.run(procedure)
