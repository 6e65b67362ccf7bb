"""The threads of a process: calls that take long do not take those of others."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from typing import Any

import pytest

from alhambra_gateway import limits
from alhambra_gateway.connections.thread_pool import (
    PoolThread,
    ThreadPool,
    cancel_on_disconnect,
    serve_client,
)
from tests.service.store.servers import await_true

SIZE = 3
PATIENCE = 60.0


@pytest.fixture
def pool() -> Iterator[ThreadPool]:
    found = ThreadPool(SIZE)
    yield found
    found.shutdown()


class Long:
    """Something that takes until it is told to end."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.end = threading.Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self.end.wait(PATIENCE)
        return "done"


def threads() -> int:
    return sum(isinstance(thread, PoolThread) for thread in threading.enumerate())


def start(pool: ThreadPool, tasks: list[Long]) -> list[Future[Any]]:
    found = [pool.submit(task) for task in tasks]
    for task in tasks:
        assert task.begun.wait(PATIENCE)
    return found


def test_plain_calls_wait_for_a_hand(pool: ThreadPool) -> None:
    busy = [Long() for _ in range(SIZE)]
    start(pool, busy)
    late = pool.submit(len, "abc")
    assert wait([late], 0.05).not_done
    busy[0].end.set()
    assert late.result(PATIENCE) == 3
    for task in busy:
        task.end.set()


def test_who_is_held_up_is_relieved(pool: ThreadPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HELD_UP_SECONDS", 0.0)
    monkeypatch.setattr(limits, "THREAD_TICK_SECONDS", 0.0)
    busy = [Long() for _ in range(SIZE)]
    start(pool, busy)
    late = pool.submit(len, "abc")
    pool.look()
    assert late.result(PATIENCE) == 3
    for task in busy:
        task.end.set()
    await_true(lambda: threads() == SIZE, "who was relieved has gone home")


def test_only_so_many_are_relieved_at_once(pool: ThreadPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HELD_UP_SECONDS", 0.0)
    monkeypatch.setattr(limits, "THREAD_TICK_SECONDS", 0.0)
    monkeypatch.setattr(limits, "REPLACED_THREADS", 2 * SIZE)
    busy = [Long() for _ in range(5 * SIZE)]
    for task in busy:
        pool.submit(task)
    for round_ in range(1, 4):
        await_true(lambda: sum(task.begun.is_set() for task in busy) == SIZE * round_, "all hands are busy")  # noqa: B023
        pool.look()
    assert threads() == 3 * SIZE
    for task in busy:
        task.end.set()


def test_the_crew_tells_when_hardly_any_more_threads_can_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HELD_UP_SECONDS", 0.0)
    monkeypatch.setattr(limits, "THREAD_TICK_SECONDS", 0.0)
    monkeypatch.setattr(limits, "REPLACED_THREADS", 2 * SIZE)
    told: list[tuple[bool, int]] = []
    pool = ThreadPool(SIZE, lambda full: told.append((full, threads())))
    busy = [Long() for _ in range(2 * SIZE)]
    running = start(pool, busy[:SIZE])
    pool.look()
    running += start(pool, busy[SIZE:])
    pool.look()
    assert told == [(False, SIZE), (True, 2 * SIZE)]  # before there are new threads
    for task in busy:
        task.end.set()
    wait(running, PATIENCE)
    await_true(lambda: threads() == SIZE, "who was relieved has gone home")
    pool.look()
    assert told[-1] == (False, SIZE)
    pool.shutdown()


class Caller:
    """A client that is being answered."""

    def __init__(self, *, gone: bool) -> None:
        self.gone = gone
        self.to_be_paused = False
        self.cancel_call: Callable[[], object] | None = None


@pytest.mark.parametrize("gone", [False, True])
def test_a_call_is_given_up_at_once_if_its_client_has_gone_already(pool: ThreadPool, gone: bool) -> None:
    caller, cancelled = Caller(gone=gone), threading.Event()

    def call() -> None:
        serve_client(caller)
        cancel_on_disconnect(cancelled.set)

    pool.submit(call).result(PATIENCE)
    assert cancelled.is_set() == gone
    assert caller.cancel_call is not None
    caller.cancel_call()
    assert cancelled.is_set()


def test_a_task_that_fails_fails_alone(pool: ThreadPool) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        pool.submit(int, "no number").result(PATIENCE)
    assert pool.submit(int, "7").result(PATIENCE) == 7


def test_outside_of_a_pool_no_client_is_watched() -> None:
    cancelled: list[bool] = []
    cancel_on_disconnect(lambda: cancelled.append(True))
    assert not cancelled
