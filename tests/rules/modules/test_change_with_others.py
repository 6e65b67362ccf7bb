"""11 The change together with other modules."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import Game, Move
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.invaders import SCOUTS, Invaders
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.thieves import PACK, Thieves
from tests.rules.hooks.asking import asked
from tests.rules.modules.change_table import auction, bag, change, coins, drawn
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    discard,
    display,
    end_game,
    events_of,
    hand,
    kinds,
    legal,
    market,
    play,
    refused,
    reserve,
    take_turn,
)


def everything(game: Game) -> Counter[str]:
    kept = game.module_state(Coins)
    return Counter((*kept.bag, *kept.aside, *(coin for own in kept.held for coin in own)))


@pytest.mark.rule("11.19")
def test_a_vizier_pays_with_coins_but_gets_no_change() -> None:
    game = change(3, "viziers_favour")
    market(game, denar="garden-10", gulden="tower-11", dirham="garden-11", dukat="tower-12")
    coins(game, 1, "denar")
    hand(game, 1, "denar-9 denar-4")
    display(game, "gulden-1")
    take_turn(game)
    assert asked(game) == ("window", 1)
    assert not legal(game, "buy market-denar denar-4 denar-9")
    events = play(game, "buy market-denar denar-9", items=("coin-denar",))
    assert drawn(events) == 0
    assert events_of(events, "vizier_slept") == [{"seat": 1}]


@pytest.mark.rule("11.14")
def test_overpaying_a_bid_for_a_character_gives_change() -> None:
    game = change(3, "characters")
    hand(game, 1, "denar-9")
    auction(game)
    play(game, "bid", amount=4)
    play(game, "pass")
    events = play(game, "pay denar-9")
    assert drawn(events) == 2
    assert kinds(events).index("coins_drawn") < kinds(events).index("character_gained")


@pytest.mark.rule("11.14")
def test_coins_cover_and_pay_a_bid() -> None:
    game = change(3, "characters")
    hand(game, 1, "denar-3")
    coins(game, 1, "denar", "denar", "dukat")
    auction(game)
    assert max(move.amount or 0 for move in game.moves()) == 5
    play(game, "bid", amount=5)
    play(game, "pass")
    play(game, "pay denar-3", items=("coin-denar", "coin-denar"))
    assert game.module_state(Coins).held[1] == ("coin-dukat",)


@pytest.mark.rule("11.14")
def test_a_player_with_coins_alone_is_asked_in_an_auction() -> None:
    game = change(3, "characters")
    coins(game, 1, "dukat")
    auction(game)
    assert asked(game) == ("auction", 1)


@pytest.mark.rule("11.21")
def test_coins_are_no_money_cards_for_the_beggar_and_not_for_the_money_changer() -> None:
    game = change(3, "characters")
    game.module_state(Characters).owners = {"beggar": 1, "money_changer": 1}
    hand(game, 1, "denar-8 denar-9")
    coins(game, 1, "denar", "denar", "denar")
    display(game, "gulden-1")
    deck(game, "gulden-2 gulden-3 gulden-4 denar-1")
    take_turn(game)
    assert asked(game) == ("start", 1)
    assert legal(game, "draw_card")
    changed = refused(game, Move("change_money", cards=("coin-denar",), display=("denar-1",)))
    assert codes(changed) == ["NOT_THERE"]


@pytest.mark.rule("11.22")
def test_the_patron_pays_nothing_so_there_is_no_change() -> None:
    game = change(3, "characters")
    game.module_state(Characters).owners = {"rich_patron": 0}
    coins(game, 0, "denar")
    events = play(game, "buy market-denar", items=("rich_patron",))
    assert drawn(events) == 0
    assert game.module_state(Coins).held[0] == ("coin-denar",)


@pytest.mark.rule("11.22")
def test_the_patron_is_not_helped_out_with_coins() -> None:
    game = change(3, "characters")
    game.module_state(Characters).owners = {"rich_patron": 0}
    coins(game, 0, "denar")
    assert codes(refused(game, "buy market-denar", items=("coin-denar", "rich_patron"))) == ["COMBINATION_FORBIDDEN"]


@pytest.mark.rule("11.15")
def test_overpaying_a_camp_gives_change() -> None:
    game = change(3, "military_camps", tile="camp_E")
    hand(game, 0, "denar-9")
    assert drawn(play(game, "buy market-denar denar-9")) == 2


@pytest.mark.rule("11.23")
def test_no_thief_takes_a_coin() -> None:
    game = change(3, "thieves")
    thieves = game.module_state(Thieves)
    rest = list(PACK)
    rest.remove("thief-denar")
    thieves.held, thieves.rest = ((), (), ("thief-denar",)), tuple(rest)
    coins(game, 1, "denar")
    display(game, "gulden-1 gulden-2 gulden-3 denar-1")
    play(game, "take_money gulden-1")
    play(game, "play_thief denar-1", currency="denar")
    assert game.module_state(Coins).held[1] == ("coin-denar",)


@pytest.mark.rule("11.25")
def test_a_coin_can_make_a_payment_exact_that_wins_a_scout() -> None:
    game = change(3, "invaders")
    invaders = game.module_state(Invaders)
    scout = next(piece for piece, name in SCOUTS.items() if name == "garden")
    others = [piece for piece in (*invaders.open, *invaders.scouts) if piece != scout]
    invaders.open, invaders.scouts = (scout, others[0]), tuple(others[1:])
    coins(game, 0, "denar")
    hand(game, 0, "denar-9")
    events = play(game, "buy market-denar denar-9", items=("coin-denar",))
    assert events_of(events, "scout_won") == [{"seat": 0, "piece": scout}]


@pytest.mark.rule("11.17")
def test_a_sultan_card_is_paid_with_coins_and_overpaying_it_gives_change() -> None:
    game = change(3, "power_of_the_sultan")
    discard(game, "sultan_denar_1")
    game.state.discard, game.module_state(Sultan).marks = (), {"sultan_denar_1": "garden"}
    coins(game, 0, "denar", "denar")
    hand(game, 0, "denar-7")
    sample = game.clone()
    events = play(sample, "buy denar-7", slot="sultan", piece="sultan_denar_1", items=("coin-denar", "coin-denar"))
    assert drawn(events) == 1
    hand(game, 0, "denar-6")
    events = play(game, "buy denar-6", slot="sultan", piece="sultan_denar_1", items=("coin-denar",))
    assert events_of(events, "paid")[0]["exact"]


@pytest.mark.rule("11.26")
def test_with_a_watchtower_change_is_given_on_the_whole_price() -> None:
    game = change(3, "watchtowers")
    alhambra(game, 0, {(1, 0): "garden-11"})
    coins(game, 0, "denar", "denar")
    hand(game, 0, "denar-9 denar-9")
    both = ("coin-denar", "coin-denar")
    events = play(game, "buy market-denar denar-9 denar-9", choice="watchtower", items=both)
    assert events_of(events, "paid")[0]["due"] == 16
    assert drawn(events) == 2


@pytest.mark.rule("11.27")
def test_coins_in_a_bid_for_a_project_lie_aside_and_return_when_it_is_outbid() -> None:
    game = change(3, "major_construction_projects")
    coins(game, 0, "denar")
    hand(game, 0, "denar-9 denar-6")
    hand(game, 1, "dukat-9 dukat-8")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    play(game, "bid_project denar-6 denar-9", items=("coin-denar",))
    kept = game.module_state(Coins)
    assert (kept.held[0], kept.aside, len(kept.bag)) == ((), ("coin-denar",), 23)
    assert sum(everything(game).values()) == 24
    play(game, "bid_project dukat-8 dukat-9")
    kept = game.module_state(Coins)
    assert (kept.held[0], kept.aside) == (("coin-denar",), ())


@pytest.mark.rule("11.27")
def test_coins_in_a_bid_that_wins_go_into_the_bag_and_no_bid_gives_change() -> None:
    game = change(3, "major_construction_projects")
    coins(game, 0, "denar")
    hand(game, 0, "denar-9 denar-9")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    events = play(game, "bid_project denar-9 denar-9", items=("coin-denar",))
    events += take_turn(game) + take_turn(game)
    assert events_of(events, "project_won")[0]["sum"] == 19
    assert drawn(events) == 0
    assert len(game.module_state(Coins).bag) == 24


@pytest.mark.rule("11.27")
def test_coins_in_an_open_bid_count_again_when_the_game_ends() -> None:
    game = change(3, "major_construction_projects")
    market(game, denar="garden-10")
    coins(game, 0, "denar")
    hand(game, 0, "denar-9 denar-6")
    hand(game, 1, "denar-8 denar-7")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    market(game, gulden="tower-11", dirham="garden-11", dukat="tower-12", denar="garden-10")
    play(game, "bid_project denar-6 denar-9", items=("coin-denar",))
    events = end_game(game)
    awarded = {event["slot"]: event for event in events_of(events, "leftover_awarded")}
    assert dict(awarded["market-denar"]["totals"])[0] == 16
    assert awarded["market-denar"]["seat"] == 0


@pytest.mark.rule("11.27")
def test_the_coins_of_a_bidder_who_resigns_go_into_the_bag() -> None:
    game = change(3, "major_construction_projects")
    coins(game, 0, "denar", "dukat")
    hand(game, 0, "denar-9 denar-6")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    play(game, "bid_project denar-6 denar-9", items=("coin-denar",))
    game.resign(0)
    assert game.module_state(Projects).bidder is None
    assert (game.module_state(Coins).aside, len(game.module_state(Coins).bag)) == ((), 24)


@pytest.mark.rule("11.28")
def test_a_player_who_sells_a_tile_gets_the_coins_and_the_buyer_the_change() -> None:
    game = change(3, "personal_building_market")
    bag(game)
    reserve(game, 1, "arcades-9")
    game.state.seats[1].reserve = ()
    game.module_state(Markets).lying = (("",) * 4, ("", "", "arcades-9", ""), ("",) * 4)
    kept = game.module_state(Coins)
    rest = [coin for coin in kept.held[2] if coin != "coin-denar"]
    kept.held, kept.bag = (("coin-denar",), (), tuple(rest)), ("coin-denar",) * 5
    hand(game, 0, "denar-9 denar-3")
    events = play(game, "buy denar-3 denar-9", slot="personal-1-denar", items=("coin-denar",))
    assert drawn(events) == 2
    kept = game.module_state(Coins)
    assert kept.held[1] == ("coin-denar",)
    assert kept.held[0] == ("coin-denar", "coin-denar")
    assert game.state.seats[1].hand == ("denar-3", "denar-9")


def test_a_square_costs_nothing_and_gives_no_change() -> None:
    game = change(3, "squares")
    coins(game, 0, "denar")
    events = play(game, "take_square", slot="square-garden")
    assert drawn(events) == 0
    assert game.module_state(Coins).held[0] == ("coin-denar",)
