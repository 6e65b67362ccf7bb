"""Moves as series of small integers.

A move is written as a sequence of actions, one for each thing that it names: the verb first, then its nouns in the
order of `NOUN_ORDER`. Each action means one value of one noun, in every position of every game of a ruleset. A noun
that the move does not have is written as `END`, and so is the end of a list of cards or items. Lists are sorted, so
every legal move has exactly one sequence, and no two moves have the same.

    take_money · display dirham-1 · display dirham-4 · END
    place · tile arcades-8-e · x 1 · y 0 · END (no rotation) …

A cell is two actions, `x` and `y`, so the number of actions grows with the width of the largest Alhambra and not with
its area. An amount is four decimal digits.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..components import CURRENCIES, TYPES
from ..declarations import Vocabulary
from ..moves import CELL_LIMIT, POINTS, Move, noun_form

if TYPE_CHECKING:
    from ..ruleset import Ruleset

__all__ = ["DIGITS", "ENCODING_VERSION", "END", "LISTS", "NOUN_ORDER", "ActionSpace", "Sequence"]

ENCODING_VERSION = 1
"""The version of actions and observations. It changes when one of them gets another meaning or place; a policy trained
under another version, or another ruleset, cannot be used."""
END = 0
"""The action for an absent noun and for the end of a list."""
SCALARS = ("slot", "tile", "piece", "cell", "rotation", "side", "currency", "type", "seat", "amount", "choice")
LISTS = ("items", "display", "cards")
"""The nouns that are lists. They come last, so that what is bought is known before it is paid for; items are first,
because most helpers are items and decide which cards can be paid."""
NOUN_ORDER = (*SCALARS, *LISTS)
DIGITS = 4
"""The number of digits of an amount."""
ROTATIONS = (60, 90, 120, 180, 240, 270, 300)
DIRK_PLACE = 2
"""In a game for two, Dirk is named as seat 2."""

Sequence = tuple[int, ...]
"""A move as actions."""
_Writer = tuple[int, str, dict[Any, int]]
"""How a noun is written: its place in the move, its name, and its actions by value."""


class ActionSpace:
    """The actions of one ruleset: `game.ruleset.table(ActionSpace)`."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.seats = ruleset.seats
        self.reach = reach(ruleset)
        """The greatest distance of a cell from the fountain, in columns or rows."""
        self._nouns = {verb.name: _ordered_nouns(verb.nouns) for verb in ruleset.verbs.values()}
        """By verb: its nouns in the order of their actions."""
        used = {noun for nouns in self._nouns.values() for noun in nouns}
        self.meanings: list[tuple[str, Any]] = [("end", None)]
        """By action: the noun and the value that it means."""
        self._index: dict[str, dict[Any, int]] = {}
        """By noun and value: the action."""
        self._add("verb", sorted(ruleset.verbs))
        for noun, values in _values(ruleset, self.reach):
            if noun in used:
                for part, own in values:
                    self._add(part, own)
        self._writers = {verb: self._writer(verb) for verb in ruleset.verbs}
        """By verb: its action, and how its scalar nouns and its lists are written."""

    def _add(self, noun: str, values: Iterable[Any]) -> None:
        start = len(self.meanings)
        self.meanings += ((noun, value) for value in values)
        self._index[noun] = {value: number for number, (_, value) in enumerate(self.meanings[start:], start)}

    def _writer(self, verb: str) -> tuple[int, list[_Writer], list[tuple[int, dict[Any, int]]]]:
        own = [(Move._fields.index(noun), noun, self._index.get(noun, {})) for noun in self._nouns[verb]]
        scalars = [writer for writer in own if writer[1] not in LISTS]
        lists = [(place, index) for place, noun, index in own if noun in LISTS]
        return self._index["verb"][verb], scalars, lists

    def __len__(self) -> int:
        return len(self.meanings)

    def action(self, noun: str, value: object) -> int:
        """Return the action that means this value of a noun. Raise KeyError if there is none."""
        return self._index[noun][value]

    def describe(self, action: int) -> str:
        """Return an action as text: `slot market-denar`, for example."""
        noun, value = self.meanings[action]
        return noun if value is None else f"{noun} {value}"

    def nouns(self, verb: str) -> tuple[str, ...]:
        """Return the nouns of a verb in the order of their actions."""
        return self._nouns[verb]

    # -- Writing and reading moves --------------------------------------------------------------------------------

    def encode(self, move: Move, seat: int) -> Sequence:
        """Return the actions of a move that this seat makes."""
        verb, scalars, lists = self._writers[move.verb]
        found = self._write_scalars([verb], scalars, move, seat)
        for place, index in lists:
            entries: Any = move[place]
            found += [index[entry] for entry in entries]
            found.append(END)
        return tuple(found)

    def encode_scalars(self, move: Move, seat: int) -> Sequence:
        """Return the actions of a move up to its lists."""
        verb, scalars, _ = self._writers[move.verb]
        return tuple(self._write_scalars([verb], scalars, move, seat))

    def _write_scalars(self, found: list[int], scalars: list[_Writer], move: Move, seat: int) -> list[int]:
        for place, noun, index in scalars:
            value: Any = move[place]
            if value is None:
                found.append(END)
            elif noun == "cell":
                found += (self._index["x"][value[0]], self._index["y"][value[1]])
            elif noun == "amount":
                found += (self._index["digit"][int(digit)] for digit in f"{value:0{DIGITS}}")
            elif noun == "seat":
                found.append(index[relative_seat(value, seat, self.seats)])
            else:
                found.append(index[value])
        return found

    def decode(self, sequence: Iterable[int], seat: int) -> Move:
        """Return the move that a complete sequence of actions of this seat means."""
        actions = iter(sequence)
        verb = self.meanings[next(actions)][1]
        nouns = {noun: value for noun in self._nouns[verb] if (value := self._read(noun, actions, seat)) is not None}
        return Move(verb, **nouns)

    def _read(self, noun: str, actions: Any, seat: int) -> Any:
        first = next(actions)
        if noun in LISTS:
            found = []
            while first != END:
                found.append(self.meanings[first][1])
                first = next(actions)
            return tuple(found)
        if first == END:
            return None
        value = self.meanings[first][1]
        if noun == "cell":
            return value, self.meanings[next(actions)][1]
        if noun == "amount":
            digits = [value, *(self.meanings[next(actions)][1] for _ in range(DIGITS - 1))]
            return int("".join(map(str, digits)))
        return absolute_seat(value, seat, self.seats) if noun == "seat" else value


def reach(ruleset: Ruleset) -> int:
    """Return the greatest distance of a cell from the fountain that a move can name. Every tile of an Alhambra is
    connected to the fountain, so the number of cells of all tiles bounds it; one more for a corner or a half cell
    beyond the last tile."""
    return min(CELL_LIMIT, 1 + sum(len(tile.parts) for tile in ruleset.tiles.values()) - ruleset.seats)


def relative_seat(seat: int, viewer: int, seats: int) -> int:
    """Return how many seats after the viewer a seat is. Dirk keeps his number."""
    return (seat - viewer) % seats if seat < seats else seat


def absolute_seat(place: int, viewer: int, seats: int) -> int:
    """Return the seat that is this many seats after the viewer. Dirk keeps his number."""
    return (place + viewer) % seats if place < seats else place


def _ordered_nouns(nouns: str) -> tuple[str, ...]:
    _, allowed = noun_form(nouns)
    return tuple(noun for noun in NOUN_ORDER if noun in allowed)


def _values(ruleset: Ruleset, farthest: int) -> Iterable[tuple[str, list[tuple[str, list[Any]]]]]:
    """Yield each noun with its kinds of actions, in the order of their numbers."""
    words = ruleset.table(Vocabulary).nouns
    line = list(range(-farthest, farthest + 1))
    cards = sorted(ruleset.cards)
    yield "slot", [("slot", sorted(words["slot"]))]
    yield "tile", [("tile", sorted(ruleset.tiles))]
    yield "piece", [("piece", sorted(ruleset.pieces))]
    yield "cell", [("x", line), ("y", line)]
    yield "rotation", [("rotation", list(ROTATIONS))]
    yield "side", [("side", list(POINTS))]
    yield "currency", [("currency", list(CURRENCIES))]
    yield "type", [("type", list(TYPES))]
    yield "seat", [("seat", list(range(max(ruleset.seats, DIRK_PLACE + 1))))]
    yield "amount", [("digit", list(range(10)))]
    yield "choice", [("choice", sorted(words["choice"]))]
    yield "items", [("items", sorted(words["items"]))]
    yield "display", [("display", cards)]
    yield "cards", [("cards", cards)]
