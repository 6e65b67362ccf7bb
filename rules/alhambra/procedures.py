"""The sequences of a game: which stages a turn, a purchase, a scoring and the end have, and in which order.

A procedure is a sequence of stages. Base game and modules put steps into stages (`Step("turn.money", refill)`);
within one stage the module's number decides. The stages below are the engine's: the base game or several modules use
them, or they are open to any module. A stage that one module alone needs is declared by that module
(`Module.stages`), next to one of these, and exists in games with that module only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .violations import BadModule, Fault

if TYPE_CHECKING:
    from .hook_types import Stage
    from .module import Module

PROCEDURES: dict[str, tuple[str, ...]] = {
    # Before the first turn. The market is filled after the players' secret or open choices.
    "setup": ("deal", "choices", "market", "dirk", "money", "begin"),
    # One turn, from what is awarded before it to the interrupts before the next.
    "turn": (
        *("award", "start", "main", "place", "late", "confirm"),
        *("money", "scoring", "market", "after", "window"),
    ),
    # After a purchase was paid: what overpaying gives, what comes with the tile, the further action, and what is done
    # when the purchase is over.
    "purchase": ("coins", "building", "bonus", "after"),
    # A seat has placed everything that it gained out of turn; steps get the seat.
    "placed_now": ("lapse",),
    # An empty market space is to be filled; steps get its number, 0 to 3. `source` fills it from elsewhere than the
    # tower, `draw` from there if it is still empty.
    "space": ("source", "draw"),
    # One scoring; steps get its number.
    "scoring": ("declare", "walls", "majorities", "gains", "penalties", "dirk"),
    # The end of the game.
    "end": ("lapse", "distribution", "building", "scoring", "result"),
    # One market space whose tile is left over at the end; steps get its number. What a step before `award` gives out or
    # removes is not there any more when `award` looks at the space.
    "leftover": ("award",),
}
"""Every procedure with the engine's stages in order."""
ENGINE_STAGES = frozenset(f"{procedure}.{stage}" for procedure, stages in PROCEDURES.items() for stage in stages)

PHASES = {
    **dict.fromkeys(("turn.award", "turn.start"), "START"),
    **dict.fromkeys(("turn.late", "turn.confirm"), "LATE"),
    **{f"turn.{name}": name.upper() for name in ("main", "place", "money", "scoring", "market", "after", "window")},
}
"""The phase of the turn that each of its stages belongs to."""

OWN_PHASES = ("START", "MAIN", "PLACE", "LATE")
"""The phases of a turn in which its player acts. Then come refills, scorings, and what other seats may do."""


def of_a_seat(stage: str, phases: Mapping[str, str]) -> bool:
    """Return whether a stage belongs to one seat: it is skipped if that seat has resigned. The others concern all.
    `phases` are those of the stages of a turn."""
    if stage in phases:
        return phases[stage] in OWN_PHASES
    procedure = stage.partition(".")[0]
    return procedure == "placed_now" or (procedure == "purchase" and stage != "purchase.after")


def whose(procedure: str, active: int, about: tuple[Any, ...]) -> int | None:
    """Return the seat that the stages of a running procedure belong to, as far as they belong to one; None if they all
    concern every seat."""
    if procedure == "turn":
        return active
    if procedure == "purchase":
        seat: int = about[0].seat
        return seat
    return about[0] if procedure == "placed_now" else None


SCORE_STAGES = {
    "scoring.walls": "S1",
    "scoring.majorities": "S2",
    "scoring.gains": "S4",
    "scoring.penalties": "S4c",
}
"""How a score line names the stage that it belongs to; points of any other stage count at once."""

BEYOND_BOARDS = frozenset({"scoring.declare", "scoring.dirk"})
"""Stages of a scoring that are about more than the Alhambras: declarations, Dirk's gift."""


class Procedures(NamedTuple):
    """The procedures of one game: the engine's stages and those of its modules."""

    stages: dict[str, tuple[str, ...]]
    """By procedure: its stages in order."""
    phases: dict[str, str]
    """By stage of a turn: the phase that it belongs to."""
    score_stages: dict[str, str]
    """By stage: how a score line names it."""
    beyond_boards: frozenset[str]
    """The stages of a scoring that are about more than the Alhambras."""


def compile_procedures(modules: Iterable[Module]) -> Procedures:
    """Return the procedures with the stages of these modules, which stand in their order. Stages at the same place
    are ordered by their `rank`, then by their modules. Raise BadModule if two modules bring a stage of the same
    name."""
    owners: dict[str, str] = {}
    beside: dict[tuple[str, bool], list[Stage]] = {}
    phases, score_stages, beyond = dict(PHASES), dict(SCORE_STAGES), set(BEYOND_BOARDS)
    for module in modules:
        for stage in module.stages:
            if stage.name in owners:
                other = owners[stage.name]
                raise BadModule(module.key, Fault("stages", f"the module {other!r} also brings {stage.name!r}"))
            owners[stage.name] = module.key
            anchor = stage.after or stage.before
            beside.setdefault((anchor, bool(stage.after)), []).append(stage)
            if anchor in PHASES:
                phases[stage.name] = PHASES[anchor]
            if stage.score_stage:
                score_stages[stage.name] = stage.score_stage
            if stage.beyond_boards:
                beyond.add(stage.name)

    def names(anchor: str, *, after: bool) -> list[str]:
        return [stage.name for stage in sorted(beside.get((anchor, after), ()), key=lambda stage: stage.rank)]

    stages = {
        procedure: tuple(
            name.partition(".")[2]
            for anchor in (f"{procedure}.{stage}" for stage in own)
            for name in (*names(anchor, after=False), anchor, *names(anchor, after=True))
        )
        for procedure, own in PROCEDURES.items()
    }
    return Procedures(stages, phases, score_stages, frozenset(beyond))
