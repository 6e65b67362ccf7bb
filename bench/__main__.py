"""Runs the benchmarks, prints a table for each, and writes bench/results.json.

python -m bench [--only placement,moves] [--quick]
"""

from __future__ import annotations

import argparse
import json
import platform
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench import rules

GROUPS = {
    "inactive": rules.inactive,
    "placement": rules.placement,
    "moves": rules.moves,
    "games": rules.games,
}
"""`inactive` comes first: the other groups load the modules."""
RESULTS = Path(__file__).resolve().parent / "results.json"


def show(console: Console, name: str, rows: list[dict[str, Any]]) -> None:
    """One group as a table."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    table = Table(title=name, title_justify="left")
    for column in columns:
        table.add_column(column, justify="left" if column in ("what", "budget") else "right")
    for row in rows:
        table.add_row(*(str(row.get(column, "")) for column in columns))
    console.print(table)


def main() -> None:
    """Measures the chosen groups."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(GROUPS))
    parser.add_argument("--quick", action="store_true", help="a few seconds, nothing is written")
    arguments = parser.parse_args()
    console = Console()
    results: dict[str, Any] = {"python": platform.python_version(), "machine": platform.machine()}
    for name in arguments.only.split(","):
        console.print(f"measuring {name} …")
        results[name] = rules.games(2) if arguments.quick and name == "games" else GROUPS[name]()
        show(console, name, results[name])
    if not arguments.quick:
        RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        console.print(f"written: {RESULTS.name}")


if __name__ == "__main__":
    main()
