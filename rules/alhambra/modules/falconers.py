"""21 Falconers.

Fifteen falcons, five each in black, brown and white, lie open beside the market; each shows two building colours. To
buy falcons must be the only action of a turn: any number of them, one by one, each for one money card of any value and
currency. A falcon sits on a point where four tiles of their own Alhambra meet, all of them standard buildings or the
fountain; both of its colours must be among these buildings, and each point has room for one. It never moves. If one of
the four tiles is taken out, even to put another one there, the falcon returns to the supply. Each scoring counts the
falcons of each colour by themselves: 1 scores 2, 2 score 6, 3 score 12, 4 score 20, 5 score 30.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..base.purchase import STANDARD, START
from ..base.scoring import score, type_at
from ..base.supply import discard, lose, missing
from ..board import Board
from ..components import Cell, module_data
from ..declarations import PASS, PieceKind, Reason, outline_of
from ..game import Game
from ..module import DecisionKind, Module, RandBelow, Step, Verb, freely
from ..moves import Move, need
from ..placement.contacts import PlacedPart
from ..state import Decision
from ..violations import Violation

KEY = "falconers"
FALCON = "falcon"
"""The kind of piece, and what its point and its price are refused for."""
_DATA = module_data(KEY)
FALCONS: dict[str, frozenset[str]] = {data["id"]: frozenset(data["colours"]) for data in _DATA["tiles"]}
"""By falcon: the building colours that it needs."""
PLUMAGE: dict[str, str] = {data["id"]: data["falcon"] for data in _DATA["tiles"]}
"""By falcon: its own colour."""
COLOURS = tuple(dict.fromkeys(PLUMAGE.values()))
POINTS: dict[int, int] = {int(count): points for count, points in _DATA["points_by_count"].items()}
PERCHES = (STANDARD.name, START.name)
"""The kinds of tiles that a falcon may sit on."""
SIDE = "SE"
"""A point is named by the north-western one of its four cells and this corner of it."""
ROUND = ((0, 0), (1, 0), (0, 1), (1, 1))
"""From the north-western cell of a point to all four."""


@dataclass(slots=True)
class Falcons:
    """The falcons that were bought, each with its owner and the north-western cell of its point."""

    sitting: dict[str, tuple[int, Cell]] = field(default_factory=dict)


# -- Where falcons can sit -------------------------------------------------------------------------------------------


def lots_round(board: Board, cell: Cell) -> list[PlacedPart | None]:
    """Return what lies in the four cells of a point; None for an empty cell."""
    return [board.at(cell[0] + dx, cell[1] + dy) for dx, dy in ROUND]


def colours_at(game: Game, seat: int, cell: Cell) -> frozenset[str] | None:
    """Return the building colours around a point of an Alhambra; None if no falcon can sit there. The fountain and what
    is not finished show none."""
    placed_parts = lots_round(game.state.seats[seat].board, cell)
    if any(part is None or part.tile.kind not in PERCHES for part in placed_parts):
        return None
    return frozenset(name for part in placed_parts if part is not None and (name := type_at(game, part)))


def _taken(game: Game, seat: int) -> set[Cell]:
    return {cell for owner, cell in game.module_state(Falcons).sitting.values() if owner == seat}


def fitting(game: Game, seat: int) -> list[tuple[str, Cell]]:
    """Return every falcon of the supply with every free point of an Alhambra that shows both of its colours."""
    sitting, taken = game.module_state(Falcons).sitting, _taken(game, seat)
    supply = [(falcon, needed) for falcon, needed in FALCONS.items() if falcon not in sitting]
    found = []
    for cell in game.state.seats[seat].board.cells if supply else ():
        colours = None if cell in taken else colours_at(game, seat, cell)
        if colours:
            found += [(falcon, cell) for falcon, needed in supply if needed <= colours]
    return found


# -- Buying and placing ----------------------------------------------------------------------------------------------


def verify_falcon(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A falcon of the supply, a point that it may sit on, one money card."""
    known = move.piece in FALCONS
    if not known:
        yield Violation("ID_UNKNOWN", "piece", id=move.piece)
    elif move.piece in game.module_state(Falcons).sitting:
        yield Violation("NOT_THERE", "piece", id=move.piece, place="supply")
    if move.side != SIDE:
        yield Violation("NOUN_MALFORMED", "side", value=move.side)
    colours = FALCONS[move.piece] if known and move.piece else None
    yield from _point_faults(game, decision.seat, need(move.cell), colours)
    if len(move.cards) != 1:
        yield Violation("CARD_COUNT", "cards", need=1, got=len(move.cards))
    hand, cards = game.state.seats[decision.seat].hand, game.ruleset.cards
    for card in missing(hand, move.cards):
        place = {"place": "hand"} if card in cards else {}
        yield Violation("NOT_THERE" if place else "ID_UNKNOWN", "cards", id=card, **place)
    for card in dict.fromkeys(move.cards):
        if card in hand and not cards[card].value:
            yield Violation("NOT_ACCEPTED", "cards", id=card, purchase=FALCON)


def _point_faults(game: Game, seat: int, cell: Cell, needed: frozenset[str] | None) -> Iterator[Violation]:
    """Yield why a falcon that needs these colours cannot sit on a point; None if nobody knows what it needs."""
    placed_parts = lots_round(game.state.seats[seat].board, cell)
    if None in placed_parts:
        yield Violation("NOT_THERE", "cell", id=list(cell), place="alhambra")
        return
    for tile in dict.fromkeys(
        part.tile.id for part in placed_parts if part is not None and part.tile.kind not in PERCHES
    ):
        yield Violation("NOT_ELIGIBLE", "cell", tile=tile, for_=FALCON)
    if cell in _taken(game, seat):
        yield Violation("PLACE_TAKEN", "cell", cell=list(cell))
    colours = colours_at(game, seat, cell)
    if needed is not None and colours is not None and not needed <= colours:
        yield Violation("TYPE_MISMATCH", "cell", expected=sorted(needed), got=sorted(colours))


