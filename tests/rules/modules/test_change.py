"""11 The change: coins for those who overpay."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from alhambra import CURRENCIES, Event, Game, Move, Options
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.invaders import SCOUTS, Invaders
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.thieves import PACK, Thieves
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    discard,
    display,
    end_game,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    pieces,
    play,
    refused,
    reserve,
    table,
    take_turn,
)


def change(seats: int = 3, *modules: str, tile: str = "garden-10", turn_of: int = 0) -> Game:
    """A tile on the denar space, and all coins in the bag."""
    game = table(seats, turn_of=turn_of, modules=["change", *modules])
    market(game, denar=tile)
    return game


def coins(game: Game, seat: int, *own: str) -> None:
    """The seat has exactly these coins, named by their currencies."""
    kept = game.slice(Coins)
    bag = [*kept.bag, *kept.held[seat]]
    for currency in own:
        bag.remove(f"coin-{currency}")
    kept.bag = tuple(bag)
    mine = tuple(sorted(f"coin-{currency}" for currency in own))
    kept.held = (*kept.held[:seat], mine, *kept.held[seat + 1 :])


def bag(game: Game, *left: str) -> None:
    """Only these coins are in the bag; the last seat has all others."""
    kept = game.slice(Coins)
    everywhere = [*kept.bag, *kept.held[-1]]
    for currency in left:
        everywhere.remove(f"coin-{currency}")
    kept.bag = tuple(f"coin-{currency}" for currency in left)
    kept.held = (*kept.held[:-1], tuple(sorted(everywhere)))


def drawn(events: list[Event]) -> int:
    return sum(len(event["items"]) for event in events_of(events, "coins_drawn"))


def everything(game: Game) -> Counter[str]:
    kept = game.slice(Coins)
    return Counter((*kept.bag, *kept.aside, *(coin for own in kept.held for coin in own)))


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


# -- The bag -----------------------------------------------------------------------------------------------------------


def test_all_coins_start_in_the_bag_six_of_each_currency() -> None:
    game = Game.new(Options(seats=4, seed="coins", modules=["change"]))
    for viewer in (None, 0, 3):
        assert pieces(game, "change", viewer) == [
            {"kind": "coin", "seat": None, "currency": currency, "amount": 6} for currency in CURRENCIES
        ]


def test_the_coins_change_nothing_of_what_is_dealt() -> None:
    with_coins = Game.new(Options(seats=3, seed="same", modules=["change"])).state
    without = Game.new(Options(seats=3, seed="same")).state
    assert (with_coins.deck, with_coins.tower) == (without.deck, without.tower)


# -- Overpaying --------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.parametrize("tile", ["garden-10", "tower-10-w"])
def test_seventeen_for_a_price_of_ten_gives_three_coins(tile: str) -> None:
    game = change(tile=tile)
    hand(game, 0, "denar-8 denar-9")
    events = play(game, "buy market-denar denar-8 denar-9")
    assert drawn(events) == 3
    assert len(game.slice(Coins).held[0]) == 3
    assert len(game.slice(Coins).bag) == 21


# worked example
def test_one_too_much_gives_nothing() -> None:
    game = change()
    hand(game, 0, "denar-2 denar-9")
    events = play(game, "buy market-denar denar-2 denar-9")
    assert drawn(events) == 0
    assert "coins_drawn" not in kinds(events)


# worked example
def test_no_more_coins_are_drawn_than_the_bag_holds() -> None:
    game = change()
    bag(game, "dukat", "dukat")
    hand(game, 0, "denar-8 denar-9")
    events = play(game, "buy market-denar denar-8 denar-9")
    assert events_of(events, "coins_drawn") == [{"seat": 0, "items": ("coin-dukat", "coin-dukat")}]
    assert game.slice(Coins).bag == ()


def test_an_empty_bag_gives_nothing() -> None:
    game = change()
    bag(game)
    hand(game, 0, "denar-8 denar-9")
    events = play(game, "buy market-denar denar-8 denar-9")
    assert "coins_drawn" not in kinds(events)
    assert game.slice(Coins).held[0] == ()


@pytest.mark.parametrize(("paid", "count"), [("denar-3 denar-9", 1), ("denar-4 denar-9", 1), ("denar-5 denar-9", 2)])
def test_every_two_too_much_give_a_coin(paid: str, count: int) -> None:
    game = change()
    hand(game, 0, paid)
    assert drawn(play(game, f"buy market-denar {paid}")) == count


def test_an_overpaid_purchase_stays_inexact() -> None:
    game = change()
    hand(game, 0, "denar-8 denar-9")
    events = play(game, "buy market-denar denar-8 denar-9")
    assert not events_of(events, "paid")[0]["exact"]
    assert "bonus_action" not in kinds(events)
    assert asked(game) == ("place_tiles", 0)


def test_superfluous_cards_may_be_added_to_get_more_coins() -> None:
    game = change()
    hand(game, 0, "denar-9 denar-9 denar-8")
    assert drawn(play(game, "buy market-denar denar-8 denar-9 denar-9")) == 8


def test_coins_are_drawn_without_a_question_and_lie_open() -> None:
    game = change()
    hand(game, 0, "denar-8 denar-9")
    events = play(game, "buy market-denar denar-8 denar-9")
    items = list(events_of(events, "coins_drawn")[0]["items"])
    for viewer in (None, 0, 1, 2):
        lying = [(piece["seat"], piece["currency"], piece.get("amount", 1)) for piece in pieces(game, "change", viewer)]
        assert sorted(f"coin-{currency}" for seat, currency, count in lying if seat == 0 for _ in range(count)) == items
        assert sum(count for seat, _, count in lying if seat is None) == 21


def test_what_is_drawn_depends_on_the_seed() -> None:
    found = set()
    for number in range(12):
        game = table(3, seed=f"bag {number}", modules=["change"])
        market(game, denar="garden-10")
        hand(game, 0, "denar-8 denar-9")
        play(game, "buy market-denar denar-8 denar-9")
        found.add(game.slice(Coins).held[0])
    assert len(found) > 3


def test_drawing_coins_cannot_be_taken_back_paying_without_it_can() -> None:
    for cards, refused_because in (("denar-8 denar-9", "revealed"), ("denar-2 denar-9", None)):
        game = change()
        hand(game, 0, cards)
        play(game, f"buy market-denar {cards}")
        refusal = game.can_undo(0)
        assert (refusal.metadata["because"] if refusal else None) == refused_because


def test_coins_that_come_from_the_bag_are_as_unknown_as_its_order() -> None:
    game = change()
    hand(game, 0, "denar-8 denar-9")
    for number in range(3):
        twin = game.determinize(1, Random(number))
        assert twin.view(1) == game.view(1)


# -- Paying with coins -------------------------------------------------------------------------------------------------


def test_a_coin_pays_one_of_its_currency() -> None:
    game = change()
    coins(game, 0, "denar", "denar")
    hand(game, 0, "denar-8")
    events = play(game, "buy market-denar denar-8", items=("coin-denar", "coin-denar"))
    assert events_of(events, "paid")[0]["paid"] == 10
    assert game.slice(Coins).held[0] == ()
    assert len(game.slice(Coins).bag) == 24


def test_an_exact_payment_with_coins_grants_a_further_action() -> None:
    game = change()
    coins(game, 0, "denar")
    hand(game, 0, "denar-9")
    events = play(game, "buy market-denar denar-9", items=("coin-denar",))
    assert events_of(events, "bonus_action") == [{"seat": 0, "because": "exact"}]


def test_coins_alone_can_pay() -> None:
    game = change(tile="pavilion-2-new")
    coins(game, 0, "denar", "denar", "dukat")
    events = play(game, "buy market-denar", items=("coin-denar", "coin-denar"))
    assert events_of(events, "paid")[0]["exact"]
    assert game.slice(Coins).held[0] == ("coin-dukat",)


def test_coins_of_another_currency_do_not_pay() -> None:
    game = change()
    coins(game, 0, "dukat")
    hand(game, 0, "denar-9")
    violations = refused(game, "buy market-denar denar-9", items=("coin-dukat",))
    assert fact(violations, "WRONG_CURRENCY") == {"id": "coin-dukat", "allowed": ["denar"]}


def test_nobody_pays_with_coins_of_others_or_with_more_than_there_are() -> None:
    game = change()
    coins(game, 0, "denar")
    coins(game, 1, "dukat")
    hand(game, 0, "denar-9")
    both = refused(game, "buy market-denar denar-9", items=("coin-denar", "coin-denar"))
    assert fact(both, "NOT_THERE") == {"id": "coin-denar", "place": "held"}
    assert codes(refused(game, "buy market-denar denar-9", items=("coin-dukat",)))[0] == "NOT_THERE"


def test_paid_coins_are_back_in_the_bag_before_change_is_drawn() -> None:
    game = change()
    bag(game)
    coins(game, 0)
    kept = game.slice(Coins)
    kept.held = (("coin-denar",), (), tuple(coin for coin in kept.held[2] if coin != "coin-denar"))
    hand(game, 0, "denar-5 denar-6")
    events = play(game, "buy market-denar denar-5 denar-6", items=("coin-denar",))
    assert events_of(events, "coins_drawn") == [{"seat": 0, "items": ("coin-denar",)}]


def test_coins_are_listed_among_the_payments() -> None:
    game = change()
    coins(game, 0, "denar")
    hand(game, 0, "denar-9")
    assert game.legal_moves()[0] == Move("buy", slot="market-denar", cards=("denar-9",), items=("coin-denar",))


def test_coins_are_no_cards_of_the_hand() -> None:
    game = change()
    coins(game, 0, "denar", "dukat")
    hand(game, 0, "denar-9")
    assert game.view(1)["seats"][0]["hand_count"] == 1
    violations = refused(game, Move("buy", slot="market-denar", cards=("coin-denar", "denar-9")))
    assert codes(violations) == ["ID_UNKNOWN", "UNDERPAID"]


def test_with_two_players_change_is_given_all_the_same() -> None:
    game = change(2)
    hand(game, 0, "denar-8 denar-9")
    assert drawn(play(game, "buy market-denar denar-8 denar-9")) == 3
    play(game, "give_to_dirk garden-10")
    assert len(game.slice(Coins).held) == 2


# -- The end of the game, leaving --------------------------------------------------------------------------------------


# worked example
def test_coins_count_when_leftover_tiles_are_given_out() -> None:
    game = change()
    market(game, dukat="tower-12")
    hand(game, 0, "dukat-6")
    hand(game, 1, "dukat-5")
    coins(game, 1, "dukat", "dukat", "denar")
    display(game, "gulden-1")
    events = end_game(game)
    awarded = events_of(events, "leftover_awarded")[0]
    assert awarded["seat"] == 1
    assert dict(awarded["totals"]) == {0: 6, 1: 7, 2: 0}
    assert asked(game) == ("leftover_tiles", 1)


def test_coins_alone_can_win_a_leftover_tile_and_equal_money_wins_none() -> None:
    game = change()
    market(game, dukat="tower-12", denar="garden-10")
    coins(game, 1, "dukat")
    coins(game, 2, "denar")
    hand(game, 0, "denar-1")
    display(game, "gulden-1")
    events = end_game(game)
    assert [event["seat"] for event in events_of(events, "leftover_awarded")] == [None, 1]


def test_who_leaves_puts_the_coins_back_into_the_bag() -> None:
    game = change()
    coins(game, 1, "denar", "dukat")
    events = game.resign(1)
    assert events_of(events, "coins_returned") == [{"seat": 1, "items": ("coin-denar", "coin-dukat")}]
    assert game.slice(Coins).held == ((), (), ())
    assert len(game.slice(Coins).bag) == 24


# -- With other modules ------------------------------------------------------------------------------------------------


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


def auction(game: Game, piece: str = "trader") -> None:
    """Seat 0 ends its turn, and the character comes up: seat 1 bids first."""
    characters = game.slice(Characters)
    if piece in characters.aside:
        other = next(card for card in game.state.deck if card in game.ruleset.cards and card in game.ruleset.pieces)
        characters.aside = tuple(other if card == piece else card for card in characters.aside)
        game.state.deck = tuple(piece if card == other else card for card in game.state.deck)
    display(game, "gulden-1")
    deck(game, piece)
    take_turn(game)


def test_overpaying_a_bid_for_a_character_gives_change() -> None:
    game = change(3, "characters")
    hand(game, 1, "denar-9")
    auction(game)
    play(game, "bid", amount=4)
    play(game, "pass")
    events = play(game, "pay denar-9")
    assert drawn(events) == 2
    assert kinds(events).index("coins_drawn") < kinds(events).index("character_gained")


def test_coins_cover_and_pay_a_bid() -> None:
    game = change(3, "characters")
    hand(game, 1, "denar-3")
    coins(game, 1, "denar", "denar", "dukat")
    auction(game)
    assert max(move.amount or 0 for move in game.moves()) == 5
    play(game, "bid", amount=5)
    play(game, "pass")
    play(game, "pay denar-3", items=("coin-denar", "coin-denar"))
    assert game.slice(Coins).held[1] == ("coin-dukat",)


def test_a_player_with_coins_alone_is_asked_in_an_auction() -> None:
    game = change(3, "characters")
    coins(game, 1, "dukat")
    auction(game)
    assert asked(game) == ("auction", 1)


def test_coins_are_no_money_cards_for_the_beggar_and_not_for_the_money_changer() -> None:
    game = change(3, "characters")
    game.slice(Characters).owners = {"beggar": 1, "money_changer": 1}
    hand(game, 1, "denar-8 denar-9")
    coins(game, 1, "denar", "denar", "denar")
    display(game, "gulden-1")
    deck(game, "gulden-2 gulden-3 gulden-4 denar-1")
    take_turn(game)
    assert asked(game) == ("start", 1)
    assert legal(game, "draw_card")
    changed = refused(game, Move("change_money", cards=("coin-denar",), display=("denar-1",)))
    assert codes(changed) == ["NOT_THERE"]


def test_the_patron_pays_nothing_so_there_is_no_change() -> None:
    game = change(3, "characters")
    game.slice(Characters).owners = {"rich_patron": 0}
    coins(game, 0, "denar")
    events = play(game, "buy market-denar", items=("rich_patron",))
    assert drawn(events) == 0
    assert game.slice(Coins).held[0] == ("coin-denar",)


def test_the_patron_is_not_helped_out_with_coins() -> None:
    game = change(3, "characters")
    game.slice(Characters).owners = {"rich_patron": 0}
    coins(game, 0, "denar")
    assert codes(refused(game, "buy market-denar", items=("coin-denar", "rich_patron"))) == ["COMBINATION_FORBIDDEN"]


def test_overpaying_a_camp_gives_change() -> None:
    game = change(3, "military_camps", tile="camp_E")
    hand(game, 0, "denar-9")
    assert drawn(play(game, "buy market-denar denar-9")) == 2


def test_no_thief_takes_a_coin() -> None:
    game = change(3, "thieves")
    thieves = game.slice(Thieves)
    rest = list(PACK)
    rest.remove("thief-denar")
    thieves.held, thieves.rest = ((), (), ("thief-denar",)), tuple(rest)
    coins(game, 1, "denar")
    display(game, "gulden-1 gulden-2 gulden-3 denar-1")
    play(game, "take_money gulden-1")
    play(game, "play_thief denar-1", currency="denar")
    assert game.slice(Coins).held[1] == ("coin-denar",)


def test_a_coin_can_make_a_payment_exact_that_wins_a_scout() -> None:
    game = change(3, "invaders")
    invaders = game.slice(Invaders)
    scout = next(piece for piece, name in SCOUTS.items() if name == "garden")
    others = [piece for piece in (*invaders.open, *invaders.scouts) if piece != scout]
    invaders.open, invaders.scouts = (scout, others[0]), tuple(others[1:])
    coins(game, 0, "denar")
    hand(game, 0, "denar-9")
    events = play(game, "buy market-denar denar-9", items=("coin-denar",))
    assert events_of(events, "scout_won") == [{"seat": 0, "piece": scout}]


def test_a_sultan_card_is_paid_with_coins_and_overpaying_it_gives_change() -> None:
    game = change(3, "power_of_the_sultan")
    discard(game, "sultan_denar_1")
    game.state.discard, game.slice(Sultan).marks = (), {"sultan_denar_1": "garden"}
    coins(game, 0, "denar", "denar")
    hand(game, 0, "denar-7")
    twin = game.clone()
    events = play(twin, "buy denar-7", slot="sultan", piece="sultan_denar_1", items=("coin-denar", "coin-denar"))
    assert drawn(events) == 1
    hand(game, 0, "denar-6")
    events = play(game, "buy denar-6", slot="sultan", piece="sultan_denar_1", items=("coin-denar",))
    assert events_of(events, "paid")[0]["exact"]


def test_with_a_watchtower_change_is_given_on_the_whole_price() -> None:
    game = change(3, "watchtowers")
    alhambra(game, 0, {(1, 0): "garden-11"})
    coins(game, 0, "denar", "denar")
    hand(game, 0, "denar-9 denar-9")
    both = ("coin-denar", "coin-denar")
    events = play(game, "buy market-denar denar-9 denar-9", choice="watchtower", items=both)
    assert events_of(events, "paid")[0]["due"] == 16
    assert drawn(events) == 2


def test_coins_in_a_bid_for_a_project_lie_aside_and_return_when_it_is_outbid() -> None:
    game = change(3, "major_construction_projects")
    coins(game, 0, "denar")
    hand(game, 0, "denar-9 denar-6")
    hand(game, 1, "dukat-9 dukat-8")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    play(game, "bid_project denar-6 denar-9", items=("coin-denar",))
    kept = game.slice(Coins)
    assert (kept.held[0], kept.aside, len(kept.bag)) == ((), ("coin-denar",), 23)
    assert sum(everything(game).values()) == 24
    play(game, "bid_project dukat-8 dukat-9")
    kept = game.slice(Coins)
    assert (kept.held[0], kept.aside) == (("coin-denar",), ())


def test_coins_in_a_bid_that_wins_go_into_the_bag_and_no_bid_gives_change() -> None:
    game = change(3, "major_construction_projects")
    coins(game, 0, "denar")
    hand(game, 0, "denar-9 denar-9")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    events = play(game, "bid_project denar-9 denar-9", items=("coin-denar",))
    events += take_turn(game) + take_turn(game)
    assert events_of(events, "project_won")[0]["sum"] == 19
    assert drawn(events) == 0
    assert len(game.slice(Coins).bag) == 24


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


def test_the_coins_of_a_bidder_who_resigns_go_into_the_bag() -> None:
    game = change(3, "major_construction_projects")
    coins(game, 0, "denar", "dukat")
    hand(game, 0, "denar-9 denar-6")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    play(game, "bid_project denar-6 denar-9", items=("coin-denar",))
    game.resign(0)
    assert game.slice(Projects).bidder is None
    assert (game.slice(Coins).aside, len(game.slice(Coins).bag)) == ((), 24)


def test_a_player_who_sells_a_tile_gets_the_coins_and_the_buyer_the_change() -> None:
    game = change(3, "personal_building_market")
    bag(game)
    reserve(game, 1, "arcades-9")
    game.state.seats[1].reserve = ()
    game.slice(Markets).lying = (("",) * 4, ("", "", "arcades-9", ""), ("",) * 4)
    kept = game.slice(Coins)
    rest = [coin for coin in kept.held[2] if coin != "coin-denar"]
    kept.held, kept.bag = (("coin-denar",), (), tuple(rest)), ("coin-denar",) * 5
    hand(game, 0, "denar-9 denar-3")
    events = play(game, "buy denar-3 denar-9", slot="personal-1-denar", items=("coin-denar",))
    assert drawn(events) == 2
    kept = game.slice(Coins)
    assert kept.held[1] == ("coin-denar",)
    assert kept.held[0] == ("coin-denar", "coin-denar")
    assert game.state.seats[1].hand == ("denar-3", "denar-9")


def test_a_square_costs_nothing_and_gives_no_change() -> None:
    game = change(3, "squares")
    coins(game, 0, "denar")
    events = play(game, "take_square", slot="square-garden")
    assert drawn(events) == 0
    assert game.slice(Coins).held[0] == ("coin-denar",)
