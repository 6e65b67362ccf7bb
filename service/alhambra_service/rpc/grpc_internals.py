"""The private parts of grpcio that this service uses. No other file uses any.

grpcio gives a call to a thread before the message of the call has arrived, and the thread waits for it. Here the
message is asked for first (`Call.receive`), and a thread is used when it has arrived (`Call.answer`). grpcio has no
public API for that. What is used:

    _server._unary_response_in_pool, _stream_response_in_pool    what grpcio submits to a pool, and with which arguments
    _server._RPCState                                            what a call knows about itself
    _server._possibly_finish_call, _abort, _RequestIterator      how a call ends, and how further messages are read
    cygrpc.ReceiveMessageOperation                               asks for one message
    _common.deserialize                                          reads a message as grpcio does
    _server._Context._rpc_event, _state; SendMessageOperation    sends a message of a stream without a thread that waits

They are checked when this file is imported: the service does not start with a grpcio that is different.
`pyproject.toml` caps the version, and `tests/service/test_grpc_internals.py` tests each part.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import chain
from typing import Any, TypeAlias

import grpc

_common: Any = import_module("grpc._common")
_server: Any = import_module("grpc._server")
cygrpc: Any = import_module("grpc._cython.cygrpc")

Event: TypeAlias = Any
"""An event of grpcio's completion queue."""
Ended: TypeAlias = Any
"""The result of a callback of grpcio: a finished call with its own callbacks, or None."""

_ARGUMENTS = ("rpc_event", "state", "behavior", "argument_thunk", "request_deserializer", "response_serializer")
_SHAPES: dict[str, tuple[str, ...]] = {
    "_unary_response_in_pool": _ARGUMENTS,
    "_stream_response_in_pool": _ARGUMENTS,
    "_possibly_finish_call": ("state", "token"),
    "_abort": ("state", "call", "code", "details"),
    "_unary_request": ("rpc_event", "state", "request_deserializer"),
}
_STATE = (
    *("callbacks", "client", "condition", "context", "due", "initial_metadata_allowed", "request", "statused"),
    "trailing_metadata",
)
_UNARY = "unary_request"
"""The name of the function with which grpcio reads the message of a call with a single message."""
_RECEIVED: str = _server._RECEIVE_MESSAGE_TOKEN
_SENT: str = _server._SEND_MESSAGE_TOKEN
_OPEN, _CLOSED, _CANCELLED = _server._OPEN, _server._CLOSED, _server._CANCELLED


def differences() -> list[str]:
    """Return the parts that differ from the grpcio that this file was written for."""
    found = []
    for name, expected in _SHAPES.items():
        function = getattr(_server, name, None)
        if function is None or tuple(inspect.signature(function).parameters) != expected:
            found.append(f"_server.{name}")
    if _server._unary_request(None, None, None).__name__ != _UNARY:
        found.append("_server._unary_request")
    state = _server._RPCState()
    found += [f"_RPCState.{name}" for name in _STATE if not hasattr(state, name)]
    names = (state.client is _OPEN, state.callbacks == [], state.due == set(), _server._EMPTY_FLAGS == 0)
    if not all(names):
        found.append("_RPCState at its start")
    used = ("ReceiveMessageOperation", "SendMessageOperation", "StatusCode")
    found += [f"cygrpc.{name}" for name in used if not hasattr(cygrpc, name)]
    context = vars(_server._Context(None, state, None))
    found += [f"_Context.{name}" for name in ("_rpc_event", "_state") if name not in context]
    found += [f"_common.{name}" for name in ("deserialize", "decode") if not hasattr(_common, name)]
    if "_raise_or_start_receive_message" not in vars(_server._RequestIterator):
        found.append("_RequestIterator")
    return found


if _different := differences():
    raise ImportError(
        f"grpcio {grpc.__version__} is not supported; these private parts differ: {', '.join(_different)}"
    )


