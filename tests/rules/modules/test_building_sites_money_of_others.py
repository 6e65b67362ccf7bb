"""23 Building sites: what other modules pay with, change and give."""

from __future__ import annotations

import pytest

from alhambra.modules.caravanserai import Caravans
from alhambra.modules.change import Coins
from alhambra.modules.exchange_certificates import Certificates
from alhambra.modules.invaders import SCOUTS, Invaders
from tests.rules.modules.building_sites_table import (
    GARDEN,
    building_yard,
    built,
    in_reserve,
    lay_site,
    only_markers,
    sites,
    start,
)
from tests.rules.modules.characters_table import asked, give
from tests.rules.modules.craftsmen_table import arrange
from tests.rules.modules.test_building_sites_with_others import on_turn
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    end_game,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    play,
    refused,
    table,
)

# -- Money -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.34")
def test_nothing_that_changes_the_price_serves_at_the_start_or_at_completion() -> None:
    """No treasure, no patron, no watchtower."""
    game = building_yard(3, "treasures", "characters", "watchtowers", cards="denar-4")
    faults = refused(game, "buy market-denar denar-4", choice="site", items=("treasure-1",))
    assert fact(faults, "NOT_ACCEPTED") == {"id": "treasure-1", "purchase": "buy"}
    assert {move.choice for move in game.moves() if move.slot == "market-denar"} == set()
    in_reserve(game, 0, "tower-11", "gulden")
    hand(game, 0, "gulden-9")
    faults = refused(game, "complete_site tower-11 gulden-9", items=("treasure-2",))
    assert fact(faults, "NOT_ACCEPTED") == {"id": "treasure-2", "purchase": "site"}


@pytest.mark.rule("23.34", "07.37")
def test_the_rich_patron_neither_starts_nor_completes_a_site() -> None:
    """He makes a payment exact, and a site never is."""
    game = building_yard(3, "characters")
    give(game, 0, "rich_patron")
    assert legal(game, "buy market-denar", items=("rich_patron",))
    assert "NOT_ACCEPTED" in codes(refused(game, "buy market-denar", choice="site", items=("rich_patron",)))
    in_reserve(game, 0, "tower-11", "gulden")
    assert "NOT_ACCEPTED" in codes(refused(game, "complete_site tower-11", items=("rich_patron",)))


@pytest.mark.rule("23.31", "23.38")
def test_overpaying_the_half_gives_coins_and_a_certificate_and_exactly_the_half_gives_none() -> None:
    """What counts is what was paid beyond the half."""
    game = building_yard(3, "change", "exchange_certificates", cards="denar-5 denar-9")
    start(game, "denar-9")
    assert len(game.module_state(Coins).held[0]) == 2
    assert game.decision is not None
    assert (game.decision.kind, game.decision.context) == ("save_certificate", {"amount": 4})
    game = building_yard(3, "change", "exchange_certificates")
    start(game, "denar-5")
    assert game.module_state(Coins).held[0] == ()
    assert asked(game) == ("site_marker", 0)


@pytest.mark.rule("23.39")
def test_overpaying_a_completion_gives_coins_and_a_certificate() -> None:
    game = on_turn(built("dukat", "change", "exchange_certificates"), "dukat-9 dukat-6")
    play(game, f"complete_site {GARDEN} dukat-6 dukat-9")
    assert len(game.module_state(Coins).held[0]) == 2
    assert asked(game) == ("save_certificate", 0)


@pytest.mark.rule("23.39")
def test_overpaying_a_completion_brings_no_fresh_colours() -> None:
    game = on_turn(built("dukat", "fresh_colours"), "dukat-9 dukat-6")
    play(game, f"complete_site {GARDEN} dukat-6 dukat-9")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("23.39")
@pytest.mark.parametrize(
    ("module", "tile", "event"),
    [
        ("gates_without_end", "arcades-10", "key_gained"),
        ("buildings_of_power", "power_strength_seraglio-8-s", "die_placed"),
        ("invaders", "garden-10", "scout_won"),
    ],
)
def test_what_comes_with_a_tile_does_not_come_again_at_its_completion(module: str, tile: str, event: str) -> None:
    game = table(3, modules=["building_sites", module])
    if module == "invaders":
        kept = game.module_state(Invaders)
        kept.open, kept.scouts = ("scout_garden",), tuple(scout for scout in SCOUTS if scout != "scout_garden")
    alhambra(game, 0, {(1, 0): tile})
    lay_site(game, 0, tile, "dukat")
    price = game.ruleset.tiles[tile].price
    cards = "dukat-8" if price == 8 else "dukat-1 dukat-9"
    hand(game, 0, cards)
    events = kinds(play(game, f"complete_site {tile} {cards}"))
    assert "bonus_action" in events, "paid exactly"
    assert event not in events


