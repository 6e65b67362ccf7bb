"""What was played and compared, remembered as one line each, in one file per state of the rules.

A line names its case. Figures of other rules do not count; of a case that was played again, the last line does.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".conformance"
NO_RULES = {"players", "svg"}

Result = dict[str, Any]
"""Always `case`. A failure: `failed`, its traceback, and `ended`, false if the game went on for ever. A game: `moves`,
`undos`, `resignations`, `turns`, `seconds`, `decisions`. A comparison: `compared`."""


def rules_digest() -> str:
    """Changes with every line of the rules. Texts, pictures and players are no rules: they tell and show what the rules
    say, and choose among the moves that the rules allow."""
    digest = blake2b(digest_size=8)
    library = ROOT / "rules" / "alhambra"
    for path in sorted(library.rglob("*")):
        inside = path.relative_to(library)
        if path.suffix in (".py", ".json") and "texts" not in str(inside) and inside.parts[0] not in NO_RULES:
            digest.update(path.read_bytes())
    return digest.hexdigest()


def store_of(digest: str) -> Path:
    """The file with the results under these rules."""
    return FOLDER / f"{digest}.jsonl"


def remembered(store: Path) -> dict[str, Result]:
    """Everything remembered, by case. A last line that was cut off in the middle of writing is no result."""
    found: dict[str, Result] = {}
    for line in store.read_text(encoding="utf-8").splitlines() if store.exists() else ():
        try:
            result = json.loads(line)
        except json.JSONDecodeError:
            continue
        found[result["case"]] = result
    return found
