"""What can be seen of discs and residents: before all have chosen only one's own, afterwards everything.

Discs lie on the cells of an Alhambra or are set aside; residents stand on them, in buildings, or in the open supply.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ...base.scoring import type_at
from ...components import STEP, TYPES, Cell
from ...game import Game
from .pick_residents import within_reach
from .residents import Residents, put_aboard, put_disc

if TYPE_CHECKING:
    from ...determinize import Secrets


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield each seat's disc with its residents, on its cell or set aside, and residents in their homes, once they are
    shown."""
    kept = game.module_state(Residents)
    if not kept.published:
        return
    for seat, (disc, aboard) in enumerate(zip(kept.discs, kept.aboard, strict=True)):
        board = game.state.seats[seat].board
        for cell, kind in sorted(_on_cells(game, seat).items()):
            if cell == disc:
                yield {"kind": kind, "seat": seat, "cell": cell, "residents": aboard}
            else:
                yield {"kind": kind, "seat": seat, "cell": cell, "type": type_at(game, board.cells[cell])}
        if disc is None:
            yield {"kind": "disc", "seat": seat, "residents": aboard}
    for name in TYPES:
        count = kept.supply.count(name)
        if count:
            yield {"kind": "resident", "type": name, "amount": count}


def private_pieces(game: Game, seat: int) -> Iterator[dict[str, Any]]:
    """Yield the seat's own disc as far as it is chosen, before the discs are shown."""
    kept = game.module_state(Residents)
    if not kept.published:
        cell = kept.discs[seat]
        yield {"kind": "disc", "seat": seat, **({"cell": cell} if cell else {}), "residents": kept.aboard[seat]}


def secrets(game: Game, viewer: int | None, found: Secrets) -> None:
    """Until they are shown, the others' residents could be any of their six, and their discs could lie at any side."""
    kept = game.module_state(Residents)
    for seat, (cell, picked) in enumerate(zip(kept.discs, kept.aboard, strict=True)):
        if kept.published or seat == viewer:
            continue
        others = tuple(colour for colour in within_reach(len(picked)) if colour not in picked)
        found.add(f"street_trader/residents-{seat}", picked, partial(put_aboard, game, seat))
        found.add(f"street_trader/residents-{seat}", others, _leave_out)
        if cell is not None:
            sides = tuple(sorted(STEP, key=lambda side: STEP[side] != cell))
            found.add(f"street_trader/disc-{seat}", sides[:1], partial(_lay_at, game, seat))
            found.add(f"street_trader/disc-{seat}", sides[1:], _leave_out)


def _lay_at(game: Game, seat: int, sides: tuple[str, ...]) -> None:
    put_disc(game, seat, STEP[sides[0]])


def _leave_out(_others: tuple[str, ...]) -> None:
    """Residents who were not picked and sides that were not chosen are nowhere."""


def _on_cells(game: Game, seat: int) -> dict[Cell, str]:
    """Return by cell of the Alhambra of a seat the disc, and the residents in the buildings."""
    kept = game.module_state(Residents)
    board = game.state.seats[seat].board
    built = [(tile, colour) for tile, colour in kept.homes.items() if tile in board.placed]
    homes = ((cell, colour) for tile, colour in built for cell in board.cells_of(tile))
    found = {cell: "resident" for cell, colour in homes if type_at(game, board.cells[cell]) == colour}
    disc = kept.discs[seat]
    return {**found, disc: "disc"} if disc else found
