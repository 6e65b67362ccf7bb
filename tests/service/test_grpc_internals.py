"""The private parts of grpcio that pending calls use: each is tried on a real server, so that a new grpcio shows
itself."""

import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from alhambra_service.rpc import grpc_internals
from alhambra_service.rpc.grpc_internals import Call, StreamSender, differences
from alhambra_service.rpc.pending_calls import PendingCalls
from alhambra_service.rpc.pools import CallPool

from .small import failure
from .store.servers import await_true

_server: Any = import_module("grpc._server")
PATIENCE = 60.0
ROOT = Path(__file__).parents[2]


class Notes(CallPool):
    """A pool that keeps the calls that it was given, and can hold them back."""

    def __init__(self, pending: PendingCalls) -> None:
        super().__init__(pending, 2, "notes")
        self.calls: list[Call] = []
        self.hold = False

    def start(self, call: Call) -> None:
        self.calls.append(call)
        if not self.hold:
            super().start(call)


class Here:
    """A server with one pool."""

    def __init__(self) -> None:
        self.pending = PendingCalls()
        self.pool = Notes(self.pending)
        self.seen: list[bytes] = []
        self._server = grpc.server(self.pool)
        handlers: Any = {
            "Echo": grpc.unary_unary_rpc_method_handler(self._echo),
            "Read": grpc.unary_unary_rpc_method_handler(self._echo, request_deserializer=int),
            "Count": grpc.unary_stream_rpc_method_handler(self._count),
            "Sent": grpc.unary_stream_rpc_method_handler(self._sent),
            "Join": grpc.stream_unary_rpc_method_handler(self._join),
            "Each": grpc.stream_stream_rpc_method_handler(self._each),
        }
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("a", handlers),))
        port = self._server.add_insecure_port("127.0.0.1:0")
        self._server.start()
        self.channel = grpc.insecure_channel(f"127.0.0.1:{port}")

    def _echo(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        self.seen.append(request)
        return request

    def _count(self, request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
        yield from (request[: end + 1] for end in range(len(request)))

    def _sent(self, request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
        """Sends each byte of the request from threads that do not wait, one when the one before was taken."""
        yield b"begun"
        sender, left, over = StreamSender(context), list(request), threading.Event()

        def send() -> None:
            if not left or not sender.send(bytes([left.pop(0)]), send):
                over.set()

        send()
        assert over.wait(PATIENCE)
        yield b"ended"

    def _join(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
        return b"+".join(requests)

    def _each(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        yield from requests

    def stop(self) -> None:
        self.channel.close()
        self._server.stop(0).wait()
        self.pool.shutdown()
        self.pending.close()


@contextmanager
def here() -> Iterator[Here]:
    server = Here()
    try:
        yield server
    finally:
        server.stop()


def ask(server: Here, kind: str, method: str) -> Any:
    return getattr(server.channel, kind)(f"/a/{method}")


def test_this_grpcio_is_as_expected_and_its_next_version_is_not_let_in_untried() -> None:
    assert differences() == []
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    capped = [line for line in packages["server"] if line.startswith("grpcio>=")]
    assert len(capped) == 1 and ",<" in capped[0]


@pytest.mark.parametrize("name", ["_unary_response_in_pool", "_abort", "_possibly_finish_call"])
def test_a_part_that_looks_different_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_server, name, lambda other: None)
    assert differences() == [f"_server.{name}"]
    monkeypatch.delattr(_server, name)
    assert differences() == [f"_server.{name}"]


def test_a_state_that_looks_different_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class State(_server._RPCState):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.callbacks = None

    monkeypatch.setattr(_server, "_RPCState", State)
    assert differences() == ["_RPCState at its start"]


def test_calls_of_all_four_kinds_get_their_messages() -> None:
    with here() as server:
        assert ask(server, "unary_unary", "Echo")(b"abc", timeout=PATIENCE) == b"abc"
        assert [*ask(server, "unary_stream", "Count")(b"abc", timeout=PATIENCE)] == [b"a", b"ab", b"abc"]
        assert ask(server, "stream_unary", "Join")(iter([b"a", b"b", b"c"]), timeout=PATIENCE) == b"a+b+c"
        assert [*ask(server, "stream_stream", "Each")(iter([b"a", b"b"]), timeout=PATIENCE)] == [b"a", b"b"]


def test_messages_of_a_stream_are_sent_by_threads_that_do_not_wait() -> None:
    with here() as server:
        found = [*ask(server, "unary_stream", "Sent")(b"abc", timeout=PATIENCE)]
        assert found == [b"begun", b"a", b"b", b"c", b"ended"]
        await_true(lambda: server.pending.open == 0, "the call is over")


def test_a_message_of_a_stream_that_has_not_begun_is_not_sent() -> None:
    state = _server._RPCState()
    event = SimpleNamespace(call=None)
    assert not StreamSender(_server._Context(event, state, None)).send(b"", lambda: None)


def test_a_message_of_a_stream_is_not_sent_before_the_last_one_was_taken() -> None:
    state = _server._RPCState()
    state.initial_metadata_allowed = False
    state.due.add(_server._SEND_MESSAGE_TOKEN)
    with pytest.raises(RuntimeError):
        StreamSender(_server._Context(SimpleNamespace(call=None), state, None)).send(b"", lambda: None)


def test_a_call_is_given_to_its_pool_when_its_message_is_there_and_counts_until_it_is_over() -> None:
    with here() as server:
        server.pool.hold = True
        waiting = ask(server, "unary_unary", "Echo").future(b"abc", timeout=PATIENCE)
        await_true(lambda: server.pool.calls, "the message is there")
        (call,) = server.pool.calls
        assert (server.pending.waiting, server.pending.open) == (0, 1)
        assert not call.gone
        assert not call.answered
        assert call.connection().startswith("ipv4:127.0.0.1:")
        call.answer()
        assert waiting.result(PATIENCE) == b"abc"
        await_true(lambda: server.pending.open == 0, "the call is over")
        assert call.answered


def test_a_call_whose_caller_has_gone_is_not_begun() -> None:
    with here() as server:
        server.pool.hold = True
        waiting = ask(server, "unary_unary", "Echo").future(b"abc", timeout=PATIENCE)
        await_true(lambda: server.pool.calls, "the message is there")
        (call,) = server.pool.calls
        waiting.cancel()
        await_true(lambda: call.gone, "the caller is gone")
        call.answer()
        assert server.seen == []
        await_true(lambda: server.pending.open == 0, "the call is over")


def test_a_call_without_a_message_is_told_that_it_needs_one() -> None:
    with here() as server:
        fault = failure(ask(server, "stream_unary", "Echo"), iter(()), timeout=PATIENCE)
        assert fault.code is grpc.StatusCode.UNIMPLEMENTED
        assert server.pool.calls == []
        await_true(lambda: server.pending.open == 0, "the call is over")


def test_a_message_that_cannot_be_read_ends_its_call_and_nothing_else() -> None:
    with here() as server:
        fault = failure(ask(server, "unary_unary", "Read"), b"no number", timeout=PATIENCE)
        assert fault.code is grpc.StatusCode.INTERNAL
        assert ask(server, "unary_unary", "Echo")(b"abc", timeout=PATIENCE) == b"abc"


def test_a_call_can_be_ended_with_a_status_or_hung_up_on() -> None:
    with here() as server:
        server.pool.hold = True
        ended = ask(server, "unary_unary", "Echo").future(b"", timeout=PATIENCE)
        await_true(lambda: len(server.pool.calls) == 1, "the message of the first is there")
        cut = ask(server, "unary_unary", "Echo").future(b"", timeout=PATIENCE)
        await_true(lambda: len(server.pool.calls) == 2, "the message of the second is there")
        first, second = server.pool.calls
        first.end(grpc.StatusCode.ABORTED, "on purpose", (("why", "a test"),))
        second.cancel()
        assert (ended.code(), ended.details()) == (grpc.StatusCode.ABORTED, "on purpose")
        assert ("why", "a test") in [(one.key, one.value) for one in ended.trailing_metadata()]
        assert cut.code() is grpc.StatusCode.CANCELLED
        await_true(lambda: server.pending.open == 0, "the calls are over")
        first.end(grpc.StatusCode.ABORTED, "again")


def test_nothing_else_in_the_service_uses_private_parts_of_grpcio() -> None:
    folder = Path(grpc_internals.__file__).parents[1]
    private = ("grpc._", "from grpc import _", "cygrpc")
    users = {path.name for path in folder.rglob("*.py") if any(word in path.read_text("utf-8") for word in private)}
    assert users == {"grpc_internals.py"}
