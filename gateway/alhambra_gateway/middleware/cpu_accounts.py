"""How much CPU time each client address, and each API key, has left: one account for all processes of a gateway.

An account is filled by time and emptied by requests. A request is charged when it has been answered: the CPU time that
the gateway took for it, and the one that the service says it took (`upstream/grpc_parts.py`). While an account is
overdrawn, requests of its holder are refused with 429.

The service knows who has which rate: it judges credentials, and its operator sets the rates. It tells the rate with
each answer. Until it has told that some credentials are an API key, their requests are charged to the address.

The accounts are in memory that the processes share. It is not locked: if two processes charge an account in the same
microsecond, one of the two charges may be lost. An address that has not been heard of for long loses its account to
another one when there are too many.
"""

from __future__ import annotations

import secrets
import struct
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from mmap import mmap
from typing import Any

from .. import limits
from ..connections.client_addresses import site
from ..connections.thread_pool import cpu_of_request, pause_client
from ..environ_keys import ADDRESS
from ..refusals.problem import Problem

SPENT = "alhambra-spent"
"""The trailer of the service with its CPU time in microseconds, the seconds of CPU that the caller has in each second,
and the word `key` if they are those of an API key."""
_KEY = "key"
_TOO_MANY = "429"
_SLOT = struct.Struct("=Qdd")
"""An account: a digest of its holder, the seconds that were left, and when that was."""
_NEIGHBOURS = 8
"""Places in which the account of a holder can be."""


