"""The contract of a module: what it may add to the game. Read this first.

A module is one file that ends in one frozen definition, `MODULE = Module(...)`; a module of several ideas is a folder
with a file for each, and `__init__.py` ends in the definition. The base game is such a definition, too
(`base/__init__.py`), so everything below has an example there. `ruleset.py` compiles the definitions of a game once:
each hook becomes a tuple of plain functions in the order (`after`, number), empty where no module hooks in.

The kinds of hook, and the law each obeys (all of them tested for every module):

    declare      events, reasons, scores, public_facts …        what occurs is declared, what is declared occurs
                 stages, effects                                names never collide
    contribute   tiles, cards, tower, deck, offers, tenders     ids never collide
    move         verbs, decisions                               listed moves verify, and the other way round
    flow         steps, agenda, asks                            only public facts decide whether a seat is asked
    veto, allow  closes, vetoes, locks, permits, licences …     raised minus lifted decides, order does not
    modify       modify                                         SET < ADD < SCALE < FLOOR < CAP; within a layer, order
                                                                does not matter; two SETs meeting do not compile
    react        reactions                                      bounded in depth and count
    replace      reserve                                        one module per game
    view         view, secrets, public_pieces …                 what is not shown is hidden

A definition that breaks this contract is refused with BadModule when it is registered or loaded (`module_check.py`).

Functions take the `Game` first. They read and change `game.state`, announce what happened with `game.emit`, put
further work on the agenda with `game.push`, and ask with `game.ask`, which must be the last thing a step does.
A module keeps its own data in a module state: a dataclass with slots whose fields are replaced, never changed inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .components import Card, Tile
from .declarations import PASS, PieceKind, Reason, StandingOrder, Vocabulary, chosen, in_turn
from .hook_types import (
    Agenda,
    DecisionKind,
    EveryEffect,
    Layer,
    Licence,
    Modify,
    Paying,
    Permit,
    RandBelow,
    Reactions,
    Reserve,
    Sample,
    Stage,
    Step,
    TileKind,
    Verb,
    freely,
    those_that_verify,
)
from .migrations import Migration
from .state import Decision
from .violations import Violation

if TYPE_CHECKING:
    from .base.payment.offers import Offer, Tender
    from .base.supply import DeckPlan, TowerPlan
    from .determinize import Secrets
    from .game import Game
    from .moves import Move

__all__ = [
    "PASS",
    "Agenda",
    "DecisionKind",
    "EveryEffect",
    "Hooks",
    "Layer",
    "Licence",
    "Migration",
    "Modify",
    "Module",
    "Paying",
    "Permit",
    "PieceKind",
    "RandBelow",
    "Reactions",
    "Reason",
    "Reserve",
    "Sample",
    "Stage",
    "StandingOrder",
    "Step",
    "TileKind",
    "Verb",
    "Vocabulary",
    "chosen",
    "freely",
    "in_turn",
    "those_that_verify",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """What a module can add, and so can a single card of it (`abilities.py`). Every field is optional."""

    # declare: words with their meanings (`declarations.py`). Words of the base game need not be declared again.
    events: Mapping[str, str] = field(default_factory=dict)
    """By kind of event that the module emits: what happened."""
    reasons: tuple[Reason, ...] = ()
    """Why the module refuses moves."""
    scores: Mapping[str, str] = field(default_factory=dict)
    """By reason of a score line: what the points are for."""
    nouns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By noun (slot, piece, choice, items): the words that the module adds to it, for moves, events and pieces."""
    stages: tuple[Stage, ...] = ()
    """Stages that the module adds to procedures, next to those of the engine (`procedures.py`)."""
    effects: Mapping[str, str] = field(default_factory=dict)
    """By effect of a purchase that belongs to this module: what it allows (`effects.py`)."""

    # contribute
    tenders: Callable[[Game, int, Offer], Iterator[Tender]] | None = None
    """What a seat may pay an offer with, or use to lower its price."""
    items: Mapping[str, Callable[[Game, int, str, str, int | None], None]] = field(default_factory=dict)
    """By kind of item in a payment (`coin` of `coin-denar`): what becomes of it. Arguments: the owner's seat, the item,
    the stage (laid_down, then spent or given_back), and the payee if a seat is paid."""

    # move, flow
    verbs: tuple[Verb, ...] = ()
    """The kinds of moves that it adds."""
    decisions: tuple[DecisionKind, ...] = ()
    """The kinds of questions that it asks."""
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By decision: verbs of the base game that this module lets answer it."""
    steps: tuple[Step, ...] = ()
    """What the module does at stages of procedures: the engine's stages, or its own."""
    agenda: Agenda = field(default_factory=dict)
    """By name: functions that `game.push` may put on the agenda. Stored games hold these names; a function may be
    renamed, a name only with a migration."""
    asks: Mapping[str, Callable[[Game, int], bool]] = field(default_factory=dict)
    """By shared decision (action, start, late, window, after): whether public facts let the seat be asked."""

    # allow, modify, react
    licences: Callable[[Game, Decision], Iterator[Licence]] | None = None
    """What entitles the asked seat to redesign its Alhambra when it answers this decision."""
    helpers: Mapping[str, Callable[[Game, int], Iterator[Licence]]] = field(default_factory=dict)
    """By purpose (rotate, take_money, swap_market): items that a seat may name in a move to be allowed more."""
    modify: tuple[Modify, ...] = ()
    """Changes of values of the engine, `take_limit` for example."""
    reactions: Reactions = field(default_factory=Reactions)
    """By what has happened (acquired, built, unbuilt, boxed …): what the module does then."""


