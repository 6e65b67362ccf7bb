"""The search finds the knee of a server whose curve is known, and always ends."""

from collections.abc import Callable
from random import Random

import pytest

from loadtests import limits
from loadtests.rate_search import HOLDING, RateSearch, Step, percentile

LIMIT_MS = 50.0
Server = Callable[[int], Step]


def queue(capacity: float, service_ms: float = 4.0) -> Server:
    """A server with one queue: the 99th percentile grows without bound as the rate comes near its capacity."""

    def answer(users: int) -> Step:
        offered = users * limits.PACE
        busy = min(offered / capacity, 0.999)
        return Step(users, offered, min(offered, capacity), 4.6 * service_ms / (1 - busy), 0)

    return answer


def found(server: Server, users: int = 8) -> RateSearch:
    search = RateSearch(users, LIMIT_MS)
    for _ in range(limits.STEPS_MOST + 1):
        if search.ended:
            return search
        search.judge(server(search.users))
    raise AssertionError("the search does not end")


@pytest.mark.parametrize("capacity", [60.0, 250.0, 1_000.0, 1_700.0])
def test_the_highest_steady_rate_of_a_queue_is_found(capacity: float) -> None:
    highest = capacity * (1 - 4.6 * 4.0 / LIMIT_MS)
    steady = found(queue(capacity)).steady
    assert steady is not None
    assert steady.phase == HOLDING
    assert highest / limits.CLOSE_ENOUGH - 2 * limits.PACE <= steady.rate <= highest


def test_a_search_that_starts_above_the_limit_goes_down() -> None:
    steady = found(queue(100.0), users=200).steady
    assert steady is not None and 40 <= steady.rate <= 64


def test_the_reason_of_the_first_bad_step_is_told() -> None:
    assert "took more than 50 ms" in found(queue(250.0)).ended


def test_a_single_bad_moment_of_the_machine_does_not_stop_the_climb() -> None:
    server, hiccups = queue(1_000.0), iter([False, True, False, False, True])
    steady = found(
        lambda users: server(users)._replace(slow_ms=400.0) if next(hiccups, False) else server(users)
    ).steady
    assert steady is not None and steady.rate > 500


def test_a_noisy_server_still_leads_near_its_knee() -> None:
    server, rng = queue(600.0), Random("noise")

    def noisy(users: int) -> Step:
        step = server(users)
        return step._replace(slow_ms=step.slow_ms * rng.uniform(0.85, 1.15))

    steady = found(noisy).steady
    assert steady is not None and 280 <= steady.rate <= 420


def test_a_wrong_answer_is_never_steady() -> None:
    search = found(lambda users: Step(users, 4.0 * users, 4.0 * users, 1.0, 1 if users > 20 else 0))
    assert search.steady is not None and search.steady.users <= 20
    assert "1 answers were wrong or missing" in search.ended


def test_a_server_that_drops_behind_is_not_steady() -> None:
    search = found(lambda users: Step(users, 4.0 * users, min(4.0 * users, 100.0), 10.0, 0))
    assert search.steady is not None and search.steady.rate >= limits.KEPT_UP * search.steady.offered
    assert "calls a second were made" in search.ended


def test_a_server_that_is_always_too_slow_has_no_steady_rate() -> None:
    search = found(lambda users: Step(users, 4.0 * users, 4.0 * users, 500.0, 0))
    assert search.steady is None
    assert search.ended == "even with 1 users, one answer in a hundred took more than 50 ms"


def test_a_server_without_a_limit_is_held_at_the_last_step() -> None:
    search = found(lambda users: Step(users, 4.0 * users, 4.0 * users, 1.0, 0))
    assert search.steady is not None
    assert "the last step was reached" in search.ended


def test_a_percentile_counts_only_the_calls_between_two_moments() -> None:
    before = {1: 1_000, 900: 50}
    assert percentile(before, {1: 1_100, 900: 50}, 0.99) == 1
    assert percentile(before, {1: 1_098, 7: 2, 900: 50}, 0.99) == 7
    assert percentile(before, {1: 1_099, 7: 1, 900: 50}, 0.99) == 1
    assert percentile(before, before, 0.99) == 0
