"""The ways in which a tile can move: each brings a tile to where the way begins, and moves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from alhambra import Event, Game
from alhambra.components import Cell
from tests.rules.modules.characters_table import give
from tests.rules.modules.craftsmen_table import arrange
from tests.rules.modules.personal_market_table import stall
from tests.rules.situations import (
    alhambra,
    display,
    end_game,
    hand,
    market,
    play,
    reserve,
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


def move_of(form: str, **nouns: Any) -> Callable[[Game, str], tuple[str, dict[str, Any]]]:
    return lambda _game, tile: (form.format(tile=tile), nouns)


def _pay(game: Game, tile: str) -> tuple[str, dict[str, Any]]:
    return f"buy market-denar {exactly(game, tile)}", {}


def built_at(seat: int, cell: Cell) -> Callable[[Game, str], bool]:
    def lies(game: Game, tile: str) -> bool:
        board = game.state.seats[seat].board
        return tile in board.placed and board.cells_of(tile)[0] == cell

    return lies


def reserved(game: Game, tile: str) -> bool:
    return tile in game.ruleset.reserve.tiles(game, 0)


WAYS: dict[str, Way] = {
    "placed": Way(bought, move_of("place {tile} @1,0"), built_at(0, FIRST)),
    "reserved": Way(bought, move_of("reserve {tile}"), reserved),
    "added": Way(in_reserve, move_of("add {tile} @1,0"), built_at(0, FIRST)),
    "removed": Way(built, move_of("remove {tile}"), reserved),
    "swapped": Way(built_with_another_in_reserve, move_of(f"swap {OTHER} @2,0"), reserved),
    "relocated": Way(
        built_beside_a_contractor,
        move_of("move_tile {tile} @0,1", items=("contractor",)),
        built_at(0, MOVED),
        modules=("travelling_craftsmen",),
    ),
    "stowed": Way(built, move_of("remove {tile}"), reserved, stow, modules=(MARKET,)),
    "sold": Way(
        *(for_sale, move_of("buy denar-8 denar-9", slot="personal-1-denar"), built_at(0, FIRST), lay),
        modules=(MARKET,),
        owner=1,
    ),
    "given": Way(bought, move_of("give_to_dirk {tile}"), lambda game, tile: tile in game.state.dirk, seats=2),
    "boxed": Way(
        *(built_beside_a_full_stall, move_of("remove {tile}"), lambda game, tile: tile in game.state.box, box),
        modules=(MARKET,),
    ),
    "sunk": Way(
        *(before_the_dancer, move_of("dance market-denar"), lambda game, tile: tile in game.state.tower),
        modules=("characters",),
        owner=1,
    ),
    "out_of_turn": Way(before_the_vizier, _pay, built_at(1, FIRST), lay, modules=("viziers_favour",), owner=1),
    "left_over": Way(at_the_end, None, built_at(2, FIRST), end_and_lay, owner=2),
    "resigned": Way(built, None, built_at(0, BUILT), resign),
}
