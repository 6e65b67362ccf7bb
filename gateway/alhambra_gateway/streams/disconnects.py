"""Notice at once that the client of a stream has disconnected, although nothing is being sent to it.

A stream is written to only when something happens in its game. Without this, a stream whose client is gone would stay
open until then, here and at the service. One thread watches the sockets of all streams: clients send nothing more, so a
socket becomes readable only when its client disconnects.
"""

from __future__ import annotations

import logging
import selectors
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue

_log = logging.getLogger(__name__)

Gone = Callable[[], object]
"""Called when the client has disconnected."""


class Disconnects:
    """Watches the clients of all streams of one process."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._listening, self._waking = socket.socketpair()
        self._listening.setblocking(False)
        self._selector.register(self._listening, selectors.EVENT_READ)
        self._changes: SimpleQueue[tuple[socket.socket, int, Gone | None]] = SimpleQueue()
        threading.Thread(target=self._listen, name="disconnects", daemon=True).start()

    def watch(self, client: socket.socket, gone: Gone) -> Callable[[], None]:
        """Call `gone` when the client disconnects. Return a function that ends watching."""
        number = client.fileno()
        self._change(client, number, gone)
        return lambda: self._change(client, number, None)

    def _change(self, client: socket.socket, number: int, gone: Gone | None) -> None:
        self._changes.put((client, number, gone))
        with suppress(OSError):
            self._waking.send(b".")

    def _listen(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.data is None:
                    with suppress(BlockingIOError):
                        self._listening.recv(1 << 12)
                else:
                    self._selector.unregister(key.fd)
                    client, gone = key.data
                    if _has_gone(client):
                        try:
                            gone()
                        except Exception:
                            _log.exception("A stream could not be ended after its client disconnected.")
            self._apply_changes()

    def _apply_changes(self) -> None:
        """Register and unregister sockets in the order of the requests: a new socket may reuse a number."""
        with suppress(Empty):
            while True:
                client, number, gone = self._changes.get_nowait()
                with suppress(KeyError, ValueError, OSError):
                    self._selector.unregister(number)
                if gone is not None:
                    with suppress(KeyError, ValueError, OSError):
                        self._selector.register(number, selectors.EVENT_READ, (client, gone))


def _has_gone(client: socket.socket) -> bool:
    try:
        return not client.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
