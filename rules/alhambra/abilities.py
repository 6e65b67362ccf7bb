"""Abilities: the cards of a module that is made of cards, each with everything that it adds to the game.

Where a module has ten characters or nine craftsmen, each of them is one definition, and the module adds them up:

    MISER = Ability(decisions=(…,), steps=(Step("purchase.bonus", ask_miser),))
    MODULE = add_up(Module(number=7, …), (DANCER, MISER, …))

The result is a module like any other. Its own hooks come first, then those of each ability, in the order given. A
module may extend `Ability` by what its cards need among themselves: a name, what happens when one is gained.

An ability has the fields of `Hooks` (`module.py`). A field that is added there needs a line in `JOINS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .module import Hooks, Module
from .violations import BadModule, Fault

if TYPE_CHECKING:
    from .game import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability(Hooks):
    """What one card of a module adds."""


def add_up(module: Module, abilities: Iterable[Ability]) -> Module:
    """Return the module with the hooks of its abilities behind its own. Raise BadModule if two of them declare one
    word."""
    parts = (module, *abilities)
    joined = {}
    for name, join in JOINS.items():
        given = [hook for hook in (getattr(part, name) for part in parts) if hook]
        if given:
            try:
                joined[name] = given[0] if len(given) == 1 else join(given)
            except GivenTwice as fault:
                raise BadModule(module.key, Fault(name, str(fault))) from None
    return replace(module, **joined)


# -- How several values of one hook become one -------------------------------------------------------------------------

Join = Callable[[list[Any]], Any]


class GivenTwice(ValueError):
    """A word that two abilities of one module have."""


def _in_a_row(tuples: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    return tuple(entry for entries in tuples for entry in entries)


def _each_word_once(tables: list[Mapping[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for table in tables:
        twice = found.keys() & table.keys()
        if twice:
            raise GivenTwice(f"two abilities of one module have {sorted(twice)}")
        found |= table
    return found


def _by_word(join: Join) -> Join:
    """Return a join of tables in which the values of one word are joined, too."""

    def joined(tables: list[Mapping[str, Any]]) -> dict[str, Any]:
        found: dict[str, list[Any]] = {}
        for table in tables:
            for word, value in table.items():
                found.setdefault(word, []).append(value)
        return {word: values[0] if len(values) == 1 else join(values) for word, values in found.items()}

    return joined


def _named(function: Callable[..., Any], functions: list[Callable[..., Any]]) -> Callable[..., Any]:
    """Name a joined function after all its parts, for `Ruleset.explain`, and return it."""
    function.__name__ = " + ".join(single.__name__ for single in functions)
    return function


def _everything_of_each(functions: list[Callable[..., Iterable[Any]]]) -> Callable[..., Iterator[Any]]:
    def together(*args: Any) -> Iterator[Any]:
        for function in functions:
            yield from function(*args)

    return _named(together, functions)


def _whether_any(functions: list[Callable[..., bool]]) -> Callable[..., bool]:
    def together(*args: Any) -> bool:
        return any(function(*args) for function in functions)

    return _named(together, functions)


def _one_after_the_other(functions: list[Callable[..., None]]) -> Callable[..., None]:
    hooks = tuple(functions)

    def together(game: Game, *args: Any) -> None:
        game.run_hooks(hooks, *args)  # so that what they push is done in their order, too

    return _named(together, functions)


JOINS: dict[str, Join] = {
    "events": _each_word_once,
    "reasons": _in_a_row,
    "scores": _each_word_once,
    "effects": _each_word_once,
    "choices": _in_a_row,
    "usable": _in_a_row,
    "tenders": _everything_of_each,
    "items": _each_word_once,
    "verbs": _in_a_row,
    "decisions": _in_a_row,
    "answers": _by_word(_in_a_row),
    "stages": _in_a_row,
    "steps": _in_a_row,
    "agenda": _each_word_once,
    "asks": _by_word(_whether_any),
    "licences": _everything_of_each,
    "helpers": _by_word(_everything_of_each),
    "modify": _in_a_row,
    "reactions": _by_word(_one_after_the_other),
}
"""By hook of an ability: how those of several are joined."""
