"""The gRPC client of the service: deadlines, retries, and metadata about the caller.

`service_channels.py` says which channels can be used. Calls and streams of a game go to its home (`homes.py`); other
calls use the channels in turn, and so do calls that are made again. Channels are opened in the process that uses them,
after any fork.

A call without an answer is made again at another service: because its connection broke, or because its service hangs.
That is safe for changes too. Every change has a request id, and services remember the outcome of a request: one that
was made is answered, not made twice. If the caller gave no id, the gateway makes one for this call. A change ends with
OUTCOME_UNKNOWN only if it was sent and no service has answered it. A call that could not be sent at all has changed
nothing.

While services of two versions run side by side, one of them may meet a game that it cannot read. It refuses the call
and has changed nothing, so the call is made again over another channel. So is a call that a stopping service refuses.

The gateway passes on the caller's credentials and languages as they are, and does not judge them. It adds the client's
address if it has an API key of its own, because the service trusts the address only then. When the client disconnects,
its call is cancelled (`grpc_parts.py`).
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from secrets import token_urlsafe
from threading import get_ident
from time import monotonic as clock
from typing import Any

import grpc
from google.protobuf.message import Message

from .. import limits
from ..config import Settings
from ..connections.thread_pool import cancel_on_disconnect, client_has_gone
from ..refusals.problem import Problem
from ..refusals.rpc_errors import from_rpc_error, no_answer, no_service
from ..routing.routes import Route
from .failures import is_lost, is_stopping, was_left_undone
from .grpc_parts import OnTrailers, was_not_sent
from .service_channels import ServiceChannel, ServiceChannels
from .stream_calls import StreamCall

Metadata = tuple[tuple[str, str], ...]
UnaryCall = Callable[[Message, Metadata], Any]
"""Calls the service and returns its answer; raises Problem."""
ListCall = Callable[[Message, Metadata], list[Any]]
"""Reads a stream that ends by itself, and returns its messages; raises Problem."""

_UNREADABLE = "-"
"""Sent instead of credentials that cannot be gRPC metadata. The service refuses it."""
_CROWDED = ("STORE_UNAVAILABLE", "Too many calls wait for the service. Nothing was changed; try again.")
_REQUEST_ID_BYTES = 16
_REPLAYED = "idempotency-replayed"
"""The trailer of an answer that the service repeats because it knows the request id."""


class Upstream:
    """The client of one process of the gateway."""

    def __init__(self, settings: Settings, on_trailers: OnTrailers | None = None) -> None:
        """`on_trailers` is called with the trailers of every unary call, in the thread that made it."""
        self.services = ServiceChannels(settings, on_trailers, self._note_replay)
        self._thread = _ThreadState()
        self._turn = count()
        self.crowded = False
        """Whether further calls are refused because too many wait for the service. Set by the worker."""
        key = settings.own_key()
        self._own: tuple[tuple[str, str], ...] = (("gateway-authorization", f"Bearer {key}"),) if key else ()

    def close(self) -> None:
        """Cancel every call and close every connection."""
        self.services.close()

    # -- Calls -----------------------------------------------------------------------------------------------------

    def unary(self, route: Route) -> UnaryCall:
        """Return the function that calls an RPC with one answer."""
        rpc, services, turn = route.rpc, self.services, self._turn
        seconds = limits.CHANGE_SECONDS if route.changes else limits.CALL_SECONDS
        has_id, has_game = route.asks_for("request_id"), route.asks_for("game")

        def ask(request: Any, metadata: Metadata) -> Any:
            self.require_room()
            if has_id:
                self._thread.replayed = False
                if not request.request_id:
                    request.request_id = token_urlsafe(_REQUEST_ID_BYTES)
            until, place, attempts = clock() + seconds, next(turn), None
            while True:
                channels = services.usable or services.wait(until)
                if not channels:
                    raise no_answer() if attempts is not None and attempts.sent else no_service()
                if has_game and attempts is None:
                    channels = services.homes.channels(request.game) or channels
                channel = channels[place % len(channels)]
                try:
                    found = channel.unary[rpc](request, until - clock(), metadata)
                    if has_id and attempts is not None:
                        self._thread.replayed = False  # the first answer was lost on the way to this gateway
                    return found
                except grpc.RpcError as error:
                    attempts = attempts or _Attempts(route, services)
                    if attempts.was_done_before(error):
                        return route.response()
                    if not attempts.go_on(error, channel):
                        raise from_rpc_error(error, changes=route.changes) from None
                finally:
                    channel.running.pop(get_ident(), None)
                place += 1

        return ask

    def require_room(self) -> None:
        """Raise Problem if too many threads wait for the service already."""
        if self.crowded:
            raise Problem(*_CROWDED)

    async def open_stream(self, rpc: str, request: Message, metadata: Metadata) -> tuple[ServiceChannel, StreamCall]:
        """Open a stream without a deadline. Return it with its channel, which counts it until the caller removes it.
        Raise Problem if no service answers."""
        until = clock() + limits.CALL_SECONDS
        channels = self.services.usable or await asyncio.to_thread(self.services.wait, until)
        if not channels:
            raise no_service()
        channel = await self._channel_for_stream(channels, getattr(request, "game", ""))
        try:
            call = channel.for_streams.open(rpc, request, metadata)
        except grpc.aio.UsageError:  # it was closed meanwhile
            raise no_service() from None
        channel.streams.add(call)
        return channel, call

    async def _channel_for_stream(self, channels: Sequence[ServiceChannel], game: str) -> ServiceChannel:
        """Return the channel for a stream of a game: one whose streams come from the home of the game, otherwise one
        whose process answers, if there are such channels."""
        place, home = next(self._turn), self.services.homes.home(game) if game else ""
        answering = None
        for number in range(len(channels)):
            channel = channels[(place + number) % len(channels)]
            found = await channel.for_streams.find_process()
            if found is None:
                continue
            if found in ("", home) or not home:
                return channel
            answering = answering or channel
        return answering or channels[place % len(channels)]

    def whole_stream(self, route: Route) -> ListCall:
        """Return the function that reads a stream which ends by itself."""
        rpc, services = route.rpc, self.services

        def ask(request: Message, metadata: Metadata) -> list[Any]:
            self.require_room()
            until, place, attempts = clock() + limits.CALL_SECONDS, next(self._turn), _Attempts(route, services)
            while True:
                channels = services.usable or services.wait(until)
                if not channels:
                    raise no_service()
                channel = channels[place % len(channels)]
                call = channel.streaming[rpc](request, until - clock(), metadata)
                channel.streams.add(call)
                cancel_on_disconnect(call.cancel)
                try:
                    return [*call]
                except grpc.RpcError as error:
                    if not attempts.go_on(error, channel):
                        raise from_rpc_error(error) from None
                finally:
                    channel.streams.discard(call)
                place += 1

        return ask

    def was_replayed(self) -> bool:
        """Return whether the answer to the last change that this thread has asked for is the first answer to the
        client's request id again."""
        return self._thread.replayed

    def _note_replay(self, trailers: Sequence[tuple[str, Any]] | None) -> None:
        if any(name == _REPLAYED for name, _ in trailers or ()):
            self._thread.replayed = True

    # -- Metadata -------------------------------------------------------------------------------------------------

    def metadata(self, environ: Mapping[str, Any], address: str, request_id: str) -> Metadata:
        """Return the metadata of a call: credentials, languages, request id and client address."""
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


