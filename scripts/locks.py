"""The locks of the parts of an environment and of the images, made from `requirements.lock`.

python -m scripts.locks            write them
python -m scripts.locks --check    say which would change

`requirements.lock` pins everything that a developer needs, with hashes. A part takes some of it: what its extras need,
and what that needs in turn, as the installed packages say themselves. Every line is copied, so that neither `make run`
nor an image holds a version that the tests have not seen. Made for the system that the lock was made for, and for its
Python as well as the oldest supported one, which some base images have.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "locks"
BUILD = ("editables", "hatchling")
LOCKS = {
    "build.lock": BUILD,
    "run.lock": (*BUILD, "alhambra-rules[cli,server,embedded]"),
    "test.lock": (*BUILD, "alhambra-rules[test]"),
    "image.lock": ("alhambra-rules[cli,server]",),
}
"""What each lock is for. The first three are parts of `.venv`, each of which contains those before it
(`scripts/environment.py`); the last one is the packages of both images."""
NOTE = "# Made by `python -m scripts.locks` from requirements.lock. Do not edit.\n"
SELF = "alhambra-rules"
OLDEST_PYTHON = {"python_version": "3.11", "python_full_version": "3.11.0"}


def pinned() -> dict[str, str]:
    """Every package of the developers' lock: its lines, by its name."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    text = re.sub(r"^ *#.*\n", "", text, flags=re.MULTILINE)  # who needs a package there says nothing about a part
    blocks = re.findall(r"^[A-Za-z0-9].*\n(?: .*\n)*", text, re.MULTILINE)
    return {canonicalize_name(re.split(r"[=\[ ;]", block, maxsplit=1)[0]): block for block in blocks}


def needed(wanted: Iterable[str]) -> set[str]:
    """The packages that these need, themselves included."""
    found: set[tuple[str, str]] = set()
    waiting = [Requirement(text) for text in wanted]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        for extra in ("", *sorted(requirement.extras)):
            if (name, extra) not in found:
                found.add((name, extra))
                further = [Requirement(text) for text in requires(name) or ()]
                waiting += [each for each in further if _applies(each, extra)]
    return {name for name, _ in found}


def _applies(requirement: Requirement, extra: str) -> bool:
    """Whether this Python, or the oldest supported one, needs the package when this extra is chosen."""
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra, **python}) for python in ({}, OLDEST_PYTHON))


def lock(wanted: Iterable[str]) -> str:
    """The text of a lock."""
    blocks = pinned()
    names = sorted(needed(wanted) - {SELF})
    return NOTE + "".join(blocks[name] for name in names)


def main() -> None:
    """Writes the locks, or says whether they are fresh."""
    stale = []
    FOLDER.mkdir(exist_ok=True)
    for name, wanted in LOCKS.items():
        path, text = FOLDER / name, lock(wanted)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
    print("changed:", ", ".join(stale) or "nothing")
    sys.exit(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    main()
