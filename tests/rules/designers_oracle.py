"""Palace designers by the text of their rule: what each new tile brings, told from the events alone.

The oracle keeps, for every seat, which cells its tiles cover, and where its designer stands. It learns both from events
that everybody sees, and asks the engine for nothing but the shape of a tile.
"""

from __future__ import annotations

from random import Random

from alhambra import Event, Game
from alhambra.components import Cell

SIDES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
LONGEST = 2_500
"""Moves that a game is followed at most."""
CARRIES_NOBODY = ("camp", "watchtower")


class Follower:
    """Follows one game, compares every score line of designers with the rule, and every missing one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.covered: list[dict[str, set[Cell]]] = [
            {tile: set(seat.board.cells_of(tile)) for tile in seat.board.placed} for seat in game.state.seats
        ]
        self.standing: list[tuple[Cell, str] | None] = [None] * len(game.state.seats)
        for piece in game.view(None)["pieces"]["palace_designers"]:
            if piece.get("side"):
                self.standing[piece["seat"]] = (tuple(piece["cell"]), piece["side"])

    def points(self, seat: int, new: set[Cell]) -> int:
        """What a tile on these cells brings, whatever lies there now."""
        standing = self.standing[seat]
        assert standing is not None
        (x, y), side = standing
        own = next(cells for cells in self.covered[seat].values() if (x, y) in cells)
        if (x + SIDES[side][0], y + SIDES[side][1]) in new:
            return 2
        touched = {(cx + dx, cy + dy) for cx, cy in own for dx, dy in SIDES.values()}
        return 1 if touched & new else 0

    def play(self, number: int) -> int:
        """Play a random game and compare; return how many score lines there were."""
        rng = Random(number)
        lines = 0
        while not self.game.over and self.game.version < LONGEST:
            lines += self._compare(self.game.apply(self.game.random_move(rng)))
        return lines

    def _compare(self, events: list[Event]) -> int:
        expected: list[tuple[int, str, int]] = []
        found: list[tuple[int, str, int]] = []
        for event in events:
            told = event.public
            if event.kind == "scored" and told["reason"] == "designer":
                found.append((told["seat"], told["tile"], told["points"]))
            elif event.kind == "designer_placed":
                self.standing[told["seat"]] = (tuple(told["cell"]), told["side"])
            elif event.kind in ("removed", "lifted"):
                self.covered[told["seat"]].pop(told["tile"])
            elif event.kind == "swapped":
                self.covered[told["seat"]][told["tile"]] = self.covered[told["seat"]].pop(told["removed"])
            elif event.kind in ("placed", "moved", "watchtower_placed"):
                expected += self._built(told["seat"], told["tile"], told["cell"])
        assert found == expected
        return len(found)

    def _built(self, seat: int, tile: str, cell: Cell) -> list[tuple[int, str, int]]:
        """A tile was built: what it brings, if anything."""
        parts = self.game.ruleset.tiles[tile].parts
        cells = {(cell[0] + part.dx, cell[1] + part.dy) for part in parts}
        points = 0 if tile.startswith(CARRIES_NOBODY) else self.points(seat, cells)
        self.covered[seat][tile] = cells
        return [(seat, tile, points)] if points else []
