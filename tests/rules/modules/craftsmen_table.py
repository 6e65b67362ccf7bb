"""A table with travelling craftsmen: what the tests of the module begin with."""

from __future__ import annotations

from typing import Any

from alhambra import Game
from alhambra.modules.travelling_craftsmen import Craftsmen
from tests.rules.situations import display, market, table

FULL = {"gulden": "garden-10", "dirham": "seraglio-9", "denar": "arcades-9", "dukat": "chambers-10"}
"""A market with nothing to refill."""
OPEN = "dukat-1 dukat-2 dukat-3 dukat-4"


def workshop(open_ones: str, *modules: str, seats: int = 3, hidden: str = "brickmaker", **options: Any) -> Game:
    """It is the turn of seat 0, before which these two craftsmen lie open and one face down that everybody knows; the
    others have whatever is left."""
    game = table(seats, modules=["travelling_craftsmen", *modules], **options)
    market(game, **FULL)
    display(game, OPEN)
    arrange(game, open_ones, hidden)
    return game


def arrange(game: Game, open_ones: str, hidden: str = "brickmaker", *, secret: bool = False) -> None:
    """The craftsmen lie like this, and none was used in this turn."""
    kept = game.module_state(Craftsmen)
    in_play = [*(piece for own in kept.shown for piece in own), kept.hidden, *kept.undealt, *kept.gone]
    first = (*open_ones.split(), hidden)
    rest = sorted(piece for piece in in_play if piece not in first)
    others = len(game.state.seats) - 1
    assert len(rest) == len(in_play) - len(first), "one of them is not in play"
    kept.shown = (
        tuple(sorted(first[:-1])),
        *(tuple(rest[2 * number : 2 * number + 2]) for number in range(others)),
    )
    kept.hidden, kept.holder, kept.secret = hidden, 0, secret
    kept.undealt, kept.gone, kept.bought = tuple(rest[2 * others :]), (), ()
    game.state.used = ()


def lay_before(game: Game, seat: int, craftsman: str) -> None:
    """The craftsman lies open before that seat, in exchange for one that did."""
    kept = game.module_state(Craftsmen)
    own = kept.shown[seat][0]
    swap = {craftsman: own, own: craftsman}
    kept.shown = tuple(tuple(sorted(swap.get(piece, piece) for piece in pieces)) for pieces in kept.shown)
    kept.undealt = tuple(swap.get(piece, piece) for piece in kept.undealt)
    kept.hidden = swap.get(kept.hidden, kept.hidden)


def shown(game: Game, seat: int) -> tuple[str, ...]:
    """The craftsmen that lie open before a seat."""
    return game.module_state(Craftsmen).shown[seat]


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat
