"""Summaries of games for lists. A summary contains nothing that a spectator could not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alhambra_api.v1 import games_pb2, views_pb2

from .views import status_of, timestamp

if TYPE_CHECKING:
    from ..games.loaded_game import LoadedGame


def summary_to(game: str, loaded: LoadedGame) -> games_pb2.GameSummary:
    """Return the summary of a game."""
    message = games_pb2.GameSummary(
        game=game,
        version=loaded.version,
        status=status_of(loaded.game),
        edition=loaded.options.edition,
        modules=loaded.options.modules,
        create_time=timestamp(loaded.stored.created),
        open=loaded.open_to_anyone,
        language=loaded.language,
    )
    if loaded.updated:  # a delayed game has no time of the last change
        message.update_time.CopyFrom(timestamp(loaded.updated))
    for number, holder in enumerate(loaded.seats):
        seat = message.seats.add(seat=number, name=holder.name, colour=holder.colour)
        seat.occupancy = views_pb2.Occupancy.Value(f"OCCUPANCY_{holder.occupancy.upper()}")
        if loaded.game is not None:
            seat.resigned = loaded.game.state.seats[number].resigned
            seat.score = loaded.game.state.seats[number].score
    if loaded.decision is not None:
        message.decision_seat, message.decision_kind = loaded.decision.seat, loaded.decision.kind
    if loaded.expires is not None:
        message.expire_time.CopyFrom(timestamp(loaded.expires))
    return message
