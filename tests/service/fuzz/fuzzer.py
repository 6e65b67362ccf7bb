"""A chapter: fresh games, and some examples of every RPC of the contract, in an order drawn from the seed."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import grpc
from google.protobuf import text_format
from google.protobuf.message_factory import GetMessageClass

from alhambra_api.contract import contract_files
from alhambra_api.v1 import events_pb2, games_pb2, moves_pb2, service_pb2

from .headers import strange
from .judging import Answer, Around, Sent, answer_of, faults
from .shapes import broken_bytes, change_one, random_message
from .valid import MAKERS
from .wire import raw_call
from .world import SECONDS, Server, World

EXAMPLES = 10
"""Of each RPC in a chapter."""
VALID, NEAR, RANDOM, BYTES, HEADERS, RAW = "valid", "near-valid", "random", "bytes", "headers", "raw"
SORTS = (VALID, NEAR, HEADERS, NEAR, RANDOM, VALID, BYTES, NEAR, HEADERS, RAW)
OFTEN = {"CreateGame": 3, "ApplyMove": 3}
"""These have more that can be asked of them than others."""
STREAMED = 2_500
"""Messages of a stream that are read at most."""
SHRINKS = 60
SHOWN = 4_000


@dataclass
class Failure:
    """A call that was not answered as it should be."""

    chapter: int
    sort: str
    sent: Sent
    faults: list[str]
    log: str = ""

    @property
    def kind(self) -> str:
        """What failures are told apart by."""
        last = self.log.strip().splitlines()[-1:] or [""]
        return f"{self.sent.method.name}: {'; '.join(self.faults)[:200]} {last[0][:200]}"

    def __str__(self) -> str:
        request = self.sent.request()
        asked = f"bytes {self.sent.body[:SHOWN]!r}"
        if request is not None:
            asked = text_format.MessageToString(request, as_one_line=True)[:SHOWN]
        lines = [
            f"{self.sent.path}, {self.sort}",
            *(f"  {fault}" for fault in self.faults),
            f"  request   {asked}",
            f"  metadata  {str(self.sent.metadata)[:SHOWN]}",
            f"  again     python -m tests.service.fuzz --seed {shlex.quote(str(self.chapter))} --examples {EXAMPLES}",
            *(f"  | {line}" for line in self.log.splitlines()[-30:]),
        ]
        return "\n".join(lines)


@dataclass
class Report:
    """What came of one or more chapters."""

    failures: list[Failure] = field(default_factory=list)
    answers: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """By RPC, sort and status: how often."""
    turned_away: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By RPC and reason: requests that were thought to be good."""
    reasons: Counter[str] = field(default_factory=Counter)
    created: Counter[str] = field(default_factory=Counter)
    """What the games had that were created: modules, variants, options."""

    @property
    def calls(self) -> int:
        """How many there were."""
        return sum(self.answers.values())

    def kinds(self) -> dict[str, Failure]:
        """One failure of each kind."""
        found: dict[str, Failure] = {}
        for failure in self.failures:
            found.setdefault(failure.kind, failure)
        return found


def methods() -> list[Any]:
    """Every RPC of the contract, as its files have them."""
    named = [
        (service.name, rpc.name) for file in contract_files() for service in file.service for rpc in service.method
    ]
    services = service_pb2.DESCRIPTOR.services_by_name
    return [services[service].methods_by_name[rpc] for service, rpc in named]


def run(
    server: Server,
    chapter: int,
    report: Report,
    tick: Callable[[], None] = lambda: None,
    *,
    only: Sequence[str] = (),
) -> None:
    """One chapter; with `only` of these RPCs alone."""
    rng = Random(f"chapter {chapter}")
    world = World(server, str(chapter))
    asked = [(method, SORTS[number % len(SORTS)]) for method in methods() for number in _numbers(method)]
    asked = [(method, sort) for method, sort in asked if not only or method.name in only]
    rng.shuffle(asked)
    server.log.taken()
    for method, sort in asked:
        example(world, method, sort, rng, chapter, report)
        tick()


def calls_of(examples: int) -> int:
    """How many calls so many examples of each RPC come to."""
    return sum(examples * OFTEN.get(method.name, 1) for method in methods())


def _numbers(method: Any) -> range:
    return range(EXAMPLES * OFTEN.get(method.name, 1))


def example(world: World, method: Any, sort: str, rng: Random, chapter: int, report: Report) -> None:
    """Makes one call and judges what came of it."""
    sent = made(world, method, sort, rng)
    server = world.server
    secrets = world.secrets()
    before = server.digests()
    answer = raw_call(server.address, sent, rng) if sort == RAW else call(server.channel, sent)
    after = server.digests()
    found = list(faults(world, sent, answer, Around(before, after, secrets)))
    log = server.log.taken()
    if found:
        failure = Failure(chapter, sort, sent, found, log)
        report.failures.append(shrunk(world, failure) if "INTERNAL" in found[0] else failure)
    report.answers[method.name, sort, answer.code.name] += 1
    report.reasons[answer.reason] += 1
    if sort == VALID and answer.code is not grpc.StatusCode.OK:
        report.turned_away[method.name, answer.reason] += 1
    if answer.code is grpc.StatusCode.OK:
        learn(world, sent, answer, report)


