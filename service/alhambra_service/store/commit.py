"""Commits: each is applied completely or not at all, at most once, and only to the revision that its author loaded.

One short script in the store (`commit.lua`) decides. It is sent once, and its answer is final:

    done     the state is written, the log is longer, the request is remembered
    known    the request came before; the answer has its outcome
    stale    another commit came first

If the answer is lost, the store is asked for the outcome of the request. If the store does not know the request, the
commit may still be on its way: OutcomeUnknown is raised, and a client that sends the same request again gets its
outcome.

If the operator wants commits on the disks of replicas, the commit waits for them on the same connection, because a
store confirms only writes of the connection that asks. So a repeated request writes its stored outcome again.
"""

from __future__ import annotations

import time
from base64 import urlsafe_b64encode
from binascii import b2a_base64
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b, sha1
from os import urandom
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from redis.exceptions import NoScriptError, ResponseError

from .. import limits
from .connection.connect import BeforeSend, StoreClient
from .connection.wire import Command, Reply, ReplyLost
from .errors import (
    DamagedGame,
    GameExists,
    GameNotFound,
    OutcomeUnknown,
    RequestReused,
    Stale,
    StoreUnavailable,
    TooEarly,
)
from .keys import game_keys, notices_key
from .stored_game import Advance

SCRIPT = Path(__file__).with_name("commit.lua").read_text(encoding="utf-8")
SCRIPT_ID = sha1(SCRIPT.encode(), usedforsecurity=False).hexdigest()
NEW, ASK = "new", "ask"
T = TypeVar("T")
"""A game as it is kept in memory."""


class Request(NamedTuple):
    """A request of a client: its owner with a digest of its id, and a digest of its content."""

    key: str
    digest: str

    @classmethod
    def of(cls, owner: str, request_id: str, content: bytes, *, credential: str = "") -> Request:
        """Return the request that an owner, such as a seat, made under this id with this content. The store remembers
        the newest requests of each owner. The same id with another credential is another request."""
        if ":" in owner:
            raise ValueError(f"an owner of requests has no ':' in its name: {owner!r}")
        name = _digest(f"{len(credential)}:{credential}:{request_id}".encode())
        return cls(f"{owner}:{name}", _digest(content))

    @classmethod
    def unique(cls) -> Request:
        """Return a request of the service itself, which is never repeated."""
        return cls(f"service:{b2a_base64(urandom(15), newline=False).decode()}", _NOTHING)


def _digest(data: bytes) -> str:
    return urlsafe_b64encode(blake2b(data, digest_size=15).digest()).decode()


_NOTHING = _digest(b"")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a request led to: the entries after version `first` up to `version`."""

    revision: int
    first: int
    version: int
    note: str = ""
    """Text that the service stores with the outcome."""
    repeated: bool = False
    """Whether the request had been answered before."""


@dataclass(slots=True)  # one is made for every move; a frozen one takes longer to make
class Commit(Generic[T]):
    """Everything that one commit writes, and the conditions under which the store accepts it."""

    game: str
    advance: Advance
    """What is written. The commit replaces the revision before the one that it writes; with revision 1 it creates the
    game."""
    request: Request | None = None
    """The request that is remembered with the outcome; None if no client will repeat it."""
    note: str = ""
    """Text that is stored with the outcome."""
    ttl: int = 0
    """Seconds after this commit until the game is deleted; 0 for never."""
    not_before: int = 0
    """The commit is refused before this time, in milliseconds of Unix time by the store's clock; 0 for any time."""
    loaded: T | None = None
    """The game after the commit, as it is kept in memory. If it is None, the next reader loads it from the store."""
    over: bool = False
    """Whether the game has ended with this commit, or before."""
    notices: Sequence[bytes] = ()
    """Notices that are stored together with the commit (`notices/feed.py`)."""


