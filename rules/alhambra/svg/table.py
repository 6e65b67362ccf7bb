"""The whole table: market, money, deck and tower, scores and whose turn it is, and what lies beside.

One column, 620 wide, so that it can be read on a telephone as on a desk.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from ..base.seating import colour_of
from ..boards import lots
from ..components import CURRENCIES
from ..game import Game
from ..texts import DEFAULT, name_of, player_name, tell_decision, text
from .cards import HIGH, WIDE, draw_card
from .page import page
from .pieces import Thing, all_things, coin, kind_of, title_of
from .symbols import figure, symbol
from .tiles import CELL, draw_tile
from .tray import SERIF, WIDTH, Row

MARGIN, GAP, LABEL, LINE = 28, 14, 38, 46
SPACE = (WIDTH - 3 * GAP) / 4
"""The width of a market space."""
LONG_NAME = 22


def draw_table(game: Game, theme: str = "auto", language: str = DEFAULT) -> str:
    """The table as SVG. Everything in it is public, so it is the same for everybody."""
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
    """What lies on the market and open beside it, for readers who do not see the picture."""
    spaces = zip(CURRENCIES, game.state.market, strict=True)
    market = [f"{name_of(currency, language)}: {name_of(tile, language)}" for currency, tile in spaces if tile]
    return "; ".join([*market, ", ".join(name_of(card, language) for card in game.state.display)])


def _label(words: str) -> Row:
    shown = escape(words[:1].upper() + words[1:])
    return Row(LABEL, [f'<text class="faint" x="2" y="30" font-size="22" font-family="{SERIF}">{shown}</text>'])


def _scores(game: Game, names: list[str], language: str) -> Iterator[Row]:
    """A line for each player; whoever is asked is marked."""
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
    """The four spaces, each with its currency and the tile that lies there."""
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
    """A tile, as large as the room allows."""
    tile = game.ruleset.tiles[name]
    left, top = min(part.dx for part in tile.parts), min(part.dy for part in tile.parts)
    cells = 1 + max(max(part.dx for part in tile.parts) - left, max(part.dy for part in tile.parts) - top)
    scale = room / (CELL * cells)
    yield f'<g transform="translate({x:g} {y:g}) scale({scale:.4g})"><title>{escape(name_of(name, language))}</title>'
    yield from draw_tile(tile, game.ruleset.kinds[tile.kind], lots(tile, -left, -top, 0), game.state.types, {})
    yield "</g>"


def _beside(game: Game, language: str) -> Iterator[Row]:
    """Tiles beside the market, behind the name of their slot."""
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
    """The open cards, with those of modules that lie beside the display."""
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
    """How much is left: cards in the deck, tiles in the tower."""
    state = game.state
    told = [("deck", len(state.deck)), ("discard", len(state.discard)), ("tower", len(state.tower))]
    yield _label(" · ".join(f"{text(f'supply.{name}', language)} {count}" for name, count in told))


def _pieces(game: Game, language: str) -> Iterator[Row]:
    """What modules show that lies before no seat and on no tile."""
    elsewhere = ("seat", "cell", "tile")
    lying = [thing for thing in all_things(game) if all(thing.get(noun) is None for noun in elsewhere)]
    x, row = 0.0, list[str]()
    for thing in lying:
        label = _told(game, thing, language)
        wide = 58 + len(label) * 10.5
        if x and x + wide > WIDTH:
            yield Row(48, row)
            x, row = 0.0, []
        kinds = game.ruleset.piece_kinds
        row.append(f'<rect class="chip" x="{x:g}" y="4" width="{wide:g}" height="40" rx="20"/>')
        if thing.get("currency") in CURRENCIES:
            row.append(coin(thing["currency"], x + 22, 24, 15))
        else:
            row.append(figure(kind_of(thing, kinds), x + 9, 11, 26, "ink", "chip"))
        row.append(f'<text class="ink" x="{x + 46:g}" y="31" font-size="19">{escape(label)}</text>')
        x += wide + 10
    if row:
        yield Row(48, row)


def _told(game: Game, thing: Thing, language: str) -> str:
    amount = thing.get("amount", 1)
    side = " " + text(f"side.{thing['side']}", language) if thing.get("side") else ""
    return title_of(thing, game.ruleset.piece_kinds, language) + side + (f" × {amount}" if amount > 1 else "")
