"""The poller of a process: one thread that reads requests, sends the rest of answers, and closes connections.

It never waits for a single client, and only the poller uses a connection that no thread is answering. A connection goes
from state to state (`connection.State`). In each state that depends on its client it is in a group
(`connection_group.py`), which counts it by address, and its time is bounded (`Connection.overdue`).
"""

from __future__ import annotations

import heapq
import logging
import selectors
import socket
import time
from concurrent.futures import Future
from contextlib import suppress
from functools import lru_cache, partial
from itertools import count
from math import ceil
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

from .. import limits
from ..config import Settings
from ..refusals.problem import Problem, closing_answer
from .client_addresses import forwarded_address, site, trusting
from .connection import ClientSocket, Connection, State
from .connection_group import ConnectionGroup
from .request_scanner import Verdict
from .thread_pool import ThreadPool
from .turns import Turns

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"

_log = logging.getLogger(__name__)


_SLOW = Problem("DEADLINE_PASSED", "The request was sent too slowly. Nothing was changed; send it again.", status=408)
_CROWDED = Problem("RATE_LIMITED", "Too many requests of this address are not complete.")
_overdrawn = lru_cache(Problem.overdrawn)
_closing_answer = lru_cache(closing_answer)


class PollingWorker(ThreadWorker):
    """gunicorn's threaded worker, with threads that never wait for a client."""

    tpool: Any
    """The threads for all requests but those for health."""
    restless = False
    """Whether `tick` has to be called soon although nothing happens on the connections."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._unfinished, self._unsent = ConnectionGroup(), ConnectionGroup()
        self._idle, self._lingering = ConnectionGroup(), ConnectionGroup()
        self.keepalived_conns: Any = self._idle  # gunicorn asks how many there are
        self._turns = Turns()
        self._ticked = self._checked = 0.0
        self._stopped_at: float | None = None
        """When the process began to stop."""
        self._paused: list[tuple[float, int, Connection]] = []
        """A heap of connections that are not read from, by the time when they are read from again."""
        self._pauses = count()

    def apply_settings(self, settings: Settings) -> None:
        """Take the trusted proxies and the largest body from the settings."""
        self._is_trusted = trusting(settings.proxies())
        self._body_bytes = settings.body_bytes

    def pool_for(self, conn: Connection) -> ThreadPool:
        """Return the threads that answer the request that has just come in."""
        raise NotImplementedError

    def is_overdrawn(self, address: str) -> bool:
        """Whether the CPU time of an address is used up."""
        raise NotImplementedError

    def account_of(self, address: str, credentials: str | None) -> tuple[str, float] | None:
        """Return the account of CPU time that a request is charged to, and how much of what it can hold is left, less
        than 0 if it is overdrawn; None if no CPU time is counted."""
        raise NotImplementedError

    def charge_unread(self, address: str) -> None:
        """Charge an address for a request that is refused before it is read."""
        raise NotImplementedError

    def tick(self) -> None:
        """Replace threads that are held up. Called often."""
        raise NotImplementedError

    # -- gunicorn's loop -------------------------------------------------------------------------------------------

    def wait_for_and_dispatch_events(self, timeout: float | None) -> None:
        """Wait until something happens, and call what handles it."""
        soon = self.restless or self._paused or not self.alive
        super().wait_for_and_dispatch_events(limits.THREAD_TICK_SECONDS if soon else timeout)

    def murder_pending(self) -> None:
        """Close connections whose time is over. If the process stops, close those that wait for a request sooner."""
        now = time.monotonic()
        if now - self._ticked >= limits.THREAD_TICK_SECONDS:
            self._ticked = now
            self.tick()
            self._go_on(now)
        if now - self._checked < limits.DEADLINE_TICK_SECONDS and self.alive:
            return
        self._checked = now
        for group in (self._unfinished, self._unsent, self._idle, self._lingering):
            for conn in group:
                silent = conn.state is State.UNFINISHED and not conn.received
                if conn.overdue(now) or ((silent or conn.state is State.IDLE) and self._is_last_wait_over(conn, now)):
                    if conn.state is State.UNFINISHED and not silent:
                        self._refuse(conn, _SLOW)
                    else:
                        self._drop(conn)

    def _is_last_wait_over(self, conn: Connection, now: float) -> bool:
        """Whether the process stops, and has waited long enough for a request that may be on its way."""
        if self._stopped_at is None:
            return False
        return now - max(conn.began, self._stopped_at) > limits.LAST_REQUEST_SECONDS

    def murder_keepalived(self, force: bool = False) -> None:
        """Close all idle connections if the process ends; `murder_pending` closes old ones."""
        if force:
            for conn in self._idle:
                self._drop(conn)

    def accept(self, listener: socket.socket) -> None:
        """Accept new connections; several at once if many others have to be handled before the next ones."""
        for _ in range(min(limits.ACCEPTS_AT_ONCE, 1 + len(self._unfinished) // limits.ACCEPTS_AT_ONCE)):
            if not self._accept_one(listener):
                return

    def _accept_one(self, listener: socket.socket) -> bool:
        """Accept a connection. Return False if there is none: another process was faster, or the client is gone."""
        try:
            accepted, client = listener.accept()
        except OSError:
            return False
        if self.nr_conns >= self.worker_connections - limits.CONNECTIONS_SPARE:
            self._make_room()
        try:
            conn = Connection(self.cfg, accepted, client, listener.getsockname(), self._body_bytes)
        except OSError:
            return True
        conn.on_event = partial(self._on_event, conn)
        conn.by_proxy = self._is_trusted(conn.address)
        conn.began = time.monotonic()
        self.nr_conns += 1
        if not conn.by_proxy and self.is_overdrawn(conn.site):
            self._count_unfinished(conn)
            self._pause(conn, limits.REFUSED_PAUSE_SECONDS)
        else:
            self._watch(conn)
            self._read(conn)
        return True

    def set_accept_enabled(self, enabled: bool | None) -> None:
        """Accept connections, or do not. If the process stops, first accept those that wait: they would be reset."""
        if not self.alive and not enabled and self._stopped_at is None:
            self._stopped_at = time.monotonic()
            # All connections are waited for now, also those that are only kept open: gunicorn waits for the others.
            self.keepalived_conns = ()
            for listener in self.sockets:
                for _ in range(limits.BACKLOG):
                    if not self._accept_one(listener):
                        break
        super().set_accept_enabled(enabled)

    def enqueue_req(self, conn: Connection) -> None:  # type: ignore[override]
        """Have a thread answer the request that has come in, or let it wait for its turn."""
        conn.state = State.BUSY
        pool = self.pool_for(conn)
        account = self._account_of(conn) if pool is self.tpool else None
        if account is None or self._turns.begin(conn, account[0], alone=account[1] < limits.CPU_ALONE):
            self._submit(conn, pool)

    def _account_of(self, conn: Connection) -> tuple[str, float] | None:
        """Return what `account_of` says about the request that has come in."""
        address = conn.address
        if conn.by_proxy:
            address = forwarded_address(address, conn.scanner.forwarded(conn.received), self._is_trusted)
        return self.account_of(address, conn.scanner.authorization(conn.received))

    def release_turn(self, conn: Connection) -> None:
        """The request of a connection will take long: do not let others wait for it. Any thread may call this."""
        self.method_queue.defer(self._end_turn, conn)

    def _end_turn(self, conn: Connection) -> None:
        following = self._turns.end(conn)
        while following is not None and (following.gone or following.state is State.CLOSED):
            self._drop(following)
            following = self._turns.end(following)
        if following is not None:
            self._submit(following, self.pool_for(following))

    def _submit(self, conn: Connection, pool: ThreadPool) -> None:
        conn.hand_over()
        self.restless = True
        done: Future[Any] = pool.submit(self.handle, conn)
        done.add_done_callback(lambda future: self.method_queue.defer(self.finish_request, conn, future))

    def finish_request(self, conn: Connection, fs: Future[Any]) -> None:  # type: ignore[override]
        """A thread has answered a request: find out what the connection waits for now."""
        conn.cancel_call = None
        self._end_turn(conn)
        conn.keep = fs.exception() is None and bool(fs.result())
        try:
            if conn.sock.stream is not None:
                conn.state = State.STREAMING
                self._unwatch(conn)
                conn.sock.stream.take_over(partial(self.method_queue.defer, self._stream_ended, conn))
            elif conn.sock.unsent:
                self._keep_unsent(conn)
            else:
                self._answered(conn)
        except Exception:
            self._drop_as_defect(conn)

    def _stream_ended(self, conn: Connection, whole: bool) -> None:
        """A stream has ended and does not use the socket any more."""
        conn.sock.stream = None
        try:
            if whole:
                self._answered(conn)
            else:
                self._drop(conn)
        except Exception:
            self._drop_as_defect(conn)

    # -- What happens on a connection ------------------------------------------------------------------------------

    def _watch(self, conn: Connection) -> None:
        if not conn.watched:
            self.poller.register(conn.sock, selectors.EVENT_READ, conn.on_event)
            conn.watched = True

    def _unwatch(self, conn: Connection) -> None:
        if conn.watched:
            with suppress(KeyError, ValueError, OSError):
                self.poller.unregister(conn.sock)
            conn.watched = False

    def _on_event(self, conn: Connection, client: ClientSocket) -> None:
        """Something can be read from a connection, or written to it."""
        if not conn.watched:
            return  # it was paused or closed by something that happened at the same moment
        try:
            match conn.state:
                case State.UNFINISHED:
                    self._read(conn)
                case State.IDLE:
                    conn.began = time.monotonic()
                    self._leave_group(conn)
                    conn.state = State.UNFINISHED
                    self._read(conn)
                case State.BUSY:
                    self._check_whether_gone(conn)
                case State.UNSENT:
                    self._flush(conn)
                case State.LINGERING:
                    self._discard(conn)
        except Exception:
            self._drop_as_defect(conn)

    def _read(self, conn: Connection) -> None:
        """Read what has come in of a request."""
        try:
            data = conn.sock.recv(limits.READ_BYTES)
        except BlockingIOError:
            if conn.group is None:
                self._count_unfinished(conn)
            return
        except OSError:
            data = b""
        if data:
            if not conn.received:
                conn.began = time.monotonic()
            conn.received += data
            self._advance(conn, len(data))
        elif conn.scanner.head:  # it will never be complete; gunicorn says what is wrong with it
            self._hand_over_cut(conn)
        else:
            self._drop(conn)

    def _advance(self, conn: Connection, added: int) -> None:
        """Hand the request over if it is complete, otherwise wait for more. `added` bytes have come in just now."""
        try:
            verdict = conn.scanner.scan(conn.received)
        except Problem as problem:
            self._refuse(conn, problem)
            return
        if verdict is Verdict.COMPLETE:
            self._leave_group(conn)
            self.enqueue_req(conn)
        elif verdict is Verdict.CUT:
            self._hand_over_cut(conn)
        elif conn.scanner.head and not conn.body_began and (refusal := self._refusal_of(conn)) is not None:
            self.charge_unread(conn.address)
            self._refuse(conn, refusal)
        else:
            self._count_unfinished(conn)
            if added < limits.SMALL_READ_BYTES and conn.state is State.UNFINISHED:
                conn.small_reads += 1
                if conn.small_reads > limits.SMALL_READS:  # its request comes in many small parts
                    self._pause(conn, limits.SMALL_READ_PAUSE_SECONDS)
            if conn.scanner.continues and not conn.continued and conn.state is State.UNFINISHED:
                conn.continued = True
                conn.sock.sendall(CONTINUE)

    def _refusal_of(self, conn: Connection) -> Problem | None:
        """Return why the rest of a request is not read, whose head is complete: the CPU time of its sender is used up.
        Return None if it has to be read. The connection of a proxy is not closed, because others use it too."""
        account = None if conn.by_proxy else self._account_of(conn)
        if account is None or account[1] >= 0:
            return None
        return _overdrawn(ceil(-account[1] * limits.CPU_BURST_SECONDS))

    def _pause(self, conn: Connection, seconds: float) -> None:
        """Do not read from a connection for a moment."""
        self._unwatch(conn)
        heapq.heappush(self._paused, (time.monotonic() + seconds, next(self._pauses), conn))

    def _go_on(self, now: float) -> None:
        """Watch connections again whose pause is over."""
        while self._paused and self._paused[0][0] <= now:
            conn = heapq.heappop(self._paused)[2]
            if conn.state is State.UNFINISHED:
                self._watch(conn)
                if conn.received:
                    self._advance(conn, limits.SMALL_READ_BYTES)

    def _hand_over_cut(self, conn: Connection) -> None:
        conn.cut = True
        self._leave_group(conn)
        self.enqueue_req(conn)

    def _check_whether_gone(self, conn: Connection) -> None:
        """Something can be read while a request is being answered: the next request, or the end of the connection."""
        try:
            conn.gone = not conn.sock.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError:
            conn.gone = True
        self._unwatch(conn)  # until the request is answered
        if conn.gone and conn.cancel_call is not None:
            conn.cancel_call()

    # -- Unfinished requests ---------------------------------------------------------------------------------------

    def _count_unfinished(self, conn: Connection) -> None:
        """Count a request whose rest is missing, and refuse the oldest one where there are too many."""
        conn.state = State.UNFINISHED
        if conn.group is None:
            most = limits.UNFINISHED_PER_PROXY if conn.by_proxy else limits.UNFINISHED_PER_ADDRESS
            self._put(conn, self._unfinished, conn.site, most)
        if conn.scanner.head:
            if not conn.body_began:
                conn.body_began = time.monotonic()
                if conn.by_proxy:
                    self._count_for_forwarded(conn)
            conn.progress = len(conn.received) - conn.scanner.head
        if conn.group is self._unfinished:
            self._unfinished.weigh(conn, len(conn.received))
            if self._unfinished.held > limits.UNFINISHED_BYTES:
                self._refuse(self._unfinished.oldest_of_heaviest(), _CROWDED)

    def _count_for_forwarded(self, conn: Connection) -> None:
        """The head is complete: from now on the request counts for the client that the proxy speaks for."""
        address = forwarded_address(conn.address, conn.scanner.forwarded(conn.received), self._is_trusted)
        if address != conn.address and conn.group is self._unfinished:
            self._leave_group(conn)
            self._put(conn, self._unfinished, "forwarded " + site(address), limits.UNFINISHED_PER_ADDRESS)

    def _put(self, conn: Connection, group: ConnectionGroup, address: str, most: int) -> None:
        """Put a connection into a group. If its address has too many there, close the oldest one."""
        conn.group = group
        oldest = group.add(conn, address, most)
        if oldest is None:
            return
        if group is self._unfinished:
            self._refuse(oldest, _CROWDED)
        else:
            self._drop(oldest)

    def _leave_group(self, conn: Connection) -> None:
        if conn.group is not None:
            conn.group.remove(conn)
            conn.group = None

    # -- Answers ---------------------------------------------------------------------------------------------------

    def _keep_unsent(self, conn: Connection) -> None:
        """The client has not read the whole answer: send the rest as it reads."""
        conn.state = State.UNSENT
        conn.began, conn.progress = time.monotonic(), 0
        self._unwatch(conn)
        self.poller.register(conn.sock, selectors.EVENT_WRITE, conn.on_event)
        conn.watched = True
        most = limits.UNSENT_PER_PROXY if conn.by_proxy else limits.UNSENT_PER_ADDRESS
        self._put(conn, self._unsent, conn.site, most)
        if conn.group is self._unsent:
            self._unsent.weigh(conn, len(conn.sock.unsent))
            if self._unsent.held > limits.UNSENT_BYTES:
                self._drop(self._unsent.oldest_of_heaviest())

    def _flush(self, conn: Connection) -> None:
        try:
            conn.progress += conn.sock.flush()
        except OSError:
            self._drop(conn)
            return
        if conn.sock.unsent:
            self._unsent.weigh(conn, len(conn.sock.unsent))
            return
        self._leave_group(conn)
        self._unwatch(conn)
        self._answered(conn)

    def _answered(self, conn: Connection) -> None:
        """The client has its answer: wait for its next request, or close the connection."""
        if not conn.keep or conn.cut or conn.unreader.exhausted:
            self._linger(conn)
            return
        conn.take_back()
        conn.began = time.monotonic()
        if conn.to_be_paused and not conn.by_proxy:
            conn.to_be_paused = False
            self._count_unfinished(conn)
            self._pause(conn, limits.REFUSED_PAUSE_SECONDS)
            return
        self._watch(conn)
        if conn.received:
            conn.state = State.UNFINISHED
            self._advance(conn, limits.SMALL_READ_BYTES)
        else:
            conn.state = State.IDLE
            most = limits.IDLE_PER_PROXY if conn.by_proxy else limits.IDLE_PER_ADDRESS
            self._put(conn, self._idle, conn.site, most)

    # -- The end of a connection -----------------------------------------------------------------------------------

    def _refuse(self, conn: Connection | None, problem: Problem) -> None:
        """Answer a request that was not given to a thread, and close its connection."""
        if conn is None:
            return
        from ..metrics import REFUSALS  # only when the master has set the folder of the metrics

        REFUSALS.labels(problem.reason).inc()
        with suppress(OSError):
            conn.sock.sendall(_closing_answer(problem))
        self._linger(conn)

    def _linger(self, conn: Connection) -> None:
        """Shut down the sending side, and give the client a moment to read the last answer. A connection that is closed
        while bytes of the client are unread is reset, and the client could lose the answer."""
        self._leave_group(conn)
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._drop(conn)
            return
        conn.state = State.LINGERING
        conn.began, conn.progress = time.monotonic(), 0
        conn.received = bytearray()
        self._watch(conn)
        self._put(conn, self._lingering, "", limits.LINGERING)

    def _discard(self, conn: Connection) -> None:
        """Discard bytes that come in on a connection that is being closed."""
        try:
            data = conn.sock.recv(limits.READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        conn.progress += len(data)
        if not data or conn.progress > limits.LINGER_BYTES:
            self._drop(conn)

    def _make_room(self) -> None:
        """Close a connection that can be spared, because the process has nearly as many as it can have."""
        groups = (self._lingering,) if self._lingering else (self._idle, self._unfinished, self._unsent)
        found = [most for group in groups if (most := group.oldest_of_most()) is not None]
        if found:
            self._drop(max(found, key=lambda most: most[0])[1])

    def _drop_as_defect(self, conn: Connection) -> None:
        _log.exception("A connection was closed because of a defect.")
        self._drop(conn)

    def _drop(self, conn: Connection | None) -> None:
        """Close a connection."""
        if conn is None or conn.state is State.CLOSED:
            return
        self._leave_group(conn)
        self._unwatch(conn)
        conn.state = State.CLOSED
        self.nr_conns -= 1
        conn.sock.hang_up()
