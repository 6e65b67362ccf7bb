"""What a watcher is told, message by message, and where a stream goes on. No server is needed."""

import json
from typing import Any

import pytest

from alhambra_client import Event, NotFound, Retry, Snapshot, TooManyCalls, Unreachable, WentBack
from alhambra_client.contract import WatchEventsRequest
from alhambra_client.errors import refusal
from alhambra_client.game_state import GameState
from alhambra_client.streams import EventParser, Message, Watch, position


def text(kind: str, data: Any, event: str | None = None) -> bytes:
    head = "" if event is None else f"id: {event}\n"
    return f"{head}event: {kind}\ndata: {json.dumps(data)}\n\n".encode()


def snapshot(version: int, last: str, event: str | None = None, status: str = "running") -> bytes:
    return text("snapshot", {"view": {"version": version, "status": status}, "lastEvent": last}, event)


def happened(event: str) -> bytes:
    return text("event", {"kind": "placed", "id": event}, event)


def resume(after: str, because: str) -> bytes:
    return text("resume", {"after": after, "because": because}, after)


def told(messages: list[Message]) -> list[str]:
    """Return messages as short texts."""
    names = []
    for message in messages:
        if isinstance(message, Snapshot):
            names.append(f"v{message.view.version}")
        else:
            names.append(message.id if isinstance(message, Event) else "went back")
    return names


class Watching:
    """A watcher, and what it was told."""

    def __init__(self, after: str = "", from_version: int | None = None) -> None:
        self.state = GameState("g", "token")
        self.watch = Watch(self.state, Retry(), after, from_version)
        self.watch.open()

    def feed(self, *parts: bytes) -> list[str]:
        return told([message for part in parts for message in self.watch.feed(part)])

    def reopened(self) -> WatchEventsRequest:
        request = self.watch.open().request
        assert isinstance(request, WatchEventsRequest)
        return request


# -- The parser --------------------------------------------------------------------------------------------------------


def test_messages_are_put_together_from_any_pieces() -> None:
    first = 'retry: 1500\nid: 1.0\nevent: event\ndata: {"text": "für"}\n\n'
    whole = f"{first}: a remark\n\nevent: keepAlive\ndata: {{}}\n\n".encode()
    expected = [("event", "1.0", '{"text": "für"}'), ("keepAlive", None, "{}")]
    for size in (1, 2, 3, 7, len(whole)):
        parser = EventParser()
        pieces = [whole[begin : begin + size] for begin in range(0, len(whole), size)]
        assert [message for piece in pieces for message in parser.feed(piece)] == expected
        assert parser.retry_seconds == 1.5


def test_lines_may_end_as_in_other_systems_and_data_may_have_several() -> None:
    (message,) = EventParser().feed(b"event: event\r\ndata: {\r\ndata: }\r\n\r\n")
    assert message == ("event", None, "{\n}")


def test_an_unfinished_message_is_not_told() -> None:
    assert list(EventParser().feed(b"event: event\ndata: {}\n")) == []


def test_positions_compare_as_numbers() -> None:
    assert position("") < position("2.10.a") < position("10.2.a")
    assert position("17.2.9f3c1a") == position("17.2")


# -- A watcher ---------------------------------------------------------------------------------------------------------


def test_a_new_watcher_gets_the_snapshot_first_and_goes_on_behind_it() -> None:
    watching = Watching()
    assert watching.feed(snapshot(4, "4.1.aa", "4.1.aa"), happened("5.0.bb"), snapshot(5, "5.0.bb")) == [
        "v4",
        "5.0.bb",
        "v5",
    ]
    assert (watching.reopened().after, watching.state.version) == ("5.0.bb", 5)


def test_missed_events_come_before_the_snapshot_that_contains_them() -> None:
    watching = Watching()
    watching.feed(snapshot(4, "4.1.aa", "4.1.aa"))
    watching.reopened()
    missed = snapshot(6, "6.0.cc"), happened("5.0.bb"), happened("6.0.cc")
    assert watching.feed(*missed) == ["5.0.bb", "6.0.cc", "v6"]


def test_a_stream_that_breaks_within_missed_events_goes_on_behind_the_last_one() -> None:
    watching = Watching(after="4.1.aa")
    assert watching.feed(snapshot(6, "6.0.cc"), happened("5.0.bb")) == ["5.0.bb"]
    assert watching.reopened().after == "5.0.bb"
    assert watching.feed(snapshot(6, "6.0.cc"), happened("6.0.cc")) == ["6.0.cc", "v6"]


