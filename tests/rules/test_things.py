"""What modules show of their pieces: in the nouns, at places that exist, and the same whatever is hidden."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from alhambra import Game, Options, known_modules, load_module
from alhambra.components import CURRENCIES, TYPES
from alhambra.moves import NOUNS, POINTS

SEATS = 3
EVERY = 40
"""Looked at after so many moves."""


@cache
def positions() -> tuple[Game, ...]:
    game, rng, found = Game.new(Options(SEATS, "things", modules=known_modules())), Random(7), []
    while not game.over:
        if game.version % EVERY == 0:
            found.append(game.clone())
        game.apply(game.random_move(rng))
    return (*found, game)


def shown(game: Game) -> Iterator[tuple[str, dict[str, Any]]]:
    for module in game.ruleset.modules:
        for told in module.public_pieces(game) if module.public_pieces is not None else ():
            yield module.key, dict(told)


def test_every_thing_has_a_kind_and_lies_where_it_can() -> None:
    for game in positions():
        for key, told in shown(game):
            assert told["kind"].isidentifier(), key
            assert told.get("seat") in (None, *range(SEATS)), key
            assert told.get("type", "") in ("", *TYPES), key
            assert told.get("currency", CURRENCIES[0]) in CURRENCIES, key
            assert told.get("side", "N") in POINTS, key
            assert told.get("tile", "") in ("", *game.ruleset.tiles), key
            assert told.get("amount", 1) > 0, key
            assert "cell" not in told or "seat" in told, key
            json.dumps(told)


def test_things_are_public() -> None:
    rng = Random(3)
    for game in positions():
        for viewer in (None, *range(SEATS)):
            assert list(shown(game.determinize(viewer, rng))) == list(shown(game))


def test_what_a_seat_alone_sees_of_its_pieces_is_told_to_nobody_else() -> None:
    rng, told_apart = Random(4), False
    for game in positions():
        public = game.view(None)["pieces"]
        for viewer in range(SEATS):
            seen = game.view(viewer)["pieces"]
            told_apart |= seen != public
            assert game.determinize(viewer, rng).view(viewer)["pieces"] == seen
    assert told_apart


def test_own_pieces_are_as_many_as_the_others_see_face_down() -> None:
    def face_down(pieces: list[dict[str, Any]], seat: int) -> int:
        mine = [told for told in pieces if told.get("seat") == seat]
        return sum(told.get("amount", 1) for told in mine if told.get("choice") == "face_down")

    keys = [key for key in known_modules() if load_module(key).private_pieces is not None]
    for game in positions():
        public = game.view(None)["pieces"]
        for seat in range(SEATS):
            own = game.view(seat)["pieces"]
            for key in keys:
                assert face_down(own[key], seat) == face_down(public[key], seat), key


def test_a_thing_that_lies_on_a_tile_names_one_that_its_seat_has() -> None:
    for game in positions():
        for key, told in shown(game):
            if told.get("tile") and told.get("seat") is not None:
                owner = game.state.seats[told["seat"]]
                reserve = game.ruleset.reserve.tiles(game, told["seat"])
                assert told["tile"] in (*owner.board.placed, *reserve, *owner.pending), key


@pytest.mark.parametrize("key", [key for key in known_modules() if load_module(key).public_pieces is not None])
def test_every_module_shows_something_in_the_course_of_a_game(key: str) -> None:
    assert any(name == key for game in positions() for name, _ in shown(game))


def test_whatever_no_noun_can_say_is_one_of_a_few_words() -> None:
    extra = {name for game in positions() for _, told in shown(game) for name in told if name not in NOUNS}
    assert extra <= {"kind", "residents", "sum"}
