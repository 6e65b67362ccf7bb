"""Events as messages: each viewer gets what it may know, and the private part of an event goes to its own seat only.

Events, their private parts, pieces and moves have the same nouns. A value that the field of a noun cannot hold is
written as a fact, so nothing is lost.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from alhambra import BASE, Event
from alhambra.module import Vocabulary
from alhambra.moves import NOUNS
from alhambra.texts import tell_event
from alhambra_api.v1 import events_pb2, nouns_pb2
from alhambra_api.values import set_value

from .event_ids import LINK_DIGITS
from .nouns import LISTS, NUMBERS, TEXTS, WORDS, Carrier

if TYPE_CHECKING:
    from ..games.loaded_game import LoadedGame

FactCarrier = nouns_pb2.Piece | events_pb2.Event | events_pb2.EventPart
"""A message that has nouns and facts."""


def put_events(
    messages: Any,
    events: Iterable[Event],
    links: Mapping[int, str],
    loaded: LoadedGame,
    viewer: int | None,
    language: str | None = None,
) -> None:
    """Add events of a game to a repeated field, as a seat or a spectator (`viewer` None) sees them. `links` has the
    link of each of their versions. A seat sees whether its own standing order made an entry."""
    assert loaded.game is not None
    details, names = loaded.game.ruleset.table(Vocabulary).details, loaded.names
    for event in events:
        event_to(
            event,
            viewer,
            links[event.version],
            by_order=viewer is not None and loaded.by_order.get(event.version) == viewer,
            language=language,
            names=names,
            details=details,
            message=messages.add(),
        )


def events_for_viewer(
    events: Iterable[Event],
    links: Mapping[int, str],
    loaded: LoadedGame,
    viewer: int | None,
    language: str | None = None,
) -> Iterator[events_pb2.Event]:
    """Generate events of a game as `put_events` adds them."""
    if loaded.game is None:
        return  # a game has no events before the deal
    details = loaded.game.ruleset.table(Vocabulary).details
    for event in events:
        by_order = viewer is not None and loaded.by_order.get(event.version) == viewer
        link = links[event.version]
        yield event_to(event, viewer, link, by_order=by_order, language=language, names=loaded.names, details=details)


def event_to(
    event: Event,
    viewer: int | None,
    link: str,
    *,
    by_order: bool = False,
    language: str | None = None,
    names: Sequence[str] = (),
    details: Container[str] = BASE.details,
    message: events_pb2.Event | None = None,
) -> events_pb2.Event:
    """Return an event as a seat sees it, or as a spectator sees it (`viewer` None).

    link        the link of the event's version, of which the id shows the first digits
    by_order    the viewer's own standing order made the entry; no other viewer sees that
    language    add a sentence in this language, made of public facts; `names` are those of the players
    details     the kinds of events that are bookkeeping
    message     write the event into this message
    """
    if message is None:
        message = events_pb2.Event()
    message.kind, message.version, message.index = event.kind, event.version, event.index
    message.id = f"{event.version}.{event.index}.{link[:LINK_DIGITS]}"  # as `event_id`, without a call
    message.level = events_pb2.EVENT_LEVEL_DETAIL if event.kind in details else events_pb2.EVENT_LEVEL_STORY
    facts = event.public
    if "forced" in facts:
        message.forced = bool(facts["forced"])
        facts = {name: value for name, value in facts.items() if name != "forced"}
    put_facts(message, facts)
    if viewer is not None and event.private and viewer in event.private:
        message.private_part.SetInParent()
        put_facts(message.private_part, event.private[viewer])
    if by_order and viewer is not None and event.public.get("seat") == viewer:
        message.private_part.by_order = True
    if language is not None:
        message.text = tell_event(event.kind, event.public, language, names)
    return message


# -- Nouns and facts -------------------------------------------------------------------------------------------------


def put_noun(message: Carrier, noun: str, value: object) -> bool:
    """Write a noun into a message. Return False if the field of the noun cannot hold the value. An empty value is an
    absent noun: nothing is written."""
    if value is None or value == "" or value in ((), []) or (noun == "rotation" and value == 0):
        return True
    if noun in TEXTS or noun in WORDS:
        held: Any = value if noun in TEXTS else WORDS[noun].get(value) if isinstance(value, str) else None
        if held is None or not isinstance(value, str):
            return False
        setattr(message, noun, held)
    elif noun in NUMBERS:
        if type(value) is not int:
            return False
        setattr(message, noun, value)
    elif noun in LISTS:
        if not isinstance(value, tuple | list) or not all(isinstance(entry, str) for entry in value):
            return False
        getattr(message, noun).extend(value)
    else:
        cell = _cell_of(value)
        if cell is None:
            return False
        message.cell.SetInParent()
        message.cell.x, message.cell.y = cell
    return True


def put_facts(message: FactCarrier, facts: Mapping[str, Any]) -> None:
    """Write values into a message by their names: into nouns where their fields can hold them, the rest as facts."""
    for name, value in facts.items():
        if name not in NOUNS or not put_noun(message, name, value):
            set_value(message.facts[name], value)


def _cell_of(value: object) -> tuple[int, int] | None:
    """Return a cell as x and y from the way in which moves or views write it; None if the value is not a cell."""
    pair = [value.get("x"), value.get("y")] if isinstance(value, Mapping) and len(value) == 2 else value
    if isinstance(pair, tuple | list) and len(pair) == 2 and all(type(at) is int for at in pair):
        return pair[0], pair[1]
    return None
