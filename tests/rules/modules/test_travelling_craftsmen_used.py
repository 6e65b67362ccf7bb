"""31 The travelling craftsmen: a craftsman that helps is used once; one that cannot help is refused."""

from __future__ import annotations

import pytest

from alhambra import Game, Move, Options
from alhambra.modules.travelling_craftsmen import Craftsmen
from alhambra.modules.travelling_craftsmen.contractor import is_asked
from alhambra.modules.travelling_craftsmen.pass_craftsman import take_from_resigned
from tests.rules.modules.characters_table import give
from tests.rules.modules.craftsmen_table import asked, shown, workshop
from tests.rules.modules.power_of_the_sultan_table import beside
from tests.rules.modules.street_trader_table import house
from tests.rules.modules.test_travelling_craftsmen import at_start
from tests.rules.modules.test_travelling_craftsmen_building import bricks
from tests.rules.modules.test_travelling_craftsmen_offered import KEY, offered
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    events_of,
    fact,
    hand,
    kinds,
    market,
    pieces,
    play,
    refused,
    reserve,
)


@pytest.mark.rule("31.4", "31.8")
@pytest.mark.parametrize(("item", "used"), [("carpenter:1", "carpenter"), ("coiner", "coiner")])
def test_a_craftsman_who_helps_with_a_payment_is_used_once_for_all_to_see(item: str, used: str) -> None:
    game = workshop("carpenter coiner")
    market(game, dukat="pavilion-7-e")
    hand(game, 0, "dukat-6 dukat-3")
    if used == "carpenter":
        events = play(game, "buy market-dukat dukat-6", items=(item,))
    else:
        events = play(game, "buy market-dukat", cards=("dukat-3",), display=("dukat-4",), items=(item,))
    assert events_of(events, "craftsman_used") == [{"seat": 0, "piece": used}]
    assert [word for word in game.state.used if word in ("carpenter", "coiner")] == [used]


@pytest.mark.rule("31.13")
def test_the_coiner_pays_for_no_sultan_card() -> None:
    game = workshop("coiner goldsmith", "power_of_the_sultan")
    beside(game, "sultan_dukat_1", "garden")
    hand(game, 0, "dukat-5")
    sultan = {"slot": "sultan", "piece": "sultan_dukat_1"}
    faults = refused(game, "buy dukat-5", display=("dukat-2",), items=("coiner",), **sultan)
    assert "NOT_ACCEPTED" in codes(faults)


@pytest.mark.rule("31.4", "31.9")
@pytest.mark.parametrize("items", [("goldsmith",), ("blacksmith", "goldsmith"), ("coiner",)])
def test_only_an_open_blacksmith_alone_enlarges_the_display(items: tuple[str, ...]) -> None:
    game = workshop("blacksmith goldsmith", hidden="coiner")
    deck(game, "gulden-1 gulden-2")
    assert fact(refused(game, "enlarge_display", items=items), "NOT_THERE") == {"id": items[0], "place": "held"}


@pytest.mark.rule("31.4", "31.9")
def test_the_blacksmith_of_another_player_does_not_help() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner")
    deck(game, "gulden-1 gulden-2")
    assert "blacksmith" in shown(game, 1)
    assert "NOT_THERE" in codes(refused(game, "enlarge_display", items=("blacksmith",)))


@pytest.mark.rule("31.17")
def test_only_the_stonemason_cuts_a_stone() -> None:
    game = at_start("dukat-9")
    (other,) = {*shown(game, 1)} - {"stonemason"}
    faults = refused(game, "cut_stone", cards=("dukat-9",), display=("dukat-1",), items=(other,))
    assert codes(faults) == ["NOT_THERE"]


@pytest.mark.rule("31.17")
def test_what_is_wrong_with_a_swap_of_the_stonemason_is_said_once() -> None:
    game = at_start("denar-5 dukat-9")
    mason = ("stonemason",)
    two = refused(game, "cut_stone", cards=("denar-5", "dukat-9"), display=("dukat-1",), items=mason)
    assert codes(two) == ["CARD_COUNT"]
    unknown = refused(game, "cut_stone", cards=("camel",), display=("dukat-1",), items=mason)
    assert len(unknown) == 1
    assert codes(unknown) in (["NOT_THERE"], ["ID_UNKNOWN"])


