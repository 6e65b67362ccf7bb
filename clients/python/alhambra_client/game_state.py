"""A game as this client knows it, and the steps in which it is read and played.

`GameState` remembers the newest version that the client has seen, and its link. Reads ask for at least this version, so
they never show an older game than the client has seen already. Moves name the version that they were listed for, so a
move is refused if its decision is no longer open. If the server has lost moves, the state is forgotten and read anew.
"""

from __future__ import annotations

import dataclasses
import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from .calls import Procedure, ask
from .contract import (
    ApplyMoveRequest,
    ApplyMoveResponse,
    CancelGameRequest,
    ClaimSeatRequest,
    CreateGameRequest,
    Event,
    GetGameRequest,
    LeaveSeatRequest,
    LeaveSeatResponse,
    LegalMove,
    ListLegalMovesRequest,
    ListLegalMovesResponse,
    Move,
    MoveGroup,
    Offer,
    Order,
    ResignRequest,
    ResignResponse,
    RevealEntropyRequest,
    SetOrdersRequest,
    SetOrdersResponse,
    UndoRequest,
    UndoResponse,
    Verdict,
    View,
    WatchEventsRequest,
)
from .errors import CommitmentsChanged, NotFound, Stale, UnexpectedAnswer
from .messages import Answer, Request

Changed = TypeVar("Changed", UndoResponse, ResignResponse, SetOrdersResponse)

ENTROPY_BYTES = 32
MOVES_PAGE, EVENTS_PAGE = 1000, 1000
LISTING_ATTEMPTS = 5
"""How often a list of moves is begun if the game moves on while its pages are read."""


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class ListedMove(LegalMove):
    """A legal move, and the version of the game that it was listed for. `Game.play` takes it as it is."""

    version: int
    link: str


@dataclass(frozen=True)
class MoveList(Sequence[ListedMove]):
    """The legal moves of a seat, as a sequence, with everything else that the server tells about them."""

    version: int
    link: str
    moves: tuple[ListedMove, ...]
    offers: tuple[Offer, ...]
    """What may be bought, and at what price."""
    groups: tuple[MoveGroup, ...]
    """Moves that a client can put behind one button."""
    is_complete: bool
    """Whether these are all moves; False if `limit` cut the list."""
    language: str
    """The language of the texts; empty unless texts were asked for."""

    def __len__(self) -> int:
        return len(self.moves)

    @overload
    def __getitem__(self, index: int) -> ListedMove: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ListedMove]: ...
    def __getitem__(self, index: int | slice) -> ListedMove | Sequence[ListedMove]:
        return self.moves[index]


@dataclass(frozen=True)
class Played:
    """What came of a move."""

    version: int
    view: View
    events: tuple[Event, ...]
    """Everything that happened, from the move itself to the next decision of a person."""


