"""What follows from a purchase, in its order: payment, returns, coins, certificate, colours, building, marker, fruit,
key, die, scout, miser, further action."""

from __future__ import annotations

import pytest

from alhambra import Event, Game
from alhambra.modules.exchange_certificates import Certificates
from alhambra.modules.invaders import SCOUTS, Invaders
from alhambra.modules.orchards import Orchards
from tests.rules.interactions.story import go_on, order
from tests.rules.modules.change_table import bag, coins
from tests.rules.modules.characters_table import give
from tests.rules.modules.test_exchange_certificates import save
from tests.rules.situations import deck, display, events_of, hand, market, play, table

WORDS = (
    *("paid", "coins_returned", "stone_returned", "handymen_used", "coins_drawn", "asked save_certificate"),
    *("asked fresh_choice", "asked ground_building", "building_chosen", "site_started", "asked site_marker"),
    *("marker_kept", "asked plant_fruit", "fruit_planted", "key_gained", "die_placed", "scout_won", "asked miser"),
    "bonus_action",
)
ALL = (
    *("characters", "change", "invaders", "building_sites", "exchange_certificates", "new_building_grounds"),
    *("orchards", "fresh_colours", "gates_without_end", "buildings_of_power"),
)


def shop(tile: str, held: str) -> Game:
    """The tile lies on the denar space; seat 0 owns the miser, a coin and a certificate for 3 denars."""
    game = table(3, modules=list(ALL))
    market(game, gulden="tower-11", dirham="seraglio-7-w", denar=tile, dukat="chambers-5-nsw")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-6")
    deck(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    give(game, 0, "miser")
    coins(game, 0, "denar")
    save(game, 0, "denar", 3)
    game.module_state(Invaders).open, game.module_state(Invaders).scouts = tuple(SCOUTS), ()
    hand(game, 0, held)
    return game


def with_fruit(game: Game, tile: str) -> Game:
    kept = game.module_state(Orchards)
    kept.on_tiles = {tile: kept.supply[0]}
    kept.supply = kept.supply[1:]
    return game


def bought(game: Game, cards: str, *items: str, **nouns: str) -> list[Event]:
    """Seat 0 buys what lies on the denar space and answers all questions, taking what it can."""
    events = play(game, f"buy market-denar {cards}", items=items, **nouns)
    return [*events, *go_on(game, "action", taking=True)]


@pytest.mark.rule("99.60", "24.19", "30.15", "11.16")
def test_an_overpaid_building_brings_coins_certificate_colours_fruit_and_key_before_the_miser() -> None:
    tile = "power_wisdom_arcades-10"
    game = with_fruit(shop(tile, "denar-8"), tile)
    events = bought(game, "denar-8", "certificate", "coin-denar")
    assert order(events, WORDS) == [
        *("paid", "stone_returned", "coins_drawn", "asked save_certificate", "asked fresh_choice"),
        *("asked plant_fruit", "fruit_planted", "key_gained", "asked miser"),
    ]


@pytest.mark.rule("99.60")
def test_an_exactly_paid_building_brings_fruit_die_scout_and_miser_before_the_further_action() -> None:
    tile = "power_strength_tower-13-e"
    game = with_fruit(shop(tile, "denar-9"), tile)
    events = bought(game, "denar-9", "certificate", "coin-denar")
    assert order(events, WORDS) == [
        *("paid", "stone_returned", "asked plant_fruit", "fruit_planted", "die_placed", "scout_won", "asked miser"),
        "bonus_action",
    ]


@pytest.mark.rule("99.60", "23.31", "23.33")
def test_an_overpaid_site_on_a_ground_has_its_building_before_its_marker() -> None:
    game = shop("ground_12_1", "denar-8")
    events = bought(game, "denar-8", choice="site")
    assert order(events, WORDS) == [
        *("paid", "coins_drawn", "asked fresh_choice", "asked ground_building", "building_chosen"),
        *("site_started", "asked site_marker", "marker_kept"),
    ]


@pytest.mark.rule("99.56", "11.34")
def test_spent_coins_are_in_the_bag_and_the_spent_stone_in_the_pool_before_anything_is_drawn_or_saved() -> None:
    game = shop("garden-10", "denar-8")
    bag(game)
    game.module_state(Certificates).pool = ()
    events = play(game, "buy market-denar denar-8", items=("certificate", "coin-denar"))
    assert order(events, WORDS) == ["paid", "stone_returned", "coins_drawn", "asked save_certificate"]
    assert events_of(events, "coins_drawn")[0]["items"] == ("coin-denar",)
    assert [move.currency for move in game.moves() if move.verb == "save"] == ["denar"]
