"""What is told of a game in the words of its own table: events with the names of its players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from alhambra import Event
from alhambra.module import Vocabulary
from alhambra_api.v1 import events_pb2

from ..games.table import Table
from .translate import event_to


def told_event(event: Event, table: Table, viewer: int | None, language: str | None = None) -> events_pb2.Event:
    """An event as one seat sees it, or a spectator. A seat that followed an order of its own is told so, no other."""
    assert table.game is not None
    return event_to(
        event,
        viewer,
        by_order=viewer is not None and table.by_order.get(event.version) == viewer,
        language=language,
        names=table.names,
        details=table.game.ruleset.table(Vocabulary).details,
    )


def told_events(
    events: Iterable[Event], table: Table, viewer: int | None, language: str | None = None
) -> Iterator[events_pb2.Event]:
    """Events as one seat sees them, or a spectator."""
    return (told_event(event, table, viewer, language) for event in events)
