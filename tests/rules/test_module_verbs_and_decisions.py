"""Verbs and decisions fit together: each verb answers a decision, each decision is asked and can be answered."""

from __future__ import annotations

import ast
from pathlib import Path

from alhambra import Ruleset
from alhambra.base import BASE
from tests.rules.example_modules import EXAMPLES
from tests.rules.module_code import FILES, compiled, core_files, definition_of, each_module, nodes, syntax


def verbs_and_decisions(key: str) -> tuple[dict[str, set[str]], Ruleset]:
    """By verb of a module: the decisions that it answers when the module is on alone."""
    ruleset = compiled((key,), 3)
    answers = {verb.name: set[str]() for verb in definition_of(key).verbs}
    for name, question in ruleset.questions.items():
        for verb in question.verbs:
            if verb.name in answers:
                answers[verb.name].add(name)
    return answers, ruleset


@each_module
def test_every_verb_of_a_module_answers_a_decision(key: str) -> None:
    answers, _ = verbs_and_decisions(key)
    assert [verb for verb, decisions in answers.items() if not decisions] == []


def test_every_verb_of_the_base_game_answers_a_decision_of_the_game_or_of_a_module() -> None:
    ruleset = compiled(tuple(FILES), 3)
    answering = {verb.name for question in ruleset.questions.values() for verb in question.verbs}
    # A verb that modules still to come share has an example until then.
    for example in EXAMPLES:
        answering |= {verb for kind in example.decisions for verb in kind.verbs}
        answering |= {verb for verbs in example.answers.values() for verb in verbs}
    assert [verb.name for verb in BASE.verbs if verb.name not in answering] == []


@each_module
def test_every_decision_of_a_module_can_be_answered(key: str) -> None:
    _, ruleset = verbs_and_decisions(key)
    for kind in definition_of(key).decisions:
        verbs = {verb.name for verb in ruleset.questions[kind.name].verbs}
        assert verbs - {"pass"}, f"{kind.name} can only be passed"
        assert set(kind.verbs) <= verbs, f"{kind.name} names unknown verbs"


@each_module
def test_a_module_lets_only_verbs_that_exist_answer_decisions_that_exist(key: str) -> None:
    _, ruleset = verbs_and_decisions(key)
    for decision, verbs in definition_of(key).answers.items():
        assert decision in ruleset.questions
        assert set(verbs) <= set(ruleset.verbs)
    assert set(definition_of(key).vetoes) <= set(ruleset.verbs)
    assert set(definition_of(key).offers) <= set(ruleset.questions)


def asked_in(path: Path) -> set[str]:
    """The kinds of decision that a file asks: `game.ask("claim", …)`, `ask_shared(game, "late")`, or
    `begin_walk(game, "staff_walk", …)`."""
    found = set()
    for node in ast.walk(syntax(path)):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr == "ask":
            first = node.args[:1]
        elif isinstance(node.func, ast.Name) and node.func.id in ("ask_shared", "begin_walk"):
            first = node.args[1:2]
        else:
            continue
        found |= {word.value for word in first if isinstance(word, ast.Constant) and isinstance(word.value, str)}
    return found


@each_module
def test_every_decision_of_a_module_is_asked_in_its_files(key: str) -> None:
    declared = {kind.name for kind in definition_of(key).decisions}
    asked = set().union(*map(asked_in, FILES[key]))
    assert declared - asked == set(), "never asked"
    assert asked - declared - {kind.name for kind in BASE.decisions} == set(), "asked, but not declared"


def test_every_decision_of_the_base_game_is_asked_there() -> None:
    asked = set().union(*(asked_in(path) for path in core_files()))
    assert {kind.name for kind in BASE.decisions} - asked == set()


@each_module
def test_every_step_that_is_pushed_stands_in_the_agenda(key: str) -> None:
    pushed = set()
    for node in nodes(key):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("push", "resume"):
            at = 0 if node.func.attr == "push" else 1
            pushed.add(ast.unparse(node.args[at]))
    agenda = {step.__name__ for step in definition_of(key).agenda.values()}
    base = {step.__name__ for step in BASE.agenda.values()}
    assert pushed - agenda - base == set()
