"""A client that asks for more than the system's buffers hold, and reads nothing of it."""

import socket

from .peer import Peer as Base

REQUESTS = 6
"""Together the answers have a megabyte."""


class Peer(Base):
    about = "asks, and never reads"
    receive_bytes = 4_096

    def first(self) -> bytes:
        return self.head("GET /openapi.json HTTP/1.1") * REQUESTS

    def read(self, connection: socket.socket) -> bool:
        return False
