"""A character: one definition with everything that it adds, who owns it, and when it may be used.

A character lies open before its owner. Some can be used once a turn, and of these only one in the same turn; some act
at every scoring; some act once and leave the game; the trader acts always. The module state of the module is kept here,
too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ...abilities import Ability
from ...base.supply import discard
from ...components import module_data
from ...game import Game
from ...violations import Violation

DATA = module_data("characters")
VALUES = DATA["values"]
ONE_A_TURN = tuple(data["id"] for data in DATA["cards"] if data["symbol"] == "per_round")
"""The characters of which only one may be used in a turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Character(Ability):
    """One character: its hooks, and what happens as soon as a seat has it."""

    id: str
    gained: Callable[[Game, int], None] | None = None
    """Gets the owner's seat; may ask."""


@dataclass(slots=True)
class Characters:
    """Whose characters they are, those set aside (the top one first), the wise man's type, the beggar's draws."""

    owners: dict[str, int] = field(default_factory=dict)
    aside: tuple[str, ...] = ()
    declared: str = ""
    begging: int = 0
    """How many further cards the beggar may draw this turn, because the last one was no money. In one turn he draws at
    most as many as there were when he began: cards that go to the discard come round again."""


def owns(game: Game, seat: int, piece: str) -> bool:
    """Return whether the character lies before the seat."""
    return game.module_state(Characters).owners.get(piece) == seat


def owner_of(game: Game, piece: str) -> int | None:
    """Return the seat that the character lies before; None if it lies before no seat."""
    return game.module_state(Characters).owners.get(piece)


def lay_open(game: Game, seat: int, piece: str) -> None:
    """The character lies open before its owner."""
    kept = game.module_state(Characters)
    kept.owners = {**kept.owners, piece: seat}
    game.emit("character_gained", seat=seat, piece=piece)


def dismiss(game: Game, piece: str) -> None:
    """A character leaves the game."""
    kept = game.module_state(Characters)
    kept.owners = {other: seat for other, seat in kept.owners.items() if other != piece}
    discard(game, (piece,))


def is_unused(game: Game) -> bool:
    """Return whether none of those characters was used this turn of which only one may be."""
    return not set(ONE_A_TURN) & set(game.state.used)


def is_usable(game: Game, seat: int, piece: str) -> bool:
    """Return whether the seat owns the character, and has used no other one this turn."""
    return owns(game, seat, piece) and is_unused(game)


def unusable(game: Game, seat: int, piece: str) -> Iterator[Violation]:
    """Yield why the seat cannot use this character, of which only one may be used in a turn."""
    if not owns(game, seat, piece):
        yield Violation("NOT_THERE", "verb", id=piece, place="held")
    elif not is_unused(game):
        yield Violation("USED_UP", "verb", what="character", limit=1, per="turn")


def use(game: Game, seat: int, piece: str, **facts: object) -> None:
    """A character is used, for all to see."""
    if piece in ONE_A_TURN and piece not in game.state.used:
        game.state.used = (*game.state.used, piece)
    game.emit("character_used", seat=seat, piece=piece, **facts)


def is_money(game: Game, card: str) -> bool:
    """Return whether a card has a value: gates, thieves and the like have none."""
    return bool(game.ruleset.cards[card].value)
