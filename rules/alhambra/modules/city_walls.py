"""09 City walls.

Wall cards come up with the money and lie open beside the board. As an action a player takes one of them and puts its
one or two wooden walls, on the sides shown, on one own tile: in the Alhambra (the start tile too), in the reserve, or
pending. They may not cover a wall, and belong to the tile for good, like printed ones. The Alhambra must obey the rules
afterwards, so on a built tile only sides that face an empty cell can take a wall.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..base.building import add_sticks, sticks_of
from ..base.supply import DeckPlan
from ..board import Board
from ..components import OPEN, SIDES, WALL, Card, module_data
from ..contacts import Contact, lots
from ..declarations import PieceKind, Reason
from ..game import Game
from ..module import Module, Step, Verb
from ..moves import Move
from ..state import Decision
from ..violations import Violation

DATA = module_data("city_walls")
SHOWN: dict[str, tuple[str, ...]] = {card["id"]: tuple(card["walls"]) for card in DATA["cards"]}
CARDS = tuple(Card(card, "wall") for card in SHOWN)


@dataclass(slots=True)
class Walls:
    """Open wall cards, and the wooden walls left in the supply."""

    open: tuple[str, ...] = ()
    left: int = 0


class Target(NamedTuple):
    """An own tile, or one half of it, and how it lies: a card's sides are the sides that one sees."""

    tile: str
    part: int
    type: str | None
    rotation: int
    board: Board | None
    """The Alhambra it is built in; None in the reserve or pending."""


def insert_cards(plan: DeckPlan) -> None:
    """Two wall cards go into each of the piles 2 to 5."""
    cards = plan.shuffled("walls", SHOWN)
    for pile, count in DATA["deck_piles"].items():
        plan.insert(int(pile), [cards.pop() for _ in range(count)])


def lay_out_sticks(game: Game) -> None:
    """The wooden walls lie beside the market."""
    game.slice(Walls).left = DATA["sticks"]


def lay_open(game: Game, card: str) -> None:
    """A wall card that comes up is laid open beside the board."""
    walls = game.slice(Walls)
    walls.open = (*walls.open, card)
    game.tell("card_revealed", card=card, to="aside")


# -- Building a wall -----------------------------------------------------------------------------------------------


def _own_tiles(game: Game, seat: int) -> Iterator[Target]:
    """Everything that could take a wall: tiles made of nothing but open sides and walls, wherever they lie."""
    owner = game.state.seats[seat]
    lying = [(tile, placed.rotation, owner.board) for tile, placed in owner.board.placed.items()]
    aside = [(tile, 0, None) for tile in (*game.ruleset.reserve.tiles(game, seat), *owner.pending)]
    for tile_id, rotation, board in [*lying, *aside]:
        parts = game.ruleset.tiles[tile_id].parts
        if all(set(part.edges) <= {OPEN, WALL} for part in parts):
            for number, part in enumerate(parts):
                yield Target(tile_id, number, part.type if len(parts) > 1 else None, rotation, board)


def _refusals(game: Game, target: Target, side: str) -> Iterator[str]:
    """Why no wall can stand on that side: something covers it, it lies inside the tile, or faces another one."""
    tile = game.ruleset.tiles[target.tile]
    placed = target.board.placed[target.tile] if target.board else None
    at = (placed.x, placed.y) if placed else (0, 0)
    covered = dict(lots(tile, *at, target.rotation, sticks_of(game, target.tile)))
    cell, lot = next((cell, lot) for cell, lot in covered.items() if lot.part == target.part)
    number = SIDES.index(side)
    if lot.edges[number] == WALL:
        yield "covered"
    step = ((0, -1), (1, 0), (0, 1), (-1, 0))[number]
    if (cell[0] + step[0], cell[1] + step[1]) in covered:
        yield "inner"
    elif target.board and target.board.relation(*cell, side) not in (Contact.EMPTY, Contact.APART):
        yield "faces_tile"