class CommitScript:
    """Runs the script that applies commits. `replicas`: how many replicas must have a commit on disk before it counts
    as done."""

    def __init__(self, client: StoreClient, replicas: int = 0) -> None:
        self._client = client
        self._replicas = replicas
        self._touch = 1 if replicas else 0
        """Whether a repeated request is written again, so that the connection has something to wait for."""

    def run(self, commit: Commit[Any], before: BeforeSend | None = None) -> Outcome:
        """Apply a commit. Raises Stale, GameExists, TooEarly and the other errors that the script reports. Calls
        `before` with the server before the commit is sent to it."""
        (stored, entries, data), request = commit.advance, commit.request or Request.unique()
        if len(entries) > limits.ENTRIES_PER_COMMIT:
            raise ValueError(f"a commit has at most {limits.ENTRIES_PER_COMMIT} entries")
        if len(commit.note.encode()) > limits.NOTE_BYTES:
            raise ValueError(f"a note has at most {limits.NOTE_BYTES} bytes")
        first = stored.version - len(entries)
        outcome = f"{stored.revision}:{first}:{stored.version}:{request.digest}:{commit.note}"
        expected = str(stored.revision - 1) if stored.revision > 1 else NEW
        kept, told = limits.REQUESTS_KEPT, commit.notices
        arguments: Command = (outcome, kept, commit.ttl, self._touch, commit.not_before, len(told), *told, *data)
        try:
            reply = self._send(commit.game, expected, request, arguments, before, notices=bool(told))
        except ReplyLost as lost:
            reply = self._settle(commit.game, request, lost)
        return _read(reply, request)

    def ask(self, game: str, request: Request) -> Outcome | None:
        """Return the outcome of a request; None if the store does not remember it."""
        reply = self._send(game, ASK, request, ("", 0, 0, self._touch))
        return None if reply[0] == b"unknown" else _read(reply, request)

    def _send(
        self,
        game: str,
        expected: str,
        request: Request,
        arguments: Command,
        before: BeforeSend | None = None,
        *,
        notices: bool = False,
    ) -> list[bytes]:
        keys: tuple[str, ...] = game_keys(game)
        if notices:
            keys = (*keys, notices_key(game))
        rest: Command = (len(keys), *keys, expected, request.key, *arguments)
        waits = replica_waits(self._replicas)
        replies = self._client.follow(keys[0], [("EVALSHA", SCRIPT_ID, *rest), *waits], before)
        if isinstance(replies[0], NoScriptError):  # the server does not have the script, and did nothing
            replies = self._client.follow(keys[0], [("EVAL", SCRIPT, *rest), *waits], before)
        reply: Reply = replies[0]
        if isinstance(reply, ResponseError):
            raise self._client.refused(reply, "refuses to write") from reply
        if waits and reply[0] in (b"done", b"known"):
            self._confirm(replies[-1])
        answer: list[bytes] = reply
        return answer

    def _confirm(self, reply: Reply) -> None:
        if not replicas_reached(reply, self._replicas):
            have = reply if isinstance(reply, ResponseError) else f"{reply[1]} of {self._replicas} replicas"
            raise OutcomeUnknown(f"the commit is written but not confirmed by enough replicas: {have}")

    def _settle(self, game: str, request: Request, lost: ReplyLost) -> list[bytes]:
        """Ask over another connection for the answer of a commit whose connection broke."""
        deadline = time.monotonic() + limits.SETTLE_SECONDS
        while True:
            try:
                reply = self._send(game, ASK, request, ("", 0, 0, self._touch))
                break
            except StoreUnavailable as fault:
                if time.monotonic() > deadline:
                    raise OutcomeUnknown(f"it is not known whether the commit was made: {fault}") from lost
                time.sleep(limits.SETTLE_PAUSE_SECONDS)
        if reply[0] == b"unknown":
            raise OutcomeUnknown("the commit was sent, and the store does not have it yet") from lost
        return reply


def replica_waits(replicas: int) -> list[Command]:
    """Return the commands that follow a write: WAIT until the replicas have received it, then WAITAOF until it is on
    their disks. Only the second counts. Without the first, a replica reports before it has written, and reports again
    only a second later."""
    if not replicas:
        return []
    return [("WAIT", replicas, limits.REPLICA_RECEIVE_MS), ("WAITAOF", 1, replicas, limits.REPLICA_WAIT_MS)]


def replicas_reached(reply: Reply, replicas: int) -> bool:
    """Return whether the reply to WAITAOF says that at least this number of replicas have the write on disk."""
    return not isinstance(reply, ResponseError) and reply[0] >= 1 and reply[1] >= replicas


def _read(reply: list[bytes], request: Request) -> Outcome:
    """Return the outcome in an answer of the script, or raise the error that the answer reports."""
    kind = reply[0]
    if kind in (b"done", b"known"):
        revision, first, version, digest, note = reply[1].decode().split(":", 4)
        if digest != request.digest:
            raise RequestReused("the request id was used before with other content")
        return Outcome(int(revision), int(first), int(version), note, repeated=kind == b"known")
    if kind == b"stale":
        raise Stale(int(reply[1]), int(reply[2]))
    if kind == b"exists":
        raise GameExists("the id of the new game is taken")
    if kind == b"early":
        raise TooEarly(int(reply[1]))
    if kind == b"gone":
        raise GameNotFound("there is no such game")
    if kind == b"torn":
        raise DamagedGame(f"the state is at version {reply[1].decode()}, the log has {reply[2].decode()} entries")
    raise AssertionError(f"the script answered {kind!r}")
