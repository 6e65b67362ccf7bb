"""The form of a module: its files, its record, its slice of the state; and all modules compile together."""

from __future__ import annotations

import ast
import re
from dataclasses import fields, is_dataclass
from itertools import combinations
from pathlib import Path

import pytest

from alhambra import EDITIONS
from alhambra.base import BASE
from alhambra.ruleset import compile_ruleset
from scripts.module_files import MODULES
from tests.rules.module_code import (
    ALL_KEYS,
    FILES,
    MAIN,
    RULES,
    SOURCES,
    calls_of,
    compiled,
    definition_of,
    definitions,
    each_module,
    syntax,
)

CONTRACT_LINES = 300
SEATS = range(2, 7)
MODULE_LINES = 250
each_file = pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.relative_to(MODULES).as_posix()) for path in SOURCES],
)

# -- The contract, the file and the record -----------------------------------------------------------------------------


def test_the_contract_stays_under_300_lines() -> None:
    assert len((RULES / "module.py").read_text(encoding="utf-8").splitlines()) < CONTRACT_LINES


@each_module
def test_a_module_opens_with_its_number_and_the_rule(key: str) -> None:
    text = ast.get_docstring(syntax(MAIN[key])) or ""
    assert text.startswith(f"{definition_of(key).number:02} ")
    title, _, rule = text.partition("\n\n")
    assert re.fullmatch(r"\d\d [A-Z].*\.", title), title
    assert len(rule.split()) >= 20, "the rule in the game's words"


@each_file
def test_a_file_of_a_module_opens_with_the_rule_that_it_implements(path: Path) -> None:
    assert len((ast.get_docstring(syntax(path)) or "").split()) >= 12, "the rule in the game's words"


@each_file
def test_a_module_in_a_folder_has_short_files(path: Path) -> None:
    if path.parent != MODULES:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= MODULE_LINES


@each_module
def test_a_module_is_one_file_or_one_folder(key: str) -> None:
    assert MAIN[key] in (MODULES / f"{key}.py", MODULES / key / "__init__.py")
    assert {path.parent for path in FILES[key]} == {MAIN[key].parent}
    assert MAIN[key].parent != MODULES or len(FILES[key]) == 1


@each_module
def test_a_module_ends_with_its_record(key: str) -> None:
    """`MODULE = Module(…)`, or with abilities `MODULE = add_up(Module(…), …)`; it is the only record."""
    last = syntax(MAIN[key]).body[-1]
    assert isinstance(last, ast.Assign)
    assert [ast.unparse(target) for target in last.targets] == ["MODULE"]
    made = last.value
    if calls_of(last, "add_up") == [made]:
        assert isinstance(made, ast.Call)
        made = made.args[0]
    assert [call for path in FILES[key] for call in calls_of(syntax(path), "Module")] == [made]


@each_module
def test_a_module_is_called_like_its_file_and_numbered_like_the_component_data(key: str) -> None:
    assert definition_of(key).key == key
    assert definition_of(key).number == ALL_KEYS.index(key) + 1


def test_no_two_modules_share_a_number() -> None:
    numbers = [module.number for module in definitions()]
    assert len(set(numbers)) == len(numbers)
    assert BASE.number == 0


# -- Slices ------------------------------------------------------------------------------------------------------------


@each_module
def test_a_slice_is_a_plain_dataclass_with_slots(key: str) -> None:
    kept = definition_of(key).state
    if kept is None:
        return
    assert is_dataclass(kept)
    assert kept.__bases__ == (object,)  # a copy is made of its own slots only
    assert set(vars(kept)["__slots__"]) == {field.name for field in fields(kept)}
    assert not hasattr(kept(), "__dict__")
    assert kept.__module__.split(".")[:3] == ["alhambra", "modules", key]


@each_module
def test_the_fields_of_a_slice_are_never_changed_inside(key: str) -> None:
    """Two fresh slices share nothing, and no field begins as a list or a set, which invite changing."""
    kept = definition_of(key).state
    if kept is None:
        return
    one, two = kept(), kept()
    for field in fields(kept):
        value = getattr(one, field.name)
        assert isinstance(value, tuple | dict | str | int | bool | None), f"{field.name} is a {type(value).__name__}"
        assert not isinstance(value, dict) or value is not getattr(two, field.name)


# -- All compile -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", SEATS)
def test_all_modules_compile_together(seats: int) -> None:
    ruleset = compiled(tuple(FILES), seats)
    assert set(ruleset.keys) == set(FILES)
    for key in FILES:
        after = set(definition_of(key).after) & set(FILES)
        assert after <= set(ruleset.keys[: ruleset.keys.index(key)])


def test_every_module_and_every_pair_compiles_with_some_number_of_seats() -> None:
    chosen = [*combinations(FILES, 1), *combinations(FILES, 2)]
    assert len(chosen) == len(FILES) * (len(FILES) + 1) // 2
    ids = {compiled(keys, SEATS[place % len(SEATS)]).id for place, keys in enumerate(chosen)}
    assert len(ids) == len(chosen)


@pytest.mark.check_only
@pytest.mark.parametrize("seats", SEATS)
def test_every_module_and_every_pair_compiles(seats: int) -> None:
    chosen = [*combinations(FILES, 1), *combinations(FILES, 2)]
    ids = {compiled(keys, seats).id for keys in chosen}
    assert len(ids) == len(chosen)


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_modules_compile_under_every_edition_with_all_variants(edition: str) -> None:
    variants = tuple(sorted(f"{module.key}.{variant}" for module in definitions() for variant in module.variants))
    compile_ruleset.__wrapped__(4, edition, tuple(sorted(FILES)), variants)
