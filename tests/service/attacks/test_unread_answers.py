"""Callers that send whole calls and allow no byte of the answer."""

from contextlib import ExitStack

import pytest

from alhambra_service import limits

from ..store.servers import await_true
from .conftest import Attacked
from .peers import UNREAD, connected, unread

CALLS = 100
SOON = 10.0
"""Sooner than the connections are closed because their peers do not answer."""


def test_answers_that_nobody_reads_disturb_nobody_and_are_dropped(
    attacked: Attacked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of five calls are plain, the others streams."""
    with ExitStack() as stack:
        peers = connected(stack, attacked.port, 5, UNREAD)
        unread(peers, CALLS, attacked.callers.game)
        await_true(lambda: attacked.pending.open == CALLS, "nobody takes the answers")
        assert attacked.answers_as_before()
        streams = CALLS * 3 // 5
        monkeypatch.setattr(limits, "UNREAD_ANSWER_SECONDS", 0.5)
        await_true(lambda: attacked.pending.open <= streams, "plain answers are dropped, streams go on", SOON)
    await_true(lambda: attacked.pending.open == 0, "nothing is left of them")


def test_too_many_answers_that_nobody_reads_are_dropped_at_once(
    attacked: Attacked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "UNREAD_ANSWER_SECONDS", 60.0)
    with ExitStack() as stack:
        peers = connected(stack, attacked.port, 5, UNREAD)
        unread(peers, CALLS, attacked.callers.game)
        await_true(lambda: attacked.pending.open == CALLS, "nobody takes the answers")
        monkeypatch.setattr(limits, "CALLS_OPEN", 80)
        await_true(lambda: attacked.pending.open <= 80, "the oldest are dropped", SOON)
        assert attacked.answers_as_before()


def test_a_watcher_that_reads_nothing_is_cut_off(attacked: Attacked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WATCHER_STUCK_SECONDS", 0.5)
    with ExitStack() as stack:
        peers = connected(stack, attacked.port, 1, UNREAD)
        unread(peers, 3, attacked.callers.game)
        await_true(lambda: attacked.pending.open == 3, "one of them watches")
        monkeypatch.setattr(limits, "UNREAD_ANSWER_SECONDS", 0.0)
        await_true(lambda: attacked.pending.open == 0, "all of them are cut off", SOON)
