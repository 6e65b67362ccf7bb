"""A client that asks for a large answer and reads nothing of it."""

import socket

from .peer import Peer as Base


class Peer(Base):
    about = "asks, and never reads"
    receive_bytes = 4_096

    def first(self) -> bytes:
        return self.head("GET /openapi.json HTTP/1.1")

    def read(self, connection: socket.socket) -> bool:
        return False
