"""Deadlines are kept by the store's clock: a process with a wrong one neither takes a decision early nor too late."""

import time
from collections.abc import Callable
from random import Random

import pytest

from alhambra_service.store.clock import seconds_of

from .playing import Host, random_move
from .serving import GameServer
from .store.servers import await_true

DAY = 24 * 3600


class Jumping:
    """A local clock that somebody sets."""

    def __init__(self) -> None:
        self.by = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.by


@pytest.fixture
def jumping(start_server: Callable[..., GameServer]) -> tuple[GameServer, Jumping]:
    """A process that nothing tells the store's time but its commits, and its clock."""
    server, clock = start_server(), Jumping()
    server.store.clock._local = clock
    server.commands.now()
    return server, clock


def test_a_process_whose_clock_is_a_day_ahead_leaves_decisions_that_have_an_hour_left(
    jumping: tuple[GameServer, Jumping], connect: Callable[[str], Host], host: Host
) -> None:
    server, clock = jumping
    game = host.create(2, turn_seconds=3600)
    fast = connect(server.address).game(game.id, {number: seat.token for number, seat in game.seats.items()})
    clock.by = DAY
    for _ in range(3):
        assert fast.view().version == 0
    assert game.view().version == 0
    view = fast.view()
    seat = fast.seats[view.decision.seat]
    move, version = random_move(seat, view.version, Random(1))
    after = seat.apply(move, version).view
    assert after.version == 1
    assert abs(after.decision.deadline.seconds - 3600 - server.store.clock.now()) < 60


def test_a_deadline_set_by_a_process_whose_clock_is_a_day_behind_is_true(
    jumping: tuple[GameServer, Jumping], connect: Callable[[str], Host], host: Host
) -> None:
    server, clock = jumping
    clock.by = -DAY
    assert server.store.unready() is None  # a probe has told it the store's time
    game = connect(server.address).create(2, turn_seconds=1)
    deadline = game.created.view.decision.deadline.seconds
    assert abs(deadline - seconds_of(server.store.client.servers()[0].ask("TIME"))) < 60
    elsewhere = host.game(game.id, {})
    await_true(lambda: elsewhere.view().version >= 1, "the decision is taken when its second is over")


def test_a_deadline_that_is_over_is_taken_by_a_process_with_a_wrong_clock(
    jumping: tuple[GameServer, Jumping], connect: Callable[[str], Host]
) -> None:
    server, clock = jumping
    game = connect(server.address).create(2, turn_seconds=1)
    clock.by = DAY
    await_true(lambda: game.view().version >= 1, "the decision is taken")
    log = server.store.log(game.id)
    assert len(log) >= 1
