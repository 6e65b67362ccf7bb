"""Threads for calls: every call is answered once, an error ends no thread, and what needs the store is restarted."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from alhambra_service import blocking
from alhambra_service.rpc.pending_calls import PendingCalls
from alhambra_service.rpc.pools import CallPool, QuickPool
from alhambra_service.rpc.wrappers import WrappedServer, Wrapper

from .store.servers import await_true

PATIENCE = 60.0


class Work:
    """Stands for a call whose message has come."""

    def __init__(self, answer: Callable[[], object]) -> None:
        self.answer = answer


def start(pool: CallPool, answer: Callable[[], object]) -> None:
    work: Any = Work(answer)
    pool.start(work)


@pytest.fixture
def pending() -> Iterator[PendingCalls]:
    pending = PendingCalls()
    yield pending
    pending.close()


@pytest.mark.parametrize("kind", [CallPool, QuickPool])
def test_every_call_is_answered_once(kind: type[CallPool], pending: PendingCalls) -> None:
    pool = kind(pending, 3, "pool")
    answered: list[int] = []
    for number in range(2_000):
        start(pool, lambda number=number: answered.append(number))  # type: ignore[misc]
    await_true(lambda: len(answered) == 2_000, "all are answered")
    assert sorted(answered) == list(range(2_000))
    pool.shutdown()


@pytest.mark.parametrize("kind", [CallPool, QuickPool])
def test_an_error_ends_no_thread(kind: type[CallPool], pending: PendingCalls, caplog: pytest.LogCaptureFixture) -> None:
    pool = kind(pending, 1, "pool")
    worked = threading.Event()

    def fail() -> None:
        raise RuntimeError("on purpose")

    start(pool, fail)
    start(pool, worked.set)
    assert worked.wait(PATIENCE)
    assert "Cannot answer a call" in caplog.text
    pool.shutdown()


def test_threads_end_after_what_was_started(pending: PendingCalls) -> None:
    pool = QuickPool(pending, 3, "ending pool")
    worked: list[int] = []
    for number in range(50):
        start(pool, lambda number=number: worked.append(number))  # type: ignore[misc]
    pool.shutdown()

    def left() -> list[str]:
        return [thread.name for thread in threading.enumerate() if thread.name.startswith("ending pool")]

    deadline = time.monotonic() + PATIENCE
    while left() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert left() == []
    assert sorted(worked) == list(range(50))


@pytest.mark.parametrize("kind", [CallPool, QuickPool])
def test_a_call_that_needs_the_store_begins_again_on_threads_that_may_wait(
    kind: type[CallPool], pending: PendingCalls
) -> None:
    fetch = CallPool(pending, 1, "fetch")
    pool = kind(pending, 1, "memory", fetch=fetch)
    began: list[tuple[str, bool]] = []

    def answer() -> None:
        began.append((threading.current_thread().name.partition("_")[0], blocking.is_restarted()))
        blocking.require_blocking_allowed()
        began.append(("waited", blocking.is_restarted()))

    start(pool, answer)
    await_true(lambda: len(began) == 3, "the call is answered")
    assert began == [("memory", False), ("fetch", True), ("waited", True)]
    start(fetch, answer)
    await_true(lambda: len(began) == 5, "a call of that pool is answered")
    assert began[3:] == [("fetch", False), ("waited", False)]
    for one in (pool, fetch):
        one.shutdown()


def test_a_lock_whose_holder_may_wait_for_the_store_is_not_waited_for(pending: PendingCalls) -> None:
    fetch = CallPool(pending, 1, "fetch")
    pool = CallPool(pending, 1, "memory", fetch=fetch)
    lock, held = threading.Lock(), threading.Event()
    went_on: list[str] = []

    def answer() -> None:
        with blocking.holding(lock):
            went_on.append(threading.current_thread().name.partition("_")[0])
            held.set()

    with lock:
        start(pool, answer)
        start(pool, lambda: went_on.append("memory is free"))
        await_true(lambda: went_on, "the thread does not wait")
        assert went_on == ["memory is free"]
    assert held.wait(PATIENCE)
    assert went_on == ["memory is free", "fetch"]
    for one in (pool, fetch):
        one.shutdown()


class Marking(Wrapper):
    """Puts its mark around every answer."""

    def __init__(self, mark: bytes) -> None:
        super().__init__()
        self._mark = mark

    def around(self, method: str, handler: Any, behavior: Any) -> Any:
        return lambda request, context: self._mark + behavior(request, context)


def test_what_is_added_is_surrounded_and_nothing_else_can_be_reached(pending: PendingCalls) -> None:
    plain, quick = CallPool(pending, 1, "plain pool"), QuickPool(pending, 1, "quick pool")
    server = grpc.server(plain)
    pools = {"/a.Service/Quick": quick}
    surrounded = WrappedServer(server, [Marking(b"outer "), Marking(b"inner ")], lambda method, _: pools.get(method))

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

            assert call("/a.Service/Plain") == b"outer inner plain pool"
            assert call("/a.Service/Quick") == b"outer inner quick pool"
            with pytest.raises(grpc.RpcError) as refusal:
                call("/bare.Service/Plain")
            failed: Any = refusal.value
            assert failed.code() is grpc.StatusCode.UNIMPLEMENTED
    finally:
        server.stop(0).wait()
        for pool in (plain, quick):
            pool.shutdown()
