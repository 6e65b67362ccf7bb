"""The calls of GameService about the Alhambras of a game: whether and where a tile may be built, and pictures. They
change nothing.

`board_service.py` answers such questions about boards that are part of a request.
"""

from __future__ import annotations

from typing import Any

import grpc
from google.api import httpbody_pb2

from alhambra.svg import draw_board, draw_table
from alhambra_api.v1 import boards_pb2

from ...auth.access import Access
from ...boards.pictures import picture, theme_of
from ...boards.placements import JudgePlacement, legal_at, legal_placements, placement_judge, verdicts
from ...current_call import language_of
from ...games.game_commands import GameCommands, running
from ...games.loaded_game import LoadedGame
from ...games.visible_games import VisibleGames
from ...messages.field_checks import LimitedField, check_version
from ...messages.refusals import Refusal
from ...messages.translate import violations_to
from ..wrappers import as_message

PLACEMENTS = LimitedField(boards_pb2.BatchValidatePlacementsRequest, "placements")


class GameBoards:
    """The handlers of GameService for placements and pictures."""

    def __init__(self, commands: GameCommands, access: Access) -> None:
        self._commands = commands
        self._access = access
        self._games = VisibleGames(commands, access)

    # -- Placements --------------------------------------------------------------------------------------------------

    def ValidatePlacement(  # noqa: N802
        self, request: boards_pb2.ValidatePlacementRequest, context: grpc.ServicerContext
    ) -> boards_pb2.ValidatePlacementResponse:
        """Answer whether a tile may be built on a cell."""
        loaded, seat = self._whose(context, request)
        faults = _judge(loaded, seat)(request.placement)
        if not faults:
            return legal_at(loaded.stored.version)
        return boards_pb2.ValidatePlacementResponse(
            version=loaded.stored.version, violations=violations_to(faults, language_of(context))
        )

    def BatchValidatePlacements(  # noqa: N802
        self, request: boards_pb2.BatchValidatePlacementsRequest, context: grpc.ServicerContext
    ) -> boards_pb2.BatchValidatePlacementsResponse:
        """Answer for many placements in one Alhambra whether they are legal."""
        PLACEMENTS.check(request.placements)
        loaded, seat = self._whose(context, request)
        judged = map(_judge(loaded, seat), request.placements)
        answer: boards_pb2.BatchValidatePlacementsResponse = as_message(
            verdicts(loaded.version, judged, language_of(context))
        )
        return answer

    def ListLegalPlacements(  # noqa: N802
        self, request: boards_pb2.ListLegalPlacementsRequest, context: grpc.ServicerContext
    ) -> boards_pb2.ListLegalPlacementsResponse:
        """List every legal placement of a tile."""
        loaded, seat = self._whose(context, request)
        game = running(loaded)
        turn = request.rotation if request.HasField("rotation") else None
        found = legal_placements(game, seat, request.tile, turn)
        return boards_pb2.ListLegalPlacementsResponse(version=loaded.version, placements=found)

    def _whose(self, context: grpc.ServicerContext, request: Any) -> tuple[LoadedGame, int]:
        """Return the game and the seat whose Alhambra is used: the named one, else the caller's own."""
        loaded, own = self._games.find(self._access.caller(context), request.game, request.min_version)
        if not request.HasField("seat"):
            if own is None:
                raise Refusal.malformed("seat", "A seat is required when the caller has no seat.")
            return loaded, own
        if not 0 <= request.seat < len(loaded.seats):
            raise Refusal.malformed("seat", "There is no such seat.")
        return loaded, request.seat

    def _at(self, loaded: LoadedGame, request: Any) -> LoadedGame:
        """Return the game at the version that a request asks for; the given one if it asks for none."""
        if not request.HasField("at_version"):
            return loaded
        check_version(request.at_version, "at_version")
        if request.at_version > loaded.version:
            raise Refusal.stale(loaded.version)
        return self._commands.replay.at_version(request.game, loaded, request.at_version)

    # -- Pictures ------------------------------------------------------------------------------------------------------

    def GetBoardPicture(  # noqa: N802
        self, request: boards_pb2.GetBoardPictureRequest, context: grpc.ServicerContext
    ) -> httpbody_pb2.HttpBody:
        """Answer with a picture of an Alhambra."""
        loaded, seat = self._whose(context, request)
        game = running(self._at(loaded, request))
        return picture(draw_board(game, seat, theme_of(request.theme), language_of(context)))

    def GetTablePicture(  # noqa: N802
        self, request: boards_pb2.GetTablePictureRequest, context: grpc.ServicerContext
    ) -> httpbody_pb2.HttpBody:
        """Answer with a picture of the whole table."""
        loaded, _ = self._games.find(self._access.caller(context), request.game, request.min_version)
        return picture(draw_table(running(loaded), theme_of(request.theme), language_of(context)))


def _judge(loaded: LoadedGame, seat: int) -> JudgePlacement:
    """Return the function that judges placements in the Alhambra of a seat. It is kept with the loaded game."""
    found = loaded.judges.get(seat)
    if found is None:
        found = loaded.judges[seat] = placement_judge(running(loaded), seat)
    return found
