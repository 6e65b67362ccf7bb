"""A move that does not end: the call fails, nothing is committed, and the process serves on."""

from random import Random

import grpc
import pytest

from alhambra import engine

from .playing import Host, failure, random_move


def test_a_move_that_does_not_end_fails_without_a_trace_and_the_process_serves_on(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = host.create(2)
    view = game.view()
    seat = game.seats[view.decision.seat]
    move, version = random_move(seat, view.version, Random(1))
    with monkeypatch.context() as patch:
        patch.setattr(engine, "WORK_LIMIT", 0)  # every move passes it
        found = failure(lambda: seat.apply(move, version))
    assert (found.code, found.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL_ERROR")
    after = game.view()
    assert (after.version, after.fairness.link) == (view.version, view.fairness.link)
    assert seat.apply(move, version).version > version
