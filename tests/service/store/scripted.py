"""Servers that speak the protocol and answer what a test tells them: for what real ones cannot be brought to say."""

import socket
from collections.abc import Callable, Mapping

from tests.small_server import SmallServer

Answer = bytes | int | list["Answer"] | Exception | None
"""A string, a number, a list, a refusal, nothing."""


class ScriptedServer(SmallServer):
    """Answers commands by their first words; what is not in the script is refused."""

    def __init__(self, script: Mapping[str, Answer | Callable[[], Answer]]) -> None:
        self.script = dict(script)
        self.asked: list[str] = []
        super().__init__()

    def serve(self, client: socket.socket) -> None:
        with client.makefile("rb") as stream:
            while line := stream.readline():
                words = []
                for _ in range(int(line[1:])):
                    size = int(stream.readline()[1:])
                    words.append(stream.read(size + 2)[:-2].decode())
                client.sendall(_written(self._answer(" ".join(words).upper())))

    def _answer(self, command: str) -> Answer:
        self.asked.append(command)
        for name, answer in self.script.items():
            if command.startswith(name):
                return answer() if callable(answer) else answer
        return ValueError("ERR not in the script")


def _written(answer: Answer) -> bytes:
    if answer is None:
        return b"$-1\r\n"
    if isinstance(answer, Exception):
        return b"-%b\r\n" % str(answer).encode()
    if isinstance(answer, int):
        return b":%d\r\n" % answer
    if isinstance(answer, list):
        return b"*%d\r\n" % len(answer) + b"".join(map(_written, answer))
    return b"$%d\r\n%b\r\n" % (len(answer), answer)
