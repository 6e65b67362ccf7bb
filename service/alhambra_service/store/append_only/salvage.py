"""Puts the games of append-only files into a temporary store: all of them, as they were at a second, or as far as the
files are whole.

    with salvaged(folder, moment) as found:
        ...                             # found.url is a store with the games
    for sentence in found.missing: ...

Every game is verified (`game_recovery.py`). That makes it safe to read on after damage (`skip_damage`): a game of
which a move is lost stops at the version before it, and no game gets a change that was not made.

Without `skip_damage` nothing after the first damage is used: the store is as it was at one moment. The rest is still
read, to report what is left out.

Only games are restored: states, logs, and the documents of finished games. The caller lists and counts them again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from ..connection.connect import StoreClient, connect
from ..embedded.embedded_store import EmbeddedStore, find_program
from ..errors import StoreMisconfigured
from ..keys import GAME_PART, part_of
from .base_file import base_time, find_entries, games_named, is_picture
from .changes import Change, Damage, Time, read_changes
from .files import BASE, FOLDER, BadLog, DataFile, copy_files, data_folder, write_manifest
from .game_recovery import GameRecovery, WrongChange

TOUCHED_BYTES = 1 << 20
"""The most damaged bytes that are searched for ids of games."""
DAMAGES_TOLD = 20


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
        made = base_time(copy / base.name) if base is not None and picture else None
        _require_older(made, second)
        store, words = _started(place, copy, base if picture else None)
        client = connect(store.url)
        try:
            reading = _Reading(client, second, skip_damage, made)
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


def _require_older(made: int | None, second: int | None) -> None:
    if made is not None and second is not None and made > second:
        raise BadLog(
            f"The append-only file reaches back to {_text(made)} only, when the store rewrote it: "
            "restore a backup from before that."
        )


class _Reading:
    """Reads files one after the other and restores what is whole into the temporary store."""

    def __init__(self, client: StoreClient, second: int | None, skip: bool, time: int | None) -> None:
        self.result = Salvage("")
        self._recovery = GameRecovery(client)
        self._second = second
        self._skip = skip
        self._damages = 0
        self._touched: set[str] = set()
        """Games that are named in damaged bytes."""
        self._in_base: set[str] = set()
        """Games that are named in a damaged base."""
        self._time = time
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
        if file.type != BASE:
            self._touched |= _torn(change)
        if self._stopped:
            self._left_out(change)
            return
        try:
            if file.type == BASE:
                for words in change.commands:
                    self._recovery.take_plain(words)
            else:
                self._recovery.take(change)
        except WrongChange as wrong:
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
            with suppress(WrongChange):
                self._recovery.take_entry(entry, part, confirmed=game in confirmed)
                count += part == "state"
        self._note_damage()
        self.result.missing.append(
            f"{path.name} is damaged: the store says «{words}». It has one checksum for all of its bytes, "
            f"so the place is not known. Games that can be read in it: {count}."
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
        self._recovery.second = found.second

    # -- Damage --------------------------------------------------------------------------------------------------

    def _note_damage(self) -> None:
        self._damages += 1
        self._recovery.damaged = True

    def _damaged(self, name: str, start: int, end: int, why: str, touched: set[str]) -> None:
        self._note_damage()
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
        """Note which games a change after the damage belongs to."""
        for words in change.commands:
            if len(words) > 2 and (part := part_of(words[1])) is not None and part[0] == "state":
                self._recovery.known(part[1]).behind += 1

    # -- The end -------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Say which games lost something. Raises BadLog if a moment was given and the files have no times."""
        self._recovery.flush()
        if self._second is not None and self._changed and not self._dated:
            raise BadLog("The append-only file has no times: the store needs `aof-timestamp-enabled yes`.")
        if self._damages > DAMAGES_TOLD:
            self.result.missing.append(f"Further damaged places: {self._damages - DAMAGES_TOLD}.")
        behind = {game: known.behind for game, known in self._recovery.games.items() if known.behind}
        if behind:
            until = f", the last of them after {_text(self._time)}" if self._time is not None else ""
            self.result.missing.append(
                f"Left out after the damage: {sum(behind.values())} changes of {len(behind)} games{until}. With "
                "--skip-damage, into an empty store, those that are safe are restored too."
            )
        named: set[str] = set()
        for game, known in sorted(self._recovery.games.items()):
            if known.behind or known.seen > known.version or known.lines:
                named.add(game)
            if known.behind:
                self.result.missing.append(f"Game {game}: {known.result}; {known.behind} later changes are left out.")
            elif known.seen > known.version or known.lines:
                of = f" of {known.seen}" if known.seen > known.version else ""
                self.result.missing.append(f"Game {game}: {known.result}{of}.")
        for game in sorted((self._touched | self._in_base | self._recovery.without_record()) - named):
            known = self._recovery.known(game)
            if known.revision and game in self._touched:
                self.result.missing.append(f"Game {game}: {known.result}; later changes may be lost in the damage.")
            elif not known.revision:
                self.result.missing.append(f"Game {game}: not restored.")


def _torn(change: Change) -> set[str]:
    """Return the game of a command that a store writes in transactions only: the rest of its transaction is lost."""
    name, *keys = change.commands[0][:2] if change.commands else [b""]
    part = part_of(keys[0]) if keys and len(change.commands) == 1 and name.upper().startswith(b"H") else None
    return {part[1]} if part is not None and part[0] == "req" else set()


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
    if second is None:
        return "an unknown time"
    return datetime.fromtimestamp(second, UTC).isoformat().replace("+00:00", "Z")
