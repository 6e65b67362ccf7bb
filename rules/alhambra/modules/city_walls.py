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

from ..base.build import add_wooden_walls, lying
from ..base.supply import DeckPlan
from ..components import OPEN, SIDES, STEP, WALL, Card, module_data
from ..declarations import PieceKind, Reason, outline_of
from ..game import Game
from ..module import Module, Step, Verb
from ..moves import Move, need
from ..placement.contacts import Contact, placed_parts, wooden_walls_by_cell
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
    """One's own tile, or one half of it."""

    tile: str
    part: int
    type: str | None
    """The type of the half, None for a tile of one cell."""


def insert_cards(plan: DeckPlan) -> None:
    """Two wall cards go into each of the piles 2 to 5."""
    cards = plan.shuffled("walls", SHOWN)
    for pile, count in DATA["deck_piles"].items():
        plan.insert(int(pile), [cards.pop() for _ in range(count)])


def lay_out_walls(game: Game) -> None:
    """The wooden walls lie beside the market."""
    game.module_state(Walls).left = DATA["sticks"]


def lay_open(game: Game, card: str) -> None:
    """A wall card that comes up is laid open beside the board."""
    walls = game.module_state(Walls)
    walls.open = (*walls.open, card)
    game.emit("card_revealed", card=card, to="aside")


# -- Building a wall -----------------------------------------------------------------------------------------------


def _own_tiles(game: Game, seat: int) -> Iterator[str]:
    """Yield every tile that the seat owns: built, in the reserve, pending."""
    owner = game.state.seats[seat]
    yield from (*owner.board.placed, *game.ruleset.reserve.tiles(game, seat), *owner.pending)


def _targets(game: Game, seat: int) -> Iterator[Target]:
    """Yield everything that could take a wall: own tiles made of nothing but open sides and walls, wherever they
    lie."""
    for tile in _own_tiles(game, seat):
        parts = game.ruleset.tiles[tile].parts
        if all(set(part.edges) <= {OPEN, WALL} for part in parts):
            for number, part in enumerate(parts):
                yield Target(tile, number, part.type if len(parts) > 1 else None)


def _refusals(game: Game, seat: int, target: Target, side: str) -> Iterator[str]:
    """Yield why no wall can stand on that side, as the tile lies: a wall stands there, the side lies inside the tile,
    or it faces another tile. Across it may be the empty half of a watchtower's cell (09.36, 22.29)."""
    board = game.state.seats[seat].board
    covered = dict(placed_parts(*lying(game, seat, target.tile)))
    cell, placed_part = next(
        (cell, placed_part) for cell, placed_part in covered.items() if placed_part.part == target.part
    )
    if placed_part.edges[SIDES.index(side)] == WALL:
        yield "covered"
    if (cell[0] + STEP[side][0], cell[1] + STEP[side][1]) in covered:
        yield "inner"
    elif target.tile in board.placed and board.relation(*cell, side) not in (Contact.EMPTY, Contact.APART):
        yield "faces_tile"


def verify_build_wall(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """An open card, a tile of their own, and free sides."""
    walls = game.module_state(Walls)
    shown = SHOWN.get(move.piece or "", ())
    if move.piece not in game.ruleset.pieces:
        yield Violation("ID_UNKNOWN", "piece", id=move.piece)
    elif move.piece not in walls.open:
        yield Violation("NOT_THERE", "piece", id=move.piece, place="supply")
    elif len(shown) > walls.left:
        yield Violation("LIMIT_REACHED", "piece", what="wooden_walls", limit=walls.left)
    targets = [target for target in _targets(game, decision.seat) if target.tile == move.tile]
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
        for side in shown:
            for because in _refusals(game, decision.seat, found, side):
                yield Violation("WALL_REFUSED", "tile", tile=move.tile, side=side, because=because)


def _no_target(game: Game, seat: int, tile: str) -> Violation:
    if tile not in game.ruleset.tiles:
        return Violation("ID_UNKNOWN", "tile", id=tile)
    if tile in _own_tiles(game, seat):
        return Violation("NOT_ELIGIBLE", "tile", tile=tile, for_="wall")
    return Violation("NOT_THERE", "tile", id=tile, place="alhambra")


def build_wall(game: Game, decision: Decision, move: Move) -> None:
    """The walls belong to the tile from now on; the card leaves the game."""
    piece = need(move.piece)
    tile = need(move.tile)
    seat, walls, sides = decision.seat, game.module_state(Walls), SHOWN[piece]
    target = next(t for t in _targets(game, seat) if t.tile == tile and t.type == move.type)
    walls.open = tuple(card for card in walls.open if card != piece)
    walls.left -= len(sides)
    game.state.box = (*game.state.box, piece)
    facts = {"piece": piece, **({"type": move.type} if move.type else {})}
    add_wooden_walls(game, seat, tile, sides, part=target.part, event="wall_built", **facts)


def wall_buildings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every open card on every own tile that can take it."""
    walls, seat = game.module_state(Walls), decision.seat
    cards = [card for card in walls.open if len(SHOWN[card]) <= walls.left]
    shown = {side for card in cards for side in SHOWN[card]}
    free = [(target, _free_sides(game, seat, target, shown)) for target in (_targets(game, seat) if cards else ())]
    for card in cards:
        for target, sides in free:
            if sides.issuperset(SHOWN[card]):
                yield Move("build_wall", target.tile, card, type=target.type)


def _free_sides(game: Game, seat: int, target: Target, sides: set[str]) -> set[str]:
    """Return the sides on which a wall can stand."""
    return {side for side in sides if next(_refusals(game, seat, target, side), None) is None}


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield open cards, the wooden walls beside the market, and those on tiles that are not built."""
    walls = game.module_state(Walls)
    for card in walls.open:
        yield {"kind": "wallcard", "piece": card}
    if walls.left:
        yield {"kind": "wall", "amount": walls.left}
    for seat, owner in enumerate(game.state.seats):
        for tile in (*game.ruleset.reserve.tiles(game, seat), *owner.pending):
            yield from _walls_on(game, seat, tile)


def _walls_on(game: Game, seat: int, tile: str) -> Iterator[dict[str, Any]]:
    parts = game.ruleset.tiles[tile].parts
    for part, (_, sides) in zip(parts, wooden_walls_by_cell(lying(game, seat, tile)), strict=False):
        half = {"type": part.type} if len(parts) > 1 else {}
        yield from ({"kind": "wall", "seat": seat, "tile": tile, "side": side, **half} for side in sides)


def census(game: Game) -> Iterator[str]:
    """Yield the open cards."""
    yield from game.module_state(Walls).open


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
    piece_kinds=(
        PieceKind(
            "wallcard",
            "An open wall card.",
            outline_of("wallcard"),
        ),
        PieceKind(
            "wall",
            "Wooden walls: beside the market, or at a side of a tile that is not built. `type` names the half of a"
            " double tile.",
            outline_of("wall"),
        ),
    ),
    state=Walls,
    cards=CARDS,
    nouns={"piece": tuple(SHOWN)},
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
    steps=(Step("setup.deal", lay_out_walls),),
    public_pieces=public_pieces,
    census=census,
)
