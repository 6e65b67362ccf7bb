"""Sends the same query to several servers at once, without waiting long for slow ones.

A server that is partitioned from the others, or was replaced, gives old answers about the masters. So several servers
are asked, and the caller takes the newest answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import TypeVar

from ... import limits
from .wire import Server

A = TypeVar("A")


class QuorumQuery:
    """The threads that query servers. `ask` may be called from several threads."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(limits.QUORUM_SERVERS, thread_name_prefix="quorum")
        self._lock = threading.Lock()
        self._silent: set[Server] = set()
        """Servers that have not answered yet. They are not asked again until they do, so that threads stay free."""

    def ask(self, servers: Sequence[Server], question: Callable[[Server], A | None]) -> list[A]:
        """Return the answers of at most QUORUM_SERVERS servers, in the order of the servers; None counts as no answer.
        Waits for all of them up to QUORUM_SECONDS, and longer only if until then none has answered."""
        with self._lock:
            chosen = [server for server in servers if server not in self._silent] or list(servers)
        asked: list[Future[A | None]] = [
            self._pool.submit(partial(self._asked, question, server)) for server in chosen[: limits.QUORUM_SERVERS]
        ]
        wait(asked, limits.QUORUM_SECONDS)
        pending = {one for one in asked if not one.done()}
        while pending and not _answers(asked):
            _, pending = wait(pending, return_when=FIRST_COMPLETED)
        for one in pending:
            one.cancel()
        return _answers(asked)

    def _asked(self, question: Callable[[Server], A | None], server: Server) -> A | None:
        with self._lock:
            self._silent.add(server)
        try:
            return question(server)
        finally:
            with self._lock:
                self._silent.discard(server)

    def close(self) -> None:
        """Stop the threads."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _answers(asked: Sequence[Future[A | None]]) -> list[A]:
    found = []
    for one in asked:
        if one.done() and not one.cancelled():
            answer = one.result()
            if answer is not None:
                found.append(answer)
    return found
