"""The report of a load test: the calls, how fast they were answered, and the CPU and memory of every process.

The report is one HTML file that contains the plots. A JSON file beside it has the same figures.
"""

from __future__ import annotations

import csv
import html
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot
from matplotlib.axes import Axes

from . import limits
from .found_rate import FoundRate
from .rate_search import CLIMBING, HALVING, HOLDING
from .sampling import GENERATOR, Growth, Sample, growth, growth_of

PERCENTILES = ("50%", "95%", "99%")
AGGREGATED = "Aggregated"


class Run(NamedTuple):
    """All figures of a run."""

    title: str
    facts: Mapping[str, str]
    calls: Sequence[Mapping[str, str]]
    """Locust's table: one row for each kind of call, the last for all."""
    history: Sequence[Mapping[str, str]]
    """Locust's figures over time."""
    failures: Sequence[Mapping[str, str]]
    processes: Mapping[str, Sequence[Sample]]
    found: FoundRate | None = None
    """What a search found; None if the run was no search."""

    @property
    def total(self) -> Mapping[str, str]:
        """The row of all calls together."""
        return next(row for row in self.calls if row["Name"] == AGGREGATED)

    @property
    def failed(self) -> int:
        """The number of answers that were wrong or missing."""
        return int(self.total["Failure Count"])

    def cores(self, generator: bool) -> float:
        """Return the average number of cores that the generator took, or all other processes."""
        return sum(
            sum(sample.cores for sample in samples) / len(samples)
            for name, samples in self.processes.items()
            if samples and name.startswith(GENERATOR) == generator
        )


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table that Locust wrote; empty if there is no file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def write(run: Run, folder: Path) -> Path:
    """Write report.html, report.json and the plots. Returns the path of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    plots = {name: _svg(drawn) for name, drawn in _plots(run)}
    for name, picture in plots.items():
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")
    (folder / "report.json").write_text(json.dumps(_figures(run), indent=1), encoding="utf-8")
    page = folder / "report.html"
    page.write_text(_page(run, plots), encoding="utf-8")
    return page


def _figures(run: Run) -> dict[str, Any]:
    return {
        "title": run.title,
        "facts": dict(run.facts),
        "found": _found_figures(run.found) if run.found else None,
        "latency": _latency_growth(run)._asdict(),
        "calls": list(run.calls),
        "failures": list(run.failures),
        "processes": {
            name: {
                "cores": round(sum(sample.cores for sample in samples) / len(samples), 3),
                "mib": [round(figure, 1) for figure in growth(samples)],
                "threads": list(growth(samples, "threads")),
                "descriptors": list(growth(samples, "descriptors")),
            }
            for name, samples in run.processes.items()
            if samples
        },
    }


def _found_figures(found: FoundRate) -> dict[str, Any]:
    return {
        "steps": [step._asdict() for step in found.steps],
        "steady": found.steady._asdict() if found.steady else None,
        "said": found.sentences(),
        "cores": found.use.roles,
    }


def not_flat(run: Run) -> list[str]:
    """What grew by more than limits.FLAT between the second quarter of a run and its last one, in words. One thread or
    descriptor more is not growth. Threads and descriptors are those of all processes with the same role, because
    clients move from one to the other."""
    figures: dict[str, Growth] = {}
    for name, samples in run.processes.items():
        role = name.rstrip("0123456789 ")
        if not samples or role == GENERATOR:
            continue
        figures[f"MiB of {name}"] = growth(samples)
        for field in ("threads", "descriptors"):
            told, others = growth(samples, field), figures.get(f"{field} of {role}", Growth(0, 0))
            figures[f"{field} of {role}"] = Growth(told.settled + others.settled, told.ended + others.ended)
    figures["the median answer in milliseconds"] = _latency_growth(run)
    return [
        f"{what}: {told.settled:.0f} after the warm-up, {told.ended:.0f} at the end"
        for what, told in figures.items()
        if told.share > limits.FLAT and told.ended > told.settled + 1
    ]


def _latency_growth(run: Run) -> Growth:
    """The median answer after the warm-up and at the end, in milliseconds, of the seconds in which there were calls."""
    figures = [float(row["50%"]) for row in run.history if row["Name"] == AGGREGATED and row["50%"] != "N/A"]
    return growth_of(figures) if figures else Growth(0.0, 0.0)


# -- Plots ---------------------------------------------------------------------------------------------------------


def _plots(run: Run) -> Iterable[tuple[str, Any]]:
    if run.found is not None:
        yield "steps", _steps(run.found)
    together = [row for row in run.history if row["Name"] == AGGREGATED]
    if together:
        began = int(together[0]["Timestamp"])
        seconds = [int(row["Timestamp"]) - began for row in together]
        yield "throughput", _throughput(seconds, together)
        yield "latency", _latency(seconds, together)
    yield "cpu", _of_processes(run, "cores", "cores in use")
    yield "memory", _of_processes(run, "mib", "memory, MiB")
    yield "threads", _of_processes(run, "threads", "threads")
    yield "descriptors", _of_processes(run, "descriptors", "open files and connections")


def steps_picture(found: FoundRate) -> str:
    """The steps of a search as an SVG document."""
    return _svg(_steps(found))


def _steps(found: FoundRate) -> Any:
    figure, axes = _axes("99th percentile, milliseconds")
    axes.set_xlabel("calls per second")
    for phase, mark in ((CLIMBING, "o"), (HALVING, "s"), (HOLDING, "*")):
        steps = [step for step in found.steps if step.phase == phase]
        points = [step.rate for step in steps], [step.slow_ms for step in steps]
        axes.plot(*points, mark, label=phase, markersize=11 if phase == HOLDING else 6)
    axes.axhline(found.limit_ms, color="tab:red", linewidth=1, label="limit")
    axes.set_xlim(left=0)
    axes.legend(loc="upper left")
    return figure


def _throughput(seconds: list[int], together: list[Mapping[str, str]]) -> Any:
    figure, axes = _axes("calls per second")
    axes.plot(seconds, [float(row["Requests/s"]) for row in together], label="calls")
    axes.plot(seconds, [float(row["Failures/s"]) for row in together], label="wrong or missing", color="tab:red")
    users = axes.twinx()
    users.step(seconds, [int(row["User Count"]) for row in together], color="tab:gray", alpha=0.6, where="post")
    users.set_ylabel("users (grey)")
    users.set_ylim(bottom=0)
    axes.legend(loc="upper left")
    return figure


def _latency(seconds: list[int], together: list[Mapping[str, str]]) -> Any:
    figure, axes = _axes("milliseconds")
    for percentile in PERCENTILES:
        figures = [math.nan if row[percentile] == "N/A" else float(row[percentile]) for row in together]
        axes.plot(seconds, figures, label=percentile)
    axes.legend(loc="upper left")
    return figure


def _of_processes(run: Run, field: str, label: str) -> Any:
    figure, axes = _axes(label)
    axes.set_prop_cycle(color=pyplot.colormaps["tab20"](range(20)))  # there are more processes than ordinary colours
    for name in sorted(run.processes):
        samples = run.processes[name]
        style = ":" if name.startswith(GENERATOR) else "-"
        seconds = [sample.seconds for sample in samples]
        axes.plot(seconds, [getattr(sample, field) for sample in samples], style, label=name)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small")
    return figure


def _axes(label: str) -> tuple[Any, Axes]:
    figure, axes = pyplot.subplots(figsize=(9, 3.2), layout="constrained")
    axes.set_xlabel("seconds")
    axes.set_ylabel(label)
    axes.set_ylim(bottom=0, auto=True)
    axes.grid(alpha=0.3)
    return figure, axes


def _svg(figure: Any) -> str:
    axes = figure.axes[0]
    axes.set_ylim(bottom=0)
    with io.StringIO() as text, pyplot.rc_context({"svg.hashsalt": "alhambra", "svg.fonttype": "none"}):
        figure.savefig(text, format="svg", metadata={"Date": None})
        pyplot.close(figure)
        return re.sub(r"^.*?(?=<svg)", "", text.getvalue(), flags=re.DOTALL)


# -- The page ------------------------------------------------------------------------------------------------------

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; } td, th { padding: .25rem .8rem; text-align: right; }
td:first-child, th:first-child { text-align: left; } tr { border-bottom: 1px solid #ddd; }
svg { max-width: 100%; height: auto; } .bad { color: #b00020; font-weight: 600; } .good { color: #1b6e3c; }
"""


