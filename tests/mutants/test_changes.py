"""The faults that are made, and that a test which looks at the line notices them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import cast

import pytest

from tests.mutants.__main__ import lines_of
from tests.mutants.changes import Mutant, by_hand, mutants_of
from tests.mutants.explained import explanations
from tests.mutants.finder import MutantFinder
from tests.mutants.journal import SURVIVED, remember, remembered, result_of
from tests.mutants.reach import Reach, in_order
from tests.mutants.report import page
from tests.mutants.run_tests import CRASHED, SLOW, Answer, CannotReplace, in_a_fork, put_in
from tests.mutants.targets import ROOT, Target, targets, tiers


def changes(tmp_path: Path, source: str) -> list[str]:
    """Return what is changed in a source, each mutant compiled once."""
    file = tmp_path / "rules.py"
    file.write_text(source, encoding="utf-8")
    found = mutants_of(file, tmp_path)
    for mutant in found:
        compile(mutant.source(file.read_bytes()), mutant.path, "exec")
    return [mutant.change for mutant in found]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(a, b):\n    return a < b", ["a < b → a <= b"]),
        ("x = 0 < a <= 5", ["0 → 1", "0 < a <= 5 → 0 < a < 5", "0 < a <= 5 → 0 <= a <= 5", "5 → 6"]),
        ("x = a in (b, c)", ["a in (b, c) → a not in (b, c)", "(b, c) → (b,)", "(b, c) → (c,)"]),
        ("x = a and not b", ["a and not b → (a)", "a and not b → (not b)", "not b → (b)"]),
        ("if a:\n    f()", ["a → False", "a → True", "f() → pass"]),
        ("x = min(a)", ["min → max"]),
        ("x = [a for a in b if a]", ["a → True"]),
        ("x = plan.shuffled('cards', b)", ["plan.shuffled('cards', b) → sorted(b, key=str)"]),
        ("def f():\n    g()\n    h()", ["g() → pass", "g() h() → h() g()", "h() → pass"]),
        ("MODULE = Module(number=7, deck=f, secrets=g)", ["deck=f, → (dropped)", "secrets=g → (dropped)"]),
        ("M = Module(asks={'a': f, 'b': g})", 3),
        ('def f() -> "int | None":\n    """A text of 3 words."""\n    assert a == 1\n    raise Fault(3)', []),
    ],
)
def test_a_source_has_these_mutants(tmp_path: Path, source: str, expected: list[str] | int) -> None:
    found = changes(tmp_path, source)
    assert len(found) == expected if isinstance(expected, int) else found == expected


def test_equal_changes_in_one_function_have_different_names(tmp_path: Path) -> None:
    assert changes(tmp_path, "def f():\n    return [1, 1]")[-2:] == ["1 → 2", "1 → 2 [2]"]


def test_a_name_stays_if_the_function_moves(tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    file.write_text("def f():\n    return a < b\n", encoding="utf-8")
    (before,) = mutants_of(file, tmp_path)
    file.write_text("import os\n\n\ndef f():\n    return a < b\n", encoding="utf-8")
    (after,) = mutants_of(file, tmp_path)
    assert (before.name, before.digest, before.line + 3) == (after.name, after.digest, after.line)


def test_every_module_and_the_base_game_have_mutants_and_tests_of_their_own() -> None:
    known = targets()
    assert len(known) == 46
    for name in ("base", "medina", "travelling_craftsmen"):
        own, *_ = tiers(known[name])
        assert own, name
        assert any(mutants_of(path, ROOT) for path in known[name].files)
    assert all(target.files for target in known.values())


def test_the_lists_name_mutants_that_exist() -> None:
    """An entry of by_hand.toml that fits nowhere raises; one of explained.toml must be a mutant of today."""
    assert by_hand(ROOT)
    paths = {ROOT / name.partition(" ")[0] for name in explanations()}
    names = {mutant.name for path in paths for mutant in mutants_of(path, ROOT)}
    assert set(explanations()) <= names


def mutant_of_this_file(before: bytes, after: str) -> Mutant:
    source = Path(__file__).read_bytes()
    start = source.index(before)
    path = Path(__file__).relative_to(ROOT).as_posix()
    return Mutant(path, 1, 1, "test", "", "", start, start + len(before), after, True, "")


def larger(one: int, other: int) -> bool:
    return one > other


THIS = {larger.__code__: [cast(FunctionType, larger)]}
"""The function that mutants of this file change, by its code."""


def test_the_code_of_a_function_is_replaced_in_a_fork_only() -> None:
    mutant = mutant_of_this_file(b"one > other", "one >= other")

    def act(answer: Answer) -> None:
        put_in(mutant, THIS)
        answer(str(larger(1, 1)))

    assert in_a_fork(10, act) == "True"
    assert larger(1, 1) is False


def test_a_mutant_with_other_functions_is_not_replaced() -> None:
    mutant = mutant_of_this_file(b"return one > other", "return (lambda: one > other)()")
    with pytest.raises(CannotReplace):
        put_in(mutant, THIS)


FROZEN = """
import gc
from tests.mutants.changes import mutants_of
from tests.mutants.run_tests import functions_by_code

