"""Calls whose message does not come, or comes in part, to methods of every pool."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import grpc
import pytest

from alhambra_service import limits

from ..small import failure
from ..store.servers import await_true
from .conftest import Attacked
from .frames import DATA, END_STREAM, frame, message
from .peers import ATTACKS, EVERY, GAMES, connected

SECONDS = 15.0


@pytest.mark.parametrize(("attack", "connections", "calls"), [("silent", 6, 180), ("half a message", 3, 90)])
def test_calls_without_a_whole_message_take_no_thread_from_anybody_and_are_ended(
    attacked: Attacked, monkeypatch: pytest.MonkeyPatch, attack: str, connections: int, calls: int
) -> None:
    with ExitStack() as stack:
        peers = connected(stack, attacked.port, connections, attack)
        ATTACKS[attack](peers, calls, attacked.callers.game)

        def waiting() -> bool:
            for peer in peers:
                peer.read()  # Who answers no ping is disconnected.
            return attacked.pending.waiting >= calls

        await_true(waiting, "they wait for their messages")
        assert attacked.answers_as_before()
        monkeypatch.setattr(limits, "MESSAGE_SECONDS", 0.2)

        def ended() -> bool:
            for peer in peers:
                peer.read(0.01)
            return sum(len(peer.ended) for peer in peers) == calls

        await_true(ended, "all of them are ended")
        assert attacked.pending.waiting == 0
    await_true(lambda: attacked.pending.open == 0, "nothing is left of them")


def test_a_message_whose_second_half_comes_in_time_is_answered(attacked: Attacked) -> None:
    with ExitStack() as stack:
        (peer,) = connected(stack, attacked.port, 1, "half a message")
        data = message(b"\x0a\x03abc")
        stream = peer.call(f"{GAMES}/GetGame", data[:4])
        await_true(lambda: attacked.pending.waiting == 1, "the call waits")
        peer.send(frame(DATA, END_STREAM, stream, data[4:]))
        await_true(lambda: attacked.pending.waiting == 0, "the message is there")

        def answered() -> bool:
            peer.read(0.01)
            return stream in peer.ended

        await_true(answered, "it is answered")


@pytest.mark.parametrize("method", EVERY)
def test_a_silent_call_is_told_that_its_message_did_not_come(
    attacked: Attacked, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MESSAGE_SECONDS", 0.2)
    with attacked.channel() as channel:
        fault = failure(_silent_call, channel, method)
        assert (fault.code, fault.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_PASSED")


def _silent_call(channel: grpc.Channel, method: str) -> object:
    """A call whose message never comes, made by a client that reads what the server says about it."""
    over = threading.Event()

    def never() -> Iterator[bytes]:
        over.wait(SECONDS)
        yield from ()

    ask: Any = channel.stream_unary(method)
    try:
        return ask(never(), timeout=SECONDS)
    finally:
        over.set()


def test_one_connection_has_a_bounded_number_of_silent_calls(
    attacked: Attacked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WAITING_UNCOUNTED", 0)
    monkeypatch.setattr(limits, "WAITING_PER_CONNECTION", 5)
    with ExitStack() as stack:
        one, other = connected(stack, attacked.port, 2, "silent")
        for _ in range(8):
            one.call(f"{GAMES}/GetGame")

        def refused() -> bool:
            one.read(0.01)
            return len(one.ended) == 3

        await_true(refused, "three calls are refused at once")
        assert attacked.pending.waiting == 5
        other.call(f"{GAMES}/GetGame")
        await_true(lambda: attacked.pending.waiting == 6, "another connection has calls of its own")
        other.read(0.1)
        assert not other.ended


def test_for_one_silent_call_too_many_the_oldest_is_ended(attacked: Attacked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WAITING_UNCOUNTED", 0)
    monkeypatch.setattr(limits, "WAITING_CALLS", 5)
    with ExitStack() as stack:
        (peer,) = connected(stack, attacked.port, 1, "silent")
        streams = [peer.call(f"{GAMES}/GetGame") for _ in range(8)]

        def ended() -> bool:
            peer.read(0.01)
            return len(peer.ended) >= 3

        await_true(ended, "three are ended")
        assert peer.ended == set(streams[:3])
        assert attacked.pending.waiting == 5
        assert attacked.answers_as_before(), "a call whose message comes along finds room"
