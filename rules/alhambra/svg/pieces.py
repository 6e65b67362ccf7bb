"""Pieces of modules in pictures: on cells, on tiles, before a seat, around the Alhambra.

The position of a piece follows from its fields, so nothing here is module-specific. Kinds without a drawing are shown
by their first letters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from html import escape
from typing import Any, TypeAlias

from ..boards import SIDES, Cell
from ..components import CURRENCIES, TYPES
from ..game import Game
from ..module import PieceKind
from ..texts import name_of
from .symbols import figure, symbol
from .tiles import CELL, CORNERS

PieceData: TypeAlias = Mapping[str, Any]
"""A piece as fields of the move, with its kind."""
Kinds: TypeAlias = Mapping[str, PieceKind]
"""The kinds of pieces in a game, by name."""
STEP = 24
"""The distance between pieces on the same tile."""


def all_pieces(game: Game) -> list[PieceData]:
    """Return all public pieces."""
    return [thing for pieces in game.view(None)["pieces"].values() for thing in pieces]


def on_cells(things: Iterable[PieceData], seat: int) -> list[PieceData]:
    """Return the pieces in a seat's Alhambra."""
    return [thing for thing in things if thing.get("seat") == seat and thing.get("cell") is not None]


def on_tiles(things: Iterable[PieceData]) -> dict[str, list[PieceData]]:
    """Return the pieces on each tile, wherever it is. Pieces at its sides are drawn with the tile."""
    found: dict[str, list[PieceData]] = {}
    for thing in things:
        if thing.get("tile") and thing.get("cell") is None and thing.get("side") is None:
            found.setdefault(thing["tile"], []).append(thing)
    return found


def before_seat(things: Iterable[PieceData], seat: int) -> list[PieceData]:
    """Return the pieces before a seat."""
    elsewhere = ("cell", "tile", "slot")
    mine = [thing for thing in things if thing.get("seat") == seat]
    return [thing for thing in mine if not any(thing.get(noun) for noun in elsewhere)]


def from_sides(things: Iterable[PieceData]) -> dict[str, list[PieceData]]:
    """Return the pieces that come over all Alhambras, by side."""
    elsewhere = ("seat", "cell", "tile", "slot")
    found: dict[str, list[PieceData]] = {}
    for thing in things:
        if thing.get("side") in SIDES and not any(thing.get(noun) is not None for noun in elsewhere):
            found.setdefault(thing["side"], []).append(thing)
    return found


def draw_on_cells(
    things: Iterable[PieceData], built: Collection[Cell], priced: Collection[Cell], kinds: Kinds, language: str
) -> Iterator[str]:
    """Yield pieces on the cells of an Alhambra; several on one cell are side by side. `priced` are the cells that
    show a price: there, only the first piece is beside it, the others are above it."""
    standing: Counter[Cell] = Counter()
    for thing in things:
        cell = (thing["cell"][0], thing["cell"][1])
        x, y = cell[0] * CELL, cell[1] * CELL
        yield f"<g><title>{escape(title_of(thing, kinds, language))}</title>"
        if cell in built and thing.get("side") in SIDES:
            yield _at_side(thing, kinds, x, y)
        elif cell in built and thing.get("side") in CORNERS:
            yield _at_corner(thing, kinds, x, y)
        elif cell in built:
            place = standing[cell]
            if cell not in priced:
                right, down, radius = 30 + STEP * place, 76, 19
            else:
                right, down, radius = (78 - STEP * (place - 1), 23, 16) if place else (20, 79, 16)
            yield from _on_tile(thing, kinds, x + right, y + down, radius)
            standing[cell] += 1
        else:
            yield from _on_empty(thing, kinds, x, y)
        yield "</g>"


def _on_tile(thing: PieceData, kinds: Kinds, cx: float, cy: float, radius: float) -> Iterator[str]:
    """Yield a small piece in a circle around a point."""
    kind, size = thing.get("type") or "plain", radius * 1.5
    yield f'<circle class="on-{kind}" cx="{cx:g}" cy="{cy:g}" r="{radius:g}"/>'
    yield figure(kind_of(thing, kinds), cx - size / 2, cy - size / 2, size, kind, f"on-{kind}")


