"""What a release does for the versions after it.

python -m tests.compat            keep games of the present version, write down what they rely on, check all kept games
python -m tests.compat --names    only write down the names and forms that stored games rely on
python -m tests.compat --check    only check: play every kept game of every released version to its end

`--folder` keeps and checks games elsewhere, to try it out.
"""

from __future__ import annotations

import argparse
import sys
import time
import tomllib
from pathlib import Path

from .corpus import GAMES, archive, progress, read_corpus, released, setup_of, write_corpus
from .stored import Broken, check_corpus
from .stored_names import write_down

ROOT = Path(__file__).resolve().parents[2]


def version() -> str:
    """The version of the project."""
    found: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return found


def main() -> None:
    """Does what is asked for."""
    parser = argparse.ArgumentParser(description="Keep stored games of the present version for later ones.")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--names", action="store_true", help="only write down names and forms")
    only.add_argument("--check", action="store_true", help="only check the games that are kept")
    parser.add_argument("--folder", type=Path, default=GAMES, help="where games are kept")
    given = parser.parse_args()
    try:
        if not given.check:
            if given.folder == GAMES:
                print(f"New facts that stored games rely on: {write_down(released=bool(released()))}.")
            if not given.names:
                keep(archive(version(), given.folder))
        if not given.names:
            check_all(given.folder)
    except (ValueError, LookupError, Broken) as fault:
        sys.exit(str(fault))


def keep(path: Path) -> None:
    """Write the games of the present version, if they are not there."""
    if path.exists():
        print(f"{path.name} is there already: games of a released version are never changed.")
        print("If this version was not released yet and has changed, remove the file and run this again.")
        return
    print(f"Playing the games of version {version()} …", flush=True)
    count = write_corpus(path)
    print(f"{count} games in {path}, {path.stat().st_size / 1024:.0f} KB.")


def check_all(folder: Path) -> None:
    """Play every kept game of every released version to its end."""
    if not released(folder):
        raise LookupError(f"no games are kept in {folder}")
    for path in released(folder):
        print(f"Finishing the games of {path.name} …", flush=True)
        began = time.monotonic()
        tell = progress(len({setup_of(name) for name, _ in read_corpus(path)}))
        count = check_corpus(path, finished=lambda _: True, told=tell)
        print(f"{path.name}: {count} games loaded, finished and exported in {time.monotonic() - began:.0f} s.")


if __name__ == "__main__":
    main()
