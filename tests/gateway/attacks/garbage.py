"""A request, and garbage right behind it. The client does not hang up when the gateway does."""

import socket

from .peer import Peer as Base


class Peer(Base):
    """Asks for health in a way that takes one of the threads for plain calls: an answer that costs little."""

    about = "a request and garbage"
    turns = 10

    def first(self) -> bytes:
        return self.head("GET /healthz? HTTP/1.1") + bytes(range(256)) * 4 + b"\r\n\r\n"

    def read(self, connection: socket.socket) -> bool:
        return False
