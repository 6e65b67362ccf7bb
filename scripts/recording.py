"""Records a game in the terminal as an animated picture, docs/images/demo.svg.

    python -m scripts.recording                 record it anew
    python -m scripts.recording --to FILE       into another file

The picture shows what `alhambra demo` prints, as a terminal does: lines come in at the bottom and move up. It is one
tall drawing of all lines behind a window; a style sheet moves it step by step. It runs no script and loads nothing.
Readers who prefer no motion see the end of the game.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from io import StringIO
from itertools import pairwise
from pathlib import Path

from rich.console import Console

from alhambra import Options
from alhambra.options import preset_modules
from alhambra_cli.demo import Demo

TARGET = Path(__file__).resolve().parents[1] / "docs" / "images" / "demo.svg"
COMMAND = 'alhambra demo --seats 2 --seed "a seed" --preset first_game'
OPTIONS = Options(seats=2, seed="a seed", modules=preset_modules("first_game"))

COLUMNS, ROWS = 100, 36
CELL_WIDTH, CELL_HEIGHT, MARGIN = 8.4, 16.25, 16
"""Pixels. Cells are as high as the font's box-drawing letters, so that walls have no gaps."""
SECONDS_PER_LINE, SECONDS_PER_BLOCK, SECONDS_AT_THE_END = 0.16, 3.0, 6.0

_CODES = re.compile("\x1b\\[([0-9;]*)m")
CLASSES = {"1": "b", "2": "d", "3": "i", "31": "red", "33": "gold", "90": "d", "91": "red", "92": "green"}
"""Classes of the picture by the codes that a terminal understands."""
TURN = re.compile(r"\$|[ \d]{4} \w|\s{14}\S")
"""The command, the line of a turn, and how such a line goes on in the next one."""
END_OF_TABLE = "= shared)"
STYLE = """
text { font: 14px "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #e8e2d4; white-space: pre }
.b { font-weight: bold } .d { fill: #948b7b } .i { font-style: italic }
.red { fill: #ef8e7d } .gold { fill: #f2c14e } .green { fill: #8fce7f }
"""


@dataclass(frozen=True)
class Run:
    """Letters of one line that look the same."""

    column: int
    text: str
    classes: tuple[str, ...]


def printed() -> list[str]:
    """The lines of a terminal in which the demo was played, with the codes of their colours."""
    screen = StringIO()
    console = Console(file=screen, width=COLUMNS, color_system="standard", force_terminal=False, highlight=False)
    Demo(console, OPTIONS, 0).play()
    return [f"$ {COMMAND}", *(line.rstrip() for line in screen.getvalue().rstrip("\n").split("\n"))]


def runs(line: str) -> Iterator[Run]:
    """A line in pieces of one look; pieces of blanks are left out."""
    column = 0
    classes: tuple[str, ...] = ()
    for place, part in enumerate(_CODES.split(line)):
        if place % 2:
            codes = [code for code in part.split(";") if code not in ("", "0")]
            classes = (*classes, *(CLASSES[code] for code in codes)) if codes else ()
        elif part:
            if part.strip():
                blanks = len(part) - len(part.lstrip())
                yield Run(column + blanks, part.strip(), classes)
            column += len(part)


def steps(lines: list[str]) -> Iterator[tuple[int, float]]:
    """How many lines are printed at a step, and for how many seconds that is shown.

    Lines of turns come one by one. What stands between two turns comes in blocks: a table, or Alhambras side by side.
    """
    plain = [_CODES.sub("", line).rstrip() for line in lines]
    for number, (line, after) in enumerate(pairwise((*plain, "")), 1):
        if number == len(plain):
            yield number, SECONDS_AT_THE_END
        elif TURN.match(line):
            yield number, SECONDS_PER_LINE
        elif (line.endswith("╯") and not after) or line.endswith(END_OF_TABLE) or (line and TURN.match(after)):
            yield number, SECONDS_PER_BLOCK


def film(lines: list[str]) -> str:
    """The style sheet that moves the lines."""
    shown = list(steps(lines))
    whole = sum(seconds for _, seconds in shown)
    passed, frames = 0.0, []
    for number, seconds in shown:
        frames.append(f"{100 * passed / whole:.2f}% {{ {shifted(number)} }}")
        passed += seconds
    moving = f".film {{ animation: film {whole:.1f}s step-end infinite }}"
    still = f"@media (prefers-reduced-motion: reduce) {{ .film {{ animation: none; {shifted(len(lines))} }} }}"
    return "\n".join((moving, "@keyframes film {", *frames, "}", still, ""))


def shifted(number: int) -> str:
    """The place of the drawing at which this line is the last one in the window."""
    return f"transform: translateY({(ROWS - number) * CELL_HEIGHT:g}px)"


def drawn(lines: list[str]) -> Iterator[str]:
    """Each line as text whose letters stand in their columns, whatever the width of the reader's font."""
    for row, line in enumerate(lines):
        pieces = []
        for run in runs(line):
            look = f' class="{" ".join(run.classes)}"' if run.classes else ""
            place = f'x="{run.column * CELL_WIDTH:g}" textLength="{len(run.text) * CELL_WIDTH:g}"'
            pieces.append(f"<tspan {place}{look}>{escape(run.text, quote=False)}</tspan>")
        if pieces:
            yield f'<text y="{(row + 1) * CELL_HEIGHT - 4:g}">{"".join(pieces)}</text>'


def picture() -> str:
    """The recording as SVG."""
    lines = printed()
    return terminal(lines, ROWS, COMMAND, film(lines))


def terminal(lines: list[str], rows: int, title: str, motion: str = "") -> str:
    """A terminal that shows these lines, as SVG. `motion` is a style sheet that moves them."""
    width, height = COLUMNS * CELL_WIDTH, rows * CELL_HEIGHT
    outer = f"{width + 2 * MARGIN:g}", f"{height + 2 * MARGIN:g}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {outer[0]} {outer[1]}" '
            f'width="{outer[0]}" height="{outer[1]}" role="img" aria-label="{escape(title)}">',
            f"<style>{STYLE}{motion}</style>",
            f'<rect width="{outer[0]}" height="{outer[1]}" rx="10" fill="#26211b"/>',
            f'<svg x="{MARGIN}" y="{MARGIN}" width="{width:g}" height="{height:g}"><g class="film">',
            *drawn(lines),
            "</g></svg>",
            "</svg>",
            "",
        ]
    )


def main() -> int:
    """Writes the recording."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=TARGET)
    target: Path = parser.parse_args().to
    target.write_text(picture(), encoding="utf-8")
    print(target.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