@dataclass(frozen=True, slots=True)
class Module(Hooks):
    """Everything one module adds. Every field but number and key is optional."""

    number: int
    """Its number in the rulebooks, or above 100 for a module of another package. Modules run by their numbers."""
    key: str
    """Its name in options, stored games and texts: letters, digits, `_` and `-`."""
    migrations: tuple[Migration, ...] = ()
    """How stored games come from each version to the next; the first entry leads from version 1 to version 2. Add one
    with every change of the module's rules or of what it stores."""
    after: tuple[str, ...] = ()
    """Modules whose hooks run before this one's."""
    variants: tuple[str, ...] = ()
    """Ways to play the module that options can choose, as `key.variant`."""
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By language, by key: texts for people (`texts/`). Only for modules of other packages; those of this library stand
    in `data/texts/`. A language that is missing falls back to English."""

    # declare
    scores_before_seats: tuple[str, ...] = ()
    """Reasons of score lines that are about what lies before a seat, not about its Alhambra. A seat that resigned gets
    no such points."""
    public_facts: Mapping[str, str] = field(default_factory=dict)
    """By name in `view`: what it says."""
    piece_kinds: tuple[PieceKind, ...] = ()
    """The kinds of pieces in `public_pieces` and `private_pieces`."""
    details: tuple[str, ...] = ()
    """Kinds of its events that are bookkeeping; all others are what a person at the table would say aloud."""

    # contribute
    state: type | None = None
    """The type of its module state: a dataclass with slots whose fields all have defaults."""
    tiles: tuple[Tile, ...] = ()
    """Its tiles, each of one of its own kinds or of a kind of the base game."""
    kinds: tuple[TileKind, ...] = ()
    """The kinds of tiles that it adds."""
    cards: tuple[Card, ...] = ()
    """The kinds of cards that it adds to the money deck, one entry for all copies."""
    tower: Callable[[TowerPlan], None] | None = None
    """Adds to or replaces the tiles of the tower."""
    deck: Callable[[DeckPlan], None] | None = None
    """Adds cards to the money deck: before dealing, into piles, into hands."""
    routes: Mapping[str, Callable[[Game, str], None]] = field(default_factory=dict)
    """By kind of card: what happens when one is turned up, instead of lying in the display."""
    open_cards: Callable[[Game], Iterable[str]] | None = None
    """Cards that lie open outside the display and may be taken alone."""
    offers: Mapping[str, Callable[[Game, int], Iterable[Offer]]] = field(default_factory=dict)
    """By decision: what a seat may buy."""
    unsold: Mapping[str, Callable[[Game, int, Move], Violation | None]] = field(default_factory=dict)
    """By decision: why the thing that a purchase names lies in its slot and is not for sale; None if that is not the
    case."""
    variations: Callable[[Game, int, Offer], Iterator[Offer]] | None = None
    """Other ways to take an offer: with something on top, at another price."""
    drawn: Callable[[Game, str, int], bool] | None = None
    """A tile was drawn for a market space. True: seats may claim it first, and the module lays it if they do not."""
    undrawn: Callable[[Game], None] | None = None
    """Takes back what was drawn at setup and decides what a scoring counts. Called for Alhambras that are laid out
    without a game (`placement/standalone_boards.py`): no draw belongs to them."""

    # veto, allow, replace
    vetoes: Mapping[str, Callable[[Game, Decision, Move], Iterable[Violation]]] = field(default_factory=dict)
    """By verb: further reasons to refuse a move, depending on its nouns. Moves that are sampled or listed are found
    without them and then checked: to refuse a verb whatever its nouns are, use `closes`."""
    closes: Callable[[Game, Decision, str], Violation | None] | None = None
    """Why a verb cannot answer a decision now, whatever its nouns are; None if it can. Asked once for every verb of the
    decision. Only facts that everybody sees, or that the asked seat knows, may decide it."""
    closes_at: tuple[str, ...] = ()
    """The decisions at which `closes` is asked; without any, at every decision."""
    locks: Callable[[Game, int, str], str | None] | None = None
    """Why a built tile may not be redesigned, in one word; None if it may."""
    permits: tuple[Permit, ...] = ()
    """Ways to lay a tile against a rule, at a price."""
    reserve: Reserve | None = None
    """What takes the place of the reserve board. Only one module of a game may have it."""

    # view
    view: Callable[[Game, int | None], dict[str, Any]] | None = None
    """The facts of its module state that a viewer may see: a seat, or None for a spectator."""
    secrets: Callable[[Game, int | None, Secrets], None] | None = None
    """Hands over what the viewer cannot know, so that it can be dealt anew."""
    public_pieces: Callable[[Game], Iterable[Mapping[str, Any]]] | None = None
    """What everybody sees of its pieces: the kind of each, and the nouns that say where it is; enough to draw them."""
    private_pieces: Callable[[Game, int], Iterable[Mapping[str, Any]]] | None = None
    """What a seat sees of its own pieces that are face down for the others. In the seat's view they replace the public
    pieces of that seat whose choice is `face_down`."""
    census: Callable[[Game], Iterable[str]] | None = None
    """Every piece of the module, wherever it is: the same multiset at all times."""

    @property
    def version(self) -> int:
        """The version of its rules and of what it stores: 1, and one more for each migration."""
        return 1 + len(self.migrations)

    def words(self, noun: str) -> tuple[str, ...]:
        """Return the words that the module adds to a noun (`nouns`)."""
        return self.nouns.get(noun, ())