def _at_side(thing: PieceData, kinds: Kinds, x: float, y: float) -> str:
    """Return a piece at the middle of a tile's side, rotated so that it points outwards."""
    kind, middle = thing.get("type") or "plain", CELL / 2
    return (
        f'<g transform="translate({x:g} {y:g}) rotate({SIDES.index(thing["side"]) * 90} {middle:g} {middle:g})">'
        f'<circle class="on-{kind}" cx="{middle:g}" cy="16" r="13"/>'
        f"{figure(kind_of(thing, kinds), middle - 9, 7, 18, kind, f'on-{kind}')}</g>"
    )


def _at_corner(thing: PieceData, kinds: Kinds, x: float, y: float) -> str:
    """Return a piece on a corner of the tile, where up to four tiles meet."""
    kind, (right, down) = thing.get("type") or "plain", CORNERS[thing["side"]]
    cx, cy = x + right * CELL, y + down * CELL
    return (
        f'<circle class="on-{kind}" cx="{cx:g}" cy="{cy:g}" r="17"/>'
        f"{figure(kind_of(thing, kinds), cx - 13, cy - 13, 26, kind, f'on-{kind}')}"
    )


def _on_empty(thing: PieceData, kinds: Kinds, x: float, y: float) -> Iterator[str]:
    """Yield a disc with everything that it carries."""
    yield f'<circle class="plain" cx="{x + 50:g}" cy="{y + 50:g}" r="43"/>'
    yield f'<circle class="on-plain" cx="{x + 50:g}" cy="{y + 50:g}" r="39" opacity=".16"/>'
    carried = _carried(thing, kinds)
    yield figure(kind_of(thing, kinds), x + 36, y + (14 if carried else 34), 28 if carried else 32, "on-plain", "plain")
    for place, kind in enumerate(carried):
        cx = x + 50 + (place - (len(carried) - 1) / 2) * 27
        yield f'<circle class="{kind}" cx="{cx:g}" cy="{y + 62:g}" r="12.5"/>'
        yield symbol(kind, cx - 8, y + 54, 16, f"on-{kind}")


def kind_of(thing: PieceData, kinds: Kinds) -> PieceKind:
    """Return the declared kind of a piece."""
    name = thing["kind"]
    return kinds.get(name) or PieceKind(name, "")


def _carried(thing: PieceData, kinds: Kinds) -> list[str]:
    """Return the building types of the figures on a piece."""
    fact = kind_of(thing, kinds).carries
    return [name for name in thing.get(fact, ()) if name in TYPES] if fact else []


def draw_badge(thing: PieceData, kinds: Kinds, x: float, y: float) -> str:
    """Return a piece on a tile, in the upper right corner."""
    currency = thing.get("currency")
    if currency in CURRENCIES:
        return coin(currency, x + 78, y + 24, 19)
    return figure(kind_of(thing, kinds), x + 60, y + 6, 34, "alarm", "paper")


def coin(currency: str, cx: float, cy: float, r: float) -> str:
    """Return a coin with the first letters of its currency."""
    return (
        f'<circle class="{currency}" cx="{cx:g}" cy="{cy:g}" r="{r:g}"/>'
        f'<circle fill="none" stroke="#241a08" stroke-opacity=".45" stroke-width="{r / 9:.3g}" '
        f'cx="{cx:g}" cy="{cy:g}" r="{r * 0.8:.3g}"/>'
        f'<text class="coin-ink" x="{cx:g}" y="{cy + r * 0.34:.4g}" font-size="{r * 0.95:.3g}" font-weight="800" '
        f'text-anchor="middle">{currency[:2].capitalize()}</text>'
    )


def title_of(thing: PieceData, kinds: Kinds, language: str) -> str:
    """Return a localised title for a piece."""
    words = [name_of(thing.get("piece") or thing["kind"], language)]
    words += [name_of(thing[noun], language) for noun in ("type", "currency") if thing.get(noun)]
    words += [name_of(kind, language) for kind in _carried(thing, kinds)]
    return " · ".join(words)
