"""Measuring side by side: what is compared is compared within its round, and a bad control is not believed."""

from collections.abc import Iterator
from itertools import cycle

import pytest

from bench.group import MET, MISSED, OPEN, Goal
from bench.rounds import AGAIN, Contest, Figure, Outcome, Run, measured


def costing(*seconds: float) -> Iterator[Run]:
    return (Run(10, 1.0, {"server": 10 * one, "store": 1e-3}) for one in cycle(seconds))


def contest(floor: Iterator[Run], other: Iterator[Run], rounds: int = 6) -> Contest:
    return Contest({"floor": lambda: next(floor), "other": lambda: next(other)}, rounds=rounds, warm_up=False)


def test_a_ratio_is_taken_within_its_round() -> None:
    """A machine that is three times slower in every other round changes no ratio."""
    slow_rounds = (1e-4, 1e-4, 3e-4, 3e-4)
    found = measured(contest(costing(*slow_rounds), costing(1.1e-4, 3.3e-4)))
    assert found.ratio("other").value == pytest.approx(1.1)
    assert found.control.value == pytest.approx(1.0)
    assert found.attempts == 1


def test_a_floor_that_differs_from_itself_is_measured_again() -> None:
    floor = (Run(1, 1.0, {"server": cost}) for cost in [1.0, 1.2] * 6 + [1.0, 1.01] * 6)
    found = measured(contest(floor, costing(1.0)))
    assert found.attempts == 2
    assert found.settled


def test_what_does_not_settle_is_said_to_be_unsettled() -> None:
    found = measured(contest(costing(1.0, 1.2), costing(1.0)))
    assert found.attempts == 3
    assert not found.settled
    assert found.verdict()["settled"] is False
    assert Goal.of("any", found.ratio("other"), 10.0, settled=found.settled).state == OPEN


def test_the_control_can_be_another_process() -> None:
    found = measured(
        Contest(
            {"floor": lambda: Run(1, 1.0, {"server": 1.0})},
            rounds=4,
            warm_up=False,
            twin=lambda: Run(1, 1.0, {"server": 1.02}),
        )
    )
    assert found.control.value == pytest.approx(1 / 1.02)
    assert found.flat == pytest.approx(1.04)


def test_flat_is_what_stays_within_the_spread_of_the_control() -> None:
    floor, again = ([Run(1, 1.0, {"server": cost}) for cost in costs] for costs in ([1, 1, 1, 1], [0.8, 1, 1, 1.25]))
    assert Outcome({"a": floor, "a" + AGAIN: again}, "server", "a").flat == pytest.approx(1.188)


def test_every_round_begins_with_another_entrant() -> None:
    order: list[str] = []

    def entrant(name: str) -> Run:
        order.append(name)
        return Run(1, 1.0, {"server": 1.0})

    measured(Contest({"floor": lambda: entrant("floor"), "other": lambda: entrant("other")}, rounds=3, warm_up=False))
    assert order == ["floor", "floor", "other", "floor", "other", "floor", "other", "floor", "floor"]


def test_rows_tell_each_process_apart() -> None:
    runs = [next(costing(2e-6))] * 4
    row, _ = Outcome({"a": runs, "a" + AGAIN: runs}, "server", "a").rows()
    assert (row["what"], row["server µs"], row["store µs"], row["ratio"]) == ("a", 2.0, 100.0, 1.0)


def test_roles_can_be_added_up() -> None:
    run = Run(1, 1.0, {"gateway": 3.0, "service": 1.0})
    outcome = Outcome({"a": [run], "a" + AGAIN: [run]}, "gateway+service", "a")
    assert outcome.cost("a") == [4e6]
    assert outcome.cost("a", "gateway") == [3e6]


@pytest.mark.parametrize(("value", "state"), [(1.0, MET), (1.1, MET), (1.11, MISSED)])
def test_a_goal_is_met_up_to_its_figure(value: float, state: str) -> None:
    assert Goal.of("any", Figure(value, value, value), 1.1).state == state
