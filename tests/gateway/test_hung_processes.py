"""A process of the service hangs: its connections stay open, and nothing is answered. Streams go on elsewhere, and
others answer calls."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from alhambra_api.v1 import events_pb2, games_pb2
from alhambra_gateway import limits
from alhambra_gateway.config import Settings
from alhambra_gateway.refusals.problem import Problem
from alhambra_gateway.streams.stream_loop import StreamLoop
from alhambra_gateway.upstream.client import Upstream
from alhambra_gateway.upstream.service_channels import CHECK, PROCESS_METADATA, ServiceChannels
from tests.service.store.servers import await_true

from .http import Answer, Client
from .product import PATIENCE, Product, gateway, running
from .scripted import SERVING, Scripted
from .sse import Stream
from .tables import RestGame
from .told_game import GAME, PATH, TICKET, ToldGame

GET_GAME, WATCH = "/alhambra_api.v1.GameService/GetGame", "/alhambra_api.v1.GameService/WatchEvents"


class HangingGame(ToldGame):
    """A service some of whose connections lead to a process that hangs. All others lead to one that does not."""

    def __init__(self, process: str = "") -> None:
        self._process = process
        """The name that every process gives."""
        self._streamed_over: set[str] = set()
        """Connections over which streams were opened."""
        self._hung: set[str] = set()
        self._all_hang = False
        self._go_on = threading.Event()
        super().__init__()

    def stop(self) -> None:
        self._go_on.set()
        super().stop()

    def hang(self) -> None:
        """The process of all connections over which streams were opened answers nothing more."""
        self._hung |= self._streamed_over

    def hang_all(self) -> None:
        """No process answers anything more, over connections that are opened later neither."""
        self._all_hang = True

    def _wait_if_hung(self, context: grpc.ServicerContext) -> None:
        if self._all_hang or context.peer() in self._hung:
            self._go_on.wait(PATIENCE)

    def service(self, details: Any) -> Any:
        if details.method == CHECK:
            return grpc.unary_unary_rpc_method_handler(self._answer_check)
        return super().service(details)

    def _answer_check(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        self._wait_if_hung(context)
        if self._process:
            context.set_trailing_metadata(((PROCESS_METADATA, self._process),))
        return SERVING.SerializeToString()

    def _watch(
        self, request: events_pb2.WatchEventsRequest, context: grpc.ServicerContext
    ) -> Iterator[events_pb2.WatchEventsResponse]:
        self._streamed_over.add(context.peer())
        for message in super()._watch(request, context):
            self._wait_if_hung(context)
            yield message


@contextmanager
def hanging(process: str = "") -> Iterator[HangingGame]:
    found = HangingGame(process)
    yield found
    found.stop()


@contextmanager
def watching(front: str, query: str = "") -> Iterator[Stream]:
    with Stream(front, PATH + query) as stream:
        assert stream.status == 200
        assert next(stream).type == "snapshot"
        yield stream


PROCESS_NAMES = pytest.mark.parametrize("process", ["", "one"])


@PROCESS_NAMES
def test_streams_go_on_elsewhere_and_miss_nothing_if_only_their_own_connection_is_silent(process: str) -> None:
    """Their connection is not the one for unary calls, and may lead to another process."""
    with hanging(process) as service, gateway(service.address) as front:
        with watching(front.http) as first, watching(front.http) as second:
            events = service.happens(2)
            for stream in (first, second):
                assert [told.id for told in stream.events(events[-1])] == events
            service.hang()
            missed = service.happens(3)
            for stream in (first, second):
                assert [told.id for told in stream.events(missed[-1])] == missed
            (event,) = service.happens(1)
            for stream in (first, second):
                assert [told.id for told in stream.events(event)] == [event]
        assert "does not answer its streams" in front.log


def test_a_stream_with_a_ticket_is_told_to_resume_when_its_process_hangs() -> None:
    with hanging() as service, gateway(service.address) as front, watching(front.http, f"?ticket={TICKET}1") as stream:
        (event,) = service.happens(1)
        assert [told.id for told in stream.events(event)] == [event]
        service.hang()
        (last,) = stream
        assert (last.type, last.data) == ("resume", {"after": event, "because": "stopping"})


@PROCESS_NAMES
def test_a_stream_is_opened_although_the_process_of_earlier_streams_hangs(process: str) -> None:
    one_connection = {"CHANNELS": 1, "CALL_SECONDS": PATIENCE}
    with hanging(process) as service, gateway(service.address, limits=one_connection) as front:
        with watching(front.http):
            pass
        await_true(lambda: not service.open, "the stream of the service is closed")
        service.hang()
        with watching(front.http) as stream:
            (event,) = service.happens(1)
            assert [told.id for told in stream.events(event)] == [event]


def test_watchers_are_told_to_resume_if_every_process_hangs() -> None:
    few = {"SERVICE_SILENT_SECONDS": 0.5, "CHECK_ANSWER_SECONDS": 1.0}
    with (
        hanging() as service,
        gateway(service.address, limits=few) as front,
        watching(front.http) as first,
        watching(front.http) as second,
    ):
        (event,) = service.happens(1)
        for stream in (first, second):
            assert [told.id for told in stream.events(event)] == [event]
        service.hang_all()
        for stream in (first, second):
            (last,) = stream
            assert (last.type, last.data) == ("resume", {"after": event, "because": "stopping"})


def test_a_call_over_a_channel_that_others_have_left_does_not_wait_for_ever() -> None:
    """A thread may have chosen the channel just before the call of another one was cancelled."""
    go_on, asked = threading.Event(), threading.Event()

    def hang(context: grpc.ServicerContext, request: bytes) -> Message:
        asked.set()
        go_on.wait(PATIENCE)
        return SERVING

    hung, well = Scripted(), Scripted()
    services = ServiceChannels(Settings(service=f"{hung.address},{well.address}"))
    with ThreadPoolExecutor(1) as pool:
        try:
            await_true(lambda: len({one.target for one in services.usable}) == 2, "both answer")
            channel = next(one for one in services.usable if one.target.address == hung.address)
            hung.say = hung.say_health = hang
            call = pool.submit(channel.unary[GET_GAME], games_pb2.GetGameRequest(game=GAME), 2 * PATIENCE, ())
            assert asked.wait(PATIENCE)
            services.broken(channel)
            fault: Any = call.exception(PATIENCE)
            assert fault.code() is grpc.StatusCode.CANCELLED
        finally:
            go_on.set()
            services.close()
            hung.stop()
            well.stop()


def test_a_stream_over_a_channel_that_was_closed_meanwhile_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CHANNELS", 1)
    loop, request, service = StreamLoop(), events_pb2.WatchEventsRequest(game=GAME), Scripted()
    service.say = lambda context, request: events_pb2.WatchEventsResponse()
    upstream = Upstream(Settings(service=service.address))
    try:
        loop.run(upstream.open_stream(WATCH, request, ())).result(PATIENCE)
        upstream.close()
        with pytest.raises(Problem):
            loop.run(upstream.open_stream(WATCH, request, ())).result(PATIENCE)
    finally:
        upstream.close()
        service.stop()


# -- Real processes ----------------------------------------------------------------------------------------------------


@contextmanager
def stopped(process: int) -> Iterator[None]:
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def service_workers(product: Product) -> list[int]:
    return [one.pid for one in product.family() if "alhambra_service.process.worker" in one.cmdline()]


def insist(ask: Callable[[], Answer]) -> Any:
    """Repeat a call that is not answered in time on a busy machine, until it is answered."""
    answers: list[Answer] = []

    def answered() -> bool:
        answers.append(ask())
        return answers[-1].status < 500

    await_true(answered, "a service answers")
    assert answers[-1].status == 200, answers[-1].body
    return answers[-1].json()


def play(client: Client, game: RestGame) -> list[str]:
    """Make a move. Return the ids of its events."""
    path, words = f"{game.path}/moves", {"minVersion": game.version, "pageSize": 1}
    legal = insist(lambda: client.get(path, game.bearer(), **words))
    move = {"move": legal["moves"][0]["move"], "version": legal["version"]}
    made = insist(lambda: game.apply(move, key=f"after {game.version}"))
    game.view = made["view"]
    return [event["id"] for event in made["events"]]


def test_games_go_on_and_watchers_miss_nothing_while_one_of_two_processes_hangs() -> None:
    with (
        running(variables={"ALHAMBRA_WORKERS": "2", "ALHAMBRA_GATEWAY_WORKERS": "1"}) as product,
        Client(product.http, timeout=PATIENCE) as client,
        ExitStack() as stack,
    ):
        games = [RestGame(client) for _ in range(6)]
        streams = [stack.enter_context(Stream(product.http, f"{game.path}/events")) for game in games]
        for stream in streams:
            assert next(stream).type == "snapshot"
        for victim in service_workers(product):
            with stopped(victim):
                made = [play(client, game) for game in games]
                for stream, events in zip(streams, made, strict=True):
                    assert [told.id for told in stream.events(events[-1])] == events
