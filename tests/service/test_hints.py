"""SuggestMoves: what computer players would do in place of the seat that is asked."""

from alhambra_api.v1 import hints_pb2

from .playing import PATIENCE, Game, Host, Seat, refused


def asked(game: Game) -> Seat:
    return game.seats[game.view().decision.seat]


def suggested(seat: Seat, language: str = "en") -> hints_pb2.SuggestMovesResponse:
    metadata = (("authorization", f"Bearer {seat.token}"), ("accept-language", language))
    request = hints_pb2.SuggestMovesRequest(game=seat.game.id)
    answer: hints_pb2.SuggestMovesResponse = seat.game.host.tables.SuggestMoves(
        request, metadata=metadata, timeout=PATIENCE
    )
    return answer


def test_each_suggested_move_can_be_made_as_it_is(host: Host) -> None:
    game = host.create(3)
    for number in range(12):
        seat = asked(game)
        answer = suggested(seat)
        assert [one.player for one in answer.suggestions] == ["greedy", "search"]
        one = answer.suggestions[number % 2]
        assert one.move.text
        assert seat.apply(one.move.move, answer.version, link=answer.link).version > answer.version


def test_a_suggestion_says_what_it_gains_and_over_what(host: Host) -> None:
    greedy = suggested(asked(host.create(2))).suggestions[0]
    assert greedy.compared > 1
    assert greedy.next_best.text not in ("", greedy.move.text)
    assert greedy.lead_tenths >= 0


def test_texts_are_in_the_language_of_the_call(host: Host) -> None:
    seat = asked(host.create(2))
    assert suggested(seat, "de").language == "de"
    texts = {language: suggested(seat, language).suggestions[0].move.text for language in ("en", "de")}
    assert texts["en"] != texts["de"]


def test_a_repeated_question_has_the_same_answer(host: Host) -> None:
    seat = asked(host.create(2))
    assert suggested(seat) == suggested(seat)


def test_a_seat_that_is_not_asked_gets_no_hint(host: Host) -> None:
    game = host.create(2)
    other = game.seats[1 - asked(game).number]
    assert not suggested(other).suggestions


def test_a_game_without_hints_gives_none_and_says_so(host: Host) -> None:
    game = host.create(2, no_hints=True)
    assert game.view().setup.no_hints
    assert not suggested(asked(game)).suggestions


def test_a_spectator_gets_no_hint(host: Host) -> None:
    game = host.create(2)
    assert refused(lambda: suggested(Seat(game, 0, ""))) == "TOKEN_INVALID"
