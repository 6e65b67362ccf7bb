"""Putting the chests into buildings: the buyer as many as fit, then the others round the table as they like."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.scoring import tiles_of, types_of
from ...base.supply import without
from ...base.turn_order import seats_after
from ...declarations import PASS, in_turn
from ...game import Game
from ...module import DecisionKind, Verb
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .chamber import Chamber, refill_rooms


def places_for(game: Game, seat: int, name: str) -> list[str]:
    """Return the buildings of a type in the Alhambra of a seat, or Dirk's, that have room for a chest: in a fixed
    order."""
    put, own = game.module_state(Chamber).put, set(tiles_of(game, seat))
    return [
        tile
        for tile in game.ruleset.tiles
        if tile in own and name in types_of(game, tile) and name not in put.get(tile, ())
    ]


def distribute(game: Game) -> None:
    """At the end of the turn the chests are distributed, then the rooms are filled."""
    if game.module_state(Chamber).emptied:
        game.push(refill_rooms)
        game.push(offer_chests, game.state.active)


def offer_chests(game: Game, seat: int) -> None:
    """A seat puts chests, as far as there is something to choose. The buyer must put as many as fit, the others may."""
    if seat == game.state.active:
        _put_all(game, seat, choosing=True)
    chests = game.module_state(Chamber).bought
    if any(places_for(game, seat, name) for name in dict.fromkeys(chests)):
        game.ask("put_chests", seat, types=chests)
    else:
        pass_on(game, seat)


def _put_all(game: Game, seat: int, *, choosing: bool) -> None:
    """Put as many chests as fit; if the seat may choose the buildings, only those that leave no choice."""
    for name in dict.fromkeys(game.module_state(Chamber).bought):
        places = places_for(game, seat, name)
        count = game.module_state(Chamber).bought.count(name)
        if count >= len(places) or not choosing:
            for tile in places[:count]:
                _put(game, seat, name, tile, forced=True)


def _put(game: Game, seat: int, name: str, tile: str, **facts: object) -> None:
    chamber = game.module_state(Chamber)
    chamber.bought = without(chamber.bought, (name,))
    chamber.put = {**chamber.put, tile: (*chamber.put.get(tile, ()), name)}
    game.emit("chest_put", seat=seat, type=name, tile=tile, **facts)


def pass_on(game: Game, seat: int) -> None:
    """The chests that are left go to the next seat; of two players, Dirk comes before the other one (13.16)."""
    state = game.state
    if seat == state.active and len(state.seats) == 2:
        _put_all(game, len(state.seats), choosing=False)
    left = seats_after(game, seat)[0]
    if game.module_state(Chamber).bought and left != state.active:
        offer_chests(game, left)


def go_on(game: Game, decision: Decision, move: Move) -> None:
    """After a chest the seat is asked again; after a pass the rest goes on."""
    if move.verb == "pass":
        game.push(pass_on, decision.seat)
    else:
        game.push(offer_chests, decision.seat)


def may_pass_on(game: Game, decision: Decision) -> Iterator[Violation]:
    """The buyer must put a chest as long as one fits, and is asked no longer than that."""
    if decision.seat == game.state.active:
        yield Violation("PASS_REFUSED", "verb", decision=decision.kind)


def are_there(game: Game, decision: Decision) -> bool:
    """Return whether the chests of the question are still there: a buyer who resigns gives them back."""
    types: tuple[str, ...] = decision.context["types"]
    return game.module_state(Chamber).bought == types


def is_neighbour(game: Game, decision: Decision) -> bool:
    """Return whether another seat than the buyer is asked."""
    return decision.seat != game.state.active


def verify_put(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A chest that was bought, and a free building of its colour in their own Alhambra."""
    tile = need(move.tile)
    if move.type not in game.module_state(Chamber).bought:
        yield Violation("NOT_THERE", "type", id=move.type, place="pending")
    types = types_of(game, tile) if tile in game.ruleset.tiles else ()
    if tile not in game.ruleset.tiles:
        yield Violation("ID_UNKNOWN", "tile", id=tile)
    elif tile not in game.state.seats[decision.seat].board.placed:
        yield Violation("NOT_THERE", "tile", id=tile, place="alhambra")
    elif not types:
        yield Violation("NOT_ELIGIBLE", "tile", tile=tile, for_="chest")
    elif move.type not in types:
        yield Violation("TYPE_MISMATCH", "type", expected=list(types), got=move.type)
    elif move.type in game.module_state(Chamber).put.get(tile, ()):
        yield Violation("PLACE_TAKEN", "tile", tile=tile)


def put_chest(game: Game, decision: Decision, move: Move) -> None:
    """The chest stands in the building."""
    _put(game, decision.seat, need(move.type), need(move.tile))


def puttings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every chest with every building that it fits."""
    for name in dict.fromkeys(game.module_state(Chamber).bought):
        for tile in places_for(game, decision.seat, name):
            yield Move("put_chest", tile, type=name)


PUT_CHEST = Verb("put_chest", "tile type", verify_put, put_chest, puttings, at=("put_chests",))
PUT_CHESTS = DecisionKind(
    "put_chests",
    passing=may_pass_on,
    answered=go_on,
    stands=are_there,
    concerns_others=is_neighbour,
    orders=(in_turn("place_all", "Put every chest that fits.", "put_chest"), PASS),
)
