"""The picture of the whole table: well formed, the same for everybody, with every tile and card that lies open."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import pytest

from alhambra import Game, Options, known_modules
from alhambra.svg import THEMES, draw_table
from alhambra.texts import name_of

SVG = "{http://www.w3.org/2000/svg}"


def played(*modules: str) -> Game:
    game = Game.new(Options(["Ada", "<b>", "Cili"], "table picture", modules=modules))
    rng = Random(7)
    for _ in range(60):
        game.apply(game.random_move(rng))
    return game


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("modules", [(), tuple(known_modules())], ids=["base", "all"])
def test_every_open_tile_and_card_is_drawn(theme: str, modules: tuple[str, ...]) -> None:
    game = played(*modules)
    picture = ElementTree.fromstring(draw_table(game, theme))
    titles = [title.text for title in picture.iter(f"{SVG}title")]
    for thing in (*filter(None, game.state.market), *game.state.display):
        assert name_of(thing) in titles
    assert "<b>" in [text.text for text in picture.iter(f"{SVG}text")]


def test_the_same_table_gives_the_same_picture_whatever_is_hidden() -> None:
    game = played(*known_modules())
    assert draw_table(game) == draw_table(game.determinize(None, Random(1)))
