"""What was played and compared, remembered as one line each, with a digest of the rules that it was played under.

A game depends on the engine and on its own modules, and on no other module. So when a module is changed, only the games
with it are played again. Of a case that was played again, the last line counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from alhambra import known_modules, load_module

ROOT = Path(__file__).resolve().parents[2]
STORE = ROOT / ".conformance" / "results.jsonl"
LIBRARY = ROOT / "rules" / "alhambra"
NO_RULES = {"players", "svg"}
DEPEND_ON_ALL = "oracle"
"""The group of comparisons with brute force: they choose among all modules by themselves."""

Result = dict[str, Any]
"""Always `case` and `rules`. A failure: `failed`, its traceback, and `ended`, false if the game went on for ever. A
game: `moves`, `undos`, `resignations`, `turns`, `seconds`, `decisions`. A comparison: `compared`."""


def number_of(module: str) -> str:
    """Return a module's number in the rulebook, as two digits: the names of all modules would not fit into a seed."""
    return f"{load_module(module).number:02}"


def rules_digest() -> str:
    """Changes with every line of the rules. Texts, pictures and players are no rules: they tell and show what the rules
    say, and choose among the moves that the rules allow."""
    return _combined((_of_the_engine(), *_of_the_modules().values()))


def digest_of(case: str) -> str:
    """Changes with every line of the rules that the case depends on: the engine and the modules that its name lists."""
    group, what, *_ = case.split("/")
    of_modules = _of_the_modules()
    numbers = of_modules if group == DEPEND_ON_ALL else (number for number in what.split("+") if number in of_modules)
    return _combined((_of_the_engine(), *(of_modules[number] for number in numbers)))


def remembered(store: Path) -> dict[str, Result]:
    """Return what is remembered and still counts, by case: what was played under other rules does not, and a last line
    that was cut off in the middle of writing is no result."""
    found: dict[str, Result] = {}
    for line in store.read_text(encoding="utf-8").splitlines() if store.exists() else ():
        try:
            result = json.loads(line)
        except json.JSONDecodeError:
            continue
        if result["rules"] == digest_of(result["case"]):
            found[result["case"]] = result
    return found


@cache
def _of_the_engine() -> str:
    """The digest of everything that every game uses."""
    modules = {path for key in known_modules() for path in _files_of(key)}
    return _digest(path for path in _rule_files(LIBRARY) if path not in modules)


@cache
def _of_the_modules() -> dict[str, str]:
    """The digest of each module, by its number."""
    return {number_of(key): _digest(_files_of(key)) for key in sorted(known_modules(), key=number_of)}


def _files_of(module: str) -> list[Path]:
    """A module is a file or a folder."""
    path = LIBRARY / "modules" / module
    return list(_rule_files(path)) if path.is_dir() else [path.with_suffix(".py")]


def _rule_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(LIBRARY)
        if path.suffix in (".py", ".json") and "texts" not in str(inside) and inside.parts[0] not in NO_RULES:
            yield path


def _digest(files: Iterable[Path]) -> str:
    digest = blake2b(digest_size=8)
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _combined(digests: Iterable[str]) -> str:
    return blake2b(" ".join(digests).encode(), digest_size=8).hexdigest()
