"""How many files and functions one call passes, counted by a profiler hook.

docs/architecture.md follows the same calls in words and names these limits.
"""

import gc
import queue
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

SERVICE = f"{Path(alhambra_service.__file__).parent}/"
OWN = {"write", "quick", "read", "fetch"}
"""The pools whose threads answer calls. What else runs, such as the listener of the store, belongs to no call."""
WAITING = {threading.__file__, queue.__file__}
"""Locks and queues: how often a thread waits depends on the machine."""
APPLY_FILES, APPLY_FILE_CHANGES, APPLY_CALLS = 35, 51, 480
VALIDATE_FILES, VALIDATE_FILE_CHANGES = 18, 21
WARM = 30
"""Moves before the traced ones: what is made once is made by then."""
TRACED = 12


class Trace:
    """Counts the Python functions that threads of the pools call, while it is on."""

    def __init__(self) -> None:
        self.on = False
        self.clear()

    def clear(self) -> None:
        self.calls: Counter[str] = Counter()
        """By file: the functions that were called, those of libraries and of the rules included."""
        self.file_changes = 0
        """How often a function of the service was called that is in another file than the one called before it."""
        self._file = ""

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if not self.on or event != "call" or threading.current_thread().name.partition("_")[0] not in OWN:
            return
        file = frame.f_code.co_filename
        if file in WAITING:
            return
        self.calls[file] += 1
        if file != self._file and file.startswith(SERVICE):
            self._file = file
            self.file_changes += 1

    def files(self) -> set[str]:
        """The files of the service in which a function was called."""
        return {name.removeprefix(SERVICE) for name in self.calls if name.startswith(SERVICE)}


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
    trace.clear()
    moving(TRACED)
    assert len(trace.files()) <= APPLY_FILES, sorted(trace.files())
    assert 0 < trace.file_changes / TRACED <= APPLY_FILE_CHANGES
    assert trace.calls.total() / TRACED <= APPLY_CALLS

    placement = boards_pb2.Placement(tile="garden-10", cell=nouns_pb2.Cell(x=1, y=0))
    request = boards_pb2.ValidatePlacementRequest(game=game.id, seat=0, placement=placement)
    host.stub.ValidatePlacement(request, timeout=PATIENCE)
    trace.clear()
    traced(trace, lambda: host.stub.ValidatePlacement(request, timeout=PATIENCE))
    assert 0 < len(trace.files()) <= VALIDATE_FILES, sorted(trace.files())
    assert trace.file_changes <= VALIDATE_FILE_CHANGES
    host.close()


def traced(trace: Trace, call: Callable[[], object]) -> None:
    """Make a call without the garbage collector: what it does belongs to no call."""
    gc.disable()
    trace.on = True
    call()
    trace.on = False
    gc.enable()