def made(world: World, method: Any, sort: str, rng: Random) -> Sent:
    """A call of this sort."""
    request, metadata = MAKERS[method.name](world, rng)
    if sort == NEAR and isinstance(request, moves_pb2.ApplyMoveRequest) and rng.random() < 0.4:
        request.move.CopyFrom(rng.choice(world.moves))
    elif sort == NEAR:
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            change_one(rng, request, world.words())
    elif sort == RANDOM:
        request = random_message(rng, method.input_type, world.words())
    elif sort == HEADERS:
        metadata = strange(world, rng, metadata)
    body = request.SerializeToString(deterministic=True)
    return Sent(method, broken_bytes(rng, body) if sort == BYTES else body, metadata)


def call(channel: grpc.Channel, sent: Sent) -> Answer:
    """Makes a call; a stream is left after its first message unless it tells the past only."""
    options: Mapping[str, Any] = {"metadata": sent.metadata, "timeout": SECONDS}
    try:
        if not sent.method.server_streaming:
            invoke: Any = channel.unary_unary(sent.path, None, None)
            body, done = invoke.with_call(sent.body, **options)
            return Answer(grpc.StatusCode.OK, [body], "", tuple(done.trailing_metadata() or ()))
        open_stream: Any = channel.unary_stream(sent.path, None, None)
        stream = open_stream(sent.body, **options)
        bodies = list(_read(stream, sent.request()))
        stream.cancel()
        return Answer(grpc.StatusCode.OK, bodies)
    except grpc.RpcError as error:
        return answer_of(error)


def _read(stream: Any, request: Any) -> Iterator[bytes]:
    ends = isinstance(request, events_pb2.WatchEventsRequest) and request.past_only
    for number, message in enumerate(stream):
        yield message
        if not ends or number >= STREAMED:
            return


def learn(world: World, sent: Sent, answer: Answer, report: Report) -> None:
    """Keeps track of tokens, tickets, orders, and of what was created and deleted."""
    request = sent.request()
    if isinstance(request, games_pb2.ClaimSeatRequest) and answer.bodies:
        world.claimed(request, games_pb2.ClaimSeatResponse.FromString(answer.bodies[0]))
    elif isinstance(request, events_pb2.CreateEventTicketRequest) and answer.bodies:
        ticket = events_pb2.CreateEventTicketResponse.FromString(answer.bodies[0]).ticket
        world.tickets.append((request.game, ticket))
    elif isinstance(request, games_pb2.SetOrdersRequest):
        world.ordered(request.game, sent.body, sent.secret())
    elif isinstance(request, games_pb2.DeleteGameRequest):
        world.replace_deleted(request.game)
    elif isinstance(request, games_pb2.CreateGameRequest):
        report.created.update(request.modules)
        report.created.update(request.variants)
        report.created.update(request.options.keys())


def shrunk(world: World, failure: Failure) -> Failure:
    """The same failure with as little in the request as possible; for defects, which can be repeated."""
    if failure.sent.request() is None:
        return failure
    for _ in range(SHRINKS):
        for smaller in _smaller(failure.sent):
            answer = call(world.server.channel, smaller)
            log = world.server.log.taken()
            if answer.code is grpc.StatusCode.INTERNAL:
                failure = Failure(failure.chapter, failure.sort, smaller, failure.faults, log)
                break
        else:
            break
    return failure


def _smaller(sent: Sent) -> Iterator[Sent]:
    kind = GetMessageClass(sent.method.input_type)
    whole = kind.FromString(sent.body)
    for path in list(_set_fields(whole)):
        less = kind.FromString(sent.body)
        inside: Any = less
        for step in path[:-1]:
            inside = inside[step] if isinstance(step, int) else getattr(inside, step)
        if isinstance(path[-1], int):
            del inside[path[-1]]
        else:
            inside.ClearField(path[-1])
        body = less.SerializeToString(deterministic=True)
        if len(body) < len(sent.body):
            yield Sent(sent.method, body, sent.metadata)


def _set_fields(message: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for described, value in message.ListFields():
        here = (*path, described.name)
        yield here
        if described.message_type is not None and described.message_type.GetOptions().map_entry:
            continue
        if described.is_repeated:
            for number, inner in enumerate(value):
                yield (*here, number)
                if described.message_type is not None:
                    yield from _set_fields(inner, (*here, number))
        elif described.message_type is not None:
            yield from _set_fields(value, here)