@pytest.mark.rule("23.35", "02.19")
def test_coins_caravans_certificates_and_bureaux_pay_for_a_completion() -> None:
    game = on_turn(
        built("dukat", "change", "caravanserai", "exchange_certificates", "bureaux_de_change"), "dukat-6 denar-2"
    )
    coins, caravans = game.module_state(Coins), game.module_state(Caravans)
    coins.held = (("coin-dukat",), *coins.held[1:])
    caravans.owners, caravans.markers = {"caravanserai_3": 0}, {"caravanserai_3": ("dukat", 2)}
    game.module_state(Certificates).saved = (("dukat", 2), *game.module_state(Certificates).saved[1:])
    items = ("caravanserai_3", "certificate", "coin-dukat")
    events = play(game, f"complete_site {GARDEN} dukat-6", items=items)
    assert events_of(events, "paid")[0]["exact"]
    game = on_turn(built("dukat", "bureaux_de_change"))
    bureau = next(
        tender
        for tender in game.state.deck
        if tender.startswith("exchange") and {"dukat", "denar"} <= {*words_of(tender)}
    )
    hand(game, 0, "dukat-6 denar-5", bureau)
    assert legal(game, f"complete_site {GARDEN} dukat-6 denar-5 {bureau}")


def words_of(card: str) -> list[str]:
    return card.replace("-", "_").split("_")


@pytest.mark.rule("23.22", "06.15")
def test_diamonds_alone_pay_for_start_and_completion() -> None:
    game = building_yard(3, "diamonds", cards="diamond-5")
    only_markers(game, "gulden", "gulden")
    start(game, "diamond-5")
    play(game, "keep_marker", currency="gulden")
    play(game, f"place {GARDEN} @1,0")
    play(on_turn(game, "diamond-8 diamond-4"), f"complete_site {GARDEN} diamond-4 diamond-8")
    assert game.state.covered == ()


@pytest.mark.rule("23.37", "07.65")
def test_the_miser_takes_no_card_at_start_or_completion() -> None:
    """The price of a start is the half, and a completion buys no tile."""
    game = building_yard(3, "characters")
    give(game, 0, "miser")
    only_markers(game, "denar", "denar")
    start(game)
    play(game, "keep_marker", currency="denar")
    assert asked(game) == ("place_tiles", 0)
    play(game, f"place {GARDEN} @1,0")
    on_turn(game, "denar-6 denar-5")
    play(game, f"complete_site {GARDEN} denar-5 denar-6")
    assert asked(game) == ("action", 0)


@pytest.mark.rule("23.37", "15.20")
def test_a_site_wins_no_scout() -> None:
    game = building_yard(3, "invaders")
    assert "scout_won" not in kinds(start(game))


@pytest.mark.rule("23.47")
def test_diamonds_and_coins_are_kept_at_the_end_and_builder_cards_are_lost() -> None:
    game = built("dukat", "diamonds", "change", "master_builders")
    assert asked(game) == ("late", 0)
    play(game, "pass")
    market(game)
    game.module_state(Coins).held = (("coin-dukat",), *game.module_state(Coins).held[1:])
    builder = next(card for card in game.state.deck if card.startswith("builder"))
    sites(game).on = {GARDEN: (0, builder.split("-")[1])}
    lost = f"{builder.split('-')[1]}-3"
    hand(game, 0, "diamond-5", lost, builder)
    hand(game, 1)
    events = end_game(game)
    events += play(game, "pass")
    assert events_of(events, "cards_forfeited") == [{"seat": 0, "cards": tuple(sorted((builder, lost)))}]
    assert events_of(events, "card_left_game") == [{"card": builder}]
    assert "diamond-5" in game.state.seats[0].hand
    assert game.module_state(Coins).held[0] == ("coin-dukat",)


# -- The coiner --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.36")
def test_the_coiner_helps_to_start_a_site() -> None:
    game = building_yard(3, "travelling_craftsmen", cards="denar-1")
    arrange(game, "coiner carpenter")
    display(game, "denar-4 gulden-1 gulden-2 gulden-5")
    play(game, "buy market-denar denar-1", display=("denar-4",), items=("coiner",), choice="site")
    assert asked(game) == ("site_marker", 0)


@pytest.mark.rule("23.34", "31.29")
def test_the_carpenter_does_not_help_to_start_a_site() -> None:
    game = building_yard(3, "travelling_craftsmen", cards="denar-4")
    arrange(game, "coiner carpenter")
    violations = refused(game, "buy market-denar denar-4", items=("carpenter:1",), choice="site")
    assert fact(violations, "NOT_ACCEPTED") == {"id": "carpenter:1", "purchase": "buy"}


@pytest.mark.rule("23.34", "23.36")
def test_neither_coiner_nor_carpenter_helps_to_complete_a_site() -> None:
    game = building_yard(3, "travelling_craftsmen", cards="denar-5 denar-6")
    arrange(game, "coiner carpenter")
    in_reserve(game, 0, "tower-11", "denar")
    display(game, "denar-4 gulden-1 gulden-2 gulden-5")
    violations = refused(game, "complete_site tower-11 denar-5 denar-6", items=("coiner",))
    assert fact(violations, "NOT_ACCEPTED") == {"id": "coiner", "purchase": "site"}
    assert "NOT_ACCEPTED" in codes(refused(game, "complete_site tower-11 denar-5 denar-6", items=("carpenter:1",)))
    assert "NOUN_UNEXPECTED" in codes(refused(game, "complete_site tower-11 denar-6", display=("denar-4",)))
    assert legal(game, "complete_site tower-11 denar-5 denar-6")
