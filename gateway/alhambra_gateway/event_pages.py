"""Events as JSON pages, for clients that poll; and which of the two forms of events a client prefers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import grpc
from flask import Response, request

from alhambra_api.v1 import events_pb2

from . import limits
from .conditions import JSON
from .crew import give_up_with
from .problems import Problem, from_rpc_error
from .upstream import Metadata, StreamCall
from .wire import dumps, writer

_write_page = writer(events_pb2.EventPage.DESCRIPTOR)


@lru_cache(limits.HEADERS_REMEMBERED)
def preferred(header: str, forms: Sequence[str]) -> str:
    """The one of these media types that a header Accept prefers; the first where it does not care. Raises Problem."""
    best = max(forms, key=lambda form: _liking(header, form))
    if _liking(header, best)[0] <= 0:
        raise Problem("NOT_ACCEPTABLE", f"The answer is {' or '.join(forms)}, which Accept does not allow.")
    return best


def _liking(header: str, form: str) -> tuple[float, int]:
    """How much a form is wanted: its quality, and whether it was named rather than meant by a star."""
    if not header.strip():
        return 1.0, 0
    ranks = {"*/*": 0, f"{form.partition('/')[0]}/*": 1, form: 2}
    best, quality = -1, 0.0
    for part in header.split(","):
        media, *parameters = (piece.strip().lower() for piece in part.split(";"))
        rank = ranks.get(media, -1)
        if rank > best:
            best, quality = rank, _quality(parameters)
    return quality, best


def _quality(parameters: Sequence[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0


def page(ask: StreamCall, message: Any, metadata: Metadata, form: str) -> Response:
    """What has happened, as one page. Who asks for headers alone gets those of the form that they prefer."""
    message.past_only, message.snapshots = True, False
    if request.method == "HEAD" and not message.page_size:
        message.page_size = 1
    events = []
    snapshot = events_pb2.Snapshot()
    try:
        call = ask(message, metadata, limits.CALL_SECONDS)
        give_up_with(call.cancel)
        for told in call:
            if told.HasField("snapshot"):
                snapshot = told.snapshot
            elif told.HasField("event"):
                events.append(told.event)
    except grpc.RpcError as error:
        raise from_rpc_error(error) from None
    last = events[-1].id if events else message.after
    found = events_pb2.EventPage(
        version=snapshot.view.version,
        events=events,
        next_after=last,
        more=bool(events) and _place(snapshot.last_event) > _place(last),
    )
    body = b"" if form != JSON else dumps(_write_page(found))
    return Response(body, content_type=form, headers={"Cache-Control": "no-store", "Vary": "Accept, Authorization"})


def _place(event: str) -> tuple[int, ...]:
    """The id of an event as numbers, to be compared; before everything if there is none."""
    return tuple(int(part) for part in event.split(".")) if event else ()
