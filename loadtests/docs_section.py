"""The figures of the last load test in docs/performance.md, between two marks. What people wrote around them stays."""

from __future__ import annotations

from pathlib import Path

from .found_rate import FoundRate
from .report import Run, steps_picture

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "performance.md"
PICTURE = ROOT / "docs" / "images" / "load-steps.svg"
BEGIN, END = "<!-- load: begin -->", "<!-- load: end -->"
NOTE = "<!-- Everything down to the next mark is written by `make loadtest`. -->"


def write(run: Run) -> bool:
    """Replaces the figures of the page and its picture. Does nothing and returns False if the run was no search, or if
    its figures are not settled."""
    settled = run.found is not None and run.found.settled
    if run.found is not None and settled:
        PAGE.write_text(with_section(PAGE.read_text(encoding="utf-8"), section(run, run.found)), encoding="utf-8")
        PICTURE.write_text(steps_picture(run.found), encoding="utf-8")
    return settled


def with_section(page: str, text: str) -> str:
    """The page with its section replaced; raises ValueError if the marks are not there."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no marks {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{NOTE}\n\n{text}\n{END}{after}"


def section(run: Run, found: FoundRate) -> str:
    """What was found, as Markdown."""
    facts = "; ".join(f"{name}: {fact}" for name, fact in run.facts.items())
    calls = int(run.total["Request Count"])
    parts = [
        f"{run.title}. {facts[:1].upper()}{facts[1:]}.",
        "\n".join(f"- {sentence}" for sentence in found.sentences()),
        f"- {calls:,} calls in all, {run.failed} of them wrong or missing.",
        "| step | users | calls/s offered | calls/s made | p99 ms | wrong |\n|---|---:|---:|---:|---:|---:|\n"
        + "\n".join(
            f"| {one.phase} | {one.users} | {one.offered:.0f} | {one.rate:.0f} | {one.slow_ms:.0f} | {one.failed} |"
            for one in found.steps
        ),
    ]
    if found.use is not None:
        heads, cells = zip(*((role, f"{used:.2f}") for role, used in found.use.roles.items()), strict=True)
        parts.append("Cores in use at that rate, by role:")
        parts.append(f"| {' | '.join(heads)} |\n|{'---:|' * len(heads)}\n| {' | '.join(cells)} |")
    parts.append(f"![Calls a second and the 99th percentile of every step](images/{PICTURE.name})")
    return f"{parts[0]}\n\n{parts[1]}\n{parts[2]}\n\n" + "\n\n".join(parts[3:]) + "\n"
