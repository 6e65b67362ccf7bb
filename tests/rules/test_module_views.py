"""What modules show is taken from an earlier state only if nothing that it was computed from has changed."""

from random import Random

import pytest

from alhambra import Game, ModuleView, Options, known_modules
from alhambra.codec import json_text
from alhambra.players import MOVERS

MODULES = tuple(known_modules())
MOVES = 60


def game_of(seed: str) -> Game:
    return Game.new(Options(seats=3, seed=seed, modules=MODULES))


@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_what_is_taken_from_an_earlier_state_is_what_the_view_shows(viewer: int | None) -> None:
    game, rng = game_of(f"module views {viewer}"), Random(4)
    known: dict[str, ModuleView] = {}
    for _ in range(MOVES):
        game = game.clone()
        game.apply(MOVERS["random"](game, rng))
        known = game.module_views(viewer, known)
        view = game.view(viewer)
        facts = {key: shown.facts for key, shown in known.items() if key in view["slices"]}
        pieces = {key: shown.pieces for key, shown in known.items() if key in view["pieces"]}
        assert json_text(facts) == json_text(view["slices"])
        assert json_text(pieces) == json_text(view["pieces"])


def test_a_move_changes_what_few_modules_show() -> None:
    game, rng = game_of("few"), Random(2)
    before = game.module_views(0, {})
    kept = 0
    for _ in range(MOVES):
        game.apply(MOVERS["peer"](game, rng))
        after = game.module_views(0, before)
        kept += sum(after[key] is shown for key, shown in before.items())
        before = after
    assert kept > 0.8 * MOVES * len(before)


def test_views_may_not_change_the_game() -> None:
    game = game_of("read only")
    shown = game.module_views(None, {})
    assert game.module_views(None, shown) == shown
    assert game.view(None) == game.clone().view(None)


def test_the_bytes_of_a_state_do_not_depend_on_what_was_written_before() -> None:
    game, rng = game_of("bytes"), Random(3)
    for _ in range(MOVES):
        game.apply(MOVERS["peer"](game, rng))
        assert game.state_bytes() == game.with_state(game.state_bytes()).state_bytes()
