"""24 The exchange certificates: what was overpaid is saved."""

from __future__ import annotations

import pytest

from alhambra import CURRENCIES, Game, Move, Options
from alhambra.base.payment.offers import ANY_ONE, MIXED, Offer
from alhambra.base.payment.rules import tenders
from alhambra.components import module_data
from alhambra.invariants import census
from alhambra.modules.change import Coins
from alhambra.modules.exchange_certificates import Certificates
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from tests.rules.modules.change_table import auction
from tests.rules.situations import (
    codes,
    deck,
    display,
    end_game,
    events_of,
    fact,
    hand,
    kinds,
    market,
    pieces,
    play,
    refused,
    reserve,
    table,
    take_turn,
)

CERTIFICATE = ("certificate",)


def certificates(seats: int = 3, *modules: str) -> Game:
    """Arcades for 4 on the gulden space, 9 guldens in hand, and all stones in the pool."""
    game = table(seats, modules=["exchange_certificates", *modules])
    market(game, gulden="arcades-4-nes")
    hand(game, 0, "gulden-9")
    return game


def save(game: Game, seat: int, currency: str, amount: int) -> None:
    """The seat has saved this."""
    kept = game.module_state(Certificates)
    pool = list(kept.pool)
    pool.remove(currency)
    kept.pool = tuple(pool)
    kept.saved = (*kept.saved[:seat], (currency, amount), *kept.saved[seat + 1 :])


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


