"""Long work asks whether its caller still waits."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from alhambra_service import current_call
from alhambra_service.messages.refusals import from_error

from .store.servers import await_true

PATIENCE = 60.0


class Call:
    """Stands for the context of a call."""

    def __init__(self, *, active: bool) -> None:
        self.active = active

    def is_active(self) -> bool:
        return self.active


def test_work_outside_of_a_call_is_never_stopped() -> None:
    assert not current_call.caller_has_gone()
    current_call.require_caller()


def test_work_for_a_caller_that_has_gone_is_stopped_in_the_thread_of_its_call_alone() -> None:
    call: Any = Call(active=True)
    current_call.THREAD.call = call
    try:
        current_call.require_caller()
        call.active = False
        with pytest.raises(current_call.CallerGone) as gone:
            current_call.require_caller()
        assert from_error(gone.value).reason == "CALL_CANCELLED"
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(current_call.caller_has_gone).result(PATIENCE) is False
    finally:
        current_call.THREAD.call = None
    assert not current_call.caller_has_gone()


def test_a_real_caller_that_hangs_up_is_gone_at_once() -> None:
    entered, seen = threading.Event(), threading.Event()

    def wait(request: bytes, context: grpc.ServicerContext) -> bytes:
        current_call.THREAD.call = context
        entered.set()
        await_true(current_call.caller_has_gone, "the caller is gone")
        seen.set()
        return b""

    server = grpc.server(ThreadPoolExecutor(1))
    handlers: Any = {"Wait": grpc.unary_unary_rpc_method_handler(wait)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("a.Service", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            ask: Any = channel.unary_unary("/a.Service/Wait")
            call = ask.future(b"", timeout=PATIENCE)
            assert entered.wait(PATIENCE)
            assert not seen.is_set()
            call.cancel()
            assert seen.wait(PATIENCE)
    finally:
        server.stop(0).wait()
