"""What is stored of a game, byte by byte, and how older bytes become today's.

A game in the store is one record and a log. The record is everything that is needed to go on: options, ruleset,
state, the secret, and whatever the service keeps beside. Two numbers in front of it can be read without unpacking:

    <storage>:<revision>:<version>:<packed record>

`storage` is the version of this format. `revision` grows by one with each commit and is what a commit is compared
by; `version` is the number of entries in the log and is what clients see. Seating a player changes the revision
and not the version.

A line of the log is an entry in notation behind its link of the chain (`alhambra.fairness`), so that a person can read
it and nobody can change it unseen:

    <link, base64> 0 buy market-denar denar-4 denar-5

A record of an older format is carried forward by MIGRATIONS when it is read; one of a newer format is refused.
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
from alhambra.record import chain_texts, opening_text

from .. import limits
from .errors import DamagedGame, NewerGame
from .keys import DEFAULT_TENANT

STORAGE_VERSION = 1
"""Raise it with every change of the record's form, and say in MIGRATIONS how to get there."""

Parts = tuple[dict[str, Any], bytes]
"""A record taken apart: the document and the bytes of the state."""
MIGRATIONS: dict[int, Callable[[Parts], Parts]] = {}
"""By storage version: what turns a record of it into one of the next."""

HEAD_BYTES = 64
"""No head is longer."""
PACKING = 1
"""zlib's fastest level: a quarter of the size for a quarter of the time that encoding the state takes."""
_HEAD = re.compile(rb"(\d{1,9}):(\d{1,15}):(\d{1,15}):")
_LINK_CHARS = 43


