"""The trip of a state through bytes, as far as it changed since the last one.

A part of a state is immutable or replaced whole. So a part that is the very object of the last trip need not travel
again: what came back then stands for it. The rest travels as in a whole state, through the same functions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from alhambra import Board, Game
from alhambra.codec import pack, pack_board, unpack, unpack_board
from alhambra.state import Decision, State

PLAIN = frozenset((str, int, bool, type(None)))

Part = tuple[str, str]
"""Whose part it is, and its name: ("state", "deck"), ("seat 2", "hand"), ("thieves", "loot")."""


class RoundTrip:
    """Sends the states of one game through bytes, one after the other."""

    def __init__(self, game: Game) -> None:
        self._tiles = game.ruleset.tiles
        self._sent: dict[Part, Any] = {}
        self._back: dict[Part, Any] = {}

    def of(self, game: Game) -> Game:
        """The game as it comes back; it shares nothing that can change with the one that was sent."""
        self._travel({part: value for part, value in _parts(game.state) if self._sent.get(part, self) is not value})
        back = self._back
        twin = game.clone()
        state = twin.state = State([])
        for name, value in vars(game.state).items():
            setattr(state, name, value if type(value) in PLAIN else back.get(("state", name)))
        state.decision = state.decision and Decision(*state.decision)
        state.agenda = list(state.agenda)
        state.seats = [_like(seat, f"seat {number}", back) for number, seat in enumerate(game.state.seats)]
        state.slices = {key: _like(kept, key, back) for key, kept in game.state.slices.items()}
        return twin

    def _travel(self, parts: dict[Part, Any]) -> None:
        boards = {part for part, value in parts.items() if isinstance(value, Board)}
        sent = [pack_board(value) if part in boards else pack(value) for part, value in parts.items()]
        for (part, value), came in zip(parts.items(), json.loads(json.dumps(sent)), strict=True):
            if part in boards:
                self._back[part] = unpack_board(came, self._tiles.__getitem__)
            else:
                self._back[part] = unpack(came)
            # What can be changed inside travels every time. Boards can, too; but the shadow's are none of the game's.
            if part in boards or (type(value) is tuple and PLAIN.issuperset(map(type, value))):
                self._sent[part] = value


def _parts(state: State) -> Iterator[tuple[Part, Any]]:
    """Everything in the state that is more than a number or a word."""
    for name, value in vars(state).items():
        if type(value) not in PLAIN and name not in ("seats", "slices"):
            yield ("state", name), tuple(value) if name in ("agenda", "decision") else value
    for number, seat in enumerate(state.seats):
        yield from _of(seat, f"seat {number}")
    for key, kept in state.slices.items():
        yield from _of(kept, key)


def _of(owner: Any, key: str) -> Iterator[tuple[Part, Any]]:
    for name in type(owner).__slots__:
        value = getattr(owner, name)
        if type(value) not in PLAIN:
            yield (key, name), value


def _like(owner: Any, key: str, back: dict[Part, Any]) -> Any:
    """A seat or a slice with the parts that came back."""
    twin = object.__new__(type(owner))
    for name in type(owner).__slots__:
        value = getattr(owner, name)
        setattr(twin, name, value if type(value) in PLAIN else back[key, name])
    return twin
