"""Who hangs up: notices at once that the client of a stream is gone, although nothing is being sent to it.

A stream is only written to when something happens in its game; without this, one that nobody reads would be held open,
here and at the service, until then. One thread listens to all clients: they have nothing more to say, so whatever can
be read from one is its end.
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
"""Told when the client has gone."""


class Departures:
    """Listens to the clients of one process."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._listening, self._waking = socket.socketpair()
        self._listening.setblocking(False)
        self._selector.register(self._listening, selectors.EVENT_READ)
        self._orders: SimpleQueue[tuple[socket.socket, int, Gone | None]] = SimpleQueue()
        threading.Thread(target=self._listen, name="departures", daemon=True).start()

    def watch(self, client: socket.socket, gone: Gone) -> Callable[[], None]:
        """From now on `gone` is called if the client hangs up. Returns what ends that."""
        number = client.fileno()
        self._order(client, number, gone)
        return lambda: self._order(client, number, None)

    def _order(self, client: socket.socket, number: int, gone: Gone | None) -> None:
        self._orders.put((client, number, gone))
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
                            _log.exception("A stream could not be given up.")
            self._obey()

    def _obey(self) -> None:
        """Does what was ordered meanwhile, in this order: the number of a socket may be another's by now."""
        with suppress(Empty):
            while True:
                client, number, gone = self._orders.get_nowait()
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
