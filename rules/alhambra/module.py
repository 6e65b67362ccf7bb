"""The contract of a module: what it may add to the game. Read this first.

A module is one file that ends in one frozen definition, `MODULE = Module(...)`; a module of several ideas is a folder
with a file for each, and `__init__.py` ends in the definition. The base game is such a definition too
(`base/__init__.py`), so everything below has an example there. `ruleset.py` compiles the definitions of one game, once:
each hook becomes a tuple of plain functions in the order (`after`, number), empty where nobody hooks in.

The kinds of hook, and the law each obeys (all of them tested for every module):

    declare      events, reasons, scores, facts, shows, texts   what occurs is declared, what is declared occurs
                 stages, effects                               names never collide
    contribute   tiles, cards, tower, deck, offers, tenders     ids never collide
    move         verbs, decisions                               what is enumerated verifies, and the other way round
    flow         steps, agenda, asks                            only public facts decide whether a seat is asked
    veto, allow  closes, vetoes, locks, anchors, permits …      raised minus lifted decides, order does not
    modify       modify                                         SET < ADD < SCALE < FLOOR < CAP; within a layer, order
                                                                does not matter; two SETs meeting do not compile
    react        acquired, built, unbuilt, drawn, laid …        bounded in depth and count
    replace      reserve                                        one module per step
    view         view, secrets, things, own_things, marks …     nothing declared = hidden

A definition that breaks this contract is refused with BadModule when it is registered or loaded (`module_check.py`).

Functions take the `Game` first. They read and change `game.state`, announce what happened with `game.emit`, put
further work on the agenda with `game.push`, and ask with `game.ask`, which must be the last thing a step does.
A module keeps its own data in a module state: a dataclass with slots whose fields are replaced, never changed inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .components import Card, Cell, Tile
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
    from .board import Board
    from .determinize import Secrets
    from .game import Game
    from .moves import Move
    from .placement.contacts import PlacedTile

__all__ = [
    "PASS",
    "Agenda",
    "DecisionKind",
    "EveryEffect",
    "Layer",
    "Licence",
    "Migration",
    "Modify",
    "Module",
    "Paying",
    "Permit",
    "PieceKind",
    "RandBelow",
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


@dataclass(frozen=True, slots=True)
class Module:
    """Everything one module adds. Every field but number and key may be left out."""

    number: int
    """Its number in the rulebooks, or above 100 for a module of another package. Modules run by their numbers."""
    key: str
    """Its name in options, stored games and texts: letters, digits, `_` and `-`."""
    version: int = 1
    """Grows by one with every change of its rules or of what it stores, and `migrations` by one entry."""
    migrations: tuple[Migration, ...] = ()
    """How stored games come from each version to the next; the first entry leads from version 1 to version 2."""
    after: tuple[str, ...] = ()
    """Modules whose hooks run before this one's."""
    variants: tuple[str, ...] = ()
    """Ways to play the module that options can choose, as `key.variant`."""

    # declare: words with their meanings (`declarations.py`). Words of the base game need not be declared again.
    events: Mapping[str, str] = field(default_factory=dict)
    """By kind of event that the module tells: what happened."""
    reasons: tuple[Reason, ...] = ()
    """Why the module refuses moves."""
    scores: Mapping[str, str] = field(default_factory=dict)
    """By reason of a score line: what the points are for."""
    scores_before_seats: tuple[str, ...] = ()
    """Those reasons of score lines that are about what lies before a seat, not on the tiles of its Alhambra. A seat
    that resigned gets no such points."""
    public_facts: Mapping[str, str] = field(default_factory=dict)
    """By name in `view`: what it says."""
    piece_kinds: tuple[PieceKind, ...] = ()
    """The kinds of pieces that `public_pieces` tells."""
    slots: tuple[str, ...] = ()
    """Places that hold tiles or pieces: what may stand in `slot`."""
    choices: tuple[str, ...] = ()
    """Words that may stand in `choice`, of moves and of what `public_pieces` tells."""
    usable: tuple[str, ...] = ()
    """What may stand in `items` of a move."""
    details: tuple[str, ...] = ()
    """Kinds of its events that are bookkeeping; all others are what a person at the table would say aloud."""
    stages: tuple[Stage, ...] = ()
    """Stages that the module adds to procedures, next to those of the engine (`procedures.py`)."""
    effects: Mapping[str, str] = field(default_factory=dict)
    """By effect that a purchase can allow and that belongs to this module: what it brings (`effects.py`)."""
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By language, by key: texts for people (`texts/`). Only for modules outside this library, whose texts stand in
    `data/texts/`; English stands in for a language that is not given."""

    # contribute
    state: type | None = None
    """The type of its module state: a dataclass with slots whose fields all have defaults."""
    tiles: tuple[Tile, ...] = ()
    """Its tiles, each of one of its own kinds or of a kind of the base game."""
    kinds: tuple[TileKind, ...] = ()
    """The kinds of tiles that it brings."""
    cards: tuple[Card, ...] = ()
    """The kinds of cards that it adds to the money deck, one record for all copies."""
    pieces: tuple[str, ...] = ()
    """Ids that may stand in `piece`, of moves and of events."""
    tower: Callable[[TowerPlan], None] | None = None
    """Adds to or replaces the tiles of the tower."""
    deck: Callable[[DeckPlan], None] | None = None
    """Adds cards to the money deck: before dealing, into piles, into hands."""
    routes: Mapping[str, Callable[[Game, str], None]] = field(default_factory=dict)
    """By kind of card: what happens when one is turned up, instead of lying in the display."""
    side_market: Mapping[str, Callable[[int], str]] = field(default_factory=dict)
    """By kind of tile: the slot beside the market where one goes that comes to a space, by the number of that space."""
    open_cards: Callable[[Game], Iterable[str]] | None = None
    """Cards that lie open outside the display and may be taken alone."""
    offers: Mapping[str, Callable[[Game, int], Iterable[Offer]]] = field(default_factory=dict)
    """By decision: what a seat may buy."""
    unsold: Mapping[str, Callable[[Game, int, Move], Violation | None]] = field(default_factory=dict)
    """By decision: why what a purchase of a seat names lies in its slot and is not for sale; None if that is not so."""
    variations: Callable[[Game, int, Offer], Iterator[Offer]] | None = None
    """Other ways to take an offer: with something on top, at another price."""
    tenders: Callable[[Game, int, Offer], Iterator[Tender]] | None = None
    """What a seat may pay an offer with, or use to lower its price."""
    items: Mapping[str, Callable[[Game, int, str, str, int | None], None]] = field(default_factory=dict)
    """By kind of item in a payment (`coin` of `coin-denar`): what becomes of it. Arguments: the owner's seat, the item,
    the stage (laid_down, then spent or given_back), and the payee if a seat is paid."""

    # move, flow
    verbs: tuple[Verb, ...] = ()
    """The kinds of moves that it brings."""
    decisions: tuple[DecisionKind, ...] = ()
    """The questions that it asks."""
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By decision: verbs of the core that this module lets answer it."""
    steps: tuple[Step, ...] = ()
    """What it does at stages of procedures: the engine's stages, or its own."""
    undrawn: Callable[[Game], None] | None = None
    """Takes back what was drawn at setup and decides what a scoring counts. Called for Alhambras that are laid out
    without a game (`placement/standalone_boards.py`): no draw belongs to them."""
    agenda: Agenda = field(default_factory=dict)
    """By name: functions that `game.push` may put on the agenda. Stored games hold these names; a function may be
    renamed, a name only with a migration."""
    asks: Mapping[str, Callable[[Game, int], bool]] = field(default_factory=dict)
    """By shared decision (action, start, late, window, after): whether public facts let the seat be asked."""
    licences: Callable[[Game, Decision], Iterator[Licence]] | None = None
    """What entitles the asked seat to redesign its Alhambra when it answers this decision."""

    # veto, allow, modify, replace
    vetoes: Mapping[str, Callable[[Game, Decision, Move], Iterable[Violation]]] = field(default_factory=dict)
    """By verb: further reasons to refuse a move, found by looking at its nouns. Moves that are drawn or listed are
    found without them and then checked: to refuse a verb whatever its nouns are, use `closes`."""
    closes: Callable[[Game, Decision, str], Violation | None] | None = None
    """Why a verb cannot answer a decision now, whatever its nouns are; None if it can. Asked once for every verb of the
    decision. Only facts that everybody sees, or that the asked seat knows, may decide it."""
    locks: Callable[[Game, int, str], str | None] | None = None
    """Why a built tile may not be redesigned: one word."""
    anchors: Mapping[str, Callable[[Game, int, Board, PlacedTile], Iterable[Violation]]] = field(default_factory=dict)
    """By kind of tile: what is wrong with such a tile, as it lies or would lie on that board; it may not be on it yet.
    Only the tile and what adjoins it may decide, and a tile built later must never make it worse: so a placement asks
    about the new tile alone, and a redesign about tiles of the kind that adjoin the place."""
    permits: tuple[Permit, ...] = ()
    """Ways to lay a tile against a rule, at a price."""
    helpers: Mapping[str, Callable[[Game, int], Iterator[Licence]]] = field(default_factory=dict)
    """By purpose (rotate, take_money, swap_market): items that a seat may name in a move to be allowed more."""
    modify: tuple[Modify, ...] = ()
    """How it changes values of the engine, `take_limit` for example."""
    reserve: Reserve | None = None
    """What takes the place of the reserve board. Only one module of a game may have it."""

    # react
    acquired: Callable[[Game, int, str, str], None] | None = None
    """A seat got a tile: seat, tile, how."""
    built: Callable[[Game, int, str, str], None] | None = None
    """A tile now lies in an Alhambra: seat, tile, how (place, add, swap, move)."""
    unbuilt: Callable[[Game, int, str, str], None] | None = None
    """A tile left an Alhambra: seat, tile, how (remove, swap, move)."""
    money_taken: Callable[[Game, int, tuple[str, ...]], None] | None = None
    """A seat took money cards from the display: seat, cards."""
    drawn: Callable[[Game, str, int], bool] | None = None
    """A tile was drawn for a market space. True: seats may claim it first, and the module lays it if they do not."""
    laid: Callable[[Game, str, int], None] | None = None
    """A tile was laid on a market space."""
    sunk: Callable[[Game, str], None] | None = None
    """A tile went back into the tower."""
    boxed: Callable[[Game, str], None] | None = None
    """A tile left the game."""
    given: Callable[[Game, str], None] | None = None
    """Dirk got a tile."""
    resigned: Callable[[Game, int], None] | None = None
    """A seat has resigned: takes from it what the module has given it and what can be held, spent or used. The engine
    sees to its hand, its pending tiles, its turn, its purchases, and the question that stands open. Called once more
    when the first turn begins, if the seat resigned before: what was dealt to it in between goes, too."""

    # view
    view: Callable[[Game, int | None], dict[str, Any]] | None = None
    """The facts of its module state that a viewer may see: a seat, or None for a spectator."""
    secrets: Callable[[Game, int | None, Secrets], None] | None = None
    """Hands over what the viewer cannot know, so that it can be dealt anew."""
    public_pieces: Callable[[Game], Iterable[Mapping[str, Any]]] | None = None
    """What everybody sees of its pieces, told in the nouns, each with its kind: enough to draw them."""
    private_pieces: Callable[[Game, int], Iterable[Mapping[str, Any]]] | None = None
    """What a seat sees of its own pieces that are face down for the others. In the seat's view they take the place of
    those that `public_pieces` tells before that seat with the choice `face_down`."""
    marks: Callable[[Game, int], Mapping[Cell, str]] | None = None
    """What to draw on the cells of an Alhambra."""
    census: Callable[[Game], Iterable[str]] | None = None
    """Every piece of the module, wherever it is: the same multiset at all times."""
