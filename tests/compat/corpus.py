"""Stored games of a version, kept for ever: every later version must load them, play them to the end and export them.

A released version has a file in `tests/compat/games/`, `<version>.tar.xz`. It holds the games of `setups.py`
(`<setup>/<kind of decision>.game`, as `Game.to_bytes` writes them) and those of `store_games.py` (`store.jsonl`, as
`alhambra backup` writes them). Two runs of one version write the same bytes.
"""

from __future__ import annotations

import sys
import tarfile
import time
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path

from alhambra import Game

from .setups import Setup, every_kind, games_of, setups
from .store_games import store_games

GAMES = Path(__file__).with_name("games")
SUFFIX = ".tar.xz"
STORE = "store.jsonl"


def released(folder: Path = GAMES) -> list[Path]:
    """The files of all released versions."""
    return sorted(folder.glob(f"*{SUFFIX}"))


def archive(version: str, folder: Path = GAMES) -> Path:
    """The file of a version."""
    return folder / f"{version}{SUFFIX}"


def write_corpus(path: Path) -> int:
    """Write the games of the present version into a file; return how many. A game stands at every kind of decision, or
    LookupError is raised and nothing is written."""
    return _write(path, _all_games())


def write_games(path: Path, games: Iterable[tuple[str, Game]]) -> int:
    """Write some games into a file, by their names; return how many."""
    return _write(path, [(f"{name}.game", game.to_bytes()) for name, game in games])


def read_corpus(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of everything that is kept in a file."""
    with tarfile.open(path, "r:xz") as file:
        for member in file:
            found = file.extractfile(member)
            assert found is not None, member.name
            yield member.name, found.read()


def setup_of(name: str) -> str:
    """The name of the setup from which a kept game comes."""
    return name.partition("/")[0]


def _write(path: Path, members: Iterable[tuple[str, bytes]]) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.unfinished")
    count = 0
    # The games of one setup begin alike: a window that holds several of them shares what they have in common.
    with tarfile.open(unfinished, "w:xz", preset=9, format=tarfile.USTAR_FORMAT) as file:
        for name, data in members:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            file.addfile(entry, BytesIO(data))
            count += name != STORE
    unfinished.replace(path)
    return count


def _all_games() -> Iterator[tuple[str, bytes]]:
    tell = progress(len(setups()))
    met: set[str] = set()
    for setup in setups():
        kept = list(_kept(setup))
        yield from ((f"{setup.name}/{kind}.game", data) for kind, data in kept)
        met.update(kind for kind, _ in kept)
        tell(setup.name, len(kept))
    if missing := every_kind() - met:
        raise LookupError(f"no game stands at {', '.join(sorted(missing))}")
    yield STORE, store_games().encode()


def _kept(setup: Setup) -> Iterator[tuple[str, bytes]]:
    yield from ((kind, game.to_bytes()) for kind, game in games_of(setup))


def progress(steps: int) -> Callable[[str, int], None]:
    """A function that writes one line for each step: its number, its name, how many games it had, seconds so far."""
    began = time.monotonic()
    done = games = 0

    def tell(name: str, count: int) -> None:
        nonlocal done, games
        done, games = done + 1, games + count
        seconds = time.monotonic() - began
        print(f"  [{done}/{steps}] {name}: {count} games, {games} in all, {seconds:.0f} s", file=sys.stderr, flush=True)

    return tell
