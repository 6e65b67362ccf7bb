"""The ways in which a tile can move: each sets a table, brings a tile to where the way begins, and moves it.

A test says what lies on the tile (`Overlay`), takes a way with it (`moved`), and looks where the overlay is then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from alhambra import Event, Game, Violation
from alhambra.components import Cell
from alhambra.invariants import census
from tests.rules.modules.characters_table import give
from tests.rules.modules.craftsmen_table import arrange
from tests.rules.modules.personal_market_table import stall
from tests.rules.situations import (
    alhambra,
    deck,
    display,
    end_game,
    hand,
    market,
    pieces,
    play,
    refused,
    reserve,
    table,
)

MARKET = "personal_building_market"
FULL = {"gulden": "tower-9-es", "dirham": "seraglio-7-w", "denar": "chambers-5-nsw", "dukat": "pavilion-6-n"}
"""A market with nothing to refill."""
STALL = {"gulden": "tower-9-ne", "dirham": "tower-9-nw", "denar": "chambers-9-w", "dukat": "garden-8-ne"}
"""A personal market without a free place."""
NEIGHBOUR = "tower-11"
"""The tile between the fountain and the one that moves."""
OTHER = "garden-9-e"
"""The tile that takes its place in a swap."""
FIRST: Cell = (1, 0)
BUILT: Cell = (2, 0)
MOVED: Cell = (0, 1)
LAYING = ("place_tiles", "place_now", "leftover_tiles")
"""The questions where a tile goes."""


@dataclass(frozen=True)
class Overlay:
    """Something that can lie on a tile: the modules at the table, how it comes onto the tile of a seat, whether it lies
    there by the state and by what everybody sees, whether it is where such pieces come from, and a tile that it fits.
    """

    modules: tuple[str, ...]
    put: Callable[[Game, int, str], None]
    lies: Callable[[Game, str], bool]
    seen: Callable[[Game, str], bool]
    home: Callable[[Game], bool]
    tile: str = "garden-10"
    clear: Callable[[Game], None] = lambda _game: None
    """Takes off what chance laid on tiles when the game was set up."""


@dataclass(frozen=True)
class Way:
    """One way: where the tile is before, the move, what else is played until the way is over, and where it is then."""

    starts: Callable[[Game, str], None]
    first: Callable[[Game, str], tuple[str, dict[str, Any]]] | None
    """The move that a player makes; None if the tile does not move by one."""
    lands: Callable[[Game, str], bool]
    then: Callable[[Game, str], list[Event]] = lambda _game, _tile: []
    modules: tuple[str, ...] = ()
    seats: int = 3
    owner: int = 0
    """Whose tile it is before it moves."""


def setting(overlay: Overlay, way: Way, *others: str) -> Game:
    """A table with a full market, open money, and nothing but money to come for a while."""
    game = table(way.seats, modules=[*dict.fromkeys((*overlay.modules, *way.modules, *others))])
    market(game, **FULL)
    overlay.clear(game)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    deck(game, *(f"gulden-{value}" for value in range(1, 10)))
    return game


def ready(overlay: Overlay, name: str, *others: str, put: bool = True) -> Game:
    """The tile is where the way begins, with the overlay on it."""
    way = WAYS[name]
    game = setting(overlay, way, *others)
    way.starts(game, overlay.tile)
    if put:
        overlay.put(game, way.owner, overlay.tile)
    return game


def go(game: Game, name: str, tile: str) -> list[Event]:
    """Takes the way. No piece may be lost or gained, and the tile must be where the way leads."""
    way, before = WAYS[name], census(game)
    events: list[Event] = []
    if way.first is not None:
        text, nouns = way.first(game, tile)
        events += play(game, text, **nouns)
    events += way.then(game, tile)
    assert census(game) == before, "pieces were lost or gained"
    assert way.lands(game, tile), f"the tile is not where it goes when {name}"
    return events


def moved(overlay: Overlay, name: str, *others: str, put: bool = True) -> Game:
    """The game after a tile with the overlay took that way."""
    game = ready(overlay, name, *others, put=put)
    go(game, name, overlay.tile)
    return game


def asked_to_lay(overlay: Overlay, name: str, *others: str, put: bool = True) -> Game:
    """The way is taken up to the question where the tile goes: bought, sold, out of turn or left over."""
    game, first = ready(overlay, name, *others, put=put), WAYS[name].first
    if name == "left_over":
        end_game(game)
    elif name != "placed":
        assert first is not None
        text, nouns = first(game, overlay.tile)
        play(game, text, **nouns)
    settle(game, *LAYING)
    return game


def fate(overlay: Overlay, name: str, *others: str) -> str:
    """What became of the overlay of a tile that took that way: a word of the table. State and view must agree."""
    game, tile = moved(overlay, name, *others), overlay.tile
    lies, seen = overlay.lies(game, tile), overlay.seen(game, tile)
    if lies and tile not in game.state.box:
        assert seen, "the view does not show it"
        return "stays"
    assert not seen, "the view still shows it"
    return "leaves" if lies or not overlay.home(game) else "returns"


def bare(overlay: Overlay, name: str, *others: str) -> bool:
    """Whether a tile that takes that way in play, without anything put on it by the test, carries no such overlay."""
    game = moved(overlay, name, *others, put=False)
    return not overlay.lies(game, overlay.tile) and not overlay.seen(game, overlay.tile)


def check(overlay: Overlay, name: str, expected: str) -> None:
    """A tile takes the way, and its overlay fares as a cell of the table says."""
    if expected == "none":
        assert bare(overlay, name)
    elif expected == "locked":
        assert kept_from(overlay, name)
    elif expected == "arrives":
        game = moved(overlay, name, put=False)
        assert overlay.lies(game, overlay.tile)
        assert overlay.seen(game, overlay.tile)
    else:
        assert fate(overlay, name) == expected


def kept_from(overlay: Overlay, name: str, *others: str) -> tuple[Violation, ...]:
    """Why a tile with the overlay may not take that way; without the overlay it may."""
    moved(overlay, name, *others, put=False)
    game, first = ready(overlay, name, *others), WAYS[name].first
    assert first is not None
    text, nouns = first(game, overlay.tile)
    return refused(game, text, **nouns)


def shown_on(game: Game, key: str, kind: str, tile: str) -> bool:
    """Whether everybody sees a piece of that kind on the tile: named with it, or on its cell in an Alhambra."""
    seat = in_alhambra(game, tile)
    cells = () if seat is None else game.state.seats[seat].board.cells_of(tile)
    return any(
        piece.get("tile") == tile or (piece.get("seat") == seat and piece.get("cell") in cells)
        for piece in pieces(game, key, kind=kind)
    )


def walls_shown(game: Game, tile: str) -> bool:
    """Whether everybody sees a wooden wall on a tile that is built."""
    boards = (seat["alhambra"] for seat in game.view(None)["seats"])
    return any(entry["tile"] == tile and "wooden_walls" in entry for board in boards for entry in board)


def settle(game: Game, *until: str) -> list[Event]:
    """Answers questions with the first legal move until one of these kinds is asked, or the game is over."""
    events: list[Event] = []
    for _ in range(20):
        if game.decision is None or game.decision.kind in until:
            return events
        events += game.apply(next(game.moves()))
    raise AssertionError(f"{until} was never asked")


def in_alhambra(game: Game, tile: str) -> int | None:
    """The seat in whose Alhambra a tile is built; None if in no one's."""
    seats = game.state.seats
    return next((seat for seat, owner in enumerate(seats) if tile in owner.board.placed), None)


