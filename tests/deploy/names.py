"""A DNS server on loopback that knows one name and all its addresses, as compose and Kubernetes have one."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

A, IN, SECONDS = 1, 1, 5


def answer(question: bytes, addresses: list[str]) -> bytes:
    """The answer to a question: every address if it asks for IPv4, none otherwise."""
    end = 12
    while question[end]:
        end += question[end] + 1
    asked = question[12 : end + 5]
    (kind,) = struct.unpack(">H", asked[-4:-2])
    found = addresses if kind == A else []
    records = [
        b"\xc0\x0c" + struct.pack(">HHIH", A, IN, SECONDS, 4) + socket.inet_aton(address)  # the name of the question
        for address in found
    ]
    return question[:2] + b"\x81\x80" + struct.pack(">HHHH", 1, len(found), 0, 0) + asked + b"".join(records)


@contextmanager
def name_server(addresses: list[str]) -> Iterator[int]:
    """Its port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.settimeout(0.1)
        stopping = threading.Event()

        def serve() -> None:
            while not stopping.is_set():
                try:
                    question, who = listener.recvfrom(2048)
                except TimeoutError:
                    continue
                listener.sendto(answer(question, addresses), who)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            stopping.set()
            thread.join()
