"""A move that would never end is stopped, loudly: what one move may set off is bounded, inside of steps too."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from random import Random

import pytest

from alhambra import AlhambraError, Game, Module, Options, RulesDefect, register, registry
from alhambra.base.supply import draw_from_deck, draw_tile, sink_tile
from alhambra.engine import WORK_LIMIT
from alhambra.module import Step
from tests.rules.situations import display, play, table


def draws_for_ever(game: Game) -> None:
    """Every card drawn goes to the discard and comes round again."""
    while (card := draw_from_deck(game)) is not None:
        game.state.discard = (*game.state.discard, card)


def digs_for_ever(game: Game) -> None:
    """Every tile drawn goes under the tower again."""
    while (tile := draw_tile(game)) is not None:
        sink_tile(game, tile)


def talks_for_ever(game: Game) -> None:
    """Nothing but events."""
    while True:
        game.emit("echo")


def rolls_for_ever(game: Game) -> None:
    """A die that has no seven."""
    while game.chance("die").randbelow(6) != 7:
        pass


def comes_again(game: Game) -> None:
    """A step that puts itself on the agenda."""
    game.push(comes_again)


def leads_nowhere(game: Game) -> None:
    """Nothing is to come, and nothing was decided."""
    game.clear_agenda()


ENDLESS = [draws_for_ever, digs_for_ever, talks_for_ever, rolls_for_ever, comes_again]


def with_step(monkeypatch: pytest.MonkeyPatch, run: Callable[[Game], None]) -> Game:
    """A game in which the step is run at the end of the turn; one action ends it."""
    monkeypatch.setattr(registry, "_registered", {})
    register(Module(number=950, key="example_defect", steps=(Step("turn.market", run),), agenda={"run": run}))
    game = table(modules=["example_defect"])
    display(game, "denar-1")
    return game


@pytest.mark.parametrize("run", ENDLESS)
def test_a_move_that_does_not_end_raises_a_defect(monkeypatch: pytest.MonkeyPatch, run: Callable[[Game], None]) -> None:
    game = with_step(monkeypatch, run)
    with pytest.raises(RulesDefect, match=str(WORK_LIMIT)):
        play(game, "take_money denar-1")


def test_a_game_that_goes_nowhere_raises_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_step(monkeypatch, leads_nowhere)
    with pytest.raises(RulesDefect, match="neither over nor waiting"):
        play(game, "take_money denar-1")


def test_a_defect_is_no_mistake_of_the_caller() -> None:
    assert not issubclass(RulesDefect, AlhambraError)


def test_a_game_that_stopped_half_way_is_neither_played_on_nor_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_step(monkeypatch, talks_for_ever)
    with pytest.raises(RulesDefect):
        play(game, "take_money denar-1")
    for use in (game.to_bytes, game.state_bytes, game.clone().to_bytes, lambda: game.resign(1)):
        with pytest.raises(RulesDefect, match="in the middle of a move"):
            use()


def test_the_game_before_the_move_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_step(monkeypatch, draws_for_ever)
    before, tried = game.to_bytes(), game.clone()
    with pytest.raises(RulesDefect):
        play(tried, "take_money denar-1")
    assert game.to_bytes() == before


def test_the_bound_holds_where_assertions_are_switched_off() -> None:
    script = (
        "from tests.rules.test_work_limit import *\n"
        "patch = pytest.MonkeyPatch()\n"
        "game = with_step(patch, comes_again)\n"
        "try:\n    play(game, 'take_money denar-1')\n"
        "except RulesDefect:\n    print('stopped')\n"
    )
    found = subprocess.run([sys.executable, "-O", "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout == "stopped\n"


def test_whole_games_are_far_from_the_bound() -> None:
    game = Game.new(Options(seats=6, seed="work", modules=sorted(registry.known_modules())))
    rng, most = Random(1), 0
    while not game.over:
        game.play(game.random_move(rng))
        most = max(most, game._work)
    assert 0 < most < WORK_LIMIT // 50
