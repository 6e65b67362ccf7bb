"""The picture of an Alhambra: well formed, complete, the same for everybody, readable in every light."""

from __future__ import annotations

import re
from functools import cache
from random import Random
from xml.etree import ElementTree

import pytest

from alhambra import Board, Game, Options, known_modules, text, tile
from alhambra.components import TYPES
from alhambra.ruleset import compile_ruleset
from alhambra.svg import THEMES, board, draw_board
from alhambra.svg.palette import style_sheet
from alhambra.svg.pieces import draw_on_cells
from alhambra.svg.symbols import PATHS

SVG = "{http://www.w3.org/2000/svg}"


@cache
def played(seats: int, *modules: str) -> Game:
    game = Game.new(Options(seats, "picture", modules=modules))
    rng = Random(5)
    for _ in range(250):
        if not game.over:
            game.apply(game.random_move(rng))
    return game


def picture_of(game: Game, seat: int = 0, theme: str = "auto", language: str = "en") -> ElementTree.Element:
    return ElementTree.fromstring(draw_board(game, seat, theme, language))


def prices_in(picture: ElementTree.Element) -> list[int]:
    return sorted(int(text.text or "") for text in picture.iter(f"{SVG}text") if "price" in text.get("class", ""))


def count(picture: ElementTree.Element, tag: str, kind: str) -> int:
    return sum(kind in found.get("class", "").split() for found in picture.iter(f"{SVG}{tag}"))


def walled(*tiles: tuple[str, int, int]) -> Game:
    game = Game.new(Options(seats=2, seed="walls"))
    for name, x, y in tiles:
        game.state.seats[0].board.put(game.ruleset.tiles[name], x, y)
    return game


@pytest.mark.parametrize("theme", THEMES)
def test_every_tile_that_a_player_has_is_drawn_with_its_price(theme: str) -> None:
    game = played(2)
    for seat, owner in enumerate(game.state.seats):
        tiles = [game.ruleset.tiles[name] for name in (*owner.board.placed, *owner.reserve, *owner.pending)]
        assert prices_in(picture_of(game, seat, theme)) == sorted(
            tile.price for tile in tiles if tile.price is not None
        )


def test_every_building_has_the_colour_and_the_symbol_of_its_type() -> None:
    game = walled(("pavilion-7-e", 1, 0), ("garden-11", 0, 1))
    picture = picture_of(game)
    legend = 1
    for kind in TYPES:
        built = kind in ("pavilion", "garden")
        assert count(picture, "rect", kind) == built + legend
        symbols = [use for use in picture.iter(f"{SVG}use") if use.get("href") == f"#{kind}"]
        assert [use.get("class") for use in symbols] == [f"on-{kind}"] * (built + legend)


def test_the_symbols_of_the_six_types_differ() -> None:
    assert len({PATHS[kind] for kind in TYPES}) == len(TYPES)


def test_a_double_wall_is_two_walls_and_a_gate_breaks_it() -> None:
    game = walled(("pavilion-7-e", 1, 0), ("seraglio-7-w", 2, 0))
    before = picture_of(game)
    assert count(before, "rect", "wall") == 2
    assert count(before, "path", "door") == 0
    game.state.seats[0].board.add_passage(1, 0, "E")
    assert count(picture_of(game), "path", "door") == 1


def test_wooden_walls_are_of_wood() -> None:
    game = walled(("garden-11", 1, 0))
    game.state.seats[0].board.add_wooden_walls("garden-11", (1,))
    picture = picture_of(game)
    assert (count(picture, "rect", "wood"), count(picture, "rect", "wall")) == (1, 0)


def test_name_score_and_longest_wall_stand_above() -> None:
    game = played(2)
    texts = [text.text for text in picture_of(game).iter(f"{SVG}text")]
    owner = game.state.seats[0]
    assert texts[0] == game.options.seats[0].name
    assert {str(owner.score), str(owner.board.longest_wall())} <= set(texts)


def test_the_pieces_of_all_modules_can_be_drawn() -> None:
    game = played(3, *known_modules())
    drawn = [picture_of(game, seat) for seat in range(3)]
    names = {title.text or "" for picture in drawn for title in picture.iter(f"{SVG}title")}
    assert {"vizier", text("thing.disc")} <= {name.partition(" · ")[0] for name in names}


def test_the_long_side_of_a_watchtower_is_drawn_as_a_wall() -> None:
    game = played(3, "watchtowers")
    drawn = [picture_of(game, seat) for seat in range(3)]
    kinds = {placed.tile.kind for seat in game.state.seats for placed in seat.board.placed.values()}
    assert "watchtower" in kinds
    assert any(count(picture, "path", "wall-line") for picture in drawn), "the long side of a watchtower is a wall"


@pytest.mark.parametrize(("rotation", "degrees"), [(0, 180), (90, 270), (180, 0), (270, 90)])
def test_a_piece_at_a_side_of_a_tile_points_out_of_that_side(rotation: int, degrees: int) -> None:
    game = Game.new(Options(seats=2, seed="sides", modules=["wishing_well"]))
    game.state.seats[0].board.put(game.ruleset.tiles["well_3_1"], 1, 0, rotation)
    groups = [found for found in picture_of(game).iter(f"{SVG}g") if found.find(f"{SVG}use") is not None]
    arrows = [
        found for found in groups if [use.get("href") for use in found if use.get("href")] == ["#piece-well_arrow"]
    ]
    assert [found.get("transform") for found in arrows] == [f"translate(100 0) rotate({degrees} 50 50)"]


