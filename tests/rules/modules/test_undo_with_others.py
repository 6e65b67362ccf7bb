"""Answers that concern other seats: they are taken back only with consent, even where the same seat decides next."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from alhambra import Game, Options, registry
from alhambra.modules.street_trader import Residents
from tests.rules.modules.characters_table import auction, characters
from tests.rules.modules.power_of_the_sultan_table import held, refill, sultans
from tests.rules.modules.viziers_favour_table import awake, viziers, window
from tests.rules.situations import events_of, hand, play

CONCERN_OTHERS = {"auction", "pay_bid", "wise_man", "claim", "window"}
"""Decisions whose answers concern other seats, whatever is answered."""


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def because(game: Game, seat: int, *, consent: bool = False) -> str:
    """Why the seat cannot take its last move back; empty if it can."""
    refused = game.can_undo(seat, consent=consent)
    return "" if refused is None else refused.metadata["because"]


def bought_by_the_vizier() -> Game:
    game = window()
    play(game, "buy market-denar denar-4 denar-5")
    assert asked(game) == ("place_now", 1)
    return game


def passed_in_the_window() -> Game:
    """The seat that passed has its turn now."""
    game = viziers()
    awake(game, 1)
    play(game, "take_money dukat-1")
    play(game, "pass")
    assert asked(game) == ("action", 1)
    return game


def claimed(*modules: str) -> Game:
    game = sultans(3, *modules)
    held(game, 1, "sultan_denar_1", "garden")
    refill(game, "garden-11")
    play(game, "claim", piece="sultan_denar_1")
    assert asked(game) == ("place_now", 1)
    return game


def placed_what_it_claimed() -> Game:
    """The trader's question follows, so the same seat decides on."""
    game = claimed("street_trader")
    kept = game.module_state(Residents)
    kept.discs = (kept.discs[0], (1, 0), kept.discs[2])
    play(game, "place garden-11 @1,0")
    assert asked(game) == ("resident", 1)
    return game


def paid_the_bid() -> Game:
    """The juggler's fate is asked next, of the same seat."""
    game = characters()
    hand(game, 1, "denar-9")
    auction(game, "juggler")
    hand(game, 0)
    play(game, "bid", amount=9)
    play(game, "pay denar-9")
    assert asked(game) == ("juggler", 1)
    return game


def made_the_only_bid() -> Game:
    """Nobody else has any money."""
    game = characters()
    hand(game, 1, "denar-9")
    auction(game, "trader")
    hand(game, 0)
    play(game, "bid", amount=3)
    assert asked(game) == ("pay_bid", 1)
    return game


@pytest.mark.parametrize(
    "situation",
    [bought_by_the_vizier, passed_in_the_window, claimed, placed_what_it_claimed, made_the_only_bid, paid_the_bid],
)
def test_what_concerns_others_is_taken_back_only_by_consent(situation: Callable[[], Game]) -> None:
    game = situation()
    assert because(game, 1) == because(game, 1, consent=True) == "other_seat"
    game.options = Options(seats=3, seed="any", modules=sorted(game.options.modules), undo="by_consent")
    assert because(game, 1) == "other_seat"
    assert because(game, 1, consent=True) == ""


def test_a_tile_bought_by_the_vizier_is_placed_and_taken_back_freely() -> None:
    game = window(3, "street_trader")
    play(game, "buy market-denar denar-4 denar-5")
    kept = game.module_state(Residents)
    kept.discs = (kept.discs[0], (0, 1), kept.discs[2])
    play(game, "place garden-9-e @0,1")
    assert asked(game) == ("resident", 1)
    assert because(game, 1) == ""


@pytest.mark.check_only
def test_in_whole_games_no_answer_that_concerns_others_is_taken_back_alone() -> None:
    seen: set[str] = set()
    for seed in range(3):
        game = Game.new(Options(seats=3, seed=f"others {seed}", modules=sorted(registry.known_modules())))
        rng, how = Random(seed), ""
        while not game.over:
            kind, seat = asked(game)
            events = game.apply(game.random_move(rng))
            if kind in CONCERN_OTHERS or (kind == "place_now" and how == "claim"):
                seen.add(kind)
                assert because(game, seat) in ("other_seat", "revealed"), kind
            how = next((event["how"] for event in events_of(events, "acquired")), how)
    assert seen == CONCERN_OTHERS | {"place_now"}
