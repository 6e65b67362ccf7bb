"""Calls, retries, errors, streams and the state of a game, without a server."""

import pytest

from .node_tests import every_test, run_test


@every_test("calls.test.mjs")
def test_calls(name: str) -> None:
    run_test("calls.test.mjs", name)


@every_test("streams.test.mjs")
def test_streams(name: str) -> None:
    run_test("streams.test.mjs", name)


@every_test("state.test.mjs")
def test_state(name: str) -> None:
    run_test("state.test.mjs", name)


@every_test("included.test.mjs")
def test_what_comes_with_views(name: str) -> None:
    run_test("included.test.mjs", name)


def test_a_test_that_is_not_there_is_a_failure() -> None:
    with pytest.raises(AssertionError):
        run_test("state.test.mjs", "no such test")