class Head(NamedTuple):
    """What can be read without unpacking."""

    storage: int
    revision: int
    version: int


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it stands in the store. Made by `Record.new`, changed by `dataclasses.replace`, advanced by commits."""

    created: int
    """When, in milliseconds of Unix time: what lists are sorted by."""
    secret: bytes = field(repr=False)
    """Keys the chain, and decides the draws unless the seed was given. Never leaves the service before the end."""
    link: str
    """The newest link of the chain."""
    tenant: str = DEFAULT_TENANT
    options: Mapping[str, Any] = field(default_factory=dict)
    """As `Options.as_dict` gives them."""
    ruleset: str = ""
    state: bytes = field(default=b"", repr=False)
    """As `Game.state_bytes` gives them; empty until the game is dealt."""
    service: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """What the service keeps beside the game, as JSON-ready data: seats, hashes of tokens, orders, deadlines."""
    seams: tuple[tuple[int, str], ...] = ()
    """Where newer rules went on with the game: the version of the entry that says so, and the id of the ruleset that
    ended there."""
    revision: int = 0
    version: int = 0

    @classmethod
    def new(cls, *, created: int, secret: bytes, tenant: str = DEFAULT_TENANT, **others: Any) -> Record:
        """A game that is not dealt yet."""
        return cls(created, secret, commitment(secret), tenant, **others)

    def dealt(self, game: Game) -> Record:
        """This record with a game just set up; the chain begins with its ruleset and options."""
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
        """The id of the ruleset that the log begins with."""
        return self.seams[0][1] if self.seams else self.ruleset

    @property
    def opening(self) -> str:
        """The first link of the chain: it is about the ruleset and the options with which the game was dealt."""
        return next_link(self.secret, commitment(self.secret), opening_text(self.origin, self.options))

    def adopted(self, ruleset: str, version: int) -> Record:
        """This record after other rules went on with the game, with the entry that leads to this version."""
        return replace(self, ruleset=ruleset, seams=(*self.seams, (version, self.ruleset)))

    def stretch(self, version: int) -> Stretch:
        """The stretch of the log that a version belongs to."""
        first = 0
        for seam, ruleset in self.seams:
            if version < seam:
                return Stretch(first, seam - 1, ruleset)
            first = seam
        return Stretch(first, self.version, self.ruleset)


class Stretch(NamedTuple):
    """Versions whose entries were played under the same rules: the first, which may be a seam, and the last."""

    first: int
    last: int
    ruleset: str


class LogEntry(NamedTuple):
    """One line of the log: which version it led to, the entry in notation, and its link."""

    version: int
    text: str
    link: str


# -- Records -------------------------------------------------------------------------------------------------------


def read_head(data: bytes) -> Head:
    """The numbers in front of a record."""
    found = _HEAD.match(data[:HEAD_BYTES])
    if found is None:
        raise DamagedGame("a stored game does not begin with its versions")
    return Head(int(found[1]), int(found[2]), int(found[3]))


def write_record(record: Record) -> bytes:
    """The record as bytes."""
    document = {
        "created": record.created,
        "secret": record.secret.hex(),
        "link": record.link,
        "tenant": record.tenant,
        "options": record.options,
        "ruleset": record.ruleset,
        "service": record.service,
    }
    if record.seams:
        document["seams"] = record.seams
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    body = b"%d\n%b%b" % (len(text), text, record.state)
    if len(body) > limits.RECORD_BYTES:
        raise ValueError(f"a record has at most {limits.RECORD_BYTES} bytes, not {len(body)}")
    return b"%d:%d:%d:%b" % (STORAGE_VERSION, record.revision, record.version, zlib.compress(body, PACKING))


def read_record(data: bytes) -> Record:
    """The record that was written, carried forward from whatever format it has."""
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
            raise DamagedGame(f"nothing tells how a game stored in format {storage} is read")
        parts = MIGRATIONS[storage](parts)
    document, state = parts
    try:
        return Record(
            **{
                **document,
                "secret": bytes.fromhex(document["secret"]),
                "seams": tuple((version, ruleset) for version, ruleset in document.get("seams", ())),
            },
            state=state,
            revision=head.revision,
            version=head.version,
        )
    except (KeyError, TypeError, ValueError) as fault:
        raise DamagedGame("a stored game lacks something or has something unknown") from fault


def _unpacked(data: bytes) -> Parts:
    try:
        body = zlib.decompress(data[_HEAD.match(data).end() :])  # type: ignore[union-attr]
        length, _, rest = body.partition(b"\n")
        size = int(length)
        document = json.loads(rest[:size])
    except (zlib.error, ValueError) as fault:
        raise DamagedGame("a stored game cannot be unpacked") from fault
    return document, rest[size:]


# -- Log -----------------------------------------------------------------------------------------------------------


def chained(record: Record, texts: Iterable[str]) -> list[LogEntry]:
    """The next entries of the log: each text with the link that it adds to the record's chain."""
    entries = []
    link, version = record.link, record.version
    for text in texts:
        link, version = next_link(record.secret, link, text), version + 1
        entries.append(LogEntry(version, text, link))
    return entries


def write_entry(entry: LogEntry) -> bytes:
    """A line of the log as bytes."""
    line = b64encode(bytes.fromhex(entry.link))[:_LINK_CHARS] + b" " + entry.text.encode()
    if len(line) > limits.ENTRY_BYTES:
        raise ValueError(f"a line of the log has at most {limits.ENTRY_BYTES} bytes, not {len(line)}")
    return line


def read_entry(version: int, line: bytes) -> LogEntry:
    """The line that was written."""
    try:
        link = b64decode(line[:_LINK_CHARS] + b"=", validate=True).hex()
        text = line[_LINK_CHARS + 1 :].decode()
    except (Base64Error, UnicodeDecodeError) as fault:
        raise DamagedGame(f"line {version} of a log cannot be read") from fault
    return LogEntry(version, text, link)


def first_broken(secret: bytes, link: str, entries: Iterable[LogEntry]) -> int | None:
    """The version of the first entry whose link does not follow from the one before; None if the chain is intact.
    `link` is the one before the first entry: for a whole log, that of the opening."""
    for entry in entries:
        link = next_link(secret, link, entry.text)
        if link != entry.link:
            return entry.version
    return None