def _page(run: Run, plots: Mapping[str, str]) -> str:
    verdict = (
        '<p class="good">Every answer was right.</p>'
        if not run.failed
        else f'<p class="bad">{run.failed} answers were wrong or missing.</p>'
    )
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(run.title)}</title>",
        f"<style>{STYLE}</style><h1>{html.escape(run.title)}</h1>",
        _table(("", ""), run.facts.items()),
        verdict,
        *(f"<p>{html.escape(sentence)}</p>" for sentence in (run.found.sentences() if run.found else ())),
        _found_table(run.found) if run.found else "",
        "<h2>Calls</h2>",
        _table(
            ("call", "door", "count", "wrong or missing", "per second", "median ms", "95 % ms", "99 % ms"),
            (
                (
                    row["Name"],
                    row["Type"],
                    row["Request Count"],
                    row["Failure Count"],
                    f"{float(row['Requests/s']):.1f}",
                    *(row[percentile] for percentile in PERCENTILES),
                )
                for row in run.calls
            ),
        ),
        *(f"<h2>{name.capitalize()}</h2>{picture}" for name, picture in plots.items()),
        "<h2>Processes</h2>",
        _processes(run),
        _latency_line(run),
        _generator(run),
    ]
    if run.failures:
        listed = ((row["Method"], row["Name"], row["Error"], row["Occurrences"]) for row in run.failures)
        parts += ["<h2>What was wrong</h2>", _table(("door", "call", "error", "count"), listed)]
    return "\n".join(part for part in parts if part)


