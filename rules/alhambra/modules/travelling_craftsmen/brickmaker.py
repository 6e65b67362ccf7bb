"""The brickmaker: a building that was bought this turn takes the place of one that is built.

The new tile lies exactly where the other one lay, and the construction rules hold. The replaced tile is built elsewhere
at once, or put into the reserve; it is never given to Dirk. Tiles that were not bought, and tiles that are built or
lost, cannot be used. A building that was placed earlier in the same turn can be replaced like any other.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...abilities import Ability
from ...base.build import Build, build_of, in_place_of, lay_tile, lift_tile
from ...base.place_tiles import drop_pending, hold, ordinary_tiles, place_now
from ...base.redesign import standing_at, swap_faults, swaps_of
from ...base.turn_order import in_own_turn
from ...declarations import Reason
from ...game import Game
from ...module import Verb
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .craftsman import Craftsmen, all_of, unusable, usable, use

KIND = "brickmaker"


def note_purchase(game: Game, seat: int, tile: str, how: str) -> None:
    """A tile that is bought in their own turn can be exchanged when it is placed."""
    if how == "buy" and in_own_turn(game, seat):
        kept = game.module_state(Craftsmen)
        kept.bought = (*kept.bought, tile)


def fresh_tiles(game: Game, decision: Decision) -> tuple[str, ...]:
    """Return the tiles still to be placed that were bought this turn."""
    bought = game.module_state(Craftsmen).bought
    return tuple(tile for tile in ordinary_tiles(game, decision) if tile in bought)


def _build(move: Move) -> Build:
    return build_of(move, ())  # the item that the move names serves for something else than turning the tile


def verify_brick(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A tile that was bought this turn, and a built one whose place it can take."""
    tile = need(move.tile)
    cell = need(move.cell)
    faults = [*unusable(game, decision.seat, KIND, move.items)]
    if tile not in game.ruleset.tiles:
        faults.append(Violation("ID_UNKNOWN", "tile", id=tile))
    elif tile not in ordinary_tiles(game, decision):
        faults.append(Violation("NOT_THERE", "tile", id=tile, place="pending"))
    elif tile not in fresh_tiles(game, decision):
        faults.append(Violation("NOT_ELIGIBLE", "tile", tile=tile, for_=KIND))
    old = standing_at(game, decision.seat, cell)
    if old is None:
        faults.append(Violation("NOT_THERE", "cell", id=list(cell), place="alhambra"))
    if faults or old is None:
        yield from faults
    else:
        yield from swap_faults(game, decision.seat, tile, old, _build(move))


def lay_brick(game: Game, decision: Decision, move: Move) -> None:
    """The new tile is laid, then everything is done that follows from lifting the old one, then that one is placed."""
    tile = need(move.tile)
    seat = decision.seat
    old = standing_at(game, seat, need(move.cell))
    assert old is not None
    use(game, seat, move.items[0])
    build = in_place_of(game.state.seats[seat].board, old, game.ruleset.tiles[tile], _build(move))
    drop_pending(game, seat, tile)
    game.push(place_now, seat, (old,))
    hold(game, seat, old)
    lift_tile(game, seat, old, "swap")
    lay_tile(game, seat, tile, build, "swap", event="brick_laid", removed=old)


def could_lay(game: Game, decision: Decision) -> bool:
    """Return whether there is a brickmaker, a tile that was bought, and a tile beside the fountain."""
    built = len(game.state.seats[decision.seat].board.placed) > 1
    return built and bool(usable(game, decision.seat, KIND)) and bool(fresh_tiles(game, decision))


def bricks(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every tile that was bought, at every built place that it fits, with each usable brickmaker."""
    if could_lay(game, decision):
        makers = usable(game, decision.seat, KIND)
        for tile, (cell, rotation, items, choice) in swaps_of(game, decision.seat, fresh_tiles(game, decision)):
            for piece in makers if not items else ():  # who turns a tile would be a second craftsman (31.28)
                yield Move("lay_brick", tile, cell=cell, rotation=rotation, items=(piece,), choice=choice)


BRICKMAKER = Ability(
    events={"brick_laid": "A tile that was just bought was built in place of another, which is placed anew."},
    reasons=(Reason("NOT_ELIGIBLE", "The brickmaker exchanges only what was bought this turn.", (KIND,)),),
    usable=all_of(KIND),
    verbs=(
        Verb(
            "lay_brick",
            "tile cell items [rotation choice]",
            verify_brick,
            lay_brick,
            bricks,
            at=("place_tiles",),
            possible=could_lay,
        ),
    ),
)
