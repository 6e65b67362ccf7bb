"""The id of a ruleset: it changes with whatever decides play, and with nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from alhambra import Module, load_module, registry, ruleset
from alhambra.base import BASE
from alhambra.components import component_data
from alhambra.module import Migration
from alhambra.ruleset import compile_ruleset

KEYS = tuple(sorted(registry.known_modules()))
RECORDS = (BASE, *(load_module(key) for key in KEYS))
Path = tuple[str | int, ...]


def identity(data: dict[str, Any] | None = None, modules: tuple[Module, ...] = RECORDS, **other: Any) -> str:
    """The id of a game with these modules, if the component data read like that."""
    facts = {"variants": (), "seats": 3, "edition": "de_revised_2019", **other}
    with pytest.MonkeyPatch.context() as patch:
        if data is not None:
            patch.setattr(ruleset, "component_data", lambda: data)
        return ruleset._identity(modules, **facts)


PRINTED = identity()


def with_(path: Path, value: object) -> dict[str, Any]:
    """The component data with another value in one place."""
    data: Any = deepcopy(component_data())
    at = data
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    found: dict[str, Any] = data
    return found


def leaves(data: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every single value of the data, with the way to it."""
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(value, (*path, key))
    else:
        yield path, data


def in_play() -> Iterator[tuple[Path, Any]]:
    """Every value that belongs to the base game or to a module that is written."""
    data = component_data()
    yield from leaves(data["base"], ("base",))
    for key in KEYS:
        yield from leaves(data["modules"][key], ("modules", key))


def test_the_id_names_edition_modules_and_seats() -> None:
    assert compile_ruleset(4, "hu_2003", ("squares",)).id.split(":")[1:4] == ["hu_2003", "4", "4"]


def test_no_name_note_or_provenance_enters_the_id() -> None:
    told = [path for path, _ in in_play() if str(path[-1]).startswith(("name", "provenance")) or "notes" in path]
    assert len(told) > 50
    changed = deepcopy(component_data())
    for path in told:
        at: Any = changed
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = f"{at[path[-1]]} "
    assert identity(changed) == PRINTED


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("base", "dirk", "after_2"), "a third of what is left, rounded down"),
        (("modules", "squares", "notes"), ["read again"]),
        (("modules", "squares", "name_de"), "Andere Plätze"),
        (("modules", "squares", "origin"), "somewhere else"),
        (("modules", "watchtowers", "data", "shape", "open_sides"), "the two legs"),
        (("modules", "squares", "components", 0, "item"), "square"),
        (("modules", "handymen", "components", 0, "count"), 99),
    ],
    ids=lambda value: value[-1] if isinstance(value, tuple) else "",
)
def test_a_text_for_people_and_a_module_that_is_not_on_change_no_id(path: Path, value: object) -> None:
    assert identity(with_(path, value)) == PRINTED


def test_every_number_that_is_printed_enters_the_id() -> None:
    numbers = [
        (path, value) for path, value in in_play() if isinstance(value, int) and (path[0] == "base" or "data" in path)
    ]
    assert len(numbers) > 100
    for path, value in numbers[::7]:
        assert identity(with_(path, value + 1)) != PRINTED, path


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("base", "tiles", 0, "price"), 3),
        (("base", "tiles", 0, "walls"), ["N", "E"]),
        (("base", "tiles", 0, "type"), "tower"),
        (("base", "money", "copies"), 4),
        (("modules", "squares", "data", "tiles", 0, "walls"), ["N", "E", "S"]),
        (("modules", "military_camps", "data", "tiles", 0, "price"), 99),
    ],
    ids=lambda value: "/".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_a_price_a_wall_a_type_or_a_count_changes_the_id(path: Path, value: object) -> None:
    assert identity(with_(path, value)) != PRINTED


@pytest.mark.parametrize(
    "change",
    [
        lambda: identity(modules=RECORDS[:-1]),
        lambda: identity(modules=(*RECORDS[:-1], replace(RECORDS[-1], migrations=(Migration(),)))),
        lambda: identity(variants=("invaders.open_attack",)),
        lambda: identity(seats=4),
        lambda: identity(edition="pt"),
    ],
    ids=["modules", "version", "variant", "seats", "edition"],
)
def test_modules_versions_variants_seats_and_edition_change_the_id(change: Callable[[], str]) -> None:
    assert change() != PRINTED
