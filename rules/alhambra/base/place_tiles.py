"""Placing pending tiles: in any order, each into the Alhambra, into the reserve, or (two players, bought) to Dirk.

Nobody has to build, even where it is possible. Tiles gained outside the own turn are placed at once, by the same moves.
Some kinds of tiles are built or lost instead (`TileKind.lapse`): they must be laid while there is a place for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..module import DecisionKind, Reserve, Verb
from ..moves import Move
from ..state import Decision
from ..violations import Violation
from .build import Way, build_of, builds, built_by, lay_tile, verify_build
from .supply import box_tile
from .turn_order import in_own_turn

if TYPE_CHECKING:
    from ..game import Game


def hold(game: Game, seat: int, tile: str) -> None:
    """A tile is pending: the seat has it, and it has no place yet. It was acquired, or it was lifted out of the
    Alhambra. If the seat resigns, it leaves the game."""
    owner = game.state.seats[seat]
    owner.pending = (*owner.pending, tile)


def acquire(game: Game, seat: int, tile: str, how: str, *, giftable: bool = True) -> None:
    """A tile comes to a seat and is pending; one that was bought or claimed may still be given to Dirk. What a seat
    that resigned would get leaves the game."""
    if game.state.seats[seat].resigned:
        box_tile(game, tile, seat=seat)
        return
    hold(game, seat, tile)
    if giftable:
        game.state.giftable = (*game.state.giftable, tile)
    game.emit("acquired", seat=seat, tile=tile, how=how)
    game.react(game.ruleset.acquired, seat, tile, how)


def place_tiles(game: Game) -> None:
    """Asks until everything that was acquired this turn has its place."""
    seat = game.state.active
    pending = game.state.seats[seat].pending
    if pending and _unsettled(game, seat, pending):
        game.push(place_tiles)
        game.ask("place_tiles", seat, tiles=pending)
    elif pending:
        lapse_tiles(game, seat, pending)


def place_now(game: Game, seat: int, tiles: tuple[str, ...], concerns_others: bool = False) -> None:
    """Asks a seat to place tiles gained out of turn, at once, with everything that came with them. In the own turn,
    other pending tiles wait for PLACE. `concerns_others` if others could have had the tiles: then placing them is taken
    back with their consent only."""
    pending = game.state.seats[seat].pending
    left = tuple(tile for tile in tiles if tile in pending) if in_own_turn(game, seat) else pending
    if _unsettled(game, seat, left):
        game.push(place_now, seat, left, concerns_others)
        game.ask("place_now", seat, tiles=left)
    else:
        lapse_tiles(game, seat, left)
        game.enter("placed_now", seat)


def _unsettled(game: Game, seat: int, tiles: tuple[str, ...]) -> bool:
    """Whether one of the tiles must still be placed. A tile that is built or lost must, if it can be laid somewhere."""
    lapses = game.ruleset.lapses
    if not lapses:
        return bool(tiles)
    return any(game.ruleset.tiles[tile].kind not in lapses or fits_somewhere(game, seat, tile) for tile in tiles)


def fits_somewhere(game: Game, seat: int, tile: str) -> bool:
    """Whether the seat can lay the tile without an item or a permit: everybody can see that."""
    ways = builds(game, seat, game.state.seats[seat].board, game.ruleset.tiles[tile])
    return any(not items and choice is None for _cell, _rotation, items, choice in ways)


def lapse_tiles(game: Game, seat: int, tiles: tuple[str, ...]) -> None:
    """Tiles that are built or lost, and found no place, are lost."""
    for tile in tiles:
        game.ruleset.lapses[game.ruleset.tiles[tile].kind](game, seat, tile)


def _now_concerns_others(game: Game, _decision: Decision) -> bool:
    """As the step says that asks on: while the question stands open it is the next one on the agenda."""
    _, _, _, concerns_others = game.state.agenda[-1]
    return bool(concerns_others)


def tiles_at(game: Game, decision: Decision) -> tuple[str, ...]:
    """The tiles that the decision is about."""
    tiles: tuple[str, ...] | None = decision.context.get("tiles")
    return game.state.seats[decision.seat].pending if tiles is None else tiles


def ordinary_tiles(game: Game, decision: Decision) -> tuple[str, ...]:
    """The tiles that the decision is about and that may be placed anywhere: not those that are built or lost."""
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
    """The tile has found its place."""
    owner = game.state.seats[seat]
    owner.pending = tuple([other for other in owner.pending if other != tile])
    game.state.giftable = tuple([other for other in game.state.giftable if other != tile])


# -- Into the Alhambra ---------------------------------------------------------------------------------------------


def verify_place(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """The tile is at hand, and the construction rules hold."""
    faults = _verify_tile(game, decision, move)
    if faults:
        return faults
    assert move.tile is not None
    board = game.state.seats[decision.seat].board
    return verify_build(game, decision.seat, board, game.ruleset.tiles[move.tile], build_of(move))


def place(game: Game, decision: Decision, move: Move) -> None:
    """Builds it."""
    assert move.tile is not None
    drop_pending(game, decision.seat, move.tile)
    lay_tile(game, decision.seat, move.tile, build_of(move), "place")


def places(game: Game, decision: Decision) -> Iterator[Move]:
    """Every tile at every place it can go."""
    board = game.state.seats[decision.seat].board
    for tile in ordinary_tiles(game, decision):
        for way in builds(game, decision.seat, board, game.ruleset.tiles[tile]):
            yield built_by("place", tile, way)


def sample_place(game: Game, decision: Decision, randbelow: Callable[[int], int]) -> Move | None:
    """A random one of them."""
    board = game.state.seats[decision.seat].board
    found: list[tuple[str, Way]] = []
    for tile in ordinary_tiles(game, decision):
        found += [(tile, way) for way in builds(game, decision.seat, board, game.ruleset.tiles[tile])]
    return built_by("place", *found[randbelow(len(found))]) if found else None


# -- Into the reserve ----------------------------------------------------------------------------------------------


def verify_reserve(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """The tile is at hand, and the reserve takes it."""
    return _verify_tile(game, decision, move) or [*game.ruleset.reserve.verify(game, decision.seat, move)]


def reserve(game: Game, decision: Decision, move: Move) -> None:
    """Puts it into the reserve."""
    assert move.tile is not None
    drop_pending(game, decision.seat, move.tile)
    game.ruleset.reserve.put(game, decision.seat, move)


def reserves(game: Game, decision: Decision) -> Iterator[Move]:
    """Every tile at hand, wherever the reserve takes it."""
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
    assert move.tile is not None
    _stow(game, seat, move.tile)
    game.emit("reserved", seat=seat, tile=move.tile)


def _one_way(_game: Game, _seat: int, tile: str) -> Iterator[Move]:
    yield Move("reserve", tile)


RESERVE_BOARD = Reserve(_lying_there, _take, _stow, _refuse_slot, _put, _one_way)
"""The base game's reserve: a board without limits."""

