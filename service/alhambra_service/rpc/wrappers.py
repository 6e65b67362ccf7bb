"""Wrappers around handlers, made once for each method and not once for each call.

gRPC asks interceptors for a handler at each call, on the one thread that accepts calls. That costs time on the busiest
thread, so handlers are wrapped when they are added to the server (`WrappedServer`), and wrappers run in the thread of
the handler. Used as an interceptor, a wrapper makes the wrapped handler of a method at its first call and keeps it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import grpc

Handler: TypeAlias = Any
"""A grpc.RpcMethodHandler: its attributes have no types."""
Behavior: TypeAlias = Callable[..., Any]
"""A function that answers. Arguments: the request, its context, and for some streams a function that sends."""

THREADS_MARK = "experimental_thread_pool"
"""The attribute in which a handler has the threads that answer it."""
STREAM_MARK = "stream_threads"
"""The attribute in which a handler has what runs its streams (`streams/running_stream.py`)."""
STREAM_MARKS = ("experimental_non_blocking", THREADS_MARK, STREAM_MARK)
"""The attributes of a handler that a wrapper around it must have, too."""
_MAKERS = {
    ("unary_unary", False, False): grpc.unary_unary_rpc_method_handler,
    ("unary_stream", False, True): grpc.unary_stream_rpc_method_handler,
    ("stream_unary", True, False): grpc.stream_unary_rpc_method_handler,
    ("stream_stream", True, True): grpc.stream_stream_rpc_method_handler,
}


class Wrapper(grpc.ServerInterceptor):
    """A wrapper around handlers."""

    def __init__(self) -> None:
        self._known: dict[str, Handler] = {}

    @abstractmethod
    def around(self, method: str, handler: Handler, behavior: Behavior) -> Behavior:
        """Return the function that is called instead of the behavior of a handler."""

    def reader(self, method: str, handler: Handler) -> Any:
        """Return the function that reads requests of this method from bytes."""
        return handler.request_deserializer

    def intercept_service(self, continuation: Callable[[Any], Handler], handler_call_details: Any) -> Handler:
        """Return the wrapped handler for a call; None if there is no such method."""
        method = handler_call_details.method
        known = self._known.get(method)
        if known is None:
            handler = continuation(handler_call_details)
            if handler is None:
                return None  # unknown methods are not kept, or callers could fill the memory
            known = self._known[method] = self.wrapped(method, handler)
        return known

    def wrapped(self, method: str, handler: Handler) -> Handler:
        """Return the handler of a method, wrapped."""
        for (name, *streaming), make in _MAKERS.items():
            if [handler.request_streaming, handler.response_streaming] == streaming:
                behavior = getattr(handler, name)
                wrapped = self.around(method, handler, behavior)
                for mark in STREAM_MARKS:
                    if wrapped is not behavior and hasattr(behavior, mark):
                        setattr(wrapped, mark, getattr(behavior, mark))
                return make(wrapped, self.reader(method, handler), handler.response_serializer)
        raise AssertionError("every handler is of one of the four kinds")


class WrappedServer:
    """Stands in for a server while services are added: it wraps every handler, outermost wrapper first, and sets the
    pool that answers it."""

    def __init__(
        self,
        server: grpc.Server,
        around: Sequence[Wrapper],
        pool_of: Callable[[str, ThreadPoolExecutor | None], ThreadPoolExecutor | None] | None = None,
    ) -> None:
        self._server = server
        self._around = around
        self._pool_of = pool_of
        """Returns the pool for a method and the threads that its handler asks for; None for the pool of the server."""

    def add_generic_rpc_handlers(self, generic_rpc_handlers: Iterable[object]) -> None:
        """Do nothing. The generated code adds the same handlers again by name, and those are wrapped."""

    def add_registered_method_handlers(self, service_name: str, method_handlers: Mapping[str, Handler]) -> None:
        """Add the handlers of a service."""
        found = {name: self._wrapped(f"/{service_name}/{name}", handler) for name, handler in method_handlers.items()}
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service_name, found),))
        self._server.add_registered_method_handlers(service_name, found)

    def _wrapped(self, method: str, handler: Handler) -> Handler:
        handler = answering_in_bytes(handler)
        for one in reversed(self._around):
            handler = one.wrapped(method, handler)
        handler = running_alone(handler)
        if self._pool_of is not None:
            behavior = behavior_of(handler)
            pool = self._pool_of(method, getattr(behavior, THREADS_MARK, None))
            if pool is not None:
                setattr(behavior, THREADS_MARK, pool)
        return handler


def as_message(encoded: bytes) -> Any:
    """Return an answer that is encoded already where a message is expected; see `answering_in_bytes`."""
    return encoded


def answering_in_bytes(handler: Handler) -> Handler:
    """Let a handler answer with a message, or with the bytes of one."""
    serialize = handler.response_serializer

    def encoded(answer: Any) -> bytes:
        return answer if type(answer) is bytes else serialize(answer)

    for (name, *streaming), make in _MAKERS.items():
        if [handler.request_streaming, handler.response_streaming] == streaming:
            return make(getattr(handler, name), handler.request_deserializer, encoded)
    raise AssertionError("every handler is of one of the four kinds")


def running_alone(handler: Handler) -> Handler:
    """Return a handler whose streams hold no thread, if the behavior asks for that; otherwise the same handler."""
    behavior = behavior_of(handler)
    threads = getattr(behavior, STREAM_MARK, None)
    if threads is None:
        return handler
    return grpc.unary_stream_rpc_method_handler(
        threads.run(behavior), handler.request_deserializer, handler.response_serializer
    )


def behavior_of(handler: Handler) -> Behavior:
    """Return the function of a handler that answers."""
    for (name, *streaming), _ in _MAKERS.items():
        if [handler.request_streaming, handler.response_streaming] == streaming:
            found: Behavior = getattr(handler, name)
            return found
    raise AssertionError("every handler is of one of the four kinds")
