"""The learned player: its features and weights, and that it is stronger than greedy."""

from __future__ import annotations

import json
from importlib.resources import files
from random import Random
from typing import Any

import pytest

from alhambra import TYPES, Game, Options, known_modules
from alhambra.base.scoring import count_buildings, score_boards
from alhambra.players import Greedy, Learned, Table
from alhambra.players.features import NAMES, STAGES, clock_of, features, points_of_modules, scores_more
from alhambra.players.learned import WEIGHTS_FILE, learned_model, read_model

from .test_one_move_ahead import positions

WEIGHTS: dict[str, Any] = json.loads(files("alhambra.players").joinpath(WEIGHTS_FILE).read_text("utf-8"))
MOST_BYTES = 1_000_000


def test_the_points_of_the_features_are_those_of_a_scoring() -> None:
    points, wall = NAMES.index("points"), NAMES.index("wall")
    for game in positions(2, [], every=29, most=300):
        held = game.clone()
        score_boards(held, min(3, len(game.state.held) + 1))
        for seat, own in enumerate(features(game)):
            assert len(own) == len(NAMES)
            assert own[points] == held.scores[seat] - game.scores[seat]
            assert own[wall] == game.board(seat).longest_wall()
            first = NAMES.index(f"count_{TYPES[0]}")
            assert own[first : first + len(TYPES)] == [*map(float, count_buildings(game, seat).values())]


def test_points_of_modules_and_of_the_base_game_add_up_to_the_scoring() -> None:
    points, extra = NAMES.index("points"), NAMES.index("points_of_modules")
    for game in positions(3, known_modules(), every=120, most=500):
        assert game.ruleset.table(scores_more)
        held = game.clone()
        score_boards(held, min(3, len(game.state.held) + 1))
        for seat, own in enumerate(features(game)):
            assert own[points] + own[extra] == held.scores[seat] - game.scores[seat]
            assert own[extra] == points_of_modules(game)[seat]


def test_what_the_hand_can_buy_counts_exact_and_sufficient_payments() -> None:
    game = Game.new(Options(2, "money"))
    price = {slot: game.ruleset.tiles[tile].price or 0 for slot, tile in zip("gidu", game.state.market, strict=True)}
    one = price["g"] - 1
    assert one >= 1
    game.state.seats[0].hand = tuple(sorted(("gulden-1", f"gulden-{min(9, one)}", "dirham-9", "dirham-9")))
    exact, affordable = (features(game)[0][NAMES.index(name)] for name in ("exact", "affordable"))
    pays_gulden = price["g"] <= 10 and 1 + min(9, one) >= price["g"]
    assert affordable == pays_gulden + (price["i"] <= 18)
    assert exact == (1 + min(9, one) == price["g"]) + (price["i"] in (9, 18))


def test_the_clock_runs_from_stage_to_stage() -> None:
    seen = [clock_of(game) for game in positions(3, [], every=3, most=2_000)]
    assert sorted({clock.stage for clock in seen}) == [0, 1, 2]
    assert [clock.stage for clock in seen] == sorted(clock.stage for clock in seen)
    for stage in range(STAGES):
        times = [clock.time for clock in seen if clock.stage == stage]
        assert times == sorted(times, reverse=True) or max(times) <= 1.5


def test_the_weights_are_small_and_belong_to_the_features() -> None:
    assert files("alhambra.players").joinpath(WEIGHTS_FILE).read_bytes().__len__() < MOST_BYTES
    assert learned_model() == read_model(WEIGHTS)
    with pytest.raises(ValueError, match="other features"):
        read_model({**WEIGHTS, "features": ["constant"]})
    with pytest.raises(ValueError, match="wrong size"):
        read_model({**WEIGHTS, "weights": {"2": WEIGHTS["weights"]["2"][:2]}})


def test_a_number_of_seats_that_was_not_learned_uses_the_nearest() -> None:
    model, clock = learned_model(), clock_of(Game.new(Options(2, "clock")))
    assert model.at(6, clock) == model.at(max(model.weights), clock)


def test_the_learned_player_wins_most_of_some_mirrored_games_against_greedy() -> None:
    won = 0
    for deal in range(3):
        for seat in range(2):
            game = Game.new(Options(2, f"learned {deal}"))
            players = [Learned() if own == seat else Greedy() for own in range(2)]
            Table(players).play(game, Random(deal))
            won += game.scores[seat] > game.scores[1 - seat]
    assert won > 3
