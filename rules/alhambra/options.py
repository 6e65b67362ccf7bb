"""Options of a game: seats, seed, edition, modules and rule options.

An edition is a preset of rule options; single options can be changed on top of it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from .components import COLOURS
from .migrations import too_old
from .moves import shown
from .presets import PRESETS, preset_modules
from .violations import BadOptions

__all__ = [
    "CHOICES",
    "EDITIONS",
    "NAME_LIMIT",
    "PRESETS",
    "SEED_LIMIT",
    "TURN_LIMIT",
    "Options",
    "SeatInfo",
    "is_blank",
    "preset_modules",
]

CHOICES: dict[str, tuple[object, ...]] = {
    "first_player_tiebreak": ("lowest_value_then_youngest", "youngest"),
    "starting_deal_order": ("seat_order", "youngest_first"),
    "scoring_card_placement": ("shuffled", "on_top"),
    "two_player_money": ("one_copy_of_each", "one_currency"),
    "dirk_third_allotment": ("third_rounded_down", "two_tiles"),
    "win_tie": ("shared_victory", "draw"),
    "max_actions": ("none", "five"),
    "bonus_action_optional": (False, True),
    "dirk_can_win": (False, True),
    "confirm_turn": (False, True),
    "undo": ("free_moves", "none", "by_consent"),
}
"""All rule options with their values, default first."""

EDITIONS: dict[str, dict[str, object]] = {
    "de_revised_2019": {},
    "sr_revised": {"win_tie": "draw"},
    "pt": {},
    "hu_2003": {
        "first_player_tiebreak": "youngest",
        "starting_deal_order": "youngest_first",
        "scoring_card_placement": "on_top",
        "dirk_third_allotment": "two_tiles",
        "max_actions": "five",
    },
}

TURN_LIMIT = 1_000
NAME_LIMIT = 40
FILLERS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that look blank."""
SEED_LIMIT = 256
AGE_LIMIT = 150
FEWEST_SEATS, MOST_SEATS = 2, 6


