"""A game for asyncio: what a seat or a spectator does in it.

Each method carries out steps of `game_state.py` with the calls of the client.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from .calls import Procedure
from .contract import (
    BatchValidatePlacementsRequest,
    CreateEventTicketRequest,
    CreateEventTicketResponse,
    Event,
    ExportGameRequest,
    GetBoardPictureRequest,
    GetGameRequest,
    GetTablePictureRequest,
    LeaveSeatResponse,
    LegalMove,
    ListLegalMovesRequest,
    ListLegalPlacementsRequest,
    Move,
    Order,
    Payments,
    Placement,
    PlacementVerdict,
    ResignResponse,
    SetOrdersResponse,
    Theme,
    UndoResponse,
    ValidatePlacementRequest,
    ValidatePlacementResponse,
    Verdict,
    View,
)
from .game_state import GameState, MoveList, Played
from .streams import Message, Watch

if TYPE_CHECKING:
    from .async_client import AsyncClient

T = TypeVar("T")


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
        seat that was claimed by `create_game`, can name another `seat`. The answer has no view if spectators see
        nothing of the game. Raises Conflict if it is not possible, and AccessDenied if the token is not valid."""
        return await self._run(self._state.leave_seat(seat, server_player))

    async def cancel(self) -> None:
        """Remove a game that has not been dealt, as one of its organisers, for good. Cancelling a game that is not
        there succeeds; so repeat it after Unreachable. Raises Conflict if it is not possible."""
        await self._run(self._state.cancel())

    async def _run(self, procedure: Procedure[T]) -> T:
        return await self.client.run(procedure)
