"""A module in several versions, for games that outlive a version.

Lamps: a seat that takes money may light its lamp, and scores a point for it when the turn is over.

    version 1   the first one
    version 2   the slice also counts who was asked, and the step that asks has another name
    version 3   a lit lamp is worth two points: other rules, the same form
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from alhambra import Decision, Game, Module, Move, registry
from alhambra.migrations import add_field
from alhambra.module import DecisionKind, Migration, Step, Verb, freely

KEY = "example_lamps"


@dataclass(slots=True)
class Lamps:
    """The seats that have a lit lamp."""

    lit: tuple[int, ...] = ()


@dataclass(slots=True)
class CountedLamps:
    """The seats that have a lit lamp, and how often a seat was asked."""

    lit: tuple[int, ...] = ()
    asked: int = 0


def kept(game: Game) -> Any:
    """The module's slice, whichever version it has."""
    return game.state.module_states[KEY]


def money_taken(game: Game, seat: int, _cards: tuple[str, ...]) -> None:
    """The seat may light its lamp."""
    game.push(game.ruleset.steps[ask_name(game)], seat)


def ask_name(game: Game) -> str:
    """The name of the step that asks."""
    return f"{KEY}.ask_lamp" if f"{KEY}.ask_lamp" in game.ruleset.steps else f"{KEY}.offer_light"


def ask_lamp(game: Game, seat: int) -> None:
    """The seat is asked."""
    game.push(game.ruleset.steps[f"{KEY}.notice"], seat)
    game.ask("lamp", seat)


def count_and_ask(game: Game, seat: int) -> None:
    """The seat is asked, and that is counted."""
    kept(game).asked += 1
    ask_lamp(game, seat)


def notice(game: Game, seat: int) -> None:
    """Everybody sees whether the lamp burns."""
    game.emit("lamp_seen", seat=seat, lit=seat in kept(game).lit)


def light(game: Game, decision: Decision, _move: Move) -> None:
    """The lamp burns."""
    kept(game).lit = tuple(sorted({*kept(game).lit, decision.seat}))


def lights(_game: Game, _decision: Decision) -> Iterator[Move]:
    """The one way to do it."""
    yield Move("light")


def pays(points: int) -> Callable[[Game], None]:
    """What a lit lamp is worth at the end of the turn."""

    def pay(game: Game) -> None:
        for seat in kept(game).lit:
            game.state.seats[seat].score += points
        kept(game).lit = ()

    return pay


V1 = Module(
    number=990,
    key=KEY,
    state=Lamps,
    events={"lamp_seen": "Everybody sees whether a lamp burns."},
    decisions=(DecisionKind("lamp", passing=freely),),
    verbs=(Verb("light", "", lambda *_: (), light, lights, at=("lamp",)),),
    agenda={"ask_lamp": ask_lamp, "notice": notice},
    steps=(Step("turn.after", pays(1)),),
    reactions={"money_taken": money_taken},
)
V2 = replace(
    V1,
    state=CountedLamps,
    agenda={"offer_light": count_and_ask, "notice": notice},
    migrations=(Migration(steps={"ask_lamp": "offer_light"}, change=add_field("asked", 0)),),
)
V3 = replace(V2, steps=(Step("turn.after", pays(2)),), migrations=(*V2.migrations, Migration()))


def forget() -> None:
    """The module is gone, whichever version was registered: other tests list the modules that there are."""
    if registry._registered.pop(KEY, None) is not None:
        for told in registry.ON_REGISTER:
            told()
