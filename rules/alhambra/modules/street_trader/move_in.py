"""A tile is built where the trader stands: a resident moves in, or one is exchanged.

The disc is set aside. If the colour of the building is on the disc, one such resident may move in, and another one of
any colour comes onto the disc from the supply, if there is one. If the colour is not on the disc, or the tile is no
building, one resident of the disc may be exchanged with the supply. A resident whose building leaves the Alhambra
returns to the supply.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.scoring import type_at
from ...game import Game
from ...module import Verb, those_that_verify
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .residents import Residents, group, of_each_colour, put_aboard, put_disc


def make_way(game: Game, seat: int, tile: str, _how: str) -> None:
    """The disc is set aside. Where tiles are exchanged it never lies: its cell is free (12.35)."""
    cell = game.module_state(Residents).discs[seat]
    if cell is None or cell not in game.state.seats[seat].board.cells_of(tile):
        return
    put_disc(game, seat, None)
    game.push(meet_trader, seat, tile, type_at(game, game.state.seats[seat].board.cells[cell]))


def meet_trader(game: Game, seat: int, tile: str, colour: str) -> None:
    """Ask who moves in or is exchanged, unless everybody can see that nobody can (12.38)."""
    kept = game.module_state(Residents)
    if colour in kept.aboard[seat] or (kept.aboard[seat] and kept.supply):
        game.ask("resident", seat, tile=tile, **{"type": colour} if colour else {})
    else:
        game.emit("passed", seat=seat, decision="resident", forced=True)


# -- A resident moves in ---------------------------------------------------------------------------------------------


def verify_move_in(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Only into a building, and one of the colour of somebody on the disc."""
    aboard = game.module_state(Residents).aboard[decision.seat]
    colour = decision.context.get("type")
    if colour is None:
        yield Violation("NOT_ELIGIBLE", "verb", tile=decision.context["tile"], for_="resident")
    elif colour not in aboard:
        yield Violation("TYPE_MISMATCH", "verb", expected=list(dict.fromkeys(aboard)), got=colour)


def move_in(game: Game, decision: Decision, _move: Move) -> None:
    """From the disc into the building; another one comes onto the disc."""
    seat, tile, colour = decision.seat, decision.context["tile"], decision.context["type"]
    kept = game.module_state(Residents)
    put_aboard(game, seat, group(kept.aboard[seat], less=colour))
    kept.homes = {**kept.homes, tile: colour}
    game.emit("resident_moved_in", seat=seat, tile=tile, type=colour)
    game.push(replace_resident, seat, "")


def one_way_in(_game: Game, _decision: Decision) -> list[Move]:
    """Return the only move."""
    return [Move("move_in")]


def move_out(game: Game, seat: int, tile: str, _how: str) -> None:
    """The building leaves the Alhambra: its resident returns to the supply."""
    kept = game.module_state(Residents)
    if tile in kept.homes:
        left = dict(kept.homes)
        resident = left.pop(tile)
        kept.homes = left
        kept.supply = group((*kept.supply, resident))
        game.emit("resident_left", seat=seat, tile=tile, type=resident)


# -- A resident is exchanged, or replaced ----------------------------------------------------------------------------


def verify_swap(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Only if nobody could move in, and for somebody of the supply."""
    kept = game.module_state(Residents)
    aboard = kept.aboard[decision.seat]
    if move.type not in aboard:
        yield Violation("NOT_THERE", "type", id=move.type, place="held")
    if decision.context.get("type") in aboard:
        yield Violation("CONDITION_UNMET", "verb", what="matching_resident", need=False, have=True)
    if not kept.supply:
        yield Violation("CONDITION_UNMET", "verb", what="supply", need=1, have=0)


def swap_resident(game: Game, decision: Decision, move: Move) -> None:
    """The named resident will get off the disc for the one that is taken."""
    game.push(replace_resident, decision.seat, move.type)


def replace_resident(game: Game, seat: int, given: str) -> None:
    """One of the supply comes onto the disc: by choice, if it has several colours. An empty one gives nobody."""
    supply = game.module_state(Residents).supply
    if len(set(supply)) > 1:
        game.ask("take_resident", seat, **{"given": given} if given else {})
    elif supply:
        change_resident(game, seat, given, supply[0], forced=True)


def verify_take(game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """The supply has such a resident; the one given for him does not belong to it yet (12.39)."""
    if move.type not in game.module_state(Residents).supply:
        yield Violation("NOT_THERE", "type", id=move.type, place="supply")


def take_resident(game: Game, decision: Decision, move: Move) -> None:
    """He gets on the disc."""
    change_resident(game, decision.seat, decision.context.get("given", ""), need(move.type))


def change_resident(game: Game, seat: int, given: str, taken: str, **facts: object) -> None:
    """One resident of the supply comes onto the disc; the one given for him, if any, goes to the supply."""
    kept = game.module_state(Residents)
    put_aboard(game, seat, group((*kept.aboard[seat], taken), less=given))
    kept.supply = group((*kept.supply, given) if given else kept.supply, less=taken)
    if given:
        facts["given"] = given
    game.emit("resident_changed", seat=seat, type=taken, **facts)


MOVE_IN = Verb("move_in", "", verify_move_in, move_in, those_that_verify(verify_move_in, one_way_in), at=("resident",))
SWAP_RESIDENT = Verb(
    "swap_resident",
    "type",
    verify_swap,
    swap_resident,
    those_that_verify(verify_swap, of_each_colour("swap_resident")),
    at=("resident",),
)
TAKE_RESIDENT = Verb(
    "take_resident",
    "type",
    verify_take,
    take_resident,
    those_that_verify(verify_take, of_each_colour("take_resident")),
    at=("take_resident",),
)
