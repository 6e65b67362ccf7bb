"""Why an embedded store cannot write: its disk is full or read-only, or the machine lacks memory or file descriptors.

With `appendfsync always` a server ends itself when it cannot write. It is started again as a replica of an address that
cannot exist, so that it serves reads and refuses every write (READONLY) until it can write again. The port of that
address is the number of the system error (errno). So every process that is connected to the store knows the reason.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from ... import limits

NOWHERE = "255.255.255.255"
"""The broadcast address. The system refuses every connection to it, so no data can come from there."""
_TEST = "room.test"
_SENTENCES = {
    errno.ENOSPC: "The disk of {folder} is full: make room on it.",
    errno.EDQUOT: "The disk of {folder} is full: its quota is used up.",
    errno.EROFS: "The disk of {folder} is read-only: mount it for writing.",
    errno.EFBIG: "The files in {folder} have reached the file size limit: raise it (ulimit -f).",
    errno.EIO: "The disk of {folder} fails: check the system log.",
    errno.EACCES: "The files in {folder} cannot be written: check their owner and permissions.",
    errno.EMFILE: "The store in {folder} has no more file descriptors: raise its limit (ulimit -n).",
    errno.ENFILE: "The machine of {folder} has no more file descriptors.",
    errno.ENOMEM: "The machine has no more memory for the store in {folder}.",
}
_WORDS = {os.strerror(code): code for code in _SENTENCES} | {"Out Of Memory": errno.ENOMEM}


def explain_error(code: int, folder: Path | str) -> str:
    """Return what a system error means for a store in this folder, and what to do."""
    text = _SENTENCES.get(code, f"The store in {{folder}} cannot write: {os.strerror(code)}.")
    return text.format(folder=folder)


def error_in(lines: Iterable[str]) -> int:
    """Return the system error in the last lines of a server's log; 0 if there is none."""
    for line in reversed([*lines]):
        for words, code in _WORDS.items():
            if words in line:
                return code
    return 0


def write_error(folder: Path, *, by_writing: bool = False) -> int:
    """Return the system error that a write to the disk of this folder would cause; 0 if it would succeed. With
    `by_writing`, try it, because not every limit can be queried."""
    try:
        about = os.statvfs(folder)
        if about.f_flag & os.ST_RDONLY:
            return errno.EROFS
        if about.f_bavail * about.f_frsize < limits.EMBEDDED_FREE_BYTES:
            return errno.ENOSPC
        if by_writing:
            _try_writing(folder / _TEST)
    except OSError as fault:
        return fault.errno or errno.EIO
    return 0


def _try_writing(path: Path) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        os.write(file, bytes(limits.EMBEDDED_TEST_BYTES))
        os.fsync(file)
    finally:
        os.close(file)
        with suppress(OSError):
            path.unlink()


def refusal_address(code: int) -> tuple[str, str]:
    """Return the address that makes a server refuse writes because of a system error."""
    return NOWHERE, str(code)


def is_refusing(replication: Mapping[str, str]) -> bool:
    """Return whether this replication section of INFO is that of an embedded server that refuses writes."""
    return replication.get("master_host") == NOWHERE


def refusal_reason(replication: Mapping[str, str], folder: str) -> str:
    """Return why such a server refuses writes."""
    return explain_error(int(replication.get("master_port", 0)), folder)
