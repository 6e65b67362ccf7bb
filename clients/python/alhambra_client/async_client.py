"""The client for asyncio.

It sends calls, waits, and reads streams. The modules beside this one, which do no input or output, decide what is sent,
when a call is repeated, and what an answer means.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, TypeVar

import httpx

from . import game_state
from .async_game import AsyncGame, AsyncNewGame
from .calls import Call, Procedure, all_pages, call
from .contract import (
    Board,
    BoardRules,
    BoardScore,
    Component,
    CreateGameRequest,
    CreateNoticeTicketRequest,
    CreateWebhookRequest,
    CreateWebhookResponse,
    DeleteGameRequest,
    DeleteWebhookRequest,
    Delivery,
    DeliveryStatus,
    FlagFall,
    GameStatus,
    GameSummary,
    GetComponentPictureRequest,
    GetWebhookRequest,
    ListComponentsRequest,
    ListDeliveriesRequest,
    ListEditionsRequest,
    ListEditionsResponse,
    ListGamesRequest,
    ListModulesRequest,
    ListTilesRequest,
    ListVerbsRequest,
    ListVerbsResponse,
    ListViolationsRequest,
    ListViolationsResponse,
    ListWebhooksRequest,
    Module,
    NoticeKind,
    Placement,
    ReplayDeliveriesRequest,
    RotateWebhookSecretRequest,
    ScoreBoardRequest,
    SeatSetup,
    SeatToken,
    TestWebhookRequest,
    Theme,
    Tile,
    UpdateWebhookRequest,
    ValidateBoardPlacementRequest,
    ValidateBoardPlacementResponse,
    Value,
    Visibility,
    Webhook,
)
from .errors import AlhambraError
from .game_state import GameState, new_entropy
from .messages import Answer, Request
from .notices import NoticeMessage, NoticeWatch
from .retries import Attempts, Retry
from .streams import Stream, Told_co
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
        clock_seconds: int = 0,
        clock_increment_seconds: int = 0,
        flag_fall: FlagFall | None = None,
        no_hints: bool = False,
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
            clock_seconds=clock_seconds,
            clock_increment_seconds=clock_increment_seconds,
            flag_fall=flag_fall,
            no_hints=no_hints,
            seed=seed,
            visibility=visibility,
            spectator_delay=spectator_delay,
            open=open_to_anyone,
            language=game_language,
        )
        made = await self.run(game_state.create_game(request, self.api_key, contribute))
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
        return AsyncGame(self, await self.run(game_state.join_game(game, invitation, name, drawn)))

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
        deadlines. Goes on after lost connections and restarts of the server, without end. Keep the `after` of the last
        notice and pass it when the program is started again: nothing is missed in between."""
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
