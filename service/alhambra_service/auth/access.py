"""Who calls, and whether they may: read from the metadata of each call before its handler runs.

Every RPC says in the contract who its caller has to be (`caller`, `scope`). `rpc/guard.py` asks `Access.admit` before
each handler runs, which returns a `Caller` or refuses the call:

    host        an API key with its tenant and scopes; without keys, on loopback only, everybody is host of one tenant
    seat        a bearer token, which the handler compares with those of the game: `Access.seat`
    spectator   no credentials; sees what everybody sees

Whatever is wrong with credentials is refused with the same words: missing, truncated, revoked, those of another game
or another seat. Nothing of them is logged.

A gateway calls for others. It shows its own key as `gateway-authorization` and passes on what its caller sent, as
`authorization` and `x-forwarded-for`. From anybody else forwarding headers are not believed; and where there are no
keys, calls that came through a proxy are refused, because then it is not loopback that calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address
from urllib.parse import unquote

import grpc

from alhambra_api.v1 import annotations_pb2, service_pb2

from .. import limits
from ..handover import begun_again
from ..messages.refusals import Refusal
from ..store.keys import DEFAULT_TENANT
from ..store.usage import Quota
from .api_keys import ApiKey, KeyRing
from .credentials import digest, holder
from .rates import Rates, network_of
from .tickets import Ticket, Tickets

AUTHORIZATION = "authorization"
GATEWAY_AUTHORIZATION = "gateway-authorization"
FORWARDED_FOR = "x-forwarded-for"
FORWARDING = frozenset({"forwarded", FORWARDED_FOR, "x-forwarded-host", "x-forwarded-proto", "x-real-ip"})
READ = FORWARDING | {AUTHORIZATION, GATEWAY_AUTHORIZATION}
"""The metadata that access depends on."""
SCHEME = "bearer "

Network = IPv4Network | IPv6Network
Peer = Callable[[], str]
"""Tells what gRPC calls the peer of a call."""
Metadata = Iterable[tuple[str, str | bytes]]
ANYONE, SPECTATOR = annotations_pb2.CALLER_ANYONE, annotations_pb2.CALLER_SPECTATOR
SEAT, HOST = annotations_pb2.CALLER_SEAT, annotations_pb2.CALLER_HOST


class Rule:
    """Who may call one RPC."""

    __slots__ = ("caller", "cost", "open", "scope")

    def __init__(self, caller: int, scope: str = "", cost: float = 1.0) -> None:
        self.caller = caller
        self.scope = scope
        self.open = caller in (ANYONE, SPECTATOR)
        """Whether it needs no credentials."""
        self.cost = cost
        """What one call counts for in the rate of its caller."""


def contract_rules() -> dict[str, Rule]:
    """The rule of every RPC, by its full name as gRPC spells it."""
    found = {}
    for service in service_pb2.DESCRIPTOR.services_by_name.values():
        for method in service.methods:
            said = method.GetOptions().Extensions
            cost = limits.CALL_COSTS.get(method.name, 1.0)
            rule = Rule(said[annotations_pb2.caller], said[annotations_pb2.scope], cost)
            found[f"/{service.full_name}/{method.name}"] = rule
    return found


NO_QUOTA = Quota()
"""Any number of everything: who calls a server without keys has it."""


@dataclass(slots=True)  # one is made for every call; frozen ones take four times as long to make
class Caller:
    """Who calls, as far as that can be told without looking at a game. Never changed."""

    tenant: str | None = None
    """Whose host it is; None for everybody else."""
    scopes: frozenset[str] | None = frozenset()
    """What a host may do; None is everything."""
    name: str = ""
    """The name of its API key: what requests are scoped by and logs show."""
    bearer: str = field(default="", repr=False)
    """The token of a seat as it was sent; empty if none was."""
    token_digest: str = field(default="", repr=False)
    """Its digest."""
    address: str = ""
    """Where it calls from, as far as that can be believed: the address of a machine, or "local". Empty where it
    is not needed: asking gRPC for it costs as much as all the rest here."""
    account: str = ""
    """Whose rate its calls are counted in; empty if they are not counted."""
    rate: float = 0.0
    """What that rate is, each second."""

    quota: Quota = NO_QUOTA
    """How much its tenant may have at once; without keys, any number."""

    def may(self, scope: str) -> bool:
        """Whether it is a host with this scope."""
        return self.tenant is not None and (self.scopes is None or scope in self.scopes)

    def require(self, scope: str) -> None:
        """Refuses everybody else than a host with this scope."""
        if self.tenant is None:
            raise token_invalid()
        if not self.may(scope):
            raise Refusal("SCOPE_MISSING", "The API key lacks the scope that is needed for this.", {"scope": scope})


def token_invalid() -> Refusal:
    """The one refusal for everything that can be wrong with credentials."""
    return Refusal("TOKEN_INVALID", "The credentials are missing or not good.")


CALLER_ATTRIBUTE = "alhambra_caller"
"""The attribute of a call's context that says who calls: it lives exactly as long as the call."""


