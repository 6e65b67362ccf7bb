"""The files of a store with `appendonly yes`, and the manifest that names them.

    appendonlydir/appendonly.aof.manifest       one line for each file, in the order in which a store loads them
    appendonlydir/appendonly.aof.2.base.rdb     everything at the moment when the store last rewrote its files
    appendonlydir/appendonly.aof.2.incr.aof     the changes since

A store that finds no manifest starts empty, ignores the data files, and appends to them. So `require_named` refuses
such a folder before a store is started in it. Redis 7 and every Valkey write these files.
"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

from ..errors import StoreMisconfigured

FOLDER = "appendonlydir"
MANIFEST = "appendonly.aof.manifest"
BASE, CHANGES = "b", "i"
COPY_TRIES = 10
_TYPES = {"base": BASE, "incr": CHANGES}
_FIELDS = {"file", "seq", "type", "startoffset", "endoffset"}
_NAME = re.compile(r"[^/]+\.(\d{1,18})\.(base|incr)\.(?:rdb|aof)")
"""The name of a file: its number and its kind. The number of changes grows with each file."""


class BadLog(StoreMisconfigured):
    """The files cannot be used, or do not reach back to the moment. The message is a sentence."""


class DataFile(NamedTuple):
    """A file with data of a store: its name, its type (BASE or CHANGES) and its number."""

    name: str
    type: str
    number: int


class Listing(NamedTuple):
    """The files that a store has to load, in order, and a sentence about the manifest if it is missing or wrong."""

    files: list[DataFile]
    fault: str = ""


def data_folder(folder: Path) -> Path:
    """Return the folder of the files, for the folder of a store or for that folder itself."""
    return folder / FOLDER if (folder / FOLDER).is_dir() else folder


def listing(folder: Path) -> Listing:
    """Return the files to load. If the manifest is missing, unreadable, or does not name all of them, the files are
    found by their names. Raises BadLog if there are none."""
    try:
        there = {path.name for path in folder.iterdir()}
        text = (folder / MANIFEST).read_text("utf-8") if MANIFEST in there else None
    except (OSError, UnicodeDecodeError) as fault:
        if not isinstance(fault, UnicodeDecodeError):
            raise BadLog(f"The append-only file in {folder} cannot be read: {fault}.") from fault
        text = ""
    found = by_names(there)
    if text is None:
        if not found:
            raise BadLog(f"{folder} has no {MANIFEST}: it is not the folder of an append-only file.")
        return Listing(found, f"{folder} has no {MANIFEST} beside its data.")
    named = manifest_files(text)
    if named is None:
        return Listing(found, f"The manifest {folder / MANIFEST} is damaged.")
    missing = [file.name for file in named if file.name not in there]
    if missing:
        return Listing(found, f"The manifest {folder / MANIFEST} names {', '.join(missing)}, which is not there.")
    unnamed = _unnamed(named, found)
    if unnamed:
        return Listing(found, f"The manifest {folder / MANIFEST} does not name {', '.join(unnamed)}.")
    return Listing(named)


def manifest_files(text: str) -> list[DataFile] | None:
    """Return the files that a manifest names, in the order in which a store loads them; None if it is damaged."""
    found = []
    for line in filter(None, text.split("\n")):
        try:
            words = shlex.split(line)
            about = dict(zip(words[::2], words[1::2], strict=True))
            file = DataFile(about["file"], about["type"], int(about["seq"]))
        except (ValueError, KeyError):
            return None
        name = _NAME.fullmatch(file.name)
        if name is None or int(name[1]) != file.number or not about.keys() <= _FIELDS:
            return None
        if file.type == _TYPES[name[2]]:
            found.append(file)
        elif file.type != "h":  # a file that was replaced and is about to be removed
            return None
    bases = [file for file in found if file.type == BASE]
    numbers = [file.number for file in found if file.type == CHANGES]
    ordered = found[: len(bases)] == bases and len(bases) <= 1 and numbers == sorted(set(numbers))
    return found if found and ordered else None


def by_names(names: set[str]) -> list[DataFile]:
    """Return the newest base among these names, and all files of changes in their order. Changes that the base already
    contains do no harm, because revisions are compared when they are read."""
    matches = [(name, found) for name in names if (found := _NAME.fullmatch(name))]
    files = [DataFile(name, _TYPES[found[2]], int(found[1])) for name, found in matches]
    bases = sorted((file for file in files if file.type == BASE), key=lambda file: file.number)
    changes = sorted((file for file in files if file.type == CHANGES), key=lambda file: file.number)
    return bases[-1:] + changes


def _unnamed(named: list[DataFile], found: list[DataFile]) -> list[str]:
    """Return files of changes that are as new as the named ones. Older files are left over from a rewriting."""
    newest = max((file.number for file in named if file.type == CHANGES), default=0)
    names = {file.name for file in named}
    return [file.name for file in found if file.type == CHANGES and file.number >= newest and file.name not in names]


def require_named(folder: Path) -> None:
    """Raise BadLog if a store that is started in this folder would ignore data of games."""
    source = folder / FOLDER
    if not source.is_dir():
        return
    if not any(file.type == BASE or (source / file.name).stat().st_size for file in by_names(_names(source))):
        return
    fault = listing(source).fault
    if fault:
        raise BadLog(
            f"{fault} A store that starts here would not have the games of these files. Nothing was changed. Restore "
            f"them into another folder:  alhambra restore {folder} --store embedded:NEW-FOLDER  and use that one, or "
            "put the manifest back from a copy of the folder."
        )


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def copy_files(source: Path, target: Path) -> Listing:
    """Copy all files. Their store may be running: copy them again if it rewrites them in the meantime."""
    for _ in range(COPY_TRIES):
        found = listing(source)
        try:
            for file in found.files:
                shutil.copyfile(source / file.name, target / file.name)
        except FileNotFoundError:
            continue
        except OSError as fault:
            raise BadLog(f"The append-only file in {source} cannot be read: {fault}.") from fault
        if listing(source) == found:
            return found
    raise BadLog(f"The append-only file in {source} was rewritten again and again while it was copied.")


def write_manifest(folder: Path, files: list[DataFile]) -> None:
    """Write the manifest for these files."""
    lines = [f"file {file.name} seq {file.number} type {file.type}\n" for file in files]
    (folder / MANIFEST).write_text("".join(lines), "utf-8")
