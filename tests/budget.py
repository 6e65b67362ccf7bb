"""What a test run may spend on games, and where its time went.

The time of a run follows from the games that it plays, and their number grows with the number of modules. So tests that
play many games report how many games and moves they took, and BUDGETS says how many each group may take. These are
counts: the same on every machine. A group that takes more fails the run, even if every test has passed.

Time is measured and printed, but fails nothing. It is given in CPU seconds and in loops: how often the machine could
have run a fixed piece of Python instead, measured in the same run, so that figures of two machines can be compared.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, NamedTuple

import pytest

SPENT = "spent"
"""Name of the property by which a test says what it played: group, games, moves."""
MANY = 100
"""The tables are printed after a run of this many tests or more."""
SLOWEST = 8
"""Files in the second table."""

Spend = Callable[[str, int, int], None]
"""Reports what a test played: its group, games, moves."""


class Budget(NamedTuple):
    """The most that a group of tests may play in one run."""

    games: int
    moves: int


BUDGETS = {
    "base": Budget(80, 40_000),
    "single": Budget(172, 120_000),
    "cover": Budget(124, 175_000),
    "all": Budget(2, 15_000),
    "habits": Budget(66, 160_000),
    "resigned": Budget(1, 20_000),
    "declarations": Budget(240, 160_000),
    "golden": Budget(46, 40_000),
}
"""By group. Games are those of all 43 modules, moves about one and a half times as many as expected then: with 0.5 to
2 ms of CPU time for each move, checks included, ten minutes of one processor, five of two."""


def calibration() -> float:
    """Return the CPU seconds of a fixed loop of the kind of work that games are made of, the best of three."""
    return min(_loop() for _ in range(3))


def _loop() -> float:
    began = time.process_time()
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    for number in range(20_000):
        cell = (number % 127, number % 31)
        found[cell] = (*found.get(cell, ())[-3:], str(number))
    assert len({name for names in found.values() for name in names}) > 1_000
    return time.process_time() - began


def cpu_seconds() -> float:
    """Return the CPU time of this process and of its children that have ended."""
    return sum(os.times()[:4])


class Cost(NamedTuple):
    """What some tests took."""

    tests: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    loops: float = 0.0

    def plus(self, other: Cost) -> Cost:
        """Return the sum of both."""
        tests, seconds, cpu, loops = other
        return Cost(self.tests + tests, self.seconds + seconds, self.cpu + cpu, self.loops + loops)


class Ledger:
    """The sums of one run, by file and by group of games."""

    def __init__(self, budgets: dict[str, Budget] | None = None) -> None:
        self.budgets = BUDGETS if budgets is None else budgets
        self.files: dict[str, Cost] = {}
        self.games: Counter[str] = Counter()
        self.moves: Counter[str] = Counter()

    def enter(self, nodeid: str, cost: Cost, properties: Iterable[tuple[str, Any]] = ()) -> None:
        """Add what one test took and played."""
        path = nodeid.partition("::")[0]
        self.files[path] = self.files.get(path, Cost()).plus(cost)
        for name, value in properties:
            if name == SPENT:
                group, games, moves = value
                self.games[group] += games
                self.moves[group] += moves

    def overspent(self) -> list[str]:
        """Return a sentence for every group that played more than its budget."""
        found = []
        for group in self.games:
            budget = self.budgets.get(group)
            if budget is None:
                found.append(f"{group}: no budget; declare one in tests/budget.py")
            elif self.games[group] > budget.games or self.moves[group] > budget.moves:
                played = f"{self.games[group]:,} games and {self.moves[group]:,} moves"
                found.append(f"{group}: {played}, but the budget is {budget.games:,} and {budget.moves:,}")
        return found

    def tables(self) -> Iterator[str]:
        """Return the lines of the tables: folders, slowest files, games."""
        folders: dict[str, Cost] = {}
        for path, cost in self.files.items():
            folder = "/".join(path.split("/")[:-1][:2]) or "."
            folders[folder] = folders.get(folder, Cost()).plus(cost)
        yield from _rows("folder", folders)
        yield ""
        yield from _rows("slowest files", dict(sorted(self.files.items(), key=lambda item: -item[1].seconds)[:SLOWEST]))
        if not self.games:
            return
        yield ""
        yield f"{'games':44} {'played':>8} {'budget':>8} {'moves':>9} {'budget':>9}"
        for group in sorted(self.games):
            budget = self.budgets.get(group, Budget(0, 0))
            played = f"{self.games[group]:8,} {budget.games:8,} {self.moves[group]:9,} {budget.moves:9,}"
            yield f"{group:44} {played}"


def _rows(heading: str, costs: dict[str, Cost]) -> Iterator[str]:
    yield f"{heading:44} {'tests':>8} {'seconds':>8} {'CPU':>8} {'loops':>8}"
    for name, cost in sorted(costs.items(), key=lambda item: -item[1].seconds):
        yield f"{name:44} {cost.tests:8,} {cost.seconds:8,.1f} {cost.cpu:8,.1f} {cost.loops:8,.0f}"


class Spending:
    """The pytest plugin: measures where tests run, adds up where the run is reported."""

    def __init__(self, ledger: Ledger | None = None) -> None:
        self.ledger = ledger or Ledger()
        self._loop = calibration()
        self._last = 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, Any, Any]:
        """Begin to measure."""
        self._last = cpu_seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Write the CPU time of one phase of a test into its report, which also travels between processes."""
        report = yield
        now = cpu_seconds()
        vars(report)["cost"] = [now - self._last, (now - self._last) / self._loop]
        self._last = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add one phase of a test."""
        called = report.when == "call"
        cpu, loops = vars(report).get("cost", (0.0, 0.0))
        cost = Cost(int(called), report.duration, cpu, loops)
        self.ledger.enter(report.nodeid, cost, report.user_properties if called else ())

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the run if a group played more than its budget."""
        if self.ledger.overspent() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print where the time went, and what was over its budget."""
        if sum(cost.tests for cost in self.ledger.files.values()) >= MANY:
            terminalreporter.section("where the time went")
            for line in self.ledger.tables():
                terminalreporter.line(line)
        for sentence in self.ledger.overspent():
            terminalreporter.line(f"OVER BUDGET: {sentence}", red=True)
