"""Pictures of cards: money with its value and a coin, or a gem if it is no coin; others with a figure and a name."""

from __future__ import annotations

from html import escape

from ..components import CURRENCIES, Card
from ..module import PieceKind
from .labels import label
from .pieces import Kinds, coin
from .symbols import figure, symbol

WIDE, HIGH = 72, 104
"""The size of a card."""
INNER = WIDE - 10
"""The width of the printed area."""


def draw_card(card: Card, name: str, kinds: Kinds, x: float = 0, y: float = 0) -> str:
    """Return a card with its upper left corner at x, y. `kinds` are the kinds of pieces in the game, for their
    outlines."""
    frame = f'x="{x + 1:g}" y="{y + 1:g}" width="{WIDE - 2}" height="{HIGH - 2}" rx="9"'
    told = f"<g><title>{escape(name)}</title>"
    if card.currency and card.value:
        return f"{told}{_money(card, frame, x, y)}</g>"
    words = label(name, x + 5, y + 54, (INNER, 46), largest=14)
    return f'{told}<rect class="court edge" {frame}/>{_figure(card, kinds.get(card.kind), x, y)}{words}</g>'


def _money(card: Card, frame: str, x: float, y: float) -> str:
    """Return a money card: the value above a coin, or above a gem if its currency is that of no market space."""
    middle = x + WIDE / 2
    inner = f'x="{x + 7:g}" y="{y + 7:g}" width="{WIDE - 14}" height="{HIGH - 14}" rx="5"'
    number = f'x="{middle:g}" y="{y + 50:g}" font-size="42" font-weight="800" text-anchor="middle"'
    colour, money = "water", symbol("gem", middle - 19, y + 58, 38, "foam")
    if card.currency in CURRENCIES:
        colour, money = card.currency, coin(card.currency, middle, y + 77, 18)
    return (
        f'<rect class="{colour} edge" {frame}/><rect class="white" opacity=".32" {inner}/>'
        f'<text class="coin-ink" {number}>{card.value}</text>{money}'
    )


def _figure(card: Card, kind: PieceKind | None, x: float, y: float) -> str:
    """Return what is above the name: the coins in the id, the outline of the kind, or a star."""
    middle = x + WIDE / 2
    named = [word for word in card.id.replace("-", "_").split("_") if word in CURRENCIES]
    if named:
        first = middle - (len(named) - 1) * 16
        return "".join(coin(currency, first + 32 * place, y + 32, 15) for place, currency in enumerate(named))
    if kind is not None and kind.outline:
        return figure(kind, middle - 19, y + 12, 38, "ink", "court")
    return symbol("star", middle - 18, y + 12, 36, "glow")
