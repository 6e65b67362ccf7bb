"""Signals are noted by the handler and obeyed by the main thread."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from alhambra_runtime.signals import STOP, STOP_AND_RELOAD, Signals, received

LONG = 60.0


@contextmanager
def sent_soon(number: signal.Signals) -> Iterator[None]:
    """Send a signal while the block waits."""
    timer = threading.Timer(0.05, os.kill, (os.getpid(), number))
    timer.start()
    try:
        yield
    finally:
        timer.join()


def test_signals_to_stop_are_kept_in_their_order() -> None:
    with received() as signals:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.raise_signal(number)
        assert signals.stopping == [signal.SIGTERM, signal.SIGINT]
        assert [signals.wait(0) for _ in range(4)] == [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, None]


def test_only_the_keyboard_is_in_a_hurry() -> None:
    signals = Signals()
    signals.receive(signal.SIGTERM)
    assert not signals.interrupted
    signals.receive(signal.SIGINT)
    assert signals.interrupted


def test_waiting_ends_when_a_signal_comes() -> None:
    began = time.monotonic()
    with received() as signals, sent_soon(signal.SIGHUP):
        assert signals.wait(LONG) == signal.SIGHUP
    assert time.monotonic() - began < LONG / 2


def test_a_signal_to_reload_does_not_end_the_wait_for_the_end() -> None:
    with received() as signals:
        assert not signals.wait_to_stop(0.0)
        signal.raise_signal(signal.SIGHUP)
        with sent_soon(signal.SIGTERM):
            assert signals.wait_to_stop(LONG)
        assert signals.wait_to_stop(LONG), "one that has come already ends the wait at once"


def test_the_former_handlers_come_back() -> None:
    before = {number: signal.getsignal(number) for number in STOP_AND_RELOAD}
    with received(STOP):
        changed = {number for number, handler in before.items() if signal.getsignal(number) != handler}
        assert changed == {*STOP}
    assert {number: signal.getsignal(number) for number in STOP_AND_RELOAD} == before
