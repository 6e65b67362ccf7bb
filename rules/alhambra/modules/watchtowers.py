"""22 Watchtowers.

Eighteen half tiles, three in each colour. With a standard building the buyer may take a watchtower of its colour for a
surcharge, paid together with the building: 6 before the first scoring, 4 before the second, 2 before the third. Both
are placed in any order; a watchtower is turned freely, must touch a building of its own colour with one of its two
open legs, and is never reserved nor redesigned. One that fits nowhere goes back to the supply. Its long side is a wall
of the outline; every watchtower in the longest run of outer walls brings 2 further points.

What may touch its sides stands in `placement/contacts.py`, holes beside its empty half in `placement/rules.py`, the
wall along the diagonal in `placement/outline.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..base.build import Build, builds, lay_tile, verify_build
from ..base.payment.offers import Offer, Purchase
from ..base.place_tiles import acquire, drop_pending, tiles_at
from ..base.scoring import score
from ..board import Board
from ..components import LEG, STEP, TYPES, VOID, Part, Tile, module_data
from ..declarations import PieceKind, Reason, outline_of
from ..game import Game
from ..module import Module, Step, TileKind, Verb
from ..moves import Move, need
from ..placement.contacts import Contact, PlacedPart, PlacedTile, contact, placed_parts
from ..placement.outline import wall_runs
from ..state import Decision
from ..violations import Violation

KEY = "watchtowers"
WATCHTOWER = "watchtower"
"""The kind of tile, the effect that lets a purchase include one, and the choice of a buyer who takes it."""
TURNS = {"NE": 0, "SE": 90, "SW": 180, "NW": 270}
"""How far it is turned, by the corner where its legs meet."""
CORNERS = {turn: corner for corner, turn in TURNS.items()}


def _watchtower(name: str, number: int) -> Tile:
    legs_and_wall = Part(0, 0, LEG * 2 + VOID * 2, name)
    return Tile(f"watchtower_{name}_{number}", WATCHTOWER, (legs_and_wall,), rotatable=True)


_COPIES: dict[str, int] = module_data(KEY)["tiles"]
_TILES = [_watchtower(name, number) for name in _COPIES for number in range(1, _COPIES[name] + 1)]
WATCHTOWERS = {tile.id: tile for tile in _TILES}
_OF_TYPE = {name: tuple(tile.id for tile in _TILES if tile.type == name) for name in _COPIES}
SURCHARGES = tuple(module_data(KEY)["surcharge"][when] for when in ("before_1", "between_1_2", "between_2_3"))
"""By the number of scorings held."""
BONUS: int = module_data(KEY)["bonus_in_longest"]


@dataclass(slots=True)
class Watchtowers:
    """The watchtowers that no seat has bought, and those that went back because they found no place."""

    supply: tuple[str, ...] = tuple(WATCHTOWERS)


def _first_of(tiles: tuple[str, ...], name: str | None) -> str | None:
    """Return the watchtower of a type with the lowest number among some tiles: copies are interchangeable."""
    for tower in _OF_TYPE.get(name or "", ()):
        if tower in tiles:
            return tower
    return None


# -- Buying --------------------------------------------------------------------------------------------------------


def surcharge(game: Game) -> int:
    """Return what a watchtower adds to the price now."""
    return int(SURCHARGES[min(len(game.state.held), len(SURCHARGES) - 1)])


def with_watchtower(game: Game, _seat: int, offer: Offer) -> Iterator[Offer]:
    """Yield the same purchase with a watchtower of its colour, if one is left."""
    if WATCHTOWER in offer.effects and not offer.choice and _left_for(game, offer.tile) is not None:
        yield offer._replace(price=offer.price + surcharge(game), choice=WATCHTOWER)


def _left_for(game: Game, tile: str) -> str | None:
    return _first_of(game.module_state(Watchtowers).supply, game.ruleset.tiles[tile].type)


def take_watchtower(game: Game, purchase: Purchase) -> None:
    """The watchtower comes to its buyer, who places it together with the tiles. Dirk never gets it (22.39)."""
    if purchase.choice == WATCHTOWER:
        kept = game.module_state(Watchtowers)
        tower = _left_for(game, purchase.tile)
        assert tower is not None
        kept.supply = tuple(other for other in kept.supply if other != tower)
        acquire(game, purchase.seat, tower, purchase.how, giftable=False)


# -- Standing ------------------------------------------------------------------------------------------------------


def _colour(game: Game, part: PlacedPart) -> str:
    """Return the building type that can be seen there: not that of a square; under a site it still can (22.33)."""
    printed = part.type if game.ruleset.kinds[part.tile.kind].typed else ""
    return game.state.types.get(part.tile.id) or printed


def attached(game: Game, _seat: int, board: Board, tower: PlacedTile) -> Iterator[Violation]:
    """A leg of every watchtower touches a building of its colour."""
    for cell, part in placed_parts(*tower):
        for number, (dx, dy) in enumerate(STEP.values()):
            beyond = board.at(cell[0] + dx, cell[1] + dy)
            if beyond and contact(part, number, beyond) is Contact.PASS and _colour(game, beyond) == part.type:
                return
    yield Violation("CONTACT_REQUIRED", tile=tower.tile.id, with_=tower.tile.type).of_module(KEY)


def lock(game: Game, _seat: int, tile: str) -> str | None:
    """Return the word for a watchtower if the tile is one: it is never redesigned."""
    return WATCHTOWER if game.ruleset.tiles[tile].kind == WATCHTOWER else None


# -- Placing -------------------------------------------------------------------------------------------------------


def verify_placing(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """It was bought, the construction rules hold, and its colour is there."""
    side = need(move.side)
    tower = _first_of(tiles_at(game, decision), move.type)
    if tower is None:
        yield Violation("NOT_THERE", "type", id=move.type, place="pending")
    if side not in TURNS:
        yield Violation("NOUN_MALFORMED", "side", value=side)
    elif tower is not None:
        board = game.state.seats[decision.seat].board
        build = Build(need(move.cell), TURNS[side])
        yield from verify_build(game, decision.seat, board, WATCHTOWERS[tower], build)


def place_watchtower(game: Game, decision: Decision, move: Move) -> None:
    """It stands in the Alhambra from now on."""
    side = need(move.side)
    tower = _first_of(tiles_at(game, decision), move.type)
    assert tower is not None
    drop_pending(game, decision.seat, tower)
    build = Build(need(move.cell), TURNS[side])
    nouns = {"type": move.type, "side": side}
    lay_tile(game, decision.seat, tower, build, "place", event="watchtower_placed", **nouns)


def placings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every type to place at every legal position."""
    board, pending = game.state.seats[decision.seat].board, tiles_at(game, decision)
    for name in TYPES:
        tower = _first_of(pending, name)
        for cell, turn, _, _ in builds(game, decision.seat, board, WATCHTOWERS[tower]) if tower else ():
            yield Move("place_watchtower", cell=cell, side=CORNERS[turn or 0], type=name)


