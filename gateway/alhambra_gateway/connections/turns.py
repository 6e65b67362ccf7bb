"""Turns: the requests of a caller who has used up much CPU time are answered one after the other.

The threads of a process share one interpreter: while four threads compute for one caller, a request of another caller
waits for four threads, each time that it has to wait for anything. One thread is bounded by one request.

Only the thread of the poller uses the turns, so there are no locks.
"""

from __future__ import annotations

from collections import Counter, deque

from .connection import Connection


class Turns:
    """The requests of a process that are being answered or wait for their turn, by the account that pays for them."""

    def __init__(self) -> None:
        self._answering: Counter[str] = Counter()
        self._waiting: dict[str, deque[Connection]] = {}

    def begin(self, conn: Connection, account: str, *, alone: bool) -> bool:
        """Return whether the request of a connection can be answered now. If not, `end` returns it later. With `alone`
        it has to wait for all requests of its account that came before it."""
        if account in self._waiting or (alone and self._answering[account]):
            self._waiting.setdefault(account, deque()).append(conn)
            return False
        self._start(conn, account)
        return True

    def end(self, conn: Connection) -> Connection | None:
        """The request of a connection has been answered, or will take long. Return the next one of its account that can
        be answered now; None if there is none, or if the turn of this one has ended before."""
        account, conn.turn_of = conn.turn_of, None
        if account is None:
            return None
        self._answering[account] -= 1
        if self._answering[account]:
            return None
        del self._answering[account]
        waiting = self._waiting.get(account)
        if waiting is None:
            return None
        found = waiting.popleft()
        if not waiting:
            del self._waiting[account]
        self._start(found, account)
        return found

    def _start(self, conn: Connection, account: str) -> None:
        conn.turn_of = account
        self._answering[account] += 1
