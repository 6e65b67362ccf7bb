"""Reports of the figures: tables on the terminal, bench/results.json, and two pages.

docs/performance.md begins with what a user wants to know and the goals. Text between its marks is replaced by the
figures of the last run; all other text stays. docs/performance-figures.md has every table.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from .group import MET, Goal

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results.json"
PAGE = ROOT / "docs" / "performance.md"
TABLES = ROOT / "docs" / "performance-figures.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
NOTE = "<!-- Everything down to the next mark is written by `make bench`. -->"
LEFT = ("what", "budget", "goal", "state")
MICRO = 1e6
AT_A_GLANCE = (
    ("hot_path", "validate, with writes", "`ValidatePlacement`, gRPC"),
    ("rest", "placements:validate", "`placements:validate`, REST"),
    ("floors", "GetGame", "`GetGame`, gRPC"),
    ("rest_floors", "GET game", "`GET` a game, REST"),
    ("floors", "ListLegalMoves, first", "`ListLegalMoves`, gRPC"),
    ("floors", "ApplyMove", "`ApplyMove`, gRPC"),
    ("rest_floors", "POST moves", "`POST` a move, REST"),
    ("everything_served", "ApplyMove, all on", "`ApplyMove` with all modules, gRPC"),
)
"""The calls of the first table: the group and the row that measure them, and their names."""


def read() -> dict[str, Any]:
    """Return the stored figures of earlier runs; empty if they cannot be read."""
    try:
        found = json.loads(RESULTS.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and isinstance(found.get("groups"), dict) else {}


def keep(results: Mapping[str, Any]) -> None:
    """Write the results and the page."""
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_figures(page, results), encoding="utf-8")
    TABLES.write_text(tables(results), encoding="utf-8")


def with_figures(page: str, results: Mapping[str, Any]) -> str:
    """Return the page with new figures. Raises ValueError if the marks are missing."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no marks {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{NOTE}\n\n{figures(results)}\n{END}{after}"


# -- Markdown ----------------------------------------------------------------------------------------------------------


def figures(results: Mapping[str, Any]) -> str:
    """Return what the calls cost, and the goals, as Markdown."""
    machine = results["machine"]
    return "\n\n".join(
        (
            f"Python {machine['python']}, grpcio {machine['grpcio']}, {machine['cores']} cores "
            f"({machine['processor']}), {machine['system']}.",
            markdown(at_a_glance(results)),
            "Milliseconds are CPU time of service and gateway for each call, and calls a second are what one core can "
            "do of them.",
            "### Goals",
            "A ratio compares two runs of the same round; `…_over_floor` compares with a call that does the same input "
            "and output and nothing else. A spread is the middle half of the rounds. "
            f"[Every table]({TABLES.name}) says how its figures were measured.",
            f"{markdown([_goal_row(Goal(**goal)) for goal in _goals(results)])}\n",
        )
    )


def at_a_glance(results: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what a user wants to know: what the important calls cost, how many of them a core can do, and how large a
    stored game is."""
    found: list[dict[str, Any]] = []
    for group, name, call in AT_A_GLANCE:
        rows = results["groups"].get(group, {"rows": ()})["rows"]
        row = next((row for row in rows if row["what"] == name), None)
        if row is not None:
            spent = sum(row.get(f"{role} µs", 0.0) for role in ("server", "gateway", "service"))
            found.append({"what": call, "ms": round(spent / 1000, 2), "calls/s": round(MICRO / spent)})
    for row in results["groups"].get("room", {"rows": ()})["rows"]:
        found.append({"what": f"a stored game, {row['what']}, {row['moves']} moves", "KiB": row["KiB"]})
    return found


def tables(results: Mapping[str, Any]) -> str:
    """Return the page with all groups."""
    parts = [
        "# Performance: every table",
        "<!-- Written by `make bench`. -->",
        "[Performance](performance.md) has the summary. Times are microseconds on a core for each call, medians of the "
        "rounds; a spread is the middle half of them. A ratio compares runs of the same round. `A/A` is the floor "
        "against itself.",
    ]
    for group in results["groups"].values():
        parts += [f"## {group['title']}", group["how"]] if group["how"] else [f"## {group['title']}"]
        parts.append(markdown(group["rows"]))
        if group["verdict"]:
            parts.append(_trust(group["verdict"]))
        parts += group["notes"]
        parts += [f"![{image['text']}](images/{image['file']})" for image in group.get("images", ())]
    return "\n\n".join(parts) + "\n"


def _goals(results: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [goal for group in results["groups"].values() for goal in group["goals"]]


def _goal_row(goal: Goal) -> dict[str, Any]:
    return {
        "what": f"`{goal.name}`",
        "measured": _number(goal.value, goal.unit),
        "spread": goal.spread,
        "goal": f"≤ {_number(goal.goal, goal.unit)}",
        "state": goal.state if goal.state == MET else f"**{goal.state}**",
    }


def _number(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if unit != "×" else f"{value:.3g}"


def _trust(verdict: Mapping[str, Any]) -> str:
    thrown = verdict["attempts"] - 1
    again = f", measured anew {thrown} time{'s' if thrown > 1 else ''} because of a bad control" if thrown else ""
    settled = "" if verdict["settled"] else " The control is not good enough: take these figures for not settled."
    return f"{verdict['rounds']} rounds, A/A {verdict['A/A']}{again}.{settled}"


def _columns(rows: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(column for row in rows for column in row))


def markdown(rows: list[dict[str, Any]]) -> str:
    """Return rows as a table of Markdown."""
    columns = _columns(rows)
    lines = [
        "| " + " | ".join("" if column == "what" else column for column in columns) + " |",
        "|" + "|".join("---" if column in LEFT else "---:" for column in columns) + "|",
        *("| " + " | ".join(_cell(row.get(column, "")) for column in columns) + " |" for row in rows),
    ]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


# -- On the terminal ---------------------------------------------------------------------------------------------------


def show(console: Console, group: Mapping[str, Any]) -> None:
    """Return one group as a table for the terminal."""
    if not group["rows"]:
        console.print(f"{group['title']}: takes longer than a few seconds, left out")
        return
    console.print(_table(group["title"], group["rows"]))
    if group["verdict"]:
        console.print(_trust(group["verdict"]))
    for note in group["notes"]:
        console.print(note)


def show_goals(console: Console, results: Mapping[str, Any]) -> None:
    """Return a table with every goal and whether it was met."""
    rows = [_goal_row(Goal(**goal)) for goal in _goals(results)]
    if rows:
        plain = [{column: str(value).strip("`*") for column, value in row.items()} for row in rows]
        console.print(_table("Goals", plain))


def _table(title: str, rows: list[dict[str, Any]]) -> Table:
    table = Table(title=title, title_justify="left")
    for column in _columns(rows):
        table.add_column(column, justify="left" if column in LEFT else "right")
    for row in rows:
        table.add_row(*(_cell(row.get(column, "")) for column in _columns(rows)))
    return table
