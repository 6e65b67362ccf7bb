"""Tracks changes of games on every server that has games, and knows when it may have missed one.

Each server is tracked over one connection. It asks for a message about every change of a key that begins with
`alh:state:`, and subscribes to these messages on the same connection:

    CLIENT TRACKING ON REDIRECT <own id> BCAST PREFIX alh:state: PREFIX alh:said:
    SUBSCRIBE __redis__:invalidate

With two connections, the tracking one would still answer a ping after its subscriber has died. A server counts as
tracked only after a write over another connection was reported. A ping is sent after a quiet time, and a broken
connection is reported at once.

Any thread that reads a game applies the reports that have arrived before it trusts the memory (`reports.py`). The
thread of a server applies them while no game is read, and finds out when its connection breaks.

A cluster, or Sentinel, is asked regularly for its masters, and each master is tracked.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator

from redis.exceptions import ReadOnlyError, RedisError, ResponseError

from ... import limits
from ..connection.connect import StoreClient
from ..connection.wire import Reply, Server
from ..embedded.capacity import is_refusing
from ..errors import StoreError, StoreUnavailable
from ..keys import REACTIONS_PREFIX, STATE_PREFIX, echo_key, game_of, reactions_game_of
from .reports import ReportReader, UnappliedReports

_log = logging.getLogger(__name__)

CHANNEL = "__redis__:invalidate"
ECHO_TRIES = 10_000
"""How many random keys are tried until one belongs to the wanted server; with 100 servers, 100 on average."""


class ChangeListener(ABC):
    """Receives reported changes. Tracking threads and threads that read games call these methods, which must not
    wait."""

    @abstractmethod
    def connected(self, server: str) -> None:
        """Note that all changes on this server are reported from now on."""

    @abstractmethod
    def disconnected(self, server: str) -> None:
        """Note that changes on this server may have been missed, and are not reported from now on."""

    @abstractmethod
    def changed(self, game: str) -> None:
        """Note that the game changed."""

    @abstractmethod
    def reacted(self, game: str) -> None:
        """Note that a player of the game has said something."""

    @abstractmethod
    def everything_changed(self) -> None:
        """Note that all keys of the store were deleted."""


class Tracking:
    """The tracking of all masters of the store."""

    def __init__(self, client: StoreClient, listener: ChangeListener) -> None:
        self._client = client
        self._listener = listener
        self.unapplied = UnappliedReports()
        self._trackers: dict[str, _ServerTracker] = {}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tracking", daemon=True)

    def start(self) -> None:
        """Start tracking, and wait up to TRACKING_ECHO_SECONDS until every server is tracked."""
        self._update()
        deadline = time.monotonic() + limits.TRACKING_ECHO_SECONDS
        for listener in [*self._trackers.values()]:
            listener.connected.wait(max(0.0, deadline - time.monotonic()))
        self._thread.start()

    def stop(self) -> None:
        """Stop tracking."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join()
        for listener in self._trackers.values():
            listener.stop()
        for listener in self._trackers.values():
            listener.thread.join()

    def _run(self) -> None:
        while not self._stopping.wait(limits.TOPOLOGY_SECONDS):
            try:
                self._client.discover_masters()
                self._update()
            except Exception:
                _log.exception("Cannot find the masters of the store.")

    def _update(self) -> None:
        try:
            servers = {server.name: server for server in self._client.servers()}
        except StoreUnavailable:
            return
        for name in [name for name in self._trackers if name not in servers]:
            self._trackers.pop(name).stop()
        for name, server in servers.items():
            known = self._trackers.get(name)
            if known is None or known.server is not server:
                if known is not None:
                    known.stop()
                self._trackers[name] = _ServerTracker(server, self._client, self._listener, self.unapplied)


