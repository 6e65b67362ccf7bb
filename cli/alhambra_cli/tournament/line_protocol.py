"""A bot in a process of its own that speaks the line protocol, version 1, over standard input and output.

`docs/bot-author.md` has the grammar. Each line is a verb, and for most verbs a JSON document after one space. The bot
receives what its seat may see and nothing else. Everything that it sends is bounded: the length of a line, the number
of lines for one decision, and what is kept of its standard error. A process lives for many games; after a fault it is
killed, and the next game starts another one.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

VERSION = 1
LINE_LIMIT = 256 * 1024
"""Maximum length of a line from a bot, in bytes."""
LINES_PER_ANSWER = 1_000
"""Maximum number of lines from a bot before it has answered."""
INFO_LIMIT = 16 * 1024
"""Longer `info` is not kept."""
STDERR_LIMIT = 4_000
"""Bytes kept of what a bot wrote last to standard error."""
START_SECONDS = 20.0
"""Time for the handshake, and for the answer to `new`."""
QUIT_SECONDS = 1.0
WANTS = ("events", "game")
"""What a bot can ask for beside the view: events since its last decision; a determinization as bytes."""

CRASH, ILLEGAL, TIMEOUT, PROTOCOL = "crash", "illegal_move", "timeout", "protocol"
RESIGNED = "resigned"
FAULTS = (CRASH, ILLEGAL, TIMEOUT, PROTOCOL, RESIGNED)
"""Why a bot can lose a game before its end."""


class BotFault(Exception):
    """A bot crashed, was late, or sent something that it must not. It loses the game."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


class Answer(NamedTuple):
    """What a bot answers to `decide`: a verb with its text, and the `info` that it sent before."""

    verb: str
    text: str
    info: dict[str, Any] | None


