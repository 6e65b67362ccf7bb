"""What must hold for every answer, whatever was asked.

A failed call has a reason of the contract with the status that the contract gives to it, is no defect, came in time,
and left every byte of the store as it was. An answer went to somebody who may have it and holds no secret that the
caller did not send along.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from alhambra_api.v1 import annotations_pb2, games_pb2, reasons_pb2, views_pb2
from alhambra_service import limits
from alhambra_service.auth.access import contract_rules
from alhambra_service.store.keys import (
    WANTED_KEY,
    fed_key,
    feed_key,
    is_game,
    mark_key,
    near_key,
    state_key,
    swept_key,
)

from .world import Metadata, World

DOMAIN, PREFIX = "alhambra", "REASON_"
HANDED_OUT = ("CreateGame", "ClaimSeat", "CreateEventTicket", "CreateNoticeTicket", "LeaseBotDecision")
"""Their answers hold secrets, fresh ones."""
RULES = contract_rules()


@dataclass
class Answer:
    """How a call ended."""

    code: grpc.StatusCode
    bodies: Sequence[bytes] = ()
    details: str = ""
    metadata: Sequence[tuple[str, Any]] = ()
    status: Any = None
    raw: bool = False
    """Whether nobody has read the details of its status."""

    @property
    def reason(self) -> str:
        """The reason of a refusal; empty without one."""
        info = self.info()
        return info.reason if info is not None else ""

    def info(self) -> Any:
        """The ErrorInfo of a refusal."""
        for detail in self.status.details if self.status is not None else ():
            info = error_details_pb2.ErrorInfo()
            if detail.Unpack(info):
                return info
        return None

    def everything(self) -> bytes:
        """Every byte that reached the caller, more or less."""
        parts = [*self.bodies, self.details.encode("utf-8", "replace")]
        if self.status is not None:
            parts.append(self.status.SerializeToString())
        parts += [part if isinstance(part, bytes) else part.encode() for pair in self.metadata for part in pair]
        return b"\0".join(parts)


OF_TENANTS = ("alh:index:", "alh:running:", "alh:sizes:", "alh:pending:", "alh:audit:")
"""Lists and counts of a tenant's games: any call that lists, creates or removes one may tidy them."""
ONLY_BY = {"CreateNoticeTicket": ("alh:noticeticket:",), "LeaseBotDecision": ("alh:botsalive:",)}
"""By method: what it may change although it is not about a game."""
EXPIRING = ("alh:botsalive:", "alh:said:", "alh:noticeticket:", "alh:swept:")
"""Keys of these kinds vanish by themselves, during whatever call."""


def answer_of(error: Any) -> Answer:
    """The answer that a failed call is."""
    try:
        status = rpc_status.from_call(error)
    except ValueError:  # code or message of the status and of the call are not the same
        status = None
    metadata = tuple(error.trailing_metadata() or ())
    return Answer(error.code(), (), error.details() or "", metadata, status)


def problems() -> dict[str, grpc.StatusCode]:
    """By reason: the status that the contract gives to it."""
    codes = {code.value[0]: code for code in grpc.StatusCode}
    return {
        value.name.removeprefix(PREFIX): codes[value.GetOptions().Extensions[annotations_pb2.problem].code]
        for value in reasons_pb2.Reason.DESCRIPTOR.values
        if value.number
    }


PROBLEMS = problems()


@dataclass
class Sent:
    """A call as it was made."""

    method: Any
    body: bytes
    metadata: Metadata

    @property
    def path(self) -> str:
        """The method as gRPC spells it."""
        return f"/{self.method.containing_service.full_name}/{self.method.name}"

    def request(self) -> Any:
        """The request, or None if the bytes are none."""
        try:
            return GetMessageClass(self.method.input_type).FromString(self.body)
        except DecodeError:
            return None

    def said(self) -> bytes:
        """Every byte that the caller sent."""
        parts = [part if isinstance(part, bytes) else part.encode() for pair in self.metadata for part in pair]
        return b"\0".join((self.body, *parts))

    def too_large(self) -> bool:
        """Whether gRPC itself turns it away, before anybody could give a reason."""
        size = sum(len(name) + len(value) + 32 for name, value in self.metadata)
        return len(self.body) > limits.REQUEST_BYTES or size > limits.METADATA_BYTES - 1_000

    def secret(self) -> str | None:
        """The one good credential that was shown; None for none, "" if it is not good in form."""
        shown = [value for name, value in self.metadata if name == "authorization"]
        if not shown:
            return None
        if len(shown) > 1 or not isinstance(shown[0], str) or shown[0][:7].lower() != "bearer ":
            return ""
        return shown[0][7:].strip()


