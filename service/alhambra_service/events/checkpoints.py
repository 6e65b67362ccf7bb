"""Checkpoints: stored earlier states of a long game, so that a replay need not start at the beginning.

The state of a game is stored about every CHECKPOINT_VERSIONS versions. Checkpoints only save time: if one is missing,
or belongs to an older game with the same id, the log is replayed from its beginning. Each checkpoint is signed with the
secret of its game, so a checkpoint of another game is never used.

Checkpoints are made only at versions before which no move can be taken back, so an undo never needs a state before a
checkpoint.
"""

from __future__ import annotations

import hmac
import threading
import zlib
from collections import OrderedDict
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from alhambra import AlhambraError, Entry, Game, Options

from .. import limits
from ..store import GameStore, StoreError
from ..store.keys import checkpoints_key

if TYPE_CHECKING:
    from ..games.loaded_game import LoadedGame

QUICK = 1
"""The compression level of checkpoints."""
SIGNATURE_BYTES = 16
EARLIER = Entry("resign", -1)
"""A placeholder for entries of the log that were not loaded."""


class Checkpoint(NamedTuple):
    """The state of a game at an earlier version."""

    version: int
    link: str
    """The link of the chain at that version."""
    game: Game


class Checkpoints:
    """The checkpoints of all games. Threads may share it."""

    def __init__(self, store: GameStore[Any]) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._newest: OrderedDict[str, int] = OrderedDict()
        """By game: the last block of versions for which this process saved a checkpoint."""

    def wanted(self, game: str, played: Game, version: int) -> bool:
        """Return whether to save a checkpoint at this version: it is useful, and this process has not saved it yet."""
        block = version // limits.CHECKPOINT_VERSIONS
        if not block or not played.settled:
            return False
        with self._lock:
            return self._newest.get(game, 0) < block

    def save(self, game: str, loaded: LoadedGame, checkpoint: Checkpoint, last_mover: int | None) -> None:
        """Save a checkpoint. If the store fails, the checkpoint is missing."""
        block = checkpoint.version // limits.CHECKPOINT_VERSIONS
        with self._lock:
            self._newest[game] = block
            self._newest.move_to_end(game)
            if len(self._newest) > limits.CACHED_GAMES:
                self._newest.popitem(last=False)
        mover = "" if last_mover is None else last_mover
        head = f"{checkpoint.version} {checkpoint.link} {mover} {loaded.ruleset.id}\n"
        data = zlib.compress(head.encode() + checkpoint.game.state_bytes(), QUICK)
        key = checkpoints_key(game)
        with suppress(StoreError):
            self._store.client.write(key, "HSET", key, block, _signature(loaded, data) + data)
            self._store.client.write(key, "EXPIRE", key, limits.CHECKPOINT_SECONDS)

    def before(self, game: str, loaded: LoadedGame, version: int) -> Checkpoint | None:
        """Return the newest usable checkpoint before a version; None if there is none."""
        block = (version - 1) // limits.CHECKPOINT_VERSIONS
        blocks = [number for number in range(block, block - limits.CHECKPOINTS_LOOKED_AT, -1) if number > 0]
        if not blocks:
            return None
        key = checkpoints_key(game)
        for data in self._store.client.read(key, "HMGET", key, *blocks):
            checkpoint = _read(loaded, data) if data is not None else None
            if checkpoint is not None and checkpoint.version < version:
                return checkpoint
        return None

    def forget(self, game: str) -> None:
        """Delete the checkpoints of a game."""
        key = checkpoints_key(game)
        self._store.client.write(key, "UNLINK", key)


def _read(loaded: LoadedGame, data: bytes) -> Checkpoint | None:
    signature, packed = data[:SIGNATURE_BYTES], data[SIGNATURE_BYTES:]
    if not hmac.compare_digest(signature, _signature(loaded, packed)):
        return None
    head, _, state = zlib.decompress(packed).partition(b"\n")
    version, link, mover, ruleset = head.decode().split(" ", 3)
    if ruleset != loaded.ruleset.id:
        return None
    with suppress(AlhambraError):
        played = game_at(loaded.options, int(version), state, int(mover) if mover else None)
        return Checkpoint(int(version), link, played)
    return None


def _signature(loaded: LoadedGame, data: bytes) -> bytes:
    return hmac.digest(loaded.stored.secret, b"mark\0" + data, sha256)[:SIGNATURE_BYTES]


def game_at(options: Options, version: int, state: bytes, last_mover: int | None, origin: str = "") -> Game:
    """Return a game with this state and a log of this length, of which only the end is real."""
    log = [EARLIER] * version
    if last_mover is not None:
        log[-1] = Entry("move", last_mover)
    return Game.from_state(options, state, log, origin)
