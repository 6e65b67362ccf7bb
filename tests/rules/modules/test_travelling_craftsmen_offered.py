"""31 The travelling craftsmen: when what they can do is offered, and when it is refused."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from alhambra import Game, Options
from alhambra.modules.characters import Characters
from alhambra.modules.travelling_craftsmen import Craftsmen
from tests.rules.hooks.asking import asked
from tests.rules.modules.craftsmen_table import workshop
from tests.rules.modules.power_of_the_sultan_table import beside
from tests.rules.modules.test_travelling_craftsmen_building import bricks
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    discard,
    hand,
    legal,
    market,
    pieces,
    play,
    refused,
    reserve,
)

KEY = "travelling_craftsmen"


def offered(game: Game, viewer: int = 0) -> list[str]:
    """The verbs that everybody sees offered."""
    decision: dict[str, Any] = game.view(viewer)["decision"]
    verbs: list[str] = decision["verbs"]
    return verbs


@pytest.mark.rule("31.3")
def test_before_the_craftsmen_are_dealt_nobody_sees_any() -> None:
    game = Game.new(Options(seats=3, seed="early", modules=[KEY, "palace_designers"]))
    assert asked(game) == ("face_designer", 0)
    for viewer in (None, 0, 1, 2):
        assert pieces(game, KEY, viewer) == []


@pytest.mark.rule("31.27")
def test_nobody_imagines_another_craftsman_face_down_once_one_was_passed_on() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner")
    play(game, "take_money dukat-4")
    play(game, "pass_craftsman goldsmith")
    assert game.module_state(Craftsmen).undealt
    for viewer in (None, 0, 1, 2):
        imagined = {game.determinize(viewer, Random(n)).module_state(Craftsmen).hidden for n in range(10)}
        assert imagined == {"goldsmith"}


@pytest.mark.rule("31.28")
@pytest.mark.parametrize("redesign", ["add garden-9-e @0,1", "swap garden-9-e @1,0"])
def test_the_mosaic_layer_turns_no_tile_that_the_contractor_builds_in(redesign: str) -> None:
    game = workshop("mosaic_layer contractor")
    alhambra(game, 0, {(1, 0): "arcades-10"})
    reserve(game, 0, "garden-9-e")
    named = ("contractor", "mosaic_layer")
    assert codes(refused(game, redesign, rotation=90, items=named)) == ["USED_UP"]
    assert legal(game, redesign, rotation=90, items=("mosaic_layer",))


@pytest.mark.rule("31.9", "31.44")
def test_the_blacksmith_has_cards_to_turn_up_as_long_as_some_were_discarded() -> None:
    game = workshop("blacksmith carpenter")
    discard(game, "gulden-1 gulden-2 gulden-3")
    deck(game, only=True)
    play(game, "enlarge_display", items=("blacksmith",))
    assert len(game.state.display) == 6


@pytest.mark.rule("31.24", "31.44")
def test_enlarging_the_display_is_offered_only_with_a_blacksmith_who_can_do_it() -> None:
    game = workshop("blacksmith mortar_mixer")
    deck(game, "gulden-1 gulden-2")
    assert "enlarge_display" in offered(game)
    play(game, "enlarge_display", items=("blacksmith",))
    assert "enlarge_display" not in offered(game)
    assert "enlarge_display" not in offered(workshop("carpenter mortar_mixer"))


@pytest.mark.rule("31.16", "31.24")
def test_laying_a_brick_is_offered_with_a_brickmaker_a_tile_that_was_bought_and_a_built_one() -> None:
    assert "lay_brick" in offered(bricks())
    bare = bricks()
    alhambra(bare, 0, {})
    assert "lay_brick" not in offered(bare), "nothing is built"
    used = bricks()
    used.state.used = ("carpenter",)
    assert "lay_brick" not in offered(used), "another craftsman was used"
    given = bricks()
    given.module_state(Craftsmen).bought = ()
    assert "lay_brick" not in offered(given), "nothing was bought"


@pytest.mark.rule("31.28")
def test_every_brick_that_is_listed_is_laid_upright_because_turning_it_takes_a_second_craftsman() -> None:
    game = workshop("brickmaker mosaic_layer", hidden="coiner")
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9 denar-4")
    alhambra(game, 0, {(0, 1): "arcades-10", (0, 2): "garden-10"})
    play(game, "buy market-denar denar-9 denar-4")
    listed = [move for move in game.moves() if move.verb == "lay_brick"]
    assert listed
    assert {move.rotation for move in listed} == {None}
    assert not [move for move in listed if game.verify(move)]


@pytest.mark.rule("31.29")
@pytest.mark.parametrize("module", ["treasure_chamber", "power_of_the_sultan"])
def test_the_carpenter_lowers_no_price_of_chests_or_cards(module: str) -> None:
    game = workshop("carpenter goldsmith", module)
    hand(game, 0, "denar-7")
    if module == "treasure_chamber":
        faults = refused(game, "buy_chests denar-7", slot="room-1", items=("carpenter:1",))
    else:
        beside(game, "sultan_denar_1", "garden")
        hand(game, 0, "denar-6")
        faults = refused(game, "buy denar-6", slot="sultan", piece="sultan_denar_1", items=("carpenter:1",))
    assert "NOT_ACCEPTED" in codes(faults)


def starting(owners: dict[str, int]) -> Game:
    """Seat 1 has a stonemason and these characters, and is asked at the start of its turn."""
    game = workshop("stonemason goldsmith", "characters", hidden="coiner")
    game.module_state(Characters).owners = owners
    kept = game.module_state(Craftsmen)
    kept.shown = (kept.shown[1], kept.shown[0], *kept.shown[2:])
    play(game, "take_money dukat-4")
    while asked(game)[0] != "pass_craftsman":
        play(game, "pass")
    hand(game, 1, "dukat-9 denar-5")
    deck(game, "gulden-1 gulden-2 gulden-3")
    play(game, f"pass_craftsman {kept.shown[0][0]}")
    assert asked(game) == ("start", 1)
    return game


CUT: dict[str, Any] = {"cards": ("dukat-9",), "display": ("dukat-1",), "items": ("stonemason",)}


@pytest.mark.rule("31.24")
def test_the_stonemason_comes_after_the_dancer_and_not_before() -> None:
    game = starting({"dancer": 1})
    assert {"dance", "cut_stone"} <= {*offered(game, 1)}
    early = game.clone()
    play(early, "cut_stone", **CUT)
    assert asked(early) == ("action", 1), "the dancer would have had to come first"
    play(game, "dance market-denar")
    assert legal(game, "cut_stone", **CUT)


@pytest.mark.rule("31.24")
def test_stonemason_and_beggar_come_in_any_order() -> None:
    game = starting({"beggar": 1})
    other = game.clone()
    play(game, "cut_stone", **CUT)
    assert asked(game) == ("start", 1)
    assert legal(game, "draw_card")
    play(other, "draw_card")
    assert asked(other) == ("start", 1)
    assert legal(other, "cut_stone", **CUT)
