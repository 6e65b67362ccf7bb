"""Advice for a seat that has to decide, and points if a scoring took place now."""

from random import Random

import pytest

from alhambra import Game, Options
from alhambra.players import advise, greedy_move, projected_scores


def game_of(seats: int = 3, modules: tuple[str, ...] = (), seed: str = "advice") -> Game:
    return Game.new(Options.read({"seats": [{} for _ in range(seats)], "modules": list(modules), "seed": seed}))


def played(game: Game, decisions: int) -> Game:
    rng = Random(decisions)
    for _ in range(decisions):
        if not game.over:
            game.play(greedy_move(game, rng))
    return game


@pytest.mark.parametrize("decisions", [0, 9, 30, 60])
def test_both_players_advise_legal_moves(decisions: int) -> None:
    game = played(game_of(), decisions)
    for advice in advise(game, Random(1), lambda: True):
        assert not game.verify(advice.move)
        assert advice.next_best is None or not game.verify(advice.next_best)
        assert advice.lead >= 0


def test_advice_changes_no_game() -> None:
    game = played(game_of(), 12)
    before = game.to_bytes()
    advise(game, Random(1), lambda: True)
    assert game.to_bytes() == before


def test_the_greedy_advice_is_the_move_of_the_greedy_player() -> None:
    game = played(game_of(), 20)
    assert advise(game, Random(7), lambda: True)[0].move == greedy_move(game, Random(7))


def test_the_search_plays_on_until_it_is_stopped() -> None:
    game = played(game_of(), 15)
    asked = iter(range(100))
    search = advise(game, Random(1), lambda: next(asked) > 8)[1]
    assert 0 < search.rounds < 4


def test_advice_depends_only_on_what_the_seat_sees() -> None:
    game = played(game_of(), 25)
    assert game.decision is not None
    other = game.determinize(game.decision.seat, Random(99))
    other = Game(other.options, other.ruleset, other.state, [])
    first, second = (advise(one, Random(3), lambda: True)[0] for one in (game, other))
    assert first.points_before == second.points_before
    assert not game.verify(second.move)


def test_projected_scores_add_what_the_next_scoring_would_bring() -> None:
    game = played(game_of(), 30)
    held = len(game.state.held)
    assert projected_scores(game, held) == game.scores
    assert sum(projected_scores(game, held + 1)) > sum(game.scores)


def test_projected_scores_of_a_finished_game_are_its_scores() -> None:
    game = played(game_of(), 1000)
    assert game.over
    assert projected_scores(game, 3) == game.scores