@pytest.mark.rule("24.3")
@pytest.mark.parametrize(("seats", "stones"), [(2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_the_number_of_players_says_how_many_stones_are_in_the_pool(seats: int, stones: int) -> None:
    game = Game.new(Options(seats, "stones", modules=["exchange_certificates"]))
    pool = {piece["currency"]: piece.get("amount", 1) for piece in pieces(game, "exchange_certificates", kind="stone")}
    assert pool == dict.fromkeys(CURRENCIES, stones)


@pytest.mark.rule("24.2", "24.4")
def test_three_stones_of_each_currency_exist_and_every_certificate_is_empty_at_the_start() -> None:
    assert module_data("exchange_certificates")["tokens"] == dict.fromkeys(CURRENCIES, 3)
    game = Game.new(Options(4, "empty", modules=["exchange_certificates"]))
    assert game.module_state(Certificates).saved == (("", 0),) * 4
    assert pieces(game, "exchange_certificates", kind="certificate") == []


# -- Saving ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("24.5", "24.14", "24.26")
def test_what_was_overpaid_is_saved_in_any_currency() -> None:
    """Worked example."""
    game = certificates()
    play(game, "buy market-gulden gulden-9")
    assert asked(game) == ("save_certificate", 0)
    events = play(game, "save", currency="denar")
    assert events_of(events, "saved") == [{"seat": 0, "currency": "denar", "amount": 5}]
    for viewer in (None, 1):
        assert pieces(game, "exchange_certificates", viewer, kind="certificate") == [
            {"kind": "certificate", "seat": 0, "currency": "denar", "sum": 5}
        ]


@pytest.mark.rule("24.11", "24.12", "24.15")
def test_a_saved_amount_is_spent_and_the_certificate_filled_anew_by_the_same_payment() -> None:
    """Worked example."""
    game = certificates()
    save(game, 0, "denar", 5)
    market(game, denar="tower-12")
    hand(game, 0, "denar-8")
    events = play(game, "buy market-denar denar-8", items=CERTIFICATE)
    paid = events_of(events, "paid")[0]
    assert (paid["paid"], paid["exact"]) == (13, False)
    assert events_of(events, "stone_returned") == [{"seat": 0, "currency": "denar"}]
    assert asked(game) == ("save_certificate", 0)
    play(game, "save", currency="denar")
    assert game.module_state(Certificates).saved[0] == ("denar", 1)


@pytest.mark.rule("24.1", "24.6", "24.7")
@pytest.mark.parametrize(("cards", "over"), [("gulden-5", 1), ("gulden-9", 5), ("gulden-9 gulden-1", 6)])
def test_every_amount_from_one_to_six_can_be_saved(cards: str, over: int) -> None:
    game = certificates()
    hand(game, 0, cards)
    play(game, f"buy market-gulden {cards}")
    assert asked(game) == ("save_certificate", 0)
    play(game, "save", currency="dukat")
    assert game.module_state(Certificates).saved[0] == ("dukat", over)


@pytest.mark.rule("24.6", "24.16")
def test_seven_too_much_saves_nothing() -> None:
    """Worked example."""
    game = certificates()
    hand(game, 0, "gulden-9 gulden-2")
    play(game, "buy market-gulden gulden-2 gulden-9")
    assert asked(game) == ("place_tiles", 0)


@pytest.mark.rule("24.7", "24.13", "24.17")
@pytest.mark.parametrize(("cards", "coins", "saved"), [("gulden-9 gulden-2", 3, False), ("gulden-9", 2, True)])
def test_change_is_drawn_and_the_whole_overpayment_saved(cards: str, coins: int, saved: bool) -> None:
    """Worked example."""
    game = certificates(3, "change")
    hand(game, 0, cards)
    events = play(game, f"buy market-gulden {cards}")
    assert len(events_of(events, "coins_drawn")[0]["items"]) == coins
    assert (asked(game)[0] == "save_certificate") == saved
    if saved:
        assert game.decision is not None
        assert game.decision.context["amount"] == 5


@pytest.mark.rule("24.6")
def test_an_exact_payment_saves_nothing() -> None:
    game = certificates()
    hand(game, 0, "gulden-4")
    play(game, "buy market-gulden gulden-4")
    assert asked(game) == ("action", 0)


@pytest.mark.rule("24.5", "24.20")
def test_one_stone_leaves_the_pool_when_an_amount_is_saved() -> None:
    game = certificates()
    before = game.module_state(Certificates).pool
    play(game, "buy market-gulden gulden-9")
    play(game, "save", currency="dirham")
    assert sorted((*game.module_state(Certificates).pool, "dirham")) == sorted(before)


@pytest.mark.rule("24.9")
def test_a_saved_amount_is_not_paid_twice_in_one_payment() -> None:
    game = certificates()
    save(game, 0, "gulden", 2)
    hand(game, 0, "gulden-1")
    assert refused(game, "buy market-gulden gulden-1", items=CERTIFICATE * 2)


@pytest.mark.rule("24.26")
def test_saving_is_optional() -> None:
    game = certificates()
    play(game, "buy market-gulden gulden-9")
    play(game, "pass")
    assert game.module_state(Certificates).saved[0] == ("", 0)
    assert asked(game) == ("place_tiles", 0)


@pytest.mark.rule("24.8", "24.18")
def test_an_occupied_certificate_is_not_written_anew() -> None:
    game = certificates()
    save(game, 0, "denar", 2)
    play(game, "buy market-gulden gulden-9")
    assert asked(game) == ("place_tiles", 0)
    assert game.module_state(Certificates).saved[0] == ("denar", 2)


@pytest.mark.rule("24.20", "24.30")
def test_only_stones_of_the_pool_can_be_taken() -> None:
    game = certificates(2)
    save(game, 1, "denar", 3)
    play(game, "buy market-gulden gulden-9")
    assert fact(refused(game, "save", currency="denar"), "NOT_THERE") == {"id": "denar", "place": "supply"}
    assert {move.currency for move in game.moves() if move.verb == "save"} == {"gulden", "dirham", "dukat"}


@pytest.mark.rule("24.20")
def test_an_empty_pool_saves_nothing() -> None:
    game = certificates()
    game.module_state(Certificates).pool = ()
    play(game, "buy market-gulden gulden-9")
    assert asked(game) == ("place_tiles", 0)


@pytest.mark.rule("24.12", "24.19")
def test_a_stone_that_was_just_spent_can_be_taken_again() -> None:
    game = certificates()
    save(game, 0, "gulden", 2)
    game.module_state(Certificates).pool = ()
    hand(game, 0, "gulden-3")
    play(game, "buy market-gulden gulden-3", items=CERTIFICATE)
    assert {move.currency for move in game.moves() if move.verb == "save"} == {"gulden"}


# -- Spending ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("24.9")
def test_a_saved_amount_is_spent_as_a_whole_and_only_in_its_currency() -> None:
    game = certificates()
    save(game, 0, "denar", 5)
    market(game, denar="pavilion-2-new", gulden="arcades-4-nes")
    assert codes(refused(game, "buy market-gulden", items=CERTIFICATE)) == ["WRONG_CURRENCY"]
    events = play(game, "buy market-denar", items=CERTIFICATE)
    assert (events_of(events, "paid")[0]["paid"], events_of(events, "paid")[0]["exact"]) == (5, False)


@pytest.mark.rule("24.10")
def test_an_exact_payment_with_a_saved_amount_grants_a_further_action() -> None:
    game = certificates()
    save(game, 0, "gulden", 4)
    events = play(game, "buy market-gulden", items=CERTIFICATE)
    assert "bonus_action" in kinds(events)
    assert game.module_state(Certificates).saved[0] == ("", 0)


@pytest.mark.rule("24.9")
def test_nobody_spends_what_is_not_saved() -> None:
    game = certificates()
    assert fact(refused(game, "buy market-gulden gulden-9", items=CERTIFICATE), "NOT_THERE")["place"] == "held"


@pytest.mark.rule("24.28")
def test_a_saved_amount_does_not_count_when_leftover_tiles_are_given_out() -> None:
    game = certificates()
    hand(game, 0)
    save(game, 0, "gulden", 6)
    display(game, "dukat-1")
    awarded = events_of(end_game(game), "leftover_awarded")
    assert dict(awarded[0]["totals"]) == {0: 0, 1: 0, 2: 0}


@pytest.mark.rule("24.29")
def test_the_stone_of_a_player_who_leaves_returns_to_the_pool() -> None:
    game = certificates()
    save(game, 1, "denar", 3)
    events = game.resign(1)
    assert events_of(events, "stone_returned") == [{"seat": 1, "currency": "denar"}]
    assert len(game.module_state(Certificates).pool) == 8


# -- With other modules ------------------------------------------------------------------------------------------------


@pytest.mark.rule("24.29")
def test_a_player_who_leaves_with_nothing_saved_returns_no_stone() -> None:
    game = certificates()
    pool = game.module_state(Certificates).pool
    game.resign(1)
    assert game.module_state(Certificates).pool == pool
    assert not events_of(game.events, "stone_returned")


@pytest.mark.rule("24.23")
def test_a_saved_amount_pays_for_purchases_and_for_no_bid() -> None:
    game = certificates()
    save(game, 0, "denar", 3)

    def serves(offer: Offer) -> bool:
        return any(tender.id == "certificate" for tender in tenders(game, 0, offer))

    assert serves(Offer("caravanserai", 4, ANY_ONE))
    assert serves(Offer("room-1", 8, MIXED, purpose="chests"))
    assert not serves(Offer("auction", 4, ANY_ONE, purpose="bid"))
    assert not serves(Offer("project", 15, ANY_ONE, deposited=True, purpose="project"))


@pytest.mark.rule("24.23", "24.24", "07.35")
def test_a_saved_amount_covers_no_bid_in_an_auction() -> None:
    game = certificates(3, "characters")
    hand(game, 0)
    hand(game, 1, "denar-2")
    save(game, 1, "denar", 5)
    auction(game)
    assert max(move.amount or 0 for move in game.moves()) == 2
    play(game, "bid", amount=2)
    while asked(game)[0] == "auction":
        play(game, "pass")
    violations = refused(game, "pay denar-2", items=CERTIFICATE)
    assert fact(violations, "NOT_ACCEPTED") == {"id": "certificate", "purchase": "bid"}
    play(game, "pay denar-2")


@pytest.mark.rule("24.23", "24.24")
def test_a_saved_amount_lies_in_no_bid_for_a_project() -> None:
    game = certificates(3, "major_construction_projects")
    save(game, 0, "denar", 6)
    hand(game, 0, "denar-9")
    violations = refused(game, "bid_project denar-9", items=CERTIFICATE)
    assert fact(violations, "NOT_ACCEPTED") == {"id": "certificate", "purchase": "project"}


@pytest.mark.rule("24.25")
def test_overpaying_with_diamonds_or_a_bureau_saves_one_of_the_four_currencies() -> None:
    game = certificates(3, "diamonds", "bureaux_de_change")
    hand(game, 0, "diamond-6 gulden-3 denar-2 exchange_gulden_denar")
    sample = game.clone()
    play(game, "buy market-gulden diamond-6")
    assert {move.currency for move in game.moves() if move.verb == "save"} == set(CURRENCIES)
    play(sample, "buy market-gulden gulden-3 denar-2 exchange_gulden_denar")
    assert sample.decision is not None
    assert sample.decision.context["amount"] == 1


@pytest.mark.rule("24.22")
def test_a_vizier_pays_with_a_saved_amount_and_saves_nothing() -> None:
    game = certificates(3, "viziers_favour")
    market(game, gulden="arcades-4-nes", denar="tower-11", dirham="garden-11", dukat="tower-12")
    save(game, 1, "gulden", 4)
    display(game, "gulden-1")
    take_turn(game)
    assert "vizier_slept" in kinds(play(game, "buy market-gulden", items=CERTIFICATE))
    assert asked(game)[0] == "place_now"


@pytest.mark.rule("24.21", "18.36")
def test_overpaying_a_sultan_card_can_be_saved() -> None:
    game = certificates(3, "power_of_the_sultan")
    deck(game, "sultan_gulden_1")
    game.state.deck = game.state.deck[:-1]
    game.state.piles = (*game.state.piles[:-1], game.state.piles[-1] - 1)
    game.module_state(Sultan).marks = {"sultan_gulden_1": "garden"}
    play(game, "buy gulden-9", slot="sultan", piece="sultan_gulden_1")
    assert asked(game) == ("save_certificate", 0)


@pytest.mark.rule("24.21", "24.27", "41.13", "41.14")
def test_a_seller_does_not_get_the_stone_and_the_buyer_saves_what_was_overpaid() -> None:
    game = certificates(3, "personal_building_market")
    reserve(game, 1, "arcades-9")
    game.state.seats[1].reserve = ()
    game.module_state(Markets).lying = (("",) * 4, ("", "", "arcades-9", ""), ("",) * 4)
    save(game, 0, "denar", 5)
    hand(game, 0, "denar-6")
    play(game, "buy denar-6", slot="personal-1-denar", items=CERTIFICATE)
    assert game.state.seats[1].hand == ("denar-6",)
    assert game.module_state(Certificates).saved == (("", 0),) * 3
    assert asked(game) == ("save_certificate", 0)


@pytest.mark.rule("24.19", "11.16")
def test_spent_coins_are_back_in_the_bag_and_coins_drawn_before_anything_is_saved() -> None:
    game = certificates(3, "change")
    coins = game.module_state(Coins)
    coins.held, coins.bag = (("coin-gulden",), (), ()), ()
    hand(game, 0, "gulden-5")
    events = play(game, "buy market-gulden gulden-5", items=("coin-gulden",))
    assert kinds(events).index("coins_drawn") < kinds(events).index("decision_opened")
    assert game.module_state(Coins).held[0] == ("coin-gulden",)


@pytest.mark.rule("24.21")
def test_overpaying_a_bid_in_an_auction_saves_nothing() -> None:
    game = certificates(3, "characters")
    hand(game, 1, "denar-5")
    auction(game)
    play(game, "bid", amount=2)
    while asked(game)[0] == "auction":
        play(game, "pass")
    assert events_of(play(game, "pay denar-5"), "paid")[0]["paid"] == 5
    assert asked(game)[0] != "save_certificate"
    assert game.module_state(Certificates).saved[1] == ("", 0)


@pytest.mark.rule("24.3", "24.5", "24.11")
def test_the_stones_in_use_stay_the_same_in_the_pool_on_certificates_and_when_spent() -> None:
    def stones(game: Game) -> dict[str, int]:
        return {thing: count for thing, count in census(game).items() if thing.startswith("stone-")}

    two = dict.fromkeys([f"stone-{currency}" for currency in CURRENCIES], 2)
    game = certificates()
    assert stones(game) == two
    play(game, "buy market-gulden gulden-9")
    play(game, "save", currency="denar")
    assert stones(game) == two
    save(game, 1, "gulden", 4)
    assert stones(game) == two


@pytest.mark.rule("24.26")
def test_never_saving_can_be_left_as_a_standing_order() -> None:
    game = certificates()
    play(game, "buy market-gulden gulden-9")
    assert game.decision is not None
    orders = {order.answer: order for order in game.question().kind.orders}
    assert list(orders["pass"].moves(game, game.decision)) == [Move("pass")]
