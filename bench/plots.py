"""Pictures of the figures for docs/performance.md: small SVG files, legible on light and on dark pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .playing import BEST_KNOWN, RATIO

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
INK, GRID = "#5f6b7a", "#9aa5b1"
COLOURS = {"server": "#2f7fd0", "service": "#2f7fd0", "gateway": "#d9822b", "store": "#4f9d69", "client": "#b9c2cc"}
WIDTH, BAR = 7.2, 0.42
"""Inches: width of a picture, and height of each bar."""
STACKED = ("hot_path", "rest", "batch", "calls", "games", "course")
"""Groups whose CPU time is drawn for each process."""


def draw(name: str, group: Mapping[str, Any], folder: Path = IMAGES) -> list[dict[str, str]]:
    """Draw a group, and return the file and the text of its picture; empty if the group has no picture."""
    rows = [row for row in group["rows"] if not row["what"].endswith("(again)")]
    path = folder / f"bench-{name.replace('_', '-')}.svg"
    if name in STACKED:
        _processes(path, group["title"], rows)
        text = "time on a core for each call, by process"
    elif name == "playing":
        _interpreters(path, group["title"], rows[0])
        text = "games a second on a core, by interpreter, beside the best implementation known"
    else:
        return []
    return [{"file": path.name, "text": f"{group['title']}: {text}"}]


def _processes(path: Path, title: str, rows: list[dict[str, Any]]) -> None:
    """Draw a bar for each call, with a segment for each process."""
    roles = [role for role in COLOURS if f"{role} µs" in rows[0]]
    label = "µs on a core for each call; × compares what is measured with the first line"
    with _picture(path, title, label, len(rows)) as (figure, axes):
        names = [row["what"] for row in rows]
        left = [0.0] * len(rows)
        for role in roles:
            widths = [float(row[f"{role} µs"]) for row in rows]
            axes.barh(names, widths, left=left, height=0.62, label=role, color=COLOURS[role])
            left = [at + width for at, width in zip(left, widths, strict=True)]
        for place, row in enumerate(rows):
            text = f" {row['ratio']:.2f} ×" if place else " 1 ×"
            axes.annotate(text, (left[place], place), va="center", color=INK, fontsize=8)
        figure.legend(fontsize=8, frameon=False, labelcolor=INK, ncols=len(roles), loc="outside upper right")


def _interpreters(path: Path, title: str, row: Mapping[str, Any]) -> None:
    """Draw a bar for each interpreter, and one for the published figure of another engine."""
    rates = {name: float(rate) for name, rate in row.items() if not isinstance(rate, str) and name != RATIO}
    rates["best known (Rust)"] = float(BEST_KNOWN)
    with _picture(path, title, f"{row['what']} a second on a core", len(rates)) as (_, axes):
        colours = [COLOURS["server"]] * (len(rates) - 1) + [COLOURS["client"]]
        axes.barh(list(rates), list(rates.values()), height=0.62, color=colours)
        for place, rate in enumerate(rates.values()):
            axes.annotate(f" {rate:.0f}", (rate, place), va="center", color=INK, fontsize=8)


def intervals(path: Path, title: str, label: str, bars: Mapping[str, tuple[float, float, float]]) -> None:
    """Draw a bar for each name with its confidence interval: value and bounds in percent."""
    with _picture(path, title, label, len(bars)) as (_, axes):
        values = [value for value, _, _ in bars.values()]
        errors = [[value - low for value, low, _ in bars.values()], [high - value for value, _, high in bars.values()]]
        axes.barh(list(bars), values, height=0.62, color=COLOURS["server"], xerr=errors, ecolor=INK, capsize=3)
        axes.set_xlim(0, 109)
        for place, (value, _, high) in enumerate(bars.values()):
            axes.annotate(f" {value:.0f} %", (high, place), va="center", color=INK, fontsize=8)


@contextmanager
def _picture(path: Path, title: str, label: str, bars: int) -> Iterator[tuple[Figure, Axes]]:
    """Yield axes for this number of bars, and write the file afterwards."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    # Text as text, and no date or random names: the same figures give the same file.
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "alhambra", "font.family": "sans-serif"})
    figure, axes = pyplot.subplots(figsize=(WIDTH, 1.1 + BAR * bars), layout="constrained")
    yield figure, axes
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set_title(title, loc="left", color=INK, fontsize=10)
    axes.set_xlabel(label, color=INK, fontsize=8)
    axes.tick_params(colors=INK, labelsize=8, length=0)
    axes.xaxis.grid(color=GRID, alpha=0.35)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, transparent=True, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
