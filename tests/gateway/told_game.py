"""A service that knows one game and WatchEvents alone: a test says what happens, and sees which streams are open."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

import grpc

from alhambra.texts import choose_language
from alhambra_api.v1 import events_pb2, views_pb2
from alhambra_gateway.upstream.service_channels import CHECK

from .scripted import SERVING

THREADS = 128
GAME = "abcdefghijkl"
PATH = f"/v1/games/{GAME}/events"
TICKET = "alh_ticket_of-seat-"
SEAT = "seat-"
"""A token is `seat-1` with anything behind it; whoever shows none is a spectator."""
Message = events_pb2.WatchEventsResponse


class Watcher:
    """One stream that is open."""

    def __init__(self, seat: int | None, language: str, token: str) -> None:
        self.seat = seat
        self.language = language
        self.token = token
        self.waiting: SimpleQueue[Message | grpc.StatusCode | None] = SimpleQueue()


class ToldGame(grpc.GenericRpcHandler):
    """The service, on a free port of loopback."""

    def __init__(self) -> None:
        self.opened = 0
        """How many streams were opened until now."""
        self._lock = threading.Lock()
        self._watchers: set[Watcher] = set()
        self._told = 0
        self._filling = ""
        self._revision = 0
        self._server = grpc.server(ThreadPoolExecutor(THREADS))
        self._server.add_generic_rpc_handlers((self,))
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    @property
    def open(self) -> int:
        """How many streams are open now."""
        return len(self._watchers)

    def stop(self) -> None:
        self.end(None)
        self.die()

    def begin_again(self) -> None:
        """Forgets what has happened, for the next test. No stream may be open."""
        with self._lock:
            assert not self._watchers
            self.opened = self._told = self._revision = 0
            self._filling = ""

    def die(self) -> None:
        """Breaks all connections and listens no longer."""
        self._server.stop(None).wait()

    # -- What happens ----------------------------------------------------------------------------------------------

    def happens(self, events: int = 1, filling: str = "") -> list[str]:
        """Tells everybody of so many events; their ids. `filling` makes them long."""
        with self._lock:
            self._filling = filling
            first = self._told + 1
            self._told += events
            for number in range(first, self._told + 1):
                for watcher in self._watchers:
                    watcher.waiting.put(self._event(number, watcher))
            return [f"{number}.0" for number in range(first, self._told + 1)]

    def changes(self) -> None:
        """Something changes that no event tells: everybody gets a snapshot."""
        with self._lock:
            self._revision += 1
            for watcher in self._watchers:
                watcher.waiting.put(self._snapshot(watcher))

    def say(self, message: Message) -> None:
        """Tells everybody something else."""
        with self._lock:
            for watcher in self._watchers:
                watcher.waiting.put(message)

    def stops(self) -> None:
        """Tells everybody to resume elsewhere, as a service that stops."""
        with self._lock:
            for watcher in self._watchers:
                last = f"{self._told}.0" if self._told else ""
                watcher.waiting.put(Message(resume=events_pb2.Resume(after=last, because="stopping")))
                watcher.waiting.put(None)

    def end(self, code: grpc.StatusCode | None, token: str | None = None) -> None:
        """Ends all streams, or those with a token: with a status, or as a service that stops."""
        with self._lock:
            for watcher in self._watchers:
                if token is None or token == watcher.token:
                    watcher.waiting.put(code)

    def _event(self, number: int, watcher: Watcher) -> Message:
        event = events_pb2.Event(kind="placed", id=f"{number}.0", version=number, index=0, tile=self._filling)
        event.text = f"{watcher.language} {number}" if watcher.language else ""
        if watcher.seat is not None:
            event.private_part.cards.append(f"of-seat-{watcher.seat}")
        return Message(event=event)

    def _snapshot(self, watcher: Watcher) -> Message:
        view = views_pb2.View(game=GAME, version=self._told, viewer=watcher.seat)
        view.phase = f"phase {self._revision}"
        last = f"{self._told}.0" if self._told else ""
        return Message(snapshot=events_pb2.Snapshot(view=view, last_event=last))

    # -- The call --------------------------------------------------------------------------------------------------

    def service(self, details: Any) -> Any:
        if details.method == CHECK:
            return grpc.unary_unary_rpc_method_handler(lambda request, context: SERVING.SerializeToString())
        assert details.method.endswith("/WatchEvents")
        return grpc.unary_stream_rpc_method_handler(
            self._watch, events_pb2.WatchEventsRequest.FromString, Message.SerializeToString
        )

    def _watch(self, request: events_pb2.WatchEventsRequest, context: grpc.ServicerContext) -> Iterator[Message]:
        told = {name: str(value) for name, value in context.invocation_metadata() or ()}
        token = request.ticket.removeprefix(TICKET) or told.get("authorization", "").removeprefix(f"Bearer {SEAT}")
        language = choose_language(told["accept-language"]) if "accept-language" in told else ""
        watcher = Watcher(int(token[0]) if token[:1].isdigit() else None, language, token)
        with self._lock:
            opening = [self._snapshot(watcher)]
            if request.after or request.HasField("from_version"):
                first = int(request.after.partition(".")[0]) + 1 if request.after else 1
                opening += [self._event(number, watcher) for number in range(first, self._told + 1)]
            self._watchers.add(watcher)
            self.opened += 1
        if not context.add_callback(lambda: watcher.waiting.put(None)):
            watcher.waiting.put(None)
        try:
            yield from opening
            while context.is_active():
                message = watcher.waiting.get()
                if isinstance(message, grpc.StatusCode):
                    context.abort(message, "The stream is cut.")
                if message is None:
                    return
                yield message
        finally:
            with self._lock:
                self._watchers.discard(watcher)
