"""The whole game at one moment, as plain data.

A state is changed in place by whoever owns it, and copied in a few microseconds by `clone`: every field holds an
immutable value, or one that is replaced and never changed inside (boards, dictionaries, the fields of module states).
So a copy shares everything, and what was copied stays as it was.

What comes next stands on the agenda, a stack of small steps: a step's name and its arguments. The game is over, or it
waits for exactly one decision.

The order in which something was put into a dictionary is no part of a state. Between moves the keys of all dictionaries
stand sorted (`sort_mappings`), as they come back from bytes: a game that goes on and one that was stored list their
pieces and moves in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from operator import is_
from typing import TYPE_CHECKING, Any, NamedTuple

from .board import Board
from .components import Tile

if TYPE_CHECKING:
    from .base.auction import Auction

AgendaItem = tuple[Any, ...]
"""One step on the agenda: its name, then plain arguments."""

Sorted = dict[str | tuple[str, str], object]
"""By field of the state, or by module and field of its state: the value that was sorted last."""


class Decision(NamedTuple):
    """A question to one seat. The context is public; what only the seat may know is derived from the state."""

    kind: str
    seat: int
    context: dict[str, Any]


class Seat:
    """What one player has. `unseen` lists those cards of the hand that the others have never seen; `unseen_kinds` are
    the kinds that some of these are known to be of, because cards of that kind were dealt to the hand."""

    __slots__ = ("board", "hand", "pending", "reserve", "resigned", "score", "unseen", "unseen_kinds")

    def __init__(self, start: Tile) -> None:
        self.score = 0
        self.hand: tuple[str, ...] = ()
        self.unseen: tuple[str, ...] = ()
        self.unseen_kinds: tuple[str, ...] = ()
        self.board = Board(start)
        self.reserve: tuple[str, ...] = ()
        self.pending: tuple[str, ...] = ()
        self.resigned = False

    def clone(self) -> Seat:
        """A copy that shares the values."""
        copy = Seat.__new__(Seat)
        copy.score = self.score
        copy.hand = self.hand
        copy.unseen = self.unseen
        copy.unseen_kinds = self.unseen_kinds
        copy.board = self.board
        copy.reserve = self.reserve
        copy.pending = self.pending
        copy.resigned = self.resigned
        return copy


class State:
    """Everything that the rules need to go on with the game."""

    def __init__(self, seats: list[Seat]) -> None:
        self.seats = seats
        self.depth = 0
        """Moves made and not taken back."""
        self.reveal_floor = 0
        """Undo never goes below this depth: something hidden was shown, or chance decided."""
        self.other_floor = 0
        """Nor below this one without consent: another seat was asked, or the answer concerned other seats."""

        # The flow
        self.agenda: list[AgendaItem] = []
        self.decision: Decision | None = None
        self.phase = "SETUP"
        self.phase_told = "SETUP"
        """The phase that was announced last: one is announced when something is asked in it."""
        self.over = False
        self.ranking: tuple[tuple[int, int], ...] = ()
        """At the end: seats with their places, best first."""
        self.draws: dict[str, int] = {}
        """How often each label of chance was used."""

        # The turn
        self.turn = 0
        self.active = 0
        self.first = 0
        self.actions = 0
        """Actions still due."""
        self.taken: tuple[str, ...] = ()
        """Verbs of the actions taken this turn."""
        self.used: tuple[str, ...] = ()
        """What is used up until the turn ends: abilities, helpers."""
        self.rank = 0
        """At the start of the turn: verbs of a lower rank are closed."""
        self.giftable: tuple[str, ...] = ()
        """Tiles in hand of a seat that it may still give to Dirk."""
        self.passes = 0
        """Turns in a row whose only action was to pass."""

        # The table
        self.market: tuple[str, ...] = ("", "", "", "")
        self.beside: dict[str, tuple[str, ...]] = {}
        """By slot: the tiles that lie beside the market because their kind never lies on a space."""
        self.display: tuple[str, ...] = ()
        self.deck: tuple[str, ...] = ()
        """The top card is the last."""
        self.piles: tuple[int, ...] = ()
        """Sizes of the piles that the deck was stacked from, top pile last, as far as they are left."""
        self.discard: tuple[str, ...] = ()
        self.tower: tuple[str, ...] = ()
        """The next tile is the last."""
        self.sunk = 0
        """How many tiles at the bottom of the tower everybody saw being put there."""
        self.pinned: dict[str, tuple[tuple[int, ...], ...]] = {}
        """By supply (tower, deck) and seat: the places, counted from the bottom, whose tile or card the seat knows."""
        self.aside: tuple[str, ...] = ()
        """Tiles that lie nowhere for the moment, because seats are asked about them."""
        self.box: tuple[str, ...] = ()
        """Cards and tiles out of the game."""
        self.due: tuple[int, ...] = ()
        """Scorings whose card was turned up and that have not been held yet."""
        self.held: tuple[int, ...] = ()
        self.auction: Auction | None = None
        """What is under the hammer, and the bids for it."""
        self.dirk: tuple[str, ...] = ()
        self.dirk_score = 0

        # On tiles, wherever these lie
        self.wooden_walls: dict[str, tuple[int, ...]] = {}
        """Wooden walls per tile, a bit mask for each of its cells, as the tile lies at rotation 0."""
        self.types: dict[str, str] = {}
        """Tiles whose building type is not the printed one."""
        self.covered: tuple[str, ...] = ()
        """Tiles that are not finished because something lies on them: they have no type and are not for sale."""

        self.module_states: dict[str, Any] = {}
        """What each module keeps, by its key."""

    def clone(self) -> State:
        """An independent copy."""
        copy = State.__new__(State)
        copy.__dict__ = self.__dict__.copy()
        copy.seats = [seat.clone() for seat in self.seats]
        copy.agenda = self.agenda[:]
        if self.module_states:
            copy.module_states = {key: clone_module_state(kept) for key, kept in self.module_states.items()}
        return copy


def clone_module_state(kept: Any) -> Any:
    """A copy of a module's state: a dataclass with slots whose fields are replaced, never changed inside."""
    copy = object.__new__(type(kept))
    for name in type(kept).__slots__:
        setattr(copy, name, getattr(kept, name))
    return copy


