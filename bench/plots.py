"""Pictures of the figures for docs/performance.md: small SVG files, legible on light and on dark pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
INK, GRID = "#5f6b7a", "#9aa5b1"
COLOURS = {"server": "#2f7fd0", "service": "#2f7fd0", "gateway": "#d9822b", "store": "#4f9d69", "client": "#b9c2cc"}
WIDTH, BAR = 7.2, 0.42
"""Inches: of a picture, and of each bar in it."""
STACKED = ("hot_path", "rest", "batch", "calls", "games", "course")
"""Groups whose time is drawn, process by process."""


def draw(name: str, group: Mapping[str, Any], folder: Path = IMAGES) -> list[dict[str, str]]:
    """Draws a group, if there is something to draw; what the page shows."""
    if name not in STACKED:
        return []
    roles = [role for role in COLOURS if f"{role} µs" in group["rows"][0]]
    rows = [row for row in group["rows"] if not row["what"].endswith("(again)")]
    file = f"bench-{name.replace('_', '-')}.svg"
    _bars(folder / file, group["title"], rows, roles)
    return [{"file": file, "text": f"{group['title']}: time on a core for each call, by process"}]


def _bars(path: Path, title: str, rows: list[dict[str, Any]], roles: list[str]) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    # Text as text, and no date or random names: the same figures give the same file.
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "alhambra", "font.family": "sans-serif"})
    figure, axes = pyplot.subplots(figsize=(WIDTH, 1.1 + BAR * len(rows)), layout="constrained")
    names = [row["what"] for row in rows]
    left = [0.0] * len(rows)
    for role in roles:
        widths = [float(row[f"{role} µs"]) for row in rows]
        axes.barh(names, widths, left=left, height=0.62, label=role, color=COLOURS[role])
        left = [at + width for at, width in zip(left, widths, strict=True)]
    for place, row in enumerate(rows):
        text = f" {row['ratio']:.2f} ×" if place else " 1 ×"
        axes.annotate(text, (left[place], place), va="center", color=INK, fontsize=8)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set_title(title, loc="left", color=INK, fontsize=10)
    axes.set_xlabel(
        "µs on a core for each call; × compares what is measured with the first line", color=INK, fontsize=8
    )
    axes.tick_params(colors=INK, labelsize=8, length=0)
    axes.xaxis.grid(color=GRID, alpha=0.35)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_visible(False)
    figure.legend(fontsize=8, frameon=False, labelcolor=INK, ncols=len(roles), loc="outside upper right")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, transparent=True, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