def exactly(game: Game, tile: str) -> str:
    """Two cards of denars, or one, that pay exactly for a tile."""
    price = game.ruleset.tiles[tile].price or 0
    return f"denar-{price}" if price <= 9 else f"denar-{price - 9} denar-9"


# -- Where a way begins ------------------------------------------------------------------------------------------------


def bought(game: Game, tile: str) -> None:
    """Seat 0 has overpaid the tile and is asked where it goes."""
    market(game, **{**FULL, "denar": tile})
    hand(game, 0, "denar-8 denar-9")
    play(game, "buy market-denar denar-8 denar-9")
    settle(game, "place_tiles")


def in_reserve(game: Game, tile: str) -> None:
    """The tile lies in the reserve of seat 0."""
    reserve(game, 0, tile)


def built(game: Game, tile: str) -> None:
    """The tile is the second one east of the fountain of seat 0."""
    alhambra(game, 0, {FIRST: NEIGHBOUR, BUILT: tile})


def built_with_another_in_reserve(game: Game, tile: str) -> None:
    """A tile of the reserve can take its place."""
    built(game, tile)
    reserve(game, 0, OTHER)


def built_beside_a_contractor(game: Game, tile: str) -> None:
    """A contractor is at hand, who moves a building inside the Alhambra."""
    built(game, tile)
    arrange(game, "carpenter contractor")


def built_beside_a_full_stall(game: Game, tile: str) -> None:
    """Each of the four places of the personal market is taken."""
    built(game, tile)
    stall(game, 0, **STALL)