class CpuAccounts:
    """The accounts of all holders. Make it before the processes are forked."""

    def __init__(self, count: int = limits.CPU_ACCOUNTS, clock: Callable[[], float] = time.monotonic) -> None:
        self._groups = max(1, count // _NEIGHBOURS)
        self._memory = mmap(-1, self._groups * _NEIGHBOURS * _SLOT.size)
        self._clock = clock
        salt = secrets.token_bytes(16)  # so that addresses cannot be chosen to evict the account of another one

        @lru_cache(limits.HEADERS_REMEMBERED)
        def digest(holder: str) -> int:
            return int.from_bytes(blake2b(holder.encode(), digest_size=8, salt=salt).digest()) | 1

        self._digest = digest

    def filled(self, holder: str, rate: float) -> float:
        """Return how much of what it can hold is left on the account of a holder, which gains `rate` seconds in each
        second: 1 if it is full, less than 0 if it is overdrawn."""
        digest = self._digest(holder)
        left = self._left(self._place(digest), digest, rate, self._clock())
        return left / (rate * limits.CPU_BURST_SECONDS)

    def seconds_to_wait(self, holder: str, rate: float) -> float:
        """Return how long the holder has to wait until its account is not overdrawn any more; 0 if it is not."""
        return max(0.0, -self.filled(holder, rate) * limits.CPU_BURST_SECONDS)

    def charge(self, holder: str, rate: float, seconds: float) -> None:
        """Take seconds from an account. It can be overdrawn by what it gains in CPU_DEBT_SECONDS."""
        digest, now = self._digest(holder), self._clock()
        found = self._place(digest)
        left = self._left(found, digest, rate, now) - seconds
        _SLOT.pack_into(self._memory, found, digest, max(left, -rate * limits.CPU_DEBT_SECONDS), now)

    def _left(self, place: int, digest: int, rate: float, now: float) -> float:
        holder, left, since = _SLOT.unpack_from(self._memory, place)
        full = rate * limits.CPU_BURST_SECONDS
        return min(full, left + (now - since) * rate) if holder == digest else full

    def _place(self, digest: int) -> int:
        """Return where the account of a holder is, or where it can be: in place of the one that was quiet longest."""
        begin = digest % self._groups * _NEIGHBOURS * _SLOT.size
        oldest, found = float("inf"), begin
        for place in range(begin, begin + _NEIGHBOURS * _SLOT.size, _SLOT.size):
            holder, _, since = _SLOT.unpack_from(self._memory, place)
            if holder == digest:
                return place
            if since < oldest:
                oldest, found = since, place
        return found


class _Here(threading.local):
    """What the service has said about the request that this thread answers."""

    seconds = 0.0
    rate: float | None = None
    is_key = False


class CpuCharges:
    """Charges the requests of one process to the accounts."""

    def __init__(self, accounts: CpuAccounts) -> None:
        self._accounts = accounts
        self._rate = limits.CPU_PER_SECOND
        """The seconds of CPU that an address has in each second; 0 for any number. The service says it."""
        self._keys: OrderedDict[str, float] = OrderedDict()
        """The same for credentials that the service knows as API keys."""
        self._here = _Here()

    def admit(self, environ: Mapping[str, Any]) -> None:
        """Raise Problem if the account of the sender of a request is overdrawn."""
        holder, rate = self._holder(environ[ADDRESS], environ.get("HTTP_AUTHORIZATION"))
        wait = self._accounts.seconds_to_wait(holder, rate) if rate > 0 else 0.0
        if wait > 0:
            raise Problem.overdrawn(wait)

    def finish(self, environ: Mapping[str, Any], status: str) -> None:
        """Charge the sender of a request that was answered with this status. After a 429, of the gateway or of the
        service, its connection is not read from for a moment."""
        here = self._here
        if status.startswith(_TOO_MANY):
            pause_client()
        if here.rate is not None:
            self._learn(environ, here.rate, here.is_key)
        holder, rate = self._holder(environ[ADDRESS], environ.get("HTTP_AUTHORIZATION"))
        if rate > 0:
            seconds = limits.CPU_OF_A_CONNECTION + cpu_of_request() + here.seconds
            self._accounts.charge(holder, rate, seconds)
        here.seconds, here.rate = 0.0, None

    def charge_address(self, address: str) -> None:
        """Charge an address for a request that could not be read."""
        if self._rate > 0:
            self._accounts.charge(site(address), self._rate, limits.CPU_OF_A_CONNECTION + cpu_of_request())

    def is_overdrawn(self, address: str) -> bool:
        """Whether the account of an address is overdrawn."""
        return self._rate > 0 and self._accounts.seconds_to_wait(address, self._rate) > 0

    def account_of(self, address: str, credentials: str | None) -> tuple[str, float]:
        """Return the name of the account that requests with these credentials are charged to, and how much of what it
        can hold is left."""
        holder, rate = self._holder(address, credentials)
        return holder, self._accounts.filled(holder, rate) if rate > 0 else 1.0

    def note_trailers(self, trailers: Sequence[tuple[str, Any]] | None) -> None:
        """Read what the service says about a call that was made for the request of this thread."""
        for name, value in trailers or ():
            if name == SPENT:
                microseconds, rate, *more = value.split(" ")
                here = self._here
                here.seconds += int(microseconds) / 1e6
                here.rate, here.is_key = float(rate), _KEY in more

    def _holder(self, address: str, credentials: str | None) -> tuple[str, float]:
        if credentials is not None and self._keys:
            name = _name_of(credentials)
            rate = self._keys.get(name)
            if rate is not None:
                return name, rate
        return site(address), self._rate

    def _learn(self, environ: Mapping[str, Any], rate: float, is_key: bool) -> None:
        credentials = environ.get("HTTP_AUTHORIZATION")
        if not is_key:
            self._rate = rate
            if credentials is not None and self._keys:
                self._keys.pop(_name_of(credentials), None)  # it was a key once
        elif credentials is not None:
            self._keys[_name_of(credentials)] = rate
            if len(self._keys) > limits.HEADERS_REMEMBERED:
                self._keys.popitem(last=False)


@lru_cache(limits.HEADERS_REMEMBERED)
def _name_of(credentials: str) -> str:
    """Return the name of the account of an API key, which does not tell the key."""
    return f"{_KEY} {blake2b(credentials.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"
