"""What a player who resigns leaves behind in games with modules: it stays, returns, or leaves the game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from alhambra import Game
from tests.rules.interactions.deals import COMING, MARKET
from tests.rules.modules.change_table import coins
from tests.rules.modules.characters_table import give, owner_of
from tests.rules.modules.city_gates_table import gates, two_walls
from tests.rules.modules.colours_table import have, own_projects
from tests.rules.modules.craftsmen_table import shown
from tests.rules.modules.handymen_table import post, posted
from tests.rules.modules.palace_staff_table import staffed
from tests.rules.modules.personal_market_table import stall
from tests.rules.modules.power_of_the_sultan_table import held as hold_sultan_card
from tests.rules.modules.test_caravanserai import DUKATS
from tests.rules.modules.test_caravanserai import give as give_caravan
from tests.rules.modules.test_exchange_certificates import save
from tests.rules.modules.watchtowers_table import stand
from tests.rules.situations import alhambra, deck, display, hand, market, pieces, play, reserve, table


def of_seat_1(game: Game, key: str) -> list[str]:
    """What everybody sees of a module before seat 1, by the names of the pieces."""
    return [piece.get("piece", piece.get("kind", "")) for piece in pieces(game, key, seat=1)]


def dealt_anyway(_game: Game) -> None:
    """They are dealt anyway."""


def decorate(game: Game) -> None:
    """Seat 1 has colours and a project."""
    have(game, 1, "garden", "tower")
    own_projects(game, 1, "fresh_garden_1")


def bid(game: Game) -> None:
    """Seat 1 has bid for the project."""
    hand(game, 0, "denar-9 denar-8")
    play(game, "bid_project denar-8 denar-9")
    hand(game, 1, "dukat-9 dukat-9")
    play(game, "bid_project dukat-9 dukat-9")
    hand(game, 2, "gulden-9 gulden-9")


def sold(game: Game) -> bool:
    """Whether the tile of seat 1 can be bought, and its price goes to the discard."""
    hand(game, 0, "denar-8")
    play(game, "buy denar-8", slot="personal-1-denar")
    return "denar-8" in game.state.discard and not game.state.seats[1].hand


CASES: dict[str, tuple[Callable[[Game], object], Callable[[Game], bool]]] = {
    "bonus_cards": (dealt_anyway, lambda game: not of_seat_1(game, "bonus_cards")),
    "characters": (lambda game: give(game, 1, "trader"), lambda game: owner_of(game, "trader") is None),
    "thieves": (dealt_anyway, lambda game: not of_seat_1(game, "thieves")),
    "change": (
        lambda game: coins(game, 1, "denar", "dukat"),
        lambda game: sum(piece.get("amount", 1) for piece in pieces(game, "change", seat=None)) == 24,
    ),
    "power_of_the_sultan": (
        lambda game: hold_sultan_card(game, 1, "sultan_denar_1", "garden"),
        lambda game: of_seat_1(game, "power_of_the_sultan") == ["sultan_denar_1"],
    ),
    "caravanserai": (
        lambda game: give_caravan(game, 1, **{DUKATS: ("dukat", 4)}),
        lambda game: of_seat_1(game, "caravanserai") == [DUKATS],
    ),
    "exchange_certificates": (
        lambda game: save(game, 1, "denar", 3),
        lambda game: not of_seat_1(game, "exchange_certificates"),
    ),
    "major_construction_projects": (bid, lambda game: not of_seat_1(game, "major_construction_projects")),
    "travelling_craftsmen": (lambda game: shown(game, 1), lambda game: shown(game, 1) == ()),
    "fresh_colours": (
        decorate,
        lambda game: not of_seat_1(game, "fresh_colours"),
    ),
    "handymen": (lambda game: post(game, 1, "denar", 2), lambda game: posted(game, 1, "denar") == 0),
    "personal_building_market": (lambda game: stall(game, 1, denar="garden-8-sw"), sold),
}
"""By module: what seat 1 has, and what holds after it has resigned."""
KEPT = ("power_of_the_sultan", "caravanserai", "personal_building_market")
"""Modules whose pieces stay; before a resignation nothing else can be told from their cases."""


@pytest.mark.rule("00.64")
@pytest.mark.parametrize("key", CASES)
def test_what_a_player_leaves_behind_stays_returns_or_leaves_the_game(key: str) -> None:
    put, holds = CASES[key]
    game = table(4, modules=[key])
    market(game, **MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-6")
    deck(game, COMING)
    put(game)
    assert key in KEPT or not holds(game)
    game.resign(1)
    assert holds(game)


@pytest.mark.rule("00.64")
def test_tiles_in_the_reserve_of_a_player_who_resigned_stay_there() -> None:
    game = table()
    reserve(game, 1, "garden-10 tower-11")
    display(game, "dukat-1")
    game.resign(1)
    assert game.state.seats[1].reserve == ("garden-10", "tower-11")
    assert not {"garden-10", "tower-11"} & {*game.state.box}


@pytest.mark.rule("00.68")
def test_a_gate_that_was_to_be_set_stands_when_its_builder_resigns() -> None:
    game = gates()
    two_walls(game)
    play(game, "add tower-9-nw @2,0", choice="gate")
    assert not game.board(0).passages
    game.resign(0)
    assert len(game.board(0).passages) == 1


@pytest.mark.rule("00.68")
def test_a_figure_on_a_watchtower_walks_on_when_its_owner_resigns() -> None:
    game = staffed(3, "watchtowers")
    alhambra(game, 0, {(1, 0): "garden-10"})
    stand(game, 0, "garden", (2, 0), "NW")
    display(game, "dukat-3")
    play(game, "take_money dukat-3")
    play(game, "step", side="E")
    play(game, "step", side="E")
    (before,) = pieces(game, "palace_staff", seat=0, kind="major_domo")
    game.resign(0)
    (after,) = pieces(game, "palace_staff", seat=0, kind="major_domo")
    assert (before["cell"], after["cell"]) == ((2, 0), (1, 0))