OPTIONS_VERSION = 1
"""Increases with every option that is added, renamed or given other values; OPTION_MIGRATIONS gets an entry each
time."""
OPTION_MIGRATIONS: tuple[Callable[[dict[str, Any]], None], ...] = ()
"""Functions that migrate stored options in place from each version to the next. If one adds an option, it sets the
value under which existing games were played, whatever their edition says today."""


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A player at the table. The age decides only ties for the first player."""

    name: str
    colour: str
    age: int | None = None


@dataclass(frozen=True, init=False)
class Options:
    """Everything that determines a game, apart from its moves."""

    seats: tuple[SeatInfo, ...]
    seed: str
    edition: str
    modules: tuple[str, ...]
    variants: tuple[str, ...]
    turn_limit: int
    rules: Mapping[str, Any]
    """All rule options with their values in this game."""
    _written: ClassVar[Mapping[str, Any] | None] = None
    """The stored document, if an older version wrote it."""

    def __init__(
        self,
        seats: int | Iterable[Mapping[str, Any] | str],
        seed: str,
        *,
        edition: str = "de_revised_2019",
        modules: Iterable[str] = (),
        variants: Iterable[str] = (),
        turn_limit: int = TURN_LIMIT,
        **rules: Any,
    ) -> None:
        wanted: object = edition
        if not isinstance(wanted, str) or wanted not in EDITIONS:
            raise _bad("OPTION_INVALID", f"unknown edition {shown(edition)!r}", option="edition", known=list(EDITIONS))
        chosen = {option: values[0] for option, values in CHOICES.items()} | EDITIONS[edition]
        for option, value in rules.items():
            if option not in CHOICES:
                raise _bad("OPTION_INVALID", f"unknown option {shown(option)!r}", option=option, known=list(CHOICES))
            if not any(value == known and type(value) is type(known) for known in CHOICES[option]):
                raise _bad(
                    "OPTION_INVALID", f"{option} cannot be {shown(value)!r}", option=option, known=CHOICES[option]
                )
            chosen[option] = value
        _check_seed(seed)
        limit: object = turn_limit
        if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= turn_limit <= TURN_LIMIT:
            raise _bad("OPTION_INVALID", f"turn_limit lies between 1 and {TURN_LIMIT}", option="turn_limit")
        set_field = object.__setattr__
        set_field(self, "seats", _seats(seats))
        set_field(self, "seed", seed)
        set_field(self, "edition", edition)
        set_field(self, "modules", _names(modules, "modules"))
        set_field(self, "variants", _names(variants, "variants"))
        set_field(self, "turn_limit", turn_limit)
        set_field(self, "rules", chosen)

    def as_dict(self) -> dict[str, Any]:
        """Return the options as JSON-ready data; `Options.read` reads them."""
        found = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "rules"}
        seats = [{"name": seat.name, "colour": seat.colour, "age": seat.age} for seat in self.seats]
        lists = {"modules": list(self.modules), "variants": list(self.variants)}
        return {**found, **lists, "seats": seats, **self.rules}

    def document(self) -> dict[str, Any]:
        """Return the options for storage, in the form in which they were first written; `Options.restore` reads
        them."""
        if self._written is not None:
            return dict(self._written)
        return self.as_dict() if OPTIONS_VERSION == 1 else {"version": OPTIONS_VERSION, **self.as_dict()}

    @classmethod
    def restore(cls, document: object) -> Options:
        """Return the options of a stored document, migrated if an older version wrote it. Raise BadState with
        ENGINE_TOO_OLD if a newer version wrote it."""
        if not isinstance(document, Mapping):
            raise _bad("OPTION_INVALID", "options need at least seats and seed", option="seats")
        found = dict(document)
        version = found.pop("version", 1)
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            raise _bad("OPTION_INVALID", "the version of options is a number", option="version")
        if version > OPTIONS_VERSION:
            raise too_old("options", version, OPTIONS_VERSION)
        for migrate in OPTION_MIGRATIONS[version - 1 :]:
            migrate(found)
        options = cls.read(found)
        if version != OPTIONS_VERSION:
            object.__setattr__(options, "_written", dict(document))
        return options

    def with_seed(self, seed: str) -> Options:
        """Return the same options with another seed."""
        _check_seed(seed)
        reseeded = copy(self)
        object.__setattr__(reseeded, "seed", seed)
        if self._written is not None:
            object.__setattr__(reseeded, "_written", {**self._written, "seed": seed})
        return reseeded

    @classmethod
    def read(cls, data: object) -> Options:
        """Return options from untrusted JSON data."""
        if not isinstance(data, Mapping) or not {"seats", "seed"} <= set(data):
            raise _bad("OPTION_INVALID", "options need at least seats and seed", option="seats")
        known = {field.name for field in fields(cls)} - {"rules"} | set(CHOICES)
        for name in data:
            if name not in known:
                raise _bad("OPTION_INVALID", f"unknown option {shown(name)!r}", option=shown(name), known=sorted(known))
        return cls(**data)


def is_text(value: str) -> bool:
    """Return whether a string can be encoded as UTF-8; JSON strings may contain lone surrogates."""
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def _bad(code: str, message: str, **metadata: Any) -> BadOptions:
    return BadOptions(code, message, **metadata)


def _check_seed(seed: object) -> None:
    if not isinstance(seed, str) or not 0 < len(seed) <= SEED_LIMIT or not is_text(seed):
        raise _bad("OPTION_INVALID", f"the seed is a text of 1 to {SEED_LIMIT} characters", option="seed")


def _names(names: object, option: str) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise _bad("OPTION_INVALID", f"{option} is a list of names", option=option)
    found = list(names)
    if not all(isinstance(name, str) for name in found) or len(set(found)) != len(found):
        raise _bad("OPTION_INVALID", f"{option} is a list of different names", option=option)
    return tuple(found)


def _seats(seats: object) -> tuple[SeatInfo, ...]:
    if isinstance(seats, int) and not isinstance(seats, bool):
        seats = [{}] * max(0, min(seats, MOST_SEATS + 1))
    if isinstance(seats, str | Mapping) or not isinstance(seats, Iterable):
        raise _bad("SEATS_INVALID", "seats is a number or a list")
    given = list(seats)
    if not FEWEST_SEATS <= len(given) <= MOST_SEATS:
        message = f"the game is for {FEWEST_SEATS} to {MOST_SEATS} players"
        raise _bad("PLAYERS_UNSUPPORTED", message, seats=len(given))
    entries = [{"name": entry} if isinstance(entry, str) else entry for entry in given]
    if not all(isinstance(entry, Mapping) and set(entry) <= {"name", "colour", "age"} for entry in entries):
        raise _bad("SEATS_INVALID", "a seat has name, colour and age")
    taken = [entry.get("colour") for entry in entries]
    free = iter([colour for colour in COLOURS if colour not in taken])
    found = tuple(_seat(n, entry, free) for n, entry in enumerate(entries))
    if len({seat.colour for seat in found}) != len(found):
        raise _bad("SEATS_INVALID", "two seats have the same colour")
    return found


def is_blank(name: str) -> bool:
    """Return whether a name looks blank: empty, or only blanks, fillers and combining marks."""
    return not any(unicodedata.category(letter)[0] in "LNPS" and letter not in FILLERS for letter in name)


def _seat(number: int, entry: Mapping[str, Any], free: Iterable[str]) -> SeatInfo:
    name = entry.get("name") or f"Player {number + 1}"
    colour = entry.get("colour") or next(iter(free))
    age = entry.get("age")
    if not isinstance(name, str) or len(name) > NAME_LIMIT or not name.isprintable():
        raise _bad("SEATS_INVALID", f"a name is a printable text of at most {NAME_LIMIT} characters", seat=number)
    if colour not in COLOURS:
        raise _bad("SEATS_INVALID", f"unknown colour {shown(colour)!r}", seat=number, known=list(COLOURS))
    if age is not None and (not isinstance(age, int) or isinstance(age, bool) or not 0 <= age <= AGE_LIMIT):
        raise _bad("SEATS_INVALID", "an age is a number of years", seat=number)
    return SeatInfo(name, colour, age)
