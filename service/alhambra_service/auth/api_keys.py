"""The keys of platforms, from a file that holds only their digests:

    [[keys]]
    name = "example"                                   # shown in logs
    sha256 = "…"                                       # of the key; `alhambra new-key` makes both
    tenant = "example"                                 # whose games it creates and reaches
    scopes = ["games.create", "games.list"]
    calls_per_second = 50                              # optional
    running_games = 2000                               # optional: most games of the tenant that run; 0 for any number
    stored_bytes = 100_000_000                         # optional: most bytes of its games; 0 for any number

    [[keys]]
    name = "gateway"
    sha256 = "…"
    gateway = true                                     # calls for other callers; has no tenant and no scopes

A file with a fault is refused as a whole, and the message names every fault. The file is read again when it has
changed, and on SIGHUP; if it is faulty then, the old keys stay.
"""

from __future__ import annotations

import hmac
import json
import logging
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alhambra_api.v1 import annotations_pb2, service_pb2

from .. import limits
from ..store.keys import is_tenant
from ..store.usage import Quota
from .credentials import digest, is_digest

_log = logging.getLogger(__name__)

SEED_SCOPE = "games.seed"
"""The scope that a caller needs to give the seed of a new game."""
TAKE_OVER_SCOPE = "seats.take_over"
"""The scope that a host needs to replace the token of a seat. It lets the host play that seat."""
NOTICES_SCOPE = "notices"
"""The scope that a host needs to open a stream of notices about all games of its tenant."""
QUOTAS = ("running_games", "stored_bytes")
"""The fields with the quotas of a tenant."""
FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "name": str,
    "sha256": str,
    "tenant": str,
    "scopes": list,
    "calls_per_second": (int, float),
    "running_games": int,
    "stored_bytes": int,
    "gateway": bool,
}


class BadKeys(ValueError):
    """The file cannot be used. The message has one sentence a line, and no key in it."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An API key: its name, tenant, scopes and limits."""

    name: str
    sha256: str
    tenant: str = ""
    scopes: frozenset[str] = frozenset()
    calls_per_second: float = limits.KEY_CALLS_PER_SECOND
    running_games: int = limits.KEY_RUNNING_GAMES
    stored_bytes: int = limits.KEY_STORED_BYTES
    gateway: bool = False

    @property
    def quota(self) -> Quota:
        """The quotas of the tenant when this key creates a game."""
        return Quota(self.running_games, self.stored_bytes)


def known_scopes() -> frozenset[str]:
    """Return every scope of the contract."""
    methods = [method for service in service_pb2.DESCRIPTOR.services_by_name.values() for method in service.methods]
    named = {method.GetOptions().Extensions[annotations_pb2.scope] for method in methods}
    return frozenset(named - {""} | {SEED_SCOPE, TAKE_OVER_SCOPE, NOTICES_SCOPE})


