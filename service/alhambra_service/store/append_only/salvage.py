"""Puts the games of append-only files into a temporary store: all of them, as they were at a second, or as far as the
files are whole.

    with salvaged(folder, moment) as found:
        ...                             # found.url is a store with the games
    for sentence in found.missing: ...

Every game proves itself: its record has a checksum, each line of its log has a link that only the holder of its secret
can make from the line before it, and the record repeats the last link. So a game goes forward only with a record whose
log is there without a gap. That makes it safe to read on behind damage (`skip_damage`): a game of which something is
lost stops at the version before it, and no game gets a change that was not made. A record that is damaged costs
nothing if a later one of the same game is whole.

Without `skip_damage` nothing behind the first damage is used: the store is as it was at one moment. The rest is read
all the same, to name what is left out.

Only games are taken: records, logs, and the documents of finished games. The caller lists and counts them anew.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from alhambra import next_link

from ..connection.client import StoreClient, connect
from ..connection.wire import Command
from ..embedded.embedded_store import EmbeddedStore, find_program
from ..errors import DamagedGame, StoreError, StoreMisconfigured, WrittenElsewhere
from ..index import scan
from ..keys import GAME_PART, LOG_PREFIX, final_key, game_keys, log_key, part_of, state_key, views_key
from ..records import Record, check, read_entry, read_record
from .base_file import base_time, find_entries, games_named, is_picture
from .changes import Change, Damage, Time, Words, read_changes
from .files import BASE, FOLDER, BadLog, DataFile, copy_files, data_folder, write_manifest

BATCH_COMMANDS, BATCH_BYTES = 500, 1 << 20
"""Commands that are sent to the temporary store at once: at most so many, and so many bytes."""
TOUCHED_BYTES = 1 << 20
"""Of damaged bytes, so many are searched for the names of games."""
DAMAGES_TOLD = 20


@dataclass(slots=True)
class _Game:
    """What the temporary store has of a game, and what was read behind that."""

    revision: int = 0
    version: int = 0
    link: str = ""
    secret: bytes = b""
    lines: list[bytes] = field(default_factory=list)
    """Lines of the log behind `version`, without a record that ends with them."""
    last: str = ""
    """The link of the last of them that was compared."""
    compared: int = 0
    waiting: tuple[Record, bytes] | None = None
    """A newer record whose lines are not all there yet."""
    lost: bool = False
    """Whether a line is missing: the game goes no further."""
    repeated: bool = False
    """Whether the newest record that was read is not newer than this one: its lines are there already."""
    seen: int = 0
    """The highest version of a record that was read."""
    behind: int = 0
    """Changes behind the damage that were left out."""


@dataclass
class Salvage:
    """The result: a store, and what is missing in it."""

    url: str
    missing: list[str] = field(default_factory=list)
    """A sentence for each damage and for each game that lost something."""
    notes: list[str] = field(default_factory=list)
    """What is worth knowing although nothing may be missing."""


@contextmanager
def salvaged(folder: Path, moment: datetime | None = None, *, skip_damage: bool = False) -> Iterator[Salvage]:
    """Start a temporary store with the games of these files, and return it with what is missing. `folder` is that of a
    store, or its `appendonlydir`; it is only read, and its store may run. With `moment`, changes after the end of that
    second are left out. Raises BadLog if there is nothing to read or the files do not reach back to the moment."""
    find_program()
    second = None if moment is None else int(moment.timestamp())
    with TemporaryDirectory(prefix="alhambra-") as name:
        copy, place = Path(name) / "files", Path(name) / "store"
        copy.mkdir(mode=0o700)
        listing = copy_files(data_folder(folder), copy)
        base = next((file for file in listing.files if file.type == BASE), None)
        picture = base is not None and is_picture(copy / base.name)
        if base is not None and picture:
            _require_older(base_time(copy / base.name), second)
        store, words = _started(place, copy, base if picture else None)
        client = connect(store.url)
        try:
            reading = _Reading(client, second, skip_damage)
            reading.result.url = store.url
            if listing.fault:
                reading.result.missing.append(f"{listing.fault} The files are taken by their names.")
            if base is not None and words:
                reading.take_pieces(copy / base.name, words)
            for file in listing.files:
                if file is not base or not picture:
                    reading.take(copy / file.name, file, last=file is listing.files[-1])
            reading.finish()
            yield reading.result
        finally:
            client.close()
            store.stop()


def _started(place: Path, copy: Path, base: DataFile | None) -> tuple[EmbeddedStore, str]:
    """Start a store with a base, or an empty one if there is none or it cannot be loaded. Returns it, and the words of
    the store about a base that it cannot load."""
    words = ""
    if base is not None:
        place.joinpath(FOLDER).mkdir(mode=0o700, parents=True)
        place.joinpath(FOLDER, base.name).symlink_to(copy / base.name)
        write_manifest(place / FOLDER, [base])
        store = EmbeddedStore(place, fsync="no", memory_mib=0)
        try:
            store.start()
            return store, ""
        except StoreMisconfigured:
            words = _reason((place / "store.log").read_text("utf-8", "replace"))
    store = EmbeddedStore(place.with_name("empty"), fsync="no", memory_mib=0)
    store.start()
    return store, words


def _reason(log: str) -> str:
    """Return the words with which a store says in its log what is wrong with a base."""
    lines = [line.partition(" # ")[2] for line in log.splitlines() if " # " in line]
    telling = [line for line in lines if "RDB" in line or "rdb" in line] or lines or ["it does not start"]
    return telling[0].strip().rstrip(".")


def _require_older(made: int, second: int | None) -> None:
    if second is not None and made > second:
        raise BadLog(
            f"The append-only file reaches back to {_text(made)} only, when the store rewrote it: "
            "restore a backup from before that."
        )


class _Wrong(Exception):
    """A change is not one that a service makes."""


class _Reading:
    """Reads files one after the other and takes what is whole to the temporary store."""

    def __init__(self, client: StoreClient, second: int | None, skip: bool) -> None:
        self.result = Salvage("")
        self._client = client
        self._second = second
        self._skip = skip
        self._games: dict[str, _Game] = {}
        self._batch: list[Command] = []
        self._batch_bytes = 0
        self._damages = 0
        self._touched: set[str] = set()
        """Games that are named in damaged bytes."""
        self._in_base: set[str] = set()
        """Games that are named in a damaged base."""
        self._time: int | None = None
        self._later = False
        """Whether the changes that are read now were made after the moment."""
        self._changed = self._dated = False
        """Whether a change was read, and whether a time was."""

    @property
    def _stopped(self) -> bool:
        return self._damages > 0 and not self._skip

    # -- Files ---------------------------------------------------------------------------------------------------

    def take(self, path: Path, file: DataFile, *, last: bool) -> None:
        """Read a file of commands."""
        with path.open("rb") as content:
            for found in read_changes(content):
                if isinstance(found, Time):
                    self._note_time(file, found)
                elif self._later:
                    continue
                elif isinstance(found, Damage):
                    touched = games_in(content, found)
                    if found.at_end and last:
                        self._cut_off(file.name, found, touched)
                    else:
                        self._damaged(file.name, found.start, found.end, found.why, touched)
                else:
                    self._take_change(file, found)

    def _take_change(self, file: DataFile, change: Change) -> None:
        self._changed = True
        if self._stopped:
            self._left_out(change)
            return
        try:
            if file.type == BASE:
                for words in change.commands:
                    self._take_plain(words)
            else:
                self._judge(change)
        except _Wrong as wrong:
            touched = {part[1] for words in change.commands for part in map(part_of, words[1:2]) if part}
            self._damaged(file.name, change.start, change.end, str(wrong), touched)

    def take_pieces(self, path: Path, words: str) -> None:
        """Find the games in a base that the store cannot load, for these reasons."""
        named = games_named(path)
        self._in_base = {game for _, game in named}
        confirmed = {game for part, game in named if part == "req"}
        count = 0
        for entry in find_entries(path):
            part, game = part_of(entry.key) or ("", "")
            with suppress(_Wrong):
                if part == "log":
                    self._send("RPUSH", entry.key, *entry.words)
                else:
                    self._check_bytes(part, entry.words[0], confirmed=game in confirmed)
                    self._send("SET", entry.key, entry.words[0])
                    count += part == "state"
                if entry.expires is not None:
                    self._send("PEXPIREAT", entry.key, entry.expires)
        self._damages += 1
        self.result.missing.append(
            f"{path.name} is damaged: the store says «{words}». It has one checksum for all of its bytes, "
            f"so the place is not known. Games whose record can be read in it: {count}."
        )

    def _note_time(self, file: DataFile, found: Time) -> None:
        self._dated = True
        if file.type == BASE:
            _require_older(found.second, self._second)
        later = self._second is not None and found.second > self._second
        if self._later and not later:
            self.result.missing.append(
                f"The times in {file.name} go back from {_text(self._time)} to {_text(found.second)} at byte "
                f"{found.start}: the changes between them are left out."
            )
        self._time, self._later = found.second, later

    # -- Damage --------------------------------------------------------------------------------------------------

    def _damaged(self, name: str, start: int, end: int, why: str, touched: set[str]) -> None:
        self._damages += 1
        self._touched |= touched
        if self._damages > DAMAGES_TOLD:
            return
        self.result.missing.append(damage_sentence(name, start, end, self._time, why, touched))

    def _cut_off(self, name: str, found: Damage, touched: set[str]) -> None:
        games = f" It is one of game {', '.join(sorted(touched))}." if touched else ""
        self.result.notes.append(
            f"{name} ends within a change, from byte {found.start} on ({found.end - found.start} bytes). The store was "
            f"writing it, or the file was cut off there.{games}"
        )

    def _left_out(self, change: Change) -> None:
        """Note which games a change behind the damage belongs to."""
        for words in change.commands:
            if len(words) > 2 and (part := part_of(words[1])) is not None and part[0] == "state":
                self._known(part[1]).behind += 1

    # -- Changes -------------------------------------------------------------------------------------------------

    def _judge(self, change: Change) -> None:
        """Take a change to the store as far as it proves itself. Raises _Wrong if it is not as a service makes it."""
        parts = [part for words in change.commands for part in map(part_of, words[1:2]) if part]
        if len({game for _, game in parts}) > 1:
            raise _Wrong("it names several games")
        confirmed = len({part for part, _ in parts}) > 1
        wrong = ""
        for words in change.commands:
            try:
                self._judge_command(words, confirmed)
            except (_Wrong, DamagedGame, WrittenElsewhere) as fault:
                wrong = wrong or str(fault)
        if wrong:
            raise _Wrong(wrong)

    def _judge_command(self, words: Words, confirmed: bool) -> None:
        name = words[0].upper()
        if name in (b"FLUSHALL", b"FLUSHDB"):
            self._send("FLUSHALL")
            self._games.clear()
            return
        if name in (b"DEL", b"UNLINK"):
            for key in words[1:]:
                self._remove(key)
            return
        part, game = (part_of(words[1]) if len(words) > 1 else None) or ("", "")
        if part not in ("state", "log", "final", "views"):
            return
        known = self._known(game)
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
            raise _Wrong("a game is changed in a way that no service does")

    def _take_record(self, game: str, known: _Game, data: bytes, confirmed: bool) -> None:
        known.waiting, known.repeated = None, False
        record = read_record(data)
        known.seen = max(known.seen, record.version)
        if known.revision and record.revision <= known.revision:
            known.repeated = True
            return
        if known.lost or not (known.revision or record.version or confirmed):
            return
        if known.revision and record.revision > known.revision + 1 and not self._damages:
            raise DamagedGame("the revision of a game jumps")
        known.waiting = (record, data)
        if known.version == 0:
            known.last, known.compared = record.chain_start, 0
        self._go_on(game, known)

    def _take_lines(self, game: str, known: _Game, lines: Sequence[bytes]) -> None:
        if not known.lost and not known.repeated:
            known.lines += lines
            self._go_on(game, known)

    def _go_on(self, game: str, known: _Game) -> None:
        """Compare the links of the lines, and take the waiting record to the store if its lines are there."""
        record, data = known.waiting or (None, b"")
        secret = record.secret if record else known.secret
        if not secret or (known.version == 0 and record is None):
            return  # the record comes behind its lines
        try:
            for line in known.lines[known.compared :]:
                entry = read_entry(0, line)
                if next_link(secret, known.last, entry.text) != entry.link:
                    raise DamagedGame("a line of a log does not follow the one before it")
                known.last, known.compared = entry.link, known.compared + 1
        except DamagedGame:
            self._lose(known)
            raise
        if record is None or len(known.lines) < record.version - known.version:
            return
        if len(known.lines) > record.version - known.version or known.last != record.link:
            self._lose(known)
            raise DamagedGame("the record of a game does not match its log")
        self._send("SET", state_key(game), data)
        if known.lines:
            self._send("RPUSH", log_key(game), *known.lines)
        self._games[game] = _at(record, known.seen)

    def _lose(self, known: _Game) -> None:
        known.lost, known.waiting = True, None
        known.lines.clear()

    def _take_expiry(self, known: _Game, words: Words) -> None:
        if not words[2].isdigit() or (self._time is not None and int(words[2]) < 1000 * self._time):
            raise _Wrong("a game expires before it was changed")
        if known.revision and not known.lost and known.waiting is None:
            self._send(*words)

    def _remove(self, key: bytes) -> None:
        part, game = part_of(key) or ("", "")
        if part == "state":
            self._games[game] = _Game()
            self._send("UNLINK", *game_keys(game), final_key(game), views_key(game))
        elif part == "log":
            known = self._known(game)
            if not known.revision:  # what is left of an earlier game
                self._games[game] = _Game()
                self._send("UNLINK", key)
        elif part in ("final", "views"):
            self._send("UNLINK", key)

    def _take_plain(self, words: Words) -> None:
        """Take a command of a base that consists of commands. Its games are compared when they are met again."""
        name = words[0].upper()
        part = (part_of(words[1]) if len(words) > 1 else None) or ("", "")
        if part[0] in ("state", "log", "final", "views"):
            if name == b"SET" and len(words) > 2:
                self._check_bytes(part[0], words[2])
            elif name not in (b"RPUSH", b"PEXPIREAT"):
                raise _Wrong("a game is stored in a way that no store does")
            self._send(*words)

    def _check_bytes(self, part: str, data: bytes, *, confirmed: bool = True) -> None:
        """Raise _Wrong if a record or a document is not what was written."""
        try:
            if part != "state":
                zlib.decompress(data)
            elif read_record(data).version == 0 and not confirmed:
                raise _Wrong("the name of a game is not confirmed")
        except (zlib.error, DamagedGame, WrittenElsewhere) as fault:
            raise _Wrong(f"{'a record' if part == 'state' else 'a document'} of a game is damaged") from fault

    # -- The temporary store ---------------------------------------------------------------------------------------

    def _known(self, game: str) -> _Game:
        """Return what the temporary store has of a game. A game of the base is compared with its log when it is met."""
        known = self._games.get(game)
        if known is None:
            self._flush()
            known = self._games[game] = self._loaded(game)
        return known

    def _loaded(self, game: str) -> _Game:
        data = self._client.read(state_key(game), "GET", state_key(game))
        lines = self._client.read(log_key(game), "LRANGE", log_key(game), 0, -1)
        with suppress(DamagedGame, WrittenElsewhere):
            if data is not None:
                return _at(check(data, lines), 0)
        if data is not None and _readable(data):
            return _Game(lost=True, seen=read_record(data).version)
        self._send("UNLINK", *game_keys(game))  # a whole record may come for these lines
        return _Game(lines=lines)

    def _send(self, *command: str | bytes | int) -> None:
        self._batch.append(command)
        self._batch_bytes += sum(len(word) for word in command if isinstance(word, bytes))
        if len(self._batch) >= BATCH_COMMANDS or self._batch_bytes >= BATCH_BYTES:
            self._flush()

    def _flush(self) -> None:
        batch, self._batch, self._batch_bytes = self._batch, [], 0
        if not batch:
            return
        for reply in self._client.servers()[0].exchange(*batch):
            if isinstance(reply, Exception):
                raise StoreError(f"the temporary store refuses a change: {reply}") from reply

    # -- The end -------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Say which games lost something. Raises BadLog if a moment was given and the files have no times."""
        self._flush()
        if self._second is not None and self._changed and not self._dated:
            raise BadLog("The append-only file has no times: the store needs `aof-timestamp-enabled yes`.")
        if self._damages > DAMAGES_TOLD:
            self.result.missing.append(f"Further damaged places: {self._damages - DAMAGES_TOLD}.")
        behind = {game: known.behind for game, known in self._games.items() if known.behind}
        if behind:
            until = f", the last of them after {_text(self._time)}" if self._time is not None else ""
            self.result.missing.append(
                f"Left out behind the damage: {sum(behind.values())} changes of {len(behind)} games{until}. With "
                "--skip-damage, into an empty store, those that are safe are restored too."
            )
        for game, known in sorted(self._games.items()):
            if known.behind:
                self.result.missing.append(f"Game {game}: {_have(known)}; {known.behind} later changes are left out.")
            elif known.seen > known.version or known.lines:
                of = f" of {known.seen}" if known.seen > known.version else ""
                self.result.missing.append(f"Game {game}: {_have(known)}{of}.")
        for game in sorted((self._touched | self._in_base | self._without_record()) - self._games.keys()):
            known = self._known(game)
            if known.revision and game in self._touched:
                self.result.missing.append(f"Game {game}: {_have(known)}; later changes may be lost in the damage.")
            elif not known.revision:
                self.result.missing.append(f"Game {game}: not restored.")

    def _without_record(self) -> set[str]:
        """Return the games that have a log and no record: these are lost."""
        server = self._client.servers()[0]
        found: set[str] = set()
        for key in scan(self._client, LOG_PREFIX):
            part = part_of(key)
            if part is not None and not server.ask("EXISTS", state_key(part[1])):
                found.add(part[1])
        return found


