"""Rolling up to three dice at the start of a turn, and putting a handyman where they show a price."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ...base.sole_action import FORCED
from ...base.supply import SLOTS
from ...components import VOID, Tile, module_data
from ...declarations import PASS
from ...game import Game
from ...module import DecisionKind, Verb, freely, those_that_verify
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .crew import Crew, add_to_space, add_to_supply

MOST_DICE: int = module_data("handymen")["dice"]
ROLLED = "dice"
"""The word in `state.used` that says that dice were rolled this turn."""


# -- The dice ----------------------------------------------------------------------------------------------------------


def values(dice: tuple[int, ...]) -> set[int]:
    """Return what the dice show: every sum and difference in which each of them is used once."""
    first, *others = dice
    totals = [first + sum(change) for change in product(*((-die, die) for die in others))]
    return {abs(total) for total in totals} - {0}


def is_joker(dice: tuple[int, ...]) -> bool:
    """Return whether three dice show the same."""
    return len(dice) == MOST_DICE and len(set(dice)) == 1


def is_asked(game: Game, seat: int) -> bool:
    """Return whether the seat may roll: once a turn, with a handyman to put."""
    return ROLLED not in game.state.used and game.module_state(Crew).supply[seat] > 0


def only_money(game: Game, _decision: Decision, verb: str) -> Violation | None:
    """After rolling, the only action is to take money; nothing else entitles to a redesign in the same turn (40.18)."""
    if ROLLED not in game.state.used or verb == "take_money":
        return None
    played = game.ruleset.verbs[verb]
    if played.action or played.takes_action is not None:
        return Violation("FORCED_ACTION", "verb", verb=verb).of_module("handymen")
    return None


def verify_roll(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """At the start of a turn: with a handyman to put, and once."""
    if decision.kind == "start":
        if not game.module_state(Crew).supply[decision.seat]:
            yield Violation("CONDITION_UNMET", "verb", what="handymen", need=1, have=0)
        if ROLLED in game.state.used:
            yield Violation("USED_UP", "verb", what="dice", limit=1, per="turn")


def roll(game: Game, decision: Decision, _move: Move) -> None:
    """One more die. The seat is asked unless everybody can see that all three dice are in vain."""
    if decision.kind == "start":
        game.state.used = (*game.state.used, ROLLED, FORCED)
    dice = (*decision.context.get("dice", ()), game.chance("handymen/die").randbelow(6) + 1)
    game.emit("dice_rolled", seat=decision.seat, dice=dice)
    if len(dice) < MOST_DICE or could_put(game, Decision("dice", decision.seat, {"dice": dice})):
        game.ask("dice", decision.seat, dice=dice)


def rolls(_game: Game, _decision: Decision) -> Iterator[Move]:
    """Yield the only move."""
    yield Move("roll_dice")


def while_dice_are_left(_game: Game, decision: Decision, verb: Verb) -> bool:
    """Return whether one of the three dice is left."""
    return verb.name != "roll_dice" or len(decision.context["dice"]) < MOST_DICE


# -- Putting a handyman ------------------------------------------------------------------------------------------------


def verify_put(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """To a market space with a tile, or on a tile of their own without handyman; the dice show its price, or are a
    joker."""
    if move.slot is None and move.tile is None:
        yield Violation("NOUN_MISSING", "tile", noun="tile")
    elif move.slot is not None and move.tile is not None:
        yield Violation("NOUN_UNEXPECTED", "slot", noun="slot")
    elif move.slot is not None:
        lying = game.state.market[SLOTS.index(move.slot)] if move.slot in SLOTS else ""
        if lying:
            yield from _not_shown(game, decision, "slot", lying)
        else:
            yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
    else:
        yield from _verify_tile(game, decision, str(move.tile))


def _verify_tile(game: Game, decision: Decision, tile: str) -> Iterator[Violation]:
    if tile not in game.ruleset.tiles:
        yield Violation("ID_UNKNOWN", "tile", id=tile)
    elif tile not in _own_tiles(game, decision.seat):
        yield Violation("NOT_THERE", "tile", id=tile, place="alhambra")
    elif _is_half(game.ruleset.tiles[tile]):
        yield Violation("NOT_ELIGIBLE", "tile", tile=tile, for_="handyman")
    elif tile in game.module_state(Crew).on_tiles:
        yield Violation("PLACE_TAKEN", "tile", tile=tile)
    else:
        yield from _not_shown(game, decision, "tile", tile)


def _own_tiles(game: Game, seat: int) -> tuple[str, ...]:
    """Return the tiles of a seat: built ones, then those in its reserve."""
    return (*game.state.seats[seat].board.placed, *game.ruleset.reserve.tiles(game, seat))


def _is_half(tile: Tile) -> bool:
    """Return whether a tile fills only half of its cell: a watchtower carries nothing (40.40)."""
    return any(VOID in part.edges for part in tile.parts)


def _not_shown(game: Game, decision: Decision, noun: str, tile: str) -> Iterator[Violation]:
    dice, price = decision.context["dice"], game.ruleset.tiles[tile].price
    if not is_joker(dice) and price not in values(dice):
        yield Violation("CONDITION_UNMET", noun, what="price", need=price, have=sorted(values(dice)))


def put(game: Game, decision: Decision, move: Move) -> None:
    """The handyman goes to work, and no more dice are rolled."""
    seat, crew = decision.seat, game.module_state(Crew)
    add_to_supply(game, seat, -1)
    if move.slot is not None:
        add_to_space(game, SLOTS.index(move.slot), seat, 1)
        game.emit("handyman_put", seat=seat, slot=move.slot)
    else:
        tile = need(move.tile)
        crew.on_tiles = {**crew.on_tiles, tile: seat}
        game.emit("handyman_put", seat=seat, tile=tile)


def _conceivable(game: Game, decision: Decision) -> Iterator[Move]:
    yield from (Move("put_handyman", slot=slot) for slot in SLOTS)
    yield from (Move("put_handyman", tile) for tile in _own_tiles(game, decision.seat))


puttings = those_that_verify(verify_put, _conceivable)
"""Every place for a handyman that the dice allow."""


def could_put(game: Game, decision: Decision) -> bool:
    """Return whether the dice allow a place: everybody can see that."""
    return next(puttings(game, decision), None) is not None


ROLL_DICE = Verb(
    "roll_dice",
    "",
    verify_roll,
    roll,
    those_that_verify(verify_roll, rolls),
    at=("start",),
    rank=3,
)
PUT_HANDYMAN = Verb("put_handyman", "[slot tile]", verify_put, put, puttings, possible=could_put)
DICE = DecisionKind(
    "dice",
    verbs=("put_handyman", "roll_dice"),
    passing=freely,
    open=while_dice_are_left,
    orders=(PASS,),
)
