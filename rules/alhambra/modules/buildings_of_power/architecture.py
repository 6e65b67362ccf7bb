"""Architecture: look at the next tiles, hide one of them under the market, and lay the others back in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...base.game_end import award_leftover, money_of_seats
from ...base.market import put_on_market, slot_for
from ...base.peek import lay_on_top, peek, take_out, top_of
from ...base.supply import SLOTS, box_tile, clear_space, without
from ...game import Game
from ...known_positions import TOWER
from ...module import DecisionKind, Verb, those_that_verify
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .powers import Powers, put_under


def free_slots(game: Game) -> list[str]:
    """Return the market spaces with a tile and nothing under it."""
    lying = zip(SLOTS, game.state.market, game.module_state(Powers).hidden, strict=True)
    return [slot for slot, tile, hidden in lying if tile and not hidden]


def begin(game: Game, seat: int, count: int) -> None:
    """The seat looks at as many tiles; one must be hidden if there is a place for it."""
    tiles = peek(game, seat, TOWER, count)
    game.emit("tiles_looked", {seat: {"tiles": tiles}}, seat=seat, count=len(tiles))
    _go_on(game, seat, len(tiles), 0, hiding=bool(free_slots(game)))


def _go_on(game: Game, seat: int, count: int, laid: int, *, hiding: bool = False) -> None:
    """Ask for the next tile, as long as there is something to choose."""
    if hiding or count - laid > 1:
        game.ask("architecture", seat, count=count, laid=laid, hiding=hiding)
    else:
        _return_all(game, seat, count)


def _return_all(game: Game, seat: int, count: int) -> None:
    """All tiles lie on the tower. The others do not know whether their order is another one now (38.42)."""
    if count:
        order = top_of(game, TOWER, count)
        lay_on_top(game, seat, TOWER, order)
        game.emit("tiles_returned", {seat: {"tiles": order}}, seat=seat, count=count)


def at_hand(game: Game, decision: Decision) -> tuple[str, ...]:
    """Return the tiles that were looked at and have no place yet."""
    return top_of(game, TOWER, decision.context["count"])[decision.context["laid"] :]


def verify_hide(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One of the tiles looked at, under a market tile with nothing under it yet."""
    if move.tile not in at_hand(game, decision):
        yield Violation("NOT_THERE", "tile", id=move.tile, place="looked_at")
    if move.slot not in SLOTS or not game.state.market[SLOTS.index(move.slot)]:
        yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
    elif move.slot not in free_slots(game):
        yield Violation("PLACE_TAKEN", "slot", slot=move.slot)


def hide(game: Game, decision: Decision, move: Move) -> None:
    """Only the seat knows the tile; the others see where it lies."""
    tile = need(move.tile)
    slot = need(move.slot)
    seat, count = decision.seat, decision.context["count"]
    take_out(game, seat, TOWER, tile, count)
    put_under(game, SLOTS.index(slot), tile, seat)
    game.emit("tile_hidden", {seat: {"tile": tile}}, seat=seat, slot=slot)
    _go_on(game, seat, count - 1, 0)


def _hidings(game: Game, decision: Decision) -> Iterator[Move]:
    for tile in at_hand(game, decision):
        yield from (Move("hide_tile", tile, slot=slot) for slot in SLOTS)


