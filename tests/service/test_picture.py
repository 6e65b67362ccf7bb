"""The picture of an Alhambra: well formed, complete, the same for everybody."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import pytest

from alhambra import Game, Options, known_modules
from alhambra_service.picture import THEMES, draw

SVG = "{http://www.w3.org/2000/svg}"


def played(seats: int, **options: object) -> Game:
    game = Game.new(Options.read({"seats": seats, "seed": "picture", **options}))
    rng = Random(5)
    for _ in range(250):
        if not game.over:
            game.apply(game.random_move(rng))
    return game


@pytest.mark.parametrize("theme", list(THEMES))
def test_every_built_tile_and_its_price_are_drawn(theme: str) -> None:
    game = played(2)
    for seat, owner in enumerate(game.state.seats):
        picture = ElementTree.fromstring(draw(game, seat, theme))
        texts = [text.text or "" for text in picture.iter(f"{SVG}text")]
        prices = sorted(int(text) for text in texts if text.isdigit())
        tiles = [game.ruleset.tiles[name] for name in (*owner.board.placed, *owner.reserve, *owner.pending)]
        assert prices == sorted(tile.price for tile in tiles if tile.price is not None)


def test_the_pieces_of_all_modules_can_be_drawn() -> None:
    game = played(3, modules=known_modules())
    for seat in range(3):
        assert ElementTree.fromstring(draw(game, seat)).tag == f"{SVG}svg"


def test_a_name_cannot_break_the_picture() -> None:
    game = Game.new(Options(seats=["<script>&", 'a"b'], seed="names"))
    picture = ElementTree.fromstring(draw(game, 0))
    assert picture.findtext(f"{SVG}title") == "<script>& · 0"


def test_a_gate_and_a_wall_show() -> None:
    game = Game.new(Options(seats=2, seed="walls"))
    board = game.state.seats[0].board
    board.put(game.ruleset.tiles["pavilion-7-e"], 1, 0)
    board.put(game.ruleset.tiles["seraglio-7-w"], 2, 0)
    before = len(list(ElementTree.fromstring(draw(game, 0)).iter(f"{SVG}circle")))
    board.add_passage(1, 0, "E")
    picture = ElementTree.fromstring(draw(game, 0))
    assert len(list(picture.iter(f"{SVG}circle"))) == before + 1
    assert len(list(picture.iter(f"{SVG}line"))) == 2, "a double wall is two walls"
