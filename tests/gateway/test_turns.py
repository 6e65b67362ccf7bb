"""Turns: requests of a caller who has used up much CPU time are answered one after the other."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra_gateway.connections.turns import Turns


@pytest.fixture
def turns() -> Turns:
    return Turns()


class Request:
    turn_of: str | None = None


def request() -> Any:
    return Request()


def test_requests_of_a_caller_with_time_left_are_answered_at_the_same_time(turns: Turns) -> None:
    assert all(turns.begin(request(), "a", alone=False) for _ in range(10))


def test_requests_of_a_caller_with_little_time_left_are_answered_in_their_order(turns: Turns) -> None:
    first, second, third = request(), request(), request()
    assert turns.begin(first, "a", alone=True)
    assert not turns.begin(second, "a", alone=True)
    assert not turns.begin(third, "a", alone=True)
    assert turns.end(first) == second
    assert turns.end(second) == third
    assert turns.end(third) is None
    assert turns.begin(first, "a", alone=True)


def test_nobody_waits_for_requests_of_another_account(turns: Turns) -> None:
    turns.begin(request(), "a", alone=True)
    assert turns.begin(request(), "b", alone=True)


def test_a_request_waits_for_all_that_began_while_there_was_time_left(turns: Turns) -> None:
    begun = [request() for _ in range(3)]
    for each in begun:
        turns.begin(each, "a", alone=False)
    last = request()
    assert not turns.begin(last, "a", alone=True)
    assert [turns.end(each) for each in begun] == [None, None, last]


def test_a_request_does_not_overtake_those_that_wait(turns: Turns) -> None:
    first, second, third = request(), request(), request()
    turns.begin(first, "a", alone=True)
    turns.begin(second, "a", alone=True)
    assert not turns.begin(third, "a", alone=False)
    assert turns.end(first) == second


def test_a_turn_ends_once(turns: Turns) -> None:
    first, second, third = request(), request(), request()
    for each in (first, second, third):
        turns.begin(each, "a", alone=True)
    assert turns.end(first) == second
    assert turns.end(first) is None, "it took long, and was answered later"
    assert turns.end(second) == third


def test_nothing_is_kept_of_an_account_without_requests(turns: Turns) -> None:
    first, second = request(), request()
    turns.begin(first, "a", alone=True)
    turns.begin(second, "a", alone=True)
    turns.end(first)
    turns.end(second)
    assert not vars(turns)["_answering"]
    assert not vars(turns)["_waiting"]
