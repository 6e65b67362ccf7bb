"""The greedy player: legal everywhere, bounded in its work, blind for what is hidden, and stronger than chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from alhambra import Game, Move, Options, known_modules
from alhambra.base.scoring import lines_of_boards, score_boards
from alhambra.players import Greedy, RandomPlayer, Table, greedy_move
from alhambra.players import greedy as player
from alhambra.players.greedy import LEAST, MOST, candidates, effort_for, expected_points, rate_moves

SEATS = (2, 3, 4, 5, 6)


def positions(seats: int, modules: list[str], *, every: int, most: int) -> Iterator[Game]:
    """Some positions of a game that is played at random."""
    game, rng = Game.new(Options(seats, f"positions {seats}", modules=modules)), Random(seats)
    while not game.over and game.version < most:
        game.play(game.random_move(rng))
        if game.version % every == 0 and not game.over:
            yield game


@pytest.mark.parametrize("seats", SEATS)
def test_every_answer_is_legal_with_all_modules_and_leaves_the_game_as_it_is(seats: int) -> None:
    for game in positions(seats, known_modules(), every=9, most=700):
        before = game.state_bytes()
        assert game.verify(greedy_move(game, Random(1))) == ()
        assert game.state_bytes() == before


@pytest.mark.parametrize("seats", SEATS)
def test_every_answer_is_legal_in_the_base_game(seats: int) -> None:
    for game in positions(seats, [], every=5, most=400):
        assert game.verify(greedy_move(game, Random(1))) == ()


@pytest.mark.parametrize("modules", [[], known_modules()], ids=["base", "all modules"])
def test_a_decision_takes_a_bounded_number_of_tries_and_scorings(
    modules: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    work: Counter[str] = Counter()
    clone = Game.clone

    def counted_clone(game: Game) -> Game:
        work["clones"] += 1
        return clone(game)

    def counted_scoring(game: Game, number: int) -> None:
        work["scorings"] += 1
        score_boards(game, number)

    monkeypatch.setattr(Game, "clone", counted_clone)
    monkeypatch.setattr(player, "score_boards", counted_scoring)
    for game in positions(3, modules, every=7, most=500):
        work.clear()
        effort = effort_for(game)
        greedy_move(game, Random(1))
        assert work["scorings"] <= effort.scorings + 1
        assert work["clones"] <= effort.tries + 2  # one is the twin, one is scored for moves that change no Alhambra


def test_the_more_a_scoring_counts_the_less_is_tried() -> None:
    base, full = (Game.new(Options(3, "effort", modules=modules)) for modules in ([], known_modules()))
    assert effort_for(base) == MOST
    assert LEAST.scorings <= effort_for(full).scorings < MOST.scorings


@pytest.mark.parametrize("modules", [[], known_modules()], ids=["base", "all modules"])
def test_the_answer_depends_on_nothing_but_a_twin_dealt_anew_for_the_seat(
    modules: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games that differ in what is hidden get the same answer if the same twin is imagined for both."""
    for game in positions(3, modules, every=41, most=400):
        decision = game.decision
        assert decision is not None
        other = game.determinize(decision.seat, Random("other secrets"))
        sample = game.determinize(decision.seat, Random("twin"))
        with monkeypatch.context() as patched:
            patched.setattr(Game, "determinize", lambda _game, _viewer, _rng, sample=sample: sample.clone())
            assert greedy_move(game, Random(3)) == greedy_move(other, Random(3))


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
