"""Calls that send half of their message."""

from contextlib import ExitStack

import pytest

from alhambra_service import limits

from ..store.servers import await_true
from .conftest import Attacked
from .frames import DATA, END_STREAM, frame, message
from .peers import GAMES, connected, half

CALLS = 90


def test_half_a_message_takes_no_thread_from_anybody_and_is_ended(
    attacked: Attacked, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        peers = connected(stack, attacked.port, 3, "half a message")
        half(peers, CALLS, attacked.callers.game)

        def waiting() -> bool:
            for peer in peers:
                peer.read()  # Who answers no ping is disconnected.
            return attacked.pending.waiting >= CALLS

        await_true(waiting, "they wait for their messages")
        assert attacked.answers_as_before()
        monkeypatch.setattr(limits, "MESSAGE_SECONDS", 0.2)

        def ended() -> bool:
            for peer in peers:
                peer.read(0.01)
            return sum(len(peer.ended) for peer in peers) == CALLS

        await_true(ended, "all of them are ended")
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
