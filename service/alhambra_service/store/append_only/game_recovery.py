"""Restores games from append-only files into a temporary store, each as far as it can be verified.

Every game can be verified: the stored game has a checksum, each line of its log has a link that only the holder of its
secret can compute from the line before it, and the stored game repeats the last link. So a stored game is restored only
if its log is complete. A game with a missing line stops at the version before it, and no game gets a change that was
not made. A damaged stored game does no harm if a later one of the same game is whole.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from alhambra import next_link

from ..connection.connect import StoreClient
from ..connection.wire import Command
from ..errors import DamagedGame, StoreError, WrittenElsewhere
from ..index import scan
from ..keys import LOG_PREFIX, final_key, game_keys, log_key, part_of, state_key, views_key
from ..stored_game import StoredGame, check, read_entry, read_stored_game
from .base_file import Entry
from .changes import Change, Words

BATCH_COMMANDS, BATCH_BYTES = 500, 1 << 20
"""The most commands, and the most bytes, that are sent to the temporary store at once."""


@dataclass(slots=True)
class SavedGame:
    """What the temporary store has of a game, and what was read after that."""

    revision: int = 0
    version: int = 0
    link: str = ""
    secret: bytes = b""
    lines: list[bytes] = field(default_factory=list)
    """Lines of the log after `version`, without a stored game that ends with them."""
    last: str = ""
    """The link of the last of them that was compared."""
    compared: int = 0
    waiting: tuple[StoredGame, bytes] | None = None
    """A newer stored game whose lines have not all been read."""
    lost: bool = False
    """Whether a line is missing, so that later changes of the game are not restored."""
    repeated: bool = False
    """Whether the last stored game that was read is not newer than this one, so that its lines are there already."""
    seen: int = 0
    """The highest version of a stored game that was read."""
    behind: int = 0
    """Changes after the damage that were left out."""

    @property
    def result(self) -> str:
        """The result for the game, in words."""
        return f"restored up to version {self.version}" if self.revision else "not restored"


class WrongChange(Exception):
    """A change that no service makes."""


class GameRecovery:
    """The games of the temporary store while changes are read."""

    def __init__(self, client: StoreClient) -> None:
        self.games: dict[str, SavedGame] = {}
        """The games that occurred in changes."""
        self.second: int | None = None
        """The second in which the changes were made, as far as it is known."""
        self.damaged = False
        """Whether something before these changes is lost, so that revisions may be missing."""
        self._client = client
        self._entries: set[bytes] = set()
        self._batch: list[Command] = []
        self._batch_bytes = 0

    # -- Changes -------------------------------------------------------------------------------------------------

    def take(self, change: Change) -> None:
        """Apply a change as far as it can be verified. Raises WrongChange if no service makes such a change."""
        parts = [part for words in change.commands for part in map(part_of, words[1:2]) if part]
        if len({game for _, game in parts}) > 1:
            raise WrongChange("it names several games")
        confirmed = len({part for part, _ in parts}) > 1
        wrong = ""
        for words in change.commands:
            try:
                self._judge_command(words, confirmed)
            except (WrongChange, DamagedGame, WrittenElsewhere) as fault:
                wrong = wrong or str(fault)
        if wrong:
            raise WrongChange(wrong)

    def _judge_command(self, words: Words, confirmed: bool) -> None:
        name = words[0].upper()
        if name in (b"FLUSHALL", b"FLUSHDB"):
            self._send("FLUSHALL")
            self.games.clear()
            return
        if name in (b"DEL", b"UNLINK"):
            for key in words[1:]:
                self._remove(key)
            return
        part, game = (part_of(words[1]) if len(words) > 1 else None) or ("", "")
        if part not in ("state", "log", "final", "views"):
            return
        known = self.known(game)
        if name == b"SET" and part == "state" and len(words) == 3:
            self._take_record(game, known, words[2], confirmed)
        elif name == b"RPUSH" and part == "log":
            self._take_lines(game, known, words[2:])
        elif name == b"SET" and part != "log" and len(words) in (3, 5):
            self._check_bytes(part, words[2])
            if known.version and not known.lost:
                self._send(*words)
        elif name == b"PEXPIREAT" and len(words) == 3:
            self._take_expiry(known, words)
        elif name == b"PERSIST" and len(words) == 2:
            self._send(*words)
        else:
            raise WrongChange("a game is changed in a way that no service does")

    def _take_record(self, game: str, known: SavedGame, data: bytes, confirmed: bool) -> None:
        known.waiting, known.repeated = None, False
        stored = read_stored_game(data)
        known.seen = max(known.seen, stored.version)
        if known.revision and stored.revision <= known.revision:
            known.repeated = True
            return
        if known.lost or not (known.revision or stored.version or confirmed):
            return
        if known.revision and stored.revision > known.revision + 1 and not self.damaged:
            raise DamagedGame("a revision of a game is missing")
        known.waiting = (stored, data)
        if known.version == 0:
            known.last, known.compared = stored.chain_start, 0
        self._go_on(game, known)

    def _take_lines(self, game: str, known: SavedGame, lines: Sequence[bytes]) -> None:
        if not known.lost and not known.repeated:
            known.lines += lines
            self._go_on(game, known)

    def _go_on(self, game: str, known: SavedGame) -> None:
        """Verify the links of the lines, and restore the waiting stored game if all its lines are there."""
        stored, data = known.waiting or (None, b"")
        secret = stored.secret if stored else known.secret
        if not secret or (known.version == 0 and stored is None):
            return  # the stored game comes after its lines
        try:
            for line in known.lines[known.compared :]:
                entry = read_entry(0, line)
                if next_link(secret, known.last, entry.text) != entry.link:
                    raise DamagedGame("a line of a log does not follow the one before it")
                known.last, known.compared = entry.link, known.compared + 1
        except DamagedGame:
            self._lose(known)
            raise
        if stored is None or len(known.lines) < stored.version - known.version:
            return
        if len(known.lines) > stored.version - known.version or known.last != stored.link:
            self._lose(known)
            raise DamagedGame("a stored game does not match its log")
        self._send("SET", state_key(game), data)
        if known.lines:
            self._send("RPUSH", log_key(game), *known.lines)
        self.games[game] = _at(stored, known.seen)

    def _lose(self, known: SavedGame) -> None:
        known.lost, known.waiting = True, None
        known.lines.clear()

    def _take_expiry(self, known: SavedGame, words: Words) -> None:
        if not words[2].isdigit() or (self.second is not None and int(words[2]) < 1000 * self.second):
            raise WrongChange("a game expires before it was changed")
        if known.revision and not known.lost and known.waiting is None:
            self._send(*words)

    def _remove(self, key: bytes) -> None:
        part, game = part_of(key) or ("", "")
        if part == "state":
            self.games[game] = SavedGame()
            self._send("UNLINK", *game_keys(game), final_key(game), views_key(game))
        elif part == "log":
            known = self.known(game)
            if not known.revision:  # what is left of an earlier game
                self.games[game] = SavedGame()
                self._send("UNLINK", key)
        elif part in ("final", "views"):
            self._send("UNLINK", key)

    def take_plain(self, words: Words) -> None:
        """Apply a command of a base file that consists of commands. Its games are verified when they occur again."""
        name = words[0].upper()
        part = (part_of(words[1]) if len(words) > 1 else None) or ("", "")
        if part[0] in ("state", "log", "final", "views"):
            if name == b"SET" and len(words) > 2:
                self._check_bytes(part[0], words[2])
            elif name not in (b"RPUSH", b"PEXPIREAT"):
                raise WrongChange("a game is stored in a way that no store does")
            self._send(*words)

    def take_entry(self, entry: Entry, part: str, *, confirmed: bool) -> None:
        """Restore a key of a base file that was read in pieces. Raises WrongChange."""
        if entry.key in self._entries:
            raise WrongChange("the key is in the base file twice")
        self._entries.add(entry.key)
        if part == "log":
            self._send("RPUSH", entry.key, *entry.words)
        else:
            self._check_bytes(part, entry.words[0], confirmed=confirmed)
            self._send("SET", entry.key, entry.words[0])
        if entry.expires is not None:
            self._send("PEXPIREAT", entry.key, entry.expires)

    def _check_bytes(self, part: str, data: bytes, *, confirmed: bool = True) -> None:
        """Raise WrongChange if a stored game or a document is damaged."""
        try:
            if part != "state":
                zlib.decompress(data)
            elif read_stored_game(data).version == 0 and not confirmed:
                raise WrongChange("the name of a game is not confirmed")
        except (zlib.error, DamagedGame, WrittenElsewhere) as fault:
            raise WrongChange(f"{'a stored game' if part == 'state' else 'a document'} is damaged") from fault

    # -- The temporary store ---------------------------------------------------------------------------------------

    def known(self, game: str) -> SavedGame:
        """Return what the temporary store has of a game. A game of the base file is verified when it first occurs."""
        known = self.games.get(game)
        if known is None:
            self.flush()
            known = self.games[game] = self._loaded(game)
        return known

    def _loaded(self, game: str) -> SavedGame:
        data = self._client.read(state_key(game), "GET", state_key(game))
        lines = self._client.read(log_key(game), "LRANGE", log_key(game), 0, -1)
        with suppress(DamagedGame, WrittenElsewhere):
            if data is not None:
                return _at(check(data, lines), 0)
        if data is not None and _readable(data):
            return SavedGame(lost=True, seen=read_stored_game(data).version)
        self._send("UNLINK", *game_keys(game))  # a whole stored game may follow for these lines
        return SavedGame(lines=lines)

    def _send(self, *command: str | bytes | int) -> None:
        self._batch.append(command)
        self._batch_bytes += sum(len(word) for word in command if isinstance(word, bytes))
        if len(self._batch) >= BATCH_COMMANDS or self._batch_bytes >= BATCH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Send what was not sent yet."""
        batch, self._batch, self._batch_bytes = self._batch, [], 0
        if not batch:
            return
        for reply in self._client.servers()[0].exchange(*batch):
            if isinstance(reply, Exception):
                raise StoreError(f"the temporary store refuses a change: {reply}") from reply

    def without_record(self) -> set[str]:
        """Return the games that have a log and no state: these are lost."""
        server = self._client.servers()[0]
        found: set[str] = set()
        for key in scan(self._client, LOG_PREFIX):
            part = part_of(key)
            if part is not None and not server.ask("EXISTS", state_key(part[1])):
                found.add(part[1])
        return found


def _at(stored: StoredGame, seen: int) -> SavedGame:
    return SavedGame(stored.revision, stored.version, stored.link, stored.secret, last=stored.link, seen=seen)


def _readable(data: bytes) -> bool:
    try:
        read_stored_game(data)
    except (DamagedGame, WrittenElsewhere):
        return False
    return True