@dataclass
class Around:
    """What stood in the store before a call and after it, by key, and what was secret before it."""

    before: Mapping[str, str]
    after: Mapping[str, str]
    secrets: Mapping[str, str]

    @property
    def changed(self) -> list[str]:
        """The keys of what is not as it was."""
        expired = {key for key in self.before.keys() - self.after.keys() if key.startswith(EXPIRING)}
        keys = (self.before.keys() | self.after.keys()) - expired
        return sorted(key for key in keys if self.before.get(key) != self.after.get(key))


def faults(world: World, sent: Sent, answer: Answer, around: Around) -> Iterator[str]:
    """Everything that is wrong with an answer."""
    if answer.code is grpc.StatusCode.OK:
        yield from _wrong_answers(world, sent, answer)
        yield from _wrong_changes(world, sent, around)
    else:
        if not (sent.too_large() and answer.code is grpc.StatusCode.RESOURCE_EXHAUSTED):
            yield from _wrong_refusals(answer)
        if around.changed:
            yield f"a refused call changed {', '.join(around.changed)}"
    if answer.code is not grpc.StatusCode.OK or sent.method.name not in HANDED_OUT:
        yield from (f"the answer holds {name}" for name in _leaked(world, sent, answer, around))
    if answer.code is grpc.StatusCode.OK and sent.method.name == "ClaimSeat":
        yield from _wrong_claims(world, sent, answer)


def _leaked(world: World, sent: Sent, answer: Answer, around: Around) -> Iterator[str]:
    """The names of secrets in an answer to somebody who did not say them, now or in orders of their own."""
    request = sent.request()
    game = getattr(request, "game", "")
    seat = world.seat_of(game, sent.secret())
    own = {secret for about, whose, secret in world.told_own if about == game and whose == seat}
    if getattr(request, "ticket", ""):
        own = {secret for about, _, secret in world.told_own if about == game}
    told, said = answer.everything(), sent.said()
    for name, secret in around.secrets.items():
        if secret.encode() in told and secret.encode() not in said and secret not in own:
            yield name


def _wrong_changes(world: World, sent: Sent, around: Around) -> Iterator[str]:
    """A call that was answered changes its own game alone, and a host only those of its tenant."""
    request = sent.request()
    about = getattr(request, "game", "")
    told = _notices(world, sent)
    for key in around.changed:
        created = sent.method.name == "CreateGame" and key not in around.before
        own = about and f"{{{about}}}" in key
        allowed = (*OF_TENANTS, *ONLY_BY.get(sent.method.name, ()))
        if not (created or own or key in told or key.startswith(allowed)):
            yield f"the call changed {key}, which it is not about"
    for game in world.games:
        gone = state_key(game.id) in around.before and state_key(game.id) not in around.after
        if gone and sent.secret() != world.server.keys[game.tenant]:
            yield f"a game of {game.tenant} was deleted by somebody else"


def _notices(world: World, sent: Sent) -> set[str]:
    """The keys of notices that a call may change. A call about a game adds to what its tenant is told, and remembers
    for this game alone how far that is. A stream of notices wants those of its tenant, and keeps them complete."""
    game = getattr(sent.request(), "game", "")
    tenant = world.tenant_of(game, sent.secret())
    if tenant is None or not (game or sent.method.name in ("CreateGame", "WatchNotices")):
        return set()
    found = {feed_key(tenant), near_key(tenant)}
    if is_game(game):
        found.add(fed_key(tenant, game))
    if sent.method.name == "WatchNotices":
        found |= {WANTED_KEY, mark_key(tenant), swept_key(tenant)}
    return found


