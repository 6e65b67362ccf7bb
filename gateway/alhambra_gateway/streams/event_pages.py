"""Events and notices as JSON pages, for clients that poll."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from alhambra_api.v1 import events_pb2, webhooks_pb2

from ..json_messages import dumps, writer
from ..routing.content_negotiation import JSON
from ..upstream.client import ListCall, Metadata
from .sse_parts import position_of

_write_page = writer(events_pb2.EventPage.DESCRIPTOR)
_write_notices = writer(webhooks_pb2.NoticePage.DESCRIPTOR)


def page(ask: ListCall, message: Any, metadata: Metadata, media_type: str) -> Response:
    """Answer with one page of events. An answer to HEAD has the headers of the media type that the client prefers."""
    message.past_only, message.snapshots = True, False
    if request.method == "HEAD" and not message.page_size:
        message.page_size = 1
    events = []
    snapshot = events_pb2.Snapshot()
    for answer in ask(message, metadata):
        if answer.HasField("snapshot"):
            snapshot = answer.snapshot
        elif answer.HasField("event"):
            events.append(answer.event)
    last = events[-1].id if events else message.after
    found = events_pb2.EventPage(
        version=snapshot.view.version,
        events=events,
        next_after=last,
        more=bool(events) and position_of(snapshot.last_event) > position_of(last),
    )
    return _answer(dumps(_write_page(found)), media_type)


def notice_page(ask: ListCall, message: Any, metadata: Metadata, media_type: str) -> Response:
    """Answer with one page of notices."""
    message.past_only = True
    if request.method == "HEAD" and not message.page_size:
        message.page_size = 1
    found = webhooks_pb2.NoticePage(next_after=message.after)
    for answer in ask(message, metadata):
        found.next_after = answer.id
        if answer.HasField("notice"):
            found.notices.append(answer.notice)
        found.more = found.more or answer.HasField("resume")
        found.missed = found.missed or answer.opened.missed
    return _answer(dumps(_write_notices(found)), media_type)


def _answer(body: bytes, media_type: str) -> Response:
    headers = {"Cache-Control": "no-store", "Vary": "Accept, Authorization"}
    return Response(body if media_type == JSON else b"", content_type=media_type, headers=headers)