def lose(game: Game, seat: int, tower: str) -> None:
    """A watchtower that fits nowhere goes back to the supply when placing is over; the price is not refunded."""
    kept = game.module_state(Watchtowers)
    kept.supply = (*kept.supply, tower)
    drop_pending(game, seat, tower)
    game.emit("watchtower_lost", seat=seat, tile=tower, type=WATCHTOWERS[tower].type)


# -- Scoring, views ------------------------------------------------------------------------------------------------


def score_watchtowers(game: Game, number: int) -> None:
    """Points for those in the longest wall; of equally long ones the owner scores that with the most."""
    for seat, owner in enumerate(game.state.seats):
        longest = next(iter(wall_runs(owner.board)), None) if owner.board.odd else None
        if longest is not None and longest.towers:
            count = longest.towers
            score(game, seat, BONUS * count, "wall_watchtowers", scoring=number, count=count)


def view(game: Game, _viewer: int | None) -> dict[str, Any]:
    """Return what a watchtower costs now."""
    return {"surcharge": surcharge(game)}


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the watchtowers in the supply. Those that were bought are pending tiles."""
    types = [WATCHTOWERS[tower].type for tower in game.module_state(Watchtowers).supply]
    for name in TYPES:
        if name in types:
            yield {"kind": "watchtower", "type": name, "amount": types.count(name)}


def census(game: Game) -> Iterator[str]:
    """Yield the watchtowers in the supply."""
    yield from game.module_state(Watchtowers).supply


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
    public_facts={
        "surcharge": "What a watchtower costs now, on top of the building.",
    },
    piece_kinds=(
        PieceKind(
            "watchtower",
            "Watchtowers of one type in the supply.",
            outline_of("watchtower"),
        ),
    ),
    nouns={"choice": (WATCHTOWER,)},
    effects={WATCHTOWER: "A watchtower can be bought along."},
    state=Watchtowers,
    tiles=tuple(_TILES),
    kinds=(TileKind(WATCHTOWER, lapse=lose, anchor=attached),),
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
    steps=(Step("purchase.building", take_watchtower), Step("scoring.walls", score_watchtowers)),
    locks=lock,
    view=view,
    public_pieces=public_pieces,
    census=census,
)
