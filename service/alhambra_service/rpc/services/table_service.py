"""TableService: what people at a table use besides the game itself. Nothing here changes a game."""

from __future__ import annotations

import grpc

from alhambra_api.v1 import hints_pb2, service_pb2_grpc

from ...auth.access import Access
from ...current_call import language_of
from ...games.game_commands import GameCommands
from ...games.hints import suggest
from ...games.visible_games import VisibleGames
from ..wrappers import as_message


class TableServicer(service_pb2_grpc.TableServiceServicer):
    """The handlers of TableService."""

    def __init__(self, commands: GameCommands, access: Access) -> None:
        self._access = access
        self._games = VisibleGames(commands, access)

    def SuggestMoves(  # noqa: N802
        self, request: hints_pb2.SuggestMovesRequest, context: grpc.ServicerContext
    ) -> hints_pb2.SuggestMovesResponse:
        """Answer with what computer players would do in place of the seat."""
        loaded, seat = self._games.find_seat(self._access.caller(context), request.game, request.min_version)
        language = language_of(context)
        kept: hints_pb2.SuggestMovesResponse = as_message(
            loaded.cached_answer(("SuggestMoves", seat, language), lambda: suggest(loaded, seat, language))
        )
        return kept
