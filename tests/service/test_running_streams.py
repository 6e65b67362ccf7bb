"""Streams hold no thread: those that wait, those that nobody reads, and those that end."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import grpc
import pytest

from alhambra_api.v1 import events_pb2, service_pb2, service_pb2_grpc, webhooks_pb2
from alhambra_service import limits
from alhambra_service.streams.running_stream import Messages, Pause, StreamThreads

from .attacks.frames import Connection, message
from .store.servers import await_true
from .watchers import PATIENCE, Place, Seats

WATCH = f"/{service_pb2.DESCRIPTOR.services_by_name['GameService'].full_name}/WatchEvents"
MANY = 150
"""More streams than there are threads of any kind."""


@contextmanager
def opened(place: Place, count: int, open_one: Callable[[Any], Any]) -> Iterator[list[Any]]:
    """Streams that were begun over a connection of their own. No thread reads them."""
    with grpc.insecure_channel(f"127.0.0.1:{place.port}") as channel:
        stub = service_pb2_grpc.GameServiceStub(channel)
        calls = [open_one(stub) for _ in range(count)]
        for call in calls:
            next(call)
        yield calls


def test_streams_of_events_that_wait_have_no_threads(place: Place, seats: Seats) -> None:
    request = events_pb2.WatchEventsRequest(game=seats.game)
    seats.read(past_only=True)
    before = threading.active_count()
    with opened(place, MANY, lambda stub: stub.WatchEvents(request, timeout=60)) as calls:
        assert place.watching.streams == MANY
        pools = limits.OPENING_THREADS + limits.ENDING_THREADS
        assert threading.active_count() <= before + pools + 2, "two are those of the client's channel"
        version = seats.play()
        for call in calls:
            assert next(call).event.version == version
        assert threading.active_count() <= before + pools + 2
    await_true(lambda: place.watching.streams == 0, "all streams are closed")


def test_streams_of_notices_that_wait_have_no_threads(
    place: Place, seats: Seats, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "NOTICE_STREAMS_PER_HOST", MANY)
    before = threading.active_count()
    with opened(place, MANY, lambda stub: stub.WatchNotices(webhooks_pb2.WatchNoticesRequest(), timeout=60)) as calls:
        assert threading.active_count() <= before + 2 * limits.OPENING_THREADS + limits.ENDING_THREADS + 2
        made = Seats(place)
        for call in calls:
            assert next(call).notice.game == made.game
    await_true(lambda: place.watching.streams == 0, "all streams are closed")


def test_callers_that_read_no_byte_keep_nobody_from_opening_a_stream(place: Place, seats: Seats) -> None:
    request = message(events_pb2.WatchEventsRequest(game=seats.game).SerializeToString())
    hostile = 4 * limits.OPENING_THREADS
    with ExitStack() as stack:
        for _ in range(hostile):
            stack.enter_context(Connection(place.port, window=0)).call(WATCH, request, end=True)
        await_true(lambda: place.watching.streams == hostile, "all of them are open")
        with seats.watched() as reader:
            reader.snapshot()
            version = seats.play()
            assert reader.next().event.version == version
    await_true(lambda: place.watching.streams == 0, "all streams are closed")


def test_a_caller_that_reads_no_byte_is_cut_off(place: Place, seats: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    request = message(events_pb2.WatchEventsRequest(game=seats.game).SerializeToString())
    with Connection(place.port, window=0) as hostile:
        stream = hostile.call(WATCH, request, end=True)
        await_true(lambda: place.watching.streams == 1, "the stream is open")
        monkeypatch.setattr(limits, "WATCHER_STUCK_SECONDS", 0.1)
        await_true(lambda: place.watching.streams == 0, "it is disconnected")
        hostile.read(1.0)
        assert stream in hostile.ended


# -- One stream, step by step ------------------------------------------------------------------------------------------


class Context:
    """The context of a call whose caller is a test."""

    def __init__(self) -> None:
        self.gone: list[Callable[[], None]] = []
        self.taken: list[Callable[[], None]] = []
        self.sent: list[bytes | None] = []
        self.cancelled = False

    def add_callback(self, callback: Callable[[], None]) -> bool:
        self.gone.append(callback)
        return True

    def code(self) -> grpc.StatusCode | None:
        return None

    def send_initial_metadata(self, _metadata: object) -> None:
        self.sent.append(b"metadata")

    def cancel(self) -> None:
        self.cancelled = True

    def send(self, data: bytes, taken: Callable[[], None]) -> bool:
        self.sent.append(data)
        self.taken.append(taken)
        return True


@pytest.fixture
def threads() -> Iterator[StreamThreads]:
    found = StreamThreads(lambda context: context)  # type: ignore[arg-type, return-value]
    yield found
    found.close()


def begun(threads: StreamThreads, generate: Callable[[], Messages]) -> Context:
    context: Any = Context()
    threads.run(threads.runs(lambda request, context: generate(), "a test"))(None, context, context.sent.append)
    found: Context = context
    return found


def test_a_message_is_sent_when_the_one_before_was_taken(threads: StreamThreads) -> None:
    def generate() -> Messages:
        yield b"one"
        yield b"two"

    context = begun(threads, generate)
    assert context.sent == [b"metadata", b"one"]
    context.taken.pop()()
    await_true(lambda: context.sent == [b"metadata", b"one", b"two"], "the second message is sent")
    context.taken.pop()()
    await_true(lambda: context.sent[-1] is None, "the status is sent")


def test_a_paused_stream_goes_on_when_it_is_woken(threads: StreamThreads) -> None:
    woken: list[Callable[[], None]] = []

    def pause(wake: Callable[[], None]) -> bool:
        woken.append(wake)
        return True

    def generate() -> Messages:
        yield pause
        yield lambda wake: False
        yield b"more"

    context = begun(threads, generate)
    assert not context.sent
    woken.pop()()
    await_true(lambda: context.sent == [b"metadata", b"more"], "a pause that is refused is none")


@pytest.mark.parametrize("first", [b"unread", lambda wake: True], ids=["in transit", "paused"])
def test_a_stream_whose_caller_has_gone_is_closed(threads: StreamThreads, first: bytes | Pause) -> None:
    closed = threading.Event()

    def generate() -> Messages:
        try:
            yield first
        finally:
            closed.set()

    context = begun(threads, generate)
    assert not closed.is_set()
    context.gone.pop()()
    assert closed.wait(PATIENCE)
    for taken in context.taken:
        taken()
    assert None not in context.sent


def test_a_defect_ends_its_stream_and_no_thread(threads: StreamThreads) -> None:
    def broken() -> Messages:
        yield b"one"
        raise ZeroDivisionError

    context = begun(threads, broken)
    context.taken.pop()()
    await_true(lambda: context.cancelled, "the caller is disconnected")
    context = begun(threads, lambda: iter((b"more",)))  # type: ignore[arg-type, return-value]
    assert context.sent == [b"metadata", b"more"]