gc.freeze()
assert functions_by_code()[mutants_of.__code__] == [mutants_of]
"""


def test_functions_are_found_although_they_were_frozen_after_the_collection() -> None:
    """In a process of its own: to look at every object of one that has spoken to servers is not safe."""
    subprocess.run([sys.executable, "-c", FROZEN], cwd=ROOT, check=True)


@pytest.mark.check_only
def test_a_mutant_that_runs_for_ever_is_ended() -> None:
    def act(_answer: Answer) -> None:
        while True:
            pass

    assert in_a_fork(0, act) == SLOW


def test_a_mutant_that_ends_its_process_is_noticed() -> None:
    assert in_a_fork(5, lambda _answer: 1 // 0) == CRASHED


def test_an_import_reads_the_mutant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mutated_rules.py"
    file.write_text("LIMIT = 3\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", [MutantFinder(str(file), b"LIMIT = 4\n"), *sys.meta_path])
    import mutated_rules  # type: ignore[import-not-found]

    assert mutated_rules.LIMIT == 4


def test_changed_lines_are_read_from_a_difference() -> None:
    assert lines_of("@@ -3 +3 @@ def f\n-a\n+b\n@@ -9,0 +10,2 @@\n+c\n+d\n@@ -20,2 +22,0 @@\n-e\n-f\n") == {3, 10, 11}


def test_tests_that_name_the_page_come_before_others_and_games_come_last() -> None:
    mutant = mutant_of_this_file(b"one > other", "one >= other")._replace(line=3, last_line=4)
    target = Target("medina", "26", (Path(__file__),), ())
    reached = {mutant.path: 1 << 4}
    own = Reach("tests/rules/modules/test_a.py::own", 0.5, ("26.3",), reached)
    interaction = Reach("tests/rules/modules/test_b.py::pair", 0.1, ("99.3",), reached)
    law = Reach("tests/rules/test_c.py::law", 0.01, (), reached)
    game = Reach("tests/test_golden.py::medina", 0.01, (), reached)
    elsewhere = Reach("tests/rules/modules/test_a.py::elsewhere", 0.01, ("26.4",), {mutant.path: 1 << 9})
    assert in_order(mutant, target, [game, law, elsewhere, interaction, own]) == ([own, interaction, law, game], True)
    imported = mutant._replace(in_function=False)
    assert in_order(imported, target, [game, elsewhere]) == ([elsewhere, game], False)


def test_the_last_line_about_a_mutant_counts_and_the_report_lists_survivors(tmp_path: Path) -> None:
    mutant = mutant_of_this_file(b"one > other", "one >= other")._replace(change="one > other → one >= other")
    journal = tmp_path / "journal.jsonl"
    remember([result_of(mutant, "medina", "rule", "test", 3), result_of(mutant, "medina", SURVIVED, "", 3)], journal)
    with journal.open("a", encoding="utf-8") as lines:
        lines.write('{"target": "medi')
    (result,) = remembered(journal).values()
    assert result.outcome == SURVIVED
    text = page([result], {"medina": 1, "base": 9}, "abc1234")
    assert "| medina | abc1234 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 1 | 0.0 % |" in text
    assert "one > other → one >= other" in text
    assert "| base |" not in text
    assert "0 | 1 | 0.0 %, a sample |" in page([result], {"medina": 40}, "abc1234")


def test_the_report_keeps_the_rows_of_targets_that_were_not_tried_again() -> None:
    mutant = mutant_of_this_file(b"one > other", "one >= other")
    made = {"medina": 1, "gateway": 1, "base": 9}
    before = page([result_of(mutant, "medina", "rule", "test", 3)], made, "abc1234")
    row = "| medina | abc1234 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 100.0 % |"
    assert row in before
    after = page([result_of(mutant, "gateway", "other", "test", 3)], made, "def5678", before)
    survivor = "- `rules/alhambra/modules/medina.py there: 1 → 2` (number, 3 tests)"
    assert survivor in page(
        [result_of(mutant, "gateway", "other", "test", 3)], made, "def5678", f"{before}{survivor}\n"
    )
    assert survivor not in page([result_of(mutant, "medina", "rule", "test", 3)], made, "def5678", survivor)
    assert f"{row}\n| gateway | def5678 | 1 | 1 | 0 | 1 | 0 | 0 | 0 | 0 | 100.0 % |" in after
