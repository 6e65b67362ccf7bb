"""The head of a request, byte by byte."""

from .peer import Peer as Base


class Peer(Base):
    about = "head, byte by byte"

    def first(self) -> bytes:
        return b"GET /v1/catalog/editions HTTP/1.1\r\n" + self.headers.encode()

    def drip(self) -> bytes:
        return b"X-Slow: and so on\r\n"[self.turn % 19 :][:1]
