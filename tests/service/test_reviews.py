"""GetReview: how a game went that is over."""

import pytest

from alhambra_api.v1 import reviews_pb2, views_pb2
from alhambra_service import limits

from .playing import MOVES_OF_A_GAME, PATIENCE, Game, Host, refused


def reviewed(game: Game, language: str = "en") -> reviews_pb2.GetReviewResponse:
    """The complete review."""
    for _ in range(MOVES_OF_A_GAME):
        answer = part(game, language)
        if answer.complete:
            return answer
    raise AssertionError("the review does not end")


def part(game: Game, language: str = "en") -> reviews_pb2.GetReviewResponse:
    request = reviews_pb2.GetReviewRequest(game=game.id)
    metadata = (("accept-language", language),)
    answer: reviews_pb2.GetReviewResponse = game.host.tables.GetReview(request, metadata=metadata, timeout=PATIENCE)
    return answer


def finished(host: Host) -> Game:
    """A game that the server has played: each look at it lets the server go on."""
    game = host.create([{"server_player": "greedy"}] * 2)
    for _ in range(MOVES_OF_A_GAME):
        if game.view().status == views_pb2.GAME_STATUS_OVER:
            return game
    raise AssertionError("the game does not end")


def test_a_review_goes_from_the_deal_to_the_final_scores(host: Host) -> None:
    game = finished(host)
    answer, view = reviewed(game), game.view()
    assert answer.version == view.version
    assert list(answer.points[0].scores) == [0, 0]
    assert list(answer.points[-1].scores) == [seat.score for seat in view.seats]
    assert [point.scoring for point in answer.points if point.scoring] == [1, 2, 3]


def test_a_review_names_few_moves_with_their_texts_in_the_language_of_the_call(host: Host) -> None:
    game = finished(host)
    english, german = (list(reviewed(game, language).key_moves) for language in ("en", "de"))
    assert 0 < len(english) <= limits.KEY_MOVES
    assert all(one.text and one.lead_before != one.lead_after for one in english)
    assert [one.text for one in english] != [one.text for one in german]


def test_a_game_that_runs_has_no_review(host: Host) -> None:
    answer = part(host.create(2))
    assert not answer.complete
    assert not answer.points


def test_a_review_is_made_in_parts_if_it_takes_long(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    game = finished(host)
    monkeypatch.setattr(limits, "REVIEW_SECONDS", 0.0)
    first = part(game)
    assert not first.complete
    assert not first.key_moves
    whole = reviewed(game)
    assert list(whole.points[: len(first.points)]) == list(first.points)


def test_a_hidden_game_has_no_review_for_spectators(host: Host) -> None:
    game = host.create(2, visibility=views_pb2.VISIBILITY_SEATS)
    game.seats[0].resign()
    assert refused(lambda: part(game)) == "GAME_NOT_FOUND"
