"""BoardService: judges and scores Alhambras that are part of a request. Nothing is stored, and callers need no
credentials.

A placement is judged by the construction rules of the base game and the given modules alone. Whose turn it is, and
which seat has the tile, the gate or the helper, does not matter. Boards get the lines that the rules would score for
them; lines of modules that depend on other things than boards are left out.
"""

from __future__ import annotations

import grpc

from alhambra_api.v1 import boards_pb2, service_pb2_grpc

from ...boards.placements import message_judge
from ...boards.scored_boards import score_to
from ...boards.sent_boards import give_to_dirk, lay_out
from ...current_call import language_of
from ...messages.field_checks import LimitedField
from ...messages.refusals import Refusal
from ...messages.translate import violations_to

FEWEST_SEATS = 2
"""The fewest and the most seats of a game. A single board is compared with an empty one."""
BOARDS = LimitedField(boards_pb2.ScoreBoardRequest, "boards", "There are {min_items} to {max_items} boards.")
SCORING = LimitedField(boards_pb2.ScoreBoardRequest, "scoring", "The scoring is {choices}.")


class BoardServicer(service_pb2_grpc.BoardServiceServicer):
    """The stateless calls."""

    def ValidateBoardPlacement(  # noqa: N802
        self, request: boards_pb2.ValidateBoardPlacementRequest, context: grpc.ServicerContext
    ) -> boards_pb2.ValidateBoardPlacementResponse:
        """Answer whether a tile may be built on a board."""
        laid = lay_out(request.rules, FEWEST_SEATS, [request.board])
        found = violations_to(message_judge(laid.judge(0))(request.placement), language_of(context))
        return boards_pb2.ValidateBoardPlacementResponse(legal=not found, violations=found)

    def ScoreBoard(  # noqa: N802
        self, request: boards_pb2.ScoreBoardRequest, context: grpc.ServicerContext
    ) -> boards_pb2.ScoreBoardResponse:
        """Answer with the scores of boards, compared with each other."""
        BOARDS.check(request.boards)
        SCORING.check(request.scoring)
        laid = lay_out(request.rules, max(FEWEST_SEATS, len(request.boards)), request.boards)
        if request.dirk_tiles:
            if len(request.boards) != FEWEST_SEATS:
                raise Refusal.malformed("dirk_tiles", "Dirk competes with two boards only.")
            give_to_dirk(laid, request.dirk_tiles)
        lines = laid.score_lines(request.scoring)
        scores = [score_to(laid, seat, lines, laid.longest_wall(seat)) for seat in range(len(request.boards))]
        if request.dirk_tiles:
            scores.append(score_to(laid, FEWEST_SEATS, lines))
        return boards_pb2.ScoreBoardResponse(scores=scores)
