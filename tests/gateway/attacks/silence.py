"""Sockets that are opened and say nothing."""

from .peer import Peer as Base


class Peer(Base):
    about = "says nothing"