class Access:
    """Tells callers apart. One for each process."""

    def __init__(
        self,
        keys: KeyRing | None = None,
        tickets: Tickets | None = None,
        *,
        calls_per_second: float | None = None,
        trusted_proxies: Sequence[Network] = (),
    ) -> None:
        self.keys = keys
        self._tickets = tickets
        default = limits.CLIENT_CALLS_PER_SECOND if keys is not None else 0.0
        self._calls_per_second = default if calls_per_second is None else calls_per_second
        self._by_address = self._calls_per_second > 0
        """Whether calls are counted by the address that they come from."""
        self._trusting = keys is None and not self._by_address
        """Whether everybody may call whatever is open to everybody."""
        self._trusted_proxies = trusted_proxies
        self._rates = Rates()

    # -- At the door ---------------------------------------------------------------------------------------------

    def admit(self, rule: Rule, metadata: Metadata, peer: Peer | str, *, where: bool = True) -> Caller:
        """The caller of an RPC with this rule; raises Refusal if it may not call it. Unless `where`, its address is
        only looked for if its calls are counted by it."""
        said = _headers(metadata)
        header = said.pop(AUTHORIZATION, None)
        if not said and self._trusting and rule.open and not where and rule.caller != ANYONE:
            return _whoever(header)
        address = ""
        if said or where or self._by_address:
            direct = peer_address(peer if isinstance(peer, str) else peer())
            address = self._address(said, direct) if said else direct
        caller, key = self._read(header, address, look=rule.caller != ANYONE)
        self._count(caller, key, rule.cost)
        if rule.open:
            return caller
        if rule.caller == SEAT:
            if not caller.bearer:
                raise token_invalid()
            return caller
        if rule.caller != HOST:
            raise token_invalid()  # an RPC that does not say who may call it is for nobody
        caller.require(rule.scope)
        return caller

    def _read(self, header: str | None, address: str, *, look: bool) -> tuple[Caller, ApiKey | None]:
        """The caller; unless `look`, its credentials only serve to count it and are never refused."""
        try:
            secret = _bearer(header)
        except Refusal:
            if look:
                raise
            secret = ""
        if self.keys is None:
            return _anybody(secret, address), None
        found = digest(secret) if secret else ""
        key = self.keys.find(found)
        if key is None or key.gateway:
            return Caller(None, frozenset(), "", secret, found, address), None
        return Caller(key.tenant, key.scopes, key.name, address=address, quota=key.quota), key

    def _gateway(self, said: Mapping[str, str]) -> bool:
        """Whether a gateway calls for somebody; one that cannot prove itself is refused."""
        shown = said.get(GATEWAY_AUTHORIZATION)
        if shown is None or self.keys is None:
            return False
        key = self.keys.holder(_bearer(shown))
        if key is None or not key.gateway:
            raise token_invalid()
        return True

    def _address(self, said: Mapping[str, str], direct: str) -> str:
        gateway = self._gateway(said)
        if said.keys().isdisjoint(FORWARDING):
            return direct
        if not gateway and not self._trusts(direct):
            if self.keys is None:
                message = "A server without keys answers nobody who comes through a proxy."
                raise Refusal("HOST_REFUSED", message)
            return direct
        return _ip(said.get(FORWARDED_FOR, "").rpartition(",")[2].strip()) or direct

    def _trusts(self, address: str) -> bool:
        if not self._trusted_proxies:
            return False
        found = _ip(address)
        return bool(found) and any(ip_address(found) in network for network in self._trusted_proxies)

    def _count(self, caller: Caller, key: ApiKey | None, cost: float) -> None:
        rate = key.calls_per_second if key is not None else self._calls_per_second
        if rate <= 0:
            return
        caller.rate = rate
        caller.account = f"key {key.name}" if key is not None else f"address {network_of(caller.address)}"
        wait = 0.0 if begun_again() else self._rates.wait(caller.account, rate, cost)
        if wait > 0:
            seconds = max(1, round(wait + 0.5))
            raise Refusal("RATE_LIMITED", "Too many calls: wait a moment.", {"retry_after": str(seconds)})

    def charge(self, caller: Caller, seconds: float, paid: float = 0.0) -> None:
        """Counts the time on a core that a call has used, beyond what it paid for before it began."""
        cost = seconds / limits.CALL_CPU_SECONDS - paid
        if caller.account and cost > 0:
            self._rates.charge(caller.account, caller.rate, cost)

    # -- For handlers --------------------------------------------------------------------------------------------

    def caller(self, context: grpc.ServicerContext) -> Caller:
        """Return who made the call that is being answered. Raises LookupError if no guard stands before the handler."""
        found: Caller | None = getattr(context, CALLER_ATTRIBUTE, None)
        if found is None:
            raise LookupError("no guard stands before this handler")
        return found

    def seat(self, caller: Caller, tokens: Sequence[str]) -> int | None:
        """The seat of a game that the caller's token is good for, or None if it showed none: a spectator, or a host.
        `tokens` are the digests of the tokens that are good now, one for each seat of the game, "" for none."""
        if not caller.bearer:
            return None
        seat = holder(caller.token_digest, tokens)
        if seat is None:
            raise token_invalid()
        return seat

    def require_seat(self, caller: Caller, tokens: Sequence[str]) -> int:
        """Return the seat that the caller's token is good for; refuse callers without a seat."""
        seat = self.seat(caller, tokens)
        if seat is None:
            raise token_invalid()
        return seat

    def give_ticket(self, caller: Caller, game: str) -> tuple[str, float]:
        """A ticket for one stream of this game, and when it expires. The caller's token was compared before."""
        return self._desk().give(Ticket(game, caller.token_digest))

    def take_ticket(self, ticket: str, game: str, tokens: Sequence[str]) -> int | None:
        """The seat for which a ticket opens a stream, or None for a spectator. The ticket is spent."""
        found = self._desk().take(ticket, game, tokens)
        if found is None:
            raise token_invalid()
        if not found.token_digest:
            return None
        seat = holder(found.token_digest, tokens)
        if seat is None:
            raise token_invalid()  # revoked since
        return seat

    def _desk(self) -> Tickets:
        if self._tickets is None:
            raise Refusal("NOT_SUPPORTED", "This server gives no tickets.")
        return self._tickets


