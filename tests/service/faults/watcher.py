"""Somebody who watches a game through every death: opens the stream again behind the last event, again and again."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import grpc

from alhambra_api.v1 import events_pb2

from ..store.servers import await_true
from .load import PASSING, PAUSE_SECONDS, PatientHost

STREAM_SECONDS = 60.0
EVENTS_PAGE = 1_000


class Watcher:
    """Collects the events of a game, from its beginning."""

    def __init__(self, address: str, game: str) -> None:
        self.game = game
        self.seen: list[str] = []
        self.version = -1
        self.cuts = 0
        self._host = PatientHost(address)
        self._ended = threading.Event()
        self._call: Any = None
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.is_set():
            where: dict[str, Any] = {"after": self.seen[-1]} if self.seen else {"from_version": 0}
            request = events_pb2.WatchEventsRequest(game=self.game, **where)
            self._call = self._host.stub.WatchEvents(request, timeout=STREAM_SECONDS)
            if self._ended.is_set():
                self._call.cancel()
            try:
                for message in self._call:
                    if message.HasField("event"):
                        self.seen.append(message.event.id)
                        self.version = message.event.version
            except grpc.RpcError as error:
                status: Any = error
                if status.code() not in (*PASSING, grpc.StatusCode.CANCELLED):
                    self._failure = error
                    return
            self.cuts += 1
            time.sleep(PAUSE_SECONDS)

    def await_version(self, version: int, patience: float) -> None:
        """Waits until the watcher has been told of this version."""
        await_true(lambda: self.version >= version or self._failure, f"version {version} is told", patience)
        assert self._failure is None, self._failure

    def past(self) -> list[str]:
        """The events of the whole game, as they are told to somebody who comes now."""
        found: list[str] = []
        while True:
            where: dict[str, Any] = {"after": found[-1]} if found else {"from_version": 0}
            request = events_pb2.WatchEventsRequest(game=self.game, past_only=True, page_size=EVENTS_PAGE, **where)
            page = self._host.stub.WatchEvents(request, timeout=STREAM_SECONDS)
            events = [message.event.id for message in page if message.HasField("event")]
            found += events
            if len(events) < EVENTS_PAGE:
                return found

    def stop(self) -> None:
        self._ended.set()
        if self._call is not None:
            self._call.cancel()
        self._thread.join()
        self._host.close()
        assert self._failure is None, self._failure


@contextmanager
def watching(address: str, games: Sequence[str]) -> Iterator[list[Watcher]]:
    """A watcher for each game, stopped at the end."""
    watchers = [Watcher(address, game) for game in games]
    try:
        yield watchers
    finally:
        for watcher in watchers:
            watcher.stop()
