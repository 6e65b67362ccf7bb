"""40 The handymen: where they are, what is told of them, and what the dice can show."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import Game, Move
from alhambra.base.payment.offers import Offer
from alhambra.invariants import census
from alhambra.modules.change import Coins
from alhambra.modules.handymen import Crew
from alhambra.modules.handymen.market_side import ITEMS, tenders
from alhambra.modules.handymen.roll_dice import is_asked, puttings
from tests.rules.modules.handymen_table import at_start, crew, employ, post, rolled, supply
from tests.rules.situations import events_of, fact, hand, legal, pieces, play, refused, reserve, take_turn


def all_of_them(game: Game) -> Counter[str]:
    """How many handymen of each seat the census finds."""
    return Counter({thing: count for thing, count in census(game).items() if thing.startswith("handyman-")})


# -- Where they are ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("40.1", "40.2", "40.42")
def test_eight_of_each_seat_are_somewhere_also_when_their_owner_leaves() -> None:
    eight = Counter({f"handyman-{seat}": 8 for seat in range(3)})
    game = crew()
    post(game, 1, "denar", 2)
    reserve(game, 1, "garden-11")
    employ(game, 1, "garden-11")
    assert all_of_them(game) == eight
    events = game.resign(1)
    assert events_of(events, "handymen_taken_back") == [{"seat": 1, "slot": "market-denar", "amount": 2}]
    assert supply(game, 1) == 7
    assert all_of_them(game) == eight


@pytest.mark.rule("40.5", "40.41")
def test_handymen_are_shown_before_their_owners_at_spaces_and_on_tiles_but_never_none() -> None:
    game = crew()
    post(game, 0, "denar", 8)
    reserve(game, 1, "garden-11")
    employ(game, 1, "garden-11")
    assert pieces(game, "handymen") == [
        {"kind": "handyman", "seat": 1, "amount": 7},
        {"kind": "handyman", "seat": 2, "amount": 8},
        {"kind": "handyman", "seat": 0, "slot": "market-denar", "amount": 8},
        {"kind": "handyman", "seat": 1, "tile": "garden-11"},
    ]


@pytest.mark.rule("40.5", "40.34")
@pytest.mark.parametrize("nouns", [{"slot": "market-denar"}, {"tile": "arcades-10"}])
def test_everybody_is_told_where_a_handyman_goes(nouns: dict[str, str]) -> None:
    game = at_start()
    reserve(game, 1, "arcades-10")
    rolled(game, 5, 6, 1)
    events = play(game, "put_handyman", **nouns)
    assert events_of(events, "handyman_put") == [{"seat": 1, **nouns}]


# -- At the market -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("40.2", "40.10")
def test_a_payment_can_name_one_to_eight_handymen_for_less_or_more() -> None:
    assert len(ITEMS) == len(set(ITEMS)) == 16
    game = crew()
    post(game, 0, "denar", 8)
    offer = Offer("market-denar", 10, "denar", ("workers",))
    assert {tender.id for tender in tenders(game, 0, offer)} == set(ITEMS)
    assert list(tenders(game, 0, offer._replace(effects=()))) == []


@pytest.mark.rule("40.10", "40.11")
def test_other_things_in_a_payment_use_no_handymen() -> None:
    game = crew(3, "change")
    coins = game.module_state(Coins)
    coins.bag, coins.held = tuple(sorted(coins.bag)[1:]), ((sorted(coins.bag)[0],), (), ())
    currency = coins.held[0][0].removeprefix("coin-")
    price = game.ruleset.tiles[game.state.market[("gulden", "dirham", "denar", "dukat").index(currency)]].price or 0
    post(game, 0, currency, 1)
    hand(game, 0, f"{currency}-9 {currency}-{price - 10}" if price > 10 else f"{currency}-{price - 1}")
    cards = " ".join(game.state.seats[0].hand)
    events = play(game, f"buy market-{currency} {cards}", items=coins.held[0])
    assert not events_of(events, "handymen_used")


@pytest.mark.rule("40.12", "40.36")
def test_a_sold_space_without_handymen_is_filled_without_a_question() -> None:
    game = crew()
    post(game, 1, "dukat", 1)
    hand(game, 0, "denar-9 denar-2")
    play(game, "buy market-denar denar-9 denar-2")
    play(game, "reserve garden-10")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("start", 1), (
        "nobody is asked about handymen, and the next turn begins"
    )


@pytest.mark.rule("40.12", "40.36")
def test_what_is_taken_back_is_told_and_a_filled_space_is_not_sold_any_more() -> None:
    game = crew()
    post(game, 1, "dukat", 2)
    hand(game, 0, "dukat-9")
    play(game, "buy market-dukat dukat-9")
    play(game, "reserve chambers-5-nsw")
    events = play(game, "take_back", slot="market-dukat", amount=1)
    told = {"seat": 1, "slot": "market-dukat", "amount": 1}
    assert events_of(events, "handymen_taken_back") == [told]
    assert game.module_state(Crew).sold == ()


# -- The dice ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("40.1", "40.3", "40.33")
def test_a_die_shows_one_to_six_and_after_three_it_is_asked_whether_one_fits() -> None:
    shown, asked = set(), set()
    for number in range(30):
        game = at_start(seed=f"dice {number}")
        for _ in range(3):
            (told,) = events_of(play(game, "roll_dice"), "dice_rolled")
        shown.update(told["dice"])
        assert game.decision is not None
        fits = game.decision.kind == "dice"
        asked.add(fits)
        if fits:
            assert any(puttings(game, game.decision))
    assert shown == {1, 2, 3, 4, 5, 6}
    assert asked == {False, True}


@pytest.mark.rule("40.31")
def test_the_last_handyman_before_a_seat_is_enough_to_roll() -> None:
    game = at_start()
    post(game, 1, "denar", 7)
    assert is_asked(game, 1)
    post(game, 1, "denar", 1)
    assert not is_asked(game, 1)
    assert fact(refused(game, "roll_dice"), "CONDITION_UNMET") == {"what": "handymen", "need": 1, "have": 0}


@pytest.mark.rule("40.31")
def test_a_second_roll_in_a_turn_is_refused_as_used_up() -> None:
    game = at_start()
    game.state.used = ("dice", "forced")
    assert fact(refused(game, "roll_dice"), "USED_UP") == {"what": "dice", "limit": 1, "per": "turn"}


@pytest.mark.rule("40.5", "40.30")
@pytest.mark.parametrize(("die", "possible"), [(5, True), (1, False)])
def test_putting_is_shown_as_possible_only_where_the_dice_fit(die: int, possible: bool) -> None:
    game = rolled(at_start(), die)
    assert ("put_handyman" in game.view(1)["decision"]["verbs"]) == possible


@pytest.mark.rule("40.30")
def test_stopping_can_be_left_as_a_standing_order() -> None:
    game = rolled(at_start(), 1)
    assert game.decision is not None
    orders = {order.answer: order for order in game.question().kind.orders}
    assert list(orders["pass"].moves(game, game.decision)) == [Move("pass")]


@pytest.mark.rule("40.4", "40.21")
def test_that_the_active_player_rolled_does_not_keep_a_vizier_from_buying() -> None:
    game = crew(3, "viziers_favour")
    game.state.used = ("dice", "forced")
    hand(game, 1, "denar-9 denar-1")
    take_turn(game)
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("window", 1)
    assert legal(game, "buy market-denar denar-9 denar-1")
