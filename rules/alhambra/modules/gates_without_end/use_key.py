"""Using a key: at the end of the turn its owner shows it, turns it, and every player gets the bonus at their own gate.

The owner sees the key and then chooses its orientation. From the owner on, in seat order, each player may carry out the
bonus in front of the gate of their own colour; points are simply added, and what everybody can see to be impossible is
declined without a question. Nothing is refilled in between. Then the key is removed, the display and the market are
refilled, and a scoring is held if its card was turned up; only then comes the next key.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.market import fill_market
from ...base.scoring import hold_scorings, score
from ...base.supply import fill_display
from ...base.turn_order import seats_from
from ...declarations import PASS
from ...game import Game
from ...module import DecisionKind, Verb, freely, those_that_verify
from ...moves import Move
from ...state import Decision
from ...violations import Violation
from .bonuses import ANSWERS, POINTS, REBUILD, is_possible
from .keys import GATES, STEP_DEGREES, Gates, bonus_of, has_key_ready, hold_keys

ROTATIONS = tuple(range(STEP_DEGREES, STEP_DEGREES * len(GATES), STEP_DEGREES))
BONUS_VERBS = frozenset(verb for verbs in ANSWERS.values() for verb in verbs)


# -- Showing and turning it -------------------------------------------------------------------------------------------


def keys_are_used_first(game: Game, decision: Decision, verb: str) -> Violation | None:
    """A player with a key to use cannot pass at the end of the turn (37.42)."""
    if verb == "pass" and has_key_ready(game, decision.seat):
        return Violation("PASS_REFUSED", "verb", decision=decision.kind)
    return None


def verify_use(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """A key that was not gained too late for this turn."""
    if not has_key_ready(game, decision.seat):
        yield Violation("NOT_THERE", "verb", id="key", place="held")


def use_key(game: Game, decision: Decision, _move: Move) -> None:
    """The oldest key lies face up in the gate board (37.43)."""
    kept, seat = game.module_state(Gates), decision.seat
    kept.key, *rest = kept.held[seat]
    hold_keys(game, seat, tuple(rest))
    game.mark_revealed()
    game.emit("key_shown", seat=seat, piece=kept.key)
    game.push(ask_turn, seat)


def ask_turn(game: Game, seat: int) -> None:
    """Ask how the key is turned."""
    game.ask("turn_key", seat, piece=game.module_state(Gates).key)


def could_use(game: Game, decision: Decision) -> bool:
    """Return whether the seat has a key to use: everybody can see that."""
    return has_key_ready(game, decision.seat)


def verify_turn(_game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """The key is a hexagon."""
    if move.rotation is not None and move.rotation not in ROTATIONS:
        yield Violation("ROTATION_REFUSED", "rotation", rotation=move.rotation)


def turn_key(game: Game, decision: Decision, move: Move) -> None:
    """Now every gate has its bonus."""
    kept = game.module_state(Gates)
    kept.rotation = move.rotation or 0
    seats = tuple(seats_from(game, decision.seat))
    bonuses = tuple((seat, bonus_of(game, seat)) for seat in seats)
    game.emit("key_turned", seat=decision.seat, piece=kept.key, rotation=kept.rotation, bonuses=bonuses)
    game.push(open_gates, seats)


def leave_upright(game: Game, decision: Decision) -> None:
    """The owner of a key that was shown resigns: it stays as it lies, and the others get their bonuses (37.56)."""
    turn_key(game, decision, Move("turn_key"))


def turnings(_game: Game, _decision: Decision) -> Iterator[Move]:
    """Yield the six orientations; upright is spelled without a rotation."""
    yield from (Move("turn_key", rotation=rotation) for rotation in (None, *ROTATIONS))


# -- Gate by gate -----------------------------------------------------------------------------------------------------


def open_gates(game: Game, seats: tuple[int, ...]) -> None:
    """One seat after another gets its bonus; then the key is removed."""
    if not seats:
        remove_key(game)
        return
    seat, *rest = seats
    game.push(open_gates, tuple(rest))
    if game.state.seats[seat].resigned:
        return
    kept = game.module_state(Gates)
    kept.serving = seat
    bonus = bonus_of(game, seat)
    if bonus in POINTS:
        game.emit("bonus_done", seat=seat, choice=bonus, forced=True)
        score(game, seat, POINTS[bonus], "key_points")
    elif is_possible(game, seat, bonus):
        game.ask("key_bonus", seat, piece=kept.key, choice=bonus)
    else:
        game.emit("bonus_declined", seat=seat, choice=bonus, forced=True)


def remove_key(game: Game) -> None:
    """The key is gone. Money, scoring and market follow, in this order."""
    kept = game.module_state(Gates)
    kept.used = (*kept.used, kept.key)
    kept.key, kept.rotation, kept.serving = "", None, None
    game.push(fill_market)
    game.push(hold_scorings)
    game.push(fill_display)


def answers_bonus(_game: Game, decision: Decision, verb: Verb) -> bool:
    """Return whether the verb carries out this bonus, if it carries out any."""
    return verb.name not in BONUS_VERBS or verb.name in ANSWERS[decision.context["choice"]]


def bonus_answered(game: Game, decision: Decision, move: Move) -> None:
    """The bonus is carried out or declined. A redesign out of turn is over like a placement out of turn."""
    bonus = decision.context["choice"]
    if move.verb == "pass":
        game.emit("bonus_declined", seat=decision.seat, choice=bonus)
    elif move.verb in BONUS_VERBS:
        game.emit("bonus_done", seat=decision.seat, choice=bonus)
        if bonus == REBUILD:
            game.push_procedure("placed_now", decision.seat)


VERBS = (
    Verb(
        "use_key",
        "",
        verify_use,
        use_key,
        those_that_verify(verify_use, lambda _game, _at: (Move("use_key"),)),
        at=("after",),
        possible=could_use,
    ),
    Verb("turn_key", "[rotation]", verify_turn, turn_key, turnings, at=("turn_key",)),
)
DECISIONS = (
    DecisionKind("turn_key", concerns_others=True, unanswered=leave_upright),
    DecisionKind(
        "key_bonus",
        verbs=tuple(sorted(BONUS_VERBS)),
        passing=freely,
        open=answers_bonus,
        answered=bonus_answered,
        concerns_others=True,
        orders=(PASS,),
    ),
)