class LineProcess:
    """A running bot. All methods raise BotFault if the bot does not do its part in time."""

    def __init__(self, command: Sequence[str], memory: int | None = None) -> None:
        """Start the process. `memory` limits its address space, in bytes."""
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
            )
        except OSError as fault:
            raise BotFault(CRASH, f"cannot start {command[0]!r}: {fault.strerror or fault}") from None
        if memory is not None:
            _limit_memory(self._process.pid, memory)
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._input, self._output, self._errors = self._process.stdin, self._process.stdout, self._process.stderr
        for pipe in (self._input, self._output, self._errors):
            os.set_blocking(pipe.fileno(), False)
        self._received = bytearray()
        self._said = bytearray()
        self._open_errors = True
        self.name = ""
        self.wants: frozenset[str] = frozenset()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    # -- The conversation --------------------------------------------------------------------------------------------

    def shake_hands(self) -> None:
        """Agree on the version, and learn the bot's name and what it wants."""
        deadline = time.monotonic() + START_SECONDS
        self._send(f"alhambra {VERSION}", deadline)
        wants: set[str] = set()
        for _ in range(LINES_PER_ANSWER):
            verb, text = self._line(deadline)
            if verb == "ok":
                if text != str(VERSION):
                    raise BotFault(PROTOCOL, f"the bot speaks version {text[:20]!r}, the arena {VERSION}")
                self.wants = frozenset(wants)
                return
            if verb == "name":
                self.name = text[:80]
            elif verb == "want" and text in WANTS:
                wants.add(text)
            else:
                raise BotFault(PROTOCOL, f"unexpected line {_shown(verb, text)!r} in the handshake")
        raise BotFault(PROTOCOL, "too many lines in the handshake")

    def new_game(self, about: dict[str, Any]) -> None:
        """Announce a game and wait until the bot is ready for it."""
        deadline = time.monotonic() + START_SECONDS
        self._send(f"new {_json(about)}", deadline)
        verb, text = self._line(deadline)
        if verb != "ready":
            raise BotFault(PROTOCOL, f"expected 'ready' after 'new', got {_shown(verb, text)!r}")

    def decide(self, question: dict[str, Any], seconds: float) -> Answer:
        """Ask for a decision and return the answer."""
        deadline = time.monotonic() + seconds
        self._send(f"decide {_json(question)}", deadline)
        info: dict[str, Any] | None = None
        for _ in range(LINES_PER_ANSWER):
            verb, text = self._line(deadline)
            if verb in ("move", "resign"):
                return Answer(verb, text, info)
            if verb != "info":
                raise BotFault(PROTOCOL, f"expected 'info' or 'move', got {_shown(verb, text)!r}")
            if len(text) <= INFO_LIMIT:
                info = read_object(text, "info")
        raise BotFault(PROTOCOL, f"more than {LINES_PER_ANSWER} lines without a move")

    def game_over(self, result: dict[str, Any]) -> None:
        """Tell how the game ended. The bot does not answer."""
        self._send(f"over {_json(result)}", time.monotonic() + START_SECONDS)

    def close(self, *, kill: bool = False) -> None:
        """End the process: ask it to quit, or kill it."""
        if not kill and self._process.poll() is None:
            try:
                self._send("quit", time.monotonic() + QUIT_SECONDS)
                self._input.close()
                self._process.wait(QUIT_SECONDS)
            except (BotFault, OSError, subprocess.TimeoutExpired):
                pass  # it is killed below
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for pipe in (self._input, self._output, self._errors):
            pipe.close()

    # -- Lines -------------------------------------------------------------------------------------------------------

    def _send(self, line: str, deadline: float) -> None:
        data = memoryview(line.encode() + b"\n")
        while data:
            self._wait(deadline, writing=True)
            try:
                data = data[os.write(self._input.fileno(), data) :]
            except BlockingIOError:
                continue
            except OSError:
                raise self._ended() from None

    def _line(self, deadline: float) -> tuple[str, str]:
        """Return the next line: its verb and the rest. Blank lines are skipped."""
        while True:
            end = self._received.find(b"\n")
            if end < 0:
                if len(self._received) > LINE_LIMIT:
                    raise BotFault(PROTOCOL, f"a line is longer than {LINE_LIMIT} bytes")
                self._wait(deadline)
                continue
            line = bytes(self._received[:end]).decode("utf-8", "replace").strip()
            del self._received[: end + 1]
            if line:
                verb, _, text = line.partition(" ")
                return verb, text.strip()

    def _wait(self, deadline: float, *, writing: bool = False) -> None:
        """Wait until something arrives or, if `writing`, can be sent."""
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._output, selectors.EVENT_READ)
            if self._open_errors:
                waiting.register(self._errors, selectors.EVENT_READ)
            if writing:
                waiting.register(self._input, selectors.EVENT_WRITE)
            left = deadline - time.monotonic()
            ready = [key.fileobj for key, _ in waiting.select(max(0.0, left))]
        if not ready and left <= 0:
            raise BotFault(TIMEOUT, "no answer in time" + self._last_words())
        if self._errors in ready:
            self._read_errors()
        if self._output in ready and len(self._received) <= LINE_LIMIT:
            found = os.read(self._output.fileno(), 65_536)
            if not found:
                raise self._ended()
            self._received += found

    def _read_errors(self) -> None:
        try:
            found = os.read(self._errors.fileno(), 65_536)
        except BlockingIOError:
            return
        self._open_errors = bool(found)
        self._said += found
        del self._said[:-STDERR_LIMIT]

    def _ended(self) -> BotFault:
        try:
            code: int | None = self._process.wait(QUIT_SECONDS)
        except subprocess.TimeoutExpired:
            code = None
        if self._open_errors:
            self._read_errors()
        how = "closed its output" if code is None else f"ended with code {code}"
        return BotFault(CRASH, f"the process {how}{self._last_words()}")

    def _last_words(self) -> str:
        text = self._said.decode("utf-8", "replace").strip()
        return f"; it wrote: …{text[-500:]}" if len(text) > 500 else f"; it wrote: {text}" if text else ""


def read_object(text: str, what: str) -> dict[str, Any]:
    """Return the JSON object in a text. Raise BotFault if it is something else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BotFault(PROTOCOL, f"{what} must be followed by a JSON object, got {text[:60]!r}")
    return found


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":"))


def _shown(verb: str, text: str) -> str:
    return f"{verb} {text}"[:80].strip()


def _limit_memory(pid: int, size: int) -> None:
    """Limit the address space of a process, where the system can do that."""
    import resource

    if hasattr(resource, "prlimit"):
        resource.prlimit(pid, resource.RLIMIT_AS, (size, size))
