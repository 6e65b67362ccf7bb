"""Connections that are kept open after one request."""

from .peer import Peer as Base


class Peer(Base):
    about = "one request, then idle"

    def first(self) -> bytes:
        return self.head("GET /v1/catalog/editions HTTP/1.1")
