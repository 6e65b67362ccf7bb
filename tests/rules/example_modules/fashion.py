"""Fashion: each type is scored by another row of the ladder; the decree: towers by the lowest, three at most."""

from __future__ import annotations

from dataclasses import dataclass

from alhambra import Game, Module
from alhambra.components import TYPES
from alhambra.module import Layer, Modify, Step


@dataclass(slots=True)
class Fashion:
    """By type, in their order: the row that it is scored by."""

    rows: tuple[int, ...] = ()


def draw_fashion(game: Game) -> None:
    """Any order of the rows."""
    game.module_state(Fashion).rows = tuple(game.chance("example_fashion").shuffled(range(len(TYPES))))


def fashionable_row(game: Game, name: str, _number: int) -> int:
    """The row that was drawn for the type."""
    return game.module_state(Fashion).rows[TYPES.index(name)]


FASHION = Module(
    number=914,
    key="example_fashion",
    state=Fashion,
    steps=(Step("setup.deal", draw_fashion),),
    modify=(Modify("majority_row", Layer.SET, fashionable_row),),
    view=lambda game, _viewer: {"rows": list(game.module_state(Fashion).rows)},
)


def decreed_row(_game: Game, name: str, _number: int) -> int | None:
    """Whatever the fashion, towers count least."""
    return 0 if name == "tower" else None


def three_at_most(_game: Game, _seat: int, _name: str) -> int:
    """In half buildings."""
    return 6


DECREE = Module(
    number=915,
    key="example_decree",
    modify=(
        Modify("majority_row", Layer.SET, decreed_row, final=True),
        Modify("majority_count", Layer.CAP, three_at_most),
    ),
)
