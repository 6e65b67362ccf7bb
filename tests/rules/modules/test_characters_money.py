"""07 The characters: the trader, the rich patron and the miser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from alhambra import Game, Module, register, registry
from alhambra.base.payment.offers import Offer
from alhambra.components import Card
from tests.rules.example_modules import register_examples
from tests.rules.example_modules.bargains import give_bargains
from tests.rules.modules.characters_table import asked, auction, characters, dancing, give, patronised, stingy
from tests.rules.situations import codes, display, events_of, fact, hand, kinds, legal, market, play, refused

# -- The trader ------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("07.20", "07.49")
def test_the_trader_lets_7_be_taken_together() -> None:
    game = characters()
    give(game, 0, "trader")
    display(game, "denar-4 dukat-3 gulden-2 dirham-6")
    assert legal(game, "take_money denar-4 dukat-3")
    assert fact(refused(game, "take_money denar-4 dukat-3 gulden-2"), "SUM_TOO_HIGH") == {"sum": 9, "limit": 7}


@pytest.mark.rule("07.20")
def test_the_limit_of_the_others_stays_5() -> None:
    game = characters()
    give(game, 1, "trader")
    display(game, "denar-4 dukat-3 gulden-2 dirham-6")
    assert not legal(game, "take_money denar-4 dukat-3")


@pytest.mark.rule("07.51")
def test_the_trader_is_permanent_and_blocks_nobody() -> None:
    game = dancing()
    give(game, 1, "trader")
    play(game, "dance market-denar")
    display(game, "denar-4 dukat-3")
    play(game, "take_money denar-4 dukat-3")
    assert game.state.used == ()


# -- The rich patron -------------------------------------------------------------------------------------------------


@pytest.mark.rule("07.17", "07.67")
def test_the_patron_pays_the_exact_price_and_leaves_the_game() -> None:
    game = patronised()
    events = play(game, "buy market-denar", items=("rich_patron",))
    paid = events_of(events, "paid")[0]
    assert (paid["due"], paid["paid"], paid["exact"], paid["cards"]) == (9, 0, True, ())
    assert game.state.seats[0].pending == ("arcades-9",)
    assert "bonus_action" in kinds(events)
    assert asked(game) == ("action", 0)
    assert "rich_patron" in game.state.box
    assert fact(refused(game, "buy market-gulden", items=("rich_patron",)), "NOT_THERE")["place"] == "held"


@pytest.mark.rule("07.67")
def test_the_patron_pays_all_of_it_or_nothing() -> None:
    game = patronised()
    hand(game, 0, "denar-9 denar-3")
    violations = refused(game, "buy market-denar denar-3", items=("rich_patron",))
    assert fact(violations, "COMBINATION_FORBIDDEN") == {"a": "rich_patron", "b": "denar-3"}
    assert legal(game, "buy market-denar denar-9")


@pytest.mark.rule("07.17")
def test_the_patron_pays_for_his_owner_only() -> None:
    game = characters()
    give(game, 1, "rich_patron")
    assert codes(refused(game, "buy market-denar", items=("rich_patron",))) == ["NOT_THERE", "UNDERPAID"]


@pytest.mark.rule("07.67")
def test_the_patron_buys_nothing_that_is_not_on_offer() -> None:
    game = patronised()
    market(game)
    assert codes(refused(game, "buy market-denar", items=("rich_patron",))) == ["NOT_THERE"]


@pytest.mark.rule("07.52")
def test_the_patron_does_not_pay_a_bid() -> None:
    game = patronised()
    hand(game, 1, "denar-9")
    auction(game, "trader")
    play(game, "pass")
    assert asked(game) == ("auction", 0)
    play(game, "bid", amount=1)
    assert codes(refused(game, "pay", items=("rich_patron",))) == ["NOT_ACCEPTED", "UNDERPAID"]


@pytest.mark.rule("07.52")
def test_a_patron_alone_is_no_money_to_bid_with() -> None:
    game = characters()
    give(game, 1, "rich_patron")
    events = auction(game, "trader")
    assert {"seat": 1, "decision": "auction", "forced": True} in events_of(events, "passed")


# -- The miser -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("07.18", "07.63")
def test_the_miser_takes_an_open_card_after_a_purchase_for_10() -> None:
    game = stingy()
    hand(game, 0, "gulden-9 gulden-1")
    play(game, "buy market-gulden gulden-1 gulden-9")
    assert asked(game) == ("miser", 0)
    events = play(game, "take_open dukat-9")
    assert game.state.seats[0].hand == ("dukat-9",)
    assert events_of(events, "money_taken") == [{"seat": 0, "display": ("dukat-9",), "how": "miser"}]
    assert events_of(events, "character_used") == [{"seat": 0, "piece": "miser"}]
    assert "bonus_action" in kinds(events)
    assert game.state.display == ("dukat-1", "dukat-6", "dukat-7")
    assert asked(game) == ("action", 0)


@pytest.mark.rule("07.72")
def test_an_owner_of_the_miser_who_resigns_takes_nothing_and_acts_no_more() -> None:
    game = stingy()
    hand(game, 0, "gulden-9 gulden-1")
    play(game, "buy market-gulden gulden-1 gulden-9")
    lying = game.state.display
    events = game.resign(0)
    assert not {"money_taken", "character_used", "bonus_action"} & {*kinds(events)}
    assert game.state.seats[0].hand == ()
    assert {*lying} <= {*game.state.display}
    assert asked(game) == ("action", 1)


@pytest.mark.rule("07.64")
def test_the_miser_looks_at_the_price_and_not_at_what_was_paid() -> None:
    game = stingy()
    hand(game, 0, "denar-9 denar-8")
    play(game, "buy market-denar denar-8 denar-9")  # 17 for a price of 9
    assert asked(game) == ("place_tiles", 0)
    game = stingy()
    hand(game, 0, "gulden-9 gulden-8")
    play(game, "buy market-gulden gulden-8 gulden-9")  # 17 for a price of 10
    assert asked(game) == ("miser", 0)


@pytest.fixture
def other_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this test the examples are known, and a module with other prices, a ribbon for sale and a card of no value."""
    monkeypatch.setattr(registry, "_registered", {})
    register_examples()
    module = Module(
        number=953,
        key="example_prices",
        nouns={"piece": ("ribbon",)},
        cards=(Card("voucher", "voucher"),),
        offers={"action": lambda _game, _seat: [Offer("fair", 12, "denar", piece="ribbon")]},
        variations=halved_or_eleven,
    )
    register(module)


