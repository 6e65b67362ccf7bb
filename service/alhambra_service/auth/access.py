"""Finds out who calls and whether the call is allowed, from its metadata, before its handler runs.

Every RPC says in the contract who its caller has to be (`caller`, `scope`). `rpc/guard.py` asks `Access.admit` before
each handler runs, which returns a `Caller` or refuses the call:

    host        an API key with its tenant and scopes; a server without keys (loopback only) takes every caller as host
    seat        a bearer token, which the handler compares with those of the game: `Access.seat`
    spectator   no credentials; sees only what is public

All bad credentials are refused with the same words: missing, truncated, revoked, of another game or of another seat.
Nothing of them is logged.

A gateway calls for others. It shows its own key as `gateway-authorization` and passes on what its caller sent, as
`authorization` and `x-forwarded-for`. Forwarding headers of other callers are ignored. A server without keys refuses
calls that came through a proxy, because their callers may be on other machines.
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
from ..blocking import is_restarted
from ..messages.refusals import Refusal
from ..store.keys import DEFAULT_TENANT
from ..store.usage import Quota
from .api_keys import ApiKey, KeyRing
from .credentials import digest, matching_index
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
"""Returns the peer of a call, as gRPC spells it."""
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
        """The cost of one call in the rate of its caller."""


def contract_rules() -> dict[str, Rule]:
    """Return the rule of every RPC, by its full name as gRPC spells it."""
    found = {}
    for service in service_pb2.DESCRIPTOR.services_by_name.values():
        for method in service.methods:
            said = method.GetOptions().Extensions
            cost = limits.CALL_COSTS.get(method.name, 1.0)
            rule = Rule(said[annotations_pb2.caller], said[annotations_pb2.scope], cost)
            found[f"/{service.full_name}/{method.name}"] = rule
    return found


NO_QUOTA = Quota()
"""No limits: the quotas of callers of a server without keys."""


@dataclass(slots=True)  # one is made for every call; frozen ones take four times as long to make
class Caller:
    """The caller of a call, as far as it is known without its game. Never changed."""

    tenant: str | None = None
    """The tenant of a host; None for other callers."""
    scopes: frozenset[str] | None = frozenset()
    """What a host may do; None is everything."""
    name: str = ""
    """The name of its API key, which logs show. Request ids are separate for each name."""
    bearer: str = field(default="", repr=False)
    """The token of a seat as it was sent; empty if none was."""
    token_digest: str = field(default="", repr=False)
    """Its digest."""
    address: str = ""
    """The address of the caller, from a trusted source, or "local". Empty if it is not needed, because asking gRPC for
    it costs as much as all the rest here."""
    account: str = ""
    """The key of the rate in which its calls are counted; empty if they are not counted."""
    rate: float = 0.0
    """That rate, in calls per second."""

    by_gateway: bool = False
    """Whether a gateway makes the call for the caller."""
    quota: Quota = NO_QUOTA
    """How much its tenant may have at once; without keys, any number."""

    def may(self, scope: str) -> bool:
        """Return whether it is a host with this scope."""
        return self.tenant is not None and (self.scopes is None or scope in self.scopes)

    def require(self, scope: str) -> None:
        """Refuse the caller unless it is a host with this scope."""
        if self.tenant is None:
            raise token_invalid()
        if not self.may(scope):
            raise Refusal("SCOPE_MISSING", "The API key lacks the scope that is needed for this.", {"scope": scope})


def token_invalid() -> Refusal:
    """Return the refusal for all bad credentials."""
    return Refusal("TOKEN_INVALID", "The credentials are missing or invalid.")


CALLER_ATTRIBUTE = "alhambra_caller"
"""The attribute of a call's context that holds the caller. It lives as long as the call."""


