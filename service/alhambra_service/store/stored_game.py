"""The stored form of a game, byte by byte, and how older formats are read.

A game in the store consists of a StoredGame and a log. The StoredGame has everything that is needed to continue the
game: options, ruleset, state, the secret, and data of the service. It is compressed, after three numbers that can be
read without decompressing it:

    <storage>:<revision>:<version>:<compressed game>

`storage` is the version of this format. `revision` grows by one with each commit; the store compares it when it applies
a commit. `version` is the number of entries in the log; clients see it. Claiming a seat changes the revision and not
the version.

A line of the log is a link of the chain (`alhambra.fairness`) and an entry in notation. A changed line no longer
matches its link:

    <link, base64> 0 buy market-denar denar-4 denar-5

A game in an older format is migrated when it is read (MIGRATIONS); one in a newer format is refused.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from alhambra import Game, commitment, next_link
from alhambra.export import chain_texts, opening_text

from .. import limits
from .errors import DamagedGame, NewerGame
from .keys import DEFAULT_TENANT

STORAGE_VERSION = 2
"""Raise this number with every change of the format, and add a function to MIGRATIONS."""

Parts = tuple[dict[str, Any], bytes]
"""A stored game in two parts: the document and the bytes of the state."""
MIGRATIONS: dict[int, Callable[[Parts], Parts]] = {
    1: lambda parts: parts,  # version 2 added `entropy_commitment` to seats; seats without one have none
}
"""By storage version: the function that turns a game of this version into one of the next version."""

HEAD_BYTES = 64
"""The most bytes that the numbers before a stored game can take."""
PACKING = 1
"""zlib's fastest level: a quarter of the size, in a quarter of the time that encoding the state takes."""
_HEAD = re.compile(rb"(\d{1,9}):(\d{1,15}):(\d{1,15}):")
_LINK_CHARS = 43
_json_text = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