def test_a_piece_at_a_corner_is_drawn_on_the_corner_point(monkeypatch: pytest.MonkeyPatch) -> None:
    perched = [{"kind": "elephant", "seat": 0, "cell": (0, 0), "side": "SE"}]
    monkeypatch.setattr(board, "all_pieces", lambda _game: perched)
    discs = [(disc.get("cx"), disc.get("cy")) for disc in picture_of(played(2)).iter(f"{SVG}circle")]
    assert ("100", "100") in discs


def test_a_piece_that_nobody_has_drawn_is_shown_by_its_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    strange = [{"kind": "elephant", "seat": 0}, {"kind": "umbrella", "seat": 0, "cell": (1, 0)}]
    monkeypatch.setattr(board, "all_pieces", lambda _game: strange)
    assert {"El", "Um"} <= {text.text for text in picture_of(played(2)).iter(f"{SVG}text")}


@pytest.mark.parametrize("name", ["<script>&", 'a"b', "x" * 40])
def test_a_name_cannot_break_the_picture(name: str) -> None:
    game = Game.new(Options(seats=[name, "b"], seed="names"))
    title = picture_of(game).findtext(f"{SVG}title") or ""
    assert title.startswith(f"{name} · 0")


def test_it_can_be_read_aloud() -> None:
    game = walled(("pavilion-7-e", 1, 0))
    picture = picture_of(game, language="de")
    assert picture.get("role") == "img"
    named = {found.get("id"): found.text or "" for found in picture if found.get("id")}
    assert picture.get("aria-labelledby") in named
    assert "Pavillon 7 (Osten) (1, 0)" in named[picture.get("aria-describedby")]


def test_it_holds_both_lights_unless_one_is_asked_for() -> None:
    sheets = {theme: picture_of(played(2), 0, theme).findtext(f"{SVG}style") or "" for theme in THEMES}
    assert sheets["auto"].startswith(sheets["light"])
    assert f"@media (prefers-color-scheme: dark) {{\n{sheets['dark']}\n}}" in sheets["auto"]
    assert "@media" not in sheets["light"] + sheets["dark"]


@pytest.mark.parametrize("theme", THEMES)
def test_every_class_has_a_colour_and_every_reference_an_aim(theme: str) -> None:
    known = set(re.findall(r"\.([a-z-]+)\{", style_sheet(theme)))
    for game in (played(2), played(3, *known_modules())):
        picture = picture_of(game, 0, theme)
        used = {name for found in picture.iter() for name in found.get("class", "").split()}
        assert used - known <= {"price"}
        ids = {found.get("id") for found in picture.iter()}
        assert {use.get("href", "").removeprefix("#") for use in picture.iter(f"{SVG}use")} <= ids


def test_it_runs_nothing_and_fetches_nothing() -> None:
    text = draw_board(played(3, *known_modules()), 0).replace("http://www.w3.org/2000/svg", "")
    assert re.findall(r"<script|<foreignObject|<image|\son\w+=|https?:|javascript:|@import", text) == []


def test_the_same_game_gives_the_same_bytes_whatever_is_hidden() -> None:
    game = played(3, *known_modules())
    sample = game.determinize(None, Random(1))
    assert draw_board(game, 1) == draw_board(game.clone(), 1) == draw_board(sample, 1)


# -- A board without a game --------------------------------------------------------------------------------------------


def test_a_notebook_shows_a_board_as_a_picture() -> None:
    alhambra = Board()
    alhambra.place(tile("garden-8-ne"), 1, 0)
    picture = ElementTree.fromstring(alhambra._repr_svg_())
    assert prices_in(picture) == [8]
    described = picture.findtext(f"{SVG}desc") or ""
    assert "garden 8 (north, east) (1, 0)" in described


def test_a_board_of_a_game_with_all_modules_is_drawn_without_the_game() -> None:
    for seat in played(3, *known_modules()).state.seats:
        picture = ElementTree.fromstring(seat.board._repr_svg_())
        described = picture.findtext(f"{SVG}desc") or ""
        assert len(described.split("; ")) == len(seat.board.placed)


def test_pieces_on_a_tile_leave_its_price_in_sight() -> None:
    priced, plain = (0, 0), (3, 0)
    kinds = compile_ruleset(2, "de_revised_2019", tuple(known_modules())).piece_kinds
    things = [{"kind": next(iter(kinds)), "cell": cell} for cell in (priced, plain) for _ in range(3)]
    drawn = "".join(draw_on_cells(things, {priced, plain}, {priced}, kinds, "en"))
    circles = [tuple(map(float, one)) for one in re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', drawn)]
    digits_begin, digits_end, top = 36, 83, 57
    on_tile = [(x, y, r) for x, y, r in circles if x < 100]
    assert len(on_tile) == 3
    assert [(x, y, r) for x, y, r in on_tile if x + r > digits_begin and x - r < digits_end and y + r > top] == []