def _at(record: Record, seen: int) -> _Game:
    return _Game(record.revision, record.version, record.link, record.secret, last=record.link, seen=seen)


def _readable(data: bytes) -> bool:
    try:
        read_record(data)
    except (DamagedGame, WrittenElsewhere):
        return False
    return True


def _have(known: _Game) -> str:
    return f"restored up to version {known.version}" if known.revision else "not restored"


def damage_sentence(name: str, start: int, end: int, second: int | None, why: str, games: set[str]) -> str:
    """Return a sentence about damage: where it is, after which second, what is wrong, which games are named there."""
    since = f", after {_text(second)}" if second is not None else ""
    named = f" Games named there: {', '.join(sorted(games))}." if games else ""
    return f"{name} is damaged from byte {start} to {end} ({end - start} bytes){since}: {why}.{named}"


def games_in(content: BinaryIO, damage: Damage) -> set[str]:
    """Return the games that are named in damaged bytes."""
    content.seek(damage.start)
    data = content.read(min(damage.end - damage.start, TOUCHED_BYTES))
    return {found[2].decode() for found in GAME_PART.finditer(data)}


def _text(second: int | None) -> str:
    return (
        "an unknown time" if second is None else datetime.fromtimestamp(second, UTC).isoformat().replace("+00:00", "Z")
    )
