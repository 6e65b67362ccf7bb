"""Names inside drawings: broken into lines, as large as their room allows. Words are divided if nothing else helps."""

from __future__ import annotations

from html import escape

LETTER = 0.58
"""How wide a letter is on average, in parts of the font size."""
LEAST = 7
"""The smallest font size: readable where a card is 150 wide on a screen."""
LEADING = 1.14
"""From one line to the next, in parts of the font size."""


def label(name: str, x: float, y: float, room: tuple[float, float], *, largest: float, colour: str = "ink") -> str:
    """A name in the middle of a room with its upper left corner here."""
    wide, high = room
    size, lines = fitted(name, wide, high, largest)
    top = y + (high - len(lines) * size * LEADING) / 2 + size * 0.92
    style = f'class="{colour}" font-size="{size:g}" text-anchor="middle"'
    return "".join(
        f'<text {style} x="{x + wide / 2:g}" y="{top + place * size * LEADING:g}">{escape(line)}</text>'
        for place, line in enumerate(lines)
    )


def fitted(name: str, wide: float, high: float, largest: float) -> tuple[float, list[str]]:
    """The largest font size at which a name fits into a room, and its lines at that size."""
    size = largest
    while True:
        letters, most = int(wide / (size * LETTER)), max(1, int(high / (size * LEADING)))
        lines = broken(name, letters)
        if len(lines) <= most and all(len(line) <= letters for line in lines):
            return size, lines
        if size <= LEAST:
            return size, broken(name, letters, divide=True)[:most]
        size = max(LEAST, size - 1)


def broken(name: str, letters: int, *, divide: bool = False) -> list[str]:
    """A name in lines of at most this many letters. A longer word has a line of its own, or with `divide`, several."""
    lines = [""]
    for word in name.split():
        rest = word
        if lines[-1] and len(lines[-1]) + 1 + len(rest) > letters:
            lines.append("")
        while divide and len(rest) > letters:
            lines[-1] = f"{rest[: letters - 1]}-"
            rest = rest[letters - 1 :]
            lines.append("")
        lines[-1] = f"{lines[-1]} {rest}".strip()
    return lines
