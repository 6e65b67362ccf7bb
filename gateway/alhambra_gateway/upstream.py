"""Calls of the service: channels, what is told about the caller, deadlines.

A process has several channels, because a connection is served by one process of the service for as long as it lives:
calls go over them in turn. Channels are opened in the process that uses them, after any fork. A connection ends when
its process does, or when it is old; whoever only reads is asked again over another one and notices nothing.

The caller is passed on as it is: its credentials, its language, and, if the gateway has a key of its own to be believed
by, its address. The gateway judges none of it. When the client hangs up, its call is cancelled (`hang_up.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from time import monotonic as clock
from typing import Any

import grpc
from google.protobuf.message import Message

from . import limits
from .config import Settings
from .hang_up import cancellable
from .problems import Problem, from_rpc_error
from .routes import Route

Metadata = tuple[tuple[str, str], ...]
PlainCall = Callable[[Message, Metadata], Any]
"""Asks the service; raises Problem."""
StreamCall = Callable[..., Any]
"""Opens a stream: an iterator of messages that can be cancelled. Iterating raises grpc.RpcError."""

_UNREADABLE = "-"
"""Stands for credentials that cannot be sent on: there were some, and they are not good."""
_CROWDED = ("STORE_UNAVAILABLE", "Too many calls wait for the service. Nothing was changed; try again.")
_DETAILS = "grpc-status-details-bin"
_OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),  # or all channels would share one connection
    ("grpc.service_config", '{"loadBalancingConfig":[{"round_robin":{}}]}'),  # a name may stand for many services
    ("grpc.max_receive_message_length", limits.ANSWER_BYTES),
    ("grpc.max_send_message_length", limits.ANSWER_BYTES),
    ("grpc.initial_reconnect_backoff_ms", int(1000 * limits.RECONNECT_FIRST_SECONDS)),
    ("grpc.min_reconnect_backoff_ms", int(1000 * limits.CONNECT_SECONDS)),  # how long one attempt may take
    ("grpc.max_reconnect_backoff_ms", int(1000 * limits.RECONNECT_LONGEST_SECONDS)),
)


class Upstream:
    """The service as one process of the gateway reaches it."""

    def __init__(self, settings: Settings) -> None:
        self._channels = [_open(settings) for _ in range(limits.CHANNELS)]
        self._turn = count()
        self.crowded = False
        """Whether so many calls wait for the service that further ones are refused. Set by the worker."""
        key = settings.own_key()
        self._own: tuple[tuple[str, str], ...] = (("gateway-authorization", f"Bearer {key}"),) if key else ()

    def close(self) -> None:
        """Gives up every call and connection."""
        for channel in self._channels:
            channel.close()

    def channel(self) -> grpc.Channel:
        """One of the channels, for calls that are no part of the contract."""
        return self._channels[next(self._turn) % len(self._channels)]

    # -- Calls -----------------------------------------------------------------------------------------------------

    def plain(self, route: Route) -> PlainCall:
        """The call of an RPC with one answer."""
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
        """The call of an RPC that answers with a stream, which has no deadline unless seconds are given."""
        calls = [
            channel.unary_stream(route.rpc, route.request.SerializeToString, route.response.FromString)
            for channel in self._channels
        ]
        turn, many = self._turn, len(calls)

        def ask(request: Message, metadata: Metadata, seconds: float | None = None) -> Any:
            if self.crowded and seconds is not None:  # a stream has a thread of its own
                raise Problem(*_CROWDED)
            return calls[next(turn) % many](request, seconds, metadata)

        return ask

    # -- Who calls -------------------------------------------------------------------------------------------------

    def metadata(self, environ: Mapping[str, Any], address: str, request_id: str) -> Metadata:
        """What the service is told about a request: from which address it comes, and its id in the logs."""
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
    """Whether a connection broke before the service could answer: what the service itself refuses has details."""
    if error.code() is not grpc.StatusCode.UNAVAILABLE:
        return False
    return not any(name == _DETAILS for name, _ in error.trailing_metadata() or ())


def _sendable(text: str, most: int) -> str:
    """The text if it can be metadata: printable ASCII, not too long."""
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
