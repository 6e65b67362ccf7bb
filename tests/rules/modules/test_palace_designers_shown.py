"""35 Palace designers: what everybody sees of them."""

from __future__ import annotations

import pytest

from alhambra import Game, Options
from tests.rules.hooks.asking import asked
from tests.rules.modules.designers_table import KEY, designers, stand
from tests.rules.situations import pieces, play


@pytest.mark.rule("35.2", "35.30")
def test_until_the_edge_is_chosen_a_designer_is_shown_on_the_start_tile_without_one() -> None:
    game = Game.new(Options(seats=3, seed="feet", modules=[KEY]))
    play(game, "face_designer", side="E")
    assert asked(game) == ("face_designer", 1)
    assert pieces(game, KEY) == [
        {"kind": "designer", "seat": 0, "cell": (0, 0), "side": "E"},
        {"kind": "designer", "seat": 1, "cell": (0, 0)},
        {"kind": "designer", "seat": 2, "cell": (0, 0)},
    ]


@pytest.mark.rule("35.30", "35.32")
def test_the_designer_of_a_player_who_resigned_is_still_shown_where_it_stands() -> None:
    game = designers(4, tiles={(1, 0): "seraglio-9"})
    stand(game, 0, (1, 0), "N")
    game.resign(0)
    assert pieces(game, KEY, seat=0) == [{"kind": "designer", "seat": 0, "cell": (1, 0), "side": "N"}]
