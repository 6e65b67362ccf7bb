"""The types that hooks are made of: verbs, decisions, steps, reactions, values, permits, licences, the reserve.

`module.py` lists the hooks themselves; read it first. Functions take the `Game` first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypedDict

from .components import Cell, Tile
from .declarations import StandingOrder, context_names
from .state import Decision
from .violations import Violation

if TYPE_CHECKING:
    from .base.payment.offers import Offer, Payment
    from .board import Board
    from .game import Game
    from .moves import Move
    from .placement.contacts import PlacedTile


@dataclass(frozen=True, slots=True)
class EveryEffect:
    """Every effect that a game has, those of other packages' modules included, apart from some."""

    but: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TileKind:
    """A class of tiles: what buying one from a market space allows, and whether its parts count as buildings."""

    name: str
    effects: tuple[str, ...] | EveryEffect = ()
    """What buying such a tile allows: effects of the printed purchase table or of its own module (`effects.py`)."""
    typed: bool = False
    """Whether its parts count as buildings of their types."""
    outline: str = ""
    """What is drawn on such a tile if it is no building: an SVG path in a square of 48 by 48."""
    paved: bool = False
    """Whether the symbol of its type is drawn in a paved circle, because it is no building of that type."""
    side_slot: Callable[[int], str] | None = None
    """The slot beside the market where such a tile goes when it comes to a space, by the number of that space. None: it
    lies on the space."""
    anchor: Callable[[Game, int, Board, PlacedTile], Iterable[Violation]] | None = None
    """What is wrong with such a tile, as it lies or would lie on that board of a seat; it may not be on it yet.

    Only the tile and what adjoins it may decide, and a tile built later must never make it worse: so a placement asks
    about the new tile alone, and a redesign about tiles of the kind that adjoin the place."""
    lapse: Callable[[Game, int, str], None] | None = None
    """What becomes of a pending tile of this kind that can be laid nowhere: seat, tile. It must take the tile out of
    `pending` (`placing.drop_pending`).

    A kind with a `lapse` is built or lost, and never reserved, given away or left. A tile of it is pending like any
    other (`placing.acquire` with `giftable=False`); the core's verbs `place`, `reserve`, `give_to_dirk` and `leave` do
    not apply to it, so the module brings a verb that builds it, at `place_tiles` and `place_now`, and lays it with
    `placing.drop_pending` and `building.lay_tile`. The seat is asked while the tile can be laid somewhere; when every
    other tile has its place and it cannot, it lapses."""


class Reactions(TypedDict, total=False):
    """What a module does when something has happened, by what it was."""

    acquired: Callable[[Game, int, str, str], None]
    """A seat got a tile: seat, tile, how."""
    built: Callable[[Game, int, str, str], None]
    """A tile now lies in an Alhambra: seat, tile, how (place, add, swap, move)."""
    unbuilt: Callable[[Game, int, str, str], None]
    """A tile left an Alhambra: seat, tile, how (remove, swap, move)."""
    money_taken: Callable[[Game, int, tuple[str, ...]], None]
    """A seat took money cards from the display: seat, cards."""
    laid: Callable[[Game, str, int], None]
    """A tile was laid on a market space: tile, number of the space."""
    sunk: Callable[[Game, str], None]
    """A tile went back into the tower."""
    boxed: Callable[[Game, str], None]
    """A tile left the game."""
    given: Callable[[Game, str], None]
    """Dirk got a tile."""
    resigned: Callable[[Game, int], None]
    """A seat resigned: take from it what the module has given it and what can be held, spent or used. The engine sees
    to its hand, its pending tiles, its turn, its purchases, and the open question. Called once more when the first turn
    begins, if the seat resigned before: what was dealt to it in between goes, too."""


REACTIONS = tuple(Reactions.__annotations__)
RandBelow: TypeAlias = Callable[[int], int]
"""Returns a random number from 0 to the bound - 1."""
Agenda: TypeAlias = Mapping[str, Callable[..., None]]
"""Functions by the names under which stored games know them."""
Sample: TypeAlias = "Callable[[Game, Decision, RandBelow], Move | None]"
"""Returns a random legal move; None if it finds none."""


