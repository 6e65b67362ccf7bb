"""Results of rounds: a line of JSON for each, their sums, and the figures of `docs/durability.md`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from .kinds import KINDS
from .simulation import Round

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "durability.md"
FOLDER = ROOT / ".faults"
BEGIN = "<!-- figures: written by `python -m tests.faults --report`, do not edit -->"
END = "<!-- end of figures -->"
GOAL = 10_000
"""Faults that all runs together shall reach."""

Line = dict[str, Any]
"""One round: `seed`, `store`, `durability`, `took` in seconds, `faults` by kind, `counts`, `defects` by kind, `lost`
moves that the durability allows to lose, `unconfirmed` reads, `recovery`, `oldest_read`."""


def line_of(found: Round, took: float) -> Line:
    """Return what is remembered of a round."""
    schedule = found.schedule
    return {
        **{"seed": schedule.seed, "store": schedule.store, "durability": schedule.durability, "took": round(took, 1)},
        **{"faults": dict(found.faults), "counts": dict(found.counts)},
        "defects": dict(Counter(defect.kind for defect in found.defects)),
        **{"lost": found.lost, "unconfirmed": found.unconfirmed},
        **{"recovery": round(found.recovery, 1), "oldest_read": round(found.oldest_read, 2)},
    }


def remember(file: Path, line: Line) -> None:
    """Add a round to a file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as opened:
        opened.write(json.dumps(line, sort_keys=True) + "\n")


def remembered(file: Path) -> list[Line]:
    """Return the rounds of a file. A last line that was cut off in the middle of writing is no round."""
    found = []
    for text in file.read_text("utf-8").splitlines() if file.exists() else ():
        try:
            found.append(json.loads(text))
        except json.JSONDecodeError:
            continue
    return found


def section(lines: Sequence[Line]) -> str:
    """Return the marked part of the page."""
    faults = _sum(line["faults"] for line in lines)
    minutes = sum(line["took"] for line in lines) / 60
    total = sum(faults.values())
    whole = [line["oldest_read"] for line in lines if not line["lost"]]
    words = (
        f"{len(lines)} rounds, {minutes:.0f} minutes, **{total:,} faults** of {len(faults)} kinds; the goal over time "
        f"is {GOAL:,}. The longest time until every game went on after the last fault was "
        f"{max((line['recovery'] for line in lines), default=0):.0f} s; the oldest read without `min_version`, in "
        f"rounds that lost nothing, was {max(whole, default=0):.1f} s behind."
    )
    return "\n\n".join([BEGIN, words, "\n".join(_settings(lines)), "\n".join(_kinds(faults)), END])


def _settings(lines: Sequence[Line]) -> list[str]:
    columns = (
        *("store, durability", "rounds", "faults", "calls", "acknowledged moves", "lost", "duplicated"),
        *("stale reads", "events wrong", "other defects", "reads taken back"),
    )
    rows = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    groups = dict.fromkeys((line["store"], line["durability"]) for line in lines)
    for store, durability in sorted(groups):
        own = [line for line in lines if (line["store"], line["durability"]) == (store, durability)]
        rows.append(_row(f"{store}, `{durability}`", own))
    return [*rows, _row("all", lines)]


def _row(label: str, lines: Sequence[Line]) -> str:
    counts, defects = _sum(line["counts"] for line in lines), _sum(line["defects"] for line in lines)
    moves = counts["acknowledged"]
    calls = counts["reads"] + counts["no answer"] + moves + counts["refused"] + counts["answered again"]
    events = sum(count for kind, count in defects.items() if kind.startswith("event"))
    named = {"lost", "duplicated", "stale"}
    other = sum(count for kind, count in defects.items() if kind not in named and not kind.startswith("event"))
    figures = (
        *(len(lines), sum(_sum(line["faults"] for line in lines).values()), calls, moves),
        *(
            defects["lost"] + sum(line["lost"] for line in lines),
            defects["duplicated"],
            defects["stale"],
            events,
            other,
        ),
        sum(line["unconfirmed"] for line in lines),
    )
    return f"| {' | '.join((label, *(f'{figure:,}' for figure in figures)))} |"


def _kinds(faults: Counter[str]) -> list[str]:
    rows = ["| kind of fault | what happens | count |", "|---|---|---|"]
    for kind in KINDS.values():
        rows.append(f"| {kind.name} | {kind.text} | {faults[kind.name]:,} |")
    return rows


def _sum(parts: Iterable[dict[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for part in parts:
        found.update(part)
    return found


def rewritten(page: str, lines: Sequence[Line]) -> str:
    """Return the page with new figures."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page has no marks for its figures")
    return before + section(lines) + after
