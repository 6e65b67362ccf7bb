"""The threads of a process: streams and slow clients do not take those of plain calls."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from typing import Any

import pytest

from alhambra_gateway import limits
from alhambra_gateway.crew import Crew, Hand, give_up_with, step_out, work_for
from tests.service.store.servers import await_true

SIZE = 3
PATIENCE = 30.0


@pytest.fixture
def crew() -> Iterator[Crew]:
    found = Crew(SIZE)
    yield found
    found.shutdown()


class Long:
    """Something that takes until it is told to end."""

    def __init__(self, *, stream: bool = False) -> None:
        self._stream = stream
        self.begun = threading.Event()
        self.end = threading.Event()

    def __call__(self) -> str:
        if self._stream:
            step_out()
        self.begun.set()
        assert self.end.wait(PATIENCE)
        return "done"


def hands() -> int:
    return sum(isinstance(thread, Hand) for thread in threading.enumerate())


def start(crew: Crew, tasks: list[Long]) -> list[Future[Any]]:
    found = [crew.submit(task) for task in tasks]
    for task in tasks:
        assert task.begun.wait(PATIENCE)
    return found


def test_any_number_of_streams_leaves_as_many_hands_for_plain_calls(crew: Crew) -> None:
    streams = [Long(stream=True) for _ in range(10 * SIZE)]
    running = start(crew, streams)
    plain = [Long() for _ in range(SIZE)]
    running += start(crew, plain)  # all at once
    for task in streams + plain:
        task.end.set()
    assert {future.result(PATIENCE) for future in running} == {"done"}
    await_true(lambda: hands() == SIZE, "those of the streams have gone home")
    assert crew.submit(len, "abc").result(PATIENCE) == 3


def test_plain_calls_wait_for_a_hand(crew: Crew) -> None:
    busy = [Long() for _ in range(SIZE)]
    start(crew, busy)
    late = crew.submit(len, "abc")
    assert wait([late], 0.05).not_done
    busy[0].end.set()
    assert late.result(PATIENCE) == 3
    for task in busy:
        task.end.set()


def test_who_is_held_up_is_relieved(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HELD_UP_SECONDS", 0.0)
    monkeypatch.setattr(limits, "CREW_TICK_SECONDS", 0.0)
    busy = [Long() for _ in range(SIZE)]
    start(crew, busy)
    late = crew.submit(len, "abc")
    crew.look()
    assert late.result(PATIENCE) == 3
    for task in busy:
        task.end.set()
    await_true(lambda: hands() == SIZE, "who was relieved has gone home")


def test_only_so_many_are_relieved_at_once(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HELD_UP_SECONDS", 0.0)
    monkeypatch.setattr(limits, "CREW_TICK_SECONDS", 0.0)
    monkeypatch.setattr(limits, "RELIEVED_HANDS", 2 * SIZE)
    busy = [Long() for _ in range(5 * SIZE)]
    for task in busy:
        crew.submit(task)
    for round_ in range(1, 4):
        await_true(lambda: sum(task.begun.is_set() for task in busy) == SIZE * round_, "all hands are busy")  # noqa: B023
        crew.look()
    assert hands() == 3 * SIZE
    for task in busy:
        task.end.set()


def test_the_crew_tells_when_hardly_any_more_threads_can_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HELD_UP_SECONDS", 0.0)
    monkeypatch.setattr(limits, "CREW_TICK_SECONDS", 0.0)
    monkeypatch.setattr(limits, "RELIEVED_HANDS", 2 * SIZE)
    told: list[tuple[bool, int]] = []
    crew = Crew(SIZE, lambda full: told.append((full, hands())))
    busy = [Long() for _ in range(2 * SIZE)]
    running = start(crew, busy[:SIZE])
    crew.look()
    running += start(crew, busy[SIZE:])
    crew.look()
    assert told == [(False, SIZE), (True, 2 * SIZE)]  # before there are new threads
    for task in busy:
        task.end.set()
    wait(running, PATIENCE)
    await_true(lambda: hands() == SIZE, "who was relieved has gone home")
    crew.look()
    assert told[-1] == (False, SIZE)
    crew.shutdown()


def test_a_stream_does_not_count_among_the_threads_that_are_held_up(
    crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "HELD_UP_SECONDS", 0.0)
    monkeypatch.setattr(limits, "CREW_TICK_SECONDS", 0.0)
    monkeypatch.setattr(limits, "RELIEVED_HANDS", 1)
    stream = Long(stream=True)
    start(crew, [stream])
    crew.look()
    assert not crew.busy
    stream.end.set()


class Caller:
    """A client that is being answered."""

    def __init__(self, *, gone: bool) -> None:
        self.gone = gone
        self.give_up: Callable[[], object] | None = None


@pytest.mark.parametrize("gone", [False, True])
def test_a_call_is_given_up_at_once_if_its_client_has_gone_already(crew: Crew, gone: bool) -> None:
    caller, cancelled = Caller(gone=gone), threading.Event()

    def call() -> None:
        work_for(caller)
        give_up_with(cancelled.set)

    crew.submit(call).result(PATIENCE)
    assert cancelled.is_set() == gone
    assert caller.give_up is not None
    caller.give_up()
    assert cancelled.is_set()


def test_a_task_that_fails_fails_alone(crew: Crew) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        crew.submit(int, "no number").result(PATIENCE)
    assert crew.submit(int, "7").result(PATIENCE) == 7


def test_outside_of_a_crew_stepping_out_means_nothing() -> None:
    before = hands()
    step_out()
    give_up_with(lambda: None)
    assert hands() == before