def buy_falcon(game: Game, decision: Decision, move: Move) -> None:
    """The card is spent, the falcon sits on its point, and another one may follow."""
    piece = need(move.piece)
    cell = need(move.cell)
    seat, falcons = decision.seat, game.module_state(Falcons)
    lose(game, seat, move.cards)
    game.emit("falcon_placed", seat=seat, piece=piece, cell=cell, side=SIDE, cards=move.cards)
    discard(game, move.cards)
    falcons.sitting = {**falcons.sitting, piece: (seat, cell)}
    game.push(ask_for_more, seat)


def ask_for_more(game: Game, seat: int) -> None:
    """Ask for another falcon while the seat has cards and a falcon fits somewhere: everybody can see both."""
    if game.state.seats[seat].hand and fitting(game, seat):
        game.ask("more_falcons", seat)


def _payable(game: Game, seat: int) -> list[str]:
    """Return the money cards in hand, each kind once: a card with a value is money, whatever its currency."""
    return [card for card in dict.fromkeys(game.state.seats[seat].hand) if game.ruleset.cards[card].value]


def _bought(falcon: str, cell: Cell, card: str) -> Move:
    return Move("buy_falcon", piece=falcon, cell=cell, side=SIDE, cards=(card,))


def purchases(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every falcon on every point that it fits, for every money card in hand."""
    cards = _payable(game, decision.seat)
    for falcon, cell in fitting(game, decision.seat) if cards else ():
        yield from (_bought(falcon, cell, card) for card in cards)


def sample_purchase(game: Game, decision: Decision, randbelow: RandBelow) -> Move | None:
    """Return a random legal purchase."""
    cards = _payable(game, decision.seat)
    found = fitting(game, decision.seat) if cards else []
    return _bought(*found[randbelow(len(found))], cards[randbelow(len(cards))]) if found else None


def could_buy(game: Game, decision: Decision) -> bool:
    """Return whether the seat has a card and a falcon fits somewhere: everybody can see both."""
    return bool(game.state.seats[decision.seat].hand and fitting(game, decision.seat))


# -- Back to the supply, scoring, views ------------------------------------------------------------------------------


def fly_off(game: Game, seat: int, _tile: str, _how: str) -> None:
    """A tile was taken out of an Alhambra: the falcons that sat on it return. What is laid in its place comes later."""
    falcons, board = game.module_state(Falcons), game.state.seats[seat].board
    for falcon, (owner, cell) in sorted(falcons.sitting.items()):
        if owner == seat and None in lots_round(board, cell):
            falcons.sitting = {other: where for other, where in falcons.sitting.items() if other != falcon}
            game.emit("falcon_returned", seat=seat, piece=falcon, cell=cell, side=SIDE)


def score_falcons(game: Game, number: int) -> None:
    """Points by the number of falcons of each colour."""
    sitting = game.module_state(Falcons).sitting
    for seat in range(len(game.state.seats)):
        own = [PLUMAGE[falcon] for falcon, (owner, _) in sitting.items() if owner == seat]
        for colour in COLOURS:
            count = own.count(colour)
            if count:
                score(game, seat, POINTS[count], "falcons", scoring=number, choice=colour, count=count)


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield every falcon: in the supply, or on its point."""
    sitting = game.module_state(Falcons).sitting
    for falcon, colour in PLUMAGE.items():
        seat, cell = sitting.get(falcon, (None, None))
        point = {} if cell is None else {"seat": seat, "cell": cell, "side": SIDE}
        yield {"kind": FALCON, "piece": falcon, "choice": colour, **point}


MODULE = Module(
    number=21,
    key=KEY,
    events={
        "falcon_placed": "A seat bought a falcon for one card, and it sits where four tiles meet.",
        "falcon_returned": "A falcon lost one of its four tiles and returned to the supply.",
    },
    reasons=(
        Reason("NOT_ELIGIBLE", "A falcon sits only where standard buildings and the fountain meet.", (FALCON,)),
        Reason("TYPE_MISMATCH", "The four tiles do not show both colours of the falcon."),
        Reason("NOT_ACCEPTED", "A falcon is paid with one money card.", (FALCON,)),
    ),
    scores={"falcons": "Falcons of one colour."},
    scores_before_seats=("falcons",),
    piece_kinds=(
        PieceKind(
            FALCON,
            "A falcon, in the supply or where four tiles meet; `choice` is its own colour.",
            outline_of(FALCON),
            individual=True,
        ),
    ),
    choices=COLOURS,
    state=Falcons,
    pieces=tuple(FALCONS),
    verbs=(
        Verb(
            "buy_falcon",
            "piece cell side cards",
            verify_falcon,
            buy_falcon,
            purchases,
            at=("action", "more_falcons"),
            action=True,
            sole=True,
            possible=could_buy,
            sample=sample_purchase,
        ),
    ),
    decisions=(DecisionKind("more_falcons", passing=freely, orders=(PASS,)),),
    steps=(Step("scoring.gains", score_falcons),),
    agenda={"ask_for_more": ask_for_more},
    reactions={"unbuilt": fly_off},
    public_pieces=public_pieces,
)
