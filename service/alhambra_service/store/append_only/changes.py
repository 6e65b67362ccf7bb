"""Reads the changes in an append-only file, and finds the next whole one after damage.

A change is one command, or all commands between MULTI and EXEC, in the protocol of the store:

    *3 $5 RPUSH $34 alh:log:{…} $61 …          each word after its length, each part ended by CR LF

With `aof-timestamp-enabled yes` the first change of each second comes after a line with the time, `#TS:1794890127`.

Everything that does not have this form is damage, up to the next whole command or time. A damaged length can cover many
whole commands, so the search for the next one starts right after the first wrong byte. The file is read once, in
pieces: memory is bounded by one change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from ... import limits

Words = list[bytes]

_PIECE = 1 << 18
_LINE = 64
"""The most bytes of a line that is not a word."""
_START = re.compile(rb"\*[1-9]\d{0,6}\r\n\$\d{1,8}\r\n|#TS:\d{1,11}\r\n")
_OVERLAP = 32
"""More than the longest match of `_START`."""
_NAME = re.compile(rb"[A-Za-z][A-Za-z_|-]{1,30}")


class Change(NamedTuple):
    """Commands of one change, and their position in the file."""

    start: int
    end: int
    commands: list[Words]
    whole: bool = True
    """Whether it is a single command or a whole transaction; otherwise it is a part of a transaction."""


class Time(NamedTuple):
    """The second, in Unix time, in which the next changes were made."""

    start: int
    second: int


class Damage(NamedTuple):
    """Bytes that are no changes."""

    start: int
    end: int
    why: str
    at_end: bool = False
    """Whether the rest of the file, without a whole command after it, is the beginning of a change: the store was
    writing it when it died or when the file was copied, or the file was cut off."""


class _Broken(Exception):
    """There is no whole command here."""

    def __init__(self, *, short: bool = False) -> None:
        self.short = short
        """Whether the file ended too early."""


def read_changes(file: BinaryIO) -> Iterator[Change | Time | Damage]:
    """Generate everything in the file, in order."""
    offset = 0
    opened: Change | None = None
    later: list[Time] = []
    """Times inside of a transaction. They count from its end, so that no moment lies inside of it."""
    while True:
        try:
            found, end = _read(file, offset)
        except _Broken as broken:
            start, offset = offset, _next_whole(file, offset + 1)
            at_end = broken.short and offset == _size(file)
            if opened is not None and at_end:
                start = opened.start
            elif opened is not None:
                yield from _parts(opened)
            opened = None
            yield Damage(start, offset, "no change can be read there", at_end)
            continue
        if found is None:
            break
        if isinstance(found, int):
            later.append(Time(offset, found))
        elif found:
            name = found[0].upper()
            if name == b"MULTI" and opened is not None:
                yield from _parts(opened)
                yield Damage(opened.start, offset, "the end of a transaction is missing")
                opened = Change(offset, end, [])
            elif name == b"MULTI":
                opened = Change(offset, end, [])
            elif opened is None:
                if name != b"EXEC":
                    yield Change(offset, end, [found])
            elif name == b"EXEC":
                yield opened._replace(end=end)
                opened = None
            else:
                opened.commands.append(found)
        if opened is None:
            yield from later
            later.clear()
        offset = end
    if opened is not None:
        yield Damage(opened.start, offset, "the end of a transaction is missing", at_end=True)


def _parts(opened: Change) -> Iterator[Change]:
    """Generate the commands of a transaction whose end is missing."""
    if opened.commands:
        yield opened._replace(whole=False)


def _read(file: BinaryIO, offset: int) -> tuple[Words | int | None, int]:
    """Return what is at an offset, and the offset after it: the words of a command, the second of a time stamp, an
    empty list for another remark, None at the end of the file. Raises _Broken."""
    if file.tell() != offset:
        file.seek(offset)
    line = file.readline(_LINE)
    if not line:
        return None, offset
    end = offset + len(line)
    if line.startswith(b"#"):
        if not line.endswith(b"\r\n"):
            raise _Broken(short=len(line) < _LINE)
        return (_number(line[4:]), end) if line.startswith(b"#TS:") else ([], end)
    if not line.startswith(b"*"):
        raise _Broken
    words: Words = []
    for _ in range(_number(line[1:])):
        head = file.readline(_LINE)
        if head[:1] not in (b"$", b""):
            raise _Broken
        size = _number(head[1:])
        if size > limits.BACKUP_LINE_BYTES:
            raise _Broken
        word = file.read(size + 2)
        if len(word) < size + 2:
            raise _Broken(short=True)
        if not word.endswith(b"\r\n"):
            raise _Broken
        words.append(word[:-2])
        end += len(head) + len(word)
    if not words or not _NAME.fullmatch(words[0]):
        raise _Broken
    return words, end


def _number(line: bytes) -> int:
    digits = line[:-2]
    if not line.endswith(b"\r\n") or not digits.isdigit():
        raise _Broken(short=not line or digits.isdigit() or line == b"\r")
    return int(digits)


def _next_whole(file: BinaryIO, offset: int) -> int:
    """Return the offset of the next whole command or time; the size of the file if there is none."""
    while True:
        file.seek(offset)
        piece = file.read(_PIECE)
        for match in _START.finditer(piece):
            try:
                _read(file, offset + match.start())
            except _Broken:
                continue
            return offset + match.start()
        if len(piece) < _PIECE:
            return offset + len(piece)
        offset += len(piece) - _OVERLAP


def _size(file: BinaryIO) -> int:
    return file.seek(0, 2)