@pytest.mark.rule("31.17", "31.46")
def test_cutting_a_stone_is_offered_to_the_owner_of_a_stonemason_only() -> None:
    assert "cut_stone" in offered(at_start("dukat-9"), 1)
    game = workshop("stonemason goldsmith", "characters", hidden="coiner")
    give(game, 1, "dancer")
    play(game, "take_money dukat-4")
    play(game, "pass_craftsman goldsmith")
    assert asked(game) == ("start", 1)
    assert "cut_stone" not in offered(game, 1)


@pytest.mark.rule("31.25")
def test_the_actions_stay_open_for_a_mortar_mixer_and_a_pass_closes_them() -> None:
    game = workshop("mortar_mixer goldsmith")
    play(game, "take_money dukat-4")
    assert asked(game) == ("action", 0)
    play(game, "pass")
    assert asked(game) == ("pass_craftsman", 0)


@pytest.mark.rule("31.28")
def test_a_second_craftsman_in_one_move_is_refused_as_one_too_many() -> None:
    game = workshop("mosaic_layer contractor")
    alhambra(game, 0, {(1, 0): "arcades-10", (2, 0): "garden-9-e"})
    faults = refused(game, "move_tile garden-9-e @0,1", rotation=90, items=("contractor", "mosaic_layer"))
    assert fact(faults, "USED_UP") == {"what": "craftsman", "limit": 1, "per": "turn"}


@pytest.mark.rule("31.3", "31.27")
def test_in_a_new_game_only_the_start_player_sees_the_craftsman_that_lies_face_down() -> None:
    game = Game.new(Options(3, "craftsmen", modules=[KEY]))
    kept = game.module_state(Craftsmen)
    unknown = {"kind": "craftsman", "seat": kept.holder, "choice": "face_down"}
    for viewer in (None, *range(3)):
        known = {"piece": kept.hidden} if viewer == kept.holder else {}
        assert pieces(game, KEY, viewer, choice="face_down") == [{**unknown, **known}]


@pytest.mark.rule("31.5", "31.27")
def test_passing_a_craftsman_on_for_one_that_everybody_knows_can_be_taken_back() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner", confirm_turn=True)
    play(game, "take_money dukat-4")
    play(game, "pass_craftsman goldsmith")
    assert game.can_undo(0) is None


@pytest.mark.rule("31.5")
def test_only_a_craftsman_can_be_passed_on() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner")
    play(game, "take_money dukat-4")
    assert codes(refused(game, Move("pass_craftsman", piece="camel"))) == ["ID_UNKNOWN"]


@pytest.mark.rule("31.47")
def test_the_craftsman_face_down_stays_where_it_is_when_another_player_resigns() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner", seats=4)
    game.resign(2)
    kept = game.module_state(Craftsmen)
    assert (kept.hidden, kept.holder) == ("coiner", 0)
    assert shown(game, 2) == ()


@pytest.mark.rule("31.47")
def test_a_stored_game_takes_the_craftsmen_from_a_player_who_had_resigned_before_they_were_dealt() -> None:
    kept = {"gone": ["coiner"], "shown": [["carpenter", "goldsmith"], ["blacksmith", "brickmaker"]]}
    take_from_resigned(kept, {"seats": [{"resigned": False}, {"resigned": True}]})
    assert kept == {"gone": ["coiner", "blacksmith", "brickmaker"], "shown": [["carpenter", "goldsmith"], []]}


@pytest.mark.rule("12.26", "31.16")
def test_a_resident_leaves_before_the_new_tile_is_laid_in_place_of_its_building() -> None:
    game = bricks("street_trader")
    house(game, "arcades-10")
    order = kinds(play(game, "lay_brick tower-12 @1,0", items=("brickmaker",)))
    assert order.index("resident_left") < order.index("brick_laid")


@pytest.mark.rule("31.25", "31.42")
def test_the_actions_do_not_stay_open_for_the_contractor_after_an_action_that_bars_redesigns() -> None:
    game = workshop("contractor goldsmith", "falconers")
    reserve(game, 0, "garden-11")
    assert is_asked(game, 0)
    game.state.taken = (next(name for name, verb in game.ruleset.verbs.items() if verb.sole),)
    assert not is_asked(game, 0)
