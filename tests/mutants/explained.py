"""Mutants that no test can or need notice, each with the reason, from `explained.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("explained.toml")
KINDS = {
    "equivalent": "does the same as the original in every game",
    "message": "changes a text or a detail of an error only",
    "unreachable": "is in a branch that no game reaches; it is there for the type checker or as a guard",
    "speed": "does the same, more slowly",
    "choice": "changes a number of which nothing is promised, such as the size of a cache",
}


class Explanation(NamedTuple):
    """Why a mutant may survive."""

    kind: str
    because: str


@cache
def explanations() -> dict[str, Explanation]:
    """Return the reasons by the names of the mutants. Raise ValueError for an entry that is not complete."""
    found = {}
    for entry in tomllib.loads(FILE.read_text(encoding="utf-8")).get("mutant", []):
        if entry["kind"] not in KINDS or not entry["because"] or entry["name"] in found:
            raise ValueError(f"explained.toml: {entry['name']}")
        found[entry["name"]] = Explanation(entry["kind"], entry["because"])
    return found
