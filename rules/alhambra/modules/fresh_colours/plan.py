"""The plan with its projects and offers, the supply of colour tiles, and what lies before the seats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.supply import without
from ...components import CURRENCIES, TYPES, module_data
from ...game import Game

if TYPE_CHECKING:
    from ...determinize import Secrets

DATA = module_data("fresh_colours")
MOST_COLOURS: int = DATA["max_colour_tiles"]
MOST_UNCOMPLETED: int = DATA["max_open_projects"]
MOST_SEATS_WITHOUT_STARS = 3
STACK = "fresh-stack"
"""The slot of the stack of projects: its top one lies open."""


class Project(NamedTuple):
    """A decoration project: the building type that it decorates, and the colour tiles that complete it."""

    type: str
    requires: tuple[str, ...]
    star: bool


PROJECTS = {tile["id"]: Project(tile["type"], tuple(tile["requires"]), tile["star"]) for tile in DATA["project_tiles"]}
OFFERS: dict[str, tuple[str, ...]] = {
    f"colours-{currency}-{number}": tuple(colours)
    for currency in CURRENCIES
    for number, colours in enumerate(DATA["board"][currency], start=1)
}
"""By slot: the colour tiles that are printed there. A colour is named by the building type that it belongs to."""


def field_of(currency: str) -> str:
    """Return the slot of the project in the column of a currency."""
    return f"fresh-{currency}"


@dataclass(slots=True)
class Plan:
    """Everything lies open but the projects below the top of the stack."""

    fields: dict[str, str] = field(default_factory=dict)
    """By slot: the project on that field; fields that cannot be filled any more are left out."""
    stack: tuple[str, ...] = ()
    """The last one lies open on top."""
    supply: tuple[str, ...] = ()
    colours: tuple[tuple[str, ...], ...] = ()
    """By seat: its colour tiles."""
    uncompleted: tuple[tuple[str, ...], ...] = ()
    """By seat: its projects that are still to be completed."""
    completed: tuple[tuple[str, ...], ...] = ()
    """By seat: its completed projects."""
    out: tuple[str, ...] = ()
    """Projects that are not in the game."""


def lay_out(game: Game) -> None:
    """Shuffle the projects, fill the fields of the plan from the stack, and put all colour tiles into the supply."""
    plan, seats = game.module_state(Plan), len(game.state.seats)
    left_out = [name for name, project in PROJECTS.items() if project.star and seats <= MOST_SEATS_WITHOUT_STARS]
    plan.out = tuple(left_out)
    plan.stack = tuple(game.chance("fresh_colours/stack").shuffled([name for name in PROJECTS if name not in left_out]))
    plan.supply = tuple(name for name in TYPES for _ in range(DATA["colour_tiles"][name]))
    plan.colours = plan.uncompleted = plan.completed = ((),) * seats
    for currency in CURRENCIES:
        fill_field(game, field_of(currency))
    game.emit("fresh_turned", slot=STACK, piece=plan.stack[-1])


def fill_field(game: Game, slot: str) -> None:
    """The top project of the stack goes to a field."""
    plan = game.module_state(Plan)
    *rest, top = plan.stack
    plan.fields, plan.stack = {**plan.fields, slot: top}, tuple(rest)
    game.emit("fresh_turned", slot=slot, piece=top)


def project_in(game: Game, slot: str) -> str:
    """Return the project that can be seen in a slot; an empty text if there is none."""
    plan = game.module_state(Plan)
    if slot == STACK:
        return plan.stack[-1] if plan.stack else ""
    return plan.fields.get(slot, "")


def changed(values: tuple[tuple[str, ...], ...], seat: int, own: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the values of all seats, with another one for this seat."""
    return (*values[:seat], own, *values[seat + 1 :])


def give_colours(game: Game, seat: int, colours: tuple[str, ...]) -> None:
    """Colour tiles move from the supply to a seat."""
    plan = game.module_state(Plan)
    plan.supply = without(plan.supply, colours)
    plan.colours = changed(plan.colours, seat, _sorted((*plan.colours[seat], *colours)))


def return_colours(game: Game, seat: int, colours: tuple[str, ...]) -> None:
    """Colour tiles of a seat go back to the supply."""
    plan = game.module_state(Plan)
    plan.colours = changed(plan.colours, seat, without(plan.colours[seat], colours))
    plan.supply = _sorted((*plan.supply, *colours))


def _sorted(colours: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(colours, key=TYPES.index))


def give_back(game: Game, seat: int) -> None:
    """The colour tiles of a seat that resigns return to the supply, its projects leave the game."""
    plan = game.module_state(Plan)
    if plan.colours[seat]:
        game.emit("colours_returned", seat=seat, types=plan.colours[seat])
        return_colours(game, seat, plan.colours[seat])
    plan.out = (*plan.out, *plan.uncompleted[seat], *plan.completed[seat])
    plan.uncompleted, plan.completed = changed(plan.uncompleted, seat, ()), changed(plan.completed, seat, ())


# -- What can be seen ----------------------------------------------------------------------------------------------


def view(_game: Game, _viewer: int | None) -> dict[str, Any]:
    """Return what is printed on the projects."""
    return {"requires": {name: list(project.requires) for name, project in PROJECTS.items()}}


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield projects and offers on the plan, the top of the stack, the supply, and what lies before the seats."""
    plan = game.module_state(Plan)
    for slot in filter(plan.fields.__contains__, map(field_of, CURRENCIES)):
        piece = plan.fields[slot]
        yield {"kind": "fresh", "slot": slot, "piece": piece, "type": PROJECTS[piece].type}
    if plan.stack:
        top = plan.stack[-1]
        yield {"kind": "fresh", "slot": STACK, "piece": top, "type": PROJECTS[top].type, "amount": len(plan.stack)}
    for slot, colours in OFFERS.items():
        yield {"kind": "colours", "slot": slot, "type": colours[0], "amount": len(colours)}
    for seat, lying in ((None, plan.supply), *enumerate(plan.colours)):
        for name in dict.fromkeys(lying):
            yield {"kind": "paint", "seat": seat, "type": name, "amount": lying.count(name)}
    for choice, owned in (("uncompleted", plan.uncompleted), ("completed", plan.completed)):
        for seat, pieces in enumerate(owned):
            for piece in pieces:
                yield {"kind": "fresh", "seat": seat, "piece": piece, "type": PROJECTS[piece].type, "choice": choice}


def secrets(game: Game, _viewer: int | None, found: Secrets) -> None:
    """Nobody knows in which order the projects below the top lie."""
    stack = game.module_state(Plan).stack
    found.add("fresh_colours", stack[:-1], partial(_put_below, game, stack[-1:]))


def _put_below(game: Game, top: tuple[str, ...], hidden: tuple[str, ...]) -> None:
    game.module_state(Plan).stack = hidden + top


def census(game: Game) -> Iterator[str]:
    """Yield all projects and colour tiles, wherever they are."""
    plan = game.module_state(Plan)
    yield from (*plan.fields.values(), *plan.stack, *plan.out)
    yield from (piece for owned in (*plan.uncompleted, *plan.completed) for piece in owned)
    yield from (f"colour-{name}" for lying in (plan.supply, *plan.colours) for name in lying)