def halved_or_eleven(_game: Game, _seat: int, offer: Offer) -> Iterator[Offer]:
    """Every tile at half its price, and at a price that something else decides."""
    yield offer._replace(price=offer.price // 2, choice="half", effects=("coins",))
    yield offer._replace(price=11, choice="eleven")


@pytest.mark.rule("07.64")
@pytest.mark.usefixtures("other_prices")
@pytest.mark.parametrize(
    ("slot", "item", "cards", "is_asked"),
    [("market-gulden", "coupon-2", "gulden-8", True), ("market-denar", "duty", "denar-1 denar-9", False)],
)
def test_the_miser_looks_at_the_price_before_helpers_change_it(
    slot: str, item: str, cards: str, is_asked: bool
) -> None:
    game = stingy("example_bargains")
    give_bargains(game, 0, item)
    hand(game, 0, cards)
    events = play(game, f"buy {slot} {cards}", items=(item,))
    assert events_of(events, "paid")[0]["exact"]
    assert asked(game) == ("miser" if is_asked else "action", 0)  # a price of 10 paid with 8, one of 9 with 10


@pytest.mark.rule("07.64")
@pytest.mark.usefixtures("other_prices")
@pytest.mark.parametrize(
    ("slot", "choice", "card", "is_asked"),
    [("market-gulden", "half", "gulden-5", False), ("market-denar", "eleven", "denar-5 denar-6", True)],
)
def test_the_miser_looks_at_the_price_at_which_the_tile_is_sold(
    slot: str, choice: str, card: str, is_asked: bool
) -> None:
    game = stingy("example_prices")
    hand(game, 0, card)
    play(game, f"buy {slot} {card}", choice=choice)
    assert (asked(game)[0] == "miser") == is_asked  # a printed price of 10 halved, one of 9 replaced by 11


@pytest.mark.rule("07.37")
@pytest.mark.usefixtures("other_prices")
def test_the_miser_cares_for_no_purchase_that_is_not_a_tile() -> None:
    game = stingy("example_prices")
    hand(game, 0, "denar-3 denar-9")
    events = play(game, "buy denar-3 denar-9", slot="fair", piece="ribbon")
    assert events_of(events, "paid")[0]["paid"] == 12
    assert "miser" not in {event.public.get("decision") for event in events}


@pytest.mark.rule("07.66")
@pytest.mark.usefixtures("other_prices")
def test_the_miser_is_not_asked_if_no_open_card_is_money() -> None:
    game = stingy("example_prices")
    game.state.display = ("voucher",)
    hand(game, 0, "gulden-9 gulden-1")
    play(game, "buy market-gulden gulden-1 gulden-9")
    assert asked(game) == ("action", 0)


@pytest.mark.rule("07.64")
def test_the_miser_works_with_the_patron() -> None:
    game = stingy()
    give(game, 0, "rich_patron")
    play(game, "buy market-gulden", items=("rich_patron",))
    assert asked(game) == ("miser", 0)


@pytest.mark.rule("07.65")
def test_the_miser_takes_once_a_turn_but_may_wait() -> None:
    game = stingy()
    market(game, gulden="garden-10", dirham="chambers-10", denar="arcades-10", dukat="tower-12")
    hand(game, 0, "gulden-9 gulden-1 dirham-9 dirham-1 denar-9 denar-1")
    play(game, "buy market-gulden gulden-1 gulden-9")
    play(game, "pass")
    assert game.state.used == ()
    play(game, "buy market-dirham dirham-1 dirham-9")
    play(game, "take_open dukat-6")
    play(game, "buy market-denar denar-1 denar-9")
    assert asked(game) == ("action", 0)


@pytest.mark.rule("07.66")
def test_the_miser_is_not_asked_without_an_open_card() -> None:
    game = stingy()
    display(game)
    hand(game, 0, "gulden-9 gulden-1")
    play(game, "buy market-gulden gulden-1 gulden-9")
    assert asked(game) == ("action", 0)


def test_a_game_stored_while_the_miser_decides_goes_on_as_before() -> None:
    game = stingy()
    hand(game, 0, "gulden-9 gulden-1")
    play(game, "buy market-gulden gulden-1 gulden-9")
    stored = Game.from_bytes(game.to_bytes())
    play(game, "take_open dukat-9")
    play(stored, "take_open dukat-9")
    assert stored == game
    assert stored.state.actions == 1
