"""Procedures: the stages of a turn, a purchase, a scoring and the end of the game, in order.

The base game and modules add steps to stages: `Step("turn.money", refill)`. Within a stage, steps run in the order of
module numbers. The stages below are used by the base game or several modules, or are open to any module. A stage that
only one module needs is declared by that module (`Module.stages`), relative to one of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .violations import BadModule, Fault

if TYPE_CHECKING:
    from .hook_types import Stage
    from .module import Module

PROCEDURES: dict[str, tuple[str, ...]] = {
    # Before the first turn. The market is filled after the players' choices.
    "setup": ("deal", "choices", "market", "dirk", "money", "begin"),
    # One turn, from awards before it to interrupts before the next one.
    "turn": (
        *("award", "start", "main", "place", "late", "confirm"),
        *("money", "scoring", "market", "after", "window"),
    ),
    # After payment: change for overpaying, extras of the tile, the further action, cleanup.
    "purchase": ("coins", "building", "bonus", "after"),
    # After a seat has placed all tiles gained out of turn; steps receive the seat.
    "placed_now": ("lapse",),
    # Filling one empty market space; steps receive its number, 0 to 3. `source` fills it from other sources, `draw`
    # from the tower if it is still empty.
    "space": ("source", "draw"),
    # One scoring; steps receive its number.
    "scoring": ("declare", "walls", "majorities", "gains", "penalties", "dirk"),
    # The end of the game.
    "end": ("lapse", "distribution", "building", "scoring", "result"),
    # One market space with a leftover tile at the end of the game; steps receive its number. `award` ignores tiles that
    # an earlier step has removed.
    "leftover": ("award",),
}
"""The stages of each procedure, in order, without those of modules."""
ENGINE_STAGES = frozenset(f"{procedure}.{stage}" for procedure, stages in PROCEDURES.items() for stage in stages)

PHASES = {
    **dict.fromkeys(("turn.award", "turn.start"), "START"),
    **dict.fromkeys(("turn.late", "turn.confirm"), "LATE"),
    **{f"turn.{name}": name.upper() for name in ("main", "place", "money", "scoring", "market", "after", "window")},
}
"""The phase of each stage of a turn."""

OWN_PHASES = ("START", "MAIN", "PLACE", "LATE")
"""The phases in which the active player acts. Refills, scorings and other players' decisions follow."""


def belongs_to_seat(stage: str, phases: Mapping[str, str]) -> bool:
    """Return whether a stage belongs to one seat, so that it is skipped if that seat resigned. `phases` maps stages of
    a turn to phases."""
    if stage in phases:
        return phases[stage] in OWN_PHASES
    procedure = stage.partition(".")[0]
    return procedure == "placed_now" or (procedure == "purchase" and stage != "purchase.after")


def owner_of(procedure: str, about: tuple[Any, ...]) -> int | None:
    """Return the seat to which the seat-bound stages of a running procedure belong; None if it has none. Those of a
    turn belong to the active seat."""
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
"""Names of stages in score lines. Points of other stages count at once."""

BEYOND_BOARDS = frozenset({"scoring.declare", "scoring.dirk"})
"""Stages of a scoring that concern more than the Alhambras: declarations and Dirk."""


class Procedures(NamedTuple):
    """The procedures of one game, including the stages of its modules."""

    stages: dict[str, tuple[str, ...]]
    """Stages of each procedure, in order."""
    phases: dict[str, str]
    """Phase of each stage of a turn."""
    score_stages: dict[str, str]
    """Name of each stage in score lines."""
    beyond_boards: frozenset[str]
    """Stages of a scoring that concern more than the Alhambras."""


def compile_procedures(modules: Iterable[Module]) -> Procedures:
    """Return the procedures of a game with these modules. Stages with the same anchor are ordered by `rank`, then by
    module. Raise BadModule if two modules declare a stage of the same name."""
    owners: dict[str, str] = {}
    beside: dict[tuple[str, bool], list[Stage]] = {}
    phases, score_stages, beyond = dict(PHASES), dict(SCORE_STAGES), set(BEYOND_BOARDS)
    for module in modules:
        for stage in module.stages:
            if stage.name in owners:
                other = owners[stage.name]
                raise BadModule(module.key, Fault("stages", f"the module {other!r} also declares {stage.name!r}"))
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
