"""Kiosks: one comes with every garden that is bought, open to the south only; it is built or lost, never reserved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alhambra import Decision, Game, Module, Move, Tile, Violation
from alhambra.base.build import Build, builds, lay_tile, verify_build
from alhambra.base.payment.offers import Purchase
from alhambra.base.place_tiles import acquire, drop_pending, tiles_at
from alhambra.components import Part
from alhambra.module import Stage, Step, TileKind, Verb


@dataclass(slots=True)
class Kiosks:
    """Those that nobody has bought yet, or that found no place."""

    supply: tuple[str, ...] = ()


def back_to_supply(game: Game, seat: int, tile: str) -> None:
    """A kiosk that fits nowhere."""
    drop_pending(game, seat, tile)
    kept = game.module_state(Kiosks)
    kept.supply = (*kept.supply, tile)
    game.emit("kiosk_lost", seat=seat, tile=tile)


KIOSK = TileKind("kiosk", lapse=back_to_supply)
TILES = tuple(Tile(f"kiosk-{number}", KIOSK.name, (Part(0, 0, "wwow"),)) for number in range(1, 9))


def stock(game: Game) -> None:
    """All of them."""
    game.module_state(Kiosks).supply = tuple(tile.id for tile in TILES)


def come_along(game: Game, purchase: Purchase) -> None:
    """A kiosk comes with a garden."""
    kept = game.module_state(Kiosks)
    if purchase.tile and game.ruleset.tiles[purchase.tile].type == "garden" and kept.supply:
        tile, *rest = kept.supply
        kept.supply = tuple(rest)
        acquire(game, purchase.seat, tile, purchase.how, giftable=False)


def verify_setting_up(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A kiosk at hand, and the construction rules hold."""
    assert move.tile is not None
    assert move.cell is not None
    if move.tile not in tiles_at(game, decision) or game.ruleset.tiles[move.tile].kind != KIOSK.name:
        yield Violation("NOT_THERE", "tile", id=move.tile, place="pending")
        return
    board = game.state.seats[decision.seat].board
    yield from verify_build(game, decision.seat, board, game.ruleset.tiles[move.tile], Build(move.cell))


def set_up(game: Game, decision: Decision, move: Move) -> None:
    """It stands in the Alhambra."""
    assert move.tile is not None
    assert move.cell is not None
    drop_pending(game, decision.seat, move.tile)
    lay_tile(game, decision.seat, move.tile, Build(move.cell), "place")


def settings_up(game: Game, decision: Decision) -> Iterator[Move]:
    """Every kiosk at every place it can go."""
    board = game.state.seats[decision.seat].board
    for tile in tiles_at(game, decision):
        if game.ruleset.tiles[tile].kind == KIOSK.name:
            for cell, _, items, choice in builds(game, decision.seat, board, game.ruleset.tiles[tile]):
                if not items and choice is None:
                    yield Move("set_up", tile, cell=cell)


KIOSKS = Module(
    number=919,
    key="example_kiosks",
    state=Kiosks,
    tiles=TILES,
    kinds=(KIOSK,),
    verbs=(Verb("set_up", "tile cell", verify_setting_up, set_up, settings_up, at=("place_tiles", "place_now")),),
    stages=(Stage("purchase.kiosk", after="purchase.building"),),
    steps=(Step("setup.deal", stock), Step("purchase.kiosk", come_along)),
    census=lambda game: game.module_state(Kiosks).supply,
)
