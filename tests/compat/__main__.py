"""What a release does for the versions after it.

python -m tests.compat            keep games of the present version, and write down what they rely on
python -m tests.compat --names    only write down the names and forms that stored games rely on
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

from .corpus import GAMES, released, write_games
from .stored_names import write_down

ROOT = Path(__file__).resolve().parents[2]


def version() -> str:
    """The version of the project."""
    found: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return found


def main() -> None:
    """Writes what is asked for."""
    parser = argparse.ArgumentParser(description="Keep stored games of the present version for later ones.")
    parser.add_argument("--names", action="store_true", help="only write down names and forms")
    given = parser.parse_args()
    try:
        new = write_down(released=bool(released()))
    except ValueError as fault:
        sys.exit(str(fault))
    print(f"New facts that stored games rely on: {new}.")
    if not given.names:
        folder = GAMES / version()
        if folder.exists():
            sys.exit(f"{folder.relative_to(ROOT)} exists already: games of a released version are never changed.")
        print(f"Games written to {folder.relative_to(ROOT)}: {write_games(folder)}.")


if __name__ == "__main__":
    main()
