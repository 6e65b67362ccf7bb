"""Buying a tile: the space's currency, at least its price, no change; paid exactly, a further action."""

from __future__ import annotations

import pytest

from alhambra import CURRENCIES, Game, Violation
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    play,
    refused,
    reserve,
    table,
)


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


# worked example
@pytest.mark.rule("00.18", "00.20", "00.83")
def test_a_garden_for_10_denar_paid_with_11_is_bought_without_change_and_without_a_bonus() -> None:
    game = table()
    hand(game, 0, "denar-5 denar-6")
    market(game, denar="garden-10")
    events = play(game, "buy market-denar denar-5 denar-6")
    paid = events_of(events, "paid")[0]
    assert (paid["due"], paid["paid"], paid["exact"]) == (10, 11, False)
    assert game.state.seats[0].hand == ()
    assert game.state.seats[0].pending == ("garden-10",)
    assert "bonus_action" not in kinds(events)
    assert asked(game) == ("place_tiles", 0)


@pytest.mark.rule("00.19", "99.5")
def test_paying_exactly_grants_a_further_action() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-6")
    market(game, denar="garden-10")
    events = play(game, "buy market-denar denar-4 denar-6")
    assert events_of(events, "bonus_action") == [{"seat": 0, "because": "exact"}]
    assert asked(game) == ("action", 0)
    assert game.state.actions == 1


@pytest.mark.rule("00.19")
def test_the_further_action_may_be_any_of_the_three() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-6 gulden-8")
    market(game, denar="garden-10", gulden="arcades-8-e")
    display(game, "dukat-9")
    reserve(game, 0, "garden-11")
    play(game, "buy market-denar denar-4 denar-6")
    assert legal(game, "take_money dukat-9")
    assert legal(game, "buy market-gulden gulden-8")
    assert legal(game, "add garden-11 @1,0")


@pytest.mark.rule("00.20")
def test_what_counts_is_the_sum_paid_not_what_could_have_been_paid() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-6 denar-7")
    market(game, denar="garden-10")
    play(game, "buy market-denar denar-4 denar-7")
    assert asked(game) == ("place_tiles", 0)


@pytest.mark.rule("00.18", "99.59")
def test_paid_cards_go_to_the_discard() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-6 denar-7 gulden-1")
    market(game, denar="garden-10")
    play(game, "buy market-denar denar-4 denar-6")
    assert sorted(game.state.discard) == ["denar-4", "denar-6"]
    assert game.state.seats[0].hand == ("denar-7", "gulden-1")


@pytest.mark.rule("00.100")
def test_superfluous_cards_may_be_paid() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-6 denar-7 denar-1")
    market(game, denar="garden-10")
    play(game, "buy market-denar denar-1 denar-4 denar-6 denar-7")
    assert game.state.seats[0].hand == ()


@pytest.mark.rule("00.2", "00.17")
def test_every_space_demands_its_own_currency() -> None:
    for currency in CURRENCIES:
        game = table()
        hand(game, 0, *(f"{other}-9" for other in CURRENCIES))
        market(game, **{currency: "pavilion-8"})
        for other in CURRENCIES:
            assert legal(game, f"buy market-{currency} {other}-9") == (other == currency)


@pytest.mark.rule("00.17")
def test_another_currency_is_refused_card_by_card() -> None:
    game = table()
    hand(game, 0, "denar-9 dukat-4 gulden-4")
    market(game, denar="garden-10")
    faults = refused(game, "buy market-denar denar-9 dukat-4 gulden-4")
    wrong = [fault for fault in faults if fault.code == "WRONG_CURRENCY"]
    assert [fault.metadata["id"] for fault in wrong] == ["dukat-4", "gulden-4"]
    assert all(fault.metadata["allowed"] == ["denar"] for fault in wrong)


