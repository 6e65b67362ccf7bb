"""A module that breaks the contract is refused with BadModule, whether or not Python executes assertions."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from alhambra import BadModule, Module, RulesDefect, known_modules, load_module, register
from alhambra import module as contract
from alhambra import registry as registry_module
from alhambra.base import BASE
from alhambra.hook_types import PURPOSES, REACTIONS, VALUES
from alhambra.module_check import check_module
from alhambra.violations import Fault
from tests.rules.hooks.bad_modules import ELSEWHERE, KEY, WRONG, module_with, nothing, refusals, wrong_module
from tests.rules.module_code import ROOT, RULES, calls_of, core_files, syntax

LEAST_WORDS = 4


@pytest.mark.parametrize("name", WRONG)
def test_a_module_that_breaks_a_rule_is_refused_with_its_sentence(name: str) -> None:
    wrong = wrong_module(name)
    field, _, sentence = WRONG[name][1].partition(": ")
    with pytest.raises(BadModule) as error:
        register(wrong)
    assert error.value.module == wrong.key
    assert [fault.field for fault in error.value.faults] == [field]
    assert error.value.faults[0].wrong.startswith(sentence)
    assert str(error.value).startswith(f"the module {wrong.key!r} is wrong: {field}: {sentence}")
    assert wrong.key not in known_modules()


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_breaks_between_modules_or_in_a_game_is_refused_with_its_sentence(name: str) -> None:
    show, sentence = ELSEWHERE[name]
    with pytest.raises(RulesDefect) as error:
        show()
    assert str(error.value) == sentence


def test_the_same_is_refused_where_assertions_are_not_executed() -> None:
    command = [sys.executable, "-O", "-m", "tests.rules.hooks.bad_modules"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["assertions"] is False
    assert found["refusals"] == refusals()
    assert [name for name, refused in found["refusals"].items() if not refused] == []


def test_everything_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(BadModule) as error:
        check_module(Module(951, KEY, details=("rang",), answers={"acton": ("bye",)}))
    assert error.value.faults == (
        Fault("details", "the module has no event 'rang'"),
        Fault("answers", "'acton' is answered by the unknown verb 'bye'"),
        Fault("answers", "there is no decision 'acton'"),
    )


def test_the_error_survives_the_way_from_another_process() -> None:
    error = BadModule(KEY, Fault("steps", "there is no moment 'turn.siesta'"))
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.faults) == (str(error), error.faults)


@pytest.mark.parametrize("field", [field.name for field in fields(Module)])
def test_the_form_of_every_field_is_checked(field: str) -> None:
    with pytest.raises(BadModule) as error:
        check_module(module_with(**{field: object()}))
    assert [fault.field for fault in error.value.faults] == [field]


def test_the_base_game_keeps_the_contract_but_for_its_own_number_and_key() -> None:
    with pytest.raises(BadModule) as error:
        check_module(BASE)
    assert [fault.field for fault in error.value.faults] == ["number", "key"]


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package that announces a wrong module."""
    point = EntryPoint(KEY, "tests.rules.hooks.test_bad_modules:LOST", registry_module.GROUP)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda *, group: [point])
    registry_module._entry_points.cache_clear()
    yield
    registry_module._entry_points.cache_clear()


LOST = wrong_module("a step at an unknown moment")


@pytest.mark.usefixtures("announced")
def test_a_wrong_module_of_another_package_is_refused_whenever_it_is_loaded() -> None:
    for _ in range(2):
        with pytest.raises(BadModule, match=r"turn\.siesta"):
            load_module(KEY)


# -- What the engine offers --------------------------------------------------------------------------------------------


def first_arguments(*functions: str) -> set[Any]:
    """The first arguments of all calls of these functions in the engine, as far as they are written out."""
    found = [
        call.args[0]
        for path in core_files()
        for function in functions
        for call in calls_of(syntax(path), function)
        if call.args
    ]
    return {argument.value for argument in found if isinstance(argument, ast.Constant)}


def test_the_values_that_modules_can_change_are_those_that_the_engine_works_out() -> None:
    assert first_arguments("game.value", "game.value_parts") == set(VALUES)


def test_the_purposes_of_helpers_are_those_that_the_engine_asks_for() -> None:
    swapping = {
        node.value for node in ast.walk(syntax(RULES / "base" / "market_swap.py")) if isinstance(node, ast.Constant)
    }
    assert first_arguments("game.ruleset.helpers.get") | ({"swap_market"} & swapping) == set(PURPOSES)


# -- What the contract says --------------------------------------------------------------------------------------------


def sentences(file: str, *classes: str) -> dict[str, str]:
    """By field of these classes: the text that stands below it; an empty one if there is none."""
    found = {}
    for declared in syntax(RULES / file).body:
        if isinstance(declared, ast.ClassDef) and declared.name in classes:
            for node, below in zip(declared.body, [*declared.body[1:], None], strict=True):
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    text = below.value if isinstance(below, ast.Expr) else None
                    found[node.target.id] = str(text.value) if isinstance(text, ast.Constant) else ""
    return found


def test_every_field_of_the_contract_has_a_sentence() -> None:
    told = sentences("module.py", "Hooks", "Module")
    assert set(told) == {field.name for field in fields(contract.Module)}
    reactions = sentences("hook_types.py", "Reactions")
    assert set(reactions) == set(REACTIONS)
    texts = {**told, **reactions}
    assert [name for name, text in texts.items() if len(text.split()) < LEAST_WORDS or not text.endswith(".")] == []


def test_a_hook_that_is_a_function_is_accepted() -> None:
    check_module(Module(951, KEY, reactions={"built": nothing}, vetoes={"buy": nothing}, asks={"window": nothing}))
