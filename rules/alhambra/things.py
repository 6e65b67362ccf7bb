"""The public pieces of modules, told in the nouns: enough to draw them without knowing the module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .game import Game
from .module import Module


def things_of(game: Game, record: Module) -> Iterator[Mapping[str, Any]]:
    """The public things of a module; of one that tells none, what it marks on cells. One thing has no amount."""
    if record.things is not None:
        for told in record.things(game):
            yield {noun: value for noun, value in told.items() if (noun, value) != ("amount", 1)}
    elif record.marks is not None:
        for seat in range(len(game.state.seats)):
            for cell, kind in sorted(record.marks(game, seat).items()):
                yield {"kind": kind, "seat": seat, "cell": cell}
