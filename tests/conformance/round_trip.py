"""The trip of a state through bytes, as far as it changed since the last one.

A part of a state is immutable or replaced whole. So a part that is the very object of the last trip need not travel
again: what came back then stands for it. The rest travels as in a whole state, through the same functions.
"""

from __future__ import annotations

import json
from typing import Any

from alhambra import Board, Game
from alhambra.codec import pack, pack_board, unpack, unpack_board
from alhambra.module_states import ModuleStates
from alhambra.state import Decision, State

PLAIN = frozenset((str, int, bool, type(None)))
"""Numbers and words are the same on both sides of any trip."""

Parts = dict[str, Any]


class Traveller:
    """The state itself, a seat or a module's slice: what it sent last, and what came back."""

    __slots__ = ("back", "sent")

    def __init__(self) -> None:
        self.sent: Parts = {}
        self.back: Parts = {}


class RoundTrip:
    """Sends the states of one game through bytes, one after the other."""

    def __init__(self, game: Game) -> None:
        self._tiles = game.ruleset.tiles
        self._state = Traveller()
        self._seats = [Traveller() for _ in game.state.seats]
        self._slices = {key: Traveller() for key in game.state.module_states}

    def of(self, game: Game) -> Game:
        """The game as it comes back; it shares nothing that can change with the one that was sent."""
        state = game.state
        own = vars(state).copy()
        own.update(agenda=tuple(state.agenda), decision=state.decision and tuple(state.decision))
        del own["seats"], own["module_states"]  # each of them travels by itself
        seats = [{name: getattr(seat, name) for name in seat.__slots__} for seat in state.seats]
        slices = {
            key: {name: getattr(kept, name) for name in kept.__slots__} for key, kept in state.module_states.items()
        }
        pairs = [(self._state, own), *zip(self._seats, seats, strict=True)]
        pairs += [(self._slices[key], parts) for key, parts in slices.items()]
        self._travel([(who, name, parts[name]) for who, parts in pairs for name in _changed(who, parts)])

        sample = game.clone()
        back = sample.state = State.__new__(State)
        vars(back).update(own, **self._state.back)
        back.agenda = list(back.agenda)
        back.decision = back.decision and Decision(*back.decision)
        back.seats = [_like(seat, parts, who) for seat, parts, who in zip(state.seats, seats, self._seats, strict=True)]
        back.module_states = ModuleStates(
            {key: _like(kept, slices[key], self._slices[key]) for key, kept in state.module_states.items()}
        )
        return sample

    def _travel(self, parts: list[tuple[Traveller, str, Any]]) -> None:
        packed = [pack_board(value) if isinstance(value, Board) else pack(value) for _, _, value in parts]
        for (who, name, value), came in zip(parts, json.loads(json.dumps(packed)), strict=True):
            who.back[name] = unpack_board(came, self._tiles.__getitem__) if isinstance(value, Board) else unpack(came)
            # Boards and dictionaries could be changed inside, against the rule. An earlier state would change with
            # them, and so would the state that is sent: both are compared with the shadow, which has its own.
            who.sent[name] = value


def _changed(who: Traveller, parts: Parts) -> list[str]:
    """What must travel: not what is plain, nor what did."""
    for name in [name for name in who.back if type(parts[name]) in PLAIN]:
        del who.back[name]
        who.sent.pop(name, None)
    sent = who.sent
    return [name for name, value in parts.items() if type(value) not in PLAIN and sent.get(name) is not value]


def _like(owner: Any, parts: Parts, who: Traveller) -> Any:
    """A seat or a slice with the parts that came back."""
    sample = object.__new__(type(owner))
    for name, value in parts.items():
        setattr(sample, name, who.back.get(name, value))
    return sample
