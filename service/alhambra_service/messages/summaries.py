"""Summaries of games for lists. A summary contains nothing that a spectator could not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alhambra_api.v1 import games_pb2, views_pb2

from .views import status_of, timestamp

if TYPE_CHECKING:
    from ..games.table import Table


def summary_to(game: str, table: Table) -> games_pb2.GameSummary:
    """Return the summary of a game."""
    message = games_pb2.GameSummary(
        game=game,
        version=table.version,
        status=status_of(table.game),
        edition=table.options.edition,
        modules=table.options.modules,
        create_time=timestamp(table.record.created),
    )
    if table.updated:  # a delayed table has no time of the last change
        message.update_time.CopyFrom(timestamp(table.updated))
    for number, holder in enumerate(table.seats):
        seat = message.seats.add(seat=number, name=holder.name, colour=holder.colour)
        seat.occupancy = views_pb2.Occupancy.Value(f"OCCUPANCY_{holder.occupancy.upper()}")
        if table.game is not None:
            seat.resigned = table.game.state.seats[number].resigned
            seat.score = table.game.state.seats[number].score
    if table.decision is not None:
        message.decision_seat, message.decision_kind = table.decision.seat, table.decision.kind
    if table.expires is not None:
        message.expire_time.CopyFrom(timestamp(table.expires))
    return message
