"""The review of a game: the course of points, and the moves that changed the lead most."""

from random import Random

from alhambra import Game
from alhambra.players import Review, greedy_move, projected_scores

from .test_advice import game_of


def reviewed(seed: str = "review", seats: int = 3) -> tuple[Game, Review, list[tuple[int, int]]]:
    """A finished game, its review, and the change of the lead by each move, computed the plain way."""
    game, rng = game_of(seats=seats, seed=seed), Random(seed)
    review, swings = Review(game), []
    while not game.over:
        assert game.decision is not None
        seat, held, move = game.decision.seat, len(game.state.held), greedy_move(game, rng)
        before = projected_scores(game, min(3, held + 1))
        game.play(move)
        after = projected_scores(game, min(3, held + 1))
        review.see(game, seat, move)
        if len(game.state.held) == held and not game.over:
            swings.append((game.version, lead(after, seat) - lead(before, seat)))
    return game, review, swings


def lead(points: tuple[int, ...], seat: int) -> int:
    return points[seat] - max(score for other, score in enumerate(points) if other != seat)


def test_a_review_ends_with_the_scores_of_the_game() -> None:
    game, review, _ = reviewed()
    assert review.points[-1].scores == game.scores
    assert review.points[-1].projected == game.scores


def test_a_review_names_each_scoring_once() -> None:
    _, review, _ = reviewed()
    assert [point.scoring for point in review.points if point.scoring] == [1, 2, 3]


def test_a_review_has_a_point_for_each_turn() -> None:
    game, review, _ = reviewed()
    assert {point.turn for point in review.points} >= set(range(1, game.state.turn))


def test_a_move_is_measured_by_the_change_of_the_lead() -> None:
    _, review, swings = reviewed()
    assert {(one.version, one.swing) for one in review.moves} == {pair for pair in swings if pair[1]}


def test_the_key_moves_changed_the_lead_most_and_stand_in_order() -> None:
    _, review, swings = reviewed()
    found = review.key_moves(3)
    assert [one.version for one in found] == sorted(one.version for one in found)
    assert sorted(abs(one.swing) for one in found) == sorted(sorted(abs(swing) for _, swing in swings)[-3:])


def test_a_move_that_was_taken_back_does_not_matter() -> None:
    game, rng = game_of(seed="undo"), Random(3)
    review = Review(game)
    while not game.over:
        assert game.decision is not None
        seat, move = game.decision.seat, greedy_move(game, rng)
        game.apply(move)
        review.see(game, seat, move)
        if review.moves and review.moves[-1].version == game.version and game.can_undo(seat) is None:
            game.undo(seat)
            review.take_back(game, seat)
            assert all(one.version != game.version - 1 for one in review.moves)
            return
    raise AssertionError("no move that mattered could be taken back")
