"""The file of a tournament: a header, then one line of JSON for each game, written when the game is over.

A line has everything that replays its game: options with the seed, and the log in notation. The process may be killed
at any moment: a last line that is incomplete is cut off when the tournament is resumed, and its game is played again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from alhambra import AlhambraError, Game, Options, write_game
from alhambra.export import read_entry

from ..bad_input import BadInput
from .entrants import Entrant

FORMAT = "alhambra-arena/1"
GROWS = ("games", "rounds")
"""Settings of a tournament that may differ when it is resumed."""


class Fault(NamedTuple):
    """Why a bot lost a game before its end."""

    seat: int
    bot: str
    reason: str
    detail: str


class Played(NamedTuple):
    """One game of a tournament."""

    number: int
    deal: int
    bots: tuple[str, ...]
    """The bot of each seat."""
    places: tuple[int, ...]
    """The place of each seat: 1 for the winner; seats that share a place have the same number."""
    scores: tuple[int, ...]
    seconds: tuple[float, ...]
    """The time that each seat has thought."""
    faults: tuple[Fault, ...]
    options: dict[str, Any]
    log: tuple[str, ...]
    info: tuple[Any, ...] = ()
    """What the bots told about their decisions, if it was asked for: [entry of the log, info] pairs."""

    def as_dict(self) -> dict[str, Any]:
        """Return the game as JSON-ready data."""
        found = self._asdict()
        found["faults"] = [fault._asdict() for fault in self.faults]
        if not self.info:
            del found["info"]
        return found

    @classmethod
    def read(cls, data: dict[str, Any]) -> Played:
        """Return the game that `as_dict` wrote."""
        lists = {name: tuple(data[name]) for name in ("bots", "places", "scores", "seconds", "log")}
        faults = tuple(Fault(**fault) for fault in data["faults"])
        info = tuple(data.get("info", ()))
        return cls(data["number"], data["deal"], faults=faults, options=data["options"], info=info, **lists)

    def replay(self) -> Game:
        """Return the game, played again from its log. Raise AlhambraError if a move is illegal."""
        return Game.replay(Options.read(self.options), [read_entry(line) for line in self.log])

    def differences(self) -> list[str]:
        """Return what differs when the game is played again; empty if nothing does."""
        try:
            game = self.replay()
        except AlhambraError as fault:
            return [fault.message]
        found = [] if game.over else ["the game is not over"]
        if tuple(game.scores[: len(self.bots)]) != self.scores:
            found.append(f"the scores are {list(game.scores[: len(self.bots)])}, the file has {list(self.scores)}")
        return found

    def notation(self) -> str:
        """Return the game as text that `alhambra verify` and `alhambra board` read."""
        return write_game(self.replay())


class TournamentFile:
    """The results of one tournament, in memory and, with a path, in a file."""

    def __init__(self, path: Path | None, header: dict[str, Any]) -> None:
        """Open the file and read the games in it, or begin it. Raise BadInput if it belongs to another tournament."""
        self._path = path
        self.games: dict[int, Played] = {}
        if path is None:
            return
        if path.exists() and path.stat().st_size:
            known, games, end = _read(path)
            _compare(path, known, header)
            self.games = {game.number: game for game in games}
            if end < path.stat().st_size:
                os.truncate(path, end)
        else:
            self._write({"arena": FORMAT, **header})

    def append(self, game: Played) -> None:
        """Add a game. It is in the file when this returns."""
        self.games[game.number] = game
        if self._path is not None:
            self._write(game.as_dict())

    def _write(self, line: dict[str, Any]) -> None:
        assert self._path is not None
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        with self._path.open("ab", buffering=0) as file:
            file.write(data)


def header_of(entrants: Iterable[Entrant], **settings: Any) -> dict[str, Any]:
    """Return the header of a tournament: its bots and settings."""
    return {"bots": {entrant.name: entrant.spec for entrant in entrants}, **settings}


def read_tournament(path: Path) -> tuple[dict[str, Any], list[Played]]:
    """Return the header and the games of a file, in the order of their numbers. Raise BadInput if it is none."""
    header, games, _ = _read(path)
    return header, sorted(games, key=lambda game: game.number)


def _read(path: Path) -> tuple[dict[str, Any], list[Played], int]:
    """Return the header, the games, and the length of all complete lines."""
    bad = BadInput(f"{path} is not a file of a tournament.")
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise BadInput(f"Cannot read {path}: {(fault.strerror or str(fault)).lower()}.") from None
    end = data.rfind(b"\n") + 1
    try:
        lines: Iterator[Any] = map(json.loads, data[:end].splitlines())
        header = next(lines)
        if header.pop("arena") != FORMAT:
            raise bad
        return header, [Played.read(line) for line in lines], end
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration):
        raise bad from None


def _compare(path: Path, known: dict[str, Any], header: dict[str, Any]) -> None:
    """Raise BadInput if a file belongs to a tournament with other bots or settings."""
    wanted: dict[str, Any] = json.loads(json.dumps(header))
    different = [name for name in {**known, **wanted} if known.get(name) != wanted.get(name) and name not in GROWS]
    if different:
        raise BadInput(f"{path} belongs to a tournament with other {', '.join(different)}; use another file.")
