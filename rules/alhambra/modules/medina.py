"""26 Medina.

Nine medinas are mixed into the tower, and are bought and placed like buildings. In every scoring, last of all, whoever
has built the fewest loses points: 3; then 6, and 3 for the second fewest; then 9, 6 and 3. Of those with equally many,
the one whose most expensive medina is cheaper is worse off. Players without any medina share what falls on them,
rounded up, and each of them loses 1, 2 or 3 points on top. Medinas in the reserve do not count. Dirk's medinas count
as built.
"""

from __future__ import annotations

from ..base.scoring import score, tiles_of
from ..base.supply import TowerPlan
from ..components import module_data, plain_tile
from ..declarations import outline_of
from ..game import Game
from ..module import EveryEffect, Module, Step, TileKind

KEY = "medina"
FOR_BUILDINGS_ONLY = ("watchtower", "scout", "key")
MEDINA = TileKind(
    KEY,
    effects=EveryEffect(but=FOR_BUILDINGS_ONLY),
    outline=outline_of(KEY),
)
TILES = tuple(plain_tile(data, MEDINA.name) for data in module_data(KEY)["tiles"])
PENALTIES = {int(number): tuple(points) for number, points in module_data(KEY)["penalties"].items()}
"""By scoring: what the players with the fewest medinas lose, the worst first."""
EXTRA_IF_NONE = {int(number): int(points) for number, points in module_data(KEY)["extra_if_none"].items()}


def mix_in(plan: TowerPlan) -> None:
    """The medinas come out of the tower among the buildings."""
    plan.add(tile.id for tile in TILES)


def prices_built(game: Game, seat: int) -> tuple[int, ...]:
    """Return the prices of the finished medinas of a seat, highest first."""
    known = game.ruleset.tiles
    own = [known[tile] for tile in tiles_of(game, seat) if tile not in game.state.covered]
    return tuple(sorted((tile.price or 0 for tile in own if tile.kind == MEDINA.name), reverse=True))


def ceil_div(dividend: int, divisor: int) -> int:
    """Return the quotient, rounded up."""
    return -(-dividend // divisor)


def score_medinas(game: Game, number: int) -> None:
    """Whoever has the fewest medinas loses most. Only players without any can be tied, for all prices differ."""
    count = len(game.state.seats)
    built = {seat: prices_built(game, seat) for seat in range(count + (count == 2))}
    place, penalties = 0, PENALTIES[number]
    for prices in sorted(set(built.values()), key=lambda prices: (len(prices), prices)):
        tied = [seat for seat, own in built.items() if own == prices]
        due = ceil_div(sum(penalties[place : place + len(tied)]), len(tied))
        for seat in tied:
            facts = {"count": len(prices), "place": place + 1, "shared": len(tied)}
            if due:
                score(game, seat, -due, "medina_fewest", scoring=number, **facts)
            if not prices:
                score(game, seat, -EXTRA_IF_NONE[number], "medina_none", scoring=number)
        place += len(tied)


MODULE = Module(
    number=26,
    key=KEY,
    scores={
        "medina_fewest": "Points lost for having fewer medinas than others.",
        "medina_none": "Points lost for having no medina at all.",
    },
    tiles=TILES,
    kinds=(MEDINA,),
    tower=mix_in,
    steps=(Step("scoring.penalties", score_medinas),),
)
