"""Finds games in a base file that no store can load any more.

A base file is a snapshot of all keys in the store's own format (RDB). It has one checksum at its end, and its entries
can be read only one after the other: a store refuses the whole file if one byte is wrong. Here each key of a game is
found by its name instead, wherever it is, and only its value is read:

    [0xFC and the time to live] [type] [length of the key] alh:state:{…} [value]

The caller checks every value by the checksums of the games themselves. The formats are those of strings and lists of
Redis 7 and Valkey; a list in another format is left out.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ... import limits
from ..keys import GAME_PART

_KEY = re.compile(rb"([\x00\x12])(.)(" + GAME_PART.pattern + rb")", re.DOTALL)
_MADE_AT = re.compile(rb"\xfa\x05ctime(?:\xc0(.)|\xc1(..)|\xc2(....))", re.DOTALL)
"""The time in the head of a base: the name of the field and a whole number of one, two or four bytes."""
_HEAD_BYTES = 512
_LIST = 0x12
_EXPIRES = 0xFC
_PLAIN, _PACKED = 1, 2
"""How a part of a list is stored: one word, or many in one string."""


class Entry(NamedTuple):
    """A key of a game with its value: one word for a string, all words for a list."""

    key: bytes
    words: list[bytes]
    expires: int | None
    """In milliseconds of Unix time; None if it does not expire."""


def is_picture(path: Path) -> bool:
    """Return whether a base has the store's own format. It can also consist of commands (`aof-use-rdb-preamble no`)."""
    with path.open("rb") as file:
        return path.suffix == ".rdb" or file.read(9).startswith((b"REDIS", b"VALKEY"))


def base_time(path: Path) -> int | None:
    """Return when a base file was made, in seconds of Unix time; None if that is not in the file."""
    with path.open("rb") as file:
        found = _MADE_AT.search(file.read(_HEAD_BYTES))
    return int.from_bytes(found[1] or found[2] or found[3], "little") if found else None


def find_entries(path: Path) -> Iterator[Entry]:
    """Generate the entries of games whose value can be read."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            for found in _KEY.finditer(data):
                if found[2][0] != len(found[3]):
                    continue
                try:
                    reader = _Reader(data, found.end())
                    words = reader.words() if found[1][0] == _LIST else [reader.string()]
                except (IndexError, ValueError):
                    continue
                start = found.start()
                expires = int.from_bytes(data[start - 8 : start], "little") if data[start - 9] == _EXPIRES else None
                yield Entry(found[3], words, expires)


def games_named(path: Path) -> set[tuple[str, str]]:
    """Return the keys of games in the file, readable or not: part and game. A game without moves has no log that would
    confirm its name; the name is right if it is in the file twice."""
    if not path.stat().st_size:
        return set()
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return {(found[1].decode(), found[2].decode()) for found in GAME_PART.finditer(data)}


class _Reader:
    """Reads values from an offset on. Raises IndexError or ValueError if there is none."""

    def __init__(self, data: mmap.mmap | bytes, offset: int) -> None:
        self._data = data
        self._offset = offset

    def _take(self, size: int) -> bytes:
        if size > limits.BACKUP_LINE_BYTES:
            raise ValueError("too long")
        piece = self._data[self._offset : self._offset + size]
        if len(piece) < size:
            raise ValueError("too short")
        self._offset += size
        return piece

    def _length(self) -> tuple[int, bool]:
        """Return a length, or the number of a special encoding and True."""
        first = self._take(1)[0]
        kind = first >> 6
        if kind == 0:
            return first & 0x3F, False
        if kind == 1:
            return (first & 0x3F) << 8 | self._take(1)[0], False
        if kind == 3:
            return first & 0x3F, True
        if first not in (0x80, 0x81):
            raise ValueError("no length")
        return int.from_bytes(self._take(4 if first == 0x80 else 8), "big"), False

    def string(self) -> bytes:
        """Read a string."""
        size, special = self._length()
        if not special:
            return self._take(size)
        if size <= 2:
            return b"%d" % int.from_bytes(self._take(1 << size), "little", signed=True)
        if size != 3:
            raise ValueError("no string")
        packed, _ = self._length()
        length, _ = self._length()
        return _unpacked(self._take(packed), length)

    def words(self) -> list[bytes]:
        """Read a list."""
        found = []
        for _ in range(self._length()[0]):
            kind, _ = self._length()
            part = self.string()
            if kind == _PLAIN:
                found.append(part)
            elif kind == _PACKED:
                found += _listed(part)
            else:
                raise ValueError("no part of a list")
        return found


def _unpacked(data: bytes, length: int) -> bytes:
    """Return a string that was packed with LZF: runs of new bytes, and copies of earlier ones."""
    if length > limits.BACKUP_LINE_BYTES:
        raise ValueError("too long")
    out = bytearray()
    place = 0
    while place < len(data) and len(out) <= length:
        control = data[place]
        place += 1
        if control < 32:
            out += data[place : place + control + 1]
            place += control + 1
            continue
        size = control >> 5
        if size == 7:
            size += data[place]
            place += 1
        start = len(out) - ((control & 0x1F) << 8 | data[place]) - 1
        place += 1
        if start < 0:
            raise ValueError("no copy")
        for offset in range(size + 2):
            out.append(out[start + offset])
    if len(out) != length:
        raise ValueError("another length")
    return bytes(out)


def _listed(part: bytes) -> Iterator[bytes]:
    """Generate the words of a list that is stored as one string: encoding, word, size of both."""
    if int.from_bytes(part[:4], "little") != len(part):
        raise ValueError("another length")
    place = 6
    while part[place] != 0xFF:
        first = part[place]
        if first < 0x80:
            head, word = 1, b"%d" % first
            size = 0
        elif first < 0xC0:
            head, size = 1, first & 0x3F
            word = part[place + head : place + head + size]
        elif first >> 4 == 0xE:
            head, size = 2, (first & 0x0F) << 8 | part[place + 1]
            word = part[place + head : place + head + size]
        elif first == 0xF0:
            head, size = 5, int.from_bytes(part[place + 1 : place + 5], "little")
            word = part[place + head : place + head + size]
        else:
            raise ValueError("a number, which no log has")
        if len(word) < size:
            raise ValueError("too short")
        yield word
        whole = head + size
        place += whole + (1 if whole < 128 else 2 if whole < 16_383 else 3)