def _wrong_refusals(answer: Answer) -> Iterator[str]:
    if answer.code in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN):
        yield f"the call ended with {answer.code.name}"
        return
    info = answer.info()
    if answer.raw:
        if answer.code is grpc.StatusCode.DEADLINE_EXCEEDED:
            yield "the call hangs"
    elif info is None and answer.code is grpc.StatusCode.DEADLINE_EXCEEDED:
        yield "the call hangs"
    elif info is None:
        yield f"{answer.code.name} without ErrorInfo"
    elif info.domain != DOMAIN or info.reason not in PROBLEMS:
        yield f"the reason {info.domain}/{info.reason} is not of the contract"
    elif answer.code is not PROBLEMS[info.reason] or answer.status.code != answer.code.value[0]:
        yield f"{info.reason} came with {answer.code.name}, not {PROBLEMS[info.reason].name}"
    for detail in answer.status.details if answer.status is not None else ():
        refusal = reasons_pb2.Refusal()
        if detail.Unpack(refusal):
            yield from (f"{one.code} is no code" for one in refusal.violations if one.code not in PROBLEMS)


def _wrong_answers(world: World, sent: Sent, answer: Answer) -> Iterator[str]:
    """An answer to somebody who may not have it, or with more in it than the caller may see."""
    secret = sent.secret()
    rule = RULES[sent.path]
    keys = world.server.keys
    hosts = {keys["red"]: None, keys["blue"]: None, keys["lister"]: {"games.list"}}
    if rule.caller == annotations_pb2.CALLER_HOST:
        scopes = hosts.get(secret or "", set())
        if scopes is not None and rule.scope not in scopes:
            yield "answered without an API key that has the scope"
    if rule.caller != annotations_pb2.CALLER_ANYONE and secret == "":
        yield "answered in spite of bad credentials"
    request = sent.request()
    game_id = getattr(request, "game", "")
    seat = world.seat_of(game_id, secret)
    known = any(game.id == game_id for game in world.games)
    if rule.caller == annotations_pb2.CALLER_SEAT and known and seat is None:
        yield "answered without the token of a seat"
    kind = GetMessageClass(sent.method.output_type)
    for body in answer.bodies:
        for view in views_in(kind.FromString(body)):
            yield from _wrong_views(view, seat if known and sent.method.name != "ClaimSeat" else None, known, sent)


def views_in(message: Message) -> Iterator[views_pb2.View]:
    """Every view in an answer."""
    if isinstance(message, views_pb2.View):
        yield message
        return
    for field, value in message.ListFields():
        if field.message_type is not None and not field.is_repeated:
            yield from views_in(value)


def _wrong_views(view: views_pb2.View, seat: int | None, known: bool, sent: Sent) -> Iterator[str]:
    viewer = view.viewer if view.HasField("viewer") else None
    if known and viewer != seat and sent.method.name not in ("ClaimSeat", "WatchEvents"):
        yield f"the view is that of {viewer}, the caller is {seat}"
    if view.status == views_pb2.GAME_STATUS_OVER:
        return
    for holder in view.seats:
        if holder.hand and holder.seat != viewer:
            yield f"the hand of seat {holder.seat} is shown to {viewer}"
    if view.fairness.secret or view.fairness.seed or view.fairness.entropies:
        yield "the secret of a running game is shown"


def _wrong_claims(world: World, sent: Sent, answer: Answer) -> Iterator[str]:
    """A token for somebody who showed neither invitation nor token nor key."""
    request = sent.request()
    claimed = games_pb2.ClaimSeatResponse.FromString(answer.bodies[0])
    for game in world.games:
        if game.id == request.game:
            good = {game.tokens.get(claimed.seat), *game.revoked, world.server.keys[game.tenant]}
            if not request.invitation and sent.secret() not in good:
                yield "a seat was claimed without a right to it"
            if request.invitation and request.invitation != game.invitations.get(claimed.seat):
                yield "a seat was claimed with an invitation that is not its own"
