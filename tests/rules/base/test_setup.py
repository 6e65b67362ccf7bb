"""Setting up: market, money deck, starting money, first player, display, five piles with the scoring cards."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from alhambra import Game, Options
from alhambra.base.setup import _choose_first_player
from alhambra.base.supply import split
from alhambra.components import BASE_TILES, MONEY_CARDS
from tests.rules.situations import events_of, kinds

SEEDS = [f"setup {number}" for number in range(20)]


def new(seats: Any = 3, seed: str = "setup", **options: Any) -> Game:
    return Game.new(Options(seats=seats, seed=seed, **options))


def value(cards: tuple[str, ...]) -> int:
    return sum(MONEY_CARDS[card].value for card in cards)


def all_cards(game: Game) -> Counter[str]:
    state = game.state
    hands = [card for seat in state.seats for card in seat.hand]
    return Counter([*state.deck, *state.display, *state.discard, *hands])


@pytest.mark.rule("00.5")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_everybody_starts_with_a_fountain_an_empty_reserve_and_no_points(seats: int) -> None:
    game = new(seats)
    for number, seat in enumerate(game.state.seats):
        assert list(seat.board.placed) == [f"start-{number}"]
        assert seat.board.start.walls == 0
        assert (seat.reserve, seat.pending, seat.score) == ((), (), 0)


@pytest.mark.rule("00.9")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_four_of_the_54_tiles_lie_on_the_market_and_the_rest_in_the_tower(seats: int) -> None:
    state = new(seats).state
    assert len(state.tower) == 50
    assert sorted((*state.market, *state.tower)) == sorted(BASE_TILES)
    assert state.dirk == ()


@pytest.mark.rule("00.2", "00.9")
def test_the_market_is_filled_from_space_1_to_space_4() -> None:
    game = new()
    drawn = events_of(game.events, "tile_drawn")
    assert [event["slot"] for event in drawn] == ["market-gulden", "market-dirham", "market-denar", "market-dukat"]
    assert tuple(event["tile"] for event in drawn) == game.state.market


@pytest.mark.rule("00.6")
def test_the_deck_has_three_copies_of_36_money_cards_and_the_two_scoring_cards() -> None:
    cards = all_cards(new())
    assert cards == Counter({**dict.fromkeys(MONEY_CARDS, 3), "scoring-1": 1, "scoring-2": 1})
    assert len(MONEY_CARDS) == 36


@pytest.mark.rule("00.10")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", SEEDS[:5])
def test_starting_money_is_dealt_until_it_is_worth_20_and_never_beyond_28(seats: int, seed: str) -> None:
    game = new(seats, seed)
    for seat in game.state.seats:
        assert 20 <= value(seat.hand) <= 28
    for dealt in events_of(game.events, "hand_dealt"):
        assert value(dealt["cards"][:-1]) < 20 <= value(dealt["cards"])
        assert tuple(sorted(dealt["cards"])) == game.state.seats[dealt["seat"]].hand


@pytest.mark.rule("00.58", "00.91")
def test_starting_money_is_dealt_openly_in_seat_order_from_seat_0() -> None:
    for seed in SEEDS:
        assert [event["seat"] for event in events_of(new(4, seed).events, "hand_dealt")] == [0, 1, 2, 3]


@pytest.mark.rule("00.12")
def test_the_display_is_revealed_after_the_starting_money_and_before_the_piles_are_made() -> None:
    game = new()
    order = kinds(game.events)
    assert order.index("hand_dealt") < order.index("first_player") < order.index("card_revealed")
    assert order.index("display_filled") < order.index("deck_built") < order.index("turn_began")
    assert len(game.state.display) == 4
    assert not [card for card in game.state.display if card.startswith("scoring")]


@pytest.mark.rule("00.13")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", SEEDS[:4])
def test_the_scoring_cards_lie_in_piles_2_and_4_from_the_top(seats: int, seed: str) -> None:
    game = new(seats, seed)
    piles = piles_from_the_top(game)
    assert ["scoring-1" in pile for pile in piles] == [False, True, False, False, False]
    assert ["scoring-2" in pile for pile in piles] == [False, False, False, True, False]


def piles_from_the_top(game: Game) -> list[tuple[str, ...]]:
    """The five piles, the one drawn first in front, each with the card drawn first in front."""
    cards = tuple(reversed(game.state.deck))
    piles = []
    for size in reversed(game.state.piles):
        piles.append(cards[:size])
        cards = cards[size:]
    assert cards == ()
    return piles


@pytest.mark.rule("00.13")
@pytest.mark.parametrize("seed", SEEDS[:8])
def test_the_five_piles_differ_by_one_card_at_most_the_upper_ones_being_larger(seed: str) -> None:
    game = new(3, seed)
    money = [len([card for card in pile if card in MONEY_CARDS]) for pile in piles_from_the_top(game)]
    size, over = divmod(sum(money), 5)
    assert money == [size + (number <= over) for number in (1, 2, 3, 4, 5)]
    assert events_of(game.events, "deck_built")[0]["piles"] == (
        *(money[0], money[1] + 1, money[2], money[3] + 1, money[4]),
    )


@pytest.mark.rule("00.94")
@pytest.mark.parametrize("cards", range(12))
def test_pile_sizes_follow_the_ruling_for_every_remainder(cards: int) -> None:
    piles = split([str(number) for number in range(cards)])
    assert [len(pile) for pile in piles] == [cards // 5 + (pile <= cards % 5) for pile in (1, 2, 3, 4, 5)]
    assert [card for pile in piles for card in pile] == [str(number) for number in range(cards)]


@pytest.mark.rule("00.13")
def test_a_scoring_card_can_lie_anywhere_in_its_pile() -> None:
    places = {piles_from_the_top(new(3, f"anywhere {n}"))[1].index("scoring-1") for n in range(200)}
    assert places >= set(range(15))


def test_same_options_and_seed_give_the_same_game_another_seed_another_one() -> None:
    assert new(3, "one") == new(3, "one")
    assert new(3, "one") != new(3, "two")


@pytest.mark.rule("00.14", "00.15")
def test_the_first_player_is_to_move_and_one_action_is_due() -> None:
    game = new()
    first = events_of(game.events, "first_player")[0]["seat"]
    assert game.state.first == game.state.active == first
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("action", first)
    assert game.decision.context == {"actions_left": 1}


# -- Who begins ------------------------------------------------------------------------------------------------------


def first_player(dealt: list[str], ages: tuple[int | None, ...] = (), **options: Any) -> tuple[int, str]:
    """Who begins after these starting hands, and why."""
    seats = [{"age": age} for age in (*ages, *(None,) * (len(dealt) - len(ages)))]
    game = new(seats, **options)
    game.events = []
    _choose_first_player(game, {seat: cards.split() for seat, cards in enumerate(dealt)})
    told = events_of(game.events, "first_player")[0]
    assert told["seat"] == game.state.first == game.state.active
    return told["seat"], told["why"]


FEW = "denar-9 denar-8 denar-3"
FEW_AND_LOW = "dukat-9 dukat-8 dukat-3"
FEW_AND_HIGH = "gulden-9 gulden-9 gulden-9"
MANY = "denar-5 denar-5 denar-5 denar-5"


@pytest.mark.rule("00.11")
def test_the_fewest_starting_cards_begin_even_if_they_are_worth_more() -> None:
    assert first_player([MANY, FEW_AND_HIGH, MANY]) == (1, "fewest_cards")


@pytest.mark.rule("00.11")
def test_among_as_many_cards_the_lowest_total_begins() -> None:
    assert first_player([FEW_AND_HIGH, MANY, FEW]) == (2, "lowest_value")


@pytest.mark.rule("00.11")
def test_among_as_many_cards_of_the_same_total_the_youngest_begins() -> None:
    assert first_player([FEW, FEW_AND_LOW, MANY], (40, 8, 5)) == (1, "youngest")
    assert first_player([FEW, FEW_AND_LOW, FEW_AND_HIGH], (9, 8, 5)) == (1, "youngest")


@pytest.mark.rule("00.92")
def test_without_ages_the_seeded_lot_decides_the_last_tie() -> None:
    found = {first_player([FEW, FEW_AND_LOW, MANY], seed=f"lot {number}") for number in range(40)}
    assert found == {(0, "lot"), (1, "lot")}
    assert first_player([FEW, FEW_AND_LOW, MANY], seed="x") == first_player([FEW, FEW_AND_LOW, MANY], seed="x")


@pytest.mark.rule("00.92")
def test_if_the_ages_are_equal_or_not_all_known_the_lot_decides_too() -> None:
    assert first_player([FEW, FEW_AND_LOW, MANY], (7, 7, 3))[1] == "lot"
    assert first_player([FEW, FEW_AND_LOW, MANY], (7, None, 3))[1] == "lot"


@pytest.mark.rule("00.11")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_first_player_of_a_dealt_game_follows_from_the_hands_dealt(seed: str) -> None:
    game = new(5, seed)
    hands = [seat.hand for seat in game.state.seats]
    best = min((len(cards), value(cards)) for cards in hands)
    first = game.state.first
    assert (len(hands[first]), value(hands[first])) == best
