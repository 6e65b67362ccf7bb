"""The state of a game, as plain data.

`clone` copies a state in a few microseconds. Copies share their values, because every field holds a value that is
replaced and never changed in place: boards, dictionaries and the fields of module states included.

The agenda is a stack of steps that are still to run, each a name with arguments. A game is over, or it waits for
exactly one decision.

Insertion order of dictionaries is not part of the state. Between moves all dictionaries are sorted by key
(`sort_mappings`), as they are when read from bytes. So a running game and a restored one list pieces and moves in the
same order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from itertools import compress, count, repeat
from operator import is_, is_not, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from .board import Board
from .components import Tile
from .module_states import ModuleStates

if TYPE_CHECKING:
    from .base.auction import Auction

AgendaItem = tuple[Any, ...]
"""One item of the agenda: the name of a step, then plain arguments."""

Sorted = tuple[object, ...]
"""The dictionaries sorted last: of the state, in the order of MAPPINGS, then of module states."""


class Decision(NamedTuple):
    """A decision that one seat has to make. The context is public; private information is derived from the state."""

    kind: str
    seat: int
    context: dict[str, Any]


class Seat:
    """The belongings of one player. `unseen` lists the cards in hand that no other player has seen; `unseen_kinds`
    lists the kinds of those that are known by kind, because they were dealt as such."""

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
        """Return a copy that shares all values."""
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
    """Everything that determines the rest of a game."""

    def __init__(self, seats: list[Seat]) -> None:
        self.seats = seats
        self.depth = 0
        """Number of moves in effect: made and not undone."""
        self.reveal_floor = 0
        """Undo cannot go below this depth, because something was revealed."""
        self.other_floor = 0
        """Undo cannot go below this depth without consent, because another seat decided or was affected."""

        # Flow
        self.agenda: list[AgendaItem] = []
        self.decision: Decision | None = None
        self.phase = "SETUP"
        self.phase_told = "SETUP"
        """The phase announced last. A phase is announced with its first decision."""
        self.over = False
        self.ranking: tuple[tuple[int, int], ...] = ()
        """At the end: (seat, place) pairs, best first."""
        self.draws: dict[str, int] = {}
        """Number of random streams used, by label."""

        # Turn
        self.turn = 0
        self.active = 0
        self.first = 0
        self.actions = 0
        """Actions left in this turn."""
        self.taken: tuple[str, ...] = ()
        """Verbs of the actions taken this turn."""
        self.used: tuple[str, ...] = ()
        """Abilities and helpers used up until the end of the turn."""
        self.rank = 0
        """At the start of the turn: verbs with a lower rank are closed."""
        self.giftable: tuple[str, ...] = ()
        """Tiles in a seat's hand that it may still give to Dirk."""
        self.passes = 0
        """Consecutive turns whose only action was a pass."""

        # Table
        self.market: tuple[str, ...] = ("", "", "", "")
        self.beside: dict[str, tuple[str, ...]] = {}
        """Tiles beside the market, by slot: tiles of kinds that never lie on a market space."""
        self.display: tuple[str, ...] = ()
        self.deck: tuple[str, ...] = ()
        """The top card is last."""
        self.piles: tuple[int, ...] = ()
        """Remaining sizes of the piles that form the deck, top pile last."""
        self.discard: tuple[str, ...] = ()
        self.tower: tuple[str, ...] = ()
        """The next tile is last."""
        self.sunk = 0
        """Number of tiles at the bottom of the tower that were put there in public."""
        self.known_positions: dict[str, tuple[tuple[int, ...], ...]] = {}
        """Positions whose card or tile a seat knows, by supply (tower, deck) and seat; counted from the bottom."""
        self.aside: tuple[str, ...] = ()
        """Tiles set aside while seats decide about them."""
        self.box: tuple[str, ...] = ()
        """Cards and tiles that left the game."""
        self.due: tuple[int, ...] = ()
        """Scorings whose card was turned up but that have not been held yet."""
        self.held: tuple[int, ...] = ()
        self.auction: Auction | None = None
        """The running auction; None if there is none."""
        self.dirk: tuple[str, ...] = ()
        self.dirk_score = 0

        # On tiles, wherever they lie
        self.wooden_walls: dict[str, tuple[int, ...]] = {}
        """Wooden walls by tile: a bit mask of sides for each cell, at rotation 0."""
        self.types: dict[str, str] = {}
        """Building types that differ from the printed ones, by tile."""
        self.covered: tuple[str, ...] = ()
        """Tiles covered by something. They have no type and are not for sale."""

        self.module_states = ModuleStates()
        """State of each module, by key."""

    def clone(self) -> State:
        """Return an independent copy."""
        copy = State.__new__(State)
        copy.__dict__ = self.__dict__.copy()
        copy.seats = [seat.clone() for seat in self.seats]
        copy.agenda = self.agenda[:]
        own = self.module_states.own
        if own or own.shared:  # without modules both share the empty one
            copy.module_states = self.module_states.clone()
        return copy


MAPPINGS = tuple(name for name, value in vars(State([])).items() if type(value) is dict)
"""Fields of State that hold dictionaries."""
_own_mappings = itemgetter(*MAPPINGS)


class MappingFields(NamedTuple):
    """The fields of module states that hold dictionaries: the key of each one's module, and its name."""

    owners: tuple[str, ...]
    names: tuple[str, ...]


def mapping_fields(state_types: Iterable[tuple[str, type]]) -> MappingFields:
    """Return the fields that hold dictionaries, judging by their annotations, of these module states with their
    keys."""
    found = [
        (key, field.name)
        for key, state_type in state_types
        for field in fields(state_type)
        if "dict[" in str(field.type) or "Mapping[" in str(field.type)
    ]
    return MappingFields(tuple([key for key, _ in found]), tuple([name for _, name in found]))


def sort_mappings(state: State, of_modules: MappingFields, known: Sorted) -> Sorted:
    """Sort the dictionaries of a state and of these module fields, and return them. A dictionary that is the same
    object as in `known`, the result of an earlier call or (), is not looked at."""
    # Without a loop in Python, because this runs after every move and there are 40 dictionaries with all modules.
    found: Sorted = _own_mappings(vars(state))
    if of_modules.owners:
        states = state.module_states.to_read()
        found += tuple(map(getattr, map(states.__getitem__, of_modules.owners), of_modules.names))
    if known and all(map(is_, found, known)):
        return known
    ordered = list(found)
    for place in compress(count(), map(is_not, found, known or repeat(None))):
        ordered[place] = _sorted(found[place])
        if place < len(MAPPINGS):
            setattr(state, MAPPINGS[place], ordered[place])
        else:
            of_module = place - len(MAPPINGS)
            kept = state.module_states[of_modules.owners[of_module]]
            setattr(kept, of_modules.names[of_module], ordered[place])
    return tuple(ordered)


def _sorted(value: Any) -> Any:
    """Return the value itself if its dictionaries are sorted, otherwise a sorted copy."""
    if type(value) is dict:
        keys = sorted(value)
        return value if keys == [*value] else {key: value[key] for key in keys}
    if type(value) is tuple:
        entries = tuple(map(_sorted, value))
        return value if all(map(is_, entries, value)) else entries
    return value