def for_sale(game: Game, tile: str) -> None:
    """The tile lies in the personal market of seat 1, and seat 0 can pay for it."""
    stall(game, 1, denar=tile)
    hand(game, 0, "denar-8 denar-9")


def before_the_dancer(game: Game, tile: str) -> None:
    """The tile lies on the market, and seat 1 may let the dancer sink it."""
    give(game, 1, "dancer")
    market(game, **{**FULL, "denar": tile})
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    play(game, "take_money dukat-5")
    settle(game, "start")


def before_the_vizier(game: Game, tile: str) -> None:
    """The tile lies on the market, and seat 1 can pay exactly for it between two turns."""
    market(game, **{**FULL, "denar": tile})
    hand(game, 1, exactly(game, tile))
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    play(game, "take_money dukat-5")
    settle(game, "window")


def at_the_end(game: Game, tile: str) -> None:
    """The tile lies on the market; seat 2 has the most money for it, and seat 0 is about to take the last turn."""
    market(game, denar=tile)
    hand(game, 2, "denar-9")


# -- What is played after the first move -------------------------------------------------------------------------------


def stow(game: Game, tile: str) -> list[Event]:
    """The removed tile is put into the personal market."""
    return play(game, f"reserve {tile}", slot="personal-0-denar")


def box(game: Game, tile: str) -> list[Event]:
    """The removed tile leaves the game."""
    return play(game, f"box {tile}")


def lay(game: Game, tile: str) -> list[Event]:
    """The tile is built beside the fountain as soon as its owner is asked."""
    events = settle(game, *LAYING)
    return [*events, *play(game, f"place {tile} @1,0")]


def end_and_lay(game: Game, tile: str) -> list[Event]:
    """The game ends, and the recipient of the tile builds it."""
    return [*end_game(game), *lay(game, tile)]


def resign(game: Game, _tile: str) -> list[Event]:
    """The owner of the tile leaves the table."""
    return game.resign(0)


def _text(form: str, **nouns: Any) -> Callable[[Game, str], tuple[str, dict[str, Any]]]:
    return lambda _game, tile: (form.format(tile=tile), nouns)


def _pay(game: Game, tile: str) -> tuple[str, dict[str, Any]]:
    return f"buy market-denar {exactly(game, tile)}", {}


def _at(seat: int, cell: Cell) -> Callable[[Game, str], bool]:
    def lies(game: Game, tile: str) -> bool:
        board = game.state.seats[seat].board
        return tile in board.placed and board.cells_of(tile)[0] == cell

    return lies


def _reserved(game: Game, tile: str) -> bool:
    return tile in game.ruleset.reserve.tiles(game, 0)


WAYS: dict[str, Way] = {
    "placed": Way(bought, _text("place {tile} @1,0"), _at(0, FIRST)),
    "reserved": Way(bought, _text("reserve {tile}"), _reserved),
    "added": Way(in_reserve, _text("add {tile} @1,0"), _at(0, FIRST)),
    "removed": Way(built, _text("remove {tile}"), _reserved),
    "swapped": Way(built_with_another_in_reserve, _text(f"swap {OTHER} @2,0"), _reserved),
    "relocated": Way(
        built_beside_a_contractor,
        _text("move_tile {tile} @0,1", items=("contractor",)),
        _at(0, MOVED),
        modules=("travelling_craftsmen",),
    ),
    "stowed": Way(built, _text("remove {tile}"), _reserved, stow, modules=(MARKET,)),
    "sold": Way(
        *(for_sale, _text("buy denar-8 denar-9", slot="personal-1-denar"), _at(0, FIRST), lay),
        modules=(MARKET,),
        owner=1,
    ),
    "given": Way(bought, _text("give_to_dirk {tile}"), lambda game, tile: tile in game.state.dirk, seats=2),
    "boxed": Way(
        *(built_beside_a_full_stall, _text("remove {tile}"), lambda game, tile: tile in game.state.box, box),
        modules=(MARKET,),
    ),
    "sunk": Way(
        *(before_the_dancer, _text("dance market-denar"), lambda game, tile: tile in game.state.tower),
        modules=("characters",),
        owner=1,
    ),
    "out_of_turn": Way(before_the_vizier, _pay, _at(1, FIRST), lay, modules=("viziers_favour",), owner=1),
    "left_over": Way(at_the_end, None, _at(2, FIRST), end_and_lay, owner=2),
    "resigned": Way(built, None, _at(0, BUILT), resign),
}
