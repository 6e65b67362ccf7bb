"""The states of modules in a game, shared by its clones.

A game with all modules has more than a hundred fields in 35 module states, so copying them took most of the time of a
clone. A clone therefore shares them with its original, and from then on each of the two makes a copy of a state before
it hands it out. Nobody needs to say whether a state is read or changed.

A module state that was handed out belongs to the game until that game is cloned. Rules ask for it in every step, and
games are cloned between moves, so no rule notices.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any, TypeVar

T = TypeVar("T")


class OwnStates(dict[str, Any]):
    """The module states that one game may change. Those that it still shares are copied when they are asked for."""

    __slots__ = ("shared",)

    def __init__(self, shared: dict[str, Any]) -> None:
        self.shared = shared
        """All states of the last clone. They never change."""

    def __missing__(self, key: str) -> Any:
        own = self[key] = clone_module_state(self.shared[key])
        return own


class ModuleStates(MutableMapping[str, Any]):
    """The states of the modules of one game, by key. `own[key]` is the short way to one of them."""

    __slots__ = ("own",)

    def __init__(self, states: dict[str, Any] | None = None) -> None:
        """Take over these states: nobody may change them any more."""
        self.own = OwnStates(states or {})

    def clone(self) -> ModuleStates:
        """Return an independent copy. Threads may clone the same game at the same time, if none changes it."""
        if self.own:
            self.own = OwnStates(self.to_read())
        return ModuleStates(self.own.shared)

    def to_read(self) -> dict[str, Any]:
        """Return the states without copying them: only for reading."""
        own = self.own
        return own.shared | own if own else own.shared

    def __getitem__(self, key: str) -> Any:
        return self.own[key]

    def __setitem__(self, key: str, value: object) -> None:
        self.own[key] = value

    def __delitem__(self, key: str) -> None:
        raise TypeError("a module keeps its state until the end of the game")

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_read())

    def __len__(self) -> int:
        return len(self.to_read())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModuleStates) and self.to_read() == other.to_read()

    __hash__ = None  # type: ignore[assignment]


def clone_module_state(kept: T) -> T:
    """Return a copy of a module's state: a dataclass with slots, whose field values are never changed in place."""
    copy = object.__new__(type(kept))
    for name in type(kept).__slots__:  # type: ignore[attr-defined]
        setattr(copy, name, getattr(kept, name))
    return copy
