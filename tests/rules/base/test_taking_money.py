"""Taking money: any one open card, or several that are worth 5 together at most."""

from __future__ import annotations

from itertools import combinations

import pytest

from alhambra import Move
from alhambra.components import MONEY_CARDS
from tests.rules.situations import codes, display, events_of, fact, hand, legal, move, play, refused, reserve, table


@pytest.mark.rule("00.16")
def test_any_one_card_may_be_taken_whatever_it_is_worth() -> None:
    for card in ("denar-1", "dukat-5", "gulden-6", "dirham-9"):
        game = table()
        display(game, "denar-1 dukat-5 gulden-6 dirham-9")
        play(game, f"take_money {card}")
        assert game.state.seats[0].hand == (card,)


# worked example
@pytest.mark.rule("00.84")
def test_two_low_cards_may_be_taken_together_the_others_only_alone() -> None:
    game = table()
    display(game, "denar-2 dukat-3 gulden-4 dirham-7")
    assert legal(game, "take_money denar-2 dukat-3")
    for pair in ("denar-2 gulden-4", "denar-2 dirham-7", "dukat-3 gulden-4", "gulden-4 dirham-7"):
        assert not legal(game, f"take_money {pair}")
    for card in game.state.display:
        assert legal(game, f"take_money {card}")


@pytest.mark.rule("00.16")
def test_several_cards_may_come_to_exactly_5_but_not_to_6() -> None:
    game = table()
    display(game, "denar-1 dukat-2 gulden-2 dirham-3")
    assert legal(game, "take_money denar-1 dukat-2 gulden-2")
    faults = refused(game, "take_money denar-1 dukat-2 dirham-3")
    assert codes(faults) == ["SUM_TOO_HIGH"]
    assert fact(faults, "SUM_TOO_HIGH") == {"sum": 6, "limit": 5}


@pytest.mark.rule("00.16")
def test_all_four_cards_may_be_taken_if_they_fit_and_currencies_do_not_matter() -> None:
    game = table()
    display(game, "denar-1 dukat-1 gulden-1 dirham-2")
    play(game, "take_money denar-1 dukat-1 gulden-1 dirham-2")
    assert game.state.seats[0].hand == ("denar-1", "dirham-2", "dukat-1", "gulden-1")


@pytest.mark.rule("00.16")
def test_copies_of_one_card_may_be_taken_together() -> None:
    game = table()
    display(game, "denar-2 denar-2 denar-2 dukat-9")
    assert legal(game, "take_money denar-2 denar-2")
    assert not legal(game, "take_money denar-2 denar-2 denar-2")
    assert len([found for found in game.moves() if found.verb == "take_money"]) == 3


@pytest.mark.rule("00.16")
def test_a_copy_that_does_not_lie_there_cannot_be_taken() -> None:
    game = table()
    display(game, "denar-2 dukat-1")
    faults = refused(game, "take_money denar-2 denar-2")
    assert fact(faults, "NOT_THERE") == {"id": "denar-2", "place": "display"}


@pytest.mark.rule("00.16")
def test_a_card_that_does_not_lie_open_cannot_be_taken() -> None:
    game = table()
    display(game, "denar-2")
    faults = refused(game, "take_money dukat-9")
    assert codes(faults) == ["NOT_THERE"]
    assert faults[0].noun == "display"


@pytest.mark.rule("00.16")
def test_an_unknown_card_is_told_from_one_that_lies_elsewhere() -> None:
    game = table()
    display(game, "denar-2")
    faults = refused(game, Move("take_money", display=("denar-12",)))
    assert codes(faults) == ["ID_UNKNOWN"]
    assert fact(faults, "ID_UNKNOWN") == {"id": "denar-12"}


@pytest.mark.rule("00.16")
def test_with_an_empty_display_no_money_can_be_taken() -> None:
    game = table()
    reserve(game, 0, "garden-11")
    assert not [found for found in game.moves() if found.verb == "take_money"]


@pytest.mark.rule("00.16")
def test_the_cards_taken_leave_the_display_and_are_seen_by_all() -> None:
    game = table()
    display(game, "denar-2 dukat-3 gulden-4 dirham-7")
    events = play(game, "take_money denar-2 dukat-3")
    assert events_of(events, "money_taken") == [{"seat": 0, "display": ("denar-2", "dukat-3"), "how": "action"}]
    assert game.state.display[:2] == ("gulden-4", "dirham-7")
    assert game.state.seats[0].unseen == ()


@pytest.mark.rule("00.16")
def test_cards_taken_join_the_hand() -> None:
    game = table()
    hand(game, 0, "gulden-1 gulden-1")
    display(game, "gulden-1 dukat-3")
    play(game, "take_money gulden-1")
    assert game.state.seats[0].hand == ("gulden-1", "gulden-1", "gulden-1")


@pytest.mark.rule("00.15")
def test_taking_money_ends_the_turn() -> None:
    game = table()
    display(game, "denar-2 dukat-3")
    play(game, "take_money denar-2")
    assert game.decision is not None
    assert game.decision.seat == 1


@pytest.mark.rule("00.16")
@pytest.mark.parametrize(
    "cards",
    [
        "denar-1 denar-1 dukat-1 gulden-2",
        "denar-1 dukat-2 gulden-3 dirham-4",
        "denar-9 dukat-9 gulden-9 dirham-9",
        "denar-2 denar-2 denar-2 dukat-1",
        "denar-5 dukat-1 gulden-4 dirham-1",
        "denar-3 denar-3",
        "denar-5",
    ],
)
def test_the_takes_listed_are_exactly_the_legal_ones(cards: str) -> None:
    game = table()
    display(game, cards)
    shown = sorted(cards.split())
    expected = {
        chosen
        for size in range(1, len(shown) + 1)
        for chosen in combinations(shown, size)
        if size == 1 or sum(MONEY_CARDS[card].value for card in chosen) <= 5
    }
    listed = [found.display for found in game.moves() if found.verb == "take_money"]
    assert len(listed) == len(set(listed))
    assert set(listed) == expected
    for size in range(1, len(shown) + 1):
        for chosen in combinations(shown, size):
            assert (not game.verify(move(game, "take_money", display=chosen))) == (chosen in expected)