class Head(NamedTuple):
    """The numbers before a stored game, which can be read without decompressing it."""

    storage: int
    revision: int
    version: int


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A stored game. Create it with `StoredGame.new`, change it with `dataclasses.replace` or `advanced`."""

    created: int
    """When the game was created, in milliseconds of Unix time. Lists are sorted by it."""
    secret: bytes = field(repr=False)
    """The key of the chain. It decides the draws, unless a seed was given. Clients get it only after the end."""
    link: str
    """The newest link of the chain."""
    tenant: str = DEFAULT_TENANT
    options: Mapping[str, Any] = field(default_factory=dict)
    """As `Options.as_dict` gives them."""
    ruleset: str = ""
    state: bytes = field(default=b"", repr=False)
    """As `Game.state_bytes` gives them; empty until the game is dealt."""
    service: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """Data of the service, ready for JSON: seats, hashes of tokens, standing orders, deadlines."""
    rules_upgrades: tuple[tuple[int, str], ...] = ()
    """Where newer rules took over: the version of the entry that says so, and the id of the ruleset that ended
    there."""
    revision: int = 0
    version: int = 0

    @classmethod
    def new(cls, *, created: int, secret: bytes, tenant: str = DEFAULT_TENANT, **others: Any) -> StoredGame:
        """Return a game that is not dealt yet."""
        return cls(created, secret, commitment(secret), tenant, **others)

    def dealt(self, game: Game) -> StoredGame:
        """Return this game after the deal. The chain begins with the ruleset and the options."""
        opening = next_link(self.secret, commitment(self.secret), chain_texts(game)[0])
        return replace(
            self,
            options=game.options.document(),
            ruleset=game.ruleset.id,
            state=game.state_bytes(),
            link=opening,
        )

    @property
    def origin(self) -> str:
        """The id of the ruleset with which the log begins."""
        return self.rules_upgrades[0][1] if self.rules_upgrades else self.ruleset

    @property
    def opening(self) -> str:
        """The first link of the chain, made from the ruleset and the options with which the game was dealt."""
        return next_link(self.secret, commitment(self.secret), opening_text(self.origin, self.options))

    @property
    def chain_start(self) -> str:
        """The link before the first entry of the log. Dealing a game changes it."""
        return self.opening if self.state else commitment(self.secret)

    def advanced(self, texts: Iterable[str] = (), **changes: Any) -> Advance:
        """Return the game after one more commit, with these texts added to its log and these fields changed."""
        entries = chained(self, texts)
        link = entries[-1].link if entries else self.link
        version = self.version + len(entries)
        after = replace(self, revision=self.revision + 1, version=version, link=link, **changes)
        return Advance(after, entries, [write_stored_game(after), *[write_entry(entry) for entry in entries]])

    def adopted(self, ruleset: str, version: int) -> StoredGame:
        """Return this game after it was carried forward to other rules with the entry that leads to this version."""
        return replace(self, ruleset=ruleset, rules_upgrades=(*self.rules_upgrades, (version, self.ruleset)))

    def segment(self, version: int) -> Segment:
        """Return the part of the log, played under one ruleset, to which a version belongs."""
        first = 0
        for upgrade, ruleset in self.rules_upgrades:
            if version < upgrade:
                return Segment(first, upgrade - 1, ruleset)
            first = upgrade
        return Segment(first, self.version, self.ruleset)


class Segment(NamedTuple):
    """The first and the last version of entries that were played under the same rules."""

    first: int
    last: int
    ruleset: str


class Advance(NamedTuple):
    """What one commit writes."""

    stored: StoredGame
    """The game after the commit."""
    entries: list[LogEntry]
    """The entries that it adds to the log."""
    data: list[bytes]
    """The stored game as bytes, then a line of the log for each entry."""


class LogEntry(NamedTuple):
    """One line of the log: the version after it, the entry in notation, and its link."""

    version: int
    text: str
    link: str


# -- Stored games ----------------------------------------------------------------------------------------------------


def read_head(data: bytes) -> Head:
    """Return the numbers before a stored game. Raises DamagedGame."""
    found = _HEAD.match(data[:HEAD_BYTES])
    if found is None:
        raise DamagedGame("a stored game does not begin with its versions")
    return Head(int(found[1]), int(found[2]), int(found[3]))


def write_stored_game(stored: StoredGame) -> bytes:
    """Return a stored game as bytes."""
    document = {
        "created": stored.created,
        "secret": stored.secret.hex(),
        "link": stored.link,
        "tenant": stored.tenant,
        "options": stored.options,
        "ruleset": stored.ruleset,
        "service": stored.service,
    }
    if stored.rules_upgrades:
        document["seams"] = stored.rules_upgrades
    text = _json_text(document).encode()
    body = b"%d\n%b%b" % (len(text), text, stored.state)
    if len(body) > limits.RECORD_BYTES:
        raise ValueError(f"a stored game has at most {limits.RECORD_BYTES} bytes, not {len(body)}")
    return b"%d:%d:%d:%b" % (STORAGE_VERSION, stored.revision, stored.version, zlib.compress(body, PACKING))


def read_stored_game(data: bytes) -> StoredGame:
    """Return the stored game in these bytes, in this format or an older one. Raises NewerGame or DamagedGame."""
    head = read_head(data)
    if head.storage > STORAGE_VERSION:
        raise NewerGame(
            f"the game is stored in format {head.storage} and this service knows {STORAGE_VERSION}: update the service",
            written_by=f"storage {head.storage}",
            known=f"storage {STORAGE_VERSION}",
        )
    parts = _unpacked(data)
    for storage in range(head.storage, STORAGE_VERSION):
        if storage not in MIGRATIONS:
            raise DamagedGame(f"there is no migration from storage format {storage}")
        parts = MIGRATIONS[storage](parts)
    document, state = parts
    try:
        return StoredGame(
            **{
                "rules_upgrades": tuple((version, ruleset) for version, ruleset in document.pop("seams", ())),
                **document,
                "secret": bytes.fromhex(document["secret"]),
            },
            state=state,
            revision=head.revision,
            version=head.version,
        )
    except (KeyError, TypeError, ValueError) as fault:
        raise DamagedGame("a stored game has missing or unknown fields") from fault


def _unpacked(data: bytes) -> Parts:
    try:
        body = zlib.decompress(data[_HEAD.match(data).end() :])  # type: ignore[union-attr]
        length, _, rest = body.partition(b"\n")
        size = int(length)
        document = json.loads(rest[:size])
    except (zlib.error, ValueError) as fault:
        raise DamagedGame("a stored game cannot be decompressed") from fault
    return document, rest[size:]


# -- Log -----------------------------------------------------------------------------------------------------------


def chained(stored: StoredGame, texts: Iterable[str]) -> list[LogEntry]:
    """Return the next entries of the log: each text with its link of the chain."""
    entries = []
    link, version = stored.link, stored.version
    for text in texts:
        link, version = next_link(stored.secret, link, text), version + 1
        entries.append(LogEntry(version, text, link))
    return entries


def write_entry(entry: LogEntry) -> bytes:
    """Return a line of the log as bytes."""
    line = b64encode(bytes.fromhex(entry.link))[:_LINK_CHARS] + b" " + entry.text.encode()
    if len(line) > limits.ENTRY_BYTES:
        raise ValueError(f"a line of the log has at most {limits.ENTRY_BYTES} bytes, not {len(line)}")
    return line


def read_entry(version: int, line: bytes) -> LogEntry:
    """Return the entry in a line of the log. Raises DamagedGame."""
    try:
        link = b64decode(line[:_LINK_CHARS] + b"=", validate=True).hex()
        text = line[_LINK_CHARS + 1 :].decode()
    except (Base64Error, UnicodeDecodeError) as fault:
        raise DamagedGame(f"line {version} of a log cannot be read") from fault
    return LogEntry(version, text, link)


def first_broken(secret: bytes, link: str, entries: Iterable[LogEntry]) -> int | None:
    """Return the version of the first entry whose link does not match the link before it; None if the chain is intact.
    `link` is the link before the first entry; for a whole log it is `chain_start`."""
    for entry in entries:
        link = next_link(secret, link, entry.text)
        if link != entry.link:
            return entry.version
    return None


def check(data: bytes, lines: list[bytes]) -> StoredGame:
    """Return a stored game if it matches its log and the chain is intact. Raises DamagedGame."""
    stored = read_stored_game(data)
    entries = [read_entry(version, line) for version, line in enumerate(lines, 1)]
    if len(entries) != stored.version:
        raise DamagedGame(f"the stored game is at version {stored.version}, the log has {len(entries)} entries")
    broken = first_broken(stored.secret, stored.chain_start, entries)
    if broken is not None:
        raise DamagedGame(f"the chain breaks at version {broken}")
    if stored.link != (entries[-1].link if entries else stored.chain_start):
        raise DamagedGame("the link of the stored game is not the last link of its log")
    return stored
