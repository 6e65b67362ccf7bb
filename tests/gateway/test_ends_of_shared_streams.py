"""How a shared stream ends or breaks: its clients go on, resume, or come back, and miss nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from random import Random

import grpc
import pytest

from alhambra_api.v1 import events_pb2
from alhambra_gateway import limits
from alhambra_gateway.streams.sse_parts import Message, retry_text
from tests.service.store.servers import await_true

from .product import Running
from .test_shared_streams import front, in_front_of, service, shared, telling, told, watching
from .told_game import TICKET, ToldGame

__all__ = ["front", "service", "told"]


def broken(service: ToldGame) -> None:
    service.end(grpc.StatusCode.UNAVAILABLE)


def reset(service: ToldGame) -> None:
    service.end(grpc.StatusCode.INTERNAL)


@pytest.mark.parametrize("end", [broken, reset, ToldGame.stops])
@pytest.mark.parametrize("told_before", [0, 2])
def test_a_stream_that_breaks_goes_on_and_nobody_misses_or_gets_anything_twice(
    service: ToldGame, front: Running, end: Callable[[ToldGame], None], told_before: int
) -> None:
    with watching(front) as first, watching(front) as second:
        shared(service, 1)
        events = service.happens(told_before)
        for stream in (first, second):
            assert not events or [told.id for told in stream.events(events[-1])] == events
        for _ in range(2 * limits.SPARE_TRIES):
            opened = service.opened
            end(service)
            missed = service.happens(2)
            await_true(lambda before=opened: service.opened > before, "the stream is opened again")  # type: ignore[misc]
            missed += service.happens(1)
            for stream in (first, second):
                assert [told.id for told in stream.events(missed[-1])] == missed
        assert service.opened == 2 + 2 * limits.SPARE_TRIES


def test_the_snapshot_of_a_stream_that_goes_on_comes_behind_the_events_that_it_contains(
    service: ToldGame, front: Running
) -> None:
    with watching(front) as stream:
        shared(service, 1)
        service.end(grpc.StatusCode.UNAVAILABLE)
        missed = service.happens(3)
        told = [next(stream) for _ in range(4)]
        assert [one.id for one in told[:3]] == missed
        assert (told[3].type, told[3].data["lastEvent"]) == ("snapshot", missed[-1])


def test_a_stream_with_a_ticket_is_told_to_resume_because_a_ticket_is_valid_once(
    service: ToldGame, front: Running
) -> None:
    with watching(front, f"?ticket={TICKET}1") as stream:
        (event,) = service.happens(1)
        assert [told.id for told in stream.events(event)] == [event]
        service.end(grpc.StatusCode.UNAVAILABLE)
        (last,) = stream
        assert (last.type, last.data) == ("resume", {"after": event, "because": "stopping"})


def test_a_stream_whose_service_does_not_come_back_is_told_to_resume() -> None:
    with telling() as service, in_front_of(service) as front, watching(front) as first, watching(front) as second:
        shared(service, 1)
        (event,) = service.happens(1)
        for stream in (first, second):
            assert [told.id for told in stream.events(event)] == [event]
        service.die()
        for stream in (first, second):
            (last,) = stream
            assert (last.type, last.data) == ("resume", {"after": event, "because": "stopping"})


def test_clients_are_told_to_resume_if_a_message_cannot_be_read(service: ToldGame, front: Running) -> None:
    with watching(front) as first, watching(front) as second:
        shared(service, 1)
        (event,) = service.happens(1)
        for stream in (first, second):
            assert [told.id for told in stream.events(event)] == [event]
        logged = len(front.log)
        service.say(Message(event=events_pb2.Event(kind="placed", id="seventeen")))
        for stream in (first, second):
            (last,) = stream
            assert (last.type, last.data) == ("resume", {"after": event, "because": "stopping"})
        (line,) = map(json.loads, front.log[logged:].splitlines())
        assert (line["level"], line["message"]) == ("error", "A shared stream was ended because of a defect.")
        assert "seventeen" in line["error"]
    shared(service, 0)


def test_a_kind_of_message_that_only_a_newer_service_knows_is_left_out(service: ToldGame, front: Running) -> None:
    unknown = Message.FromString(b"\x82\x7d\x00")  # field 2000, empty
    with watching(front) as first, watching(front) as second, watching(front, f"?ticket={TICKET}0") as alone:
        shared(service, 2)
        service.say(unknown)
        (event,) = service.happens(1)
        for stream in (first, second, alone):
            assert next(stream).id == event


def test_a_revoked_token_ends_all_streams_that_share_it_and_no_others(service: ToldGame, front: Running) -> None:
    with (
        watching(front, seat="0") as first,
        watching(front, seat="0") as second,
        watching(front, seat="1") as other,
    ):
        shared(service, 2)
        service.end(grpc.StatusCode.UNAUTHENTICATED, "0")
        assert (list(first), list(second)) == ([], [])
        service.happens()
        assert next(other).id == "1.0"
    shared(service, 0)


# -- Coming back -------------------------------------------------------------------------------------------------------


def test_clients_that_share_a_stream_are_told_to_come_back_at_different_moments(
    service: ToldGame, front: Running
) -> None:
    with ExitStack() as stack:
        told = [int(stack.enter_context(watching(front)).retry) for _ in range(8)]
        shared(service, 1)
    assert len(set(told)) > 1


def test_a_pause_before_reconnecting_is_drawn_between_its_bounds() -> None:
    chance = Random("reconnect")
    pauses = [int(retry_text(chance).removeprefix(b"retry: ")) for _ in range(1_000)]
    least, most = 1_000 * limits.RECONNECT_LEAST_SECONDS, 1_000 * limits.RECONNECT_MOST_SECONDS
    quarter = (most - least) / 4
    assert all(least <= pause <= most for pause in pauses)
    assert min(pauses) < least + quarter and max(pauses) > most - quarter
    again = Random("reconnect")
    assert [int(retry_text(again).removeprefix(b"retry: ")) for _ in range(1_000)] == pauses
