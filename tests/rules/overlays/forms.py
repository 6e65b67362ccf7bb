"""Other forms of the ways in which a tile can move: by a claim, at a key, by the brickmaker, onto a full market …"""

from __future__ import annotations

from alhambra import Event, Game
from tests.rules.modules.craftsmen_table import arrange
from tests.rules.modules.gates_without_end_table import facing, give_key
from tests.rules.modules.personal_market_table import stall
from tests.rules.modules.power_of_the_sultan_table import held
from tests.rules.overlays.ways import (
    BUILT,
    FIRST,
    FULL,
    LAYING,
    MARKET,
    MOVED,
    OTHER,
    STALL,
    Way,
    at_the_end,
    bought,
    built,
    built_at,
    for_sale,
    in_reserve,
    lay,
    move_of,
    reserved,
    resign,
    settle,
)
from tests.rules.situations import alhambra, display, end_game, hand, market, play, tower

CARD = "sultan_denar_1"


def before_a_claim(game: Game, tile: str) -> None:
    """The tile was drawn for the market, and seat 1 may claim it."""
    held(game, 1, CARD, game.ruleset.tiles[tile].type)
    market(game, **{currency: other for currency, other in FULL.items() if currency != "denar"})
    tower(game, tile)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    play(game, "take_money dukat-5")
    settle(game, "claim")


def turn_key(game: Game, bonus: str, seat: int) -> None:
    """Seat 0 ends its turn and turns a key so that the bonus faces the gate of the seat. It takes so much money that no
    major-domo walks."""
    key, rotation = facing(game, seat, bonus)
    give_key(game, 0, key)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-9")
    play(game, "take_money dukat-9")
    settle(game, "after")
    play(game, "use_key")
    play(game, "turn_key", **({"rotation": rotation} if rotation else {}))


def at_the_gate_of_a_buyer(game: Game, tile: str) -> None:
    """Seat 1 may buy the tile for 14 at its gate."""
    market(game, **{**FULL, "denar": tile})
    hand(game, 1, "denar-9 gulden-5")
    turn_key(game, "buy_for_14", 1)
    while game.decision is not None and game.decision.seat != 1:
        play(game, "pass")


def at_the_gate_of_a_builder(game: Game, tile: str) -> None:
    """Seat 0 may move the tile inside its Alhambra at its gate."""
    built(game, tile)
    turn_key(game, "rebuild", 0)


def facing_another_tile(game: Game, tile: str) -> None:
    """The tile lies in the reserve, and a tile of the Alhambra can make room for it."""
    alhambra(game, 0, {FIRST: OTHER})
    in_reserve(game, tile)


def beside_the_brickmaker(game: Game, tile: str) -> None:
    """The tile is built, and the brickmaker can lay a tile just bought in its place."""
    built(game, tile)
    arrange(game, "brickmaker carpenter", "contractor")
    bought(game, OTHER)


def in_a_full_stall(game: Game, tile: str) -> None:
    """The tile lies in the own personal market, all of whose places are taken; another one is about to be removed."""
    alhambra(game, 0, {FIRST: OTHER})
    stall(game, 0, **{**STALL, "denar": tile})


def for_sale_by_a_seat_that_resigned(game: Game, tile: str) -> None:
    """The tile lies in the personal market of seat 1, which has left the table."""
    for_sale(game, tile)
    game.resign(1)


def displace(game: Game, _tile: str) -> list[Event]:
    """The removed tile takes the place of the one that is followed."""
    return play(game, f"reserve {OTHER}", slot="personal-0-denar")


def end_and_leave(game: Game, tile: str) -> list[Event]:
    """The game ends, and the recipient does not build the tile."""
    events = [*end_game(game), *settle(game, "leftover_tiles")]
    return [*events, *play(game, f"leave {tile}")]


def reserve_it(game: Game, tile: str) -> list[Event]:
    """The tile that was lifted goes into the reserve."""
    return [*settle(game, "place_now"), *play(game, f"reserve {tile}")]


def lay_it_elsewhere(game: Game, tile: str) -> list[Event]:
    """The tile that was lifted is built below the fountain."""
    return [*settle(game, "place_now"), *play(game, f"place {tile} @0,1")]


def give_it(game: Game, tile: str) -> list[Event]:
    """The tile that was bought or claimed is given to Dirk."""
    return [*settle(game, *LAYING), *play(game, f"give_to_dirk {tile}")]


def _boxed(game: Game, tile: str) -> bool:
    return tile in game.state.box


BRICK = move_of(f"lay_brick {OTHER} @{BUILT[0]},{BUILT[1]}", items=("brickmaker",))
FORMS: dict[str, Way] = {
    "claimed": Way(
        *(before_a_claim, move_of("claim", piece=CARD), built_at(1, FIRST), lay),
        modules=("power_of_the_sultan",),
        owner=1,
    ),
    "claimed_and_given": Way(
        *(before_a_claim, move_of("claim", piece=CARD), lambda game, tile: tile in game.state.dirk, give_it),
        modules=("power_of_the_sultan",),
        seats=2,
        owner=1,
    ),
    "bought_at_a_key": Way(
        *(at_the_gate_of_a_buyer, move_of("buy market-denar denar-9 gulden-5"), built_at(1, FIRST), lay),
        modules=("gates_without_end",),
        owner=1,
    ),
    "moved_at_a_key": Way(
        at_the_gate_of_a_builder, move_of("move_tile {tile} @0,1"), built_at(0, MOVED), modules=("gates_without_end",)
    ),
    "swapped_in": Way(facing_another_tile, move_of("swap {tile} @1,0"), built_at(0, FIRST)),
    "bricked_out": Way(beside_the_brickmaker, BRICK, reserved, reserve_it, modules=("travelling_craftsmen",)),
    "bricked_elsewhere": Way(
        beside_the_brickmaker, BRICK, built_at(0, MOVED), lay_it_elsewhere, modules=("travelling_craftsmen",)
    ),
    "displaced": Way(in_a_full_stall, move_of(f"remove {OTHER}"), _boxed, displace, modules=(MARKET,)),
    "sold_and_given": Way(
        *(for_sale, move_of("buy denar-8 denar-9", slot="personal-1-denar")),
        *(lambda game, tile: tile in game.state.dirk, give_it),
        modules=(MARKET,),
        seats=2,
        owner=1,
    ),
    "sold_after_resigning": Way(
        *(for_sale_by_a_seat_that_resigned, move_of("buy denar-8 denar-9", slot="personal-1-denar")),
        *(built_at(0, FIRST), lay),
        modules=(MARKET,),
        owner=1,
    ),
    "left_at_the_end": Way(at_the_end, None, _boxed, end_and_leave, owner=2),
    "resigned_before_placing": Way(bought, None, _boxed, resign),
    "resigned_with_a_reserve": Way(in_reserve, None, reserved, resign),
}
"""By name: a form of a way that the columns of the table do not tell apart."""
