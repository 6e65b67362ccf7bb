"""Violations and errors: why a move, an option or a text is refused.

A violation has a stable code, the noun it concerns, and facts such as the side, the cell or the card. `verify` returns
all violations at once, in the order of the table below.

    AlhambraError              base class of all deliberate errors
    ├── IllegalMove            the rules refuse the move; `.violations` says why; nothing was changed
    ├── BadOptions             a game cannot be created with these options
    ├── BadNotation            a text is not a valid move or game
    └── BadState               bytes or an export cannot be read or replayed

    RulesDefect                a defect of the rules; no AlhambraError, because callers cannot fix it
    └── BadModule              a module breaks the contract of modules; raised before a game with it exists
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

CODES: dict[str, str] = {
    # form
    "VERB_UNKNOWN": "no such verb in this ruleset",
    "NOUN_MISSING": "the verb needs this noun",
    "NOUN_UNEXPECTED": "the noun does not belong to the verb",
    "NOUN_MALFORMED": "the noun cannot be read",
    "ID_UNKNOWN": "no such component in this ruleset",
    # timing
    "GAME_OVER": "the game is over",
    "NOT_YOUR_DECISION": "another seat is asked",
    "VERB_NOT_OFFERED": "the open decision is not answered by this verb",
    "PASS_REFUSED": "passing is not possible here",
    "SOLE_ACTION": "this must be the only action of the turn",
    "FORCED_ACTION": "another action is forced this turn",
    "USED_UP": "the limit for this turn, purchase or game is used up",
    # pieces
    "NOT_THERE": "the thing is not there",
    "PLACE_TAKEN": "the place is taken",
    "LIMIT_REACHED": "the limit is reached",
    "CONDITION_UNMET": "a condition is not met",
    "TYPE_MISMATCH": "the type does not fit",
    "LOCKED": "the tile may not be moved",
    "NOT_ELIGIBLE": "this kind of tile or piece is not allowed here",
    "COMBINATION_FORBIDDEN": "the two may not be combined",
    "NO_EFFECT": "it would change nothing",
    # money
    "WRONG_CURRENCY": "the currency is not the one demanded",
    "MIX_FORBIDDEN": "these may not be paid together",
    "NOT_ACCEPTED": "it is not accepted for this purchase",
    "UNDERPAID": "the payment is too low",
    "NOT_EXACT": "the price must be paid exactly",
    "SUM_TOO_HIGH": "the cards taken are worth too much",
    "TAKEN_ALONE": "the card is taken alone",
    "CARD_COUNT": "the number of cards is wrong",
    "PATTERN_MISMATCH": "the cards do not match the pattern",
    "VALUE_TOO_HIGH": "the card is worth too much",
    "BID_TOO_LOW": "the bid is too low",
    "BID_NOT_COVERED": "the bid cannot be paid",
    # board
    "EDGE_MISMATCH": "a wall would meet an open side",
    "NO_CONTACT": "the tile touches nothing",
    "NOT_REACHABLE": "not reachable on foot from the fountain",
    "HOLE": "an empty area would be enclosed",
    "CONTACT_FORBIDDEN": "these sides may not touch",
    "CONTACT_REQUIRED": "a required contact is missing",
    "ROTATION_REFUSED": "the tile may not be rotated",
    "FOOTPRINT_MISMATCH": "the tile does not cover exactly that place",
    "WALL_REFUSED": "the wall cannot stand there",
    "GATE_REFUSED": "the gate cannot stand there",
    "STEP_BLOCKED": "the step is blocked",
    # creation
    "PLAYERS_UNSUPPORTED": "this number of players is not supported",
    "MODULE_UNKNOWN": "no such module",
    "MODULES_CLASH": "two modules cannot be combined",
    "OPTION_INVALID": "the option or its value is not known",
    "SEATS_INVALID": "the seats are not valid",
    # stored games
    "UNDO_REFUSED": "the move cannot be taken back",
    "TEXT_MALFORMED": "the text cannot be read",
    "STATE_MALFORMED": "the bytes cannot be read",
    "ENGINE_TOO_OLD": "a newer version has written this",
    "REPLAY_FAILED": "the recorded game does not replay",
}
"""All codes with their meanings, in the order in which violations are reported."""

PLACES = (
    *("hand", "display", "looked_at", "slot", "pending", "reserve", "alhambra", "supply", "held"),
    "table",
)
"""Places in which a piece was not found: the fact `place` of NOT_THERE."""
KEYWORDS = frozenset({"with_", "for_"})
"""Facts whose names are Python keywords."""
_ORDER = {code: place for place, code in enumerate(CODES)}


class Violation:
    """One reason why a move is refused."""

    __slots__ = ("code", "metadata", "module", "noun")

    def __init__(self, code: str, noun: str | None = None, /, **metadata: Any) -> None:
        if code not in CODES:
            raise RulesDefect(f"a rule refuses a move with the unknown code {code!r}")
        if code == "NOT_THERE" and metadata.get("place", PLACES[0]) not in PLACES:
            raise RulesDefect(f"a rule looks for something in the unknown place {metadata['place']!r}")
        self.code = code
        self.noun = noun
        # Facts named like Python keywords have a trailing underscore in calls only.
        if not KEYWORDS.isdisjoint(metadata):
            metadata = {key.rstrip("_"): value for key, value in metadata.items()}
        self.metadata: Mapping[str, Any] = metadata
        self.module: str | None = None
        """The module that refuses the move, if that is known. Texts use it; equal violations can differ in it."""

    def of_module(self, module: str) -> Violation:
        """The violation itself, with the module that refuses the move if none is named yet."""
        if self.module is None:
            self.module = module
        return self

    def as_dict(self) -> dict[str, Any]:
        """Return the violation as JSON-ready data."""
        found: dict[str, Any] = {"code": self.code}
        if self.noun is not None:
            found["noun"] = self.noun
        if self.metadata:
            found["metadata"] = dict(self.metadata)
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Violation) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash((self.code, self.noun))

    def __repr__(self) -> str:
        facts = "".join(f", {key}={value!r}" for key, value in self.metadata.items())
        return f"Violation({self.code!r}, {self.noun!r}{facts})"

    def __str__(self) -> str:
        facts = ", ".join(f"{key} {value}" for key, value in self.metadata.items())
        about = f" ({facts})" if facts else ""
        return f"{self.code}: {CODES[self.code]}{about}"


def in_order(violations: Iterable[Violation]) -> tuple[Violation, ...]:
    """Return the violations in the order of CODES; those with the same code in the order given."""
    return tuple(sorted(violations, key=lambda violation: _ORDER[violation.code]))


class AlhambraError(Exception):
    """An error of this library, with a stable code and a message."""

    def __init__(self, code: str, message: str, /, **metadata: Any) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.metadata: Mapping[str, Any] = metadata

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored_error, (type(self), self.code, self.message, dict(self.metadata))


def _restored_error(kind: type[AlhambraError], code: str, message: str, metadata: dict[str, Any]) -> AlhambraError:
    """Return a pickled error. Exceptions are rebuilt from `args` by default, which has only the sentence."""
    return kind(code, message, **metadata)


class IllegalMove(AlhambraError):
    """A move that the rules refuse. Nothing was changed."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations = in_order(violations)
        first = self.violations[0]
        super().__init__(first.code, "; ".join(str(violation) for violation in self.violations))

    def __iter__(self) -> Iterator[Violation]:
        return iter(self.violations)

    def __reduce__(self) -> tuple[Any, ...]:
        return IllegalMove, (self.violations,)


class BadOptions(AlhambraError):
    """Options with which no game can be created."""


class BadNotation(AlhambraError):
    """A text that is not a valid move or game."""


class BadState(AlhambraError):
    """Bytes or an export that cannot be read or replayed."""


class RulesDefect(RuntimeError):
    """A defect of the rules: a move that does not end, or that leads to no decision. The game is in the middle of a
    move; do not use or store it, but continue from the state before the move."""


class Fault(NamedTuple):
    """A fault in one field of a module's definition."""

    field: str
    wrong: str


class BadModule(RulesDefect):
    """A module that breaks the contract of modules (`module.py`). `.faults` lists everything that its author must
    fix."""

    def __init__(self, module: str, *faults: Fault) -> None:
        super().__init__(module, *faults)
        self.module = module
        self.faults = faults

    @property
    def message(self) -> str:
        """All faults in one sentence."""
        faults = "; ".join(f"{field}: {wrong}" for field, wrong in self.faults)
        return f"the module {self.module!r} is wrong: {faults}"

    def __str__(self) -> str:
        return self.message
