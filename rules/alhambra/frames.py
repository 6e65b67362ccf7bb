"""The sequences of a game: which moments a turn, a purchase, a scoring and the end have, and in which order.

A frame is a sequence of moments. Base game and modules put steps into moments (`Step("turn.money", refill)`); within
one moment the module's number decides. The moments below are the engine's: the base game or several modules use them,
or they are open to any module. A moment that one module alone needs is declared by that module (`Module.moments`), next
to one of these, and exists in games with that module only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .violations import BadModule, Fault

if TYPE_CHECKING:
    from .module import Module
    from .parts import Moment

FRAMES: dict[str, tuple[str, ...]] = {
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
"""Every frame with the engine's moments in order."""
ENGINE_MOMENTS = frozenset(f"{frame}.{moment}" for frame, moments in FRAMES.items() for moment in moments)

PHASES = {
    **dict.fromkeys(("turn.award", "turn.start"), "START"),
    **dict.fromkeys(("turn.late", "turn.confirm"), "LATE"),
    **{f"turn.{name}": name.upper() for name in ("main", "place", "money", "scoring", "market", "after", "window")},
}
"""The phase of the turn that each of its moments belongs to."""

OWN_PHASES = ("START", "MAIN", "PLACE", "LATE")
"""The phases of a turn in which its player acts. Then come refills, scorings, and what other seats may do."""


def of_a_seat(moment: str, phases: Mapping[str, str]) -> bool:
    """Return whether a moment belongs to one seat: it is skipped if that seat has resigned. The others concern all.
    `phases` are those of the moments of a turn."""
    if moment in phases:
        return phases[moment] in OWN_PHASES
    frame = moment.partition(".")[0]
    return frame == "placed_now" or (frame == "purchase" and moment != "purchase.after")


def whose(frame: str, active: int, about: tuple[Any, ...]) -> int | None:
    """Return the seat that the moments of a running frame belong to, as far as they belong to one; None if they all
    concern every seat."""
    if frame == "turn":
        return active
    if frame == "purchase":
        seat: int = about[0].seat
        return seat
    return about[0] if frame == "placed_now" else None


SCORE_FRAMES = {
    "scoring.walls": "S1",
    "scoring.majorities": "S2",
    "scoring.gains": "S4",
    "scoring.penalties": "S4c",
}
"""How a score line names the moment that it belongs to; points of any other moment count at once."""

BEYOND_BOARDS = frozenset({"scoring.declare", "scoring.dirk"})
"""Moments of a scoring that are about more than the Alhambras: declarations, Dirk's gift."""


class Sequences(NamedTuple):
    """The frames of one game: the engine's moments and those of its modules."""

    moments: dict[str, tuple[str, ...]]
    """By frame: its moments in order."""
    phases: dict[str, str]
    """By moment of a turn: the phase that it belongs to."""
    score_frames: dict[str, str]
    """By moment: how a score line names it."""
    beyond_boards: frozenset[str]
    """The moments of a scoring that are about more than the Alhambras."""


def compile_sequences(records: Iterable[Module]) -> Sequences:
    """Return the frames with the moments of these modules, which stand in their order. Moments at the same place are
    ordered by their `rank`, then by their modules. Raise BadModule if two modules bring a moment of the same name."""
    owners: dict[str, str] = {}
    beside: dict[tuple[str, bool], list[Moment]] = {}
    phases, score_frames, beyond = dict(PHASES), dict(SCORE_FRAMES), set(BEYOND_BOARDS)
    for record in records:
        for moment in record.moments:
            if moment.name in owners:
                other = owners[moment.name]
                raise BadModule(record.key, Fault("moments", f"the module {other!r} also brings {moment.name!r}"))
            owners[moment.name] = record.key
            anchor = moment.after or moment.before
            beside.setdefault((anchor, bool(moment.after)), []).append(moment)
            if anchor in PHASES:
                phases[moment.name] = PHASES[anchor]
            if moment.score_frame:
                score_frames[moment.name] = moment.score_frame
            if moment.beyond_boards:
                beyond.add(moment.name)

    def names(anchor: str, *, after: bool) -> list[str]:
        return [moment.name for moment in sorted(beside.get((anchor, after), ()), key=lambda moment: moment.rank)]

    moments = {
        frame: tuple(
            name.partition(".")[2]
            for anchor in (f"{frame}.{moment}" for moment in own)
            for name in (*names(anchor, after=False), anchor, *names(anchor, after=True))
        )
        for frame, own in FRAMES.items()
    }
    return Sequences(moments, phases, score_frames, frozenset(beyond))
