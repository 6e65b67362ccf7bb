"""A picture of one component: a tile as on the board, a card, a piece by its outline or its letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..boards import lots
from ..components import CURRENCIES, TYPES, Tile
from ..module import PieceKind
from ..ruleset import Ruleset
from ..texts import DEFAULT, name_of
from .cards import HIGH, WIDE, draw_card
from .page import page
from .pieces import coin
from .symbols import BOX, figure, symbol
from .tiles import CELL, draw_tile

Size = tuple[float, float]


def draw_component(ruleset: Ruleset, kind: str, thing: str, theme: str = "auto", language: str = DEFAULT) -> str:
    """The picture of a component of these rules. `kind` as in the catalogue: tile, card, piece_kind and so on."""
    size, drawn = _drawn(ruleset, kind, thing, language)
    return page(size, drawn, title=name_of(thing, language), theme=theme, ruleset=ruleset, paper=False)


def _drawn(ruleset: Ruleset, kind: str, thing: str, language: str) -> tuple[Size, Iterable[str]]:
    if kind == "tile" and thing in ruleset.tiles:
        return _tile(ruleset, ruleset.tiles[thing])
    if kind == "card" and thing in ruleset.cards:
        return (WIDE, HIGH), [draw_card(ruleset.cards[thing], name_of(thing, language))]
    for word in thing.replace("_", "-").split("-"):
        if word in TYPES:
            ground = f'<rect class="{word}" x="1" y="1" width="{BOX + 10}" height="{BOX + 10}" rx="7"/>'
            return (BOX + 12, BOX + 12), [ground, symbol(word, 8, 8, BOX - 4, f"on-{word}")]
        if word in CURRENCIES:
            return (BOX, BOX), [coin(word, BOX / 2, BOX / 2, BOX / 2 - 1)]
    known = ruleset.piece_kinds.get(thing) or PieceKind(name_of(thing, language), "")
    return (BOX, BOX), [figure(known, 1, 1, BOX - 2, "on-plain", "plain")]


def _tile(ruleset: Ruleset, tile: Tile) -> tuple[Size, Iterator[str]]:
    left, top = min(part.dx for part in tile.parts), min(part.dy for part in tile.parts)
    right, bottom = max(part.dx for part in tile.parts), max(part.dy for part in tile.parts)
    drawn = draw_tile(tile, ruleset.kinds[tile.kind], lots(tile, -left, -top, 0), {}, {})
    return ((right - left + 1) * CELL, (bottom - top + 1) * CELL), drawn
