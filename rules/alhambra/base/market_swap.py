"""Swapping two market spaces: the lower-numbered one is named first, then the higher-numbered one.

Modules entitle a seat with `helpers["swap_market"]`, and add the verb to a decision with `answers`. Both spaces must
hold a tile; if the licence allows gaps, one tile is enough. Pieces on a tile move with it, pieces of a space stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..module import DecisionKind, Licence, Verb, those_that_verify
from ..moves import Move, need
from ..state import Decision
from ..violations import Violation
from .supply import SLOTS

if TYPE_CHECKING:
    from ..game import Game

PURPOSE = "swap_market"


def _licences(game: Game, seat: int) -> list[Licence]:
    return [licence for contribute in game.ruleset.helpers.get(PURPOSE, ()) for licence in contribute(game, seat)]


def can_swap(game: Game, licence: Licence) -> bool:
    """Return whether two spaces can be swapped with this licence, judging by public information."""
    return any(_partners(game, first, gaps=licence.gaps) for first in SLOTS)


def _partners(game: Game, first: str, *, gaps: bool) -> list[str]:
    """Return the higher-numbered spaces that can be swapped with this one."""
    market = game.state.market
    place = SLOTS.index(first)
    return [
        slot
        for other, slot in enumerate(SLOTS)
        if other > place and ((market[place] and market[other]) or (gaps and (market[place] or market[other])))
    ]


def verify_swap_market(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Yield violations: the seat needs a licence, and a higher-numbered space must be swappable with this one."""
    licence = next((found for found in _licences(game, decision.seat) if found.items == move.items), None)
    if licence is None:
        if move.items:
            yield Violation("NOT_THERE", "items", id=move.items[0], place="held")
        else:
            yield Violation("NOUN_MISSING", "items", noun="items")
    if move.slot not in SLOTS:
        yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
    elif licence is not None and not _partners(game, move.slot, gaps=licence.gaps):
        yield Violation("NO_EFFECT", "slot", id=move.slot)


def swap_market(game: Game, decision: Decision, move: Move) -> None:
    """Record the first space and ask for the second."""
    licence = next(found for found in _licences(game, decision.seat) if found.items == move.items)
    game.push(ask_second, decision.seat, move.slot, licence.gaps)
    if licence.spend is not None:
        licence.spend(game, decision.seat)


def could_swap_market(game: Game, decision: Decision) -> bool:
    """Return whether the seat has a licence and two spaces can be swapped. Public information."""
    return any(can_swap(game, licence) for licence in _licences(game, decision.seat))


def _first_spaces(game: Game, decision: Decision) -> Iterator[Move]:
    for licence in _licences(game, decision.seat):
        yield from (Move("swap_market", slot=slot, items=licence.items) for slot in SLOTS)


def ask_second(game: Game, seat: int, first: str, gaps: bool) -> None:
    """Ask for the second space."""
    game.ask("swap_second", seat, slot=first, gaps=gaps)


def verify_swap_with(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Yield violations: the space must have a higher number and be swappable with the first one."""
    if move.slot not in _partners(game, decision.context["slot"], gaps=decision.context["gaps"]):
        yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")


def swap_with(game: Game, decision: Decision, move: Move) -> None:
    """Swap the two tiles."""
    slots = (decision.context["slot"], need(move.slot))
    one, other = (SLOTS.index(slot) for slot in slots)
    market = list(game.state.market)
    market[one], market[other] = market[other], market[one]
    game.state.market = tuple(market)
    game.emit("market_swapped", seat=decision.seat, slots=slots, market=game.state.market)


def _second_spaces(_game: Game, _decision: Decision) -> Iterator[Move]:
    return (Move("swap_with", slot=slot) for slot in SLOTS)


VERBS = (
    Verb(
        "swap_market",
        "slot [items]",
        verify_swap_market,
        swap_market,
        those_that_verify(verify_swap_market, _first_spaces),
        possible=could_swap_market,
    ),
    Verb("swap_with", "slot", verify_swap_with, swap_with, those_that_verify(verify_swap_with, _second_spaces)),
)
DECISIONS = (DecisionKind("swap_second", verbs=("swap_with",)),)
AGENDA = {"ask_second": ask_second}
