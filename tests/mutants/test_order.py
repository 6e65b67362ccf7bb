"""A mutant meets every test that names a rule before it meets any other test."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.mutants import __main__ as driver
from tests.mutants.changes import Mutant
from tests.mutants.journal import SURVIVED, Result
from tests.mutants.reach import GAME, OTHER, RULE, Reach, in_order
from tests.mutants.run_tests import SLOW, _is_cleared
from tests.mutants.targets import ROOT, Target, may_name_rules
from tests.mutants.workers import Noticed, Work

TARGET = Target("medina", "26", (Path(__file__),), ())
PATH = Path(__file__).relative_to(ROOT).as_posix()
MUTANT = Mutant(PATH, 3, 4, "test", "", "", 0, 1, "", True, "")
LINES = {PATH: 1 << 4}


def reach(test: str, *rules: str, lines: dict[str, int] = LINES) -> Reach:
    return Reach(test, 0.1, rules, lines)


LAW = reach("tests/rules/modules/test_medina.py::law")
NAMING = reach("tests/rules/test_later.py::naming", "12.3")
GOLDEN = reach("tests/test_golden.py::medina")


def outcome(tests: dict[int, list[Reach]], noticing: set[str], monkeypatch: pytest.MonkeyPatch) -> tuple[str, str, int]:
    """Return what becomes of a mutant that some of the tests would notice."""

    def tiers(_target: Target) -> list[list[str]]:
        return [[each.file for each in tests.get(tier, [])] for tier in range(3)]

    def try_all(works: Sequence[Work], _workers: int) -> Iterator[Result]:
        for work in works:
            yield work.result(next((each.test for each in work.tests if each.test in noticing), ""))

    by_file = {each.file: [each] for tier in tests.values() for each in tier}
    monkeypatch.setattr(driver, "tiers", tiers)
    monkeypatch.setattr(driver, "try_all", try_all)
    monkeypatch.setattr(driver, "load", by_file.get)
    monkeypatch.setattr(driver, "may_name_rules", lambda _file: True)
    monkeypatch.setattr(driver, "remember", lambda _results: None)
    ((*_, found, by, tried),) = driver._tried([MUTANT], {MUTANT: TARGET}, Namespace(tiers=3, workers=1))
    return found, by, tried


def test_a_rule_of_the_last_tier_notices_before_another_test_of_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = {0: [LAW], 2: [NAMING, GOLDEN]}
    assert outcome(tests, {LAW.test, NAMING.test, GOLDEN.test}, monkeypatch) == (RULE, NAMING.test, 1)


def test_other_tests_notice_what_no_test_of_a_rule_does_and_games_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = {0: [LAW], 2: [NAMING, GOLDEN]}
    assert outcome(tests, {LAW.test, GOLDEN.test}, monkeypatch) == (OTHER, LAW.test, 1)
    assert outcome(tests, {GOLDEN.test}, monkeypatch) == (GAME, GOLDEN.test, 1)
    assert outcome(tests, set(), monkeypatch) == (SURVIVED, "", 3)


def test_tests_that_miss_the_line_are_tried_only_if_no_tier_has_one_that_runs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    elsewhere = reach(LAW.test, "26.1", lines={PATH: 1 << 9})
    assert outcome({0: [elsewhere], 2: [NAMING]}, {NAMING.test}, monkeypatch) == (RULE, NAMING.test, 1)
    assert outcome({0: [elsewhere]}, {elsewhere.test}, monkeypatch) == (RULE, elsewhere.test, 1)
    assert in_order(MUTANT, TARGET, [elsewhere], run_elsewhere=True) == ([], False)


def test_again_tries_what_no_test_of_a_rule_noticed() -> None:
    result = Result("medina", "", "", 3, "test", OTHER, LAW.test, 2)
    assert driver._may_do_better(result, TARGET)
    assert driver._may_do_better(result._replace(outcome=SURVIVED), TARGET)
    assert not driver._may_do_better(result._replace(outcome=RULE), TARGET)
    assert not driver._may_do_better(result, TARGET._replace(page=""))


def test_what_noticed_a_mutant_of_the_function_or_file_is_tried_first_in_its_class() -> None:
    tests = [reach(f"tests/rules/test_later.py::{name}", "12.3") for name in ("a", "b", "c")]
    work, noticed = Work(MUTANT, TARGET, [*tests, LAW, GOLDEN], True), Noticed()
    elsewhere = work._replace(mutant=MUTANT._replace(place="other_function"))
    noticed.add(elsewhere, tests[1].test)
    noticed.add(work, tests[2].test)
    noticed.add(work, SLOW)
    a, b, c = (test.test for test in tests)
    assert noticed.first(work) == [c, b, a, LAW.test, GOLDEN.test]
    assert noticed.first(elsewhere) == [b, c, a, LAW.test, GOLDEN.test]
    noticed.add(work, GOLDEN.test)
    assert noticed.first(work)[-2:] == [LAW.test, GOLDEN.test]


def test_only_files_that_can_name_a_rule_are_measured_before_the_others() -> None:
    assert may_name_rules("tests/rules/base/test_buying.py")
    assert may_name_rules("tests/rules/interactions/test_rows.py"), "its tables name them"
    assert not may_name_rules("tests/test_golden.py")
    assert not may_name_rules("tests/rules/test_texts.py")


def test_what_tests_keep_for_each_other_is_forgotten_while_they_are_measured() -> None:
    assert _is_cleared("tests.rules.test_undo_marks")
    assert _is_cleared("alhambra.board")
    assert not _is_cleared("tests.mutants.targets")
    assert not _is_cleared("functools")
