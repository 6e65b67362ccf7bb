"""The picture of the whole table: market, money, deck and tower, scores, the player to decide, and pieces.

One column, 620 wide, legible on phones and desktops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from html import escape
from typing import NamedTuple

from ..base.turn_order import colour_of
from ..boards import placed_parts
from ..components import CURRENCIES, TYPES
from ..game import Game
from ..texts import DEFAULT, name_of, player_name, tell_decision, text
from .cards import HIGH, WIDE, draw_card
from .labels import break_lines, width_of
from .page import page
from .pieces import PieceData, all_pieces, coin, kind_of, title_of
from .symbols import figure, symbol
from .tiles import CELL, draw_tile
from .tray import SERIF, WIDTH, Row

MARGIN, GAP, LABEL, LINE = 28, 14, 38, 46
CHIP, CHIP_LINE = 48, 32
"""The height of a chip with one line, and of each further line."""
FEW = 2
CHIP_SIZE = 19
"""The font size of chips."""
SPACE = (WIDTH - 3 * GAP) / 4
"""The width of a market space."""
LONG_NAME = 22
LABEL_SIZE = 22
NO_BREAK = "\N{NO-BREAK SPACE}"


def draw_table(game: Game, theme: str = "auto", language: str = DEFAULT) -> str:
    """Return the table as SVG. It shows only public information."""
    names = [seat.name for seat in game.options.seats]
    rows = [
        *_scores(game, names, language),
        *_question(game, names, language),
        *_market(game, language),
        *_beside(game, language),
        *_money(game, language),
        *_auction(game, names, language),
        *_supplies(game, language),
        *_pieces(game, language),
    ]
    drawn, at = list[str](), float(MARGIN)
    for row in rows:
        drawn += [f'<g transform="translate({MARGIN} {at:g})">', *row.drawn, "</g>"]
        at += row.height
    title = " · ".join(f"{player_name(seat, language, names)} {score}" for seat, score in enumerate(game.scores))
    return page(
        (WIDTH + 2 * MARGIN, at + MARGIN),
        drawn,
        title=title,
        theme=theme,
        ruleset=game.ruleset,
        description=_description(game, language),
    )


def _description(game: Game, language: str) -> str:
    """Return what lies on the market and beside it, for screen readers."""
    spaces = zip(CURRENCIES, game.state.market, strict=True)
    market = [f"{name_of(currency, language)}: {name_of(tile, language)}" for currency, tile in spaces if tile]
    return "; ".join([*market, ", ".join(name_of(card, language) for card in game.state.display)])


def _label(words: str) -> Row:
    """Return a label; a long one continues in further lines."""
    lines = break_lines(words[:1].upper() + words[1:], WIDTH, LABEL_SIZE)
    style = f'class="faint" x="2" font-size="{LABEL_SIZE}" font-family="{SERIF}"'
    drawn = [f'<text {style} y="{30 + place * 28}">{escape(line)}</text>' for place, line in enumerate(lines)]
    return Row(LABEL + 28 * (len(lines) - 1), drawn)


def _scores(game: Game, names: list[str], language: str) -> Iterator[Row]:
    """Yield a line for each player; the one to decide is marked."""
    asked = game.decision.seat if game.decision is not None else None
    for seat, score in enumerate(game.scores):
        name = player_name(seat, language, names)
        name = name if len(name) <= LONG_NAME else f"{name[: LONG_NAME - 1]}…"
        drawn = []
        if seat == asked:
            drawn.append(f'<rect class="chip" x="-10" y="1" width="{WIDTH + 20}" height="{LINE - 2}" rx="12"/>')
        if seat < len(names):
            drawn.append(f'<circle class="{colour_of(game, seat)} edge" cx="16" cy="24" r="14"/>')
            drawn.append(symbol("rampart", WIDTH - 196, 8, 30, "faint"))
            wall = game.state.seats[seat].board.longest_wall()
            drawn.append(_number(WIDTH - 122, wall))
        style = f'class="ink" x="44" y="33" font-size="28" font-family="{SERIF}"'
        drawn.append(f"<text {style}>{escape(name)}</text>")
        drawn.append(symbol("star", WIDTH - 98, 8, 30, "glow"))
        drawn.append(_number(WIDTH, score))
        yield Row(LINE, drawn)


def _number(x: float, number: int) -> str:
    return f'<text class="ink" x="{x:g}" y="34" font-size="29" font-weight="800" text-anchor="end">{number}</text>'


def _question(game: Game, names: list[str], language: str) -> Iterator[Row]:
    decision = game.decision
    if decision is not None:
        question = tell_decision(decision.kind, decision.context, language, names)
        yield _label(f"{player_name(decision.seat, language, names)}: {question}")


def _market(game: Game, language: str) -> Iterator[Row]:
    """Yield the four spaces with currency and tile."""
    drawn = []
    high = SPACE + 40
    for place, (currency, name) in enumerate(zip(CURRENCIES, game.state.market, strict=True)):
        x = place * (SPACE + GAP)
        drawn.append(f'<rect class="court edge" x="{x:g}" y="4" width="{SPACE:g}" height="{high:g}" rx="14"/>')
        drawn.append(coin(currency, x + SPACE / 2, high - 16, 17))
        if name:
            drawn += _tile(game, name, x + 14, 14, SPACE - 28, language)
    yield Row(high + GAP, drawn)


def _tile(game: Game, name: str, x: float, y: float, room: float, language: str) -> Iterator[str]:
    """Yield a tile scaled to the space available."""
    tile = game.ruleset.tiles[name]
    left, top = min(part.dx for part in tile.parts), min(part.dy for part in tile.parts)
    cells = 1 + max(max(part.dx for part in tile.parts) - left, max(part.dy for part in tile.parts) - top)
    scale = room / (CELL * cells)
    yield f'<g transform="translate({x:g} {y:g}) scale({scale:.4g})"><title>{escape(name_of(name, language))}</title>'
    yield from draw_tile(tile, game.ruleset.kinds[tile.kind], placed_parts(tile, -left, -top, 0), game.state.types, {})
    yield "</g>"


def _beside(game: Game, language: str) -> Iterator[Row]:
    """Yield the tiles beside the market, after the name of their slot."""
    size = 62
    for slot, tiles in sorted(game.state.beside.items()):
        if tiles:
            yield _label(name_of(slot, language))
            for first in range(0, len(tiles), 8):
                drawn = list[str]()
                for place, tile in enumerate(tiles[first : first + 8]):
                    drawn += _tile(game, tile, place * (size + GAP), 2, size, language)
                yield Row(size + GAP, drawn)


def _money(game: Game, language: str) -> Iterator[Row]:
    """Yield the open cards, including those of modules beside the display."""
    each = int((WIDTH + GAP) // (WIDE + GAP))
    cards, kinds = game.state.display, game.ruleset.piece_kinds
    for first in range(0, len(cards), each):
        shown = cards[first : first + each]
        drawn = [
            draw_card(game.ruleset.cards[card], name_of(card, language), kinds, place * (WIDE + GAP), 6)
            for place, card in enumerate(shown)
        ]
        yield Row(HIGH + GAP + 6, drawn)


def _auction(game: Game, names: list[str], language: str) -> Iterator[Row]:
    auction = game.view(None)["table"]["auction"]
    if auction is not None:
        yield _label(f"{text('decision.auction.name', language)}: {name_of(auction['piece'], language)}")
        bids = [f"{player_name(seat, language, names)} {amount}" for seat, amount in auction["bids"]]
        if bids:
            yield _label(" · ".join(bids))


def _supplies(game: Game, language: str) -> Iterator[Row]:
    """Yield the numbers of cards in the deck and tiles in the tower."""
    state = game.state
    told = [("deck", len(state.deck)), ("discard", len(state.discard)), ("tower", len(state.tower))]
    named = (f"{text(f'supply.{name}', language)} {count}".replace(" ", NO_BREAK) for name, count in told)
    yield _label(f"{NO_BREAK}· ".join(named))


def _pieces(game: Game, language: str) -> Iterator[Row]:
    """Yield the pieces of modules that lie before no seat and on no tile: a chip for each kind and place."""
    elsewhere = ("seat", "cell", "tile")
    lying = [thing for thing in all_pieces(game) if all(thing.get(noun) is None for noun in elsewhere)]
    x, high, row = 0.0, 0.0, list[str]()
    for things in _together(lying):
        chip = _chip(game, things, language)
        if x and x + chip.wide > WIDTH:
            yield Row(high, row)
            x, high, row = 0.0, 0.0, []
        row += [f'<g transform="translate({x:g} 0)">', *chip.drawn, "</g>"]
        x += chip.wide + 10
        high = max(high, chip.high)
    if row:
        yield Row(high, row)


def _together(things: list[PieceData]) -> list[list[PieceData]]:
    """Return the pieces in groups that share a chip. Pieces with a type or currency: by kind and place, or by kind if
    each place holds one. Named pieces: by kind, if there are several."""
    by_kind: dict[tuple[object, bool], list[PieceData]] = {}
    for thing in things:
        by_kind.setdefault((thing["kind"], _countable(thing)), []).append(thing)
    found: list[list[PieceData]] = []
    for (_, countable), alike in by_kind.items():
        groups: dict[object, list[PieceData]] = {}
        for thing in alike:
            groups.setdefault((thing.get("slot"), thing.get("choice")), []).append(thing)
        single = len(groups) > FEW and all(len(group) == 1 for group in groups.values())
        found += [alike] if single or not countable else list(groups.values())
    return found


def _countable(thing: PieceData) -> bool:
    known = thing.get("type") in TYPES or thing.get("currency") in CURRENCIES
    return known and not thing.get("piece")


class _Chip(NamedTuple):
    """A chip with its upper left corner at (0, 0)."""

    wide: float
    high: float
    drawn: list[str]


class _Bit(NamedTuple):
    """An unbreakable part of a chip, drawn from its left end."""

    wide: float
    draw: Callable[[float, float], Iterable[str]]


def _chip(game: Game, things: list[PieceData], language: str) -> _Chip:
    """Return a chip: the drawing of a kind, its name and its pieces, in as many lines as necessary."""
    kinds, first = game.ruleset.piece_kinds, things[0]
    if len(things) == 1:
        label, bits = _description_of(game, first, language), list[_Bit]()
    else:
        slots = {thing.get("slot") for thing in things}
        words = (first["kind"], first.get("slot") if len(slots) == 1 else None)
        label = " · ".join(dict.fromkeys(name_of(word, language) for word in words if word))
        bits = _bits(game, things, language)
    x, y, wide = 46 + width_of(label, CHIP_SIZE) + 6, 0.0, 0.0
    inside: list[str] = []
    for bit in bits:
        if x + bit.wide > WIDTH - 8:
            x, y = 46.0, y + CHIP_LINE
        inside += bit.draw(x, y)
        x += bit.wide
        wide = max(wide, x)
    wide = max(wide, x) + 8
    title = label if bits else title_of(first, kinds, language)
    drawn = [
        f"<title>{escape(title)}</title>",
        f'<rect class="chip" y="4" width="{wide:g}" height="{40 + y:g}" rx="20"/>',
    ]
    if not bits and first.get("currency") in CURRENCIES:
        drawn.append(coin(first["currency"], 22, 24, 15))
    else:
        drawn.append(figure(kind_of(first, kinds), 9, 11, 26, "ink", "chip"))
    drawn.append(f'<text class="ink" x="46" y="31" font-size="{CHIP_SIZE}">{escape(label)}</text>')
    return _Chip(wide, CHIP + y, drawn + inside)


def _bits(game: Game, things: list[PieceData], language: str) -> list[_Bit]:
    """Return the parts of a chip: counted types or currencies, or names without their common words."""
    if _countable(things[0]):
        return [_Bit(_counted_wide(thing), partial(_counted, thing)) for thing in things]
    names = [_description_of(game, thing, language).split() for thing in things]
    shared = set.intersection(*map(set, names))
    short = [" ".join(word for word in words if word not in shared or word == "·").strip("· ") for words in names]
    return [
        _Bit(width_of(name, CHIP_SIZE) + 16, partial(_named, name, last=place == len(short) - 1))
        for place, name in enumerate(short)
        if name
    ]


def _named(name: str, x: float, y: float, *, last: bool) -> Iterator[str]:
    mark = "" if last else ","
    yield f'<text class="faint" x="{x:g}" y="{y + 31:g}" font-size="{CHIP_SIZE}">{escape(name)}{mark}</text>'


def _counted_wide(thing: PieceData) -> float:
    amount = thing.get("amount", 1)
    return 34 + (6 + 12 * len(str(amount)) if amount > 1 else 0)


def _counted(thing: PieceData, x: float, y: float) -> Iterator[str]:
    """Yield a type or currency, and the number if greater than one."""
    if thing.get("currency") in CURRENCIES:
        yield coin(thing["currency"], x + 14, y + 24, 14)
    else:
        kind = thing["type"]
        yield f'<rect class="{kind} edge" x="{x:g}" y="{y + 10:g}" width="28" height="28" rx="5"/>'
        yield symbol(kind, x + 4, y + 14, 20, f"on-{kind}")
    amount = thing.get("amount", 1)
    if amount > 1:
        yield f'<text class="ink" x="{x + 32:g}" y="{y + 31:g}" font-size="19" font-weight="700">{amount}</text>'


def _description_of(game: Game, thing: PieceData, language: str) -> str:
    amount = thing.get("amount", 1)
    side = " " + text(f"side.{thing['side']}", language) if thing.get("side") else ""
    return title_of(thing, game.ruleset.piece_kinds, language) + side + (f" × {amount}" if amount > 1 else "")
