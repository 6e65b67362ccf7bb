"""27 New building grounds.

Eight building grounds are mixed into the tower. Each bears a number, its price, and names with it one of four columns
that lie beside the market, each of three construction buildings. Whoever buys a ground chooses a building from its
column at once and lays it on the ground, even if the tile goes to the reserve; so does whoever gets a ground that was
left over. From then on the two are one tile: a building of that type, with the price of the ground. Dirk takes the
topmost building for a bare ground that he draws. The columns are not refilled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..base.payment.offers import Purchase
from ..base.supply import TowerPlan
from ..components import module_data, plain_tile
from ..declarations import PieceKind, Reason, outline_of
from ..game import Game
from ..module import DecisionKind, EveryEffect, Module, Step, TileKind, Verb, those_that_verify
from ..moves import Move, need
from ..state import Decision
from ..violations import Violation

KEY = "new_building_grounds"
FOR_BUILDINGS_ONLY = ("watchtower", "scout", "key")
GROUND = TileKind(
    "ground",
    effects=EveryEffect(but=FOR_BUILDINGS_ONLY),
    outline=outline_of("ground"),
)
_DATA = module_data(KEY)
GROUNDS = tuple(plain_tile(data, GROUND.name) for data in _DATA["grounds"])
NUMBER: dict[str, int] = {data["id"]: data["number"] for data in _DATA["grounds"]}
BUILDINGS: tuple[str, ...] = tuple(
    name for name, copies in _DATA["construction_buildings"].items() for _ in range(copies)
)
IN_A_COLUMN: int = _DATA["buildings_per_number"]
LEFTOVER = "leftover"
"""How a tile is acquired that was left on the market at the end."""


@dataclass(slots=True)
class Columns:
    """By number: the types of the construction buildings that lie there, the topmost first."""

    columns: dict[int, tuple[str, ...]] = field(default_factory=dict)


def lay_out(game: Game) -> None:
    """Deal the construction buildings to the numbers."""
    dealt = game.chance("new_building_grounds/columns").shuffled(BUILDINGS)
    numbers = enumerate(_DATA["number_tiles"])
    game.module_state(Columns).columns = {
        number: tuple(dealt[at * IN_A_COLUMN : (at + 1) * IN_A_COLUMN]) for at, number in numbers
    }


def mix_in(plan: TowerPlan) -> None:
    """The grounds come out of the tower among the buildings."""
    plan.add(tile.id for tile in GROUNDS)


# -- A building for a ground -----------------------------------------------------------------------------------------


def column_of(game: Game, ground: str) -> tuple[str, ...]:
    """Return the buildings that can still be laid on a bare ground. None for a ground with a building, or another
    tile."""
    if ground not in NUMBER or ground in game.state.types:
        return ()
    return game.module_state(Columns).columns[NUMBER[ground]]


def put_building(game: Game, ground: str, name: str, **facts: object) -> None:
    """The uppermost building of that type leaves its column and stands on the ground."""
    kept, number = game.module_state(Columns), NUMBER[ground]
    left = list(kept.columns[number])
    left.remove(name)
    kept.columns = {**kept.columns, number: tuple(left)}
    game.state.types = {**game.state.types, ground: name}
    game.emit("building_chosen", tile=ground, type=name, **facts)


def ask_building(game: Game, seat: int, ground: str) -> None:
    """The owner of a bare ground chooses a building. If all of its column are of one type, there is no question."""
    column = column_of(game, ground)
    if len(set(column)) == 1:
        put_building(game, ground, column[0], seat=seat, forced=True)
    elif column:
        game.ask("ground_building", seat, tiles=(ground,))


def after_purchase(game: Game, purchase: Purchase) -> None:
    """Whoever bought a ground chooses right after paying."""
    ask_building(game, purchase.seat, purchase.tile)


def after_acquiring(game: Game, seat: int, tile: str, how: str) -> None:
    """Whoever gets a leftover ground chooses before the next space is looked at (27.24)."""
    if how == LEFTOVER and tile in NUMBER:
        game.push(ask_building, seat, tile)


def after_giving(game: Game, tile: str) -> None:
    """Dirk takes the topmost building for a bare ground."""
    column = column_of(game, tile)
    if column:
        put_building(game, tile, column[0])


def verify_choice(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A building of that type lies in the column of the ground."""
    if move.type not in column_of(game, decision.context["tiles"][0]):
        yield Violation("NOT_THERE", "type", id=move.type, place="supply")


def choose_building(game: Game, decision: Decision, move: Move) -> None:
    """It stands on the ground from now on."""
    put_building(game, decision.context["tiles"][0], need(move.type), seat=decision.seat)


def conceivable(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield each type in the column once, the topmost first."""
    for name in dict.fromkeys(column_of(game, decision.context["tiles"][0])):
        yield Move("choose_building", type=name)


# -- What can be seen ------------------------------------------------------------------------------------------------


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the columns, each from the top, and the buildings on grounds that are still in the game."""
    for number, column in game.module_state(Columns).columns.items():
        yield from ({"kind": "construction", "slot": f"number-{number}", "type": name} for name in column)
    for ground in NUMBER:
        if ground in game.state.types and ground not in game.state.box:
            yield {"kind": "construction", "tile": ground, "type": game.state.types[ground]}


def census(game: Game) -> Iterator[str]:
    """Yield all construction buildings, in the columns and on grounds."""
    on_grounds = (name for ground, name in game.state.types.items() if ground in NUMBER)
    for column in (*game.module_state(Columns).columns.values(), on_grounds):
        yield from (f"construction_{name}" for name in column)


MODULE = Module(
    number=27,
    key=KEY,
    events={"building_chosen": "A construction building stands on a ground from now on."},
    reasons=(Reason("NOT_THERE", "No building of that type lies in the column of the ground.", ("supply",)),),
    slots=tuple(f"number-{number}" for number in sorted(set(NUMBER.values()))),
    piece_kinds=(
        PieceKind(
            "construction",
            "A construction building: in a column, the topmost first, or on the ground `tile`.",
            outline_of("construction"),
        ),
    ),
    state=Columns,
    tiles=GROUNDS,
    kinds=(GROUND,),
    tower=mix_in,
    verbs=(
        Verb("choose_building", "type", verify_choice, choose_building, those_that_verify(verify_choice, conceivable)),
    ),
    decisions=(DecisionKind("ground_building", verbs=("choose_building",)),),
    steps=(Step("setup.deal", lay_out), Step("purchase.building", after_purchase)),
    agenda={"ask_building": ask_building},
    reactions={"acquired": after_acquiring, "given": after_giving},
    public_pieces=public_pieces,
    census=census,
)
