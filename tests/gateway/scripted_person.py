"""A person at the terminal who reads menus and answers at random: it knows numbers and letters, no word of the game."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random

from examples.terminal_client import PHRASES, Play, main

ANSWERS_OF_A_GAME = 12_000
"""After this many answers the person gives up."""
_ENTRY = re.compile(r" {0,3}(\d+)  \S")
_MORE = re.compile(r" {6}m \w")
LOOKS_FURTHER = 0.1
"""How often the person asks for further entries of a list that is longer than a screen."""
TAKES_THE_FIRST = 0.5
"""How often the person takes the first entry. Purchases stand there, and games end when enough was bought."""


class ScriptedPerson:
    """Answers each question with a number of the menu above it."""

    def __init__(self, seed: object, language: str = "en") -> None:
        self._rng = Random(f"{seed}")
        self._range = re.compile(re.escape(PHRASES[language]["amount"]).replace(r"\{\}", r"(-?\d+)"))
        self._screen: list[str] = []
        self._numbers: list[str] = []
        self.answers = 0
        self.read: list[str] = []
        """Every line that was shown."""

    def write(self, line: str) -> None:
        """Shows the person a line."""
        self._screen.append(line)
        self.read.append(line)

    def answer(self, prompt: str) -> str:
        """What the person types."""
        self.answers += 1
        assert self.answers <= ANSWERS_OF_A_GAME, "the game does not end"
        limits = self._range.match(prompt)
        if limits:
            return str(self._rng.randint(int(limits[1]), int(limits[2])))
        screen, self._screen = self._screen, []
        self._numbers = [found[1] for line in screen if (found := _ENTRY.match(line))] or self._numbers
        more = any(_MORE.match(line) for line in screen)
        if more and self._rng.random() < LOOKS_FURTHER:
            return "m"
        if self._rng.random() < TAKES_THE_FIRST:
            return self._numbers[0]
        return self._rng.choice(self._numbers)


def play(
    address: str,
    person: ScriptedPerson,
    modules: Iterable[str],
    *more: str,
    language: str = "en",
    names: Iterable[str] = ("Ann", "Ben"),
) -> Play:
    """Plays a game at one terminal; one person answers for all seats."""
    seats = [word for name in names for word in ("--person", name)]
    words = ["create", "--server", address, "--language", language, *seats, *more]
    found = main([*words, "--modules", *modules], person.answer, person.write)
    assert found is not None
    return found
