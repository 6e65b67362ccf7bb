"""Two states compared as values: everything that their bytes hold, without writing the bytes.

The bytes are a function of these values, so equal values have equal bytes; comparing costs a small part of encoding.
What belongs to the values is read from a state's own bytes, never listed here: a new field cannot be forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

from alhambra import Game
from alhambra.codec import pack_state
from alhambra.state import State


class Values:
    """What the bytes of a ruleset's states hold, as one comparable value per state."""

    def __init__(self, game: Game) -> None:
        document = pack_state(game.state)
        self._plain = attrgetter(*(name for name in vars(game.state) if name not in ("seats", "module_states")))
        self._seat = attrgetter(*(name for name in document["seats"][0] if name != "board"))
        self._slices = {key: _getter(names) for key, names in document["slices"].items() if names}

    def of(self, state: State) -> Any:
        """Everything in the state, by reference: compare it before anybody moves on."""
        seats = [(self._seat(seat), list(seat.board.placed.values()), seat.board.passages) for seat in state.seats]
        return self._plain(state), seats, [(key, get(state.module_states[key])) for key, get in self._slices.items()]

    def differences(self, one: State, other: State) -> str:
        """Where two states differ, for people."""
        found = _differences("", pack_state(one), pack_state(other))
        return "; ".join(f"{place[1:]}: {mine} / {others}" for place, mine, others in found)


def _getter(names: Any) -> Any:
    return attrgetter(*names)


def _differences(place: str, mine: Any, others: Any) -> Iterator[tuple[str, str, str]]:
    """The innermost members in which two documents differ, each with its path."""
    if isinstance(mine, dict) and isinstance(others, dict):
        for name in {**mine, **others}:
            yield from _differences(f"{place}.{name}", mine.get(name), others.get(name))
    elif mine != others:
        yield place, json.dumps(mine, default=str), json.dumps(others, default=str)
