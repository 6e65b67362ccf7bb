"""Cellars: once a game each seat looks at the next three tiles, hides one under a market tile, lays the others back.

The hidden tile is turned up when its space is empty, instead of drawing. At the end the richest seat gets it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from alhambra import Decision, Game, Module, Move, Violation
from alhambra.base.game_end import award_leftover, money_of_seats
from alhambra.base.market import put_on_market, slot_for
from alhambra.base.peek import known_to, lay_on_top, peek, take_out, top_of
from alhambra.base.supply import SLOTS, box_tile
from alhambra.determinize import TILES, Secrets
from alhambra.known_positions import TOWER
from alhambra.module import DecisionKind, Stage, Step, Verb, those_that_verify

LOOKED_AT = 3
ORDERS = ("as_drawn", "reversed")


@dataclass(slots=True)
class Cellars:
    """What lies under the market tiles, and who may still look."""

    hidden: tuple[str, ...] = ("",) * len(SLOTS)
    hiders: tuple[int | None, ...] = (None,) * len(SLOTS)
    used: tuple[int, ...] = ()


def free_places(game: Game) -> list[int]:
    """Spaces with a tile and nothing under it."""
    hidden = game.module_state(Cellars).hidden
    return [place for place, tile in enumerate(game.state.market) if tile and not hidden[place]]


def may_look(game: Game, seat: int) -> bool:
    """Once a game, if there is something to look at and a place to hide it."""
    return seat not in game.module_state(Cellars).used and bool(game.state.tower) and bool(free_places(game))


def verify_look(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Not twice."""
    if not may_look(game, decision.seat):
        yield Violation("USED_UP", "verb", what="cellar", limit=1, per="game")


def look_down(game: Game, decision: Decision, _move: Move) -> None:
    """Only the seat sees the tiles."""
    seat, kept = decision.seat, game.module_state(Cellars)
    kept.used = (*kept.used, seat)
    tiles = peek(game, seat, TOWER, LOOKED_AT)
    game.emit("tiles_looked_at", {seat: {"tiles": tiles}}, seat=seat, count=len(tiles))
    game.push(ask_cellar, seat, len(tiles))


def ask_cellar(game: Game, seat: int, count: int) -> None:
    """Which one is hidden where."""
    game.ask("cellar", seat, count=count)


def looked_at(game: Game, decision: Decision) -> tuple[str, ...]:
    """The tiles that the question is about."""
    return top_of(game, TOWER, decision.context["count"])


def verify_hide(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One of the tiles looked at, under a market tile that hides nothing yet."""
    if move.tile not in looked_at(game, decision):
        yield Violation("NOT_THERE", "tile", id=move.tile, place="looked_at")
    if move.slot not in [SLOTS[place] for place in free_places(game)]:
        yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
    if move.choice not in ORDERS:
        yield Violation("NOUN_MALFORMED", "choice", value=move.choice)


def hide(game: Game, decision: Decision, move: Move) -> None:
    """The others go back on top, in the order drawn or the other way round."""
    assert move.tile is not None
    assert move.slot is not None
    seat, count, place = decision.seat, decision.context["count"], SLOTS.index(move.slot)
    take_out(game, seat, TOWER, move.tile, count)
    rest = top_of(game, TOWER, count - 1)
    lay_on_top(game, seat, TOWER, rest if move.choice == "as_drawn" else rest[::-1])
    _keep(game, place, move.tile, seat)
    game.emit("tile_hidden", {seat: {"tile": move.tile, "choice": move.choice}}, seat=seat, slot=move.slot)


def _keep(game: Game, place: int, tile: str, seat: int | None) -> None:
    kept = game.module_state(Cellars)
    kept.hidden = (*kept.hidden[:place], tile, *kept.hidden[place + 1 :])
    kept.hiders = (*kept.hiders[:place], seat, *kept.hiders[place + 1 :])


def _hidings(game: Game, decision: Decision) -> Iterator[Move]:
    for tile in looked_at(game, decision):
        for slot in SLOTS:
            yield from (Move("hide", tile, slot=slot, choice=order) for order in ORDERS)


def turn_up(game: Game, place: int) -> None:
    """The hidden tile comes to the space above it. That is no draw, so it is offered to nobody."""
    tile = game.module_state(Cellars).hidden[place]
    if tile:
        _keep(game, place, "", None)
        game.mark_revealed()
        game.emit("hidden_tile_turned", tile=tile, slot=slot_for(game, tile, place))
        put_on_market(game, tile, place)


def give_out_hidden(game: Game, place: int) -> None:
    """At the end the richest seat gets the hidden tile, too; with none it leaves the game."""
    tile = game.module_state(Cellars).hidden[place]
    if not tile:
        return
    _keep(game, place, "", None)
    totals = money_of_seats(game, place)
    richest = [seat for seat, total in totals.items() if total == max(totals.values())]
    winner = richest[0] if len(richest) == 1 else None
    award_leftover(game, place, tile, winner, totals)
    if winner is None:
        box_tile(game, tile)


def view(game: Game, viewer: int | None) -> dict[str, Any]:
    """Where something is hidden is public; what it is, and what comes next in the tower, only for those who know."""
    kept = game.module_state(Cellars)
    own = {
        slot: tile
        for slot, tile, seat in zip(SLOTS, kept.hidden, kept.hiders, strict=True)
        if tile and viewer is not None and seat == viewer
    }
    hidden = [slot for slot, tile in zip(SLOTS, kept.hidden, strict=True) if tile]
    return {"hidden": hidden, "own": own, "known": known_to(game, viewer, TOWER)}


def _put_under(game: Game, place: int, tiles: tuple[str, ...]) -> None:
    kept = game.module_state(Cellars)
    _keep(game, place, tiles[0], kept.hiders[place])


def secrets(game: Game, viewer: int | None, pools: Secrets) -> None:
    """Only the hider knows a hidden tile; it could be any of the tower."""
    kept = game.module_state(Cellars)
    for place, tile in enumerate(kept.hidden):
        if tile and (viewer is None or kept.hiders[place] != viewer):
            pools.add(TILES, (tile,), partial(_put_under, game, place))


CELLARS = Module(
    number=931,
    key="example_cellars",
    state=Cellars,
    verbs=(
        Verb(
            "look_down",
            "",
            verify_look,
            look_down,
            those_that_verify(verify_look, lambda _game, _decision: [Move("look_down")]),
            at=("late",),
        ),
        Verb("hide", "tile slot choice", verify_hide, hide, those_that_verify(verify_hide, _hidings), at=("cellar",)),
    ),
    decisions=(DecisionKind("cellar", private=lambda game, decision: {"tiles": list(looked_at(game, decision))}),),
    asks={"late": may_look},
    agenda={"ask_cellar": ask_cellar},
    stages=(Stage("leftover.cellar", before="leftover.award"),),
    steps=(Step("space.source", turn_up), Step("leftover.cellar", give_out_hidden)),
    view=view,
    secrets=secrets,
    census=lambda game: [tile for tile in game.module_state(Cellars).hidden if tile],
)
