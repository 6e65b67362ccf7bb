"""One socket of an attack, and when it does what. An attack is a class derived from this one."""

from __future__ import annotations

import socket
from contextlib import suppress

TICK = 1.0
"""Seconds between two turns of a socket."""
READ_BYTES = 1 << 16


class Peer:
    """A socket that sends something when it is opened, and something each turn. It reads whatever it gets."""

    about = ""
    """What it does, in a few words."""
    turns: int | None = None
    """It hangs up after so many turns, and another one comes; None to stay."""
    tick = TICK
    receive_bytes = 0
    """The size of its receive buffer; 0 for what the system gives."""

    def __init__(self, host: str, forwarded: str, number: int) -> None:
        self.number = number
        self.turn = 0
        self.headers = f"Host: {host}\r\n" + (f"X-Forwarded-For: {forwarded}\r\n" if forwarded else "")
        """What every complete head of a request has."""

    def first(self) -> bytes:
        """Return what is sent at once."""
        return b""

    def drip(self) -> bytes:
        """Return what is sent in the next turn."""
        return b""

    def read(self, connection: socket.socket) -> bool:
        """Read what is there; whether the gateway has hung up."""
        with suppress(BlockingIOError):
            return not connection.recv(READ_BYTES)
        return False

    def head(self, line: str, *more: str) -> bytes:
        """Return a complete head."""
        return (f"{line}\r\n{self.headers}" + "".join(f"{each}\r\n" for each in more) + "\r\n").encode()
