"""The methods of a game for its users, apart from those for rules; moves as they are printed."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import alhambra
from alhambra import Game, Move, Options, known_modules
from alhambra.engine import GameEngine

GUIDE = Path(__file__).parents[2] / "docs" / "library.md"


def test_the_guide_lists_every_public_method_of_a_game() -> None:
    section = GUIDE.read_text(encoding="utf-8").partition("## All methods of a game")[2].partition("\n## ")[0]
    table = "".join(line for line in section.splitlines() if line.startswith("|"))
    named = set(re.findall(r"`(?:Game\.)?([a-z_]+)(?:\(|`)", table))
    public = {name for name in vars(Game) if not name.startswith("_")}
    assert named >= public, public - named
    assert not named & {name for name in vars(GameEngine) if callable(getattr(GameEngine, name))}


def test_methods_for_rules_are_not_defined_on_the_public_class() -> None:
    for name in ("push", "ask", "emit", "chance", "push_procedure", "spend_action", "assume_legal", "offered_verbs"):
        assert name in vars(GameEngine)
        assert name not in vars(Game)


def test_a_printed_move_names_only_what_it_has() -> None:
    assert repr(Move("pass")) == "Move('pass')"
    assert repr(Move("place", "tower-11", cell=(0, 1), rotation=90)) == (
        "Move('place', tile='tower-11', cell=(0, 1), rotation=90)"
    )
    assert repr(Move("bid", amount=0, cards=("denar-1",))) == "Move('bid', cards=('denar-1',), amount=0)"


def test_a_printed_move_evaluates_to_the_move() -> None:
    game = Game.new(Options(seats=3, seed="printed", modules=known_modules()))
    rng = Random(2)
    for _ in range(150):
        move = game.random_move(rng)
        assert eval(repr(move), {"Move": alhambra.Move}) == move
        game.play(move)