class Call:
    """One call, from its headers to its end. Made on the thread that accepts calls (`submit` of a pool)."""

    __slots__ = (
        "_answer",
        "_behavior",
        "_event",
        "_message",
        "_read",
        "_state",
        "_thunk",
        "_write",
        "arrived",
        "peer",
        "pool",
        "unread_since",
    )

    def __init__(self, pool: Any, arguments: tuple[Any, ...], arrived: float) -> None:
        self._answer, self._event, self._state, self._behavior, self._thunk, self._read, self._write = arguments
        self._message: bytes | None = None
        self.pool = pool
        """The pool that answers the call."""
        self.arrived = arrived
        """When its headers arrived, on the clock of `time.monotonic`."""
        self.peer = ""
        """The connection that it came over; empty if its waiting calls are not counted."""
        self.unread_since = 0.0
        """When it was first noticed that the caller has not read the answer; 0 if it was not."""

    @property
    def gone(self) -> bool:
        """Whether the caller has disconnected, or the call was ended."""
        state = self._state
        return state.client is _CANCELLED or state.statused

    @property
    def answered(self) -> bool:
        """Whether its status was sent, as far as this process can send it."""
        return bool(self._state.statused)

    def connection(self) -> str:
        """Return the connection that it came over: address and port of the peer. Costs some microseconds."""
        return str(_common.decode(self._event.call.peer()))

    def receive(self, received: Callable[[Call, bool], None]) -> None:
        """Ask for the message. Calls `received` on the thread that accepts calls: with True when the message has
        arrived, with False if none will arrive."""
        state = self._state

        def arrived(event: Event) -> Ended:
            self._message = message = event.batch_operations[0].message()
            with state.condition:
                if message is None and state.client is _OPEN:
                    state.client = _CLOSED
                ended = _server._possibly_finish_call(state, _RECEIVED)
            received(self, message is not None)
            return ended

        self._event.call.start_server_batch((cygrpc.ReceiveMessageOperation(0),), arrived)
        state.due.add(_RECEIVED)

    def answer(self) -> None:
        """Answer the call in the thread of a pool, unless its caller has disconnected."""
        state = self._state
        if state.client is _CANCELLED or state.statused:
            return
        state.context.run(self._answer, self._event, state, self._behavior, self._request, self._read, self._write)

    def _request(self) -> Any:
        """Return the request for the handler; None if the call was ended instead."""
        request = _common.deserialize(self._message, self._read)
        if request is None:
            with self._state.condition:
                code = cygrpc.StatusCode.internal
                _server._abort(self._state, self._event.call, code, b"Exception deserializing request!")
        elif self._thunk.__name__ != _UNARY:
            return chain((request,), self._thunk())
        return request

    def end(self, code: grpc.StatusCode, details: str, trailing: Sequence[tuple[str, str | bytes]] = ()) -> None:
        """End the call with a status, from any thread. Does nothing if it has ended."""
        state = self._state
        with state.condition:
            if state.client is not _CANCELLED and not state.statused:
                state.trailing_metadata = trailing
                _server._abort(state, self._event.call, _server._application_code(code), details.encode())

    def cancel(self) -> None:
        """Disconnect the caller."""
        self._event.call.cancel()

    def when_over(self, done: Callable[[], object]) -> None:
        """Call `done` on the thread that accepts calls when the call is over: the transport has taken its status, or
        the caller has disconnected."""
        self._state.callbacks.append(done)


class StreamSender:
    """Sends messages of one stream from any thread, without waiting for the transport. The initial metadata must have
    been sent, and each message only after the transport has taken the one before."""

    __slots__ = ("_call", "_state")

    def __init__(self, context: grpc.ServicerContext) -> None:
        found: Any = context
        self._call, self._state = found._rpc_event.call, found._state

    def send(self, message: bytes, taken: Callable[[], None]) -> bool:
        """Send a message. `taken` is called on the thread that accepts calls, when the transport has taken the message;
        it must neither wait nor raise. Return False, and send nothing, if the stream is over."""
        state = self._state

        def done(_event: Event) -> Ended:
            with state.condition:
                state.condition.notify_all()
                ended = _server._possibly_finish_call(state, _SENT)
            taken()
            return ended

        with state.condition:
            if state.client is _CANCELLED or state.statused or state.initial_metadata_allowed:
                return False
            if _SENT in state.due:  # the end of that message would be mistaken for the end of this one
                raise RuntimeError("the previous message has not been sent yet")
            self._call.start_server_batch((cygrpc.SendMessageOperation(message, 0),), done)
            state.due.add(_SENT)
        return True
