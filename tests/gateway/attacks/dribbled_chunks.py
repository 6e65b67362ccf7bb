"""A body in chunks, one byte each."""

from .peer import Peer as Base


class Peer(Base):
    about = "body in chunks, one byte each"

    def first(self) -> bytes:
        return self.head("POST /v1/games HTTP/1.1", "Content-Type: application/json", "Transfer-Encoding: chunked")

    def drip(self) -> bytes:
        return b"1\r\n \r\n"