def verify_return(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One of the tiles that have no place yet."""
    if move.tile not in at_hand(game, decision):
        yield Violation("NOT_THERE", "tile", id=move.tile, place="looked_at")


def return_tile(game: Game, decision: Decision, move: Move) -> None:
    """It is the next one from the top."""
    tile = need(move.tile)
    seat, count, laid = decision.seat, decision.context["count"], decision.context["laid"]
    tiles = top_of(game, TOWER, count)
    lay_on_top(game, seat, TOWER, (*tiles[:laid], tile, *without(tiles[laid:], (tile,))))
    _go_on(game, seat, count, laid + 1)


def _returns(game: Game, decision: Decision) -> Iterator[Move]:
    return (Move("return_tile", tile) for tile in at_hand(game, decision))


def is_open(_game: Game, decision: Decision, verb: Verb) -> bool:
    """Return whether the verb comes next: first a tile is hidden, then the others are returned."""
    return verb.name == "pass" or (verb.name == "hide_tile") == decision.context["hiding"]


def may_return_the_rest(_game: Game, decision: Decision) -> Iterator[Violation]:
    """The rest may go back as it was drawn, once a tile is hidden."""
    if decision.context["hiding"]:
        yield Violation("PASS_REFUSED", "verb", decision=decision.kind)


def after_pass(game: Game, decision: Decision, move: Move) -> None:
    """A pass leaves the rest in its order."""
    if move.verb == "pass":
        _return_all(game, decision.seat, decision.context["count"])


def private(game: Game, decision: Decision) -> dict[str, Any]:
    """Return the tiles that the question is about."""
    return {"tiles": list(at_hand(game, decision))}


HIDE_TILE = Verb("hide_tile", "tile slot", verify_hide, hide, those_that_verify(verify_hide, _hidings))
RETURN_TILE = Verb("return_tile", "tile", verify_return, return_tile, _returns)
ARCHITECTURE_KIND = DecisionKind(
    "architecture",
    verbs=("hide_tile", "return_tile"),
    passing=may_return_the_rest,
    open=is_open,
    answered=after_pass,
    private=private,
)


# -- What was hidden ---------------------------------------------------------------------------------------------------


def turn_up(game: Game, place: int) -> None:
    """The hidden tile comes to the space above it. That is no draw, so it is offered to nobody (38.22)."""
    tile = game.module_state(Powers).hidden[place]
    if tile:
        _show(game, place, tile)
        put_on_market(game, tile, place)


def _show(game: Game, place: int, tile: str) -> None:
    put_under(game, place, "", game.module_state(Powers).hiders[place])
    game.mark_revealed()
    game.emit("hidden_tile_turned", tile=tile, slot=slot_for(game, tile, place))


def show_leftover(game: Game, place: int) -> None:
    """At the end a hidden tile is turned up: two tiles are given out. One of a kind that lies beside the market leaves
    the game instead."""
    tile = game.module_state(Powers).hidden[place]
    if not tile:
        return
    _show(game, place, tile)
    if slot_for(game, tile, place) != SLOTS[place]:
        box_tile(game, tile)
    elif not game.state.market[place]:
        put_on_market(game, tile, place)
    else:
        game.state.aside = (*game.state.aside, tile)
        give_out(game, place, tile)


def give_out(game: Game, place: int, hidden: str) -> None:
    """The seat with the most money of the currency chooses one of the two tiles. With a tie, both leave the game."""
    totals = money_of_seats(game, place)
    richest = _alone_with(totals, max(totals.values()))
    if richest is None:
        for tile in (game.state.market[place], hidden):
            award_leftover(game, place, tile, None, totals)
            _pick_up(game, place, tile)
            box_tile(game, tile)
    else:
        game.ask("choose_leftover", richest, slot=SLOTS[place], offered=(game.state.market[place], hidden))


def _alone_with(totals: dict[int, int], total: int) -> int | None:
    """Return the one seat that has this total of money; None if there are several, or it is none."""
    seats = [seat for seat, own in totals.items() if own == total]
    return seats[0] if len(seats) == 1 and total else None


def _pick_up(game: Game, place: int, tile: str) -> None:
    if tile in game.state.aside:
        game.state.aside = without(game.state.aside, (tile,))
    else:
        clear_space(game, place)


def verify_choose(_game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One of the two."""
    if move.tile not in decision.context["offered"]:
        yield Violation("NOT_THERE", "tile", id=move.tile, place="slot")


def choose(game: Game, decision: Decision, move: Move) -> None:
    """The seat gets the tile, the one with the second most money the other one; with a tie that one leaves the game."""
    seat, place = decision.seat, SLOTS.index(decision.context["slot"])
    totals = money_of_seats(game, place)
    taken = need(move.tile)
    (other,) = without(decision.context["offered"], (taken,))
    second = _alone_with(totals, max((own for one, own in totals.items() if one != seat), default=0))
    for tile, winner in ((taken, seat), (other, second)):
        _pick_up(game, place, tile)
        award_leftover(game, place, tile, winner, totals)
        if winner is None:
            box_tile(game, tile)


def compare_anew(game: Game, decision: Decision) -> None:
    """The seat that was to choose has resigned: the money of the others decides."""
    give_out(game, SLOTS.index(decision.context["slot"]), decision.context["offered"][1])


def _choices(_game: Game, decision: Decision) -> Iterator[Move]:
    return (Move("choose_tile", tile) for tile in decision.context["offered"])


CHOOSE_TILE = Verb("choose_tile", "tile", verify_choose, choose, _choices)
CHOOSE_LEFTOVER = DecisionKind("choose_leftover", verbs=("choose_tile",), unanswered=compare_anew, concerns_others=True)
