"""The greedy player: what it looks at, and that it is stronger than chance."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game, Move, Options, known_modules
from alhambra.base.scoring import lines_of_boards, score_boards
from alhambra.players import Greedy, RandomPlayer, Table
from alhambra.players import greedy as player
from alhambra.players.greedy import LEAST, MOST, candidates, effort_for, expected_points, rate_moves

from .test_one_move_ahead import positions


def test_the_more_a_scoring_counts_the_less_is_tried() -> None:
    base, full = (Game.new(Options(3, "effort", modules=modules)) for modules in ([], known_modules()))
    assert effort_for(base) == MOST
    assert LEAST.scorings <= effort_for(full).scorings < MOST.scorings


def test_candidates_come_from_every_verb_that_has_a_legal_move_in_the_base_game() -> None:
    for game in positions(3, [], every=10, most=300):
        decision = game.decision
        assert decision is not None
        found = candidates(game, decision, Random(1), MOST)
        assert len(found) == len(set(found)) <= MOST.tries
        assert {move.verb for move in found} == {move.verb for move in game.legal_moves()}


def test_moves_that_leave_the_alhambras_alone_share_one_scoring(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new(Options(3, "money only"))
    held: list[int] = []

    def counted_scoring(game: Game, number: int) -> None:
        held.append(number)
        score_boards(game, number)

    monkeypatch.setattr(player, "score_boards", counted_scoring)
    takes = [Move("take_money", display=(card,)) for card in game.state.display]
    assert len(list(rate_moves(game, takes, MOST))) == len(takes) > 1
    assert len(held) == 1


def test_points_to_come_are_those_of_the_score_lines() -> None:
    for game in positions(3, known_modules(), every=150, most=600):
        held = len(game.state.held)
        expected = [0] * 3
        for line in lines_of_boards(game.clone(), min(3, held + 2)):
            expected[line.public["seat"]] += line.public["points"]
        share = max(1, 3 - held) / 2
        assert expected_points(game.clone()) == [share * points for points in expected]


@pytest.mark.parametrize("seed", range(4))
def test_greedy_beats_two_random_players(seed: int) -> None:
    game = Game.new(Options(3, f"strength {seed}"))
    seat = seed % 3
    players = [Greedy() if number == seat else RandomPlayer() for number in range(3)]
    Table(players).play(game, Random(seed))
    assert game.scores[seat] == max(game.scores)
