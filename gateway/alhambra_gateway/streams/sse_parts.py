"""Messages of a stream as Server-Sent Events.

    id: 17.2.9f3c1a
    event: event
    data: {"kind":"placed",…}

The type of each message is the name of its field in the contract: snapshot, event, keepAlive, resume, reaction; in a
stream of notices opened, notice, keepAlive, resume, each with an id. An event has its id, which a browser sends back as
`Last-Event-ID` to go on after it. `resume` has the id that is to be sent back: it is empty if the events that the
client has were taken back, and the browser forgets its own then.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from alhambra_api.v1 import events_pb2, webhooks_pb2

from .. import limits
from ..json_messages import dumps, json_name, writer

Message = events_pb2.WatchEventsResponse
NoticeMessage = webhooks_pb2.WatchNoticesResponse
Position = tuple[int, ...]
"""The version and the place of an event, which can be compared; empty before the first event."""

SNAPSHOT, EVENT, KEEP_ALIVE, RESUME = "snapshot", "event", "keep_alive", "resume"
OPENED, NOTICE = "opened", "notice"
_FIELDS = {(kind, field.name): field for kind in (Message, NoticeMessage) for field in kind.DESCRIPTOR.oneofs[0].fields}
_NAMES = {place: json_name(field) for place, field in _FIELDS.items()}
_WRITERS = {place: writer(field.message_type) for place, field in _FIELDS.items()}


class Part(NamedTuple):
    """One message, written once for all clients that get it."""

    kind: str
    """The field of the message: SNAPSHOT, EVENT, KEEP_ALIVE or RESUME."""
    id: str
    """The id of an event; empty for other messages."""
    position: Position
    """The position of an event, or of the last event that a snapshot contains."""
    text: bytes
    """The message as it is in the stream, without an id if it is not an event."""
    chunk: bytes
    """The message as a chunk of an HTTP/1.1 answer."""


def part_of(message: Message) -> Part:
    """Return a message as part of a stream. JSON has no line breaks of its own, so it is one line."""
    kind = message.WhichOneof("message") or ""
    event = message.event.id
    head = f"id: {event or message.resume.after}\n" if event or kind == RESUME else ""
    text = _text(head, kind, message)
    return Part(kind, event, position_of(event or message.snapshot.last_event), text, chunk_of(text))


def chunk_of(text: bytes) -> bytes:
    """Return a text as a chunk of an HTTP/1.1 answer."""
    return b"%x\r\n%s\r\n" % (len(text), text)


def notice_text(message: NoticeMessage) -> bytes:
    """Return a message of a stream of notices."""
    return _text(f"id: {message.id}\n", message.WhichOneof("message") or "", message)


def _text(head: str, kind: str, message: Message | NoticeMessage) -> bytes:
    data = dumps(_WRITERS[type(message), kind](getattr(message, kind)))
    return f"{head}event: {_NAMES[type(message), kind]}\ndata: ".encode() + data + b"\n\n"


def resume_text(after: str, because: str) -> bytes:
    """Return the last message of a stream that the client shall open again."""
    return part_of(Message(resume=events_pb2.Resume(after=after, because=because))).text


def retry_text(chance: Random) -> bytes:
    """Return the line before the first message: how many milliseconds a browser waits before it opens the stream again.

    The pause is drawn for each client between RECONNECT_LEAST_SECONDS and RECONNECT_MOST_SECONDS."""
    pause = chance.uniform(limits.RECONNECT_LEAST_SECONDS, limits.RECONNECT_MOST_SECONDS)
    return b"retry: %d\n" % round(1000 * pause)


def position_of(event: str) -> Position:
    """Return the version and the place in the id of an event; empty if there is no event."""
    return tuple(int(number) for number in event.split(".")[:2]) if event else ()


def may_follow(newest: str, after: str) -> bool:
    """Return whether a game with this newest event can have the event after which a client resumes. It cannot if that
    has a later version, or the same version with other digits of the link; the service ends such a stream at once. If
    it has an earlier version, the service alone knows."""
    version, digits = position_of(after)[:1], after.split(".")[2:]
    return not digits or version < position_of(newest)[:1] or after.split(".")[::2] == newest.split(".")[::2]