@pytest.mark.rule("00.17")
def test_less_than_the_price_is_refused() -> None:
    game = table()
    hand(game, 0, "denar-9")
    market(game, denar="garden-10")
    faults = refused(game, "buy market-denar denar-9")
    assert codes(faults) == ["UNDERPAID"]
    assert fact(faults, "UNDERPAID") == {"due": 10, "paid": 9}


@pytest.mark.rule("00.17")
def test_an_empty_payment_is_underpaid_not_malformed() -> None:
    game = table()
    market(game, denar="garden-10")
    assert codes(refused(game, "buy market-denar")) == ["UNDERPAID"]


@pytest.mark.rule("00.17")
def test_cards_that_are_not_in_hand_cannot_be_paid_and_copies_count() -> None:
    game = table()
    hand(game, 0, "denar-5")
    hand(game, 1, "denar-9")
    market(game, denar="garden-10")
    assert fact(refused(game, "buy market-denar denar-5 denar-9"), "NOT_THERE") == {"id": "denar-9", "place": "hand"}
    assert fact(refused(game, "buy market-denar denar-5 denar-5"), "NOT_THERE") == {"id": "denar-5", "place": "hand"}


@pytest.mark.rule("99.89")
def test_refusing_a_card_does_not_tell_whether_somebody_else_holds_it() -> None:
    answers = []
    for owner in (0, 1):
        game = table()
        hand(game, 1 + owner, "denar-9")
        market(game, denar="garden-10")
        answers.append(refused(game, "buy market-denar denar-9"))
    assert answers[0] == answers[1]


@pytest.mark.rule("00.17")
def test_an_empty_space_sells_nothing() -> None:
    game = table()
    hand(game, 0, "denar-9")
    faults = refused(game, "buy market-denar denar-9")
    assert fact(faults, "NOT_THERE") == {"id": "market-denar", "place": "slot"}
    assert faults[0].noun == "slot"


@pytest.mark.rule("00.21")
def test_the_market_is_not_refilled_during_the_turn() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-6")
    market(game, denar="garden-10", gulden="garden-11", dirham="tower-11", dukat="tower-12")
    play(game, "buy market-denar denar-4 denar-6")
    assert game.state.market == ("garden-11", "tower-11", "", "tower-12")
    assert not legal(game, "buy market-denar")


@pytest.mark.rule("00.21")
def test_the_display_is_not_refilled_during_the_turn() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-6 gulden-8")
    market(game, denar="garden-10", gulden="pavilion-8")
    display(game, "dukat-1")
    play(game, "buy market-denar denar-4 denar-6")
    assert game.state.display == ("dukat-1",)


@pytest.mark.rule("00.8")
def test_a_bought_tile_is_pending_in_neither_alhambra_nor_reserve() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-6")
    market(game, denar="garden-10")
    play(game, "buy market-denar denar-4 denar-6")
    seat = game.state.seats[0]
    assert (seat.pending, seat.reserve, len(seat.board.placed)) == (("garden-10",), (), 1)


# worked example
@pytest.mark.rule("00.28", "00.88")
def test_two_exact_purchases_then_a_swap_then_both_tiles_are_placed() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-6 gulden-8")
    market(game, denar="garden-10", gulden="pavilion-8")
    alhambra(game, 0, {(1, 0): "arcades-9"})
    reserve(game, 0, "arcades-10")
    play(game, "buy market-denar denar-4 denar-6")
    play(game, "buy market-gulden gulden-8")
    play(game, "swap arcades-10 @1,0")
    assert game.state.taken == ("buy", "buy", "swap")
    assert asked(game) == ("place_tiles", 0)
    play(game, "place pavilion-8 @0,1")
    play(game, "place garden-10 @1,1")
    assert asked(game) == ("action", 1)


def all_four() -> Game:
    game = table()
    market(game, gulden="pavilion-8", dirham="seraglio-9", denar="arcades-9", dukat="arcades-10")
    hand(game, 0, "gulden-8 dirham-9 denar-9 dukat-1 dukat-9")
    display(game, "gulden-5 gulden-6")
    play(game, "buy market-gulden gulden-8")
    play(game, "buy market-dirham dirham-9")
    play(game, "buy market-denar denar-9")
    play(game, "buy market-dukat dukat-1 dukat-9")
    return game


