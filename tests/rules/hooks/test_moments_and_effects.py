"""A module declares the moments and effects that it brings; their order is fixed, whatever is registered first."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import fields
from itertools import permutations
from typing import Any

import pytest

from alhambra import BadModule, Game, Module, Options, register
from alhambra.base import BASE
from alhambra.base.purchase import market_offers
from alhambra.base.scoring import steps_of_boards
from alhambra.effects import printed_effects
from alhambra.module import EveryEffect, Stage, Step, TileKind
from alhambra.procedures import ENGINE_STAGES, PROCEDURES
from tests.compat.stored_names import written
from tests.rules.hooks.compiled import rules
from tests.rules.module_code import FILES, compiled, core_files, definition_of, definitions, each_module, syntax
from tests.rules.test_module_isolation import docstrings, namings

OPEN = {"setup.begin", "space.source", "scoring.penalties", "placed_now.lapse", "end.lapse"}
"""Moments of the engine that stand for something any module may need, although one or none of this library does."""


def rest(_game: Game, *_args: Any) -> None:
    """A step that does nothing."""


def at(number: int, *stages: Stage) -> Module:
    """A module with a step at each of its own moments."""
    return Module(number, f"example_m{number}", stages=stages, steps=tuple(Step(m.name, rest) for m in stages))


def order(procedure: str, *modules: Module) -> tuple[str, ...]:
    """The moments of a frame in a game with these modules."""
    return rules(*modules).procedure_table.stages[procedure]


# -- Moments -----------------------------------------------------------------------------------------------------------


def test_a_moment_stands_right_after_or_right_before_one_of_the_engine() -> None:
    late, confirm = Stage("turn.siesta", after="turn.late"), Stage("turn.tea", before="turn.confirm")
    assert order("turn", at(951, confirm), at(952, late)) == (
        *("award", "start", "main", "place", "late", "siesta", "tea", "confirm"),
        *("money", "scoring", "market", "after", "window"),
    )
    assert order("space", at(951, Stage("space.well", before="space.source")))[0] == "well"
    assert order("end", at(951, Stage("end.feast", after="end.result")))[-1] == "feast"


def test_moments_at_one_place_stand_by_rank_then_by_module_whatever_is_registered_first() -> None:
    modules = (
        at(
            951,
            Stage("purchase.d", before="purchase.bonus", rank=1),
            Stage("purchase.e", before="purchase.bonus", rank=1),
        ),
        at(952, Stage("purchase.b", before="purchase.bonus")),
        at(953, Stage("purchase.a", before="purchase.bonus", rank=-1), Stage("purchase.c", before="purchase.bonus")),
    )
    for arranged in permutations(modules):
        assert order("purchase", *arranged) == ("coins", "building", "a", "b", "c", "d", "e", "bonus", "after")


def test_a_module_that_comes_after_another_brings_its_moments_after_it() -> None:
    early = Module(951, "example_early", after=("example_m952",), stages=(Stage("turn.siesta", after="turn.late"),))
    late = at(952, Stage("turn.tea", after="turn.late"))
    assert order("turn", early, late)[5:7] == ("tea", "siesta")


def test_a_moment_of_a_module_that_is_off_is_not_there() -> None:
    register(at(951, Stage("turn.siesta", after="turn.late")))
    assert rules().procedure_table.stages == PROCEDURES
    assert "siesta" not in rules().explain("turn")


def test_explain_lists_steps_at_the_moments_of_modules_in_their_order() -> None:
    ruleset = rules(at(951, Stage("scoring.siesta", after="scoring.walls")))
    assert ruleset.explain("scoring").splitlines() == [
        "scoring:",
        "  walls: base.score_walls",
        "  siesta: example_m951.rest",
        "  majorities: base.score_majorities",
        "  dirk: base.reward_dirk",
    ]


def test_a_moment_of_a_turn_belongs_to_the_phase_of_its_neighbour() -> None:
    found = rules(at(951, Stage("turn.siesta", after="turn.start"), Stage("turn.tea", before="turn.confirm")))
    phases = {step: phase for step, phase, _, _ in found.stages["turn"][""] if step is rest}
    assert phases == {rest: "LATE"}
    assert (found.procedure_table.phases["turn.siesta"], found.procedure_table.phases["turn.tea"]) == ("START", "LATE")


def test_score_lines_of_a_moment_bear_its_name_and_boards_alone_may_leave_it_out() -> None:
    named = Stage("scoring.tips", after="scoring.walls", score_stage="S1b")
    ruleset = rules(at(951, named))
    assert (rest, "S1b") in ruleset.table(steps_of_boards)
    assert [name for step, _, name, _ in ruleset.stages["scoring"][""] if step is rest] == ["S1b"]
    beyond = Stage("scoring.tips", after="scoring.walls", score_stage="S1b", beyond_boards=True)
    assert rest not in [step for step, _ in rules(at(951, beyond)).table(steps_of_boards)]


def test_the_moments_of_all_modules_stand_as_stored_games_know_them() -> None:
    promised = [line.removeprefix("frame ") for line in written() if line.startswith("frame ")]
    stages = compiled(tuple(FILES), 3).procedure_table.stages
    assert [f"{procedure}.{stage}" for procedure, own in stages.items() for stage in own] == promised


@each_module
def test_a_module_uses_every_moment_that_it_brings(key: str) -> None:
    used = {step.stage for step in definition_of(key).steps}
    assert {stage.name for stage in definition_of(key).stages} <= used


def test_a_moment_that_one_module_alone_uses_is_brought_by_that_module() -> None:
    users = Counter(stage for module in definitions() for stage in {step.stage for step in module.steps})
    base = {step.stage for step in BASE.steps}
    assert {stage for stage in ENGINE_STAGES - base if users[stage] < 2} == OPEN


# -- Effects -----------------------------------------------------------------------------------------------------------


def test_the_columns_of_the_printed_table_are_the_effects_that_modules_bring() -> None:
    brought = {effect: module.key for module in (BASE, *definitions()) for effect in module.effects}
    assert brought == printed_effects()


def test_an_effect_of_another_package_applies_where_every_effect_does_and_only_with_its_module() -> None:
    wood = TileKind("wood", EveryEffect(but=("glaze", "key")))
    shiny = TileKind("shiny", ("bonus", "glaze"))
    ruleset = rules(Module(951, "example_glaze", effects={"glaze": "Tiles shine."}, kinds=(wood, shiny)))
    printed = tuple(printed_effects())
    assert ruleset.effects_of["standard"] == (*printed, "glaze")
    assert ruleset.effects_of["wood"] == printed[:-1]
    assert ruleset.effects_of["shiny"] == ("bonus", "glaze")
    assert rules().effects_of == {"standard": printed, "start": ()}
    game = Game.new(Options(seats=3, seed="x", modules=["example_glaze"]))
    assert {offer.effects for offer in market_offers(game, 0)} == {(*printed, "glaze")}


def test_an_effect_that_two_modules_bring_does_not_compile() -> None:
    with pytest.raises(BadModule, match="effects: the module 'example_a' also declares 'glaze'"):
        rules(*(Module(951, f"example_{name}", effects={"glaze": "Tiles shine."}) for name in "ab"))


# -- The engine names no module ----------------------------------------------------------------------------------------


def engine_files() -> list[Any]:
    """Everything in rules/alhambra outside modules/, data/ and players/."""
    return [path for path in core_files() if path.parent.name != "players"]


def test_no_engine_file_contains_the_key_of_a_module() -> None:
    assert len(engine_files()) > 50
    assert [naming for path in engine_files() for naming in namings(path, set(FILES))] == []


def test_no_engine_file_names_a_moment_or_an_effect_of_a_module() -> None:
    brought = {name for module in definitions() for name in (*module.effects, *(m.name for m in module.stages))}
    brought -= {field.name for field in fields(Module)}  # an effect that is called `key`
    assert len(brought) > 30
    found = [
        f"{path.name}:{node.lineno} {node.value}"
        for path in engine_files()
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.Constant) and node.value in brought and node not in docstrings(syntax(path))
    ]
    assert found == []
