"""Pictures of single components: tiles, cards, building types and coins; all others as a plaque with figure and name.

Places have a dashed border; words that answer a decision have rounded ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..boards import placed_parts
from ..components import CURRENCIES, TYPES, Tile
from ..module import PieceKind
from ..ruleset import Ruleset
from ..texts import DEFAULT, has_text, name_of, text
from .cards import HIGH, WIDE, draw_card
from .labels import label
from .page import page
from .pieces import coin
from .symbols import BOX, figure, symbol
from .tiles import CELL, draw_tile

Size = tuple[float, float]
PLAQUE = 100
"""The side of a plaque."""
CHOICE_HIGH = 48


def draw_component(ruleset: Ruleset, kind: str, thing: str, theme: str = "auto", language: str = DEFAULT) -> str:
    """Return the picture of a component. `kind` as in the catalogue: tile, card, piece_kind and so on."""
    size, drawn = component_parts(ruleset, kind, thing, language)
    title = component_name(kind, thing, language)
    return page(size, drawn, title=title, theme=theme, ruleset=ruleset, paper=False)


def component_name(kind: str, thing: str, language: str = DEFAULT) -> str:
    """Return the localised name of a component; choices have their own texts."""
    choice = f"choice.{thing}"
    return text(choice, language) if kind == "choice" and has_text(choice, language) else name_of(thing, language)


def component_parts(ruleset: Ruleset, kind: str, thing: str, language: str = DEFAULT) -> tuple[Size, Iterable[str]]:
    """Return the size of a component's picture, and its drawings."""
    if kind == "tile" and thing in ruleset.tiles:
        return _tile(ruleset, ruleset.tiles[thing])
    if kind == "card" and thing in ruleset.cards:
        return (WIDE, HIGH), [draw_card(ruleset.cards[thing], name_of(thing, language), ruleset.piece_kinds)]
    if thing in TYPES:
        ground = f'<rect class="{thing} edge" x="1" y="1" width="{BOX + 10}" height="{BOX + 10}" rx="7"/>'
        return (BOX + 12, BOX + 12), [ground, symbol(thing, 8, 8, BOX - 4, f"on-{thing}")]
    if thing in CURRENCIES:
        return (BOX, BOX), [coin(thing, BOX / 2, BOX / 2, BOX / 2 - 1)]
    name = component_name(kind, thing, language)
    if kind == "choice":
        frame = f'<rect class="chip edge" x="1" y="1" width="{PLAQUE - 2}" height="{CHOICE_HIGH - 2}" rx="23"/>'
        return (PLAQUE, CHOICE_HIGH), [frame, label(name, 12, 4, (PLAQUE - 24, CHOICE_HIGH - 8), largest=17)]
    known = piece_kind_of(ruleset, thing)
    if kind == "piece_kind" and known is not None and known.outline:
        return (BOX, BOX), [figure(known, 1, 1, BOX - 2, "on-plain", "plain")]
    drawn = _figures(thing, known)
    room = (50.0, 46.0) if drawn else (6.0, PLAQUE - 12.0)
    place = kind == "slot" or (known is not None and known.holds_tile)
    return (PLAQUE, PLAQUE), [_frame(place), *drawn, label(name, 6, room[0], (PLAQUE - 12, room[1]), largest=17)]


def piece_kind_of(ruleset: Ruleset, thing: str) -> PieceKind | None:
    """Return the kind of a piece by its id: the kind that the first words name, otherwise the first kind of its module
    whose pieces have individual names; None if there is none."""
    words = thing.partition(":")[0].replace("-", "_").split("_")
    for size in range(len(words), 0, -1):
        found = ruleset.piece_kinds.get("_".join(words[:size]))
        if found is not None:
            return found
    for module in ruleset.modules:
        if thing in module.words("piece"):
            return next((kind for kind in module.piece_kinds if kind.individual), None)
    return None


def _frame(place: bool) -> str:
    rounded = f'x="2" y="2" width="{PLAQUE - 4}" height="{PLAQUE - 4}" rx="11"'
    if place:
        dashed = f'<rect class="lattice-line" stroke-width="3" stroke-dasharray="9 7" {rounded}/>'
        return f'<rect class="court" {rounded}/>{dashed}'
    return f'<rect class="plain edge" {rounded}/><rect class="court" x="5" y="5" width="90" height="90" rx="8"/>'


def _figures(thing: str, kind: PieceKind | None) -> list[str]:
    """Return what is above the name on a plaque: coins and symbols of the words in the id, or the outline of the
    kind."""
    named = [word for word in thing.replace("_", "-").split("-") if word in TYPES or word in CURRENCIES]
    drawn = []
    for place, word in enumerate(named):
        middle = PLAQUE / 2 + (place - (len(named) - 1) / 2) * 40
        if word in CURRENCIES:
            drawn.append(coin(word, middle, 29, 18))
        else:
            drawn.append(f'<rect class="{word} edge" x="{middle - 18:g}" y="11" width="36" height="36" rx="6"/>')
            drawn.append(symbol(word, middle - 13, 16, 26, f"on-{word}"))
    if not named and kind is not None and kind.outline:
        drawn.append(figure(kind, PLAQUE / 2 - 19, 10, 38, "on-plain", "plain"))
    return drawn


def _tile(ruleset: Ruleset, tile: Tile) -> tuple[Size, Iterator[str]]:
    left, top = min(part.dx for part in tile.parts), min(part.dy for part in tile.parts)
    right, bottom = max(part.dx for part in tile.parts), max(part.dy for part in tile.parts)
    drawn = draw_tile(tile, ruleset.kinds[tile.kind], placed_parts(tile, -left, -top, 0), {}, {})
    return ((right - left + 1) * CELL, (bottom - top + 1) * CELL), drawn
