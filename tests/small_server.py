"""A server in threads, for tests that need one which does something strange: what it says is up to a subclass."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

HOST = "127.0.0.1"


class SmallServer:
    """Listens on a free port of loopback and serves each connection in a thread of its own until `stop`."""

    def __init__(self) -> None:
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._stopped = False
        threading.Thread(target=self._accept, daemon=True).start()

    def serve(self, client: socket.socket) -> None:
        """Speak with a client. An OSError ends the connection quietly; `stop` causes one."""
        raise NotImplementedError

    def closed_with_server(self, connection: socket.socket) -> socket.socket:
        """Remember a connection of the server's own, so that `stop` closes it; returns the connection."""
        self._open.append(connection)
        return connection

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._open.append(client)
                if self._stopped:  # it was accepted while `stop` closed the others
                    client.close()
                threading.Thread(target=self._serve_quietly, args=(client,), daemon=True).start()

    def _serve_quietly(self, client: socket.socket) -> None:
        with suppress(OSError), client:
            self.serve(client)

    def stop(self) -> None:
        """Stop listening and close every connection."""
        self._stopped = True
        for one in [self._listener, *self._open]:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
