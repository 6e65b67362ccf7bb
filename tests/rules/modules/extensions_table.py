"""A table with extensions: what the tests of the module begin with."""

from __future__ import annotations

from typing import Any

from alhambra import Game
from alhambra.modules.extensions import Extensions
from tests.rules.situations import display, market, pieces, table

FULL = {"gulden": "seraglio-8-s", "dirham": "seraglio-7-w", "denar": "chambers-7-sw", "dukat": "pavilion-6-n"}
"""A market with nothing to refill."""
PLAYED = "gulden-5 gulden-2 dirham-4"
"""The cards of the worked example: they match the first column and are worth 11."""


def extensions(seats: int = 3, *modules: str, **options: Any) -> Game:
    """A cleared table with a full market and open cards; pavilion, arcades and seraglio lie in the first column."""
    game = table(seats, modules=["extensions", *modules], **options)
    market(game, **FULL)
    display(game, "dukat-1 dukat-2 dukat-6 dukat-7")
    lay(game, "pavilion arcades seraglio")
    return game


def lay(game: Game, *columns: str) -> None:
    """Exactly these extensions lie in the first columns from the top down; the others lie where there is room."""
    kept = game.module_state(Extensions)
    left = sorted(kept.lying.values())
    wanted = {
        f"extension-{column}-{row}": name
        for column, names in enumerate(columns, start=1)
        for row, name in enumerate(names.split(), start=1)
    }
    for name in wanted.values():
        left.remove(name)
    kept.lying = {slot: wanted.get(slot) or left.pop() for slot in kept.lying}


def attach(game: Game, *tiles: str) -> None:
    """Extensions of the board lie on these tiles, one on each; those of the last columns are taken first."""
    kept = game.module_state(Extensions)
    for tile in tiles:
        name = game.state.types.get(tile) or game.ruleset.tiles[tile].type
        slot = next(slot for slot, lying in reversed(kept.lying.items()) if lying == name)
        kept.lying = {other: lying for other, lying in kept.lying.items() if other != slot}
        kept.attached = {**kept.attached, tile: (*kept.attached.get(tile, ()), name)}


def seen(game: Game, tile: str) -> list[dict[str, Any]]:
    """The extensions that everybody sees on a tile, without their kind."""
    found = pieces(game, "extensions", None, tile=tile)
    return [{noun: value for noun, value in piece.items() if noun != "kind" and value is not None} for piece in found]
