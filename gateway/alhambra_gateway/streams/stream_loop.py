"""The event loop of a process: one thread that reads all streams of the service and writes to all their clients.

No stream has a thread of its own. A thread of the pool answers the request for a stream up to its first message; from
then on the stream and the socket of its client belong to the loop, so nothing in them needs a lock.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class StreamLoop:
    """An event loop in a thread, until the process ends."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="streams", daemon=True).start()

    def run(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine in the loop. Return the future of its result. Any thread may call this."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def soon(self, call: Callable[..., object], *arguments: Any) -> None:
        """Call a function in the loop. Any thread may call this."""
        self._loop.call_soon_threadsafe(call, *arguments)