def verify_build_wall(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """An open card, an own tile, and free sides."""
    walls = game.slice(Walls)
    shown = SHOWN.get(move.piece or "")
    if move.piece not in game.ruleset.pieces:
        yield Violation("ID_UNKNOWN", "piece", id=move.piece)
    elif move.piece not in walls.open:
        yield Violation("NOT_THERE", "piece", id=move.piece, place="supply")
    elif shown and len(shown) > walls.left:
        yield Violation("LIMIT_REACHED", "piece", what="wooden_walls", limit=walls.left)
    targets = [target for target in _own_tiles(game, decision.seat) if target.tile == move.tile]
    if not targets:
        yield _no_target(game, decision.seat, move.tile or "")
    elif move.type is None and targets[0].type is not None:
        yield Violation("NOUN_MISSING", "type", noun="type")
    elif move.type is not None and targets[0].type is None:
        yield Violation("NOUN_UNEXPECTED", "type", noun="type")
    else:
        found = next((target for target in targets if target.type == move.type), None)
        if found is None:
            yield Violation("TYPE_MISMATCH", "type", expected=[target.type for target in targets], got=move.type)
            return
        for side in shown or ():
            for because in _refusals(game, found, side):
                yield Violation("WALL_REFUSED", "tile", tile=move.tile, side=side, because=because)


def _no_target(game: Game, seat: int, tile: str) -> Violation:
    if tile not in game.ruleset.tiles:
        return Violation("ID_UNKNOWN", "tile", id=tile)
    owner = game.state.seats[seat]
    if tile in owner.board.placed or tile in (*game.ruleset.reserve.tiles(game, seat), *owner.pending):
        return Violation("NOT_ELIGIBLE", "tile", tile=tile, for_="wall")
    return Violation("NOT_THERE", "tile", id=tile, place="alhambra")


def build_wall(game: Game, decision: Decision, move: Move) -> None:
    """The walls belong to the tile from now on; the card leaves the game."""
    assert move.piece is not None
    assert move.tile is not None
    seat, walls, state = decision.seat, game.slice(Walls), game.state
    target = next(t for t in _own_tiles(game, seat) if t.tile == move.tile and t.type == move.type)
    walls.open = tuple(card for card in walls.open if card != move.piece)
    walls.left -= len(SHOWN[move.piece])
    state.box = (*state.box, move.piece)
    told = {"piece": move.piece, **({"type": move.type} if move.type else {})}
    add_sticks(game, seat, move.tile, SHOWN[move.piece], part=target.part, event="wall_built", **told)


def wall_buildings(game: Game, decision: Decision) -> Iterator[Move]:
    """Every open card on every own tile that can take it."""
    walls = game.slice(Walls)
    for card in walls.open:
        if len(SHOWN[card]) > walls.left:
            continue
        for target in _own_tiles(game, decision.seat):
            if not any(because for side in SHOWN[card] for because in _refusals(game, target, side)):
                yield Move("build_wall", target.tile, card, type=target.type)


def view(game: Game, _viewer: int | None) -> dict[str, Any]:
    """Open cards, what is left, and the wooden walls on every tile."""
    walls = game.slice(Walls)
    sticks = {tile: list(masks) for tile, masks in sorted(game.state.sticks.items())}
    return {"open": list(walls.open), "left": walls.left, "sticks": sticks}


def things(game: Game) -> Iterator[dict[str, Any]]:
    """Open cards, and the wooden walls beside the market. Those that stand belong to their tiles."""
    walls = game.slice(Walls)
    for card in walls.open:
        yield {"kind": "wallcard", "piece": card}
    if walls.left:
        yield {"kind": "wall", "amount": walls.left}


def census(game: Game) -> Iterator[str]:
    """The open cards."""
    yield from game.slice(Walls).open


MODULE = Module(
    number=9,
    key="city_walls",
    events={
        "wall_built": "Wooden walls were put on a tile.",
    },
    reasons=(
        Reason("LIMIT_REACHED", "There are not enough wooden walls left for the card.", ("wooden_walls",)),
        Reason("NOT_ELIGIBLE", "The tile takes no wooden walls.", ("wall",)),
        Reason("TYPE_MISMATCH", "The tile has no half of this type."),
        Reason(
            "WALL_REFUSED",
            "The side has a wall, lies inside the tile, or faces another tile.",
            ("covered", "inner", "faces_tile"),
        ),
    ),
    facts={
        "open": "The open wall cards.",
        "left": "How many wooden walls are left.",
        "sticks": "By tile: its wooden walls, a bit mask for each of its cells.",
    },
    shows=(
        PieceKind(
            "wallcard",
            "An open wall card.",
        ),
        PieceKind(
            "wall",
            "The wooden walls beside the market.",
        ),
    ),
    state=Walls,
    cards=CARDS,
    pieces=tuple(SHOWN),
    deck=insert_cards,
    routes={"wall": lay_open},
    verbs=(
        Verb(
            "build_wall",
            "piece tile [type]",
            verify_build_wall,
            build_wall,
            wall_buildings,
            at=("action",),
            action=True,
        ),
    ),
    steps=(Step("setup.deal", lay_out_sticks),),
    view=view,
    things=things,
    census=census,
)