class Access:
    """Finds the caller of each call. There is one for each process."""

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
        """Whether the server has no keys and does not count calls, so that most calls need no check."""
        self._trusted_proxies = trusted_proxies
        self._rates = Rates()

    # -- Before handlers ---------------------------------------------------------------------------------------------

    def admit(self, rule: Rule, metadata: Metadata, peer: Peer | str, *, where: bool = True) -> Caller:
        """Return the caller of an RPC with this rule. Raises Refusal if it may not call. Unless `where`, its address is
        looked up only if its calls are counted by address."""
        said = _headers(metadata)
        header = said.pop(AUTHORIZATION, None)
        if not said and self._trusting and not where and rule.caller in (SPECTATOR, SEAT):
            caller = _cached_caller(header)
            if not rule.open and not caller.bearer:
                raise token_invalid()
            return caller
        address, by_gateway = "", False
        if said or where or self._by_address:
            direct = peer_address(peer if isinstance(peer, str) else peer())
            by_gateway = self._gateway(said)
            address = self._address(said, direct, by_gateway) if said else direct
        caller, key = self._read(header, address, look=rule.caller != ANYONE)
        caller.by_gateway = by_gateway
        self._count(caller, key, rule.cost)
        if rule.open:
            return caller
        if rule.caller == SEAT:
            if not caller.bearer:
                raise token_invalid()
            return caller
        if rule.caller != HOST:
            raise token_invalid()  # no caller may use an RPC whose contract names no caller
        caller.require(rule.scope)
        return caller

    def _read(self, header: str | None, address: str, *, look: bool) -> tuple[Caller, ApiKey | None]:
        """Return the caller. Unless `look`, its credentials are only used for counting and never refused."""
        try:
            secret = _bearer(header)
        except Refusal:
            if look:
                raise
            secret = ""
        if self.keys is None:
            return _caller_without_keys(secret, address), None
        found = digest(secret) if secret else ""
        key = self.keys.find(found)
        if key is None or key.gateway:
            return Caller(None, frozenset(), "", secret, found, address), None
        return Caller(key.tenant, key.scopes, key.name, address=address, quota=key.quota), key

    def _gateway(self, said: Mapping[str, str]) -> bool:
        """Return whether a gateway makes the call for a client. Refuses a gateway without a valid key."""
        shown = said.get(GATEWAY_AUTHORIZATION)
        if shown is None or self.keys is None:
            return False
        key = self.keys.holder(_bearer(shown))
        if key is None or not key.gateway:
            raise token_invalid()
        return True

    def _address(self, said: Mapping[str, str], direct: str, gateway: bool) -> str:
        if said.keys().isdisjoint(FORWARDING):
            return direct
        if not gateway and not self._trusts(direct):
            if self.keys is None:
                message = "A server without keys refuses calls that came through a proxy."
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
        wait = 0.0 if is_restarted() else self._rates.wait(caller.account, rate, cost)
        if wait > 0:
            seconds = max(1, round(wait + 0.5))
            allowed = {"calls": f"{self._rates.most(rate):g}", "seconds": f"{limits.BURST_SECONDS:g}"}
            raise Refusal("RATE_LIMITED", "Too many calls: wait a moment.", {"retry_after": str(seconds), **allowed})

    def charge(self, caller: Caller, seconds: float, paid: float = 0.0) -> None:
        """Charge the CPU time that a call has used beyond the cost that it paid before."""
        cost = seconds / limits.CALL_CPU_SECONDS - paid
        if caller.account and cost > 0:
            self._rates.charge(caller.account, caller.rate, cost)

    @staticmethod
    def report(caller: Caller, seconds: float) -> str:
        """Return what a gateway gets to know about the CPU time of a call: its microseconds, the CPU seconds per second
        that the caller may use (0 for any number), and `key` if that is the limit of an API key."""
        share = caller.rate * limits.CALL_CPU_SECONDS
        return f"{round(1e6 * seconds)} {share:g}" + (" key" if caller.name else "")

    # -- For handlers --------------------------------------------------------------------------------------------

    def caller(self, context: grpc.ServicerContext) -> Caller:
        """Return who made the call that is being answered. Raises LookupError if no guard ran before the handler."""
        found: Caller | None = getattr(context, CALLER_ATTRIBUTE, None)
        if found is None:
            raise LookupError("no guard ran before this handler")
        return found

    def seat(self, caller: Caller, tokens: Sequence[str]) -> int | None:
        """Return the seat whose token the caller sent; None if it sent none, as spectators and hosts do. `tokens` are
        the digests of the valid tokens, one for each seat of the game, "" for none."""
        if not caller.bearer:
            return None
        seat = matching_index(caller.token_digest, tokens)
        if seat is None:
            raise token_invalid()
        return seat

    def require_seat(self, caller: Caller, tokens: Sequence[str]) -> int:
        """Return the seat that the caller's token is good for; refuse callers without a seat."""
        seat = self.seat(caller, tokens)
        if seat is None:
            raise token_invalid()
        return seat

    def issue_ticket(self, caller: Caller, game: str) -> tuple[str, float]:
        """Return a ticket for one stream of this game, and when it expires. The caller's token was compared before."""
        return self._require_tickets().issue(Ticket(game, caller.token_digest))

    def redeem_ticket(self, ticket: str, game: str, tokens: Sequence[str]) -> int | None:
        """Return the seat for which a ticket opens a stream; None for a spectator. The ticket can be used once."""
        found = self._require_tickets().redeem(ticket, game, tokens)
        if found is None:
            raise token_invalid()
        if not found.token_digest:
            return None
        seat = matching_index(found.token_digest, tokens)
        if seat is None:
            raise token_invalid()  # revoked since
        return seat

    def _require_tickets(self) -> Tickets:
        if self._tickets is None:
            raise Refusal("NOT_SUPPORTED", "This server gives no tickets.")
        return self._tickets


def _caller_without_keys(secret: str, address: str = "") -> Caller:
    """Return the caller of a server without keys."""
    return Caller(DEFAULT_TENANT, None, "", secret, digest(secret) if secret else "", address)


@lru_cache(limits.RATED_CALLERS)
def _cached_caller(header: str | None) -> Caller:
    """Return the caller of a server without keys by its authorization header. The newest ones are cached."""
    return _caller_without_keys(_bearer(header))


def _headers(metadata: Metadata) -> dict[str, str]:
    """Read the metadata that access depends on. A name that comes twice counts as empty."""
    found: dict[str, str] = {}
    for name, value in metadata:
        if name in READ:
            found[name] = "" if name in found or isinstance(value, bytes) else value
    return found


def _bearer(header: str | None) -> str:
    """Return the secret in an authorization header. A header without a secret is refused; a missing header is not."""
    if header is None:
        return ""
    secret = header[len(SCHEME) :].strip()
    if header[: len(SCHEME)].lower() != SCHEME or not 0 < len(secret) <= limits.BEARER_CHARS:
        raise token_invalid()
    return secret


@lru_cache(limits.RATED_CALLERS)
def peer_address(peer: str) -> str:
    """Return the address of a peer as gRPC spells it: `ipv4:192.0.2.1:4242`, `ipv6:%5B::1%5D:4242`, `unix:`."""
    family, _, rest = peer.partition(":")
    if family not in ("ipv4", "ipv6"):
        return "local"
    return unquote(rest).rpartition(":")[0].strip("[]") or "local"


def _ip(text: str) -> str:
    try:
        return str(ip_address(text))
    except ValueError:
        return ""
