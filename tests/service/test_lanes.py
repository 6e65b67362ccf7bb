"""Threads for calls: every job is done once, whoever waits for its end is told once, and an error ends no thread."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from alhambra_service.calls import PerMethod, Surrounded
from alhambra_service.lanes import Lane

PATIENCE = 10.0


def test_whoever_waits_for_the_end_of_a_job_is_told_once() -> None:
    """However the job and the question cross each other."""
    lane = Lane(2, "lane")
    told: list[int] = []
    done = threading.Semaphore(0)

    def note(number: int) -> Any:
        def tell(job: object) -> None:
            told.append(number)
            done.release()

        return tell

    for number in range(2_000):
        job = lane.submit(lambda: None)
        if number % 7 == 0:
            time.sleep(0)  # let the job end first
        job.add_done_callback(note(number))
    for _ in range(2_000):
        assert done.acquire(timeout=PATIENCE)
    assert sorted(told) == list(range(2_000))
    lane.shutdown()


def test_an_error_ends_no_thread(caplog: pytest.LogCaptureFixture) -> None:
    lane = Lane(1, "lane")
    ended, worked = threading.Event(), threading.Event()

    def fail() -> None:
        raise RuntimeError("on purpose")

    lane.submit(fail).add_done_callback(lambda job: ended.set())
    lane.submit(worked.set)
    assert ended.wait(PATIENCE)
    assert worked.wait(PATIENCE)
    assert "could not be answered" in caplog.text
    lane.shutdown()


def test_threads_end_after_what_was_submitted() -> None:
    lane = Lane(3, "ending lane")
    worked: list[int] = []
    for number in range(50):
        lane.submit(worked.append, number)
    lane.shutdown()

    def left() -> list[str]:
        return [thread.name for thread in threading.enumerate() if thread.name.startswith("ending lane")]

    deadline = time.monotonic() + PATIENCE
    while left() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert left() == []
    assert sorted(worked) == list(range(50))


class Marking(PerMethod):
    """Puts its mark around every answer."""

    def __init__(self, mark: bytes) -> None:
        super().__init__()
        self._mark = mark

    def around(self, method: str, handler: Any, behavior: Any) -> Any:
        return lambda request, context: self._mark + behavior(request, context)


def test_what_is_added_is_surrounded_and_nothing_else_can_be_reached() -> None:
    server = grpc.server(ThreadPoolExecutor(1))
    lane = Lane(1, "some lane")
    surrounded = Surrounded(server, [Marking(b"outer "), Marking(b"inner ")], {"/a.Service/Quick": lane})

    def answer(request: bytes, context: grpc.ServicerContext) -> bytes:
        return threading.current_thread().name.partition("_")[0].encode()

    handlers: Any = {name: grpc.unary_unary_rpc_method_handler(answer) for name in ("Plain", "Quick")}
    surrounded.add_registered_method_handlers("a.Service", handlers)
    bare = grpc.method_handlers_generic_handler("bare.Service", handlers)
    surrounded.add_generic_rpc_handlers((bare,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:

            def call(method: str) -> bytes:
                ask: Any = channel.unary_unary(method)
                found: bytes = ask(b"", timeout=PATIENCE)
                return found

            assert call("/a.Service/Plain").startswith(b"outer inner ThreadPoolExecutor")
            assert call("/a.Service/Quick") == b"outer inner some lane"
            with pytest.raises(grpc.RpcError) as refusal:
                call("/bare.Service/Plain")
            failed: Any = refusal.value
            assert failed.code() is grpc.StatusCode.UNIMPLEMENTED
    finally:
        server.stop(0).wait()
        lane.shutdown()
