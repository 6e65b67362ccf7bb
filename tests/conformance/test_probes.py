"""What the checks try out: parts of a state that travel through bytes, and moves that are nearly legal."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from alhambra import Game, Move, Options
from alhambra.moves import NOUNS
from tests.conformance.dice import Dice
from tests.conformance.near_misses import LISTS, Nouns, near_miss
from tests.conformance.round_trip import RoundTrip


@dataclass(slots=True)
class Kept:
    """What a module could keep."""

    rows: Any = ()


def test_a_part_that_is_plain_then_nested_then_plain_again_comes_back_each_time() -> None:
    game = Game.new(Options(2, "a trip"))
    game.state.module_states["example"] = Kept()
    trip = RoundTrip(game)
    nested = (("a", 1), ("b", 2))
    for rows in ((), nested, (), ("plain",), nested, None, ()):
        game.state.module_states["example"] = Kept(rows)
        assert trip.of(game).state.module_states["example"].rows == rows


def test_near_misses_have_slots_items_pieces_and_choices_that_the_game_has_enumerated_before() -> None:
    game, nouns, dice = Game.new(Options(3, "near")), Nouns(), Dice(1)
    nouns.learn(
        [
            Move("buy", slot="market-denar", cards=("denar-4",), items=("coin-denar",), choice="watchtower"),
            Move("buy", slot="elsewhere", piece="scout", items=("patron",)),
        ]
    )
    move = next(move for move in game.moves() if move.verb in ("buy", "take_money"))._replace(verb="buy")
    found = [near_miss(game, move, nouns, dice) for _ in range(2_000)]
    assert {other.slot for other in found} >= {None, "market-denar", "elsewhere"}
    assert {item for other in found for item in other.items} == {"coin-denar", "patron"}
    assert {other.choice for other in found} == {None, "watchtower"}
    assert {other.piece for other in found} == {None, "scout"}


@pytest.mark.parametrize("noun", NOUNS)
def test_near_misses_of_every_noun_have_words_that_the_game_has_enumerated_before(noun: str) -> None:
    game, nouns, dice = Game.new(Options(3, "near")), Nouns(), Dice(1)
    single = {"cell": (30, 40), "seat": 5, "amount": 90, "rotation": 17}
    words: Any = ("here", "there") if noun in LISTS else single.get(noun, "word")
    nouns.learn([Move("buy", **{noun: words})])
    legal = next(game.moves())
    found = [getattr(near_miss(game, legal, nouns, dice), noun) for _ in range(2_000)]
    seen = {word for value in found for word in value} if noun in LISTS else set(found)
    assert seen >= ({*words} if noun in LISTS else {words})


def test_near_misses_of_an_amount_are_one_more_or_less_or_an_amount_seen_before() -> None:
    game, nouns, dice = Game.new(Options(3, "near")), Nouns(), Dice(1)
    nouns.learn([Move("bid", amount=2), Move("bid", amount=30)])
    found = {near_miss(game, Move("bid", amount=7), nouns, dice).amount for _ in range(200)}
    assert found == {None, 2, 6, 7, 8, 30}


def test_words_are_learned_from_all_over_a_long_list_of_moves() -> None:
    nouns = Nouns()
    nouns.learn([Move("buy", slot=f"slot-{number // 50}") for number in range(400)])
    assert len(nouns.seen("slot")) == 8


def test_dice_are_fair_enough_and_repeatable() -> None:
    first, second = Dice(5), Dice(5)
    drawn = [first.randrange(6) for _ in range(600)]
    assert drawn == [second.randrange(6) for _ in range(600)]
    assert set(drawn) == set(range(6))
    assert Random(5).random() == Dice(5).random()
