"""A player of this library as a process that speaks the line protocol: `alhambra bot search_hard`.

It asks for determinizations, so that it sees no more than its seat. A search player uses the time that the clock gives
it, and tells in `info` what it thought: visits and value of each candidate.
"""

from __future__ import annotations

import json
import time
from base64 import b64decode
from collections.abc import Callable
from random import Random
from typing import IO, Any

from alhambra import Game, Move
from alhambra.players import Player, SearchReport, thinking_seconds

from .line_protocol import VERSION


class LineBotServer:
    """One end of the line protocol: reads lines, asks a player, writes lines."""

    def __init__(self, name: str, make: Callable[[], Player], lines: IO[str], answers: IO[str]) -> None:
        self._name = name
        self._make = make
        self._lines = lines
        self._answers = answers
        self._player = make()
        self._rng = Random()

    def run(self) -> None:
        """Answer until the input ends or says `quit`."""
        for line in self._lines:
            verb, _, text = line.strip().partition(" ")
            if verb == "quit":
                return
            if verb == "alhambra":
                self._say(f"name {self._name}", "want game", f"ok {VERSION}")
            elif verb == "new":
                self._player = self._make()
                self._rng = Random(json.loads(text)["randomSeed"])
                self._say("ready")
            elif verb == "decide":
                self._decide(json.loads(text))

    def _decide(self, question: dict[str, Any]) -> None:
        began = time.monotonic()
        game = Game.from_bytes(b64decode(question["game"]))
        clock = question["clock"]
        left = None if clock["gameMs"] is None else clock["gameMs"] / 1_000
        end = began + thinking_seconds(game, clock["moveMs"] / 1_000, left)
        action = self._player.answer_within(game, self._rng, lambda: time.monotonic() >= end)
        report = getattr(self._player, "report", None)
        if isinstance(report, SearchReport):
            self._say(f"info {json.dumps(report.as_dict(), separators=(',', ':'))}")
        self._say(f"move {json.dumps(action.as_dict())}" if isinstance(action, Move) else "resign")

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._answers.write(line + "\n")
        self._answers.flush()
