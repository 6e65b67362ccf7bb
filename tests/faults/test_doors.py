"""Spectators of a round are told over both protocols of events that were taken back, and stop when asked to."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from alhambra_service.store import EmbeddedStore
from tests.gateway.product import gateway
from tests.service.lost_moves import keep_for_later, play_otherwise
from tests.service.watchers import Place, Seats

from .clients import Watcher
from .doors import Door, GrpcDoor, Refused, RestDoor
from .history import BEHIND


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with EmbeddedStore(tmp_path, fsync="always") as store:
        found = Place(store.url)
        yield found
        found.stop()


def watched(door: Door, game: str, after: str) -> list[str]:
    """Everything that a stream tells until it ends by itself."""
    return [*door.watch(game, after, lambda _: None)]


def test_a_spectator_that_comes_back_is_told_over_both_protocols(place: Place) -> None:
    seats = Seats(place)
    seats.play(1)
    go_back = keep_for_later(place.store, seats.game)
    seats.play(1)
    after = seats.past()[-1].id
    go_back()
    play_otherwise(seats, 2)
    with gateway(f"127.0.0.1:{place.port}") as front:
        for door in (GrpcDoor(place.port), RestDoor(int(front.http.rpartition(":")[2]))):
            with pytest.raises(Refused) as told:
                watched(door, seats.game, after)
            assert told.value.reason == BEHIND
            door.close()


class StuckStream:
    """A stream that says nothing and does not obey when it is cancelled."""

    def __init__(self) -> None:
        self.opened, self.never = threading.Event(), threading.Event()

    def __iter__(self) -> Iterator[Any]:
        self.opened.set()
        self.never.wait()
        yield from ()

    def cancel(self) -> None:
        """Change nothing."""


def test_a_spectator_stops_although_its_stream_is_stuck() -> None:
    stream = StuckStream()
    door: Any = GrpcDoor(1)
    door._stub = SimpleNamespace(WatchEvents=lambda *_, **__: stream)
    crowd: Any = SimpleNamespace(doors=lambda: [door], trouble=[])
    spectator = Watcher(crowd, "eve", "game", "grpc")
    spectator.start()
    assert stream.opened.wait(10)
    spectator.stop()
    spectator.join(10)
    assert (spectator.noted().events, crowd.trouble) == ((), [])
    stream.never.set()
