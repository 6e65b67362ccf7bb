"""The turn: one action, a further one after each exact payment, then placing, refilling and scoring.

A player may pass only if no action is possible. If all turns of a round consist of a pass, the game ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ..declarations import PASS, StandingOrder
from ..module import Agenda, DecisionKind, Step, Verb, freely
from ..moves import Move
from ..state import Decision
from ..violations import Violation
from .game_end import end_game, stop_game
from .market import fill_market
from .payment.sampling import affordable
from .place_tiles import place_tiles
from .resignation import give_everything_up
from .scoring import hold_scorings
from .supply import SLOTS, fill_display
from .turn_order import due_next, seats_from

if TYPE_CHECKING:
    from ..game import Game

PASSING = Move("pass")
ENDING = Move("end_actions")


# -- Whose turn ----------------------------------------------------------------------------------------------------


def begin_game(game: Game) -> None:
    """Start the game with the first player. Seats that resigned during setup lose what was dealt to them since."""
    for seat, owner in enumerate(game.state.seats):
        if owner.resigned:
            give_everything_up(game, seat)
    begin_turn(game, game.state.first)


def begin_turn(game: Game, seat: int) -> None:
    """Start a turn and reset everything that counts per turn."""
    state = game.state
    if state.turn >= game.options.turn_limit:
        stop_game(game)
        return
    state.turn += 1
    state.active = seat
    state.actions = 1
    state.taken = state.used = ()
    state.rank = 0
    game.emit("turn_began", seat=seat, turn=state.turn)
    game.push(end_turn)
    game.push_procedure("turn")


def end_turn(game: Game) -> None:
    """Start the next player's turn, or end the game after a whole round of passes."""
    state = game.state
    state.passes = state.passes + 1 if state.taken == ("pass",) else 0
    if state.passes and state.passes >= len(seats_from(game, 0)):
        end_game(game, "passes")
    else:
        begin_turn(game, due_next(game))


# -- Actions -------------------------------------------------------------------------------------------------------


def take_actions(game: Game) -> None:
    """Ask for actions while one is left, or a free one may be used."""
    seat = game.state.active
    if game.state.actions > 0 or game.may_be_asked("action", seat):
        game.push(take_actions)
        game.ask("action", seat, actions_left=game.state.actions)


def while_actions_are_due(game: Game, _decision: Decision, verb: Verb) -> bool:
    """Return whether the verb is open: without actions left, only verbs that take none."""
    return not verb.action or game.state.actions > 0


def use_up_action(game: Game, _decision: Decision, move: Move) -> None:
    """Use up an action, if the verb takes one."""
    if game.ruleset.verbs[move.verb].action:
        game.spend_action(move.verb)


def pass_only_if_stuck(game: Game, decision: Decision) -> Iterator[Violation]:
    """Yield a violation if the seat passes as an action although another action is possible."""
    if game.state.actions > 0 and _can_act(game, decision):
        yield Violation("PASS_REFUSED", "verb", decision=decision.kind)


def _can_act(game: Game, decision: Decision) -> bool:
    return any(_takes_action(game, decision, verb) for verb in game.offered_verbs(decision))


def _takes_action(game: Game, decision: Decision, verb: Verb) -> bool:
    """Return whether a legal move with the verb takes an action. Free moves do not prevent passing."""
    if not verb.action and verb.takes_action is None:
        return False
    if verb.pays is not None and verb.name not in game.ruleset.vetoes:
        return any(affordable(game, decision.seat, offer) for offer in verb.pays.offers(game, decision))
    found = game.without_vetoed(verb, decision, (verb.brief or verb.moves)(game, decision))
    return any(verb.takes_action is None or verb.takes_action(game, decision, move) for move in found)


