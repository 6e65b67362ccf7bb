"""Restores a store as it was at a given second, from its append-only file.

A store with `appendonly yes` writes each change behind the last one, into files that a manifest names: a base, which is
a picture of everything at the moment when the store last rewrote its file, and the changes since. With
`aof-timestamp-enabled yes` the first change of each second comes after a line with the time, `#TS:1794890127`. Loading
the base and the changes up to a second gives the store of that second.

The files are copied before they are cut, so that they may belong to a store that is running. Redis 7 and every Valkey
write them in this way.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from .. import limits
from .embedded.embedded_store import EmbeddedStore
from .errors import StoreMisconfigured

FOLDER = "appendonlydir"
MANIFEST = "appendonly.aof.manifest"
BASE, CHANGES = "b", "i"
MADE_AT = re.compile(rb"\xfa\x05ctime(?:\xc0(.)|\xc1(..)|\xc2(....))", re.DOTALL)
"""The time in the head of a base: the name of the field and a whole number of one, two or four bytes."""
HEAD_BYTES = 512
COPY_TRIES = 10


class BadLog(StoreMisconfigured):
    """The files cannot be used, or do not reach back to the moment. The message is a sentence."""


@contextmanager
def store_at(folder: Path, moment: datetime | None) -> Iterator[str]:
    """Start a temporary store with the data of this folder and return its URL. With `moment`, changes after the end of
    that second are left out. `folder` is the folder of a store or its `appendonlydir`.
    """
    source = folder / FOLDER if (folder / FOLDER).is_dir() else folder
    with TemporaryDirectory(prefix="alhambra-") as name:
        target = Path(name) / FOLDER
        target.mkdir(mode=0o700)
        copy_files(source, target)
        if moment is not None:
            cut_files(target, int(moment.timestamp()))
        with EmbeddedStore(Path(name), memory_mib=0) as store:
            yield store.url


def copy_files(source: Path, target: Path) -> None:
    """Copy the manifest and the files that it names. Copy again if the store rewrites them meanwhile."""
    for _ in range(COPY_TRIES):
        try:
            manifest = (source / MANIFEST).read_bytes()
            for file, _ in listed(manifest.decode()):
                shutil.copyfile(source / file, target / file)
            if (source / MANIFEST).read_bytes() == manifest:
                (target / MANIFEST).write_bytes(manifest)
                return
        except FileNotFoundError as fault:
            if not (source / MANIFEST).exists():
                raise BadLog(f"{source} has no {MANIFEST}: it is not the folder of an append-only file.") from fault
        except (OSError, UnicodeDecodeError) as fault:
            raise BadLog(f"The append-only file in {source} cannot be read: {fault}.") from fault
    raise BadLog(f"The append-only file in {source} was rewritten again and again while it was copied.")


def listed(manifest: str) -> list[tuple[str, str]]:
    """Return the files that a manifest names, each with its type, in the order in which a store loads them."""
    found = []
    for line in filter(None, manifest.splitlines()):
        words = shlex.split(line)
        about = dict(zip(words[::2], words[1::2], strict=False))
        if not {"file", "type"} <= about.keys() or Path(about["file"]).name != about["file"]:
            raise BadLog("The manifest of the append-only file has a line that names no file.")
        if about["type"] in (BASE, CHANGES):
            found.append((about["file"], about["type"]))
    return found


def cut_files(folder: Path, second: int) -> None:
    """Remove everything that happened after this second."""
    files = listed((folder / MANIFEST).read_text("utf-8"))
    dated = False
    for place, (file, kind) in enumerate(files):
        with (folder / file).open("rb+") as content:
            if kind == BASE and (made := base_time(content.read(HEAD_BYTES))) is not None:
                if made > second:
                    raise BadLog(
                        f"The append-only file reaches back to {_text(made)} only, when the store rewrote it: "
                        "restore a backup from before that."
                    )
                continue
            content.seek(0)
            end, times = cut_at(content, second)
            dated = dated or times > 0
            if end is None:
                continue
            content.truncate(end)
        _keep(folder, [name for name, _ in files[: place + 1]])
        return
    if not dated and any((folder / file).stat().st_size for file, kind in files if kind == CHANGES):
        raise BadLog("The append-only file has no times: the store needs `aof-timestamp-enabled yes`.")


def base_time(head: bytes) -> int | None:
    """Return when a base was made, in seconds of Unix time; None if the file consists of changes."""
    if not head.startswith((b"REDIS", b"VALKEY")):
        return None
    found = MADE_AT.search(head)
    return int.from_bytes(found[1] or found[2] or found[3], "little") if found else 0


def cut_at(content: BinaryIO, second: int) -> tuple[int | None, int]:
    """Return the offset of the first change after this second (None if there is none), and how many time stamps come
    before it. The offset never lies inside a transaction, so no move is cut in half.
    """
    times, opened = 0, None
    while True:
        offset = content.tell()
        line = content.readline()
        if not line.endswith(b"\r\n"):
            return None, times  # the end, or a change that the store was writing when it was copied
        if line.startswith(b"#TS:"):
            times += 1
            if int(line[4:]) > second:
                return (offset if opened is None else opened), times
        elif line.startswith(b"*"):
            words = [_word(content) for _ in range(int(line[1:]))]
            if None in words:
                return None, times
            name = (words[0] or b"").upper()
            if name == b"MULTI":
                opened = offset
            elif name == b"EXEC":
                opened = None
        elif not line.startswith(b"#"):
            raise BadLog("The append-only file is damaged: a change does not begin where the last one ends.")


def _word(content: BinaryIO) -> bytes | None:
    """Return the next word of a change; None if the file ends within it."""
    head = content.readline()
    if not head.endswith(b"\r\n"):
        return None
    if not head.startswith(b"$") or (size := int(head[1:])) > limits.BACKUP_LINE_BYTES:
        raise BadLog("The append-only file is damaged: a word has no length.")
    word = content.read(size + 2)
    return word[:size] if len(word) == size + 2 else None


def _keep(folder: Path, files: list[str]) -> None:
    """Remove all other files from the manifest and the folder."""
    path = folder / MANIFEST
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if shlex.split(line)[1] in files), "utf-8")
    for each in folder.iterdir():
        if each.name not in (*files, MANIFEST):
            each.unlink()


def _text(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).isoformat().replace("+00:00", "Z")
