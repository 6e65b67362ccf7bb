"""Something around every handler, put there once per method and not once per call.

gRPC asks its interceptors for a handler at each call, on the one thread that takes calls in. What depends on the method
alone is therefore made at its first call and kept; the rest happens in the handler's own thread.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

import grpc

Handler: TypeAlias = Any
"""A grpc.RpcMethodHandler: its attributes have no types."""
Behavior: TypeAlias = Callable[..., Any]
"""Answers a request: called with it, its context, and for some streams with a function that sends."""

STREAM_MARKS = ("experimental_non_blocking", "experimental_thread_pool")
"""How a handler says that its stream takes no thread; whoever stands around it must say so too."""
_MAKERS = {
    ("unary_unary", False, False): grpc.unary_unary_rpc_method_handler,
    ("unary_stream", False, True): grpc.unary_stream_rpc_method_handler,
    ("stream_unary", True, False): grpc.stream_unary_rpc_method_handler,
    ("stream_stream", True, True): grpc.stream_stream_rpc_method_handler,
}


class PerMethod(grpc.ServerInterceptor):
    """Stands around handlers."""

    def __init__(self) -> None:
        self._known: dict[str, Handler] = {}

    @abstractmethod
    def around(self, method: str, handler: Handler, behavior: Behavior) -> Behavior:
        """What is called instead of the behavior of a handler."""

    def reader(self, method: str, handler: Handler) -> Any:
        """How requests of this method are read from bytes."""
        return handler.request_deserializer

    def intercept_service(self, continuation: Callable[[Any], Handler], handler_call_details: Any) -> Handler:
        """The handler for a call."""
        method = handler_call_details.method
        known = self._known.get(method)
        if known is None:
            handler = continuation(handler_call_details)
            if handler is None:
                return None  # there is no such method; nothing is kept, or strangers could fill the memory
            known = self._known[method] = self._wrapped(method, handler)
        return known

    def _wrapped(self, method: str, handler: Handler) -> Handler:
        for (name, *streaming), make in _MAKERS.items():
            if [handler.request_streaming, handler.response_streaming] == streaming:
                behavior = getattr(handler, name)
                wrapped = self.around(method, handler, behavior)
                for mark in STREAM_MARKS:
                    if wrapped is not behavior and hasattr(behavior, mark):
                        setattr(wrapped, mark, getattr(behavior, mark))
                return make(wrapped, self.reader(method, handler), handler.response_serializer)
        raise AssertionError("every handler is of one of the four kinds")