class _ThreadState(threading.local):
    """What the present thread knows of the call that it makes."""

    replayed = False


class _Attempts:
    """The failed attempts of one call."""

    def __init__(self, route: Route, services: ServiceChannels) -> None:
        self._route = route
        self._services = services
        self._lost = self._undone = 0
        self.sent = False
        """Whether an attempt may have reached a service that did not answer: a change may have been made."""

    def go_on(self, error: Any, channel: ServiceChannel) -> bool:
        """Note a failed attempt. Return whether to make another one."""
        if was_left_undone(error):
            if is_stopping(error):
                self._services.stopping(channel)
            self._undone += 1
            return self._undone <= limits.OTHER_VERSION_TRIES
        if not is_lost(error) or client_has_gone():
            return False
        self._services.broken(channel)
        if was_not_sent(error):
            return True
        self._lost += 1
        self.sent = self.sent or self._route.changes
        return self._lost <= limits.SPARE_TRIES

    def was_done_before(self, error: Any) -> bool:
        """Return whether a refusal says that an attempt before has done it: a game that was to be deleted is gone. Such
        a call has no request id."""
        return self.sent and self._route.method == "DELETE" and error.code() is grpc.StatusCode.NOT_FOUND


def _sendable(text: str, most: int) -> str:
    """Return the text if it can be metadata (printable ASCII, at most `most` characters), otherwise an empty text."""
    return text if len(text) <= most and text.isascii() and text.isprintable() else ""
