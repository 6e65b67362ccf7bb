"""The gRPC client of the service: channels, deadlines, retries, and what the service is told about the caller.

One process of the service serves a connection as long as the connection lives, so the gateway has several channels and
uses them in turn. Channels are opened in the process that uses them, after any fork. When a connection breaks, a call
that only reads is made again over another channel.

While services of two versions run side by side, one of them may meet a game that it cannot read. It refuses the call
and has changed nothing, so the call is made again over another channel.

The gateway passes on the caller's credentials and languages as they are, and does not judge them. It adds the client's
address if it has an API key of its own, because the service believes the address only then. When the client hangs up,
its call is cancelled (`grpc_parts.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from threading import Event
from time import monotonic as clock
from typing import Any

import grpc
from google.protobuf.message import Message

from .. import limits
from ..config import Settings
from ..refusals.problem import Problem
from ..refusals.rpc_errors import from_rpc_error, reason_of
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
        addresses = settings.service.split(",")
        self._channels = [_open(settings, address) for _ in range(limits.CHANNELS) for address in addresses]
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
            until, broken, unknown = clock() + seconds, 0, 0
            place = next(turn)
            while True:
                try:
                    return calls[place % many](request, until - clock(), metadata)
                except grpc.RpcError as error:
                    broken, unknown = broken + _broken(error), unknown + _of_other_version(error)
                    again = (_broken(error) and broken <= spare) or (
                        _of_other_version(error) and unknown <= limits.OTHER_VERSION_TRIES
                    )
                    if not again:
                        raise from_rpc_error(error, changes=route.changes) from None
                place += 1

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
            place = next(turn)
            return _Stream(lambda again: calls[(place + again) % many](request, seconds, metadata))

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


class _Stream:
    """A stream that is opened again over another channel if the service that it reached is of another version than the
    game. It is read by one thread, and may be cancelled by others."""

    def __init__(self, reopen: Callable[[int], Any]) -> None:
        self._reopen = reopen
        self._call = reopen(0)
        self._begun = False
        self._cancelled = Event()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self._begun:
            return next(self._call)
        for again in range(1, limits.OTHER_VERSION_TRIES + 2):
            try:
                first = next(self._call)
            except grpc.RpcError as error:
                if again > limits.OTHER_VERSION_TRIES or self._cancelled.is_set() or not _of_other_version(error):
                    raise
                self._call = self._reopen(again)
                if self._cancelled.is_set():
                    self._call.cancel()
            else:
                self._begun = True
                return first
        raise AssertionError("the last try returns or raises")

    def cancel(self) -> None:
        """End the stream."""
        self._cancelled.set()
        self._call.cancel()


def _of_other_version(error: Any) -> bool:
    """Whether the service refused because it is of another version than the game. Then it has changed nothing."""
    return error.code() is grpc.StatusCode.UNAVAILABLE and reason_of(error) in ("ENGINE_TOO_OLD", "RULES_CHANGED")


def _broken(error: Any) -> bool:
    """Whether the connection broke before the service answered. Refusals of the service itself have details."""
    if error.code() is not grpc.StatusCode.UNAVAILABLE:
        return False
    return not any(name == _DETAILS for name, _ in error.trailing_metadata() or ())


def _sendable(text: str, most: int) -> str:
    """Return the text if it can be metadata (printable ASCII, at most `most` characters), otherwise an empty text."""
    return text if len(text) <= most and text.isascii() and text.isprintable() else ""


def _open(settings: Settings, address: str) -> grpc.Channel:
    options: list[tuple[str, Any]] = list(_OPTIONS)
    if not settings.tls_authority:
        return grpc.insecure_channel(address, options)
    files: Iterator[bytes | None] = (
        Path(path).read_bytes() if path else None
        for path in (settings.tls_authority, settings.tls_key, settings.tls_certificate)
    )
    if settings.tls_name:
        options.append(("grpc.ssl_target_name_override", settings.tls_name))
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(*files), options)
