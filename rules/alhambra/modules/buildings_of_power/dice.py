"""White dice lower a price once a turn; black dice let the second longest wall score."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.payment.offers import Offer, Tender
from ...base.scoring import score
from ...game import Game
from ...placement.outline import wall_runs
from .powers import DICE, POWERS, Powers

WHITE = DICE["wealth"]
"""The item of a payment, the effect of offers that allow it, and the word in `state.used` once one was used."""
ITEMS = {f"{WHITE}:{tile}": tile for tile, power in POWERS.items() if power == "wealth"}


def tenders(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """Yield one of the seat's white dice, once in a turn."""
    if WHITE in offer.effects and WHITE not in game.state.used:
        dice = game.module_state(Powers).dice
        for item, tile in ITEMS.items():
            if tile in dice and dice[tile][0] == seat:
                yield Tender("items", item, delta=-1, group=WHITE)


def use_die(game: Game, seat: int, item: str, stage: str, _payee: int | None) -> None:
    """The die is turned down by 1; after a 1 it leaves the game."""
    if stage != "spent":
        return
    powers, tile = game.module_state(Powers), ITEMS[item]
    left = powers.dice[tile][1] - 1
    game.state.used = (*game.state.used, WHITE)
    if left:
        powers.dice = {**powers.dice, tile: (seat, left)}
    else:
        powers.dice = {other: die for other, die in powers.dice.items() if other != tile}
        game.state.box = (*game.state.box, WHITE)
    game.emit("die_used", seat=seat, tile=tile, value=left)


def strength(game: Game, seat: int) -> int:
    """Return what the black dice in an Alhambra show together; unfinished buildings and the reserve do not count
    (38.30)."""
    built, covered = game.state.seats[seat].board.placed, game.state.covered
    return sum(
        value
        for tile, (_, value) in game.module_state(Powers).dice.items()
        if POWERS[tile] == "strength" and tile in built and tile not in covered
    )


def score_second_walls(game: Game, number: int) -> None:
    """A point for each segment of the second longest wall, at most as many as the black dice show."""
    for seat, owner in enumerate(game.state.seats):
        most = strength(game, seat)
        runs = wall_runs(owner.board) if most else []
        if len(runs) > 1:
            length = runs[1].length
            score(game, seat, min(length, most), "wall_second", scoring=number, count=length)