MAPPINGS = tuple(name for name, value in vars(State([])).items() if type(value) is dict and name != "module_states")
"""The fields of a state itself that hold dictionaries."""


def mapping_fields(key: str, state_type: type) -> Iterator[tuple[str, str]]:
    """The fields of a module's state that hold dictionaries, by the words of their types."""
    for field in fields(state_type):
        if "dict[" in str(field.type) or "Mapping[" in str(field.type):
            yield key, field.name


def sort_mappings(state: State, of_modules: Iterable[tuple[str, str]], known: Sorted) -> None:
    """Sorts the dictionaries of a state and of these fields of module states. Most have not changed since the last
    move: a value that is the very object in `known`, which is brought up to date, is not looked at again."""
    own, modules = vars(state), state.module_states
    for name in MAPPINGS:
        if known.get(name) is not own[name]:
            known[name] = own[name] = _sorted(own[name])
    for field in of_modules:
        key, name = field
        value = getattr(modules[key], name)
        if known.get(field) is not value:
            known[field] = ordered = _sorted(value)
            setattr(modules[key], name, ordered)


def _sorted(value: Any) -> Any:
    """The value itself if its dictionaries are sorted, otherwise one that equals it."""
    if type(value) is dict:
        keys = sorted(value)
        return value if keys == [*value] else {key: value[key] for key in keys}
    if type(value) is tuple:
        entries = tuple(map(_sorted, value))
        return value if all(map(is_, entries, value)) else entries
    return value
