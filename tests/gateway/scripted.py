"""A service that says what a test wants it to say."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2
from grpc_status import rpc_status

from alhambra_gateway.upstream.service_channels import CHECK

Say = Callable[[grpc.ServicerContext, bytes], Message]
THREADS = 16
SERVING = health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.SERVING)
NOT_SERVING = health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.NOT_SERVING)


class Scripted(grpc.GenericRpcHandler):
    """Answers every RPC with what `say` says, and remembers what it was told."""

    def __init__(self, credentials: grpc.ServerCredentials | None = None, port: int = 0) -> None:
        self.say: Say | None = None
        self.say_health: Say = lambda context, request: SERVING
        """Answers the gateway's checks, which are not remembered."""
        self.heard: dict[str, str | bytes] = {}
        """The metadata of the last call."""
        self.method = ""
        """And its name."""
        self.peers: set[str] = set()
        """Every connection that somebody called over."""
        self._server = grpc.server(ThreadPoolExecutor(THREADS))
        self._server.add_generic_rpc_handlers((self,))
        where = f"127.0.0.1:{port}"
        if credentials is None:
            self.port = self._server.add_insecure_port(where)
        else:
            self.port = self._server.add_secure_port(where, credentials)
        self.address = f"127.0.0.1:{self.port}"
        self._server.start()

    def stop(self) -> None:
        self._server.stop(None).wait()

    def service(self, details: Any) -> Any:
        """Whatever is called, it is answered."""

        def answer(request: bytes, context: grpc.ServicerContext) -> bytes:
            if details.method == CHECK:
                return self.say_health(context, request).SerializeToString()
            self.method = details.method.rpartition("/")[2]
            self.heard = dict(context.invocation_metadata() or ())
            self.peers.add(context.peer())
            assert self.say is not None
            return self.say(context, request).SerializeToString()

        return grpc.unary_unary_rpc_method_handler(answer)


def refuses(code: grpc.StatusCode, *details: Message, message: str = "No.") -> Say:
    """Fails with a status that has these details."""

    def say(context: grpc.ServicerContext, request: bytes) -> Message:
        status = status_pb2.Status(code=code.value[0], message=message)
        for detail in details:
            packed = any_pb2.Any()
            packed.Pack(detail)
            status.details.append(packed)
        context.abort_with_status(rpc_status.to_status(status))
        raise AssertionError("abort returns")

    return say


def fails(code: grpc.StatusCode, message: str = "No.") -> Say:
    """Fails with a status that has no details."""

    def say(context: grpc.ServicerContext, request: bytes) -> Message:
        context.abort(code, message)
        raise AssertionError("abort returns")

    return say


def info(reason: str, **metadata: str) -> error_details_pb2.ErrorInfo:
    """The detail that every refusal of the service has."""
    return error_details_pb2.ErrorInfo(reason=reason, domain="alhambra", metadata=metadata)
