"""A service on a real disk that fills up, or becomes read-only. Mounting one needs root: `make check` runs this."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from tests.service.playing import play, refused
from tests.service.store.servers import await_true
from tests.service.store.test_capacity import Place, Reader
from tests.service.whole_games import assert_whole

BYTES = 16 << 20


@pytest.fixture
def disk() -> Iterator[Path]:
    """A small disk of its own."""
    with TemporaryDirectory(prefix="alh-test-") as name:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={BYTES}", "none", name], check=True)
        try:
            yield Path(name)
        finally:
            while Path(name).is_mount():  # `remount` may have put a second one over it
                subprocess.run(["umount", "--lazy", name], check=True)


@pytest.fixture
def place(disk: Path) -> Iterator[Place]:
    one = Place(disk / "data")
    yield one
    one.stop()


def fill(disk: Path) -> Path:
    """Write until there is no room at all, faster than anybody can look."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 12))
        except OSError:
            return ballast


def test_a_full_disk_is_named_and_nothing_acknowledged_is_lost(place: Place, disk: Path) -> None:
    place.await_green()
    game, rng = place.game, Random(5)
    with Reader(game) as reader:
        ballast = fill(disk)
        acknowledged = 0
        while True:  # until the first move fails
            version, move = place.next_move(f"move {acknowledged}")
            try:
                move()
                acknowledged += 1
            except Exception:
                break
        place.await_fault(f"The disk of {disk / 'data'} is full: make room on it.")
        await_true(lambda: refused(move) == "STORE_READ_ONLY", "the true reason is told")
        assert game.view().version == version
        ballast.unlink()
        place.await_green()
    assert move() is not None
    play(game, rng, moves=3)
    assert len(assert_whole(place.server.store, game.id)) == version + 4
    assert (reader.failures, reader.reads > 0) == ([], True)


def test_a_disk_that_becomes_read_only_is_named_and_games_in_memory_are_read(place: Place, disk: Path) -> None:
    place.await_green()
    version, move = place.next_move("kept")
    words = f"The disk of {disk / 'data'} is read-only: mount it for writing."
    with Reader(place.game) as reader:
        remount(disk, "ro")
        place.await_fault(words)
        assert refused(move) == "STORE_READ_ONLY"
        assert place.game.view().version == version  # and it is in memory again
        assert place.store.pid is not None
        os.kill(place.store.pid, signal.SIGKILL)  # it cannot start again: its files cannot be opened for writing
        await_true(lambda: place.store.restarts > 0, "it is tried")
        for _ in range(20):
            assert place.game.view().version == version
        place.await_fault(words)
        remount(disk, "rw")
        place.await_green()
    assert move() is not None
    assert (reader.failures, reader.reads > 0) == ([], True)
    assert len(assert_whole(place.server.store, place.game.id)) == version + 1


def remount(disk: Path, mode: str) -> None:
    """Change the mount, not the disk: what is open for writing stays so."""
    subprocess.run(["mount", "--bind", disk, disk], check=False)
    subprocess.run(["mount", "-o", f"remount,bind,{mode}", disk], check=True)
