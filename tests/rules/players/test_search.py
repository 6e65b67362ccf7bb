"""The searching players: legal, blind for what is hidden, stopped by their caller, and stronger than the greedy one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from alhambra import Game, Options, known_modules
from alhambra.players import STRENGTHS, Greedy, SearchEasy, SearchReport, Table, search_move, thinking_seconds
from alhambra.players.search import EASY, HARD, MEDIUM, Strength
from alhambra.players.time import decisions_left

NO_ROUNDS = Strength(0, 3, 4, 2)


def some_positions(modules: list[str], count: int, every: int) -> list[Game]:
    game, rng = Game.new(Options(3, "search", modules=modules)), Random(5)
    found: list[Game] = []
    while not game.over and len(found) < count:
        game.play(game.random_move(rng))
        if game.version % every == 0 and not game.over:
            found.append(game.clone())
    return found


def stopped_after(looks: int) -> tuple[Callable[[], bool], list[int]]:
    asked: list[int] = []

    def enough() -> bool:
        asked.append(1)
        return len(asked) > looks

    return enough, asked


@pytest.mark.parametrize("modules", [[], known_modules()], ids=["base", "all modules"])
def test_every_answer_is_legal_and_leaves_the_game_as_it_is(modules: list[str]) -> None:
    for game in some_positions(modules, 12, 23):
        before = game.state_bytes()
        assert game.verify(search_move(game, Random(1), EASY)) == ()
        assert game.state_bytes() == before


def test_the_same_chance_leads_to_the_same_move() -> None:
    for game in some_positions([], 4, 31):
        assert search_move(game, Random(1), EASY) == search_move(game, Random(1), EASY)


def test_a_search_that_has_had_enough_answers_at_once_as_the_judgement_says() -> None:
    for game in some_positions([], 6, 19):
        enough, asked = stopped_after(0)
        assert search_move(game, Random(1), HARD, enough) == search_move(
            game, Random(1), NO_ROUNDS._replace(width=4, moves=6)
        )
        assert len(asked) <= 1


def test_a_round_that_is_broken_off_does_not_count() -> None:
    """Moves are compared in the same guesses, or not at all."""
    for game in some_positions([], 6, 19):
        enough, _ = stopped_after(2)
        assert search_move(game, Random(1), HARD, enough) == search_move(game, Random(1), HARD, lambda: True)


@pytest.mark.parametrize("modules", [[], known_modules()], ids=["base", "all modules"])
def test_the_answer_depends_on_nothing_but_twins_dealt_anew_for_the_seat(
    modules: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for game in some_positions(modules, 3, 47):
        assert game.decision is not None
        other = game.determinize(game.decision.seat, Random("other secrets"))
        sample = game.determinize(game.decision.seat, Random("twin"))
        with monkeypatch.context() as patched:
            patched.setattr(Game, "determinize", lambda *_game, sample=sample, **_kind: sample.clone())
            assert search_move(game, Random(3), EASY) == search_move(other, Random(3), EASY)


def test_strengths_grow_with_their_names() -> None:
    assert tuple(STRENGTHS.values()) == (EASY, MEDIUM, HARD)
    for weaker, stronger in ((EASY, MEDIUM), (MEDIUM, HARD)):
        assert all(less < more for less, more in zip(weaker, stronger, strict=True))


def test_a_search_wins_a_game_against_the_greedy_player() -> None:
    game = Game.new(Options(2, "arena/0"))
    Table([SearchEasy(), Greedy()]).play(game, Random("arena/0"))
    assert game.scores[0] > game.scores[1]


# -- What a search tells, and how long it may take -----------------------------------------------------------------


def test_a_report_has_the_chosen_move_first_and_visits_for_what_was_played_on() -> None:
    for game in some_positions([], 4, 31):
        reports: list[SearchReport] = []
        move = search_move(game, Random(1), MEDIUM, report=reports.append)
        (report,) = reports
        assert report.candidates[0].move == move
        assert report.rounds <= MEDIUM.rounds
        assert max(candidate.visits for candidate in report.candidates) == report.rounds
        assert sum(candidate.visits > 0 for candidate in report.candidates) <= MEDIUM.moves
        for candidate in report.candidates:
            if candidate.visits:
                assert candidate.value == pytest.approx(candidate.total / candidate.visits)
            else:
                assert candidate.value == candidate.first_value


def test_asking_for_a_report_does_not_change_the_move() -> None:
    for game in some_positions([], 3, 41):
        reports: list[SearchReport] = []
        assert search_move(game, Random(1), EASY, report=reports.append) == search_move(game, Random(1), EASY)


def test_a_search_with_more_time_plays_more_rounds_than_its_strength_has() -> None:
    player = SearchEasy()
    for game in some_positions([], 8, 23):
        enough, _ = stopped_after(40)
        player.answer_within(game, Random(1), enough)
        assert player.report is not None
        if player.report.rounds > EASY.rounds:
            return
    pytest.fail("no search used its time")


def test_the_time_of_a_game_is_divided_among_its_decisions() -> None:
    early, *_, late = some_positions([], 12, 23)
    assert thinking_seconds(early, None, None) == float("inf")
    assert thinking_seconds(early, 2.0, None) < 2.0
    for game in (early, late):
        share = thinking_seconds(game, None, 60.0)
        assert 0 < share < 30.0
        assert thinking_seconds(game, 0.001, 60.0) < 0.001
        assert thinking_seconds(game, 1.0, 0.0) == 0.0
    assert decisions_left(late) < decisions_left(early)


def test_a_time_manager_never_uses_up_the_time_of_a_game() -> None:
    game, rng, left = Game.new(Options(3, "clock")), Random(2), 60.0
    while game.decision is not None:
        if game.decision.seat == 0:
            used = thinking_seconds(game, 5.0, left)
            assert 0 < used < left
            left -= used
        game.play(game.random_move(rng))


def test_the_example_of_the_page_of_players_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[3] / "docs" / "players.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    exec(compile(example, "players.md", "exec"), {})
    assert capsys.readouterr().out.startswith("Move(")
