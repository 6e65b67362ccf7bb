"""Placing pending tiles: in any order, each into the Alhambra, into the reserve or (two players, bought tiles) to Dirk.

Building is never mandatory. Tiles gained out of turn are placed at once, with the same moves. Some kinds of tiles must
be built if possible, and are lost otherwise (`TileKind.lapse`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..module import DecisionKind, Reserve, Verb
from ..moves import Move, need
from ..state import Decision
from ..violations import Violation
from .build import build_of, building_moves, builds, built_by, each_build, lay_tile, verify_build, way_at
from .supply import box_tile
from .turn_order import in_own_turn

if TYPE_CHECKING:
    from ..game import Game


def hold(game: Game, seat: int, tile: str) -> None:
    """Give a seat a pending tile: acquired, or lifted out of the Alhambra. If the seat resigns, it leaves the game."""
    owner = game.state.seats[seat]
    owner.pending = (*owner.pending, tile)


def acquire(game: Game, seat: int, tile: str, how: str, *, giftable: bool = True) -> None:
    """Give a seat a tile, which is pending then. Bought or claimed tiles may still go to Dirk. A tile for a resigned
    seat leaves the game."""
    if game.state.seats[seat].resigned:
        box_tile(game, tile, seat=seat)
        return
    hold(game, seat, tile)
    if giftable:
        game.state.giftable = (*game.state.giftable, tile)
    game.emit("acquired", seat=seat, tile=tile, how=how)
    game.run_hooks(game.ruleset.reactions["acquired"], seat, tile, how)


def place_tiles(game: Game) -> None:
    """Ask until all tiles acquired this turn are placed."""
    seat = game.state.active
    pending = game.state.seats[seat].pending
    if pending and _unsettled(game, seat, pending):
        game.push(place_tiles)
        game.ask("place_tiles", seat, tiles=pending)
    elif pending:
        lapse_tiles(game, seat, pending)


def place_now(game: Game, seat: int, tiles: tuple[str, ...], concerns_others: bool = False) -> None:
    """Ask a seat to place tiles gained out of turn at once, with everything that came with them. In its own turn, other
    pending tiles wait for PLACE. `concerns_others`: other seats could have had the tiles, so undo needs their
    consent."""
    pending = game.state.seats[seat].pending
    left = tuple(tile for tile in tiles if tile in pending) if in_own_turn(game, seat) else pending
    if _unsettled(game, seat, left):
        game.push(place_now, seat, left, concerns_others)
        game.ask("place_now", seat, tiles=left)
    else:
        lapse_tiles(game, seat, left)
        game.push_procedure("placed_now", seat)


def _unsettled(game: Game, seat: int, tiles: tuple[str, ...]) -> bool:
    """Return whether a tile must still be placed. A tile that lapses must, if it fits somewhere."""
    lapses = game.ruleset.lapses
    if not lapses:
        return bool(tiles)
    return any(game.ruleset.tiles[tile].kind not in lapses or fits_somewhere(game, seat, tile) for tile in tiles)


def fits_somewhere(game: Game, seat: int, tile: str) -> bool:
    """Return whether the seat can lay the tile without items or permits. Public information."""
    ways = each_build(game, seat, game.state.seats[seat].board, game.ruleset.tiles[tile])
    return any(not items and choice is None for _cell, _rotation, items, choice in ways)


def lapse_tiles(game: Game, seat: int, tiles: tuple[str, ...]) -> None:
    """Remove tiles that lapse from the game."""
    for tile in tiles:
        game.ruleset.lapses[game.ruleset.tiles[tile].kind](game, seat, tile)


def _now_concerns_others(game: Game, _decision: Decision) -> bool:
    """Return `concerns_others` of the step that asked; it is the next one on the agenda while the decision is open."""
    _, _, _, concerns_others = game.state.agenda[-1]
    return bool(concerns_others)


def tiles_at(game: Game, decision: Decision) -> tuple[str, ...]:
    """Return the tiles that the decision is about."""
    tiles: tuple[str, ...] | None = decision.context.get("tiles")
    return game.state.seats[decision.seat].pending if tiles is None else tiles


def ordinary_tiles(game: Game, decision: Decision) -> tuple[str, ...]:
    """Return the tiles of the decision that may go anywhere: without those that lapse."""
    tiles, lapses = tiles_at(game, decision), game.ruleset.lapses
    return tuple(tile for tile in tiles if game.ruleset.tiles[tile].kind not in lapses) if lapses else tiles


def _verify_tile(game: Game, decision: Decision, move: Move) -> list[Violation]:
    if move.tile in ordinary_tiles(game, decision):
        return []
    if move.tile not in game.ruleset.tiles:
        return [Violation("ID_UNKNOWN", "tile", id=move.tile)]
    if move.tile in tiles_at(game, decision):
        return [Violation("NOT_ELIGIBLE", "tile", tile=move.tile, for_="placing")]
    return [Violation("NOT_THERE", "tile", id=move.tile, place="pending")]


def drop_pending(game: Game, seat: int, tile: str) -> None:
    """Remove a tile from the pending ones."""
    owner = game.state.seats[seat]
    owner.pending = tuple([other for other in owner.pending if other != tile])
    game.state.giftable = tuple([other for other in game.state.giftable if other != tile])


# -- Into the Alhambra ---------------------------------------------------------------------------------------------


def verify_place(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """Return violations: the seat must have the tile, and the construction rules must hold."""
    faults = _verify_tile(game, decision, move)
    if faults:
        return faults
    board = game.state.seats[decision.seat].board
    return verify_build(game, decision.seat, board, game.ruleset.tiles[need(move.tile)], build_of(move))


def place(game: Game, decision: Decision, move: Move) -> None:
    """Build the tile."""
    tile = need(move.tile)
    drop_pending(game, decision.seat, tile)
    lay_tile(game, decision.seat, tile, build_of(move), "place")


def places(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every tile at every legal place."""
    for tile in ordinary_tiles(game, decision):
        yield from building_moves(game, decision.seat, "place", tile)


