"""A body that was announced with its length, byte by byte."""

from .peer import Peer as Base


class Peer(Base):
    about = "body, byte by byte"

    def first(self) -> bytes:
        return self.head("POST /v1/games HTTP/1.1", "Content-Type: application/json", "Content-Length: 100000") + b"{"

    def drip(self) -> bytes:
        return b" "
