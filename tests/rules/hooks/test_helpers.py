"""Things named in a move: they turn a tile, let more money be taken, entitle to a redesign."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game, Module, Move, Options, register
from alhambra.module import Layer, Modify
from tests.rules.example_modules.masons import MASONS
from tests.rules.example_modules.tools import Tools
from tests.rules.example_modules.trowels import Trowels
from tests.rules.hooks.asking import asked, verbs
from tests.rules.modules.craftsmen_table import workshop
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    play,
    refused,
    reserve,
    table,
    take_turn,
)

# -- helpers: rotate ---------------------------------------------------------------------------------------------------


def at_the_site() -> Game:
    """Seat 0 is to place a garden whose wall in the east forbids to build it west of the fountain."""
    game = table(modules=["example_tools"])
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-4 denar-6")
    play(game, "buy market-denar denar-4 denar-6")
    assert asked(game) == ("place_tiles", 0)
    return game


def one_more(game: Game) -> Game:
    """Plain turns until seat 0 is asked for an action again."""
    while asked(game) != ("action", 0):
        kind, _ = asked(game)
        if kind == "action":
            take_turn(game)
        else:
            play(game, "pass")
    return game


@pytest.mark.rule("31.39")
def test_with_a_helper_a_tile_is_laid_turned_and_the_helper_is_spent() -> None:
    game = at_the_site()
    assert codes(refused(game, "place garden-9-e @-1,0")) == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    assert codes(refused(game, "place garden-9-e @-1,0", rotation=90)) == ["ROTATION_REFUSED"]
    events = play(game, "place garden-9-e @-1,0", rotation=90, items=("turntable",))
    assert events_of(events, "placed")[0]["rotation"] == 90
    assert events_of(events, "tool_used") == [{"seat": 0, "item": "turntable"}]
    assert game.state.seats[0].board.placed["garden-9-e"].rotation == 90
    assert game.module_state(Tools).held[0] == ("purse",)


def test_a_helper_for_turning_is_refused_where_nothing_is_turned() -> None:
    faults = refused(at_the_site(), "place garden-9-e @1,0", items=("turntable",))
    assert fact(faults, "NO_EFFECT") == {"id": "turntable"}


@pytest.mark.rule("00.36")
def test_a_helper_turns_but_lifts_no_other_rule() -> None:
    faults = refused(at_the_site(), "place garden-9-e @-1,0", rotation=180, items=("purse",))
    assert codes(faults) == ["NOT_THERE", "ROTATION_REFUSED"]
    faults = refused(at_the_site(), "place garden-9-e @1,0", rotation=180, items=("turntable",))
    assert codes(faults) == ["EDGE_MISMATCH", "NOT_REACHABLE"]


def test_a_helper_that_was_spent_or_never_held_is_not_there() -> None:
    game = at_the_site()
    game.module_state(Tools).held = ((), ("turntable",), ())
    faults = refused(game, "place garden-9-e @-1,0", rotation=90, items=("turntable",))
    assert fact(faults, "NOT_THERE") == {"id": "turntable", "place": "held"}


@pytest.mark.rule("31.39")
def test_helpers_for_turning_serve_adding_and_swapping_too() -> None:
    game = table(modules=["example_tools"])
    reserve(game, 0, "garden-9-e tower-13-e")
    alhambra(game, 0, {(1, 0): "arcades-9", (-1, 0): "arcades-10"})
    assert legal(game, "add garden-9-e @-2,0", rotation=180, items=("turntable",))
    assert not legal(game, "swap tower-13-e @-1,0")
    events = play(game, "swap tower-13-e @-1,0", rotation=180, items=("turntable",))
    assert events_of(events, "swapped")[0]["rotation"] == 180
    assert [event["item"] for event in events_of(events, "tool_used")] == ["turntable"]


def test_a_turned_tile_stays_turned_through_bytes_and_replay() -> None:
    game = Game.new(Options(seats=3, seed="turned", modules=["example_tools"]))
    rng = Random(4)
    while not any(placed.rotation for owner in game.state.seats for placed in owner.board.placed.values()):
        turning = [found for found in game.legal_moves() if found.items == ("turntable",)]
        game.apply(turning[0] if turning else game.random_move(rng))
    assert Game.from_bytes(game.to_bytes()) == game
    assert Game.replay(game.options, game.log) == game


# -- helpers: take_money -----------------------------------------------------------------------------------------------


def at_the_bank() -> Game:
    game = table(modules=["example_tools"])
    display(game, "denar-2 gulden-3 gulden-4 dukat-9")
    return game


@pytest.mark.rule("31.12")
def test_with_a_helper_more_money_is_taken_and_the_helper_is_spent() -> None:
    game = at_the_bank()
    assert fact(refused(game, "take_money denar-2 gulden-4"), "SUM_TOO_HIGH") == {"sum": 6, "limit": 5}
    events = play(game, "take_money denar-2 gulden-3 gulden-4", items=("purse",))
    assert game.state.seats[0].hand == ("denar-2", "gulden-3", "gulden-4")
    assert kinds(events)[:2] == ["tool_used", "money_taken"]
    assert game.module_state(Tools).held[0] == ("turntable",)


@pytest.mark.rule("31.12", "99.63")
def test_of_two_helpers_for_taking_only_the_one_that_is_named_is_spent() -> None:
    game = workshop("goldsmith carpenter", "example_tools")
    display(game, "denar-2 gulden-3 gulden-4 dukat-9")
    play(game, "take_money denar-2 gulden-4", items=("goldsmith",))
    assert "purse" in game.module_state(Tools).held[0]
    game = workshop("goldsmith carpenter", "example_tools")
    display(game, "denar-2 gulden-3 gulden-4 dukat-9")
    play(game, "take_money denar-2 gulden-4", items=("purse",))
    assert "goldsmith" not in game.state.used
    assert "purse" not in game.module_state(Tools).held[0]


def test_a_helper_for_taking_has_a_limit_of_its_own() -> None:
    faults = refused(at_the_bank(), "take_money denar-2 dukat-9", items=("purse",))
    assert fact(faults, "SUM_TOO_HIGH") == {"sum": 11, "limit": 10}


@pytest.mark.rule("31.43")
def test_a_helper_for_taking_is_refused_where_it_is_not_needed_or_not_held() -> None:
    game = at_the_bank()
    assert codes(refused(game, "take_money denar-2 gulden-3", items=("purse",))) == ["NO_EFFECT"]
    assert codes(refused(game, "take_money dukat-9", items=("purse",))) == ["NO_EFFECT"]
    assert "NOT_THERE" in codes(refused(game, "take_money denar-2 gulden-4", items=("turntable",)))
    game.module_state(Tools).held = ((), (), ())
    assert codes(refused(game, "take_money denar-2 gulden-4", items=("purse",))) == ["NOT_THERE"]


def test_a_purse_doubles_whatever_the_limit_has_become() -> None:
    register(Module(999, "example_bonus", modify=(Modify("take_limit", Layer.ADD, lambda *_: 1),)))
    game = table(modules=["example_tools", "example_bonus"])
    assert game.value("take_limit", 5, 0, ()) == 6
    assert game.value("take_limit", 5, 0, ("purse",)) == 12


# -- licences by a card, at `late` -------------------------------------------------------------------------------------


def mason_of(game: Game) -> str:
    """A mason that lies in the deck."""
    return next(card for card in game.state.deck if game.ruleset.cards[card].kind == "mason")


def late(*cards: str) -> Game:
    """Seat 0 has taken money, holds these cards and a mason, and has a tower in reserve."""
    game = table(modules=["example_masons"])
    reserve(game, 0, "tower-11")
    alhambra(game, 0, {(1, 0): "garden-10"})
    hand(game, 0, mason_of(game), *cards)
    display(game, "gulden-1 gulden-2")
    play(game, "take_money gulden-1")
    assert asked(game) == ("late", 0)
    return game


def masons_in_hand(game: Game, seat: int = 0) -> list[str]:
    return [card for card in game.state.seats[seat].hand if game.ruleset.cards[card].kind == "mason"]


@pytest.mark.rule("14.7", "14.9")
def test_a_card_named_in_the_move_entitles_to_a_redesign_after_placing_and_leaves_the_game() -> None:
    game = late()
    (mason,) = masons_in_hand(game)
    events = play(game, f"add tower-11 @-1,0 {mason}")
    assert events_of(events, "mason_hired") == [{"seat": 0, "card": mason}]
    assert "tower-11" in game.state.seats[0].board.placed
    assert masons_in_hand(game) == []
    assert mason in game.state.box
    assert mason not in game.state.discard


@pytest.mark.rule("14.27")
def test_a_redesign_after_placing_takes_no_action_up() -> None:
    game = late()
    assert game.state.taken == ("take_money",)
    play(game, f"remove garden-10 {masons_in_hand(game)[0]}")
    assert asked(game) == ("late", 0), "asked on, for the others cannot know whether there is a second one"
    assert game.state.taken == ("take_money",)
    play(game, "pass")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("14.7")
def test_without_its_card_a_redesign_after_placing_is_refused() -> None:
    game = late("denar-4")
    other = next(card.id for card in MASONS.cards if card.id not in masons_in_hand(game))
    assert fact(refused(game, "remove garden-10"), "NOUN_MISSING") == {"noun": "items"}
    assert fact(refused(game, "remove garden-10 denar-4"), "NOT_THERE") == {"id": "denar-4", "place": "hand"}
    assert codes(refused(game, f"remove garden-10 {other}")) == ["NOT_THERE"]
    both = ("denar-4", *masons_in_hand(game))
    assert codes(refused(game, Move("remove", "garden-10", cards=tuple(sorted(both))))) == ["NOT_THERE"]


@pytest.mark.rule("14.27")
def test_a_card_is_no_licence_at_another_moment() -> None:
    game = one_more(late())
    (mason,) = masons_in_hand(game)
    assert codes(refused(game, f"remove garden-10 {mason}")) == ["NOT_THERE"]
    assert legal(game, "remove garden-10"), "by the action, without a card"


def test_of_two_like_cards_a_move_is_listed_once() -> None:
    game = late()
    (mason,) = masons_in_hand(game)
    game.state.seats[0].hand = (*game.state.seats[0].hand, mason)
    assert [found for found in game.moves() if found.verb == "remove"] == [
        Move("remove", "garden-10", cards=(mason,))
    ], "whichever of the two"


@pytest.mark.rule("99.88")
def test_whoever_has_any_cards_is_asked_after_placing_mason_or_not() -> None:
    game = table(modules=["example_masons"])
    display(game, "gulden-1 gulden-2 gulden-3")
    play(game, "take_money gulden-1")
    assert asked(game) == ("late", 0)
    assert list(game.moves()) == [Move("pass")]


def test_a_dealt_card_could_be_one_that_was_not_dealt() -> None:
    game = table(modules=["example_masons"], dealt=True)
    viewer, other = 0, 1
    seen = {masons_in_hand(game.determinize(viewer, Random(n)), other)[0] for n in range(40)}
    assert len(seen) > 1
    assert all(masons_in_hand(game.determinize(viewer, Random(n))) == masons_in_hand(game) for n in range(5))


def test_a_card_and_a_helper_may_stand_in_one_move() -> None:
    game = table(modules=["example_masons", "example_tools"])
    reserve(game, 0, "tower-13-e")
    hand(game, 0, mason_of(game))
    display(game, "gulden-1 gulden-2")
    play(game, "take_money gulden-1")
    (mason,) = masons_in_hand(game)
    events = play(game, f"add tower-13-e @-1,0 {mason}", rotation=180, items=("turntable",))
    assert {"mason_hired", "tool_used"} <= set(kinds(events))


# -- an item beside the action -----------------------------------------------------------------------------------------


def masonry() -> Game:
    game = table(modules=["example_trowels"])
    reserve(game, 0, "tower-11")
    alhambra(game, 0, {(1, 0): "garden-10"})
    display(game, "gulden-1 gulden-2")
    return game


@pytest.mark.rule("31.15")
@pytest.mark.parametrize("text", ["add tower-11 @-1,0", "remove garden-10", "swap tower-11 @1,0"])
def test_an_item_named_in_the_move_entitles_to_a_redesign_beside_the_action(text: str) -> None:
    game = masonry()
    events = play(game, text, items=("trowel",))
    assert events_of(events, "trowel_used") == [{"seat": 0}]
    assert game.module_state(Trowels).left == (1, 2, 2)
    assert (game.state.actions, game.state.taken) == (1, ())
    assert asked(game) == ("action", 0)


@pytest.mark.rule("00.22")
def test_without_the_item_the_same_redesign_is_the_action() -> None:
    game = masonry()
    play(game, "add tower-11 @-1,0")
    assert (game.state.actions, game.state.taken) == (0, ("add",))
    assert game.module_state(Trowels).left == (2, 2, 2)


@pytest.mark.rule("31.25", "99.8")
def test_with_no_action_due_the_item_still_serves_and_a_pass_ends_it() -> None:
    game = masonry()
    play(game, "take_money gulden-1")
    assert asked(game) == ("action", 0)
    assert verbs(game) == {"add", "remove", "swap", "pass"}
    assert codes(refused(game, "add tower-11 @-1,0")) == ["NOUN_MISSING"]
    play(game, "add tower-11 @-1,0", items=("trowel",))
    play(game, "pass")
    assert asked(game) == ("action", 1)


def test_a_trowel_and_a_turntable_may_stand_in_one_move() -> None:
    game = table(modules=["example_trowels", "example_tools"])
    reserve(game, 0, "tower-13-e")
    events = play(game, "add tower-13-e @-1,0", rotation=180, items=("trowel", "turntable"))
    assert {"trowel_used", "tool_used"} <= set(kinds(events))
    assert game.state.actions == 1


@pytest.mark.parametrize(
    ("modules", "code"), [([], "NOT_THERE"), (["example_trowels"], "NOT_THERE"), (["example_tools"], "NO_EFFECT")]
)
def test_an_item_that_a_removal_has_no_use_for_is_refused(modules: list[str], code: str) -> None:
    game = table(modules=modules)
    alhambra(game, 0, {(1, 0): "garden-10"})
    assert legal(game, "remove garden-10")
    assert codes(refused(game, "remove garden-10", items=("turntable",))) == [code]


def test_an_item_named_twice_is_refused() -> None:
    game = masonry()
    play(game, "take_money gulden-1")
    assert codes(refused(game, "add tower-11 @-1,0", items=("trowel", "trowel"))) == ["NOT_THERE"]
    assert codes(refused(game, "remove garden-10", items=("trowel", "trowel"))) == ["NOT_THERE"]


# -- what a permit opened stays open -----------------------------------------------------------------------------------


def test_a_tile_that_a_ladder_leans_on_can_neither_be_removed_nor_swapped() -> None:
    game = table(modules=["example_ladders"])
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    reserve(game, 0, "tower-10-w arcades-8-e")
    hand(game, 0, "gulden-3")
    play(game, "add tower-10-w @2,0", choice="ladder")
    while asked(game) != ("action", 0):
        take_turn(game)
    for text in ("remove tower-10-w", "swap arcades-8-e @1,0"):
        assert fact(refused(game, text), "LOCKED")["by"] == "ladder"
