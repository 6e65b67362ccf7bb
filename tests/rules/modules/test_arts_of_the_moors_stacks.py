"""20 The arts of the Moors: what is left in the stacks, what is told of a tile, and which markers move when."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import Game
from alhambra.invariants import census
from alhambra.modules.arts_of_the_moors import Culture
from alhambra.modules.arts_of_the_moors.culture import SORTS
from tests.rules.situations import (
    display,
    events_of,
    fact,
    hand,
    market,
    pieces,
    play,
    refused,
    reserve,
    table,
    take_turn,
)


def moors(*others: str) -> Game:
    """Seat 0 has two buildings for 9 in its reserve."""
    game = table(3, modules=["arts_of_the_moors", *others])
    market(game, gulden="garden-10", dirham="garden-11", denar="pavilion-8", dukat="tower-12")
    display(game, "dukat-1 dukat-2 gulden-1 denar-1")
    reserve(game, 0, "arcades-9", "seraglio-9")
    return game


def holding(game: Game, seat: int, **dials: tuple[int, int]) -> None:
    """The seat has taken these culture tiles."""
    culture = game.module_state(Culture)
    culture.owned = (*culture.owned[:seat], dials, *culture.owned[seat + 1 :])
    culture.stacks = {name: left - (name in dials) for name, left in culture.stacks.items()}


def stacks(game: Game) -> dict[str, int]:
    shown = pieces(game, "arts_of_the_moors", kind="culture_stack")
    return {piece["piece"]: piece.get("amount", 1) for piece in shown}


@pytest.mark.rule("20.1", "20.4")
def test_a_tile_that_is_taken_leaves_one_less_in_its_stack_and_everybody_is_told() -> None:
    game = moors()
    before = stacks(game)
    take_turn(game)
    events = play(game, "take_culture culture_9")
    assert stacks(game) == {**before, "culture_9": before["culture_9"] - 1}
    assert events_of(events, "culture_taken") == [{"seat": 0, "piece": "culture_9"}]
    assert events_of(events, "culture_marked") == [{"seat": 0, "piece": "culture_9", "amount": 3}]


@pytest.mark.rule("20.1")
def test_no_culture_tile_is_lost_in_a_stack_or_before_a_seat() -> None:
    printed = {name: sort["copies"] for name, sort in SORTS.items()}
    game = moors()
    holding(game, 1, culture_6=(0, 1), culture_7=(0, 1))
    take_turn(game)
    play(game, "take_culture culture_9")
    assert Counter({thing: count for thing, count in census(game).items() if thing in SORTS}) == printed


@pytest.mark.rule("20.27", "20.34")
def test_an_empty_stack_is_not_shown() -> None:
    game = moors()
    holding(game, 1, culture_12=(0, 1))
    assert "culture_12" not in stacks(game)


@pytest.mark.rule("20.6", "20.38")
def test_a_second_tile_of_a_price_is_refused_with_the_limit_of_one() -> None:
    game = moors()
    reserve(game, 0, "arcades-9", "seraglio-9", "arcades-8-n", "arcades-8-e")
    holding(game, 0, culture_8=(0, 1))
    take_turn(game)
    assert fact(refused(game, "take_culture culture_8"), "LIMIT_REACHED") == {"what": "culture", "limit": 1}


@pytest.mark.rule("20.30")
def test_developing_is_shown_as_possible_only_while_a_tile_can_turn() -> None:
    for turned, possible in ((0, True), (1, False)):
        game = moors()
        holding(game, 0, culture_9=(turned, 1))
        assert ("develop_culture" in game.view(0)["decision"]["verbs"]) == possible


@pytest.mark.rule("20.9")
def test_a_marker_that_stays_where_it_is_is_not_told_again() -> None:
    game = moors()
    holding(game, 0, culture_9=(0, 1))
    assert not events_of(take_turn(game), "culture_marked")


@pytest.mark.rule("20.15", "20.35")
def test_what_the_vizier_bought_moves_the_marker_of_its_own_price_only() -> None:
    game = moors("viziers_favour")
    reserve(game, 0)
    market(game, denar="arcades-9", gulden="garden-10", dirham="garden-11", dukat="tower-12")
    reserve(game, 1, "seraglio-9", "garden-9-e", "arcades-8-n", "arcades-8-e", "pavilion-8")
    holding(game, 1, culture_9=(0, 1), culture_8=(0, 1))
    hand(game, 1, "denar-9")
    take_turn(game)
    play(game, "buy market-denar denar-9")
    events = play(game, "reserve arcades-9")
    assert [told["piece"] for told in events_of(events, "culture_marked")] == ["culture_9"]
