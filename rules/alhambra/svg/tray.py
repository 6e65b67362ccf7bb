"""The area below the Alhambra: buildings of each type, the reserve, and pieces before the player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import NamedTuple

from ..boards import Cell, PlacedPart, PlacedTile, count_buildings, placed_parts, wooden_walls_by_cell
from ..components import CURRENCIES, TYPES, Tile
from ..game import Game
from ..texts import name_of, text
from .labels import width_of
from .pieces import Kinds, PieceData, before_seat, coin, draw_badge, kind_of, on_tiles, title_of
from .symbols import figure, symbol
from .tiles import CELL, draw_tile

WIDTH = 620
"""The width of everything around the Alhambra, before scaling."""
COUNTS, LABEL, CHIP = 62, 40, 54
"""The heights of rows."""
SMALL = 0.62
"""The scale of tiles that are not built."""
GAP = 12
SERIF = "Georgia, 'DejaVu Serif', 'Times New Roman', serif"


class Row(NamedTuple):
    """Drawings side by side, with their height."""

    height: float
    drawn: list[str]


def rows_below(game: Game, seat: int, things: list[PieceData], language: str) -> Iterator[Row]:
    """Yield everything below a seat's Alhambra."""
    yield from _counts(game, seat, language)
    yield from _tray(game, seat, things, language)


def _counts(game: Game, seat: int, language: str) -> Iterator[Row]:
    """Yield the number of buildings of each type, which is also the legend of the symbols."""
    counts = count_buildings(game, seat)
    drawn = []
    step = WIDTH / len(TYPES)
    for place, kind in enumerate(TYPES):
        x, count = place * step, counts.get(kind, 0)
        drawn.append(
            f'<g opacity="{1 if count else 0.45}"><title>{escape(name_of(kind, language))}</title>'
            f'<rect class="{kind}" x="{x + 6:g}" y="14" width="40" height="40" rx="6"/>'
            f"{symbol(kind, x + 12, 20, 28, f'on-{kind}')}"
            f'<text class="ink" x="{x + 54:g}" y="45" font-size="30" font-weight="700">{count:g}</text></g>'
        )
    yield Row(COUNTS, drawn)


def _tray(game: Game, seat: int, things: list[PieceData], language: str) -> Iterator[Row]:
    """Yield the reserve, the pending tiles and other pieces before the seat."""
    owner = game.state.seats[seat]
    own = before_seat(things, seat)
    kinds = game.ruleset.piece_kinds
    places = [thing for thing in own if kind_of(thing, kinds).holds_tile]
    lying = on_tiles(things)
    reserve = game.ruleset.reserve.tiles(game, seat)
    if reserve or places:
        yield from _row_of_tiles(game, text("thing.reserve", language), reserve, lying, places)
    if owner.pending:
        yield from _row_of_tiles(game, text("place.pending", language), owner.pending, lying, [])
    rest = [thing for thing in own if thing not in places]
    if rest:
        yield from _chips(rest, kinds, language)


def _row_of_tiles(
    game: Game, label: str, tiles: Iterable[str], lying: dict[str, list[PieceData]], places: list[PieceData]
) -> Iterator[Row]:
    """Yield rows of tiles that are not built, and empty places after them."""
    size = CELL * SMALL
    style = f'class="faint" x="4" y="30" font-size="24" font-family="{SERIF}"'
    yield Row(LABEL, [f"<text {style}>{escape(label[:1].upper() + label[1:])}</text>"])
    x, row = 0.0, list[str]()
    for name in tiles:
        tile = game.ruleset.tiles[name]
        wide = size * (1 + max(part.dx for part in tile.parts))
        if x + wide > WIDTH:
            yield Row(size + GAP, row)
            x, row = 0.0, []
        row.append(f'<g transform="translate({x:g} 4) scale({SMALL})">')
        row += _spare(game, tile)
        row += [draw_badge(thing, game.ruleset.piece_kinds, 0, 0) for thing in lying.get(name, ())]
        row.append("</g>")
        x += wide + GAP
    for thing in places:
        if x + size > WIDTH:
            yield Row(size + GAP, row)
            x, row = 0.0, []
        row.append(
            f'<rect class="lattice-line" stroke-width="3" stroke-dasharray="8 7" x="{x + 2:g}" y="6" rx="6" '
            f'width="{size - 4:g}" height="{size - 4:g}"/>'
        )
        if thing.get("currency") in CURRENCIES:
            row.append(coin(thing["currency"], x + size / 2, 4 + size / 2, 17))
        x += size + GAP
    yield Row(size + GAP, row)


def _spare(game: Game, tile: Tile) -> Iterator[str]:
    down = min(part.dy for part in tile.parts)
    lying = PlacedTile(tile, 0, -down, 0, game.state.wooden_walls.get(tile.id, ()))
    upright: list[tuple[Cell, PlacedPart]] = placed_parts(*lying)
    wood = dict(wooden_walls_by_cell(lying))
    return draw_tile(tile, game.ruleset.kinds[tile.kind], upright, game.state.types, wood)


def _chips(things: list[PieceData], kinds: Kinds, language: str) -> Iterator[Row]:
    """Yield chips for other pieces before the seat: drawing, name and number."""
    x, row = 0.0, list[str]()
    for thing in things:
        amount = thing.get("amount", 1)
        label = _label(thing, kinds, language) + (f" × {amount}" if amount > 1 else "")
        wide = 60 + width_of(label, 23)
        if x and x + wide > WIDTH:
            yield Row(CHIP, row)
            x, row = 0.0, []
        faded = thing.get("choice") in kind_of(thing, kinds).dim
        row.append(f'<g opacity="{0.5 if faded else 1}"><title>{escape(title_of(thing, kinds, language))}</title>')
        row.append(f'<rect class="chip" x="{x:g}" y="6" width="{wide:g}" height="44" rx="22"/>')
        row.append(_chip_figure(thing, kinds, x))
        row.append(f'<text class="ink" x="{x + 48:g}" y="36" font-size="23">{escape(label)}</text></g>')
        x += wide + 10
    yield Row(CHIP, row)


def _chip_figure(thing: PieceData, kinds: Kinds, x: float) -> str:
    kind, currency = thing.get("type"), thing.get("currency")
    if currency in CURRENCIES:
        return coin(currency, x + 23, 28, 17)
    if kind in TYPES:
        ground = f'<rect class="{kind}" x="{x + 8:g}" y="13" width="30" height="30" rx="5"/>'
        return ground + symbol(kind, x + 12, 17, 22, f"on-{kind}")
    return figure(kind_of(thing, kinds), x + 9, 14, 28, "ink", "chip")


def _label(thing: PieceData, kinds: Kinds, language: str) -> str:
    if thing.get("currency") in CURRENCIES:
        return name_of(thing["currency"], language)
    if kind_of(thing, kinds).individual and "piece" in thing:  # a face-down piece may have no name
        return name_of(thing["piece"], language)
    return name_of(thing["kind"], language)
