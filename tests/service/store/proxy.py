"""A line to a server that can be cut at the worst moment: after the server did it, before it could say so."""

import socket

from tests.small_server import HOST, SmallServer


class CuttingProxy(SmallServer):
    """Passes everything on between clients and one server of loopback.

    While `cut_after` holds a word, the first request that contains it reaches the server, its answer is awaited, and
    then the client's connection is closed. While `swallow` holds one, such a request never reaches the server.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self.cut_after = b""
        self.swallow = b""
        self.cuts = 0
        super().__init__()
        self.url = f"redis://{HOST}:{self.port}"

    def serve(self, client: socket.socket) -> None:
        with self.closed_with_server(socket.create_connection((HOST, self._target))) as server:
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
