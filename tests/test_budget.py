"""A run that plays more games or moves than its budget fails, and says which group did."""

from __future__ import annotations

import pytest

from tests.budget import SPENT, Budget, Cost, Ledger, calibration

pytest_plugins = ["pytester"]

CONFTEST = """
from tests.budget import Budget, Ledger, Spending
from tests.conftest import spend

def pytest_configure(config):
    config.pluginmanager.register(Spending(Ledger({"few": Budget(games=3, moves=100)})))
"""
TWO_TESTS = """
def test_one(spend):
    spend("few", 1, 40)

def test_two(spend):
    spend("few", 1, %d)
"""


@pytest.mark.parametrize(
    ("group", "games", "moves", "over"),
    [
        ("few", 2, 60, []),
        ("few", 3, 60, ["few: 4 games and 100 moves, but the budget is 3 and 100"]),
        ("few", 2, 61, ["few: 3 games and 101 moves, but the budget is 3 and 100"]),
        ("new", 1, 1, ["new: no budget; declare one in tests/budget.py"]),
    ],
)
def test_games_and_moves_of_a_group_are_added_up(group: str, games: int, moves: int, over: list[str]) -> None:
    ledger = Ledger({"few": Budget(games=3, moves=100)})
    ledger.enter("tests/a/test_x.py::test_1", Cost(1), [(SPENT, ["few", 1, 40]), ("other", 3)])
    ledger.enter("tests/b/test_y.py::test_2", Cost(1), [(SPENT, [group, games, moves])])
    assert ledger.overspent() == over


def test_the_cost_of_tests_is_added_up_by_folder_and_by_file() -> None:
    ledger = Ledger({})
    ledger.enter("tests/rules/base/test_x.py::test_1", Cost(1, 2.0, 1.0, 50))
    ledger.enter("tests/rules/test_y.py::test_2[a::b]", Cost(1, 3.0, 2.5, 125))
    ledger.enter("tests/test_z.py::test_3", Cost(1, 0.5, 0.5, 25))
    lines = [line.split() for line in ledger.tables()]
    assert ["tests/rules", "2", "5.0", "3.5", "175"] in lines
    assert ["tests", "1", "0.5", "0.5", "25"] in lines
    assert ["tests/rules/test_y.py", "1", "3.0", "2.5", "125"] in lines


def test_the_fixed_loop_takes_time() -> None:
    assert calibration() > 0


@pytest.mark.parametrize(("moves", "code"), [(60, pytest.ExitCode.OK), (61, pytest.ExitCode.TESTS_FAILED)])
def test_a_run_over_its_budget_fails_although_every_test_passed(
    pytester: pytest.Pytester, moves: int, code: pytest.ExitCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # other plugins take seconds to load
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TWO_TESTS % moves)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=2)
    assert result.ret == code
    assert ("OVER BUDGET: few" in result.stdout.str()) == (code != pytest.ExitCode.OK)