def _found_table(found: FoundRate) -> str:
    heads = ("step", "users", "calls/s offered", "calls/s made", "99 % ms", "wrong or missing")
    lines = (
        (
            step.phase,
            str(step.users),
            f"{step.offered:.0f}",
            f"{step.rate:.0f}",
            f"{step.slow_ms:.0f}",
            str(step.failed),
        )
        for step in found.steps
    )
    return _table(heads, lines)


def _latency_line(run: Run) -> str:
    told = _latency_growth(run)
    return f"<p>The median answer took {told.settled:.0f} ms after the warm-up and {told.ended:.0f} ms at the end.</p>"


def _processes(run: Run) -> str:
    def lines() -> Iterable[tuple[str, ...]]:
        for name in sorted(run.processes):
            samples = run.processes[name]
            if samples:
                mean = sum(sample.cores for sample in samples) / len(samples)
                grown, threads, descriptors = (growth(samples, field) for field in ("mib", "threads", "descriptors"))
                peak = max(sample.cores for sample in samples)
                yield (
                    name,
                    f"{mean:.2f}",
                    f"{peak:.2f}",
                    f"{grown.settled:.0f}",
                    f"{grown.ended:.0f}",
                    f"{grown.share:+.1%}",
                    f"{threads.settled:.0f} → {threads.ended:.0f}",
                    f"{descriptors.settled:.0f} → {descriptors.ended:.0f}",
                )

    heads = (
        "process",
        "cores, mean",
        "cores, peak",
        "MiB after warm-up",
        "MiB at the end",
        "growth",
        "threads",
        "descriptors",
    )
    return _table(heads, lines())


def _generator(run: Run) -> str:
    ours, theirs = run.cores(generator=True), run.cores(generator=False)
    share = ours / (ours + theirs) if ours + theirs else 0.0
    return (
        f"<p>The load generator took {ours:.2f} cores and the product {theirs:.2f}: {share:.0%} of the work was making "
        "the load. On a machine that both share, the product alone could answer more than these figures show.</p>"
    )


def _table(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{html.escape(text)}" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}" for cell in line) for line in lines)
    return f"<table><tr>{head}{body}</table>" if any(heads) else f"<table>{body}</table>"
