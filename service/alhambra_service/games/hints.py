"""Hints: what computer players would do in place of the seat that is asked, and what it gains.

The players decide on what the seat sees (`alhambra.players.advise`). The search may use HINT_SECONDS of CPU time, what
the greedy player took included. An answer is kept with the loaded game, so that asking again costs nothing.
"""

from __future__ import annotations

from random import SystemRandom

from alhambra.players import Advice, advise
from alhambra_api.v1 import hints_pb2

from .. import limits
from ..cpu_budget import CpuBudget
from ..messages.move_texts import Wording
from .game_commands import running
from .legal_moves import listed_move
from .loaded_game import LoadedGame


def suggest(loaded: LoadedGame, seat: int, language: str) -> hints_pb2.SuggestMovesResponse:
    """Return what computer players would do in place of a seat; nothing if it is not asked, or if the host of the game
    allows no hints."""
    answer = hints_pb2.SuggestMovesResponse(version=loaded.version, language=language, link=loaded.stored.link)
    game = running(loaded)
    if loaded.no_hints or game.decision is None or game.decision.seat != seat:
        return answer
    wording = Wording(language, loaded.names)
    budget = CpuBudget(limits.HINT_SECONDS, every=1)

    def message(advice: Advice) -> hints_pb2.Suggestion:
        found = hints_pb2.Suggestion(
            player=advice.player,
            move=listed_move(game, advice.move, wording),
            points_before=advice.points_before,
            points_after=advice.points_after,
            lead_tenths=round(10 * advice.lead),
            compared=advice.compared,
            rounds=advice.rounds,
        )
        if advice.next_best is not None:
            found.next_best.CopyFrom(listed_move(game, advice.next_best, wording))
        return found

    answer.suggestions.extend(map(message, advise(game, SystemRandom(), budget.spent)))
    return answer