class GameState:
    """What one seat, or a spectator, knows of a game."""

    def __init__(self, game: str, token: str = "", seat: int | None = None, entropy: bytes = b"") -> None:
        self.id = game
        self.token = token
        self.seat = seat
        self.entropy = entropy
        """What the seat contributes to the shuffle; empty for nothing."""
        self.view: View | None = None
        self.version = 0
        self.link = ""
        self._is_doubtful = False
        """Whether an older view came than was seen before: from a server that is behind, or that has lost moves."""
        self._commitments: tuple[str, tuple[str, ...]] | None = None
        """The commitments of the server and of all seats when this seat revealed its entropy."""

    # -- What is known -------------------------------------------------------------------------------------------------

    def see(self, view: View) -> View:
        """Remember a view, unless it is older than the present one; return it with what never changes in a game."""
        if self.view is not None:
            view = _completed(view, self.view)
        if view.version >= self.version:
            self.view, self.version, self.link = view, view.version, view.fairness.link
            self.seat = view.viewer if view.viewer is not None else self.seat
        else:
            self._is_doubtful = True
        return view

    def is_asked(self) -> bool:
        """Return whether the game waits for a decision of this seat."""
        return self.view is not None and self.view.decision is not None and self.view.decision.seat == self.seat

    def is_over(self) -> bool:
        """Return whether the game is over."""
        return self.view is not None and self.view.status == "over"

    def forget(self) -> None:
        """Forget everything that was read, because the server has lost the newest moves."""
        self.view, self.version, self.link = None, 0, ""
        self._is_doubtful = False

    # -- Reading -------------------------------------------------------------------------------------------------------

    def ask(self, request: Request[Answer]) -> Procedure[Answer]:
        """Send a request with the token of the seat."""
        return ask(request, self.token)

    def ask_fresh(self, request: Request[Answer]) -> Procedure[Answer]:
        """Send a read that has to know at least the version that was seen."""
        reading: Any = request
        try:
            answer: Answer = yield from self.ask(dataclasses.replace(reading, min_version=self.version))
        except Stale:
            if not self.version:
                raise
            self.forget()
            answer = yield from self.ask(dataclasses.replace(reading, min_version=0))
        return answer

    def read(self) -> Procedure[View]:
        """Read the game. Reveal the entropy of the seat if the game waits for it."""
        answer = yield from self.ask_fresh(GetGameRequest(game=self.id))
        self._is_doubtful = False
        self.see(answer.view)
        yield from self.reveal_if_asked()
        return self.view or answer.view

    def catch_up(self) -> Procedure[None]:
        """Do what a view asks for: read the game if an older view than before came, and reveal the entropy of the seat
        if the game waits for it."""
        if self._is_doubtful:
            yield from self.read()
        else:
            yield from self.reveal_if_asked()

    def moves(self, request: ListLegalMovesRequest, limit: int) -> Procedure[MoveList]:
        """List the legal moves, all pages of one version, or as many pages as `limit` needs."""
        request = dataclasses.replace(request, page_size=min(limit or MOVES_PAGE, MOVES_PAGE))
        for attempts_left in reversed(range(LISTING_ATTEMPTS)):
            try:
                pages = yield from self._pages(request, limit)
                break
            except Stale:  # the game has moved on between two pages
                if not attempts_left:
                    raise
        listed = _joined(pages)
        if self.view is None or listed.version > self.version:
            yield from self.read()
        return listed

    def _pages(self, request: ListLegalMovesRequest, limit: int) -> Procedure[list[ListLegalMovesResponse]]:
        pages = [(yield from self.ask_fresh(request))]
        while pages[-1].next_page_token and not 0 < limit <= sum(len(page.moves) for page in pages):
            following = dataclasses.replace(request, page_token=pages[-1].next_page_token)
            pages.append((yield from self.ask(following)))
        return pages

    def events(self, after: str) -> Procedure[tuple[Event, ...]]:
        """Read the events after this one, or from the beginning, until now."""
        found: list[Event] = []
        while True:
            request = WatchEventsRequest(game=self.id, after=after, page_size=EVENTS_PAGE)
            page = yield from self.ask(request)
            found += page.events
            if not page.more or page.next_after == after:
                return tuple(found)
            after = page.next_after

    # -- Changing ------------------------------------------------------------------------------------------------------

    def _seen(self) -> Procedure[tuple[int, str]]:
        if self.view is None:
            yield from self.read()
        return self.version, self.link

    def _apply(
        self, move: LegalMove | Move, amount: int | None, *, validate_only: bool = False
    ) -> Procedure[ApplyMoveResponse]:
        version, link = (move.version, move.link) if isinstance(move, ListedMove) else (yield from self._seen())
        plain = move.move if isinstance(move, LegalMove) else move
        if amount is not None:
            plain = dataclasses.replace(plain, amount=amount)
        request = ApplyMoveRequest(game=self.id, move=plain, version=version, link=link, validate_only=validate_only)
        return (yield from self.ask(request))

    def play(self, move: LegalMove | Move, amount: int | None) -> Procedure[Played]:
        """Make a move."""
        answer = yield from self._apply(move, amount)
        if answer.view is None:
            raise UnexpectedAnswer("The answer to a move has no view.")
        return Played(answer.version, self.see(answer.view), answer.events)

    def check(self, move: LegalMove | Move, amount: int | None) -> Procedure[Verdict]:
        """Ask what the rules say about a move, without making it."""
        answer = yield from self._apply(move, amount, validate_only=True)
        return answer.verdict or Verdict()

    def undo(self, seat: int | None, consent: bool | None) -> Procedure[UndoResponse]:
        """Take the last move back, or answer a seat that asks for it."""
        version, link = yield from self._seen()
        request = UndoRequest(game=self.id, version=version, link=link, seat=seat, consent=consent)
        return self._changed((yield from self.ask(request)))

    def resign(self) -> Procedure[ResignResponse]:
        """Leave the game."""
        return self._changed((yield from self.ask(ResignRequest(game=self.id))))

    def leave_seat(self, seat: int | None, server_player: str) -> Procedure[LeaveSeatResponse]:
        """Open a seat again or give it to the server."""
        answer = yield from self.ask(LeaveSeatRequest(game=self.id, seat=seat, server_player=server_player))
        if (
            answer.view is None or answer.view.viewer is None
        ):  # the token is revoked: the game is a spectator's from now on
            self.token, self.seat, self.entropy = "", None, b""
        if answer.view is None:
            self.forget()
            return answer
        return dataclasses.replace(answer, view=self.see(answer.view))

    def cancel(self) -> Procedure[None]:
        """Remove a game that has not been dealt."""
        with suppress(NotFound):  # it is gone: the answer to an earlier attempt was lost
            yield from self.ask(CancelGameRequest(game=self.id))

    def set_orders(self, orders: Iterable[Order]) -> Procedure[SetOrdersResponse]:
        """Replace the standing orders."""
        return self._changed((yield from self.ask(SetOrdersRequest(game=self.id, orders=tuple(orders)))))

    def _changed(self, answer: Changed) -> Changed:
        return dataclasses.replace(answer, view=self.see(answer.view))

    # -- The shuffle ---------------------------------------------------------------------------------------------------

    def reveal_if_asked(self) -> Procedure[None]:
        """Reveal the entropy of the seat if the game waits for it.

        It is revealed only while the game shows the commitment of this seat. Raises CommitmentsChanged if the game
        shows other commitments than when the entropy was revealed."""
        fairness = self.view.fairness if self.view is not None else None
        if fairness is None or not self.entropy or self.seat not in fairness.entropy_awaited:
            return
        shown = fairness.commitment, fairness.entropy_commitments
        if self._commitments not in (None, shown):
            raise CommitmentsChanged(f"The commitments of game {self.id} changed after this seat revealed its entropy.")
        if commitment_of(self.entropy) != fairness.entropy_commitments[self.seat]:
            return  # another device has claimed the seat
        self._commitments = shown
        answer = yield from self.ask(RevealEntropyRequest(game=self.id, entropy=self.entropy.hex()))
        self.see(answer.view)


