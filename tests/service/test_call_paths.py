"""How far one call walks through the house: the files of the service that it passes, counted by a trace.

docs/architecture.md follows the same calls in words and names these limits.
"""

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest

import alhambra_service
from alhambra.players import peer_move
from alhambra_api.v1 import boards_pb2, nouns_pb2
from alhambra_service.games.game_commands import running
from alhambra_service.messages.translate import move_to
from alhambra_service.store import EmbeddedStore

from .playing import PATIENCE, Host
from .serving import GameServer

SERVICE = Path(alhambra_service.__file__).parent
OWN = {"write", "quick", "read", "fetch"}
"""The pools whose threads answer calls. What else runs, such as the listener of the store, belongs to no call."""
APPLY_FILES, APPLY_CALLS, VALIDATE_FILES = 35, 700, 24
WARM = 30
"""Moves before the traced ones: what is made once is made by then."""
TRACED = 10


class Trace:
    """Counts the Python functions that threads of the pools call, while it is on."""

    def __init__(self) -> None:
        self.on = False
        self.calls: Counter[str] = Counter()

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if self.on and event == "call" and threading.current_thread().name.partition("_")[0] in OWN:
            self.calls[frame.f_code.co_filename] += 1

    def files(self) -> set[str]:
        """The files of the service in which a function was called."""
        return {str(Path(name).relative_to(SERVICE)) for name in self.calls if name.startswith(f"{SERVICE}/")}


@pytest.fixture
def trace() -> Iterator[Trace]:
    found = Trace()
    threading.setprofile(found)
    yield found
    threading.setprofile(None)
    sys.setprofile(None)


@pytest.fixture
def server(trace: Trace, embedded: EmbeddedStore) -> Iterator[GameServer]:
    one = GameServer(embedded.url)
    yield one
    one.stop()


def test_a_move_and_a_placement_pass_few_files(trace: Trace, server: GameServer) -> None:
    host = Host(server.address)
    game = host.create(3, seed="a walk through the house")
    rng = Random(1)

    def moving(times: int) -> None:
        for _ in range(times):
            played = running(server.store.load(game.id)).clone()
            assert played.decision is not None
            seat, move = played.decision.seat, peer_move(played, rng)
            traced(trace, lambda: game.seats[seat].apply(move_to(move), played.version))  # noqa: B023

    moving(WARM)
    trace.calls.clear()
    moving(TRACED)
    assert len(trace.files()) <= APPLY_FILES, sorted(trace.files())
    assert trace.calls.total() / TRACED <= APPLY_CALLS

    placement = boards_pb2.Placement(tile="garden-10", cell=nouns_pb2.Cell(x=1, y=0))
    request = boards_pb2.ValidatePlacementRequest(game=game.id, seat=0, placement=placement)
    host.stub.ValidatePlacement(request, timeout=PATIENCE)
    trace.calls.clear()
    traced(trace, lambda: host.stub.ValidatePlacement(request, timeout=PATIENCE))
    assert 0 < len(trace.files()) <= VALIDATE_FILES, sorted(trace.files())
    host.close()


def traced(trace: Trace, call: Callable[[], object]) -> None:
    trace.on = True
    call()
    trace.on = False
