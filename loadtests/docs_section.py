"""The figures of the last load test in docs/performance.md, between two marks. What people wrote around them stays."""

from __future__ import annotations

from pathlib import Path

from .found_rate import FoundRate
from .report import Run, steps_picture

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "performance.md"
PICTURE = ROOT / "docs" / "images" / "load-steps.svg"
BEGIN, END = "<!-- load: begin -->", "<!-- load: end -->"
TRACE_BEGIN, TRACE_END = "<!-- trace: begin -->", "<!-- trace: end -->"
NOTE = "<!-- Everything down to the next mark is written by `make loadtest`. -->"


def write(run: Run, traced: str = "") -> bool:
    """Replaces the figures of the page and its picture, or with `traced` the table of a trace. Does nothing and returns
    False if there are no figures, or if they are not settled."""
    found = run.found
    if found is None or not found.settled:
        return False
    page = PAGE.read_text(encoding="utf-8")
    if traced:
        page = with_section(page, f"{_facts(run)}\n\n{traced}", TRACE_BEGIN, TRACE_END)
    else:
        page = with_section(page, section(run, found))
        PICTURE.write_text(steps_picture(found), encoding="utf-8")
    PAGE.write_text(page, encoding="utf-8")
    return True


def with_section(page: str, text: str, first: str = BEGIN, last: str = END) -> str:
    """The page with its section replaced; raises ValueError if the marks are not there."""
    before, begin, rest = page.partition(first)
    _, end, after = rest.partition(last)
    if not begin or not end:
        raise ValueError(f"the page has no marks {first} and {last}")
    return f"{before}{begin}\n{NOTE}\n\n{text}\n{end}{after}"


def _facts(run: Run) -> str:
    facts = "; ".join(f"{name}: {fact}" for name, fact in run.facts.items())
    return f"{run.title}. {facts[:1].upper()}{facts[1:]}."


def section(run: Run, found: FoundRate) -> str:
    """What was found, as Markdown."""
    calls = int(run.total["Request Count"])
    parts = [
        _facts(run),
        "\n".join(f"- {sentence}" for sentence in found.sentences()),
        f"- {calls:,} calls in all, {run.failed} of them wrong or missing.",
        "| step | users | calls/s offered | calls/s made | p99 ms | wrong | cores in use |\n"
        "|---|---:|---:|---:|---:|---:|---:|\n"
        + "\n".join(
            f"| {one.phase} | {one.users} | {one.offered:.0f} | {one.rate:.0f} | {one.slow_ms:.0f} | {one.failed} "
            f"| {use.machine:.2f} |"
            for one, use in zip(found.steps, found.uses, strict=True)
        ),
    ]
    heads, cells = zip(*((role, f"{used:.2f}") for role, used in found.use.roles.items()), strict=True)
    parts.append("Cores in use at the steady rate, by role:")
    parts.append(f"| {' | '.join(heads)} |\n|{'---:|' * len(heads)}\n| {' | '.join(cells)} |")
    parts.append(f"![Calls a second and the 99th percentile of every step](images/{PICTURE.name})")
    return f"{parts[0]}\n\n{parts[1]}\n{parts[2]}\n\n" + "\n\n".join(parts[3:]) + "\n"
