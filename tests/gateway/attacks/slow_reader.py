"""A client that asks for a large answer and reads some bytes of it each second."""

import socket
from contextlib import suppress

from .peer import Peer as Base


class Peer(Base):
    about = "reads a large answer slowly"
    receive_bytes = 4_096

    def first(self) -> bytes:
        return self.head("GET /openapi.json HTTP/1.1")

    def read(self, connection: socket.socket) -> bool:
        with suppress(BlockingIOError):
            return not connection.recv(16)
        return False