class KeyRing:
    """The keys of a file. They are replaced as a whole, so readers need no lock."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._by_digest: Mapping[str, ApiKey] = {}
        self._seen: object = None
        """The fingerprint of the file when it was last read, even if the file was faulty."""
        self.reload()

    def __len__(self) -> int:
        return len(self._by_digest)

    def reload(self) -> None:
        """Read the file again. Raises BadKeys and keeps the old keys if it is faulty."""
        self._seen = self._look()
        keys = read_keys(self._path)
        self._by_digest = {key.sha256: key for key in keys}

    def refresh(self) -> None:
        """Read the file again if it has changed. A faulty file is logged once, and the old keys stay. Costs one `stat`
        of the file: call it every second, outside of calls."""
        if self._look() == self._seen:
            return
        try:
            self.reload()
        except BadKeys as fault:
            _log.error("%s Keeping the old ones.", fault)
        else:
            _log.info("%d API keys were read.", len(self))

    def _look(self) -> object:
        """Return a fingerprint that changes when the file is written or replaced; None if there is no file."""
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino, found.st_dev

    def find(self, secret_digest: str) -> ApiKey | None:
        """Return the key with this digest; None if there is none. The time that it takes reveals nothing about a
        key."""
        key = self._by_digest.get(secret_digest)
        return key if key is not None and hmac.compare_digest(key.sha256, secret_digest) else None

    def holder(self, secret: str) -> ApiKey | None:
        """Return the key with this secret; None if there is none."""
        return self.find(digest(secret))


def read_keys(path: Path) -> list[ApiKey]:
    """Read the keys of a file. Raises BadKeys."""
    try:
        with path.open("rb") as file:
            data = file.read(limits.KEYS_FILE_BYTES + 1)
        if len(data) > limits.KEYS_FILE_BYTES:
            raise BadKeys(f"The file of keys {path} has more than {limits.KEYS_FILE_BYTES} bytes.")
        document = tomllib.loads(data.decode())
    except OSError as fault:
        raise BadKeys(f"The file of keys {path} cannot be read: {fault.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        raise BadKeys(f"The file of keys {path} is not TOML.") from None  # what the parser says may quote a secret
    faults = list(_faults(document))
    if faults:
        raise BadKeys("\n".join(f"The file of keys {path}: {fault}." for fault in faults))
    return [ApiKey(**{**entry, "scopes": frozenset(entry.get("scopes", ()))}) for entry in document["keys"]]


def entry_text(name: str, sha256: str, tenant: str, scopes: Iterable[str], *, gateway: bool = False) -> str:
    """Return one key as text for the file. Raises BadKeys."""
    entry: dict[str, Any] = {"name": name, "sha256": sha256}
    entry |= {"gateway": True} if gateway else {"tenant": tenant, "scopes": list(scopes)}
    faults = list(_entry_faults(entry))
    if faults:
        raise BadKeys("\n".join(f"The key {fault}." for fault in faults))
    return "\n".join(["[[keys]]", *(f"{field} = {json.dumps(value)}" for field, value in entry.items())])


def _faults(document: Mapping[str, Any]) -> Iterator[str]:
    entries = document.get("keys")
    if document.keys() != {"keys"} or not isinstance(entries, list) or not entries:
        yield "it must hold [[keys]] and nothing else"
        return
    if len(entries) > limits.API_KEYS:
        yield f"it has more than {limits.API_KEYS} keys"
        return
    for number, entry in enumerate(entries, 1):
        yield from (f"key {number} {fault}" for fault in _entry_faults(entry))
    for name in ("name", "sha256"):
        values = [entry.get(name) for entry in entries if isinstance(entry, dict)]
        if len(set(map(str, values))) != len(entries):
            yield f"two keys have the same {name}"


def _entry_faults(entry: Any) -> Iterator[str]:
    if not isinstance(entry, dict) or entry.keys() - FIELDS:
        yield f"has a field other than {', '.join(FIELDS)}"
        return
    wrong = [name for name, value in entry.items() if not _is(value, FIELDS[name])]
    if wrong:
        yield f"has {' and '.join(wrong)} of the wrong type"
        return
    if not is_tenant(entry.get("name", "")):
        yield "needs a name of letters, digits, '_', '.' and '-'"
    if not is_digest(entry.get("sha256", "")):
        yield "needs a sha256 of 64 lower-case hexadecimal digits"
    if entry.get("calls_per_second", 1) <= 0:
        yield "has calls_per_second that are not above 0"
    for name in QUOTAS:
        if entry.get(name, 0) < 0:
            yield f"has {name} below 0"
    if entry.get("gateway"):
        if "tenant" in entry or "scopes" in entry:
            yield "is a gateway's and has neither tenant nor scopes"
        if any(name in entry for name in QUOTAS):
            yield "is a gateway's and has no quotas"
        return
    if not is_tenant(entry.get("tenant", "")):
        yield "needs a tenant of letters, digits, '_', '.' and '-'"
    unknown = [scope for scope in entry.get("scopes", ()) if scope not in known_scopes()]
    if unknown:
        yield f"has scopes that do not exist; there are {', '.join(sorted(known_scopes()))}"


def _is(value: object, kind: type | tuple[type, ...]) -> bool:
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
