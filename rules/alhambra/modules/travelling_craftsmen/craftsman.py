"""A craftsman: where each of them lies, when one may be used, and what using one means.

Of the craftsmen that lie open before a player one may be used in each own turn, until the end of LATE: not after the
refills, and not when a tile is bought or claimed out of turn. Some kinds have two craftsmen, so every move names the
one that it uses. The module state of the module is kept here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from ...base.turn_order import in_own_turn
from ...components import module_data
from ...game import Game
from ...module import Licence
from ...violations import Violation

DATA = module_data("travelling_craftsmen")
VALUES = DATA["values"]
CRAFTSMEN: dict[str, str] = {tile["id"]: tile["kind"] for tile in DATA["tiles"]}
"""By craftsman: its kind."""
GROUP = "craftsman"
"""Of the craftsmen that could help in one payment only one is used."""


@dataclass(slots=True)
class Craftsmen:
    """Where the craftsmen lie. Exactly one of those in play lies face down."""

    shown: tuple[tuple[str, ...], ...] = ()
    """By seat: those that lie open."""
    hidden: str = ""
    """The one that lies face down."""
    holder: int = 0
    """The seat before which it lies."""
    secret: bool = False
    """Whether only its holder knows which one lies face down: so it is until the first turn ends."""
    undealt: tuple[str, ...] = ()
    """Those that were not dealt."""
    gone: tuple[str, ...] = ()
    """Those that left the game because their owner resigned."""
    bought: tuple[str, ...] = ()
    """The tiles that were bought in this turn."""


def all_of(kind: str) -> tuple[str, ...]:
    """Return the craftsmen of a kind, whether or not they are in play."""
    return tuple(piece for piece, own in CRAFTSMEN.items() if own == kind)


def used_this_turn(game: Game) -> str | None:
    """Return the craftsman that was used this turn; None if none was."""
    return next((word for word in game.state.used if word in CRAFTSMEN), None)


def usable(game: Game, seat: int, kind: str) -> list[str]:
    """Return the open craftsmen of a kind that the seat may use now."""
    if not in_own_turn(game, seat):
        return []
    own = [piece for piece in game.module_state(Craftsmen).shown[seat] if CRAFTSMEN[piece] == kind]
    return own if used_this_turn(game) is None else []


def unusable(game: Game, seat: int, kind: str, items: tuple[str, ...]) -> Iterator[Violation]:
    """Yield why the seat cannot use what a move names as a craftsman of this kind."""
    piece = items[0] if items else ""
    if len(items) != 1 or CRAFTSMEN.get(piece) != kind or piece not in game.module_state(Craftsmen).shown[seat]:
        yield Violation("NOT_THERE", "items", id=piece, place="held")
    elif not usable(game, seat, kind):
        yield Violation("USED_UP", "items", what="craftsman", limit=1, per="turn")


def use(game: Game, seat: int, piece: str) -> None:
    """A craftsman is used, for all to see."""
    game.state.used = (*game.state.used, piece)
    game.emit("craftsman_used", seat=seat, piece=piece)


def entitled_by(game: Game, seat: int, kind: str, *, relocates: bool = False) -> Iterator[Licence]:
    """Yield what each usable craftsman of a kind entitles to, if the move names him."""
    for piece in usable(game, seat, kind):
        yield Licence(items=(piece,), spend=partial(use, piece=piece), relocates=relocates)
