"""Says where append-only files are damaged, without a store and without changing anything."""

from __future__ import annotations

import subprocess
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

from ..embedded.embedded_store import find_program
from ..errors import DamagedGame, StoreMisconfigured, WrittenElsewhere
from ..keys import part_of
from ..stored_game import read_stored_game
from .base_file import base_time, is_picture
from .changes import Change, Damage, Time, read_changes
from .files import BadLog, listing
from .salvage import damage_sentence, games_in


def file_faults(folder: Path) -> Iterator[str]:
    """Generate a sentence for each damaged place in the files of this folder. Its store may be running: a change at the
    end of the last file that is not complete counts as one that is being written."""
    try:
        found = listing(folder)
    except BadLog as fault:
        yield str(fault)
        return
    if found.fault:
        yield found.fault
    time: int | None = None
    for file in found.files:
        path = folder / file.name
        with suppress(FileNotFoundError):  # the store has rewritten its files
            if is_picture(path):
                time = base_time(path)
                yield from _base_faults(path)
            else:
                time = yield from _change_faults(path, time, last=file is found.files[-1])


def _base_faults(path: Path) -> Iterator[str]:
    """Check a base file with the program of the store, which checks such files if it is started under another name."""
    try:
        program = find_program()
    except StoreMisconfigured:
        return
    name = f"{program.name.partition('-')[0]}-check-rdb"
    done = subprocess.run([name, str(path)], executable=program, capture_output=True, text=True, check=False)
    if done.returncode and path.exists():
        lines = [line.strip() for line in done.stdout.splitlines() if line.startswith("[offset")]
        yield f"{path.name} is damaged: {name} says «{' / '.join(lines[1:2]) or done.stdout.strip()[-200:]}»."


def _change_faults(path: Path, time: int | None, *, last: bool) -> Generator[str, None, int | None]:
    with path.open("rb") as content:
        for found in read_changes(content):
            if isinstance(found, Time):
                time = found.second
            elif isinstance(found, Damage):
                if not (found.at_end and last):
                    yield damage_sentence(path.name, found.start, found.end, time, found.why, games_in(content, found))
            elif (fault := _wrong(found)) is not None:
                yield damage_sentence(path.name, found.start, found.end, time, *fault)
    return time


def _wrong(change: Change) -> tuple[str, set[str]] | None:
    """Return what is wrong with a change that has the right form, and its games; None if nothing is."""
    for words in change.commands:
        part = part_of(words[1]) if len(words) > 2 else None
        if part is not None and part[0] == "state" and words[0].upper() == b"SET":
            try:
                read_stored_game(words[2])
            except DamagedGame as fault:
                return str(fault), {part[1]}
            except WrittenElsewhere:
                continue
    return None
