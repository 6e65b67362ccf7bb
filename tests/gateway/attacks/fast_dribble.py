"""The head of a request, byte by byte, ten bytes a second."""

from .dribbled_head import Peer as Base


class Peer(Base):
    about = "head, ten bytes a second"
    tick = 0.1
