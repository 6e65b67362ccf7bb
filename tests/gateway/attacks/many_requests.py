"""Many requests on one connection, without waiting for an answer. Few sockets do it, the others are idle."""

from .peer import Peer as Base

BUSY = 2
REQUESTS = 5


class Peer(Base):
    """Asks for health in a way that takes one of the threads for plain calls: an answer that costs little."""

    about = "many requests at once on a connection"
    tick = 0.1

    def first(self) -> bytes:
        return self.head("GET /healthz? HTTP/1.1")

    def drip(self) -> bytes:
        return self.head("GET /healthz? HTTP/1.1") * REQUESTS if self.number < BUSY else b""
