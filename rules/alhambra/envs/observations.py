"""What a seat sees of a game, as named arrays of numbers or as one vector.

Only facts that `game.view(seat)` shows go into the arrays. Seats are counted from the viewer: place 0 is the viewer, 1
the next seat. Words, such as ids of tiles and names of slots, are numbers from 1 in the sorted list `Observer.words`; 0
means none. Pieces and facts of modules are rows of tables, one row for each piece or number, whatever the module is.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import chain
from math import prod
from struct import Struct
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..base.auction import auction_view
from ..components import CURRENCIES, SIDES, TYPES, WALL
from ..declarations import Vocabulary
from ..moves import NOUNS, POINTS
from .actions import ActionSpace, relative_seat

if TYPE_CHECKING:
    from ..board import Board
    from ..game import Game
    from ..module import Module
    from ..module_views import ModuleView
    from ..ruleset import Ruleset
    from ..state import Seat

__all__ = ["PIECE_COLUMNS", "TABLE", "TILE_COLUMNS", "WINDOW", "Arrays", "Observer"]

T = TypeVar("T")
Arrays = dict[str, NDArray[Any]]
Shown = Mapping[str, "ModuleView"]
"""What modules show a seat, by their keys."""
_Find = Callable[["ModuleView"], bytes]
WINDOW = 21
"""Width and height of the drawn part of an Alhambra, with the fountain in the middle. What lies outside is missing in
`boards` only; `tiles` has the cell of every tile."""
TILE_COLUMNS = ("where", "owner", "slot", "x", "y", "rotation", "wooden_walls")
MARKET, BESIDE, RESERVE, PENDING, ALHAMBRA, DIRK = range(1, 7)
"""The values of `where`; 0 if the tile is not visible."""
HEAD = ("seat", "decision", "decider", "active", "first", "table", "scores", "resigned", "hands")
"""The arrays that come first, and are not counts or tables."""
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
# Numbers are packed as bytes and joined, which takes a fraction of the time of filling arrays.
_TILE, _PIECE, _ROW = (Struct(f"{len(columns)}h") for columns in (TILE_COLUMNS, PIECE_COLUMNS, ROW_COLUMNS))


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
        self.cards = sorted(ruleset.cards)
        """The kinds of cards in the order of `hand` and `display`."""
        self._card = {card: number for number, card in enumerate(self.cards)}
        self.decisions = sorted(ruleset.questions)
        """The kinds of decisions in the order of `decision`."""
        self.facts = [f"{module.key}.{fact}" for module in ruleset.modules for fact in sorted(module.public_facts)]
        """The facts of modules; the fact number n stands at n - 1."""
        self._fact = {fact: number for number, fact in enumerate(self.facts, 1)}
        self._with_pieces = [module for module in ruleset.modules if module.public_pieces is not None]
        self.shapes = self._shapes()
        """By name: the shape of the array, in the order of the vector."""
        self.bounds = {name: self._bound(name) for name in self.shapes}
        """By name: the highest absolute value of each column or of all; the vector holds values divided by it."""
        self._scale = np.concatenate(
            [np.broadcast_to(1 / self.bounds[name], shape).ravel() for name, shape in self.shapes.items()]
        ).astype(np.float32)
        self.size = len(self._scale)
        """The length of the vector."""
        self._parts = _parts(self.shapes)
        self._seats_hot, self._decisions_hot = _one_hot(range(ruleset.seats)), _one_hot(self.decisions)
        self._no_decision = (0,) * (len(self.decisions) + ruleset.seats)
        self._head = Struct(f"{sum(prod(self.shapes[name]) for name in HEAD)}h")
        self._slots = [_TILE.pack(MARKET, 0, self._word[f"market-{currency}"], 0, 0, 0, 0) for currency in CURRENCIES]
        self._no_tiles = dict.fromkeys(self.tiles, bytes(_TILE.size))
        self._no_move = bytes(2 * len(self.space))
        self._looks: dict[tuple[str, str], tuple[int, int]] = {}
        """By type and edges of a built cell: its numbers in the planes of `boards`."""
        self._pieces_seen: dict[tuple[Any, ...], bytes] = {}
        """The rows of pieces that were seen before, because most pieces stay where they are."""
        viewers = range(ruleset.seats)
        self._piece_rows = [self._of_each(self._with_pieces, self._pieces, viewer) for viewer in viewers]
        """By viewer: each module with pieces, and the function that returns the rows of what it shows."""
        self._fact_rows = [
            self._of_each([module for module in ruleset.modules if module.view], self._facts, viewer)
            for viewer in viewers
        ]

    def _of_each(
        self, modules: Iterable[Module], find: Callable[[int, int, ModuleView], bytes], viewer: int
    ) -> list[tuple[str, _Find]]:
        number = {module.key: number for number, module in enumerate(self.ruleset.modules, 1)}
        return [(module.key, partial(find, number[module.key], viewer)) for module in modules]

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

    # -- All numbers ----------------------------------------------------------------------------------------------

    def look(self, game: Game, viewer: int, known: Shown) -> tuple[NDArray[np.int16], Shown]:
        """Return all numbers that the seat sees, array after array, and what modules show. `move` is empty. `known` is
        what modules showed this seat at an earlier state of the game, or empty; what holds still is not computed
        again."""
        state = game.state
        seats = self.ruleset.seats
        order = [*range(viewer, seats), *range(viewer)]
        owners = [state.seats[seat] for seat in order]
        boards = [owner.board.cached(self._drawn) for owner in owners]
        found = [
            self._numbers(game, viewer, owners),
            self._counts(owners[0].hand),
            self._counts(state.display),
            *self._tiles(game, order, [rows for _, rows in boards]),
            *[planes for planes, _ in boards],
            self._filled("context", self._context(game, viewer)),
        ]
        shown: Shown = {}
        if self._with_pieces or self.facts:
            shown = game.module_views(viewer, known)
        if self._with_pieces:
            found.append(self._filled("pieces", [shown[key].cached(rows) for key, rows in self._piece_rows[viewer]]))
        if self.facts:
            found.append(self._filled("facts", [shown[key].cached(rows) for key, rows in self._fact_rows[viewer]]))
        found.append(self._no_move)
        return np.frombuffer(b"".join(found), np.int16), shown

    def named(self, numbers: NDArray[np.int16]) -> Arrays:
        """Return all numbers as arrays by name. The arrays are parts of `numbers`, no copies."""
        return {
            name: numbers[part] if shape is None else numbers[part].reshape(shape) for name, part, shape in self._parts
        }

    def vector(self, numbers: NDArray[np.int16]) -> NDArray[np.float32]:
        """Return all numbers as one vector, each divided by its bound."""
        return np.multiply(numbers, self._scale, dtype=np.float32)

    def _numbers(self, game: Game, viewer: int, owners: list[Seat]) -> bytes:
        """Return the arrays of HEAD."""
        state, seats, hot = game.state, self.ruleset.seats, self._seats_hot
        decision = state.decision
        return self._head.pack(
            *hot[viewer],
            *(
                self._no_decision
                if decision is None
                else (*self._decisions_hot[decision.kind], *hot[(decision.seat - viewer) % seats])
            ),
            *hot[(state.active - viewer) % seats],
            *hot[(state.first - viewer) % seats],
            *(state.turn, state.actions, state.passes, len(state.deck), len(state.discard), len(state.tower)),
            *(len(state.held), len(state.due)),
            *[owner.score for owner in owners],
            *((state.dirk_score,) if seats == 2 else ()),
            *[owner.resigned for owner in owners],
            *[len(owner.hand) for owner in owners],
        )

    def _counts(self, cards: Iterable[str]) -> bytes:
        counts = [0] * len(self.cards)
        for card in cards:
            counts[self._card[card]] += 1
        return array("h", counts).tobytes()

    def _filled(self, name: str, rows: Iterable[bytes]) -> bytes:
        """Return a table that begins with these rows. Rows for which it has no place are left out."""
        size = 2 * prod(self.shapes[name])
        return b"".join(rows).ljust(size, b"\0")[:size]

    # -- Tiles ----------------------------------------------------------------------------------------------------

    def _tiles(self, game: Game, order: list[int], built: list[list[dict[str, bytes]]]) -> Iterable[bytes]:
        """Return the rows of all tiles. `built` has the rows of built tiles by owner, from `_drawn`."""
        state, row = game.state, _TILE.pack
        tiles_in_reserve = game.ruleset.reserve.tiles
        rows = self._no_tiles.copy()
        for place, seat in enumerate(order):
            rows.update(built[place][place])
            for tile in tiles_in_reserve(game, seat):
                rows[tile] = row(RESERVE, place + 1, 0, 0, 0, 0, 0)
            for tile in state.seats[seat].pending:
                rows[tile] = row(PENDING, place + 1, 0, 0, 0, 0, 0)
        for on_slot, tile in zip(self._slots, state.market, strict=True):
            if tile:
                rows[tile] = on_slot
        for name, tiles in state.beside.items():
            rows.update(dict.fromkeys(tiles, row(BESIDE, 0, self._word[name], 0, 0, 0, 0)))
        rows.update(dict.fromkeys(state.dirk, row(DIRK, 0, 0, 0, 0, 0, 0)))
        return rows.values()

    def _drawn(self, board: Board) -> tuple[bytes, list[dict[str, bytes]]]:
        """Return a board as planes (building types, walls), and by the owner's distance from the viewer the rows of its
        tiles."""
        area = WINDOW * WINDOW
        planes = array("h", bytes(2 * 2 * area))
        middle = WINDOW // 2
        looks = self._looks
        for (x, y), part in board.cells.items():
            if abs(x) <= middle and abs(y) <= middle:
                look = looks.get((part.type, part.edges))
                if look is None:
                    look = looks[part.type, part.edges] = _look(part.type, part.edges)
                cell = (y + middle) * WINDOW + x + middle
                planes[cell], planes[area + cell] = look
        for x, y, side in board.passages:
            if abs(x) <= middle and abs(y) <= middle:
                planes[area + (y + middle) * WINDOW + x + middle] += 16 << (side == SIDES[2])
        places = range(1, self.ruleset.seats + 1)
        rows: list[dict[str, bytes]] = [{} for _ in places]
        for tile, x, y, rotation, wooden_walls in board.placed.values():
            wooden = sum([walls << 4 * cell for cell, walls in enumerate(wooden_walls)]) if wooden_walls else 0
            for place in places:
                rows[place - 1][tile.id] = _TILE.pack(ALHAMBRA, place, 0, x, y, rotation, wooden)
        return planes.tobytes(), rows

    # -- Pieces and facts of modules ------------------------------------------------------------------------------

    def _pieces(self, module: int, viewer: int, view: ModuleView) -> bytes:
        seen, rows = self._pieces_seen, []
        if len(seen) > MOST_KEPT:
            seen.clear()
        for piece in view.pieces:
            key = (module, viewer, *piece, *piece.values())
            row = seen.get(key)
            if row is None:
                row = seen[key] = self._piece(module, piece, viewer)
            rows.append(row)
        return b"".join(rows)

    def _piece(self, module: int, piece: Mapping[str, Any], viewer: int) -> bytes:
        word, get = self._word.get, piece.get
        seat, cell, side, currency, name = get("seat"), get("cell"), get("side"), get("currency"), get("type")
        others = [value for noun, value in piece.items() if noun not in _PIECE_NOUNS]
        words = [word(entry, 0) for value in others if isinstance(value, list | tuple) for entry in value]
        return _PIECE.pack(
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
            sum([value for value in others if isinstance(value, int)]),
            *[*words, 0, 0, 0, 0][:4],
        )

    def _facts(self, module: int, viewer: int, view: ModuleView) -> bytes:
        rows: list[bytes] = []
        key = self.ruleset.modules[module - 1].key
        for fact, value in view.facts.items():
            self._add_rows(rows, viewer, self._fact.get(f"{key}.{fact}", 0), value)
        return b"".join(rows)

    def _context(self, game: Game, viewer: int) -> list[bytes]:
        state, rows = game.state, list[bytes]()
        for part, names in enumerate((state.used, state.taken, state.covered), 1):
            self._add_rows(rows, viewer, part, names)
        decision = state.decision
        if decision is not None:
            self._add_rows(rows, viewer, 4, decision.context)
            private = game.question().kind.private
            if decision.seat == viewer and private is not None:
                self._add_rows(rows, viewer, 5, private(game, decision))
        if state.auction is not None:
            self._add_rows(rows, viewer, 6, auction_view(game, viewer))
        return rows

    def _add_rows(self, rows: list[bytes], viewer: int, fact: int, value: Any, key: int = 0, place: int = 0) -> None:
        """Add a row for every text and number in a value of plain data."""
        if isinstance(value, str):
            rows.append(_ROW.pack(fact, key, place, 0, self._word.get(value, 0)))
        elif isinstance(value, int):
            number = int(value)
            if key == self._word["seat"]:
                number = relative_seat(number, viewer, self.ruleset.seats)
            rows.append(_ROW.pack(fact, key, place, max(-MOST, min(MOST, number)), 0))
        elif isinstance(value, Mapping):
            for name, entry in value.items():
                self._add_rows(rows, viewer, fact, entry, self._word.get(str(name), 0), place)
        elif isinstance(value, list | tuple):
            for number, entry in enumerate(value, 1):
                self._add_rows(rows, viewer, fact, entry, key, number)


def _parts(shapes: Mapping[str, tuple[int, ...]]) -> list[tuple[str, slice, tuple[int, ...] | None]]:
    """Return for each array its name, its place among all numbers, and its shape if it has more than one dimension."""
    found: list[tuple[str, slice, tuple[int, ...] | None]] = []
    start = 0
    for name, shape in shapes.items():
        end = start + prod(shape)
        found.append((name, slice(start, end), shape if len(shape) > 1 else None))
        start = end
    return found


def _one_hot(values: Iterable[T]) -> dict[T, tuple[int, ...]]:
    """Return by value: zeros, with a one at the place of the value."""
    listed = list(values)
    return {value: tuple([int(other == value) for other in listed]) for value in listed}


def _look(name: str, edges: str) -> tuple[int, int]:
    """Return the numbers of a built cell in the planes of `boards`: building type and walls."""
    walls = sum(1 << side for side, edge in enumerate(edges) if edge == WALL)
    return TYPES.index(name) + 2 if name in TYPES else 1, walls


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
