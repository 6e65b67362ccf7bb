"""The gRPC client of the service: channels, deadlines, retries, and what the service is told about the caller.

One process of the service serves a connection as long as the connection lives, so the gateway has several channels and
uses them in turn. Channels are opened in the process that uses them, after any fork. When a connection breaks, a call
that only reads is made again over another channel.

The gateway passes on the caller's credentials and languages as they are, and does not judge them. It adds the client's
address if it has an API key of its own, because the service believes the address only then. When the client hangs up,
its call is cancelled (`grpc_parts.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from time import monotonic as clock
from typing import Any

import grpc
from google.protobuf.message import Message

from .. import limits
from ..config import Settings
from ..refusals.problem import Problem
from ..refusals.rpc_errors import from_rpc_error
from ..routing.routes import Route
from .grpc_parts import cancellable

Metadata = tuple[tuple[str, str], ...]
UnaryCall = Callable[[Message, Metadata], Any]
"""Calls the service and returns its answer; raises Problem."""
StreamCall = Callable[..., Any]
"""Opens a stream: an iterator of messages with a method `cancel`. Iterating raises grpc.RpcError."""

_UNREADABLE = "-"
"""Sent instead of credentials that cannot be gRPC metadata. The service refuses it."""
_CROWDED = ("STORE_UNAVAILABLE", "Too many calls wait for the service. Nothing was changed; try again.")
_DETAILS = "grpc-status-details-bin"
_OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),  # otherwise all channels share one connection
    ("grpc.service_config", '{"loadBalancingConfig":[{"round_robin":{}}]}'),  # a name may stand for many services
    ("grpc.max_receive_message_length", limits.ANSWER_BYTES),
    ("grpc.max_send_message_length", limits.ANSWER_BYTES),
    ("grpc.initial_reconnect_backoff_ms", int(1000 * limits.RECONNECT_FIRST_SECONDS)),
    ("grpc.min_reconnect_backoff_ms", int(1000 * limits.CONNECT_SECONDS)),  # how long one attempt may take
    ("grpc.max_reconnect_backoff_ms", int(1000 * limits.RECONNECT_LONGEST_SECONDS)),
)


class Upstream:
    """The client of one process of the gateway."""

    def __init__(self, settings: Settings) -> None:
        self._channels = [_open(settings) for _ in range(limits.CHANNELS)]
        self._turn = count()
        self.crowded = False
        """Whether further calls are refused because too many wait for the service. Set by the worker."""
        key = settings.own_key()
        self._own: tuple[tuple[str, str], ...] = (("gateway-authorization", f"Bearer {key}"),) if key else ()

    def close(self) -> None:
        """Cancel every call and close every connection."""
        for channel in self._channels:
            channel.close()

    def channel(self) -> grpc.Channel:
        """Return the next channel, for calls that are not part of the contract."""
        return self._channels[next(self._turn) % len(self._channels)]

    # -- Calls -----------------------------------------------------------------------------------------------------

    def unary(self, route: Route) -> UnaryCall:
        """Return the function that calls an RPC with one answer."""
        calls = [
            cancellable(channel.unary_unary(route.rpc, route.request.SerializeToString, route.response.FromString))
            for channel in self._channels
        ]
        turn, many = self._turn, len(calls)
        seconds = limits.CHANGE_SECONDS if route.changes else limits.CALL_SECONDS
        spare = 0 if route.changes else limits.SPARE_TRIES

        def ask(request: Message, metadata: Metadata) -> Any:
            if self.crowded:
                raise Problem(*_CROWDED)
            until = clock() + seconds
            for left in range(spare, -1, -1):
                try:
                    return calls[next(turn) % many](request, until - clock(), metadata)
                except grpc.RpcError as error:
                    if not (left and _broken(error)):
                        raise from_rpc_error(error, changes=route.changes) from None
            raise AssertionError("the last try returns or raises")

        return ask

    def stream(self, route: Route) -> StreamCall:
        """Return the function that opens the stream of an RPC. A stream has no deadline unless `seconds` is given."""
        calls = [
            channel.unary_stream(route.rpc, route.request.SerializeToString, route.response.FromString)
            for channel in self._channels
        ]
        turn, many = self._turn, len(calls)

        def ask(request: Message, metadata: Metadata, seconds: float | None = None) -> Any:
            if self.crowded and seconds is not None:  # a stream without a deadline has a thread of its own
                raise Problem(*_CROWDED)
            return calls[next(turn) % many](request, seconds, metadata)

        return ask

    # -- Metadata -------------------------------------------------------------------------------------------------

    def metadata(self, environ: Mapping[str, Any], address: str, request_id: str) -> Metadata:
        """Return what the service is told about a request: credentials, languages, request id and client address."""
        found: list[tuple[str, str]] = []
        credentials = environ.get("HTTP_AUTHORIZATION")
        if credentials is not None:
            found.append(("authorization", _sendable(credentials, limits.AUTHORIZATION_CHARS) or _UNREADABLE))
        languages = environ.get("HTTP_ACCEPT_LANGUAGE")
        if languages and _sendable(languages, limits.LANGUAGE_CHARS):
            found.append(("accept-language", languages))
        if request_id:
            found.append(("x-request-id", request_id))
        if self._own:
            found += self._own
            if address:
                found.append(("x-forwarded-for", address))
        return tuple(found)


def _broken(error: Any) -> bool:
    """Whether the connection broke before the service answered. Refusals of the service itself have details."""
    if error.code() is not grpc.StatusCode.UNAVAILABLE:
        return False
    return not any(name == _DETAILS for name, _ in error.trailing_metadata() or ())


def _sendable(text: str, most: int) -> str:
    """Return the text if it can be metadata (printable ASCII, at most `most` characters), otherwise an empty text."""
    return text if len(text) <= most and text.isascii() and text.isprintable() else ""


def _open(settings: Settings) -> grpc.Channel:
    options: list[tuple[str, Any]] = list(_OPTIONS)
    if not settings.tls_authority:
        return grpc.insecure_channel(settings.service, options)
    files: Iterator[bytes | None] = (
        Path(path).read_bytes() if path else None
        for path in (settings.tls_authority, settings.tls_key, settings.tls_certificate)
    )
    if settings.tls_name:
        options.append(("grpc.ssl_target_name_override", settings.tls_name))
    return grpc.secure_channel(settings.service, grpc.ssl_channel_credentials(*files), options)