def sample_place(game: Game, decision: Decision, randbelow: Callable[[int], int]) -> Move | None:
    """Return a random legal placement; None if there is none."""
    board = game.state.seats[decision.seat].board
    tiles = ordinary_tiles(game, decision)
    ways = [(tile, builds(game, decision.seat, board, game.ruleset.tiles[tile])) for tile in tiles]
    count = sum([len(found) for _, found in ways])
    return built_by("place", *way_at(ways, randbelow(count))) if count else None


# -- Into the reserve ----------------------------------------------------------------------------------------------


def verify_reserve(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """Return violations: the seat must have the tile, and the reserve must accept it."""
    return _verify_tile(game, decision, move) or [*game.ruleset.reserve.verify(game, decision.seat, move)]


def reserve(game: Game, decision: Decision, move: Move) -> None:
    """Put the tile into the reserve."""
    drop_pending(game, decision.seat, need(move.tile))
    game.ruleset.reserve.put(game, decision.seat, move)


def reserves(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every tile with every place in the reserve that accepts it."""
    for tile in ordinary_tiles(game, decision):
        yield from game.ruleset.reserve.moves(game, decision.seat, tile)


def _lying_there(game: Game, seat: int) -> tuple[str, ...]:
    return game.state.seats[seat].reserve


def _take(game: Game, seat: int, tile: str) -> None:
    owner = game.state.seats[seat]
    owner.reserve = tuple(other for other in owner.reserve if other != tile)


def _stow(game: Game, seat: int, tile: str) -> None:
    owner = game.state.seats[seat]
    owner.reserve = (*owner.reserve, tile)


def _refuse_slot(_game: Game, _seat: int, move: Move) -> Iterator[Violation]:
    if move.slot is not None:
        yield Violation("NOUN_UNEXPECTED", "slot", noun="slot")


def _put(game: Game, seat: int, move: Move) -> None:
    tile = need(move.tile)
    _stow(game, seat, tile)
    game.emit("reserved", seat=seat, tile=tile)


def _one_way(_game: Game, _seat: int, tile: str) -> Iterator[Move]:
    yield Move("reserve", tile)


RESERVE_BOARD = Reserve(_lying_there, _take, _stow, _refuse_slot, _put, _one_way)
"""The reserve of the base game: a board without limits."""

# -- To Dirk, or nowhere -------------------------------------------------------------------------------------------


def verify_gift(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """Return violations: only with two players, and only a bought or claimed tile."""
    faults = _verify_tile(game, decision, move)
    if not faults and (len(game.state.seats) != 2 or move.tile not in game.state.giftable):
        faults.append(Violation("NOT_ELIGIBLE", "tile", tile=move.tile, **{"for": "dirk"}))
    return faults


def give_to_dirk(game: Game, decision: Decision, move: Move) -> None:
    """Give the tile to Dirk."""
    tile = need(move.tile)
    drop_pending(game, decision.seat, tile)
    game.state.dirk = (*game.state.dirk, tile)
    game.emit("given", seat=decision.seat, tile=tile)
    game.run_hooks(game.ruleset.reactions["given"], tile)


def gifts(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield a gift of every tile that may go to Dirk."""
    if len(game.state.seats) == 2:
        for tile in ordinary_tiles(game, decision):
            if tile in game.state.giftable:
                yield Move("give_to_dirk", tile)


def could_give(game: Game, decision: Decision) -> bool:
    """Return whether a tile may go to Dirk. Public information."""
    return next(gifts(game, decision), None) is not None


def box_pending(game: Game, seat: int, tile: str, /, **facts: object) -> None:
    """Remove a pending tile from the game."""
    drop_pending(game, seat, tile)
    box_tile(game, tile, seat=seat, **facts)


def leave(game: Game, decision: Decision, move: Move) -> None:
    """Remove a leftover tile, which is not built, from the game."""
    box_pending(game, decision.seat, need(move.tile))


def leavings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield a move for every leftover tile."""
    for tile in ordinary_tiles(game, decision):
        yield Move("leave", tile)


PLACING = ("place_tiles", "place_now")
VERBS = (
    Verb(
        "place",
        "tile cell [rotation items choice]",
        verify_place,
        place,
        places,
        at=(*PLACING, "leftover_tiles"),
        sample=sample_place,
    ),
    Verb("reserve", "tile [slot]", verify_reserve, reserve, reserves, at=PLACING),
    Verb("give_to_dirk", "tile", verify_gift, give_to_dirk, gifts, at=PLACING, possible=could_give),
    Verb("leave", "tile", _verify_tile, leave, leavings, at=("leftover_tiles",)),
)
DECISIONS = (
    DecisionKind("place_tiles"),
    DecisionKind("place_now", concerns_others=_now_concerns_others),
    DecisionKind("leftover_tiles"),
)