def _completed(view: View, earlier: View) -> View:
    """Return a view with what answers to moves leave out because it never changes."""
    if view.setup is not None or earlier.setup is None:
        return view
    known = earlier.fairness
    fairness = dataclasses.replace(
        view.fairness, commitment=known.commitment, entropy_commitments=known.entropy_commitments
    )
    return dataclasses.replace(view, setup=earlier.setup, ruleset=earlier.ruleset, fairness=fairness)


def _joined(pages: Sequence[ListLegalMovesResponse]) -> MoveList:
    first = pages[0]
    groups = {group.key: group for page in pages for group in page.groups}
    return MoveList(
        version=first.version,
        link=first.link,
        moves=tuple(_listed(each, first) for page in pages for each in page.moves),
        offers=tuple(offer for page in pages for offer in page.offers),
        groups=tuple(groups.values()),
        is_complete=not pages[-1].next_page_token,
        language=first.language,
    )


def _listed(found: LegalMove, page: ListLegalMovesResponse) -> ListedMove:
    values = {field.name: getattr(found, field.name) for field in dataclasses.fields(found)}
    return ListedMove(**values, version=page.version, link=page.link)


# -- New games and seats -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Created:
    """A new game: its id, the invitations of its open seats, and the state of each seat that was claimed at once."""

    game: str
    view: View
    invitations: Mapping[int, str]
    seats: Mapping[int, GameState]


def create_game(request: CreateGameRequest, api_key: str, contribute: bool) -> Procedure[Created]:
    """Create a game. Seats that are claimed at once contribute to the shuffle, if that is wanted and has a meaning."""
    drawn = {}
    if contribute and not request.seed:
        drawn = {place: new_entropy() for place, seat in enumerate(request.seats) if seat.claim and not seat.entropy}
    seats = tuple(
        dataclasses.replace(seat, entropy_commitment=commitment_of(drawn[place])) if place in drawn else seat
        for place, seat in enumerate(request.seats)
    )
    answer = yield from ask(dataclasses.replace(request, seats=seats), api_key)
    keys = {key.seat: key for key in answer.seat_keys}
    states = {
        seat: GameState(answer.game, key.token, seat, drawn.get(seat, b"")) for seat, key in keys.items() if key.token
    }
    view = answer.view
    for state in states.values():
        view = yield from state.read()
    for state in [*states.values()][:-1]:  # the last one to reveal its entropy has dealt
        yield from state.read()
    invitations = {seat: key.invitation for seat, key in keys.items() if key.invitation}
    return Created(answer.game, view, invitations, states)


def join_game(game: str, invitation: str, name: str, entropy: bytes) -> Procedure[GameState]:
    """Exchange an invitation for the token of its seat. The seat contributes the entropy; nothing if it is empty."""
    commitment = commitment_of(entropy) if entropy else ""
    request = ClaimSeatRequest(game=game, invitation=invitation, name=name, entropy_commitment=commitment)
    answer = yield from ask(request)
    state = GameState(game, answer.token, answer.seat, entropy)
    state.see(answer.view)
    yield from state.reveal_if_asked()
    return state


def new_entropy() -> bytes:
    """Return random bytes that a seat can contribute to the shuffle."""
    return secrets.token_bytes(ENTROPY_BYTES)


def commitment_of(entropy: bytes) -> str:
    """Return what is sent before the entropy itself: its SHA-256."""
    return hashlib.sha256(entropy).hexdigest()
