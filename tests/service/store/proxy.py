"""A line to a server that can be cut at the worst moment: after the server did it, before it could say so."""

import socket
import threading
from contextlib import suppress


class CuttingProxy:
    """Passes everything on between clients and one server of loopback.

    While `cut_after` holds a word, the first request that contains it reaches the server, its answer is awaited, and
    then the client's connection is closed. While `swallow` holds one, such a request never reaches the server.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}"
        self.cut_after = b""
        self.swallow = b""
        self.cuts = 0
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._open.append(client)
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError), client, socket.create_connection(("127.0.0.1", self._target)) as server:
            self._open.append(server)
            while request := client.recv(1 << 20):
                if self.swallow and self.swallow in request:
                    self.cuts += 1
                    return
                server.sendall(request)
                reply = server.recv(1 << 20)
                if self.cut_after and self.cut_after in request:
                    self.cuts += 1
                    return
                client.sendall(reply)

    def stop(self) -> None:
        for one in (self._listener, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