class Paying(NamedTuple):
    """What a verb pays for. `moves` of such a verb are the legal payments of each offer, as moves."""

    offers: Callable[[Game, Decision], Iterable[Offer]]
    """Everything that the asked seat could pay for with this verb, whether or not it has the money."""
    move: Callable[[Offer, Payment], Move]
    """The move that takes an offer and pays it like this."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A move in three functions. `nouns` lists what the move names: required ones, then optional ones in brackets."""

    name: str
    nouns: str
    verify: Callable[[Game, Decision, Move], Iterable[Violation]]
    """Every violation of a well-formed move; none if it is legal."""
    apply: Callable[[Game, Decision, Move], None]
    """Makes a legal move: changes the state, emits events, pushes steps."""
    moves: Callable[[Game, Decision], Iterator[Move]]
    """Every legal move, lazily and in a fixed order; payments undominated first."""
    at: tuple[str, ...] = ()
    """The decisions that it answers, beside those whose `DecisionKind.verbs` name it."""
    action: bool = False
    """Whether it takes up an action of the turn when it answers `action`."""
    free: bool = False
    """Whether it is made beside the question that stands open, which is asked again after it. Then `DecisionKind.open`
    and `answered` do not concern it, and its `apply` neither asks nor pushes. It answers like any other verb the
    questions whose kind names it in `verbs`."""
    sole: bool = False
    """Whether it must be the only action of its turn (`base/sole_action.py`)."""
    takes_action: Callable[[Game, Decision, Move], bool] | None = None
    """Whether a legal move takes up an action, where that depends on the move; the verb then spends it by itself."""
    possible: Callable[[Game, Decision], bool] | None = None
    """Whether a move with the verb could be legal now, judging by public information; None: always. A seat is shown
    only such verbs. This decides nothing: `verify` still says why the others are refused."""
    rank: int = 0
    """At `start`, a verb of a higher rank closes those of lower ones."""
    sample: Sample | None = None
    """A random legal move without listing them; only for verbs with very many."""
    brief: Callable[[Game, Decision], Iterator[Move]] | None = None
    """Some of the legal moves, without dominated payments, found with bounded work: there is one if any move is legal.
    Only for verbs that pay."""
    pays: Paying | None = None
    """What is paid for, so that the payments of one thing can be listed in parts; only for verbs that pay."""


def those_that_verify(
    verify: Callable[[Game, Decision, Move], Iterable[Violation]],
    conceivable: Callable[[Game, Decision], Iterable[Move]],
) -> Callable[[Game, Decision], Iterator[Move]]:
    """Return `moves` for a verb with few of them: the conceivable ones that `verify` accepts."""

    def moves(game: Game, decision: Decision) -> Iterator[Move]:
        return (move for move in conceivable(game, decision) if next(iter(verify(game, decision, move)), None) is None)

    return moves


@dataclass(frozen=True, slots=True)
class DecisionKind:
    """A question that can stand open. Passing: refused (None), free, or judged by a function."""

    name: str
    verbs: tuple[str, ...] = ()
    passing: Callable[[Game, Decision], Iterable[Violation]] | None = None
    open: Callable[[Game, Decision, Verb], bool] | None = None
    """Whether one of its verbs answers it now, for questions that not every one of their verbs answers at any time:
    by what the turn has brought so far, or by the decision's own context. None: all of them do."""
    open_by: attrgetter[Any] | None = None
    """The attribute of the game on which `open` depends, beside the verb: then its results are cached by the value.
    None: `open` is called each time."""
    answered: Callable[[Game, Decision, Move], None] | None = None
    """What follows from an answer, whichever verb it uses; so a module learns what a verb of the core did at its
    question. Called right before the verb is applied: steps that it pushes run after everything that the verb pushes.
    A pass is an answer, too."""
    private: Callable[[Game, Decision], dict[str, Any]] | None = None
    """What only the asked seat may see of the question."""
    unsettled: bool = False
    """Whether an Alhambra may break a construction rule while it stands open, because a tile is laid only half."""
    concerns_others: Callable[[Game, Decision], bool] | bool = False
    """Whether an answer concerns other seats: then it is taken back only with their consent. Judged before it."""
    orders: tuple[StandingOrder, ...] = ()
    """The answers that a seat can leave as a standing order. None: the seat is always asked."""
    unanswered: Callable[[Game, Decision], None] | None = None
    """What is done instead of an answer if the asked seat has resigned, or the question was withdrawn because another
    seat did. None: what follows from a pass (`answered`), or nothing if there is no passing."""
    stands: Callable[[Game, Decision], bool] | None = None
    """Whether the open question still makes sense after another seat has resigned; if not, it is withdrawn. None: it
    does, because it is about nothing that a seat takes with it."""
    about: Callable[[Game, Decision], Iterable[str]] = context_names
    """What the question is about, by public facts: tiles, cards, slots. Standing orders can make exceptions of them."""