# worked example
@pytest.mark.rule("00.90")
def test_after_four_exact_purchases_one_more_action_is_due_but_nothing_is_left_to_buy() -> None:
    game = all_four()
    assert asked(game) == ("action", 0)
    assert game.state.actions == 1
    assert {found.verb for found in game.moves()} == {"take_money"}
    play(game, "take_money gulden-6")
    assert game.state.taken == ("buy", "buy", "buy", "buy", "take_money")
    assert asked(game) == ("place_tiles", 0)


@pytest.mark.rule("00.95")
def test_the_bonus_action_is_as_mandatory_as_the_first() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-6")
    market(game, denar="garden-10")
    display(game, "gulden-5")
    play(game, "buy market-denar denar-4 denar-6")
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert codes(refused(game, "end_actions")) == ["CONDITION_UNMET"]


@pytest.mark.rule("00.96")
def test_a_bonus_action_that_cannot_be_taken_is_passed() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-6")
    market(game, denar="garden-10")
    play(game, "buy market-denar denar-4 denar-6")
    play(game, "pass")
    assert asked(game) == ("place_tiles", 0)
    play(game, "reserve garden-10")
    assert game.state.passes == 0


@pytest.mark.rule("00.95")
def test_with_the_option_the_bonus_action_may_be_forgone_but_not_the_first_one() -> None:
    game = table(bonus_action_optional=True)
    hand(game, 0, "denar-4 denar-6")
    market(game, denar="garden-10")
    display(game, "gulden-5")
    faults = refused(game, "end_actions")
    assert fact(faults, "CONDITION_UNMET") == {"what": "actions_taken", "need": 1, "have": 0}
    play(game, "buy market-denar denar-4 denar-6")
    play(game, "end_actions")
    assert asked(game) == ("place_tiles", 0)


def test_without_the_option_the_refusal_names_it() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-6")
    market(game, denar="garden-10")
    display(game, "gulden-5")
    play(game, "buy market-denar denar-4 denar-6")
    faults = refused(game, "end_actions")
    assert fact(faults, "CONDITION_UNMET") == {"what": "bonus_action_optional", "need": True, "have": False}


@pytest.mark.rule("00.81", "00.99", "99.5")
def test_no_limit_on_actions_is_enforced_unless_the_option_asks_for_it() -> None:
    for option, goes_on in (("none", True), ("five", False)):
        game = table(max_actions=option)
        hand(game, 0, "denar-4 denar-6")
        market(game, denar="garden-10")
        game.state.taken = ("buy",) * 4  # more than the base game can bring about: bazaars will
        play(game, "buy market-denar denar-4 denar-6")
        assert (asked(game)[0] == "action") == goes_on


@pytest.mark.rule("00.17")
def test_a_market_tile_is_named_by_its_space_alone() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-6")
    market(game, denar="garden-10")
    assert refused(game, "buy market-denar denar-4 denar-6", tile="garden-10") == (
        Violation("NOUN_UNEXPECTED", "tile", noun="tile"),
    )
    assert refused(game, "buy market-denar denar-4 denar-6", choice="site") == (
        Violation("NOT_THERE", "choice", id="site", place="slot"),
    )


@pytest.mark.rule("00.17")
def test_an_unknown_tile_or_piece_is_not_looked_for() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-6")
    market(game, denar="garden-10")
    assert refused(game, "buy market-denar denar-4 denar-6", piece="nonsense") == (
        Violation("ID_UNKNOWN", "piece", id="nonsense"),
    )
    assert refused(game, "buy denar-4 denar-6", slot="xyz", tile="nonsense", piece="bonus") == (
        Violation("ID_UNKNOWN", "tile", id="nonsense"),
        Violation("ID_UNKNOWN", "piece", id="bonus"),
        Violation("NOT_THERE", "slot", id="xyz", place="slot"),
    )
