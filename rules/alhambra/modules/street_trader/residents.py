"""Where the discs lie and the residents stand: on the discs, in buildings, in the general supply.

There are seven residents in each of the six building colours. The supply is open and has no limit but their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ...components import TYPES, Cell, module_data
from ...game import Game
from ...moves import Move
from ...state import Decision

RESIDENTS: dict[str, int] = module_data("street_trader")["citizens"]
PICKED: int = module_data("street_trader")["on_tile_at_start"]
"""How many residents begin on each disc."""


@dataclass(slots=True)
class Residents:
    """Where the discs lie and the residents stand."""

    discs: tuple[Cell | None, ...] = ()
    """A disc without a cell is set aside."""
    aboard: tuple[tuple[str, ...], ...] = ()
    """The residents on each disc."""
    homes: dict[str, str] = field(default_factory=dict)
    """By tile: the resident who moved in."""
    supply: tuple[str, ...] = ()
    published: bool = False
    """Until everybody has chosen, a seat knows only its own disc."""


def put_disc(game: Game, seat: int, cell: Cell | None) -> None:
    """The seat's disc lies on this cell, or is set aside."""
    kept = game.module_state(Residents)
    kept.discs = (*kept.discs[:seat], cell, *kept.discs[seat + 1 :])


def put_aboard(game: Game, seat: int, residents: Iterable[str]) -> None:
    """These residents stand on the seat's disc, and no others."""
    kept = game.module_state(Residents)
    kept.aboard = (*kept.aboard[:seat], group(residents), *kept.aboard[seat + 1 :])


def group(residents: Iterable[str], less: str = "") -> tuple[str, ...]:
    """Return residents in the order of their colours, one of them left out."""
    found = sorted(residents, key=TYPES.index)
    if less:
        found.remove(less)
    return tuple(found)


def of_each_colour(verb: str) -> Callable[[Game, Decision], Iterator[Move]]:
    """Return the moves of a verb that names a resident: one with each of the six colours."""
    return lambda _game, _decision: (Move(verb, type=colour) for colour in TYPES)


def census(game: Game) -> Iterator[str]:
    """Yield all residents, wherever they are."""
    kept = game.module_state(Residents)
    for residents in (kept.supply, kept.homes.values(), *kept.aboard):
        yield from (f"resident-{colour}" for colour in residents)