def freely(_game: Game, _decision: Decision) -> Iterable[Violation]:
    """Allow a pass at any time: for `DecisionKind.passing`."""
    return ()


@dataclass(frozen=True, slots=True)
class Step:
    """A function at a stage of a procedure, `turn.money` for example. It gets what the procedure is about, if
    anything."""

    stage: str
    run: Callable[..., None]
    asking: str = ""
    """The shared decision that the step asks, if it does nothing else: skipped in games where no module lets it be
    asked."""
    name: str = ""
    """Tells several steps of one module at one stage apart. Stored games hold it, as they hold the stage."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage that a module adds to a procedure, right after or right before one of the engine's (`procedures.py`).

    It belongs to the same phase of the turn as that one. Only steps of the same module can stand in it."""

    name: str
    """Procedure and stage, `turn.chests` for example. Stored games hold it."""
    after: str = ""
    """The stage of the engine that it follows. Either `after` or `before` is given."""
    before: str = ""
    """The stage of the engine that it precedes."""
    rank: int = 0
    """Its place among the stages of other modules that stand after, or before, the same one: lower ranks come first,
    equal ones in the order of their modules."""
    score_stage: str = ""
    """How score lines name it (`S3`). Without it, points count at once (`now`)."""
    beyond_boards: bool = False
    """Whether this stage of a scoring is about more than the Alhambras: then boards by themselves score without it."""


class Layer(IntEnum):
    """The order in which a value on its way is modified."""

    SET = 0
    ADD = 1
    SCALE = 2
    FLOOR = 3
    CAP = 4


VALUES = {
    "take_limit": "How much the money cards may be worth that a seat takes together.",
    "majority_count": "How many half buildings of a type count for a seat.",
    "majority_row": "The row of the scoring table that a type is scored by.",
    "money_in_hand": "How much money of a currency a seat has when the last tiles are given out.",
}
"""The values of the engine that modules can change, by name."""
PURPOSES = {
    "rotate": "To lay a tile rotated.",
    "take_money": "To take more money at once.",
    "swap_market": "To swap two spaces of the market.",
}
"""What a helper can allow, by name."""
SHARED = ("action", "start", "late", "window", "after")
"""The decisions of the engine that modules let be asked."""


@dataclass(frozen=True, slots=True)
class Modify:
    """Changes a named value: the function answers with the operand of its layer, or None where it does not apply."""

    value: str
    layer: Layer
    operand: Callable[..., int | None]
    final: bool = False


@dataclass(frozen=True, slots=True)
class Permit:
    """Lets a tile be laid although a rule forbids it, at a price: `choice` names it in the move."""

    choice: str
    lifts: str
    """The code that it lifts. If that code is not raised, using the permit is refused as having no effect."""
    verify: Callable[[Game, int, Tile, Cell, int], Iterable[Violation]]
    apply: Callable[[Game, int, Tile, Cell, int], None]
    """Called right after the tile was laid."""


@dataclass(frozen=True, slots=True)
class Licence:
    """What entitles a seat to something: an item or card named in the move, or nothing at all."""

    items: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    spend: Callable[[Game, int], None] | None = None
    action: bool = False
    """Whether it is the action of the turn that pays for it."""
    gaps: bool = False
    """For a swap of market spaces: whether one of the two may be empty."""
    relocates: bool = False
    """For a redesign: whether a tile may be moved inside the Alhambra instead (`base/relocation.py`)."""


@dataclass(frozen=True, slots=True)
class Reserve:
    """Where unbuilt tiles lie. The base game has a board without limits; one module may replace it."""

    tiles: Callable[[Game, int], tuple[str, ...]]
    """What lies there, in a fixed order."""
    take: Callable[[Game, int, str], None]
    """Takes a tile out, to build it."""
    stow: Callable[[Game, int, str], None]
    """Puts a tile there that left the Alhambra; may ask where."""
    verify: Callable[[Game, int, Move], Iterable[Violation]]
    """Judges the move `reserve` for a tile at hand."""
    put: Callable[[Game, int, Move], None]
    moves: Callable[[Game, int, str], Iterator[Move]]