def test_a_watcher_from_the_beginning_repeats_its_wish_until_an_event_has_come() -> None:
    watching = Watching(from_version=0)
    assert watching.feed(snapshot(1, "1.0.aa")) == []
    assert (watching.reopened().from_version, watching.reopened().after) == (0, "")
    watching.feed(happened("0.0.aa"))
    assert (watching.reopened().from_version, watching.reopened().after) == (None, "0.0.aa")


@pytest.mark.parametrize("because", ["fell_behind", "stopping", "more", "of_tomorrow"])
def test_a_stream_that_wants_to_be_opened_again_goes_on_where_it_says(because: str) -> None:
    watching = Watching()
    watching.feed(snapshot(4, "4.1.aa", "4.1.aa"), resume("4.1.aa", because))
    assert (watching.watch.is_closed, watching.watch.is_finished) == (True, False)
    assert watching.reopened().after == "4.1.aa"
    assert not watching.watch.is_closed


def test_a_watcher_whose_events_are_lost_is_told_and_begins_anew() -> None:
    watching = Watching()
    watching.feed(snapshot(9, "9.0.aa", "9.0.aa"))
    watching.reopened()
    assert watching.feed(snapshot(7, "7.0.bb"), resume("", "went_back")) == []
    assert (watching.state.view, watching.state.version) == (None, 0)
    assert (watching.reopened().after, watching.reopened().from_version) == ("", None)
    assert watching.feed(snapshot(7, "7.0.bb", "7.0.bb")) == ["went back", "v7"]
    assert watching.state.version == 7


def test_another_history_with_as_many_events_is_noticed() -> None:
    watching = Watching(after="9.0.aa")
    assert watching.feed(snapshot(9, "9.0.bb"), resume("", "went_back")) == []


def test_a_stream_of_a_lost_version_is_refused_and_begins_anew() -> None:
    watching = Watching(after="9.0")
    assert watching.watch.pause_after(refusal(409, {}, b'{"reason": "VERSION_STALE"}')) == 0
    assert watching.reopened().after == ""
    assert watching.feed(snapshot(7, "7.0.bb", "7.0.bb")) == ["went back", "v7"]


def test_watching_ends_with_the_game_once_everything_is_told() -> None:
    watching = Watching(from_version=0)
    watching.feed(snapshot(2, "2.0.bb", status="over"), happened("1.0.aa"))
    assert not watching.watch.is_finished
    assert watching.feed(happened("2.0.bb")) == ["2.0.bb", "v2"]
    assert watching.watch.is_finished


def test_watching_ends_when_the_game_is_deleted() -> None:
    watching = Watching()
    watching.feed(snapshot(2, "2.0.bb", "2.0.bb"), resume("", "deleted"))
    assert watching.watch.is_finished


def test_messages_of_tomorrow_are_ignored() -> None:
    assert Watching().feed(text("weather", {"sun": True}), text("keepAlive", {"version": 3})) == []


def test_a_broken_stream_is_opened_again_when_the_server_says() -> None:
    watching = Watching()
    watching.feed(b"retry: 2500\n", snapshot(2, "2.0.bb", "2.0.bb"))
    assert watching.watch.pause_after(None) == 2.5


def test_streams_that_never_begin_are_tried_with_growing_pauses_and_not_for_ever() -> None:
    state = GameState("g")
    watch = Watch(state, Retry(seconds=0.2, first_pause=0.1, longest_pause=10))
    first = watch.pause_after(Unreachable("no"))
    assert 0.05 <= first <= 0.1
    with pytest.raises(Unreachable):
        for _ in range(10):
            assert watch.pause_after(None) > first / 2


def test_a_refused_stream_is_an_error_unless_the_server_is_busy() -> None:
    watch = Watch(GameState("g"), Retry(seconds=5))
    with pytest.raises(NotFound):
        watch.pause_after(refusal(404, {}, b'{"reason": "GAME_NOT_FOUND"}'))
    assert watch.pause_after(refusal(429, {"retry-after": "3"}, b'{"reason": "WATCHERS_EXCEEDED"}')) == 3
    with pytest.raises(TooManyCalls):
        watch.pause_after(refusal(429, {"retry-after": "30"}, b'{"reason": "WATCHERS_EXCEEDED"}'))


def test_an_older_snapshot_does_not_replace_a_newer_view() -> None:
    watching = Watching()
    watching.feed(snapshot(9, "9.0.aa", "9.0.aa"))
    other = Watch(watching.state, Retry())
    other.open()
    assert told(list(other.feed(snapshot(8, "8.0.aa", "8.0.aa")))) == ["v8"]
    assert watching.state.version == 9
    (asked,) = [next(watching.state.catch_up()).request]
    assert asked.to_json() == {"game": "g", "minVersion": 9}


def test_the_message_about_lost_moves_is_a_value() -> None:
    assert WentBack() == WentBack()
