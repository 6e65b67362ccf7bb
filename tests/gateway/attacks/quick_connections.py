"""Connections that are opened and closed again."""

from .peer import Peer as Base


class Peer(Base):
    about = "opened and closed again"
    turns = 5
