"""BoardService: what the rules say about an Alhambra that is sent along. Nothing is stored, nobody need be known.

A placement is judged by the construction rules alone, those of the wanted modules included: not whose turn it is, not
whether anybody has the tile, the gate or the helper. What boards score is what the rules themselves would score for
them, line by line; what a module scores from things beyond the boards is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import grpc

from alhambra import Event, Game, Violation
from alhambra.boards import LaidBoards, PlacementJudge
from alhambra_api.v1 import boards_pb2, service_pb2_grpc
from alhambra_api.values import set_value

from ..messages.languages import language_of
from ..messages.nouns import number_of
from ..messages.refusals import Refusal
from ..messages.translate import violations_to
from .sent_boards import give_to_dirk, lay_out

SCORINGS = (1, 2, 3)
SEATS = (2, 6)
"""The fewest and the most that the rules know. One board is compared with an empty one."""
JudgePlacement: TypeAlias = Callable[[boards_pb2.Placement], Sequence[Violation]]
"""Finds everything that speaks against a placement."""


class BoardServicer(service_pb2_grpc.BoardServiceServicer):
    """The stateless calls."""

    def ValidateBoardPlacement(  # noqa: N802
        self, request: boards_pb2.ValidateBoardPlacementRequest, context: grpc.ServicerContext
    ) -> boards_pb2.ValidateBoardPlacementResponse:
        """Whether a tile may be built on a board."""
        laid = lay_out(request.rules, SEATS[0], [request.board])
        found = violations_to(read_by(laid.judge(0))(request.placement), language_of(context))
        return boards_pb2.ValidateBoardPlacementResponse(legal=not found, violations=found)

    def ScoreBoard(  # noqa: N802
        self, request: boards_pb2.ScoreBoardRequest, context: grpc.ServicerContext
    ) -> boards_pb2.ScoreBoardResponse:
        """What boards would score, compared with each other."""
        if not 1 <= len(request.boards) <= SEATS[1]:
            raise Refusal.malformed("boards", f"There are 1 to {SEATS[1]} boards.")
        if request.scoring not in SCORINGS:
            raise Refusal.malformed("scoring", "The scoring is 1, 2 or 3.")
        laid = lay_out(request.rules, max(SEATS[0], len(request.boards)), request.boards)
        if request.dirk_tiles:
            if len(request.boards) != SEATS[0]:
                raise Refusal.malformed("dirk_tiles", "Dirk competes with two boards only.")
            give_to_dirk(laid, request.dirk_tiles)
        lines = laid.score_lines(request.scoring)
        scores = [_board_score(laid, seat, lines, laid.longest_wall(seat)) for seat in range(len(request.boards))]
        if request.dirk_tiles:
            scores.append(_board_score(laid, SEATS[0], lines))
        return boards_pb2.ScoreBoardResponse(scores=scores)


# -- Placements ------------------------------------------------------------------------------------------------------


def placement_faults(game: Game, seat: int, placement: boards_pb2.Placement) -> Sequence[Violation]:
    """Everything that the construction rules have against a placement in the Alhambra of a seat."""
    return placement_judge(game, seat)(placement)


def placement_judge(game: Game, seat: int) -> JudgePlacement:
    """Judges many placements in one Alhambra: what they have in common is looked up once."""
    return read_by(PlacementJudge(game, seat))


def read_by(judge: PlacementJudge) -> JudgePlacement:
    """Judges placements as they are sent."""
    upright, faults = judge.upright, judge.faults

    def judged(placement: boards_pb2.Placement) -> Sequence[Violation]:
        cell = placement.cell
        x, y = cell.x, cell.y
        # Most placements are plain: a tile as it lies, somewhere. A missing cell reads as 0, 0.
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


# -- Scores ----------------------------------------------------------------------------------------------------------


def _board_score(laid: LaidBoards, seat: int, lines: list[Event], wall: int = 0) -> boards_pb2.BoardScore:
    own = [_line(event) for event in lines if event.public["seat"] == seat]
    message = boards_pb2.BoardScore(points=sum(line.points for line in own), lines=own, longest_wall=wall)
    for name, count in laid.buildings(seat).items():
        if count:
            message.type_counts.add(type=number_of("type", name), count=count)
    return message


def _line(event: Event) -> boards_pb2.ScoreLine:
    told = dict(event.public)
    del told["seat"]
    message = boards_pb2.ScoreLine(
        reason=told.pop("reason"),
        points=told.pop("points"),
        type=number_of("type", told.pop("type", None)),
        tile=told.pop("tile", None) or "",
        count=told.pop("count", 0),
        place=told.pop("place", 0),
        shared=told.pop("shared", 0),
    )
    for name, fact in told.items():
        set_value(message.facts[name], fact)
    return message
