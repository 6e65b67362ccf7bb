"""Connections that are kept open after one request."""

from .peer import Peer as Base


class Peer(Base):
    """Asks for health in a way that takes one of the threads for plain calls: an answer that costs little."""

    about = "one request, then idle"

    def first(self) -> bytes:
        return self.head("GET /healthz? HTTP/1.1")
