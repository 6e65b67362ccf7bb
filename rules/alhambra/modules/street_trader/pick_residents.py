"""Before the market is first filled: three residents for their own disc, and its first cell, in secret.

Everybody gets a disc and one resident of each colour, picks three of them, and lays the disc at any side of the own
start tile. When all have chosen, everything is shown; whoever was not picked is the general supply.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.turn_order import seats_from
from ...components import TYPES
from ...game import Game
from ...module import Verb, those_that_verify
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .residents import PICKED, RESIDENTS, Residents, of_each_colour, put_aboard


def deal_discs(game: Game) -> None:
    """Everybody gets a disc."""
    kept = game.module_state(Residents)
    kept.discs = (None,) * len(game.state.seats)
    kept.aboard = ((),) * len(game.state.seats)


def choose(game: Game) -> None:
    """Ask one seat after another until its disc lies; then all is shown. The disc of a seat that has resigned before
    stays aside."""
    kept = game.module_state(Residents)
    seat = next((seat for seat in seats_from(game, 0) if kept.discs[seat] is None), None)
    if seat is not None:
        game.push(choose)
        game.ask("pick_residents", seat, left=PICKED - len(kept.aboard[seat]))
    else:
        publish(game)


def publish(game: Game) -> None:
    """Discs and residents are shown, and the residents that no seat picked are the supply."""
    kept = game.module_state(Residents)
    kept.published = True
    picked = [name for aboard in kept.aboard for name in aboard]
    kept.supply = tuple(name for name in TYPES for _ in range(RESIDENTS[name] - picked.count(name)))
    game.mark_revealed()
    for seat, cell in enumerate(kept.discs):
        game.emit("residents_picked", seat=seat, types=kept.aboard[seat])
        if cell is not None:
            game.emit("disc_laid", seat=seat, cell=cell)


def within_reach(picks: int) -> tuple[str, ...]:
    """Return the colours that this many picks can be of, if all three are named in ascending order."""
    return TYPES[: len(TYPES) - PICKED + picks]


def verify_pick(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Everybody has one resident of each colour, and names three of them in ascending order."""
    picked = game.module_state(Residents).aboard[decision.seat]
    if len(picked) == PICKED:
        yield Violation("LIMIT_REACHED", "verb", what="residents", limit=PICKED)
        return
    after = TYPES.index(picked[-1]) + 1 if picked else 0
    fitting = within_reach(len(picked) + 1)[after:]
    if move.type not in fitting:
        yield Violation("TYPE_MISMATCH", "type", expected=list(fitting), got=move.type)


def pick_resident(game: Game, decision: Decision, move: Move) -> None:
    """He gets on the disc; only his owner sees it."""
    seat = decision.seat
    put_aboard(game, seat, (*game.module_state(Residents).aboard[seat], need(move.type)))
    game.emit("residents_picked", {seat: {"types": game.module_state(Residents).aboard[seat]}}, seat=seat)


PICK_RESIDENT = Verb(
    "pick_resident",
    "type",
    verify_pick,
    pick_resident,
    those_that_verify(verify_pick, of_each_colour("pick_resident")),
    at=("pick_residents",),
)