def _anybody(secret: str, address: str = "") -> Caller:
    """Who calls a server without keys."""
    return Caller(DEFAULT_TENANT, None, "", secret, digest(secret) if secret else "", address)


@lru_cache(limits.RATED_CALLERS)
def _whoever(header: str | None) -> Caller:
    """Return the caller of a server without keys by its authorization header. The newest ones are kept."""
    return _anybody(_bearer(header))


def _headers(metadata: Metadata) -> dict[str, str]:
    """What access depends on. A name that comes twice means nothing good: it counts as empty."""
    found: dict[str, str] = {}
    for name, value in metadata:
        if name in READ:
            found[name] = "" if name in found or isinstance(value, bytes) else value
    return found


def _bearer(header: str | None) -> str:
    """The secret in an authorization header. A header without one is not the same as none: it is not good."""
    if header is None:
        return ""
    secret = header[len(SCHEME) :].strip()
    if header[: len(SCHEME)].lower() != SCHEME or not 0 < len(secret) <= limits.BEARER_CHARS:
        raise token_invalid()
    return secret


@lru_cache(limits.RATED_CALLERS)
def peer_address(peer: str) -> str:
    """The address in what gRPC calls a peer: `ipv4:192.0.2.1:4242`, `ipv6:%5B::1%5D:4242`, `unix:`."""
    family, _, rest = peer.partition(":")
    if family not in ("ipv4", "ipv6"):
        return "local"
    return unquote(rest).rpartition(":")[0].strip("[]") or "local"


def _ip(text: str) -> str:
    try:
        return str(ip_address(text))
    except ValueError:
        return ""
