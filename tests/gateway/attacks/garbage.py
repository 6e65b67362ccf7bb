"""A request, and garbage right behind it."""

from .peer import Peer as Base


class Peer(Base):
    about = "a request and garbage"
    turns = 10

    def first(self) -> bytes:
        return self.head("GET /v1/catalog/editions HTTP/1.1") + bytes(range(256)) * 4 + b"\r\n\r\n"
