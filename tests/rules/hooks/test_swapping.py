"""Two market spaces are swapped: the lower-numbered one is named first, then the higher-numbered one."""

from __future__ import annotations

import pytest

from alhambra import Game, Move
from tests.rules.example_modules.porters import Porters
from tests.rules.hooks.asking import asked
from tests.rules.situations import codes, display, events_of, fact, legal, market, play, refused, table


def at_the_market(**tiles: str) -> Game:
    game = table(modules=["example_porters"])
    market(game, **tiles)
    display(game, "denar-6")
    return game


def swaps(game: Game) -> set[tuple[str, str | None]]:
    return {(move.items[0], move.slot) for move in game.moves() if move.verb == "swap_market"}


@pytest.mark.rule("31.14", "37.20")
def test_two_tiles_change_places_and_the_helper_is_used_up() -> None:
    game = at_the_market(gulden="garden-11", denar="tower-12")
    play(game, "swap_market market-gulden", items=("porter",))
    assert asked(game) == ("swap_second", 0)
    assert list(game.moves()) == [Move("swap_with", slot="market-denar")]
    told = events_of(play(game, "swap_with market-denar"), "market_swapped")
    assert [event["slots"] for event in told] == [("market-gulden", "market-denar")]
    assert game.state.market[0] == "tower-12"
    assert game.state.market[2] == "garden-11"
    assert game.module_state(Porters).held[0] == ("barrow",)
    assert asked(game) == ("action", 0), "it takes no action"
    assert game.state.actions == 1


@pytest.mark.rule("31.34", "31.44")
def test_without_a_gap_both_spaces_must_hold_a_tile() -> None:
    game = at_the_market(gulden="garden-11")
    assert codes(refused(game, "swap_market market-gulden", items=("porter",))) == ["NO_EFFECT"]
    assert {item for item, _ in swaps(game)} == {"barrow"}


@pytest.mark.rule("37.20")
def test_with_a_gap_one_of_the_two_may_be_empty_but_not_both() -> None:
    game = at_the_market(denar="tower-12")
    assert swaps(game) == {("barrow", slot) for slot in ("market-gulden", "market-dirham", "market-denar")}
    play(game, "swap_market market-gulden", items=("barrow",))
    assert codes(refused(game, "swap_with market-dirham")) == ["NOT_THERE"], "nothing lies on either"
    play(game, "swap_with market-denar")
    assert game.state.market[0] == "tower-12"


def test_the_lower_numbered_space_is_named_first() -> None:
    game = at_the_market(gulden="garden-11", denar="tower-12")
    assert not legal(game, "swap_market market-dukat", items=("porter",))
    play(game, "swap_market market-gulden", items=("porter",))
    assert codes(refused(game, "swap_with market-gulden")) == ["NOT_THERE"]


@pytest.mark.rule("31.14", "37.20")
def test_what_does_not_lie_on_the_market_cannot_be_swapped() -> None:
    game = at_the_market(gulden="garden-11", denar="tower-12")
    nowhere = Move("swap_market", slot="market-rupee", items=("porter",))
    assert fact(refused(game, nowhere), "NOT_THERE") == {"id": "market-rupee", "place": "slot"}
    play(game, "swap_market market-gulden", items=("porter",))
    assert codes(refused(game, Move("swap_with", slot="market-rupee"))) == ["NOT_THERE"]


@pytest.mark.rule("31.14", "37.20")
def test_whoever_does_not_name_what_is_used_is_refused() -> None:
    game = at_the_market(gulden="garden-11", denar="tower-12")
    assert codes(refused(game, "swap_market market-gulden")) == ["NOUN_MISSING"]
    assert codes(refused(game, "swap_market market-gulden", items=("cart",))) == ["NOT_THERE"]
