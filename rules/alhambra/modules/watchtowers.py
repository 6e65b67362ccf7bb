"""22 Watchtowers.

Eighteen half tiles, three in each colour. With a standard building the buyer may take a watchtower of its colour for a
surcharge, paid together with the building: 6 before the first scoring, 4 before the second, 2 before the third. Both
are placed in any order; a watchtower is turned freely, must touch a building of its own colour with one of its two
open legs, and is never reserved nor redesigned. One that fits nowhere goes back to the supply. Its long side is a wall
of the outline; every watchtower in the longest run of outer walls brings 2 further points.

What may touch its sides stands in `contacts.py`, holes beside its empty half in `construction.py`, the wall along the
diagonal in `outline.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..base.building import Build, lay_tile, verify_build
from ..base.offers import Offer, Purchase
from ..base.scoring import score
from ..board import Board
from ..components import LEG, STEP, TYPES, VOID, Cell, Part, Tile, module_data
from ..construction import legal_cells
from ..contacts import Contact, Lot, Placed
from ..declarations import PieceKind, Reason
from ..game import Game
from ..module import Module, Step, TileKind, Verb
from ..moves import Move
from ..outline import wall_runs
from ..state import Decision
from ..violations import Violation

KEY = "watchtowers"
ADDED = "watchtower"
"""The effect that lets a purchase include one, and the choice that a buyer makes."""
KIND = TileKind("watchtower")
TURNS = {"NE": 0, "SE": 90, "SW": 180, "NW": 270}
"""How far it is turned, by the corner where its legs meet."""


def _watchtower(name: str, number: int) -> Tile:
    legs_and_wall = Part(0, 0, LEG * 2 + VOID * 2, name)
    return Tile(f"watchtower_{name}_{number}", KIND.name, (legs_and_wall,), rotatable=True)


_COPIES: dict[str, int] = module_data(KEY)["tiles"]
_TILES = [_watchtower(name, number) for name in _COPIES for number in range(1, _COPIES[name] + 1)]
WATCHTOWERS = {tile.id: tile for tile in _TILES}
SURCHARGES = tuple(module_data(KEY)["surcharge"][when] for when in ("before_1", "between_1_2", "between_2_3"))
"""By the number of scorings held."""
BONUS: int = module_data(KEY)["bonus_in_longest"]


@dataclass(slots=True)
class Watchtowers:
    """Where the watchtowers are that do not stand in an Alhambra."""

    supply: tuple[str, ...] = tuple(WATCHTOWERS)
    pending: tuple[tuple[str, ...], ...] = ()
    """By seat: bought and not placed yet."""


def deal_watchtowers(game: Game) -> None:
    """Nobody has bought one yet."""
    game.slice(Watchtowers).pending = ((),) * len(game.state.seats)


def _keep(game: Game, seat: int, pending: tuple[str, ...]) -> None:
    kept = game.slice(Watchtowers)
    kept.pending = (*kept.pending[:seat], pending, *kept.pending[seat + 1 :])


def _first_of(watchtowers: tuple[str, ...], name: str | None) -> str | None:
    """Copies of a type are interchangeable: the one with the lowest number."""
    return min((tower for tower in watchtowers if WATCHTOWERS[tower].type == name), default=None)


# -- Buying --------------------------------------------------------------------------------------------------------


def surcharge(game: Game) -> int:
    """What a watchtower adds to the price now."""
    return int(SURCHARGES[min(len(game.state.held), len(SURCHARGES) - 1)])


def with_watchtower(game: Game, _seat: int, offer: Offer) -> Iterator[Offer]:
    """The same purchase with a watchtower of its colour, if one is left."""
    if ADDED in offer.effects and not offer.choice and _left_for(game, offer.tile) is not None:
        yield offer._replace(price=offer.price + surcharge(game), choice=ADDED)


def _left_for(game: Game, tile: str) -> str | None:
    return _first_of(game.slice(Watchtowers).supply, game.ruleset.tiles[tile].type)


def take_watchtower(game: Game, purchase: Purchase) -> None:
    """The watchtower comes to its buyer, who places it together with the tiles."""
    if purchase.choice == ADDED:
        kept = game.slice(Watchtowers)
        tower = _left_for(game, purchase.tile)
        assert tower is not None
        kept.supply = tuple(other for other in kept.supply if other != tower)
        _keep(game, purchase.seat, (*kept.pending[purchase.seat], tower))
        game.tell("acquired", seat=purchase.seat, tile=tower, how=purchase.how)


# -- Standing ------------------------------------------------------------------------------------------------------


def _colour(game: Game, lot: Lot | None) -> str:
    """The building type that can be seen there: not that of a square; under a site it still can."""
    if lot is None:
        return ""
    printed = lot.type if game.ruleset.kinds[lot.tile.kind].typed else ""
    return game.state.types.get(lot.tile.id) or printed


def _touches_own_colour(game: Game, board: Board, tower: Placed) -> bool:
    return any(
        board.relation(tower.x, tower.y, side) is Contact.PASS
        and _colour(game, board.at(tower.x + dx, tower.y + dy)) == tower.tile.type
        for side, (dx, dy) in STEP.items()
    )


def attached(game: Game, _seat: int, board: Board) -> Iterator[Violation]:
    """A leg of every watchtower touches a building of its colour."""
    for placed in board.placed.values() if board.odd else ():
        if placed.tile.kind == KIND.name and not _touches_own_colour(game, board, placed):
            yield Violation("CONTACT_REQUIRED", tile=placed.tile.id, with_=placed.tile.type)


def lock(game: Game, _seat: int, tile: str) -> str | None:
    """A watchtower is never redesigned."""
    return KIND.name if game.ruleset.tiles[tile].kind == KIND.name else None


# -- Placing -------------------------------------------------------------------------------------------------------


def _positions(game: Game, seat: int, tower: str) -> Iterator[tuple[Cell, str]]:
    """Every legal position: cell, and corner where the legs meet."""
    board = game.state.seats[seat].board
    tile = WATCHTOWERS[tower]
    for side, turn in TURNS.items():
        for cell in legal_cells(board, tile, turn):
            if not verify_build(game, seat, board, tile, Build(cell, turn)):
                yield cell, side


def _pending(game: Game, seat: int) -> list[str]:
    """One of each type that the seat has still to place."""
    pending = game.slice(Watchtowers).pending[seat]
    return [tower for name in TYPES if (tower := _first_of(pending, name)) is not None]


def can_place(game: Game, seat: int) -> bool:
    """Some watchtower that was bought has a legal position, and then it must be placed."""
    return any(True for tower in _pending(game, seat) for _ in _positions(game, seat, tower))


def must_place_now(game: Game, seat: int) -> bool:
    """Out of turn it is placed along with its tile; one bought in the own turn waits until all tiles are placed."""
    return game.state.phase not in ("MAIN", "PLACE") and can_place(game, seat)


def verify_placing(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """It was bought, the construction rules hold, and its colour is there."""
    assert move.cell is not None
    assert move.side is not None
    tower = _first_of(game.slice(Watchtowers).pending[decision.seat], move.type)
    if tower is None:
        yield Violation("NOT_THERE", "type", id=move.type, place="pending")
    if move.side not in TURNS:
        yield Violation("NOUN_MALFORMED", "side", value=move.side)
    elif tower is not None:
        board = game.state.seats[decision.seat].board
        build = Build(move.cell, TURNS[move.side])
        yield from verify_build(game, decision.seat, board, WATCHTOWERS[tower], build)


def place_watchtower(game: Game, decision: Decision, move: Move) -> None:
    """It stands in the Alhambra from now on."""
    assert move.cell is not None
    assert move.side is not None
    pending = game.slice(Watchtowers).pending[decision.seat]
    tower = _first_of(pending, move.type)
    assert tower is not None
    _keep(game, decision.seat, tuple(other for other in pending if other != tower))
    build = Build(move.cell, TURNS[move.side])
    nouns = {"type": move.type, "side": move.side}
    lay_tile(game, decision.seat, tower, build, "place", event="watchtower_placed", **nouns)


def placings(game: Game, decision: Decision) -> Iterator[Move]:
    """Every type to place at every legal position."""
    for tower in _pending(game, decision.seat):
        for cell, side in _positions(game, decision.seat, tower):
            yield Move("place_watchtower", cell=cell, side=side, type=WATCHTOWERS[tower].type)


def lose_unplaced(game: Game) -> None:
    """What fits nowhere goes back to the supply when placing is over; the price is not refunded."""
    kept = game.slice(Watchtowers)
    for seat, pending in enumerate(kept.pending):
        for tower in pending:
            kept.supply = (*kept.supply, tower)
            game.tell("watchtower_lost", seat=seat, tile=tower, type=WATCHTOWERS[tower].type)
        _keep(game, seat, ())


def leave_table(game: Game, seat: int) -> None:
    """What a seat that resigns has not placed leaves the game."""
    for tower in game.slice(Watchtowers).pending[seat]:
        game.state.box = (*game.state.box, tower)
        game.tell("boxed", seat=seat, tile=tower)
    _keep(game, seat, ())


def lose_unplaced_now(game: Game, _seat: int) -> None:
    """The same after a purchase out of turn; one bought in the own turn waits until all tiles are placed."""
    if game.state.phase not in ("MAIN", "PLACE"):
        lose_unplaced(game)


# -- Scoring, views ------------------------------------------------------------------------------------------------


def score_watchtowers(game: Game, number: int) -> None:
    """Points for those in the longest wall; of equally long ones the owner scores that with the most."""
    for seat, owner in enumerate(game.state.seats):
        longest = next(iter(wall_runs(owner.board)), None) if owner.board.odd else None
        if longest is not None and longest.towers:
            count = longest.towers
            score(game, seat, BONUS * count, "wall_watchtowers", scoring=number, count=count)


def view(game: Game, _viewer: int | None) -> dict[str, Any]:
    """What a watchtower costs now."""
    return {"surcharge": surcharge(game)}


def things(game: Game) -> Iterator[dict[str, Any]]:
    """Those in the supply, and those that were bought and wait to be placed."""
    kept = game.slice(Watchtowers)
    for seat, towers in ((None, kept.supply), *enumerate(kept.pending)):
        types = [WATCHTOWERS[tower].type for tower in towers]
        for name in TYPES:
            if name in types:
                yield {"kind": "watchtower", "seat": seat, "type": name, "amount": types.count(name)}


def census(game: Game) -> Iterator[str]:
    """Those that do not stand in an Alhambra."""
    kept = game.slice(Watchtowers)
    yield from kept.supply
    for pending in kept.pending:
        yield from pending


MODULE = Module(
    number=22,
    key=KEY,
    events={
        "watchtower_placed": "A watchtower was built.",
        "watchtower_lost": "A watchtower that found no place went back to the supply.",
    },
    reasons=(
        Reason("CONTACT_REQUIRED", "A leg of every watchtower must touch a building of its colour."),
        Reason("LOCKED", "A watchtower stays where it was built.", ("watchtower",)),
    ),
    scores={
        "wall_watchtowers": "Watchtowers in the longest outer wall.",
    },
    facts={
        "surcharge": "What a watchtower costs now, on top of the building.",
    },
    shows=(
        PieceKind(
            "watchtower",
            "Watchtowers of one type, in the supply or bought and to be placed.",
            "M4 46L44 6v40zM36 24l-5 5v13h8V24z",
        ),
    ),
    state=Watchtowers,
    tiles=tuple(_TILES),
    kinds=(KIND,),
    variations=with_watchtower,
    verbs=(
        Verb(
            "place_watchtower",
            "cell side type",
            verify_placing,
            place_watchtower,
            placings,
            at=("place_tiles", "place_now"),
        ),
    ),
    asks={"place_tiles": can_place, "place_now": must_place_now},
    steps=(
        Step("setup.deal", deal_watchtowers),
        Step("purchase.building", take_watchtower),
        Step("turn.place", lose_unplaced),
        Step("placed_now.lapse", lose_unplaced_now),
        Step("scoring.walls", score_watchtowers),
    ),
    standing=attached,
    locks=lock,
    resigned=leave_table,
    view=view,
    things=things,
    census=census,
)
