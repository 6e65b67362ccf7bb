"""What overpaying brings: a project or colour tiles from the column of the currency paid."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.payment.offers import Purchase
from ...components import CURRENCIES
from ...game import Game
from ...module import PASS, DecisionKind, Verb, freely, those_that_verify
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .plan import (
    MOST_COLOURS,
    MOST_UNCOMPLETED,
    OFFERS,
    PROJECTS,
    STACK,
    Plan,
    changed,
    field_of,
    fill_field,
    give_colours,
    project_in,
    return_colours,
)


def column_of(purchase: Purchase) -> str:
    """Return the currency paid. If two were mixed, or diamonds paid, it is the one that was asked for."""
    paid = [currency for currency in purchase.currencies if currency in CURRENCIES]
    return paid[0] if len(paid) == 1 else purchase.currency


def ask_choice(game: Game, purchase: Purchase) -> None:
    """Ask a buyer who overpaid what to take, if anything can be taken."""
    if "colours" not in purchase.effects or not purchase.over:
        return
    asked = Decision("fresh_choice", purchase.seat, {"currency": column_of(purchase)})
    if any(next(verb.moves(game, asked), None) is not None for verb in (TAKE_COLOURS, TAKE_PROJECT)):
        game.ask("fresh_choice", purchase.seat, **asked.context)


# -- Colours -------------------------------------------------------------------------------------------------------


def _offers(decision: Decision) -> list[str]:
    """Return the slots of the offers in the column."""
    return [slot for slot in OFFERS if slot.startswith(f"colours-{decision.context['currency']}-")]


def _available(game: Game, slot: str) -> tuple[str, ...]:
    """Return what an offer gives: as many of its colour tiles as the supply holds."""
    left = list(game.module_state(Plan).supply)
    found = []
    for colour in OFFERS[slot]:
        if colour in left:
            left.remove(colour)
            found.append(colour)
    return tuple(found)


def verify_take_colours(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """An offer of the column, and a colour tile of it in the supply."""
    if move.slot not in _offers(decision):
        yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
    elif not _available(game, move.slot):
        yield Violation("CONDITION_UNMET", "slot", what="supply", need=1, have=0)


def take_colours(game: Game, decision: Decision, move: Move) -> None:
    """The colour tiles are the seat's; what it has too many it returns at once."""
    slot = need(move.slot)
    colours = _available(game, slot)
    game.emit("colours_taken", seat=decision.seat, slot=slot, types=colours)
    give_colours(game, decision.seat, colours)
    game.push(ask_to_return, decision.seat)


def _conceivable_colours(_game: Game, decision: Decision) -> Iterator[Move]:
    return (Move("take_colours", slot=slot) for slot in _offers(decision))


def ask_to_return(game: Game, seat: int) -> None:
    """Ask for a colour tile to return, as long as the seat has too many."""
    excess = len(game.module_state(Plan).colours[seat]) - MOST_COLOURS
    if excess > 0:
        game.ask("return_colours", seat, amount=excess)


def verify_return(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A colour that the seat has."""
    if move.type not in game.module_state(Plan).colours[decision.seat]:
        yield Violation("NOT_THERE", "type", id=move.type, place="held")


def return_one(game: Game, decision: Decision, move: Move) -> None:
    """One colour tile goes back to the supply."""
    name = need(move.type)
    game.emit("colours_returned", seat=decision.seat, types=(name,))
    return_colours(game, decision.seat, (name,))
    game.push(ask_to_return, decision.seat)


def returnings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every colour that the seat has."""
    for name in dict.fromkeys(game.module_state(Plan).colours[decision.seat]):
        yield Move("return_colour", type=name)


# -- Projects ------------------------------------------------------------------------------------------------------


def verify_take_project(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A project lies there, and the seat may have it."""
    piece = project_in(game, move.slot or "") if move.slot in _project_slots(decision) else ""
    if not piece:
        yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
        return
    plan, seat = game.module_state(Plan), decision.seat
    if len(plan.uncompleted[seat]) >= MOST_UNCOMPLETED:
        yield Violation("LIMIT_REACHED", "slot", what="uncompleted_projects", limit=MOST_UNCOMPLETED)
    owned = (*plan.uncompleted[seat], *plan.completed[seat])
    if any(PROJECTS[other].type == PROJECTS[piece].type for other in owned):
        yield Violation("LIMIT_REACHED", "slot", what="same_type", limit=1)


def take_project(game: Game, decision: Decision, move: Move) -> None:
    """The project is the seat's; a field of the plan is filled again from the stack."""
    slot_taken = need(move.slot)
    plan, seat, piece = game.module_state(Plan), decision.seat, project_in(game, slot_taken)
    plan.uncompleted = changed(plan.uncompleted, seat, (*plan.uncompleted[seat], piece))
    game.emit("fresh_taken", seat=seat, slot=slot_taken, piece=piece)
    if slot_taken == STACK:
        plan.stack = plan.stack[:-1]
    elif plan.stack:
        fill_field(game, slot_taken)
    else:
        plan.fields = {slot: lying for slot, lying in plan.fields.items() if slot != slot_taken}
    if plan.stack:  # then another one is on top now
        game.mark_revealed()
        game.emit("fresh_turned", slot=STACK, piece=plan.stack[-1])


def _project_slots(decision: Decision) -> tuple[str, str]:
    return field_of(decision.context["currency"]), STACK


def _conceivable_projects(_game: Game, decision: Decision) -> Iterator[Move]:
    return (Move("take_project", slot=slot) for slot in _project_slots(decision))


TAKE_COLOURS = Verb(
    "take_colours",
    "slot",
    verify_take_colours,
    take_colours,
    those_that_verify(verify_take_colours, _conceivable_colours),
)
TAKE_PROJECT = Verb(
    "take_project",
    "slot",
    verify_take_project,
    take_project,
    those_that_verify(verify_take_project, _conceivable_projects),
)
RETURN_COLOUR = Verb("return_colour", "type", verify_return, return_one, returnings)
DECISIONS = (
    DecisionKind("fresh_choice", verbs=("take_colours", "take_project"), passing=freely, orders=(PASS,)),
    DecisionKind("return_colours", verbs=("return_colour",)),
)