# -- To Dirk, or nowhere -------------------------------------------------------------------------------------------


def verify_gift(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """Only with two players, and only a tile that was bought or claimed."""
    faults = _verify_tile(game, decision, move)
    if not faults and (len(game.state.seats) != 2 or move.tile not in game.state.giftable):
        faults.append(Violation("NOT_ELIGIBLE", "tile", tile=move.tile, **{"for": "dirk"}))
    return faults


def give_to_dirk(game: Game, decision: Decision, move: Move) -> None:
    """Dirk gets it."""
    assert move.tile is not None
    drop_pending(game, decision.seat, move.tile)
    game.state.dirk = (*game.state.dirk, move.tile)
    game.emit("given", seat=decision.seat, tile=move.tile)
    game.react(game.ruleset.given, move.tile)


def gifts(game: Game, decision: Decision) -> Iterator[Move]:
    """Every tile at hand that may go to Dirk."""
    if len(game.state.seats) == 2:
        for tile in ordinary_tiles(game, decision):
            if tile in game.state.giftable:
                yield Move("give_to_dirk", tile)


def could_give(game: Game, decision: Decision) -> bool:
    """Whether a tile at hand may go to Dirk: everybody can see that."""
    return any(True for _ in gifts(game, decision))


def box_pending(game: Game, seat: int, tile: str, /, **facts: object) -> None:
    """A pending tile leaves the game."""
    drop_pending(game, seat, tile)
    box_tile(game, tile, seat=seat, **facts)


def leave(game: Game, decision: Decision, move: Move) -> None:
    """A leftover tile is not built: it leaves the game."""
    assert move.tile is not None
    box_pending(game, decision.seat, move.tile)


def leavings(game: Game, decision: Decision) -> Iterator[Move]:
    """Every leftover tile."""
    for tile in ordinary_tiles(game, decision):
        yield Move("leave", tile)


PLACING = ("place_tiles", "place_now")
VERBS = (
    Verb(
        *("place", "tile cell [rotation items choice]", verify_place, place, places),
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
