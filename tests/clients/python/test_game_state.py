"""What a game state remembers, and the steps it takes. The answers are the test's own."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from alhambra_client import CommitmentsChanged, Move, Stale, View
from alhambra_client.calls import Call, Procedure
from alhambra_client.contract import (
    ApplyMoveRequest,
    ApplyMoveResponse,
    Fairness,
    GameSetup,
    GetGameRequest,
    GetGameResponse,
    LegalMove,
    ListLegalMovesRequest,
    ListLegalMovesResponse,
    RevealEntropyRequest,
    RevealEntropyResponse,
    UndoRequest,
    UndoResponse,
)
from alhambra_client.errors import refusal
from alhambra_client.game_state import GameState, ListedMove, commitment_of

STALE = refusal(409, {}, b'{"reason": "VERSION_STALE", "metadata": {"version": "2"}}')
ENTROPY = bytes(32)
SETUP = GameSetup(edition="first", visibility="public")


def view(version: int, **members: Any) -> View:
    members = {"status": "running", "fairness": Fairness(link=f"link{version}"), **members}
    return View(version=version, **members)


def run(procedure: Procedure[Any], *answers: Any) -> tuple[list[Any], Any]:
    """Carry out a procedure with these answers; return its requests and its result."""
    requests: list[Any] = []
    left: Iterator[Any] = iter(answers)
    try:
        step: Call[Any] = next(procedure)
        while True:
            requests.append(step.request)
            answer = next(left)
            step = procedure.throw(answer) if isinstance(answer, Exception) else procedure.send(answer)
    except StopIteration as done:
        assert next(left, None) is None, "an answer is left"
        return requests, done.value


def seen(version: int) -> GameState:
    state = GameState("g", "token", 0)
    state.see(view(version, setup=SETUP, ruleset="r"))
    return state


def test_reads_ask_for_the_version_that_was_seen() -> None:
    requests, result = run(seen(7).read(), GetGameResponse(view=view(8)))
    assert requests == [GetGameRequest(game="g", min_version=7)]
    assert result.version == 8


def test_a_game_that_went_back_is_forgotten_and_read_anew() -> None:
    state = seen(7)
    requests, result = run(state.read(), STALE, GetGameResponse(view=view(5)))
    assert requests == [GetGameRequest(game="g", min_version=7), GetGameRequest(game="g")]
    assert (result.version, state.version, state.link) == (5, 5, "link5")


def test_a_read_that_is_refused_from_the_beginning_fails() -> None:
    with pytest.raises(Stale):
        run(GameState("g").read(), STALE)


def test_an_older_view_never_replaces_a_newer_one() -> None:
    state = seen(7)
    state.see(view(6))
    assert (state.version, state.link) == (7, "link7")


def test_answers_to_moves_keep_what_never_changes() -> None:
    state = seen(7)
    _, played = run(state.play(Move(verb="pass"), None), ApplyMoveResponse(version=8, view=view(8)))
    assert played.view.setup == SETUP
    assert state.view == played.view
    assert (played.view.ruleset, played.view.fairness.link) == ("r", "link8")


def test_a_listed_move_is_sent_with_the_version_it_was_listed_for() -> None:
    state = seen(9)
    listed = ListedMove(move=Move(verb="bid", amount=1), amount_min=1, amount_max=5, version=7, link="seven")
    requests, _ = run(state.play(listed, 4), ApplyMoveResponse(version=10, view=view(10)))
    (sent,) = requests
    assert isinstance(sent, ApplyMoveRequest)
    assert (sent.version, sent.link, sent.move) == (7, "seven", Move(verb="bid", amount=4))


def test_a_move_of_ones_own_is_sent_with_the_version_that_was_seen() -> None:
    state = GameState("g", "token")
    requests, _ = run(
        state.play(Move(verb="pass"), None), GetGameResponse(view=view(3)), ApplyMoveResponse(version=4, view=view(4))
    )
    assert (requests[1].version, requests[1].link) == (3, "link3")


def test_consent_names_the_seat_that_asked_and_the_version_that_was_seen() -> None:
    requests, answered = run(seen(7).undo(2, False), UndoResponse(version=7, view=view(7)))
    assert [replace(each, request_id="") for each in requests] == [
        UndoRequest(game="g", version=7, link="link7", seat=2, consent=False)
    ]
    assert requests[0].to_json()["consent"] is False
    assert answered.view.setup == SETUP


def page(version: int, *verbs: str, following: str = "") -> ListLegalMovesResponse:
    moves = tuple(LegalMove(move=Move(verb=verb)) for verb in verbs)
    return ListLegalMovesResponse(version=version, link="l", moves=moves, next_page_token=following)


def test_all_pages_of_a_list_are_read() -> None:
    request = ListLegalMovesRequest(game="g")
    requests, listed = run(seen(7).moves(request, 0), page(7, "a", following="t"), page(7, following="u"), page(7, "b"))
    assert [each.page_token for each in requests] == ["", "t", "u"]
    assert [each.move.verb for each in listed] == ["a", "b"]
    assert listed.is_complete
    assert listed[0].version == 7


def test_a_list_is_begun_again_if_the_game_moves_on_between_pages() -> None:
    answers = page(7, "a", following="t"), STALE, page(8, "b"), GetGameResponse(view=view(8))
    requests, listed = run(seen(7).moves(ListLegalMovesRequest(game="g"), 0), *answers)
    assert [each.move.verb for each in listed] == ["b"]
    assert isinstance(requests[-1], GetGameRequest)  # the view is brought up to the version of the list


def test_a_limit_ends_a_list_early() -> None:
    requests, listed = run(seen(7).moves(ListLegalMovesRequest(game="g"), 2), page(7, "a", "b", following="t"))
    assert (len(requests), requests[0].page_size, listed.is_complete) == (1, 2, False)


# -- The shuffle -------------------------------------------------------------------------------------------------------


def waiting(*commitments: str, awaited: tuple[int, ...] = (0,)) -> View:
    fairness = Fairness(commitment="server", entropy_commitments=commitments, entropy_awaited=awaited)
    return view(0, status="waiting", fairness=fairness)


def contributing(shown: View) -> GameState:
    state = GameState("g", "token", 0, ENTROPY)
    state.see(shown)
    return state


def test_entropy_is_revealed_when_the_game_waits_for_it() -> None:
    state = contributing(waiting(commitment_of(ENTROPY), "other"))
    requests, _ = run(state.catch_up(), RevealEntropyResponse(version=0, view=view(0)))
    assert [replace(each, request_id="") for each in requests] == [
        RevealEntropyRequest(game="g", entropy=ENTROPY.hex())
    ]
    assert state.view is not None and state.view.status == "running"


def test_entropy_is_kept_while_the_game_waits_for_others() -> None:
    assert run(contributing(waiting(commitment_of(ENTROPY), "other", awaited=(1,))).catch_up()) == ([], None)


def test_entropy_is_kept_if_the_game_shows_another_commitment_for_the_seat() -> None:
    assert run(contributing(waiting("another", "other")).catch_up()) == ([], None)


def test_commitments_that_change_after_the_reveal_are_an_alarm() -> None:
    state = contributing(waiting(commitment_of(ENTROPY), "other"))
    run(state.catch_up(), RevealEntropyResponse(version=0, view=waiting(commitment_of(ENTROPY), "other", awaited=(1,))))
    state.see(waiting(commitment_of(ENTROPY), "chosen afterwards"))
    with pytest.raises(CommitmentsChanged):
        run(state.catch_up())
