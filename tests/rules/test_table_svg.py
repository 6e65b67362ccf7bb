"""The picture of the whole table: well formed, the same for everybody, with every tile and card that lies open."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree

import pytest

from alhambra import Game, Options, known_modules
from alhambra.svg import THEMES, draw_table
from alhambra.svg.labels import width_of
from alhambra.texts import languages, name_of

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


@pytest.mark.parametrize("language", languages())
def test_nothing_runs_out_of_the_picture(language: str) -> None:
    picture = ElementTree.fromstring(draw_table(played(*known_modules()), "light", language))
    wide = float((picture.get("viewBox") or "").split()[2])
    for group in picture.iter(f"{SVG}g"):
        moved = re.match(r"translate\(([\d.]+) ", group.get("transform", ""))
        for text in group.findall(f"{SVG}text") if moved else ():
            if text.get("text-anchor") is None:
                end = float(text.get("x", 0)) + width_of(text.text or "", float(text.get("font-size", 0)))
                assert float(moved[1] if moved else 0) + end <= wide, text.text


def test_pieces_of_a_kind_that_lie_together_share_a_chip() -> None:
    game = played("change", "thieves")
    picture = ElementTree.fromstring(draw_table(game))
    said = [text.text for text in picture.iter(f"{SVG}text")]
    assert said.count(name_of("coin")) == 1
