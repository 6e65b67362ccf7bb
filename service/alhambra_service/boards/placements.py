"""Where a tile may be built in an Alhambra of a game. Only the construction rules and public facts decide, so every
caller gets the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from alhambra import Game, Violation
from alhambra.boards import PlacementJudge
from alhambra_api.v1 import boards_pb2, nouns_pb2

from .. import limits
from ..messages.field_checks import LimitedField
from ..messages.translate import violation_key, violations_to

JudgePlacement: TypeAlias = Callable[[boards_pb2.Placement], Sequence[Violation]]
"""Returns all violations of a placement."""
ROTATION = LimitedField(boards_pb2.ListLegalPlacementsRequest, "rotation", "A tile is turned by {choices} degrees.")


# -- Judging -----------------------------------------------------------------------------------------------------------


def placement_faults(game: Game, seat: int, placement: boards_pb2.Placement) -> Sequence[Violation]:
    """Return all violations of the construction rules by a placement in the Alhambra of a seat."""
    return placement_judge(game, seat)(placement)


def placement_judge(game: Game, seat: int) -> JudgePlacement:
    """Return a function that judges placements in one Alhambra. What they have in common is looked up once."""
    return message_judge(PlacementJudge(game, seat))


def message_judge(judge: PlacementJudge) -> JudgePlacement:
    """Return a function that judges placements of a request."""
    upright, faults = judge.upright, judge.faults

    def judged(placement: boards_pb2.Placement) -> Sequence[Violation]:
        cell = placement.cell
        x, y = cell.x, cell.y
        # Most placements have only a tile and a cell. A missing cell reads as 0, 0.
        if (x or y) and not (placement.choice or placement.items or placement.HasField("rotation")):
            return upright(placement.tile, x, y)
        return faults(
            placement.tile or None,
            (x, y) if placement.HasField("cell") else None,
            placement.rotation if placement.HasField("rotation") else None,
            placement.items,
            placement.choice or None,
        )

    return judged


# -- Answers -----------------------------------------------------------------------------------------------------------


@lru_cache(limits.LOG_PAGE)
def legal_at(version: int) -> boards_pb2.ValidatePlacementResponse:
    """Return the answer for a legal placement at this version. All callers share the message: never change it."""
    return boards_pb2.ValidatePlacementResponse(version=version, legal=True)


def verdicts(version: int, judged: Iterable[Sequence[Violation]], language: str) -> bytes:
    """Return the answer for many placements, a BatchValidatePlacementsResponse, given the violations of each. Verdicts
    are encoded once, kept and joined, because joined bytes of messages are the bytes of the joined messages."""
    parts = [boards_pb2.BatchValidatePlacementsResponse(version=version).SerializeToString()]
    parts += [_verdict(faults, language) if faults else LEGAL for faults in judged]
    return b"".join(parts)


def _verdict(faults: Sequence[Violation], language: str) -> bytes:
    key = (language, *map(violation_key, faults))
    found = _VERDICTS.get(key)
    if found is None:
        found = _written(boards_pb2.PlacementVerdict(violations=violations_to(faults, language)))
        if len(_VERDICTS) >= limits.VERDICTS_KEPT:
            _VERDICTS.clear()
        _VERDICTS[key] = found
    return found


def _written(verdict: boards_pb2.PlacementVerdict) -> bytes:
    return boards_pb2.BatchValidatePlacementsResponse(verdicts=[verdict]).SerializeToString()


LEGAL = _written(boards_pb2.PlacementVerdict(legal=True))
_VERDICTS: dict[tuple[object, ...], bytes] = {}


def legal_placements(game: Game, seat: int, tile_id: str, rotation: int | None) -> Iterator[boards_pb2.Placement]:
    """Return every legal placement of a tile, row by row from the north, for each rotation. Raises IllegalMove
    if there is no such tile."""
    if rotation is not None:
        ROTATION.check(rotation)
    for (x, y), turn in PlacementJudge(game, seat).places(tile_id, rotation):
        placement = boards_pb2.Placement(tile=tile_id, cell=nouns_pb2.Cell(x=x, y=y))
        if turn:
            placement.rotation = turn
        yield placement
