"""What a seat sees of a game, as named arrays of numbers or as one vector.

Only facts that `game.view(seat)` shows go into the arrays. Seats are counted from the viewer: place 0 is the viewer, 1
the next seat. Words, such as ids of tiles and names of slots, are numbers from 1 in the sorted list `Observer.words`; 0
means none. Pieces and facts of modules are rows of tables, one row for each piece or number, whatever the module is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.auction import auction_view
from ..components import CURRENCIES, SIDES, TYPES, WALL
from ..declarations import Vocabulary
from ..moves import NOUNS, POINTS
from ..views import pieces_of
from .actions import ActionSpace, relative_seat

if TYPE_CHECKING:
    from ..board import Board
    from ..game import Game
    from ..module import Module
    from ..ruleset import Ruleset

__all__ = ["PIECE_COLUMNS", "TABLE", "TILE_COLUMNS", "WINDOW", "Arrays", "Observer"]

Arrays = dict[str, NDArray[Any]]
_Drawn = tuple[NDArray[np.int16], tuple[NDArray[np.intp], NDArray[np.int16]]]
WINDOW = 21
"""Width and height of the drawn part of an Alhambra, with the fountain in the middle. What lies outside is missing in
`boards` only; `tiles` has the cell of every tile."""
TILE_COLUMNS = ("where", "owner", "slot", "x", "y", "rotation", "wooden_walls")
MARKET, BESIDE, RESERVE, PENDING, ALHAMBRA, DIRK = range(1, 7)
"""The values of `where`; 0 if the tile is not visible."""
TABLE = ("turn", "actions_left", "passes", "deck", "discard", "tower", "scorings_held", "scorings_due")
PIECE_COLUMNS = (
    *("module", "kind", "seat", "tile", "piece", "slot", "on_cell", "x", "y", "rotation", "side", "currency", "type"),
    *("choice", "amount", "number", "word_1", "word_2", "word_3", "word_4"),
)
ROW_COLUMNS = ("fact", "key", "place", "number", "word")
"""The columns of `context` and `facts`."""
PIECE_ROWS, PIECE_ROWS_PER_MODULE = 128, 12
FACT_ROWS, FACT_ROWS_PER_MODULE = 64, 4
CONTEXT_ROWS = 48
MOST = 2**15 - 1
MOST_KEPT = 20_000
"""The number of rows of pieces that are kept."""


class Observer:
    """The layout of observations under one ruleset: `game.ruleset.table(Observer)`."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.space = ruleset.table(ActionSpace)
        self.words = _words(ruleset)
        """All words, sorted; the word number n stands at n - 1."""
        self._word = {word: number for number, word in enumerate(self.words, 1)}
        self.tiles = sorted(ruleset.tiles)
        """The tiles in the order of the rows of `tiles`."""
        self._market = [self._word[f"market-{currency}"] for currency in CURRENCIES]
        """The words of the market spaces."""
        self._tile = {tile: number for number, tile in enumerate(self.tiles)}
        self.cards = sorted(ruleset.cards)
        """The kinds of cards in the order of `hand` and `display`."""
        self._card = {card: number for number, card in enumerate(self.cards)}
        self.decisions = sorted(ruleset.questions)
        """The kinds of decisions in the order of `decision`."""
        self._decision = {kind: number for number, kind in enumerate(self.decisions)}
        self.facts = [f"{module.key}.{fact}" for module in ruleset.modules for fact in sorted(module.public_facts)]
        """The facts of modules; the fact number n stands at n - 1."""
        self._fact = {fact: number for number, fact in enumerate(self.facts, 1)}
        self._with_pieces = [
            (number, module) for number, module in enumerate(ruleset.modules, 1) if module.public_pieces is not None
        ]
        self._rows_of_pieces: dict[tuple[Any, ...], tuple[int, ...]] = {}
        """The rows of pieces that were seen before, because most pieces stay where they are."""
        self._with_facts = [module for module in ruleset.modules if module.view is not None]
        self.shapes = self._shapes()
        """By name: the shape of the array, in the order of the vector."""
        self.bounds = {name: self._bound(name) for name in self.shapes}
        """By name: the highest absolute value of each column or of all; the vector holds values divided by it."""
        self._scale = np.concatenate(
            [np.broadcast_to(1 / self.bounds[name], shape).ravel() for name, shape in self.shapes.items()]
        ).astype(np.float32)
        self.size = len(self._scale)
        """The length of the vector."""

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        seats = self.ruleset.seats
        modules = len(self.ruleset.modules)
        shapes: dict[str, tuple[int, ...]] = {
            "seat": (seats,),
            "decision": (len(self.decisions),),
            "decider": (seats,),
            "active": (seats,),
            "first": (seats,),
            "table": (len(TABLE),),
            "scores": (seats + (seats == 2),),
            "resigned": (seats,),
            "hands": (seats,),
            "hand": (len(self.cards),),
            "display": (len(self.cards),),
            "tiles": (len(self.tiles), len(TILE_COLUMNS)),
            "boards": (2 * seats, WINDOW, WINDOW),
            "context": (CONTEXT_ROWS, len(ROW_COLUMNS)),
        }
        if self._with_pieces:
            shapes["pieces"] = (PIECE_ROWS + PIECE_ROWS_PER_MODULE * modules, len(PIECE_COLUMNS))
        if self.facts:
            shapes["facts"] = (FACT_ROWS + FACT_ROWS_PER_MODULE * modules, len(ROW_COLUMNS))
        return {**shapes, "move": (len(self.space),)}

    def _bound(self, name: str) -> NDArray[np.float64]:
        """Return the bound of the values of an array, by column for tables."""
        words, reach = max(1, len(self.words)), self.space.reach
        by_column = {"x": reach, "y": reach, "rotation": 300, "wooden_walls": 255, "where": DIRK, "owner": 6}
        by_column |= dict.fromkeys(("slot", "tile", "piece", "kind", "choice", "key", "word"), words)
        by_column |= dict.fromkeys(("word_1", "word_2", "word_3", "word_4"), words)
        by_column |= {"side": len(POINTS), "currency": len(CURRENCIES), "type": len(TYPES), "seat": 6, "on_cell": 1}
        by_column |= {"module": len(self.ruleset.modules), "fact": max(1, len(self.facts)), "place": 64}
        columns = {"tiles": TILE_COLUMNS, "pieces": PIECE_COLUMNS, "context": ROW_COLUMNS, "facts": ROW_COLUMNS}
        if name in columns:
            return np.array([by_column.get(column, 100) for column in columns[name]], dtype=np.float64)
        whole = {"table": 100, "scores": 100, "hands": 20, "hand": 3, "display": 4, "boards": 63, "move": 3}
        return np.array(whole.get(name, 1), dtype=np.float64)

    # -- Arrays ---------------------------------------------------------------------------------------------------

    def arrays(self, game: Game, viewer: int) -> Arrays:
        """Return what the seat sees, as new arrays. `move` is empty; `mark_taken` fills it."""
        state = game.state
        seats = self.ruleset.seats
        decision = state.decision
        order = [*range(viewer, seats), *range(viewer)]
        owners = [state.seats[seat] for seat in order]
        held, due = len(state.held), len(state.due)
        scores = [owner.score for owner in owners]
        found = {name: np.zeros(shape, dtype=np.int16) for name, shape in self.shapes.items()}
        found["seat"][viewer] = 1
        if decision is not None:
            found["decision"][self._decision[decision.kind]] = 1
            found["decider"][(decision.seat - viewer) % seats] = 1
        found["active"][(state.active - viewer) % seats] = 1
        found["first"][(state.first - viewer) % seats] = 1
        found["table"][:] = (
            *(state.turn, state.actions, state.passes, len(state.deck), len(state.discard), len(state.tower)),
            *(held, due),
        )
        found["scores"][:] = [*scores, state.dirk_score] if seats == 2 else scores
        found["resigned"][:] = [owner.resigned for owner in owners]
        found["hands"][:] = [len(owner.hand) for owner in owners]
        self._count(found["hand"], state.seats[viewer].hand)
        self._count(found["display"], state.display)
        boards = [owner.board.cached(self._drawn) for owner in owners]
        found["boards"][:] = np.concatenate([planes for planes, _ in boards])
        self._fill_tiles(found["tiles"], game, order, boards)
        self._fill_rows(found["context"], self._context(game, viewer))
        if self._with_pieces:
            self._fill_pieces(found["pieces"], game, viewer)
        if self.facts:
            self._fill_rows(found["facts"], self._facts(game, viewer))
        return found

    def vector(self, arrays: Arrays) -> NDArray[np.float32]:
        """Return the arrays as one vector, each value divided by its bound."""
        joined = np.concatenate([arrays[name].ravel() for name in self.shapes]).astype(np.float32)
        return np.multiply(joined, self._scale, out=joined)

    def mark_taken(self, move: NDArray[Any], taken: Iterable[int]) -> None:
        """Count the actions that were taken for the move that is being chosen."""
        for action in taken:
            move[action] += 1

    def _count(self, counts: NDArray[np.int16], cards: Iterable[str]) -> None:
        for card in cards:
            counts[self._card[card]] += 1

    def _fill_tiles(self, table: NDArray[np.int16], game: Game, order: list[int], boards: list[_Drawn]) -> None:
        state, word, number = game.state, self._word, self._tile
        tiles_in_reserve = game.ruleset.reserve.tiles
        built = [lying for _, lying in boards]
        table[np.concatenate([own for own, _ in built])] = np.concatenate(
            [owned[place] for place, (_, owned) in enumerate(built)]
        )
        numbers: list[int] = []
        rows: list[tuple[int, int, int]] = []
        for place, seat in enumerate(order, 1):
            for tile in tiles_in_reserve(game, seat):
                numbers.append(number[tile])
                rows.append((RESERVE, place, 0))
            for tile in state.seats[seat].pending:
                numbers.append(number[tile])
                rows.append((PENDING, place, 0))
        for slot, tile in zip(self._market, state.market, strict=True):
            if tile:
                numbers.append(number[tile])
                rows.append((MARKET, 0, slot))
        for name, tiles in state.beside.items():
            numbers += [number[tile] for tile in tiles]
            rows += [(BESIDE, 0, word[name])] * len(tiles)
        numbers += [number[tile] for tile in state.dirk]
        rows += [(DIRK, 0, 0)] * len(state.dirk)
        if numbers:
            table[numbers, :3] = rows

    def _drawn(self, board: Board) -> _Drawn:
        """Return a board as planes (building types, walls), and its tiles: their numbers, and by the owner's distance
        from the viewer their rows."""
        planes = np.zeros((2, WINDOW, WINDOW), dtype=np.int16)
        middle = WINDOW // 2
        for (x, y), part in board.cells.items():
            if abs(x) <= middle and abs(y) <= middle:
                planes[0, y + middle, x + middle] = TYPES.index(part.type) + 2 if part.type in TYPES else 1
                planes[1, y + middle, x + middle] += sum(1 << n for n, edge in enumerate(part.edges) if edge == WALL)
        for x, y, side in board.passages:
            if abs(x) <= middle and abs(y) <= middle:
                planes[1, y + middle, x + middle] += 16 << (side == SIDES[2])
        numbers, rows = [], []
        for tile, x, y, rotation, wooden_walls in board.placed.values():
            wooden = sum(walls << 4 * cell for cell, walls in enumerate(wooden_walls))
            numbers.append(self._tile[tile.id])
            rows.append((ALHAMBRA, 0, 0, x, y, rotation, wooden))
        lying = np.array(rows, dtype=np.int16)
        owned = np.repeat(lying[None], self.ruleset.seats, axis=0)
        owned[:, :, 1] = np.arange(1, self.ruleset.seats + 1)[:, None]
        return planes, (np.array(numbers, dtype=np.intp), owned)

    # -- Pieces and facts of modules ------------------------------------------------------------------------------

    def _fill_pieces(self, table: NDArray[np.int16], game: Game, viewer: int) -> None:
        rows: list[tuple[int, ...]] = []
        known = self._rows_of_pieces
        if len(known) > MOST_KEPT:
            known.clear()
        for number, module in self._with_pieces:
            for piece in pieces_of(game, module, viewer):
                key = (number, viewer, *piece.items())
                row = known.get(key)
                if row is None:
                    row = known[key] = self._piece(number, piece, viewer)
                rows.append(row)
        if rows:
            table[: len(rows)] = rows[: len(table)]

    def _piece(self, module: int, piece: Mapping[str, Any], viewer: int) -> tuple[int, ...]:
        word, get = self._word.get, piece.get
        seat, cell, side, currency, name = get("seat"), get("cell"), get("side"), get("currency"), get("type")
        row = [
            module,
            word(piece["kind"], 0),
            0 if seat is None else 1 + relative_seat(seat, viewer, self.ruleset.seats),
            word(get("tile") or "", 0),
            word(get("piece") or "", 0),
            word(get("slot") or "", 0),
            *((0, 0, 0) if cell is None else (1, *cell)),
            get("rotation") or 0,
            0 if side is None else POINTS.index(side) + 1,
            CURRENCIES.index(currency) + 1 if currency in CURRENCIES else 0,
            TYPES.index(name) + 1 if name in TYPES else 0,
            word(get("choice") or "", 0),
            get("amount", 1),
        ]
        others = [value for noun, value in piece.items() if noun not in _PIECE_NOUNS]
        numbers = [value for value in others if isinstance(value, int)]
        words = [word(entry, 0) for value in others if isinstance(value, list | tuple) for entry in value]
        return (*row, sum(numbers), *[*words, 0, 0, 0, 0][:4])

    def _facts(self, game: Game, viewer: int) -> Iterator[list[int]]:
        for module in self._with_facts:
            assert module.view is not None
            for fact, value in module.view(game, viewer).items():
                yield from self._rows(self._fact.get(f"{module.key}.{fact}", 0), 0, 0, value, viewer)

    def _context(self, game: Game, viewer: int) -> Iterator[list[int]]:
        state = game.state
        for part, names in enumerate((state.used, state.taken, state.covered), 1):
            yield from self._rows(part, 0, 0, names, viewer)
        decision = state.decision
        if decision is not None:
            yield from self._rows(4, 0, 0, decision.context, viewer)
            private = game.question().kind.private
            if decision.seat == viewer and private is not None:
                yield from self._rows(5, 0, 0, private(game, decision), viewer)
        if state.auction is not None:
            yield from self._rows(6, 0, 0, auction_view(game, viewer), viewer)

    def _rows(self, fact: int, key: int, place: int, value: Any, viewer: int) -> Iterator[list[int]]:
        """Yield a row for every text and number in a value of plain data."""
        if isinstance(value, str):
            yield [fact, key, place, 0, self._word.get(value, 0)]
        elif isinstance(value, int):
            number = int(value)
            if key == self._word["seat"]:
                number = relative_seat(number, viewer, self.ruleset.seats)
            yield [fact, key, place, max(-MOST, min(MOST, number)), 0]
        elif isinstance(value, Mapping):
            for name, entry in value.items():
                yield from self._rows(fact, self._word.get(str(name), 0), place, entry, viewer)
        elif isinstance(value, list | tuple):
            for number, entry in enumerate(value, 1):
                yield from self._rows(fact, key, number, entry, viewer)

    def _fill_rows(self, table: NDArray[np.int16], rows: Iterator[list[int]]) -> None:
        found = list(rows)[: len(table)]
        if found:
            table[: len(found)] = found


_PIECE_NOUNS = frozenset(
    ("kind", "seat", "tile", "piece", "slot", "cell", "rotation", "side", "currency", "type", "choice", "amount")
)


def _words(ruleset: Ruleset) -> list[str]:
    declared = ruleset.table(Vocabulary)
    named: Iterable[Iterable[str]] = (
        *(ruleset.tiles, ruleset.cards, ruleset.pieces, ruleset.verbs, ruleset.piece_kinds, NOUNS, TYPES, CURRENCIES),
        *declared.nouns.values(),
        *(_fact_words(module) for module in ruleset.modules),
    )
    return sorted(set(chain.from_iterable(named)))


def _fact_words(module: Module) -> Iterable[str]:
    return module.public_facts
