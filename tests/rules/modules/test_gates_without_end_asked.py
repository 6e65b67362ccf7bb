"""37 Gates without end: what is asked, offered and refused at a gate and elsewhere, and what can be taken back."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import Game, Move
from alhambra.base.build import licences_at
from alhambra.modules.gates_without_end import KEYS, Gates
from alhambra.modules.gates_without_end.keys import has_key_ready
from alhambra.modules.street_trader import Residents
from tests.rules.modules.craftsmen_table import arrange
from tests.rules.modules.gates_without_end_table import asked, at_gate, facing, gates, give_key, pass_gates, turned
from tests.rules.modules.powers_table import ARCHITECTURE, with_function
from tests.rules.situations import (
    codes,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    play,
    refused,
    reserve,
)


def turn_so_that(game: Game, bonus: str) -> None:
    """Seat 0, which has just shown a key with this bonus, turns it so that the bonus faces its own gate."""
    _, rotation = facing(game, 0, bonus)
    play(game, "turn_key", **({"rotation": rotation} if rotation else {}))


def declined(game: Game, bonus: str) -> bool:
    """Whether the bonus of seat 0 was declined without a question."""
    return {"seat": 0, "choice": bonus, "forced": True} in events_of(game.events, "bonus_declined")


# -- The end of the turn ----------------------------------------------------------------------------------------------


@pytest.mark.rule("37.42", "37.44")
def test_who_is_asked_for_something_else_and_has_no_key_may_pass_and_uses_none() -> None:
    game = with_function(ARCHITECTURE, 3, "gates_without_end")
    assert fact(refused(game, "use_key"), "NOT_THERE") == {"id": "key", "place": "held"}
    assert legal(game, "pass")


@pytest.mark.rule("37.11", "37.42", "37.45")
def test_a_key_that_waits_is_neither_used_nor_in_the_way_of_a_pass() -> None:
    game = with_function(ARCHITECTURE, 3, "gates_without_end")
    give_key(game, 0, "key_1", waiting=True)
    assert codes(refused(game, "use_key")) == ["NOT_THERE"]
    assert legal(game, "pass")


@pytest.mark.rule("37.44")
@pytest.mark.parametrize("waiting", [False, True])
def test_everybody_sees_whether_a_key_can_be_used_at_the_end_of_the_turn(waiting: bool) -> None:
    game = with_function(ARCHITECTURE, 3, "gates_without_end")
    give_key(game, 0, "key_1", waiting=waiting)
    assert game.decision is not None
    assert ("use_key" in [verb.name for verb in game.possible_verbs(game.decision)]) is not waiting


@pytest.mark.rule("37.56")
def test_the_keys_of_a_seat_that_resigned_are_not_to_be_used() -> None:
    game = gates()
    give_key(game, 0, "key_1")
    assert has_key_ready(game, 0)
    game.resign(0)
    assert not has_key_ready(game, 0)
    assert game.module_state(Gates).held[0] == ("key_1",), "it stays there face down"


@pytest.mark.rule("37.9")
def test_declining_can_be_left_as_a_standing_order() -> None:
    game = at_gate("half_building")
    orders = {order.answer: order for order in game.question().kind.orders}
    assert game.decision is not None
    assert list(orders["pass"].moves(game, game.decision)) == [Move("pass")]


# -- What is impossible -----------------------------------------------------------------------------------------------


@pytest.mark.rule("37.53")
def test_with_an_empty_market_nothing_is_bought_for_14() -> None:
    game = gates()
    give_key(game, 0, facing(game, 0, "buy_for_14")[0])
    play(game, "take_money dukat-4")
    play(game, "use_key")
    market(game)
    turn_so_that(game, "buy_for_14")
    assert declined(game, "buy_for_14")


@pytest.mark.rule("37.17", "37.53")
def test_a_market_with_gaps_and_no_plaza_left_is_enough_to_buy_for_14() -> None:
    game = gates()
    kept = game.module_state(Gates)
    game.state.box, kept.plazas = (*game.state.box, *kept.plazas), ()
    give_key(game, 0, facing(game, 0, "buy_for_14")[0])
    play(game, "take_money dukat-4")
    play(game, "use_key")
    market(game, dukat="chambers-10")
    turn_so_that(game, "buy_for_14")
    assert asked(game) == ("key_bonus", 0)


@pytest.mark.rule("37.48", "37.53")
def test_a_seat_whose_alhambra_has_a_wall_on_every_side_is_not_asked_for_a_wall_piece() -> None:
    game = gates()
    keys = ("key_2", "key_5", "key_6", "key_7", "key_8")
    for key in keys:
        give_key(game, 0, key)
    play(game, "take_money dukat-4")
    for key, side in zip(keys, (*"NESW", None), strict=True):
        play(game, "use_key")
        assert game.module_state(Gates).key == key
        rotation = -60 * KEYS[key].index("wall_piece") % 360
        play(game, "turn_key", **({"rotation": rotation} if rotation else {}))
        if side is not None:
            play(game, "add_wall @0,0", side=side)
        else:
            assert declined(game, "wall_piece")
        pass_gates(game)
    assert game.module_state(Gates).walls == 2


@pytest.mark.rule("37.16", "37.53")
def test_the_last_wall_piece_may_be_built_in() -> None:
    game = gates()
    kept = game.module_state(Gates)
    kept.walls, kept.standing = 1, {"start-2": tuple((0, "N") for _ in range(5))}
    turned(game, "wall_piece")
    play(game, "add_wall @0,0", side="N")
    assert game.module_state(Gates).walls == 0


# -- Only at a gate ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("37.6", "37.15")
def test_away_from_the_gates_a_redesign_is_an_action_of_the_turn_and_listed_once() -> None:
    game = gates()
    reserve(game, 0, "tower-12")
    adds = Counter(move for move in game.moves() if move.verb == "add")
    assert adds
    assert set(adds.values()) == {1}
    play(game, "add tower-12 @0,1")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("37.20")
def test_the_market_is_not_swapped_in_the_actions_of_the_turn_without_the_craftsman_for_it() -> None:
    game = gates(3, "travelling_craftsmen")
    arrange(game, "mortar_mixer goldsmith")
    assert legal(game, "swap_market market-gulden", items=("mortar_mixer",))
    assert codes(refused(game, "swap_market market-gulden")) == ["NOUN_MISSING"]


@pytest.mark.rule("37.8", "37.20")
def test_only_the_seat_whose_gate_has_the_swap_may_swap_and_only_while_its_gate_is_dealt_with() -> None:
    def entitled(game: Game) -> list[int]:
        helpers = game.ruleset.helpers["swap_market"]
        return [seat for seat in range(3) if any([*entitle(game, seat)] for entitle in helpers)]

    game = gates()
    assert entitled(game) == []
    turned(game, "swap_market", seat=1)
    assert asked(game) == ("key_bonus", 1)
    assert entitled(game) == [1]
    play(game, "pass")
    assert asked(game) == ("key_bonus", 2)
    assert entitled(game) == []


@pytest.mark.rule("37.8", "37.15")
def test_no_gate_but_that_of_the_redesign_entitles_to_one() -> None:
    game = at_gate("half_building")
    assert game.decision is not None
    assert licences_at(game, game.decision) == []
    game = at_gate("rebuild", before=lambda game: reserve(game, 0, "tower-12"))
    assert game.decision is not None
    assert [licence.relocates for licence in licences_at(game, game.decision)] == [True]


@pytest.mark.rule("37.47")
def test_a_tile_that_is_bought_in_the_turn_is_not_placed_at_once() -> None:
    game = gates()
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    assert asked(game) == ("action", 0)
    play(game, "take_money dukat-4")
    assert asked(game) == ("place_tiles", 0)


@pytest.mark.rule("37.30")
def test_a_disc_that_was_set_aside_is_not_laid_again_because_of_money_at_a_gate() -> None:
    game = gates(3, "street_trader")
    kept = game.module_state(Residents)
    kept.discs = (kept.discs[0], None, kept.discs[2])
    turned(game, "money_card", seat=1)
    while asked(game) != ("key_bonus", 1):
        play(game, "pass")
    events = play(game, "take_open dukat-1")
    opened = [event["decision"] for event in events_of(events, "decision_opened")]
    assert "lay_disc" not in opened
    assert "bonus_done" in kinds(events)


# -- Plazas -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("37.22")
def test_only_a_plaza_that_nobody_has_taken_is_taken() -> None:
    game = gates()
    kept = game.module_state(Gates)
    kept.plazas = tuple(plaza for plaza in kept.plazas if plaza != "plaza_1")
    game.state.seats[1].reserve = ("plaza_1",)
    turned(game, "plaza")
    assert asked(game) == ("key_bonus", 0)
    for tile in ("plaza_1", "seraglio-9"):
        assert fact(refused(game, Move("take_plaza", tile)), "NOT_THERE") == {"id": tile, "place": "supply"}
    assert fact(refused(game, Move("take_plaza", "plaza_7")), "ID_UNKNOWN") == {"id": "plaza_7"}


# -- Taking back ------------------------------------------------------------------------------------------------------


def needs_consent(game: Game) -> None:
    """Seat 0 is asked next, and what it did last is taken back only if the others agree."""
    assert game.decision is not None
    assert game.decision.seat == 0
    refusal = game.can_undo(0)
    assert refusal is not None
    assert refusal.metadata["because"] == "other_seat"
    assert game.can_undo(0, consent=True) is None


@pytest.mark.rule("37.55")
def test_the_orientation_of_a_key_is_taken_back_only_with_consent() -> None:
    game = gates(undo="by_consent")
    turned(game, "plaza")
    needs_consent(game)


@pytest.mark.rule("37.55")
def test_a_plaza_and_its_placement_are_taken_back_only_with_consent() -> None:
    game = gates(3, "street_trader", undo="by_consent")
    turned(game, "plaza")
    play(game, "take_plaza plaza_1")
    assert asked(game) == ("place_now", 0)
    needs_consent(game)
    discs = game.module_state(Residents).discs
    game.module_state(Residents).discs = ((1, 0), *discs[1:])
    play(game, "place plaza_1 @1,0")
    needs_consent(game)


@pytest.mark.rule("37.55")
def test_the_placement_of_a_tile_bought_for_14_is_taken_back_only_with_consent() -> None:
    game = gates(3, "street_trader", undo="by_consent")
    hand(game, 0, "denar-9 gulden-5")
    discs = game.module_state(Residents).discs
    game.module_state(Residents).discs = ((1, 0), *discs[1:])
    turned(game, "buy_for_14")
    play(game, "buy market-dirham denar-9 gulden-5")
    play(game, "place seraglio-9 @1,0")
    needs_consent(game)
