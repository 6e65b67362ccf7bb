"""Completing one or two projects is an action; from then on each building of their types scores 2 points."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.scoring import count_buildings, score
from ...base.supply import missing
from ...game import Game
from ...module import DecisionKind, Verb, freely
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .plan import DATA, PROJECTS, Plan, changed, return_colours

POINTS: int = DATA["points_per_building"]


def _completable(game: Game, seat: int) -> list[str]:
    """Return the projects of a seat whose colour tiles it has."""
    plan = game.module_state(Plan)
    return [piece for piece in plan.uncompleted[seat] if not missing(plan.colours[seat], PROJECTS[piece].requires)]


def verify_complete(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One's own project that is not completed, and all colour tiles that it shows."""
    plan = game.module_state(Plan)
    if move.piece not in game.ruleset.pieces:
        yield Violation("ID_UNKNOWN", "piece", id=move.piece)
    elif move.piece not in plan.uncompleted[decision.seat]:
        yield Violation("NOT_THERE", "piece", id=move.piece, place="held")
    else:
        required = PROJECTS[move.piece].requires
        lacking = missing(plan.colours[decision.seat], required)
        if lacking:
            need, have = len(required), len(required) - len(lacking)
            yield Violation("CONDITION_UNMET", "piece", what="colours", need=need, have=have)


def complete(game: Game, decision: Decision, move: Move) -> None:
    """The colour tiles return to the supply, the project is turned over; as an action it may be followed by another."""
    project = need(move.piece)
    plan, seat, required = game.module_state(Plan), decision.seat, PROJECTS[project].requires
    plan.uncompleted = changed(
        plan.uncompleted, seat, tuple(piece for piece in plan.uncompleted[seat] if piece != project)
    )
    plan.completed = changed(plan.completed, seat, (*plan.completed[seat], project))
    game.emit("fresh_completed", seat=seat, piece=project, types=required)
    return_colours(game, seat, required)
    if decision.kind == "action" and _completable(game, seat):
        game.ask("second_project", seat)


def completions(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every project whose colour tiles the seat has."""
    for piece in _completable(game, decision.seat):
        yield Move("complete_project", piece=piece)


def could_complete(game: Game, decision: Decision) -> bool:
    """Return whether the seat has the colour tiles of a project: everybody sees that."""
    return bool(_completable(game, decision.seat))


def score_decorations(game: Game, number: int) -> None:
    """Points for each building of every decorated type, seat by seat."""
    for seat, completed in enumerate(game.module_state(Plan).completed):
        if completed:
            built = count_buildings(game, seat)
            for piece in completed:
                name = PROJECTS[piece].type
                if built[name]:
                    score(game, seat, POINTS * built[name], "decoration", scoring=number, type=name, count=built[name])


COMPLETE_PROJECT = Verb(
    "complete_project",
    "piece",
    verify_complete,
    complete,
    completions,
    at=("action",),
    action=True,
    possible=could_complete,
)
SECOND_PROJECT = DecisionKind("second_project", verbs=("complete_project",), passing=freely)
