"""Every limit of the contract, asked of a running service: one request for each way in which a field can be outside it.

python -m tests.service.field_limits unix:///path/of/the/store     name the limits that a service does not keep
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import grpc
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from alhambra_api.limits import Limits, limits_of, limits_of_form
from alhambra_api.v1 import (
    boards_pb2,
    catalog_pb2,
    games_pb2,
    moves_pb2,
    reactions_pb2,
    service_pb2,
    views_pb2,
    webhooks_pb2,
)

from .playing import Failure, Game, Host
from .serving import GameServer

PATIENCE = 60.0
REASONS = {
    "REQUEST_MALFORMED",
    "LIMIT_EXCEEDED",
    "OPTION_INVALID",
    "SEATS_INVALID",
    "PLAYERS_UNSUPPORTED",
    "NOUN_MALFORMED",
    "BOARD_INVALID",
    "COMPONENT_NOT_FOUND",
}
"""What a value outside its limits is refused with."""
OPEN = {"OptionsEntry", "Value"}
"""Messages that may hold anything."""
SERVICES = service_pb2.DESCRIPTOR.services_by_name.values()
RPCS = {method.name: (service, method) for service in SERVICES for method in service.methods}


class Case(NamedTuple):
    """A field of a request with a value outside its limits."""

    rpc: str
    path: tuple[FieldDescriptor, ...]
    value: Any

    def __str__(self) -> str:
        names = ".".join(field.name for field in self.path)
        text = repr(self.value)
        return f"{self.rpc} {names} {text if len(text) < 20 else f'{len(self.value)} long'}"

    def put_into(self, request: Message) -> None:
        """Change a good request into one that is bad in this field."""
        *outer, last = self.path
        message: Any = request
        for field in outer:
            inner = getattr(message, field.name)
            if field.is_repeated:
                message = inner[0] if inner else inner.add()
            else:
                inner.SetInParent()
                message = inner
        if not last.is_repeated:
            setattr(message, last.name, self.value)
            return
        message.ClearField(last.name)
        entries = getattr(message, last.name)
        for value in self.value:
            if last.message_type is not None:
                entries.add()
            else:
                entries.append(1 if last.enum_type is not None else value)


def cases() -> Iterator[Case]:
    """Every field of every request with a limit, with every sort of value outside it."""
    for name, (_, method) in RPCS.items():
        for path in limited(method.input_type, ()):
            for value in outside(limits_of(path[-1])):
                yield Case(name, path, value)


def limited(message: Descriptor, path: tuple[FieldDescriptor, ...]) -> Iterator[tuple[FieldDescriptor, ...]]:
    """The fields with limits in a message and in those that it contains."""
    for field in message.fields:
        if limits_of(field).ListFields():
            yield (*path, field)
        inner = field.message_type
        if inner is not None and inner.file.package == message.file.package and inner.name not in OPEN:
            yield from limited(inner, (*path, field))


def outside(limits: Limits) -> Iterator[Any]:
    """Values just outside limits, one for each of them."""
    if limits.HasField("minimum"):
        yield limits.minimum - 1
    if limits.HasField("maximum"):
        yield limits.maximum + 1
    if limits.numbers:
        yield max(limits.numbers) + 1
    if limits.HasField("max_length"):
        yield "x" * (limits.max_length + 1)
    if limits.printable:
        yield "\n"
    if limits.HasField("pattern"):
        yield "!"
        longer = one_more(limits.pattern)
        assert re.fullmatch(limits.pattern, longer) is None
        yield longer
    if limits.HasField("min_items"):
        yield [""] * (limits.min_items - 1)
    if limits.HasField("max_items"):
        yield ["x"] * (limits.max_items + 1)
    if limits.HasField("entries"):
        yield from ([value] for value in outside(limits_of_form(limits.entries)))


def one_more(pattern: str) -> str:
    """A text that is too long for a pattern by one digit, or by one pair of them."""
    most = int(re.findall(r"(\d+)\}", pattern)[-1])
    return "00" * (most + 1) if "{2}" in pattern else "0" * (most + 1)


# -- Asking ------------------------------------------------------------------------------------------------------------


class Asked:
    """A service, a game in it, and a good request for each RPC."""

    def __init__(self, address: str) -> None:
        self._channel = grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
        self._host = Host(address)
        self.begin()

    def begin(self) -> None:
        """Ask about a new game from now on."""
        self._game: Game = self._host.create(2)
        self._metadata = self._game.seats[0].metadata

    def close(self) -> None:
        self._channel.close()
        self._host.close()

    def good(self, rpc: str) -> Message:
        """A request that is within all limits."""
        request: Any = GetMessageClass(RPCS[rpc][1].input_type)()
        if "game" in request.DESCRIPTOR.fields_by_name:
            request.game = self._game.id
        if isinstance(request, games_pb2.CreateGameRequest):
            request.seats.extend([games_pb2.SeatSetup(claim=True)] * 2)
        elif isinstance(request, games_pb2.ClaimSeatRequest):
            request.seat = 0
        elif isinstance(request, reactions_pb2.ReactRequest):
            request.phrase = reactions_pb2.PHRASE_HELLO
        elif isinstance(request, games_pb2.RevealEntropyRequest):
            request.entropy = "00"
        elif isinstance(request, games_pb2.SetOrdersRequest):
            request.orders.append(views_pb2.Order(decision="window", answer="pass"))
        elif isinstance(request, moves_pb2.ApplyMoveRequest):
            request.move.verb = "pass"
            request.validate_only = True
        elif isinstance(request, catalog_pb2.GetComponentPictureRequest):
            request.kind, request.id = "tile", "garden-8-ne"
        elif isinstance(request, webhooks_pb2.CreateWebhookRequest):
            request.address = "https://example.com/"
        elif isinstance(request, webhooks_pb2.CreateNoticeTicketRequest):
            request.seats.add(game=self._game.id, token="alh_seat_x")
        elif isinstance(request, boards_pb2.ScoreBoardRequest):
            request.boards.extend([boards_pb2.Board()] * 2)
            request.scoring = 1
        if "webhook" in request.DESCRIPTOR.fields_by_name:
            request.webhook = "a" * 24
        if "seat" in request.DESCRIPTOR.fields_by_name and rpc != "Undo":
            request.seat = 0
        message: Message = request
        return message

    def reasons(self, rpc: str, request: Message) -> list[str]:
        """Why a request is refused: the reason of the call, or codes in its answer; empty if it is answered."""
        service, method = RPCS[rpc]
        call = self._channel.unary_stream if method.server_streaming else self._channel.unary_unary
        ask: Any = call(
            f"/{service.full_name}/{rpc}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        try:
            answer: Any = ask(request, metadata=self._metadata, timeout=PATIENCE)
            return codes_in(next(answer) if method.server_streaming else answer)
        except grpc.RpcError as refused:
            return [Failure(refused).reason]


def codes_in(answer: Any) -> list[str]:
    """The codes of violations in an answer."""
    found = [*getattr(answer, "violations", ()), *getattr(getattr(answer, "verdict", None), "violations", ())]
    found += [violation for verdict in getattr(answer, "verdicts", ()) for violation in verdict.violations]
    return [violation.code for violation in found]


def unkept(asked: Asked, wanted: Sequence[Case]) -> list[str]:
    """The cases that the service does not refuse as it should."""
    found = []
    for case in wanted:
        request = asked.good(case.rpc)
        case.put_into(request)
        reasons = asked.reasons(case.rpc, request)
        if not REASONS & set(reasons):
            found.append(f"{case}: {', '.join(reasons) or 'answered'}")
    return found


def main() -> int:
    server = GameServer(sys.argv[1])
    asked = Asked(server.address)
    faults = unkept(asked, list(cases()))
    print("\n".join(faults))
    asked.close()
    server.stop()
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