def verify_pass(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Yield a violation if the decision must be answered."""
    passing = game.ruleset.questions[decision.kind].kind.passing
    if passing is None:
        yield Violation("PASS_REFUSED", "verb", decision=decision.kind)
    else:
        yield from passing(game, decision)


def apply_pass(game: Game, decision: Decision, _move: Move) -> None:
    """Apply a pass."""
    game.emit("passed", seat=decision.seat, decision=decision.kind)
    if decision.kind == "action":
        game.state.actions = 0
        if not game.state.taken:
            game.state.taken = ("pass",)
    names = game.ruleset.step_names
    asking = [(names[take_actions],) if decision.kind == "action" else (names[ask_shared], decision.kind)]
    if game.state.agenda[-1:] == asking:
        game.state.agenda.pop()


def could_pass(game: Game, decision: Decision) -> bool:
    """Return whether passing may be legal. Some decisions must be answered; with an action left and an open card, there
    is something to do."""
    kind = game.ruleset.questions[decision.kind].kind
    if kind.passing is pass_only_if_stuck and game.state.actions > 0:
        take = game.ruleset.verbs["take_money"]
        can_take = game.state.display and take.name not in game.ruleset.vetoes and game.is_open(decision, take)
        return not can_take
    return kind.passing is not None


def passes(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield the pass if it is legal."""
    if could_pass(game, decision) and not any(verify_pass(game, decision, PASSING)):
        yield PASSING


def verify_end_actions(game: Game, _decision: Decision, _move: Move) -> Iterator[Violation]:
    """Yield a violation unless the options allow a player to forgo a bonus action."""
    if not game.options.rules["bonus_action_optional"]:
        yield Violation("CONDITION_UNMET", "verb", what="bonus_action_optional", need=True, have=False)
    if not game.state.taken:
        yield Violation("CONDITION_UNMET", "verb", what="actions_taken", need=1, have=0)


def could_end_actions(game: Game, _decision: Decision) -> bool:
    """Return whether the actions may be ended here. Public information."""
    # Asked at every position, so without building the violations.
    return bool(game.state.taken and game.options.rules["bonus_action_optional"])


def end_actions(game: Game, decision: Decision, _move: Move) -> None:
    """Forgo the bonus action."""
    game.state.actions = 0
    game.emit("passed", seat=decision.seat, decision=decision.kind)


def endings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield the move that ends the actions, if it is legal."""
    if could_end_actions(game, decision):
        yield ENDING


# -- Decisions that several modules share --------------------------------------------------------------------------


def ask_shared(game: Game, kind: str) -> None:
    """Ask the active seat while any module has something for it; a pass ends this."""
    seat = game.state.active
    if game.may_be_asked(kind, seat):
        game.push(ask_shared, kind)
        game.ask(kind, seat)


def ask_at_start(game: Game) -> None:
    """Ask at the start of the turn."""
    ask_shared(game, "start")


def not_closed_yet(game: Game, _decision: Decision, verb: Verb) -> bool:
    """Return whether the verb is open at `start`: verbs of a lower rank than one already used are closed. Passing is
    always open."""
    return verb.rank >= game.state.rank or verb.name == "pass"


def close_lower_ranks(game: Game, _decision: Decision, move: Move) -> None:
    """Close the verbs of lower rank at `start`."""
    state = game.state
    state.rank = max(state.rank, game.ruleset.verbs[move.verb].rank)


def ask_late(game: Game) -> None:
    """Ask after placing: extra redesigns and the like."""
    ask_shared(game, "late")


def ask_after(game: Game) -> None:
    """Ask after refilling, in the active player's order."""
    ask_shared(game, "after")


def confirm_turn(game: Game) -> None:
    """Ask the player to confirm the end of the turn, if the options say so. Until then the last placement can be
    undone."""
    if game.options.rules["confirm_turn"]:
        game.ask("end_turn", game.state.active)


# -- Interrupts between turns --------------------------------------------------------------------------------------


def open_window(game: Game) -> None:
    """Let other seats interrupt before the next turn, from the next player to the active one."""
    ask_window(game, 0, False)


def ask_window(game: Game, place: int, used: bool) -> None:
    """Ask one seat after another. A seat that interrupts is asked again; afterwards all seats are asked again from the
    first."""
    state = game.state
    seats = len(state.seats)
    while True:
        for at in range(place, seats):
            seat = (state.active + 1 + at) % seats
            if not state.seats[seat].resigned and game.may_be_asked("window", seat):
                game.push(after_window, at, used)
                game.ask("window", seat)
                return
            if used:
                break
        if not used:
            return
        place, used = 0, False


def after_window(game: Game, place: int, used: bool) -> None:
    """Continue after a pass. If the seat had interrupted, all seats are asked again."""
    ask_window(game, 0 if used else place + 1, False)


def interrupt(game: Game, *steps: tuple[Any, ...], run_goes_on: bool) -> None:
    """Use the window between turns: run these steps in order, each a function with its arguments. Then ask the same
    seat again, or, if it is done, all seats. Call this once per interrupt, anywhere between the answer to `window` and
    the end of its consequences: it changes the waiting item of the window on the agenda."""
    agenda, names = game.state.agenda, game.ruleset.step_names
    at = max(place for place, entry in enumerate(agenda) if entry[0] == names[after_window])
    place = agenda[at][1]
    agenda[at] = (names[ask_window], place, True) if run_goes_on else (names[ask_window], 0, False)
    for step, *args in reversed(steps):
        game.push(step, *args)


def refill(game: Game) -> None:
    """Refill the display at the end of the turn."""
    fill_display(game)


VERBS = (
    Verb("pass", "", verify_pass, apply_pass, passes, at=("*",), possible=could_pass),
    Verb(
        "end_actions",
        "",
        verify_end_actions,
        end_actions,
        endings,
        at=("action",),
        possible=could_end_actions,
    ),
)


def no_more_actions(game: Game, _decision: Decision) -> Iterator[Move]:
    """Yield a pass for a standing order at `action`, if no action is left. Public information."""
    if game.state.actions <= 0:
        yield PASSING


def for_sale(game: Game, _decision: Decision) -> Iterator[str]:
    """Yield what a window between turns is about: all tiles on the market with their slots, and all open cards."""
    for slot, tile in zip(SLOTS, game.state.market, strict=True):
        if tile:
            yield from (slot, tile)
    yield from game.state.display


DONE = StandingOrder("pass", "Pass when no action is left.", no_more_actions)
DECISIONS = (
    DecisionKind(
        "action",
        passing=pass_only_if_stuck,
        open=while_actions_are_due,
        open_by=attrgetter("state.actions"),
        answered=use_up_action,
        orders=(DONE,),
    ),
    DecisionKind(
        "start",
        passing=freely,
        open=not_closed_yet,
        open_by=attrgetter("state.rank"),
        answered=close_lower_ranks,
        orders=(PASS,),
    ),
    DecisionKind("late", passing=freely, orders=(PASS,)),
    DecisionKind("after", passing=freely, orders=(PASS,)),
    DecisionKind("window", passing=freely, orders=(PASS,), about=for_sale, concerns_others=True),
    DecisionKind("end_turn", passing=freely),
)
STEPS = (
    Step("turn.start", ask_at_start, asking="start"),
    Step("turn.main", take_actions),
    Step("turn.place", place_tiles),
    Step("turn.late", ask_late, asking="late"),
    Step("turn.confirm", confirm_turn),
    Step("turn.money", refill),
    Step("turn.scoring", hold_scorings),
    Step("turn.market", fill_market),
    Step("turn.after", ask_after, asking="after"),
    Step("turn.window", open_window, asking="window"),
)
AGENDA: Agenda = {
    "begin_game": begin_game,
    "end_turn": end_turn,
    "take_actions": take_actions,
    "place_tiles": place_tiles,
    "ask_shared": ask_shared,
    "ask_window": ask_window,
    "after_window": after_window,
}
