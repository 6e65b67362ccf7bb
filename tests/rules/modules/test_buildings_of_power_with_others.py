"""38 Buildings of power together with other modules."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game, Move
from alhambra.modules.buildings_of_power import Powers
from tests.rules.hooks.asking import asked
from tests.rules.modules.characters_table import give
from tests.rules.modules.gates_without_end_table import pass_gates, turned
from tests.rules.modules.handymen_table import post
from tests.rules.modules.power_of_the_sultan_table import held
from tests.rules.modules.powers_table import (
    ARCHITECTURE,
    STRENGTH,
    WEALTH,
    WISDOM,
    hide,
    load,
    powers,
    put_die,
    use,
    with_function,
)
from tests.rules.modules.viziers_favour_table import index
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
    end_game,
    events_of,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    play,
    points,
    refused,
    reserve,
    take_turn,
    tower,
)


def buy_garden(game: Game) -> list[str]:
    """Seat 0 buys the tile on the denar space; what happens then, by kind."""
    hand(game, 0, "denar-9 denar-2")
    play(game, "buy market-denar denar-2 denar-9")
    return kinds(play(game, "reserve garden-10"))


# -- Hidden tiles ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("38.21")
def test_a_hidden_tile_that_belongs_beside_the_market_goes_there_and_drawing_continues() -> None:
    game = powers(3, "bazaars")
    hide(game, 1, "denar", "bazaar_1")
    tower(game, "tower-9-es")
    buy_garden(game)
    assert game.state.beside["bazaar"] == ("bazaar_1",)
    assert game.state.market[2] == "tower-9-es"


@pytest.mark.rule("38.22")
def test_a_flip_is_no_draw_so_nobody_claims_the_tile() -> None:
    game = powers(3, "power_of_the_sultan")
    held(game, 1, "sultan_denar_1", "tower")
    hide(game, 1, "denar", "tower-9-es")
    told = buy_garden(game)
    assert "hidden_tile_turned" in told
    assert "claim_offered" not in told
    assert "tile_drawn" not in told
    assert game.state.market[2] == "tower-9-es"


def test_the_same_tile_is_claimed_if_it_is_drawn() -> None:
    game = powers(3, "power_of_the_sultan")
    held(game, 1, "sultan_denar_1", "tower")
    tower(game, "tower-9-es")
    assert "claim_offered" in buy_garden(game)
    assert asked(game) == ("claim", 1)


@pytest.mark.rule("38.23")
def test_the_dancer_leaves_a_hidden_tile_in_place() -> None:
    game = powers(3, "characters")
    give(game, 1, "dancer")
    hide(game, 2, "denar", "tower-9-es")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    take_turn(game)
    tower(game, "tower-9-ne")
    play(game, "dance market-denar")
    assert game.state.market[2] == "tower-9-ne"
    assert game.module_state(Powers).hidden[2] == "tower-9-es"


@pytest.mark.rule("38.23")
def test_handymen_are_taken_back_before_a_hidden_tile_is_turned_up() -> None:
    game = powers(3, "handymen")
    hide(game, 1, "denar", "tower-9-es")
    post(game, 2, "denar")
    buy_garden(game)
    assert asked(game) == ("take_back", 2)
    assert game.state.market[2] == ""
    assert "hidden_tile_turned" in kinds(play(game, "take_back market-denar", amount=1))


@pytest.mark.rule("38.26")
def test_a_hidden_tile_that_belongs_beside_the_market_leaves_the_game_at_the_end() -> None:
    game = powers(3, "bazaars")
    hide(game, 1, "gulden", "bazaar_1")
    hand(game, 2, "gulden-9")
    events = end_game(game)
    assert "bazaar_1" in game.state.box
    assert ("tower-11", 2) in [(told["tile"], told["seat"]) for told in events_of(events, "leftover_awarded")]


# -- Out of turn -------------------------------------------------------------------------------------------------------


def vizier_buys(tile: str) -> Game:
    """Seat 1 buys a building of power out of turn."""
    game = powers(3, "viziers_favour")
    market(game, gulden="tower-11", dirham="seraglio-7-w", denar=tile, dukat="chambers-5-nsw")
    price = game.ruleset.tiles[tile].price
    assert price is not None
    cards = f"denar-{price}" if price < 10 else f"denar-9 denar-{price - 9}"
    hand(game, 1, cards)
    take_turn(game)
    assert asked(game) == ("window", 1)
    play(game, f"buy market-denar {cards}")
    play(game, f"reserve {tile}")
    return game


@pytest.mark.rule("38.34")
def test_a_viziers_building_has_its_die_at_once() -> None:
    game = vizier_buys(STRENGTH)
    assert game.module_state(Powers).dice[STRENGTH][0] == 1


@pytest.mark.rule("38.34")
def test_a_viziers_function_waits_for_the_end_of_the_own_turn() -> None:
    game = vizier_buys(ARCHITECTURE)
    while asked(game)[0] == "window":
        play(game, "pass")
    assert asked(game) == ("action", 1)
    take_turn(game)
    assert asked(game) == ("after", 1)


@pytest.mark.rule("38.34", "38.35")
def test_a_claimed_building_has_its_die_at_once() -> None:
    game = powers(3, "power_of_the_sultan")
    held(game, 1, "sultan_denar_1", "chambers")
    market(game, gulden="tower-11", dirham="seraglio-7-w", denar="garden-10")
    tower(game, STRENGTH, "garden-9-e")
    take_turn(game)
    assert asked(game) == ("claim", 1)
    play(game, "claim", piece="sultan_denar_1")
    assert game.module_state(Powers).dice[STRENGTH][0] == 1


@pytest.mark.rule("38.34", "38.35")
def test_the_function_of_a_building_bought_at_the_own_gate_waits_for_the_next_own_turn() -> None:
    game = powers(3, "gates_without_end")
    market(game, gulden=ARCHITECTURE, dirham="seraglio-7-w", denar="garden-10", dukat="chambers-5-nsw")
    hand(game, 0, "denar-9 gulden-5")
    turned(game, "buy_for_14")
    play(game, "buy market-gulden denar-9 gulden-5")
    play(game, f"reserve {ARCHITECTURE}")
    pass_gates(game)
    assert asked(game) == ("action", 1)
    assert [seat for seat, _, _ in game.module_state(Powers).functions] == [0]


@pytest.mark.rule("38.24")
def test_a_vizier_uses_no_white_die() -> None:
    game = powers(3, "viziers_favour")
    reserve(game, 1, WEALTH)
    put_die(game, 1, WEALTH, 3)
    hand(game, 1, "denar-9")
    take_turn(game)
    assert not legal(game, "buy market-denar denar-9", items=(f"white_die:{WEALTH}",))


# -- Changing hands ----------------------------------------------------------------------------------------------------


def shelved(game: Game, seat: int, tile: str, currency: str) -> None:
    """A tile of the tower lies at a place of a personal market."""
    tower(game, tile)
    game.state.tower = game.state.tower[:-1]
    game.ruleset.reserve.put(game, seat, Move("reserve", tile, slot=f"personal-{seat}-{currency}"))


@pytest.mark.rule("38.19", "38.35", "41.19", "41.20")
def test_die_of_a_sold_tile_goes_back_and_the_buyer_rolls_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    load(monkeypatch, 6)
    game = powers(3, "personal_building_market")
    shelved(game, 1, STRENGTH, "denar")
    put_die(game, 1, STRENGTH, 2)
    hand(game, 0, "denar-9 denar-2")
    events = play(game, "buy denar-2 denar-9", slot="personal-1-denar")
    assert index(events, "die_returned") < index(events, "die_rolled")
    assert game.module_state(Powers).dice == {STRENGTH: (0, 6)}


@pytest.mark.rule("38.19")
def test_die_boxed_with_its_tile_goes_back_to_the_supply() -> None:
    game = powers(3, "personal_building_market")
    for currency, tile in zip(("gulden", "dirham", "denar"), ("tower-9-es", "tower-9-ne", "tower-9-nw"), strict=True):
        shelved(game, 0, tile, currency)
    shelved(game, 0, WEALTH, "dukat")
    put_die(game, 0, WEALTH, 4)
    hand(game, 0, "denar-9 denar-2")
    play(game, "buy market-denar denar-2 denar-9")
    play(game, "reserve garden-10", slot="personal-0-dukat")
    assert game.module_state(Powers).dice == {}
    assert game.module_state(Powers).supply.count("white_die") == 3


# -- Prices, walls, cards ----------------------------------------------------------------------------------------------


@pytest.mark.rule("38.24", "42.15")
def test_a_white_die_and_a_treasure_help_in_one_payment() -> None:
    game = powers(3, "treasures")
    reserve(game, 0, WEALTH)
    put_die(game, 0, WEALTH, 3)
    hand(game, 0, "denar-7")
    assert legal(game, "buy market-denar denar-7", items=("treasure-2", f"white_die:{WEALTH}"))


@pytest.mark.rule("38.24", "40.22")
def test_a_white_die_and_handymen_lower_one_price() -> None:
    game = powers(3, "handymen")
    reserve(game, 0, WEALTH)
    put_die(game, 0, WEALTH, 3)
    post(game, 0, "denar", 2)
    hand(game, 0, "denar-7")
    assert legal(game, "buy market-denar denar-7", items=("handyman:-2", f"white_die:{WEALTH}"))


@pytest.mark.rule("38.25", "07.45")
def test_the_watch_counts_the_first_wall_only() -> None:
    game = powers(3, "characters")
    give(game, 0, "city_watch")
    alhambra(
        game,
        0,
        {
            **{(0, -1): "pavilion-6-n", (1, -1): "arcades-8-n", (-1, -1): "garden-10-n", (1, 0): STRENGTH},
            **{(0, 1): "chambers-9-s", (1, 1): "tower-11-s", (-1, 1): "power_strength_seraglio-8-s"},
        },
    )
    put_die(game, 0, STRENGTH, 6)
    events = hold_scoring(game, 1)
    assert points(events, "wall_guard") == {0: 1}
    assert points(events, "wall_second") == {0: 3}


@pytest.mark.rule("38.17", "22.35")
def test_a_watchtower_comes_with_a_building_of_power() -> None:
    game = powers(3, "watchtowers")
    market(game, denar=WEALTH)
    hand(game, 0, "denar-9 denar-6")
    assert legal(game, "buy market-denar denar-6 denar-9", choice="watchtower")


def wise(monkeypatch: pytest.MonkeyPatch, module: str, *cards: str) -> Game:
    """Seat 0 looks at these cards."""
    game = with_function(WISDOM, 3, module)
    load(monkeypatch, len(cards))
    deck(game, *cards)
    use(game, WISDOM)
    return game


@pytest.mark.rule("38.44")
@pytest.mark.parametrize(
    ("module", "card"),
    [("city_gates", "gate"), ("diamonds", "diamond-4"), ("bureaux_de_change", "exchange_gulden_denar")],
)
def test_cards_that_can_be_in_a_hand_may_be_kept(module: str, card: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = wise(monkeypatch, module, card, "denar-9")
    play(game, f"keep_card {card}")
    assert card in game.state.seats[0].hand
    play(game, "pass")
    for viewer in (None, 1, 2):
        assert f'"{card}"' not in str(game.view(viewer)["seats"])


@pytest.mark.rule("38.44")
@pytest.mark.parametrize(
    ("module", "card"), [("power_of_the_sultan", "sultan"), ("city_walls", "wallcard"), ("characters", "")]
)
def test_cards_with_a_way_of_their_own_cannot_be_kept(module: str, card: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_function(WISDOM, 3, module)
    routed = next(
        name
        for name in game.state.deck
        if game.ruleset.cards[name].kind in game.ruleset.routes and not name.startswith("scoring") and card in name
    )
    load(monkeypatch, 2)
    deck(game, routed, "denar-9")
    use(game, WISDOM)
    assert codes(refused(game, "keep_card", cards=(routed,))) == ["NOT_ELIGIBLE"]
    play(game, "keep_card denar-9")
    play(game, "return_card", cards=(routed,))
    assert game.state.deck[-1] == routed


@pytest.mark.rule("38.42")
def test_for_the_others_a_card_kept_unseen_could_be_a_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: whatever was kept, a gate is among the guesses, so the guesses tell nothing."""
    for kept in ("gate", "denar-9"):
        game = wise(monkeypatch, "city_gates", "gate", "denar-9")
        play(game, f"keep_card {kept}")
        hands = [game.determinize(1, Random(number)).state.seats[0].hand for number in range(300)]
        assert any("gate" in guessed for guessed in hands), kept
        assert any("gate" not in guessed for guessed in hands), kept
