"""TableService: what people at a table use besides the game itself. Nothing here changes a game."""

from __future__ import annotations

from contextlib import suppress

import grpc

from alhambra_api.v1 import hints_pb2, reactions_pb2, reviews_pb2, service_pb2_grpc

from ... import limits
from ...auth.access import Access
from ...current_call import language_of
from ...events.reviews import Reviews
from ...games.game_commands import GameCommands
from ...games.hints import suggest
from ...games.reactions import Phrase, Reactions, checked
from ...games.visible_games import VisibleGames
from ...messages.refusals import Refusal
from ...messages.reviews import review_to
from ...store import StoreUnavailable
from ..wrappers import as_message


class TableServicer(service_pb2_grpc.TableServiceServicer):
    """The handlers of TableService."""

    def __init__(self, commands: GameCommands, access: Access) -> None:
        self._access = access
        self._now = commands.now
        self._games = VisibleGames(commands, access)
        self._reviews = Reviews(commands.store)
        self._reactions = Reactions(commands.store.client)

    def SuggestMoves(  # noqa: N802
        self, request: hints_pb2.SuggestMovesRequest, context: grpc.ServicerContext
    ) -> hints_pb2.SuggestMovesResponse:
        """Answer with what computer players would do in place of the seat, and tell the others that it asked."""
        loaded, seat = self._games.find_seat(self._access.caller(context), request.game, request.min_version)
        language = language_of(context)

        def made() -> hints_pb2.SuggestMovesResponse:
            answer = suggest(loaded, seat, language)
            if answer.suggestions:
                with suppress(StoreUnavailable, Refusal):  # the hint is given even if the others cannot be told
                    self._reactions.say(request.game, seat, Phrase.PHRASE_ASKED_FOR_HINT, self._now())
            return answer

        kept: hints_pb2.SuggestMovesResponse = as_message(loaded.cached_answer(("SuggestMoves", seat, language), made))
        return kept

    def React(  # noqa: N802
        self, request: reactions_pb2.ReactRequest, context: grpc.ServicerContext
    ) -> reactions_pb2.ReactResponse:
        """Say a phrase to everybody who follows the game."""
        loaded, seat = self._games.find_seat(self._access.caller(context), request.game)
        self._reactions.say(request.game, seat, checked(request.phrase), self._now())
        return reactions_pb2.ReactResponse(version=loaded.version)

    def GetReview(  # noqa: N802
        self, request: reviews_pb2.GetReviewRequest, context: grpc.ServicerContext
    ) -> reviews_pb2.GetReviewResponse:
        """Answer with the course of a finished game."""
        loaded, _ = self._games.find(self._access.caller(context), request.game, request.min_version)
        language = language_of(context)
        answer = reviews_pb2.GetReviewResponse(version=loaded.version, language=language)
        if not loaded.over:
            return answer
        found = self._reviews.of(request.game, loaded)
        if found is None:
            answer.complete = True
        else:
            review, answer.complete = found
            review_to(review, limits.KEY_MOVES if answer.complete else 0, language, loaded.names, answer)
        return answer