class _ServerTracker:
    """The tracking of one server."""

    def __init__(
        self, server: Server, client: StoreClient, listener: ChangeListener, unapplied: UnappliedReports
    ) -> None:
        self.server = server
        self.connected = threading.Event()
        self._client = client
        self._listener = listener
        self._unapplied = unapplied
        self._reports: ReportReader | None = None
        """The reports of the server, while it is tracked."""
        self._heard = 0
        """How many messages have arrived over the connection, pongs included."""
        self._fault: Exception | None = None
        """Why the connection is broken; None if it is not."""
        self._stopping = threading.Event()
        self.thread = threading.Thread(target=self._listen_and_reconnect, name=f"tracking {server.name}", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Ask the thread to end."""
        self._stopping.set()

    def _listen_and_reconnect(self) -> None:
        said = ""
        while not self._stopping.is_set():
            try:
                self._listen()
            except (StoreError, RedisError, OSError) as fault:
                if str(fault) != said:
                    said = str(fault)
                    _log.info("Not tracking changes on %s: %s", self.server.name, fault)
            except Exception:
                _log.exception("Not tracking changes on %s.", self.server.name)
            finally:
                self._listener.disconnected(self.server.name)
            self._stopping.wait(limits.TRACKING_PAUSE_SECONDS)

    def _listen(self) -> None:
        connection = self.server.dial()
        try:
            reports = ReportReader(connection)
            own_id = self._asked(reports, "CLIENT", "ID")
            prefixes = ("PREFIX", STATE_PREFIX, "PREFIX", REACTIONS_PREFIX)
            self._asked(reports, "CLIENT", "TRACKING", "ON", "REDIRECT", own_id, "BCAST", *prefixes)
            self._asked(reports, "SUBSCRIBE", CHANNEL)
            self._await_echo(reports)
            self._reports, self._fault = reports, None
            self._unapplied.add(self)
            try:
                self._listener.connected(self.server.name)
                self.connected.set()
                self._listen_until_broken(reports)
            finally:
                self._unapplied.remove(self)
        finally:
            connection.disconnect()

    def _asked(self, reports: ReportReader, *command: str | int) -> Reply:
        reports.send(*command)
        for reply in self._next_messages(reports):
            if isinstance(reply, ResponseError):
                raise reply
            return reply
        raise StoreUnavailable(f"the store at {self.server.name} does not answer")

    def _next_messages(self, reports: ReportReader) -> Iterator[Reply]:
        """Generate messages as they arrive, until none has for TRACKING_ECHO_SECONDS or tracking is stopped."""
        deadline = time.monotonic() + limits.TRACKING_ECHO_SECONDS
        while not self._stopping.is_set() and (left := deadline - time.monotonic()) > 0:
            if reports.wait(min(left, limits.TRACKING_TICK_SECONDS)):
                yield from reports.arrived()

    def _await_echo(self, reports: ReportReader) -> None:
        """Write over another connection and wait until the write is reported. Other reports are ignored: no game of
        this server is cached before `connected`. An embedded store that cannot write has nothing to report."""
        key = self._echo_key()
        try:
            self.server.ask("SET", key, "", "PX", 1)
        except ReadOnlyError:
            if is_refusing(self.server.info("replication")):
                return
            raise
        for kind, _, keys in self._next_messages(reports):
            if kind == b"message" and keys is not None and key.encode() in keys:
                return
        raise StoreUnavailable(f"the store at {self.server.name} does not report changes")

    def _echo_key(self) -> str:
        for _ in range(ECHO_TRIES):
            key = echo_key()
            if self._client.server(key) is self.server:
                return key
        raise StoreUnavailable(f"the store at {self.server.name} has no slots")

    def _listen_until_broken(self, reports: ReportReader) -> None:
        """Apply reports until tracking is stopped. Raises if the connection breaks."""
        heard, last, pinged = self._heard, time.monotonic(), False
        while not self._stopping.is_set():
            if reports.wait(limits.TRACKING_TICK_SECONDS):
                self._unapplied.apply()
            if self._fault is not None:
                raise self._fault
            if self._heard != heard:
                heard, last, pinged = self._heard, time.monotonic(), False
                continue
            quiet = time.monotonic() - last
            if not pinged and quiet >= limits.TRACKING_PING_SECONDS:
                reports.send("PING")
                last, pinged = time.monotonic(), True
            elif pinged and quiet >= limits.TRACKING_ECHO_SECONDS:
                raise StoreUnavailable(f"the store at {self.server.name} does not answer a ping")

    def fileno(self) -> int:
        """Return the file descriptor on which reports arrive."""
        assert self._reports is not None
        return self._reports.fileno()

    def apply_arrived(self) -> None:
        """Apply the reports that have arrived. If the connection is broken, no game of the server stays in memory, and
        the thread of this tracker connects again."""
        assert self._reports is not None
        if self._fault is not None:
            return
        try:
            for message in self._reports.arrived():
                self._heard += 1
                self._handle(message)
        except Exception as fault:  # the thread of this tracker raises and logs it
            self._fault = fault
            self._listener.disconnected(self.server.name)

    def _handle(self, message: Reply) -> None:
        if message[0] != b"message":
            return  # a pong
        if message[2] is None:
            self._listener.everything_changed()
            return
        for key in message[2]:
            game = game_of(key)
            if game is not None:
                self._listener.changed(game)
            elif (said := reactions_game_of(key)) is not None:
                self._listener.reacted(said)
