"""Tables for the modules whose tiles lie beside the market, and random Alhambras with their tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from alhambra import Game
from alhambra.components import Cell
from alhambra.placement.rules import legal_cells
from tests.rules.beside_oracle import Alhambra, Standing
from tests.rules.situations import table

OTHERS = ("magical_buildings", "medina", "squares", "military_camps")
"""Modules that bring tiles of every other sort."""
SIZE = 45


def random_alhambras(rng: Random, rounds: int, key: str) -> Iterator[tuple[Game, Alhambra]]:
    """Games with a module in which seat 0 has an Alhambra of tiles of all sorts, built by the rules and by chance,
    together with what can be read in each of its cells. Some buildings are covered."""
    game = table(3, modules=[key, *OTHERS])
    for _ in range(rounds):
        resampled = game.clone()
        board = resampled.state.seats[0].board = resampled.board(0)
        stock = [tile for tile in resampled.ruleset.tiles.values() if tile.kind != "start"]
        # Tiles without walls first, now and then: they make Alhambras with long lines.
        stock.sort(key=lambda tile: rng.random() + tile.parts[0].edges.count("w") * rng.choice((0.0, 0.2)))
        for tile in stock:
            rotation = rng.choice((0, 90, 180, 270)) if tile.rotatable else 0
            cells = legal_cells(board, tile, rotation, ())
            if cells and len(board.placed) < SIZE:
                board.put(tile, *_near(rng, cells), rotation)
        built = [tile for tile, placed in board.placed.items() if placed.tile.kind in ("standard", "magical")]
        resampled.state.covered = tuple(rng.sample(built, min(2, len(built))))
        yield resampled, _read(resampled)


def _near(rng: Random, cells: Sequence[Cell]) -> Cell:
    return rng.choice(sorted(cells, key=lambda cell: abs(cell[0]) + abs(cell[1]))[:6])


def _read(game: Game) -> Alhambra:
    found: Alhambra = {}
    for placed in game.state.seats[0].board.placed.values():
        counts = placed.tile.kind in ("standard", "magical") and placed.tile.id not in game.state.covered
        found[placed.x, placed.y] = Standing(placed.tile.type if counts else "", placed.tile.kind != "camp")
    return found


def score_lines(game: Game, step: Any, number: int, reason: str) -> dict[str, int]:
    """By tile: the points that a step of the scoring gives seat 0 for it."""
    game.events = []
    step(game, number)
    lines = [event.public for event in game.events if event.kind == "scored"]
    assert all(line["reason"] == reason and line["seat"] == 0 for line in lines)
    return {line["tile"]: line["points"] for line in lines}
