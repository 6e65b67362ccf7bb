"""Cards as they lie on the table: money with its currency and value, others with their name."""

from __future__ import annotations

from html import escape

from ..components import CURRENCIES, Card
from .pieces import coin
from .symbols import symbol

WIDE, HIGH = 72, 104
"""The size of a card."""
LINE = 8
"""How many letters of a name fit into one line."""


def draw_card(card: Card, name: str, x: float = 0, y: float = 0) -> str:
    """A card with its upper left corner here."""
    frame = f'x="{x + 1:g}" y="{y + 1:g}" width="{WIDE - 2}" height="{HIGH - 2}" rx="9"'
    told = f"<g><title>{escape(name)}</title>"
    middle = x + WIDE / 2
    if card.currency in CURRENCIES:
        inner = f'x="{x + 7:g}" y="{y + 7:g}" width="{WIDE - 14}" height="{HIGH - 14}" rx="5"'
        number = f'x="{middle:g}" y="{y + 50:g}" font-size="42" font-weight="800" text-anchor="middle"'
        return (
            f'{told}<rect class="{card.currency} edge" {frame}/><rect class="white" opacity=".32" {inner}/>'
            f'<text class="coin-ink" {number}>{card.value}</text>{coin(card.currency, middle, y + 77, 18)}</g>'
        )
    words = "".join(
        f'<text class="ink" x="{middle:g}" y="{y + 66 + 15 * line:g}" font-size="13" text-anchor="middle">'
        f"{escape(word)}</text>"
        for line, word in enumerate(_lines(name))
    )
    return f'{told}<rect class="court edge" {frame}/>{symbol("star", x + 20, y + 14, 32, "glow")}{words}</g>'


def _lines(name: str) -> list[str]:
    """A name in at most three short lines."""
    lines = [""]
    for word in name.split():
        if lines[-1] and len(lines[-1]) + len(word) > LINE:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [line if len(line) <= LINE + 3 else f"{line[: LINE + 2]}…" for line in lines[:3]]
