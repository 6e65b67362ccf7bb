"""31 The travelling craftsmen: where they are, and what everybody sees and is told of them."""

from __future__ import annotations

import pytest

from alhambra import Game, Move, Options
from alhambra.invariants import census
from alhambra.modules.travelling_craftsmen import CRAFTSMEN, Craftsmen
from alhambra.modules.travelling_craftsmen.pass_craftsman import in_play
from tests.rules.modules.craftsmen_table import asked, shown, workshop
from tests.rules.modules.test_travelling_craftsmen import at_start
from tests.rules.modules.test_travelling_craftsmen_building import bricks
from tests.rules.situations import codes, deck, events_of, fact, pieces, play, refused

KEY = "travelling_craftsmen"


def craftsmen(game: Game) -> dict[str, int]:
    """All craftsmen, wherever they are."""
    return {thing: count for thing, count in census(game).items() if thing in CRAFTSMEN}


@pytest.mark.rule("31.1", "31.2", "31.47")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_craftsman_of_the_game_is_open_face_down_not_dealt_or_gone_with_its_owner(seats: int) -> None:
    game = Game.new(Options(seats, "craftsmen", modules=[KEY]))
    assert craftsmen(game) == dict.fromkeys(in_play(seats), 1)
    if seats > 2:
        game.resign(1)
        assert craftsmen(game) == dict.fromkeys(in_play(seats), 1)


@pytest.mark.rule("31.3")
def test_chance_decides_who_gets_which_craftsmen() -> None:
    dealt = set()
    for number in range(10):
        kept = Game.new(Options(3, f"craftsmen {number}", modules=[KEY])).module_state(Craftsmen)
        dealt.add((kept.shown, kept.hidden))
    assert len(dealt) > 5


@pytest.mark.rule("31.3")
def test_everybody_is_told_which_craftsmen_are_open_and_the_start_player_alone_which_one_is_not() -> None:
    game = Game.new(Options(3, "craftsmen", modules=[KEY]))
    kept, first = game.module_state(Craftsmen), game.state.first
    (dealt,) = [event for event in game.events if event.kind == "craftsmen_dealt"]
    assert dealt.public == {"pieces": kept.shown, "seat": first}
    assert dealt.private == {first: {"piece": kept.hidden}}
    assert all(own == tuple(sorted(own)) for own in kept.shown)


@pytest.mark.rule("31.4", "31.27")
def test_everybody_sees_whose_craftsmen_are_open_which_was_used_and_which_lies_face_down() -> None:
    game = workshop("blacksmith goldsmith", hidden="coiner")
    deck(game, "gulden-1 gulden-2")
    play(game, "enlarge_display", items=("blacksmith",))
    for viewer in (None, 0, 1):
        assert pieces(game, KEY, viewer, seat=0) == [
            {"kind": "craftsman", "piece": "blacksmith", "seat": 0, "choice": "used"},
            {"kind": "craftsman", "piece": "goldsmith", "seat": 0},
            {"kind": "craftsman", "piece": "coiner", "seat": 0, "choice": "face_down"},
        ]


@pytest.mark.rule("31.9")
def test_everybody_is_told_what_lies_open_when_the_display_was_enlarged() -> None:
    game = workshop("blacksmith goldsmith")
    deck(game, "gulden-1 gulden-2")
    events = play(game, "enlarge_display", items=("blacksmith",))
    assert events_of(events, "craftsman_used") == [{"seat": 0, "piece": "blacksmith"}]
    assert events_of(events, "display_enlarged") == [{"display": game.state.display}]
    assert len(game.state.display) == 6


@pytest.mark.rule("31.4")
def test_a_second_craftsman_is_refused_in_the_same_turn() -> None:
    game = workshop("mortar_mixer blacksmith")
    deck(game, "gulden-1 gulden-2")
    play(game, "swap_market market-gulden", items=("mortar_mixer",))
    play(game, "swap_with market-denar")
    faults = refused(game, "enlarge_display", items=("blacksmith",))
    assert fact(faults, "USED_UP") == {"what": "craftsman", "limit": 1, "per": "turn"}


@pytest.mark.rule("31.17")
def test_the_stonemason_swaps_one_card_of_the_hand_for_one_open_card() -> None:
    game = at_start("denar-5 dukat-9")
    mason = ("stonemason",)
    two = refused(game, "cut_stone", cards=("denar-5", "dukat-9"), display=("dukat-1",), items=mason)
    assert fact(two, "CARD_COUNT") == {"need": 1, "got": 2}
    absent = refused(game, "cut_stone", cards=("dukat-8",), display=("dukat-1",), items=mason)
    assert fact(absent, "NOT_THERE") == {"id": "dukat-8", "place": "hand"}
    covered = refused(game, "cut_stone", cards=("dukat-9",), display=("dukat-7",), items=mason)
    assert fact(covered, "NOT_THERE") == {"id": "dukat-7", "place": "display"}
    other = refused(game, "cut_stone", cards=("denar-5",), display=("dukat-1",), items=mason)
    assert fact(other, "WRONG_CURRENCY") == {"id": "dukat-1", "allowed": ["denar"]}


@pytest.mark.rule("31.35")
def test_the_brickmaker_lays_only_a_tile_at_hand_in_place_of_a_built_one() -> None:
    game = bricks()
    maker = ("brickmaker",)
    assert fact(refused(game, "lay_brick tower-11 @1,0", items=maker), "NOT_THERE") == {
        "id": "tower-11",
        "place": "pending",
    }
    assert fact(refused(game, "lay_brick tower-12 @5,5", items=maker), "NOT_THERE") == {
        "id": [5, 5],
        "place": "alhambra",
    }
    assert codes(refused(game, Move("lay_brick", "castle", cell=(1, 0), items=maker))) == ["ID_UNKNOWN"]


@pytest.mark.rule("31.5")
def test_the_craftsman_that_is_passed_on_is_open_and_known() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner")
    play(game, "take_money dukat-4")
    assert asked(game) == ("pass_craftsman", 0)
    assert game.decision is not None
    assert game.decision.context == {"pieces": ("carpenter", "goldsmith")}
    assert [move.piece for move in game.moves()] == ["carpenter", "goldsmith"]
    others = shown(game, 1), shown(game, 2)
    play(game, "pass_craftsman carpenter")
    assert shown(game, 0) == ("coiner", "goldsmith")
    assert (shown(game, 1), shown(game, 2)) == others
