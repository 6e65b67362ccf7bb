"""Names in drawings: broken into lines, as large as the space allows. Words are divided only if necessary."""

from __future__ import annotations

from html import escape

LEAST = 7
"""The smallest font size: legible if a card is 150 pixels wide."""
LEADING = 1.14
"""Line height, relative to the font size."""
_WIDTHS = {
    # widths of letters relative to the font size, for a wide typeface, so that narrower ones fit, too
    **dict.fromkeys("ijl'|.,:;·!", 0.33),
    **dict.fromkeys("frt()[]-/ \N{NO-BREAK SPACE}", 0.41),
    **dict.fromkeys("mwMW×%@", 0.95),
}
_CAPITAL, _OTHER = 0.73, 0.63


def width_of(words: str, size: float) -> float:
    """Return the maximum width of the words in a font of this size."""
    return size * sum(_WIDTHS.get(letter, _CAPITAL if letter.isupper() else _OTHER) for letter in words)


def label(name: str, x: float, y: float, room: tuple[float, float], *, largest: float, colour: str = "ink") -> str:
    """Return a name centred in a box with its upper left corner at x, y."""
    wide, high = room
    size, lines = fit_label(name, wide, high, largest)
    top = y + (high - len(lines) * size * LEADING) / 2 + size * 0.92
    style = f'class="{colour}" font-size="{size:g}" text-anchor="middle"'
    return "".join(
        f'<text {style} x="{x + wide / 2:g}" y="{top + place * size * LEADING:g}">{escape(line)}</text>'
        for place, line in enumerate(lines)
    )


def fit_label(name: str, wide: float, high: float, largest: float) -> tuple[float, list[str]]:
    """Return the largest font size at which a name fits into a box, and its lines at that size."""
    size = largest
    while True:
        most = max(1, int(high / (size * LEADING)))
        lines = break_lines(name, wide, size)
        if len(lines) <= most and all(width_of(line, size) <= wide for line in lines):
            return size, lines
        if size <= LEAST:
            return size, break_lines(name, wide, size, divide=True)[:most]
        size = max(LEAST, size - 1)


def break_lines(name: str, wide: float, size: float, *, divide: bool = False) -> list[str]:
    """Return a name broken into lines of this width. A longer word gets its own line or, with `divide`, several."""
    lines = [""]
    for word in name.split(" "):
        rest = word
        if lines[-1] and width_of(f"{lines[-1]} {rest}", size) > wide:
            lines.append("")
        while divide and width_of(rest, size) > wide:
            fits = max((end for end in range(1, len(rest)) if width_of(f"{rest[:end]}-", size) <= wide), default=1)
            lines[-1] = f"{rest[:fits]}-"
            rest = rest[fits:]
            lines.append("")
        lines[-1] = f"{lines[-1]} {rest}".strip(" ")
    return lines
