"""What a module declares about itself beside its rules: the words it uses, each with a meaning.

Service, gateway, command line, pictures and documentation know a module from these declarations alone, so that none of
them names a module. Tests enforce that what is emitted, refused, shown or offered in any game is declared, and that
what is declared occurs in games.

The types of this file stand in `Module` (`reasons`, `piece_kinds`) and in `DecisionKind` (`orders`); events, facts and
the reasons of score lines are declared as plain mappings from a word to its meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from .data_files import read_data
from .moves import Move
from .state import Decision

if TYPE_CHECKING:
    from .events import Event
    from .game import Game
    from .ruleset import Ruleset
    from .violations import Violation

NOUNS = ("slot", "piece", "choice", "items")
"""The nouns that modules add words to."""
CLOSED = ("what", "because", "by", "for", "per", "purchase", "place")
"""Facts of a violation whose values are words of a closed list; every one of them is declared."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason to refuse a move: its code, the words that its closed facts can have, and when it is given."""

    code: str
    meaning: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PieceKind:
    """A kind of piece in `Module.public_pieces`: its name, what it is, and how to draw it."""

    name: str
    meaning: str
    outline: str = ""
    """An SVG path in a square of 48 by 48, filled by the even-odd rule. Without one, a disc with the first letters of
    the name is drawn."""
    holds_tile: bool = False
    """Whether it is a place for a tile rather than a figure: drawn as an empty place where no tile lies on it."""
    carries: str = ""
    """The fact that lists the building types of the figures which stand on this piece."""
    dim: tuple[str, ...] = ()
    """The values of `choice` with which the piece is drawn faintly, because it is used up or asleep."""
    individual: bool = False
    """Whether each piece has a name of its own, given by its `piece`."""
    in_text: bool = False
    """Whether a drawing of an Alhambra in text (`drawing.py`) marks the cell that the piece is on."""


@cache
def _outlines() -> dict[str, str]:
    found: dict[str, str] = read_data("outlines.json")
    return found


def outline_of(kind: str) -> str:
    """Return the outline of a kind of piece or tile of this library, from `data/outlines.json`."""
    return _outlines()[kind]


@dataclass(frozen=True, slots=True)
class StandingOrder:
    """An answer that a seat can leave for a kind of decision. Only public facts may decide whether it is given."""

    answer: str
    meaning: str
    moves: Callable[[Game, Decision], Iterable[Move]]
    """The moves to be tried in order; the first legal one is made. If none is legal, the seat is asked."""


def _pass(_game: Game, _decision: Decision) -> Iterator[Move]:
    yield Move("pass")


PASS = StandingOrder("pass", "Pass.", _pass)


def in_turn(answer: str, meaning: str, verb: str) -> StandingOrder:
    """Return an order that makes every move of one verb, in the order in which they are listed, and then passes."""

    def moves(game: Game, decision: Decision) -> Iterator[Move]:
        offered = game.ruleset.verbs[verb]
        if offered in game.offered_verbs(decision):
            yield from offered.moves(game, decision)
        yield Move("pass")

    return StandingOrder(answer, meaning, moves)


def chosen(word: str, meaning: str) -> StandingOrder:
    """Return an order that answers a `Choice` with one of its words."""
    return StandingOrder(word, meaning, lambda _game, _decision: (Move("choose", choice=word),))


def names_in(value: object) -> Iterator[str]:
    """Yield every text in a value of plain data, at any depth: what a public context names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from names_in(entry)
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from names_in(entry)


def context_names(_game: Game, decision: Decision) -> Iterable[str]:
    """Return what a decision is about unless its kind says otherwise: everything that its public context names."""
    return names_in(decision.context)


class Vocabulary:
    """Every word that the modules of one game declare: `game.ruleset.table(Vocabulary)`.

    Each `undeclared…` method returns the word that no module declares; None if all are declared.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        modules = ruleset.modules
        self.events = {kind: module.key for module in modules for kind in module.events}
        """By kind of event: the module that declares it."""
        self.details = frozenset(kind for module in modules for kind in module.details)
        """The kinds of events that are bookkeeping."""
        self.scores = {word: module.key for module in modules for word in module.scores}
        self.facts = {module.key: frozenset(module.public_facts) for module in modules}
        self.pieces = {module.key: frozenset(kind.name for kind in module.piece_kinds) for module in modules}
        self.nouns = {noun: frozenset(word for module in modules for word in module.words(noun)) for noun in NOUNS}
        """By noun: the words that may stand in it."""
        self.reasons: dict[str, set[str]] = {}
        """By code: the words that its closed facts can have."""
        for module in modules:
            for reason in module.reasons:
                self.reasons.setdefault(reason.code, set()).update(reason.words)

    def undeclared_event(self, event: Event) -> str | None:
        """Return the kind of an event, or the reason of a score line, if it is not declared."""
        if event.kind not in self.events:
            return event.kind
        if event.kind == "scored" and event.public["reason"] not in self.scores:
            return str(event.public["reason"])
        return None

    def undeclared_reason(self, violation: Violation) -> str | None:
        """Return the code of a violation, or a word in one of its closed facts, if it is not declared."""
        words = self.reasons.get(violation.code)
        if words is None:
            return violation.code
        said = [str(violation.metadata[fact]) for fact in CLOSED if violation.metadata.get(fact) is not None]
        return next((f"{violation.code} {word}" for word in said if word not in words), None)

    def undeclared_shown(self, game: Game, viewer: int | None) -> str | None:
        """Return a fact of a module's view, or the kind, slot or choice of one of its pieces, if it is not declared."""
        view = game.view(viewer)
        for key, shown in view["slices"].items():
            for fact in shown:
                if fact not in self.facts[key]:
                    return f"{key} {fact}"
        for key, pieces in view["pieces"].items():
            for piece in pieces:
                if piece["kind"] not in self.pieces[key]:
                    return f"{key} {piece['kind']}"
                for noun in ("slot", "choice"):
                    if piece.get(noun, "") not in self.nouns[noun] | {""}:
                        return f"{key} {piece['kind']} {noun} {piece[noun]}"
        return None

    def undeclared_noun(self, move: Move) -> str | None:
        """Return the slot, the choice or one of the items of a move, if it is not declared."""
        if move.slot is not None and move.slot not in self.nouns["slot"]:
            return f"slot {move.slot}"
        if move.choice is not None and move.choice not in self.nouns["choice"]:
            return f"choice {move.choice}"
        return next((f"item {item}" for item in move.items if item not in self.nouns["items"]), None)
