"""Faults of a store do to it what they are named after, and leave it as it was."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis.exceptions import RedisError

from .faults import COURSES
from .processes import await_true
from .schedule import Fault, Schedule
from .stores import SingleStore
from .world import World

WRITE = ("SET", "alh:test", "x" * 100_000)


@contextmanager
def store_of(folder: Path, shape: str, durability: str = "always") -> Iterator[World]:
    """A world of which only the store runs."""
    world = World(folder, Schedule(1, shape, durability, 1.0, ()))
    try:
        world.store.start()
        yield world
    finally:
        world.stop()


@contextmanager
def suffering(world: World, kind: str, amount: float = 0.0) -> Iterator[None]:
    """The time while a fault lasts."""
    course = COURSES[kind](world, Fault(0.0, kind, 0, 0.0, amount))
    next(course)
    yield
    for _ in course:
        pass


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with store_of(tmp_path, "single") as found:
        yield found


def refusal(world: World) -> str:
    """The words with which the store fails to write; empty if it does not."""
    assert isinstance(world.store, SingleStore)
    try:
        world.store.servers[0].ask(*WRITE)
    except (RedisError, OSError) as fault:
        return f"{type(fault).__name__} {fault}"
    return ""


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("memory full", "OutOfMemoryError"),
        ("replicas demanded", "NOREPLICAS"),
        ("read-only", "ReadOnlyError"),
        ("store paused", "TimeoutError"),
        ("store killed", "ConnectionError"),
        ("disk full", "ConnectionError"),  # with `appendfsync always` the server ends itself
    ],
)
def test_a_store_in_trouble_does_not_write_and_recovers(world: World, kind: str, words: str) -> None:
    assert refusal(world) == ""
    with suffering(world, kind):
        assert words in refusal(world)
    await_true(lambda: not refusal(world), "the store writes again")


def test_a_lazy_store_with_a_full_disk_refuses_further_writes(tmp_path: Path) -> None:
    with store_of(tmp_path, "single", "everysec") as world:
        assert refusal(world) == ""
        with suffering(world, "disk full"):
            await_true(lambda: "MISCONF" in refusal(world), "the store refuses to write")
        await_true(lambda: not refusal(world), "the store writes again")


@pytest.mark.parametrize("shape", ["sentinel", "cluster"])
def test_a_replica_takes_the_place_of_a_master_that_is_cut_off(tmp_path: Path, shape: str) -> None:
    with store_of(tmp_path, shape) as world:
        before = world.store.masters()
        heir = world.store.heir(before[0])
        with suffering(world, "master cut off", amount=1.0):
            assert before[0].running
        await_true(world.store.whole, "the store is whole again")
        assert heir in world.store.masters()
        assert before[0] not in world.store.masters()
