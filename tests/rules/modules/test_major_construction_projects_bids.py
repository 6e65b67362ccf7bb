"""28 Major construction projects: what lies beside the open one, and what follows when a bid has won."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import Game, Options
from alhambra.invariants import census
from alhambra.modules.caravanserai import Caravans
from alhambra.modules.exchange_certificates import Certificates
from alhambra.modules.major_construction_projects import PROJECTS, Projects
from tests.rules.modules.major_construction_projects_table import KEY, VERTICAL, lying_bid, site
from tests.rules.situations import codes, deck, hand, kinds, legal, play, refused, take_turn


def all_projects(game: Game) -> Counter[str]:
    """All projects, wherever they are."""
    return Counter({tile: count for tile, count in census(game).items() if tile.startswith("project_")})


@pytest.mark.rule("28.4")
def test_chance_decides_in_which_order_the_projects_are_turned_up() -> None:
    orders = set()
    for number in range(5):
        projects = Game.new(Options(3, f"projects {number}", modules=[KEY])).module_state(Projects)
        orders.add((*projects.hidden, projects.project))
    assert len(orders) == 5
    assert {tuple(sorted(order)) for order in orders} == {tuple(sorted(tile.id for tile in PROJECTS))}


@pytest.mark.rule("28.1", "28.10")
def test_fifteen_projects_lie_open_face_down_or_with_somebody() -> None:
    game = site()
    assert all_projects(game) == Counter(tile.id for tile in PROJECTS)
    hand(game, 0, "denar-9 denar-7")
    play(game, "bid_project denar-9 denar-7")
    take_turn(game)
    take_turn(game)
    assert game.state.seats[0].pending == (VERTICAL,)
    assert all_projects(game) == Counter(tile.id for tile in PROJECTS)


@pytest.mark.rule("28.28")
def test_after_the_last_project_none_lies_open_and_none_is_lost() -> None:
    game = site()
    projects = game.module_state(Projects)
    game.state.box = (*game.state.box, *projects.hidden)
    projects.hidden = ()
    hand(game, 0, "denar-9 denar-7")
    play(game, "bid_project denar-9 denar-7")
    take_turn(game)
    take_turn(game)
    assert projects.project == ""
    assert all_projects(game) == Counter(tile.id for tile in PROJECTS)
    assert "" not in census(game)


@pytest.mark.rule("28.10", "28.23", "28.29")
def test_the_money_is_spent_then_the_next_project_is_turned_up_then_the_won_one_is_acquired() -> None:
    game = site(3, "master_builders")
    hand(game, 0, "denar-9 denar-4 builder-denar")
    play(game, "bid_project builder-denar denar-4 denar-9")
    take_turn(game)
    order = kinds([*play(game, "pass"), *take_turn(game), *play(game, "pass")])
    places = [order.index(kind) for kind in ("project_won", "card_left_game", "project_revealed", "acquired")]
    assert places == sorted(places)


@pytest.mark.rule("28.11")
def test_a_turn_after_which_a_project_was_turned_up_cannot_be_taken_back() -> None:
    game = site(2)
    hand(game, 0, "denar-9 denar-7")
    play(game, "bid_project denar-9 denar-7")
    deck(game, only=True)
    take_turn(game)
    assert game.state.seats[0].pending == (VERTICAL,)
    refusal = game.can_undo(1, consent=True)
    assert refusal is not None
    assert refusal.metadata["because"] == "revealed"


@pytest.mark.rule("28.22")
def test_a_saved_amount_cannot_be_bid() -> None:
    game = site(3, "exchange_certificates")
    hand(game, 0, "denar-9 denar-5")
    certificates = game.module_state(Certificates)
    certificates.saved = (("denar", 2), *certificates.saved[1:])
    pool = list(certificates.pool)
    pool.remove("denar")
    certificates.pool = tuple(pool)
    assert codes(refused(game, "bid_project denar-5 denar-9", items=("certificate",)))[0] == "NOT_ACCEPTED"


@pytest.mark.rule("28.22")
def test_an_amount_of_a_caravanserai_card_cannot_be_bid() -> None:
    game = site(3, "caravanserai")
    hand(game, 0, "denar-9 denar-5")
    caravans = game.module_state(Caravans)
    caravans.owners, caravans.markers = {"caravanserai_2": 0}, {"caravanserai_2": ("denar", 2)}
    assert codes(refused(game, "bid_project denar-5 denar-9", items=("caravanserai_2",)))[0] == "NOT_ACCEPTED"


@pytest.mark.rule("28.9", "28.42")
def test_a_bid_stays_when_another_player_resigns() -> None:
    game = site(4)
    hand(game, 0, "denar-9 denar-7")
    play(game, "bid_project denar-9 denar-7")
    game.resign(2)
    assert lying_bid(game) == {"seat": 0, "cards": ["denar-7", "denar-9"], "items": [], "sum": 16}
    hand(game, 1, "dirham-9 dirham-8")
    assert not legal(game, "bid_project dirham-8")
    assert legal(game, "bid_project dirham-8 dirham-9")
