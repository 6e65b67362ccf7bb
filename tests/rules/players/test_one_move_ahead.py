"""The players that look one move ahead, greedy and learned: legal everywhere, bounded in their work, blind for what is
hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from types import ModuleType
from typing import NamedTuple

import pytest

from alhambra import Game, Move, Options, known_modules
from alhambra.base.scoring import score_boards
from alhambra.players import features, greedy, greedy_move, learned_move
from alhambra.players.greedy import Effort, effort_for
from alhambra.players.learned import learned_effort
from alhambra.quiet import QuietGame


class Player(NamedTuple):
    """A player, and how many positions it is asked about: the slower it is, the fewer."""

    name: str
    move: Callable[[Game, Random], Move]
    effort: Callable[[Game], Effort]
    scores_in: ModuleType
    """The file that calls the scoring."""
    seats_with_all: tuple[int, ...]
    seats: tuple[int, ...]
    slowness: int


GREEDY = Player("greedy", greedy_move, effort_for, greedy, (2, 3, 4, 5, 6), (2, 3, 4, 5, 6), 1)
LEARNED = Player("learned", learned_move, learned_effort, features, (2, 3, 5, 6), (2, 4), 3)
PLAYERS = (GREEDY, LEARNED)
each_player = pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
with_and_without_modules = pytest.mark.parametrize("modules", [[], known_modules()], ids=["base", "all modules"])


def positions(seats: int, modules: list[str], *, every: int, most: int) -> Iterator[Game]:
    """Some positions of a game that is played at random."""
    game, rng = Game.new(Options(seats, f"positions {seats}", modules=modules)), Random(seats)
    while not game.over and game.version < most:
        game.play(game.random_move(rng))
        if game.version % every == 0 and not game.over:
            yield game


@pytest.mark.parametrize(
    ("player", "seats"),
    [pytest.param(player, seats, id=f"{player.name}-{seats}") for player in PLAYERS for seats in player.seats_with_all],
)
def test_every_answer_is_legal_with_all_modules_and_leaves_the_game_as_it_is(player: Player, seats: int) -> None:
    for game in positions(seats, known_modules(), every=10 * player.slowness, most=600):
        before = game.state_bytes()
        assert game.verify(player.move(game, Random(1))) == ()
        assert game.state_bytes() == before


@pytest.mark.parametrize(
    ("player", "seats"),
    [pytest.param(player, seats, id=f"{player.name}-{seats}") for player in PLAYERS for seats in player.seats],
)
def test_every_answer_is_legal_in_the_base_game(player: Player, seats: int) -> None:
    for game in positions(seats, [], every=4 * player.slowness + 1, most=400):
        assert game.verify(player.move(game, Random(1))) == ()


@with_and_without_modules
@each_player
def test_a_decision_takes_a_bounded_number_of_tries_and_scorings(
    player: Player, modules: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    work: Counter[str] = Counter()
    copy_of = QuietGame.of

    def counted_copy(game: Game) -> QuietGame:
        work["clones"] += 1
        return copy_of(game)

    def counted_scoring(game: Game, number: int) -> None:
        work["scorings"] += 1
        score_boards(game, number)

    monkeypatch.setattr(QuietGame, "of", counted_copy)  # all clones of these players are quiet
    monkeypatch.setattr(player.scores_in, "score_boards", counted_scoring)
    for game in positions(3, modules, every=7 * player.slowness, most=450):
        work.clear()
        effort = player.effort(game)
        player.move(game, Random(1))
        if player is GREEDY:
            assert work["scorings"] <= effort.scorings + 1
            # One is the twin, one is scored for moves that change no Alhambra.
            assert 1 <= work["clones"] <= effort.tries + 2
        else:
            assert work["scorings"] <= (effort.scorings + 1 if modules else 0)
            assert 1 <= work["clones"] <= 1 + effort.tries + work["scorings"]


@with_and_without_modules
@each_player
def test_the_answer_depends_on_nothing_but_a_twin_dealt_anew_for_the_seat(
    player: Player, modules: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games that differ in what is hidden get the same answer if the same twin is imagined for both."""
    for game in positions(3, modules, every=20 + 21 * player.slowness, most=400):
        decision = game.decision
        assert decision is not None
        other = game.determinize(decision.seat, Random("other secrets"))
        sample = game.determinize(decision.seat, Random("twin"))
        with monkeypatch.context() as patched:
            patched.setattr(Game, "determinize", lambda *_game, sample=sample, **_kind: sample.clone())
            assert player.move(game, Random(3)) == player.move(other, Random(3))


def test_two_greedy_players_do_not_answer_each_others_redesigns_for_ever() -> None:
    """Without a cost that grows, this game goes on to the limit of turns: both add and remove a pavilion in turns."""
    game, rng = Game.new(Options(2, "r1"), quiet=True), Random(1)
    while not game.over:
        game.play(greedy_move(game, rng))
    assert game.state.held == (1, 2, 3)
