"""37 Gates without end: keys, gates, and each of the bonuses."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from alhambra import Game
from alhambra.modules.gates_without_end import KEYS, Gates
from tests.rules.modules.gates_without_end_table import asked, at_gate, facing, gates, give_key, pass_gates, turned
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
    end_game,
    events_of,
    fact,
    give_turn,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    own,
    pieces,
    play,
    points,
    refused,
    reserve,
    tower,
)


def held(game: Game, seat: int) -> tuple[str, ...]:
    return game.module_state(Gates).held[seat]


# -- Gaining a key ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("37.2")
def test_every_bonus_stands_on_six_of_the_nine_keys() -> None:
    assert len(KEYS) == 9
    assert set(Counter(bonus for bonuses in KEYS.values() for bonus in bonuses).values()) == {6}


@pytest.mark.rule("37.5")
def test_buying_arcades_brings_the_top_key_face_down() -> None:
    game = gates()
    top = game.module_state(Gates).stack[-1]
    hand(game, 0, "denar-9")
    events = play(game, "buy market-denar denar-9")
    assert events_of(events, "key_gained") == [{"seat": 0}]
    assert held(game, 0) == (top,)
    assert top not in str([event.public for event in events])


@pytest.mark.rule("37.5")
def test_other_buildings_bring_no_key() -> None:
    game = gates()
    hand(game, 0, "dirham-9")
    assert "key_gained" not in kinds(play(game, "buy market-dirham dirham-9"))


@pytest.mark.rule("37.40")
def test_an_empty_stack_gives_nothing() -> None:
    game = gates()
    kept = game.module_state(Gates)
    kept.stack, kept.used = (), kept.stack
    hand(game, 0, "denar-9")
    assert "key_gained" not in kinds(play(game, "buy market-denar denar-9"))


@pytest.mark.rule("37.25")
def test_arcades_that_are_given_to_dirk_bring_the_buyer_a_key() -> None:
    game = gates(2)
    hand(game, 0, "denar-9 denar-8")
    play(game, "buy market-denar denar-9 denar-8")
    play(game, "give_to_dirk arcades-9")
    assert len(held(game, 0)) == 1
    assert asked(game) == ("after", 0)


@pytest.mark.rule("37.27")
def test_arcades_of_the_final_distribution_bring_no_key() -> None:
    game = gates()
    market(game, denar="arcades-9")
    hand(game, 0, "denar-9")
    end_game(game)
    play(game, "place arcades-9 @1,0")
    assert game.over
    assert held(game, 0) == ()


@pytest.mark.rule("37.4")
def test_chance_decides_in_which_order_the_keys_lie() -> None:
    orders = {gates(2, seed=f"keys {number}").module_state(Gates).stack for number in range(5)}
    assert len(orders) > 1


@pytest.mark.rule("37.41")
def test_nobody_sees_the_face_of_a_key_before_it_is_used() -> None:
    game = gates()
    give_key(game, 0, "key_3")
    for viewer in (None, 0, 1):
        assert "key_3" not in str(game.view(viewer))
    assert {game.determinize(0, Random(seed)).module_state(Gates).held[0] for seed in range(80)} == {
        (key,) for key in KEYS
    }


# -- Using it ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("37.6", "37.42")
def test_a_key_is_used_after_the_refills_and_cannot_be_kept() -> None:
    game = gates()
    give_key(game, 0, "key_1")
    play(game, "take_money dukat-4")
    assert asked(game) == ("after", 0)
    assert len(game.state.display) == 4
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    events = play(game, "use_key")
    assert events_of(events, "key_shown") == [{"seat": 0, "piece": "key_1"}]
    assert asked(game) == ("turn_key", 0)
    assert pieces(game, "gates_without_end", piece="key_1") == [{"kind": "key", "piece": "key_1"}]


@pytest.mark.rule("37.8", "37.10", "37.15", "37.20", "37.38")
def test_the_example_of_three_players() -> None:
    """Worked example T1."""
    game = gates([{"colour": "yellow"}, {"colour": "red"}, {"colour": "green"}])
    alhambra(game, 0, {(1, 0): "arcades-10", (2, 0): "garden-11"})
    give_key(game, 0, "key_4")  # money card, redesign and swap in a row
    play(game, "take_money dukat-4")
    play(game, "use_key")
    events = play(game, "turn_key", rotation=60)
    assert events_of(events, "key_turned")[0]["bonuses"] == ((0, "rebuild"), (1, "money_card"), (2, "swap_market"))
    play(game, "remove garden-11")
    assert asked(game) == ("key_bonus", 1)
    play(game, "take_open dukat-3")
    assert asked(game) == ("key_bonus", 2)
    play(game, "swap_market market-gulden")
    events = play(game, "swap_with market-dukat")
    assert game.module_state(Gates).used == ("key_4",)
    assert game.module_state(Gates).key == ""
    assert asked(game) == ("action", 1)
    assert "display_filled" in kinds(events)


@pytest.mark.rule("37.8")
def test_the_gates_are_opened_from_the_owner_of_the_key_on_in_seat_order() -> None:
    game = gates(4, turn_of=2)
    give_key(game, 2, "key_4")
    play(game, "take_money dukat-4")
    play(game, "use_key")
    events = play(game, "turn_key")
    assert [seat for seat, _ in events_of(events, "key_turned")[0]["bonuses"]] == [2, 3, 0, 1]
    while asked(game)[0] == "key_bonus":
        events += play(game, "pass")
    served = [event.public["seat"] for event in events if event.kind in ("bonus_done", "bonus_declined")]
    assert served == [2, 3, 0, 1]


@pytest.mark.rule("37.1", "37.7")
def test_a_turn_of_sixty_degrees_brings_each_bonus_one_gate_further() -> None:
    for rotation in range(0, 360, 60):
        game = gates(6)
        give_key(game, 0, "key_7")
        play(game, "take_money dukat-4")
        play(game, "use_key")
        events = play(game, "turn_key", **({"rotation": rotation} if rotation else {}))
        bonuses = dict(events_of(events, "key_turned")[0]["bonuses"])
        for number, bonus in enumerate(KEYS["key_7"]):
            assert bonuses[(number + rotation // 60) % 6] == bonus


@pytest.mark.rule("37.7")
def test_a_key_is_not_turned_by_a_right_angle() -> None:
    game = gates()
    give_key(game, 0, "key_1")
    play(game, "take_money dukat-4")
    play(game, "use_key")
    assert codes(refused(game, "turn_key", rotation=90)) == ["ROTATION_REFUSED"]


@pytest.mark.rule("37.12", "37.43")
def test_several_keys_are_used_one_after_another_with_refills_the_oldest_first() -> None:
    game = gates()
    give_key(game, 0, "key_5")
    give_key(game, 0, "key_2")
    play(game, "take_money dukat-4")
    play(game, "use_key")
    assert game.module_state(Gates).key == "key_5"
    play(game, "turn_key")
    play(game, "take_open dukat-1")
    pass_gates(game)
    assert asked(game) == ("after", 0)
    assert len(game.state.display) == 4
    play(game, "use_key")
    assert game.module_state(Gates).key == "key_2"


@pytest.mark.rule("37.46")
def test_during_one_key_nothing_is_refilled() -> None:
    game = at_gate("money_card")
    play(game, "take_open dukat-1")
    assert len(game.state.display) == 3
    pass_gates(game)
    assert len(game.state.display) == 4


@pytest.mark.rule("37.13")
def test_a_scoring_card_that_comes_up_after_a_key_is_scored_at_once() -> None:
    game = gates()
    key, rotation = facing(game, 0, "money_card")
    give_key(game, 0, key)
    other = next(other for other in KEYS if other != key)
    give_key(game, 0, other)
    play(game, "take_money dukat-4")
    play(game, "use_key")
    play(game, "turn_key", **({"rotation": rotation} if rotation else {}))
    deck(game, "scoring-1 gulden-9")
    events = play(game, "take_open dukat-1")
    if asked(game)[0] == "key_bonus":
        events = pass_gates(game)
    assert kinds(events).index("scoring_began") > kinds(events).index("card_revealed")
    assert asked(game) == ("after", 0)


@pytest.mark.rule("37.14")
def test_a_key_that_leaves_the_market_unfilled_ends_the_game_and_further_keys_lapse() -> None:
    game = gates()
    hand(game, 0, "denar-9 dukat-8")
    key, rotation = facing(game, 0, "buy_for_14")
    give_key(game, 0, key)
    give_key(game, 0, next(other for other in KEYS if other != key))
    play(game, "take_money dukat-4")
    tower(game, only=True)
    play(game, "use_key")
    play(game, "turn_key", **({"rotation": rotation} if rotation else {}))
    play(game, "buy market-gulden denar-9 dukat-8")
    events = play(game, "place garden-10 @1,0")
    if asked(game)[0] == "key_bonus":
        events = pass_gates(game)
    assert "end_began" in kinds(events)
    assert "after" not in {event["decision"] for event in events_of(events, "decision_opened")}


@pytest.mark.rule("37.14", "37.46")
def test_a_scoring_that_comes_up_after_a_key_is_held_before_a_market_that_stays_unfilled_ends_the_game() -> None:
    game = gates()
    hand(game, 0, "denar-9 dukat-8")
    key, rotation = facing(game, 0, "buy_for_14")
    give_key(game, 0, key)
    play(game, "take_money dukat-4")
    tower(game, only=True)
    play(game, "use_key")
    play(game, "turn_key", **({"rotation": rotation} if rotation else {}))
    play(game, "buy market-gulden denar-9 dukat-8")
    display(game, "dukat-1 dukat-2 dukat-3")
    deck(game, "scoring-1 gulden-9")
    events = play(game, "place garden-10 @1,0")
    if asked(game)[0] == "key_bonus":
        events = pass_gates(game)
    order = [kind for kind in kinds(events) if kind in ("display_filled", "scoring_ended", "end_began")]
    assert order == ["display_filled", "scoring_ended", "end_began"]
    assert [scoring["scoring"] for scoring in events_of(events, "scoring_began")] == [1]


@pytest.mark.rule("37.11")
def test_a_key_that_waits_is_used_at_the_end_of_the_next_own_turn() -> None:
    game = gates(2)
    give_key(game, 0, "key_1", waiting=True)
    play(game, "take_money dukat-4")
    assert asked(game) == ("action", 1)
    assert game.view(None)["slices"]["gates_without_end"]["waiting"] == [1, 0]
    play(game, "take_money dukat-3")
    play(game, "take_money dukat-2")
    assert asked(game) == ("after", 0)


@pytest.mark.rule("37.56")
def test_a_seat_that_resigned_uses_no_key_and_gets_no_bonus() -> None:
    game = gates()
    give_key(game, 0, "key_1")
    play(game, "take_money dukat-4")
    game.resign(0)
    assert asked(game) == ("action", 1)
    game = gates()
    give_key(game, 0, "key_5")
    play(game, "take_money dukat-4")
    game.resign(1)
    play(game, "use_key")
    events = play(game, "turn_key")
    assert {seat for seat, _ in events_of(events, "key_turned")[0]["bonuses"]} == {0, 2}


@pytest.mark.rule("37.56")
def test_a_seat_that_resigns_after_the_key_was_turned_gets_no_bonus() -> None:
    game = gates()
    turned(game, "vp_2", seat=1)
    assert asked(game) == ("key_bonus", 0)
    game.resign(1)
    events = play(game, "pass")
    assert game.state.seats[1].score == 0
    assert 1 not in {event.public["seat"] for event in events if event.kind in ("bonus_done", "bonus_declined")}


@pytest.mark.rule("37.41")
def test_a_key_that_was_shown_cannot_be_taken_back() -> None:
    game = gates(undo="by_consent")
    give_key(game, 0, "key_1")
    play(game, "take_money dukat-4")
    play(game, "use_key")
    refusal = game.can_undo(0)
    assert refusal is not None
    assert refusal.metadata["because"] == "revealed"


@pytest.mark.rule("37.56")
def test_a_key_whose_owner_resigns_before_it_is_turned_stays_upright_for_the_others() -> None:
    game = gates()
    give_key(game, 0, "key_5")
    play(game, "take_money dukat-4")
    play(game, "use_key")
    assert asked(game) == ("turn_key", 0)
    events = game.resign(0)
    (turned,) = events_of(events, "key_turned")
    assert turned["rotation"] == 0
    assert {seat for seat, _ in turned["bonuses"]} == {1, 2}
    while asked(game)[0] == "key_bonus":
        play(game, "pass")
    assert asked(game) == ("action", 1)
    assert game.module_state(Gates).key == "", "the key is gone"


# -- The bonuses ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("37.9")
def test_every_bonus_may_be_declined() -> None:
    game = at_gate("money_card")
    events = play(game, "pass")
    assert events_of(events, "bonus_declined")[0] == {"seat": 0, "choice": "money_card"}


def test_a_bonus_is_answered_by_its_own_verbs_only() -> None:
    game = at_gate("money_card")
    assert codes(refused(game, "swap_market market-gulden")) == ["VERB_NOT_OFFERED"]
    assert {move.verb for move in game.moves()} == {"take_open", "pass"}


@pytest.mark.rule("37.21")
@pytest.mark.parametrize(("bonus", "amount"), [("vp_1", 1), ("vp_2", 2)])
def test_points_are_simply_added(bonus: str, amount: int) -> None:
    game = gates()
    events = turned(game, bonus)
    assert points(events, "key_points")[0] == amount
    assert game.scores[0] == amount


@pytest.mark.rule("37.18")
def test_money_is_any_open_money_card_of_any_value() -> None:
    game = at_gate("money_card")
    events = play(game, "take_open dukat-3")
    assert "dukat-3" in game.state.seats[0].hand
    assert events_of(events, "bonus_done")[0]["choice"] == "money_card"


@pytest.mark.rule("37.53")
def test_without_an_open_money_card_the_bonus_is_declined_by_itself() -> None:
    game = gates()
    key, rotation = facing(game, 0, "money_card")
    give_key(game, 0, key)
    play(game, "take_money dukat-4")
    play(game, "use_key")
    game.state.discard = (*game.state.discard, *game.state.display)
    game.state.display = ()
    events = play(game, "turn_key", **({"rotation": rotation} if rotation else {}))
    assert events_of(events, "bonus_declined")[0] == {"seat": 0, "choice": "money_card", "forced": True}


@pytest.mark.rule("37.52")
def test_a_bureau_is_no_money_card_for_the_bonus() -> None:
    game = gates(3, "bureaux_de_change")
    key, rotation = facing(game, 0, "money_card")
    give_key(game, 0, key)
    play(game, "take_money dukat-4")
    display(game, "exchange_gulden_denar exchange_denar_dukat")
    play(game, "use_key")
    events = play(game, "turn_key", **({"rotation": rotation} if rotation else {}))
    assert events_of(events, "bonus_declined")[0] == {"seat": 0, "choice": "money_card", "forced": True}


@pytest.mark.rule("37.15")
def test_one_redesign_or_one_building_is_moved() -> None:
    def built(game: Game) -> None:
        alhambra(game, 0, {(1, 0): "arcades-10", (2, 0): "garden-11"})
        reserve(game, 0, "tower-12")

    for move in ("add tower-12 @0,1", "remove garden-11", "swap tower-12 @1,0", "move_tile garden-11 @0,1"):
        game = at_gate("rebuild", before=built)
        play(game, move)
        assert asked(game) != ("key_bonus", 0)


@pytest.mark.rule("37.15")
def test_a_building_is_not_moved_to_its_own_place() -> None:
    game = at_gate("rebuild", before=lambda game: alhambra(game, 0, {(1, 0): "arcades-10"}))
    assert codes(refused(game, "move_tile arcades-10 @1,0")) == ["NO_EFFECT"]


@pytest.mark.rule("37.53")
def test_a_redesign_is_declined_only_if_everybody_sees_that_there_is_nothing_to_redesign() -> None:
    events = turned(gates(), "rebuild")
    assert events_of(events, "bonus_declined")[0] == {"seat": 0, "choice": "rebuild", "forced": True}


@pytest.mark.rule("37.20")
def test_the_swap_may_use_an_empty_space() -> None:
    game = at_gate("swap_market")
    market(game, denar="arcades-9")
    play(game, "swap_market market-gulden")
    play(game, "swap_with market-denar")
    assert game.state.market[0] == "arcades-9"


@pytest.mark.rule("37.19", "37.39")
def test_a_half_building_counts_half_in_majorities() -> None:
    """Worked example T2: three pavilions and a half are more than three."""
    game = gates(2)
    own(game, 0, pavilion=3)
    own(game, 1, pavilion=3)
    game.module_state(Gates).halves = {"pavilion": 0}
    events = hold_scoring(game, 1)
    line = next(line for line in events_of(events, "scored") if line["seat"] == 0 and line.get("type") == "pavilion")
    assert (line["place"], line["count"], line["shared"]) == (1, 7, 1)


@pytest.mark.rule("37.23")
def test_a_half_building_is_worth_nothing_without_a_whole_one() -> None:
    game = gates()
    own(game, 1, pavilion=1)
    game.module_state(Gates).halves = {"pavilion": 0}
    assert 0 not in points(hold_scoring(game, 1), "majority", type="pavilion")


@pytest.mark.rule("37.56")
def test_half_buildings_of_a_seat_that_resigned_still_count() -> None:
    game = gates()
    own(game, 0, pavilion=1)
    own(game, 1, pavilion=1)
    game.module_state(Gates).halves = {"pavilion": 1}
    game.resign(1)
    assert points(hold_scoring(game, 1), "majority", type="pavilion") == {1: 1}


@pytest.mark.rule("37.19", "37.51")
def test_a_half_building_that_is_taken_is_gone_and_a_seat_may_have_several() -> None:
    game = at_gate(
        "half_building", before=lambda game: setattr(game.module_state(Gates), "halves", {"tower": 1, "garden": 0})
    )
    assert codes(refused(game, "take_half", type="tower")) == ["NOT_THERE"]
    play(game, "take_half", type="pavilion")
    assert game.module_state(Gates).halves == {"tower": 1, "garden": 0, "pavilion": 0}
    assert len(pieces(game, "gates_without_end", kind="half", seat=0)) == 2


@pytest.mark.rule("37.53")
def test_without_half_buildings_the_bonus_is_void() -> None:
    game = gates()
    names = ("pavilion", "seraglio", "arcades", "chambers", "garden", "tower")
    game.module_state(Gates).halves = dict.fromkeys(names, 1)
    assert events_of(turned(game, "half_building"), "bonus_declined")[0]["forced"]


@pytest.mark.rule("37.22", "37.26", "37.50")
def test_a_plaza_is_built_at_once_or_put_into_the_reserve() -> None:
    game = at_gate("plaza", seats=2)
    play(game, "take_plaza plaza_2")
    assert asked(game) == ("place_now", 0)
    assert codes(refused(game, "give_to_dirk plaza_2")) == ["NOT_ELIGIBLE"]
    assert codes(refused(game, "place plaza_2 @1,0", rotation=90)) == ["ROTATION_REFUSED"]
    assert legal(game, "reserve plaza_2")
    play(game, "place plaza_2 @1,0")
    assert "plaza_2" in game.state.seats[0].board.placed
    assert game.view(None)["slices"]["gates_without_end"]["plazas"] == 5


@pytest.mark.rule("37.50")
def test_a_plaza_can_be_redesigned_and_counts_as_no_building() -> None:
    game = at_gate("plaza")
    play(game, "take_plaza plaza_2")
    play(game, "place plaza_2 @1,0")
    pass_gates(game)
    game.state.decision = game.state.decision._replace(kind="action", seat=0)  # type: ignore[union-attr]
    game.state.active = 0
    assert legal(game, "remove plaza_2")


@pytest.mark.rule("37.53")
def test_without_plazas_the_bonus_is_void() -> None:
    game = gates()
    kept = game.module_state(Gates)
    game.state.box, kept.plazas = (*game.state.box, *kept.plazas), ()
    assert events_of(turned(game, "plaza"), "bonus_declined")[0]["forced"]


# -- Wall pieces ------------------------------------------------------------------------------------------------------


def walled(*modules: str) -> Game:
    return at_gate("wall_piece", *modules, before=lambda game: alhambra(game, 0, {(1, 0): "arcades-8-e"}))


@pytest.mark.rule("37.16")
def test_a_wall_piece_stands_at_an_open_side_without_a_neighbour_for_good() -> None:
    game = walled()
    events = play(game, "add_wall @1,0", side="N")
    assert events_of(events, "wall_added") == [{"seat": 0, "tile": "arcades-8-e", "sides": ("N",), "cell": (1, 0)}]
    assert game.state.seats[0].board.cells[1, 0].edges[0] == "w"
    assert game.module_state(Gates).walls == 5
    pass_gates(game)
    assert asked(game)[0] == "action"


@pytest.mark.rule("37.48")
def test_the_start_tile_may_take_a_wall_piece() -> None:
    assert legal(walled(), "add_wall @0,0", side="S")


@pytest.mark.rule("37.48")
def test_a_wall_piece_covers_no_wall_and_faces_no_tile() -> None:
    game = walled()
    assert fact(refused(game, "add_wall @1,0", side="E"), "WALL_REFUSED")["because"] == "covered"
    assert fact(refused(game, "add_wall @1,0", side="W"), "WALL_REFUSED")["because"] == "faces_tile"
    assert codes(refused(game, "add_wall @5,5", side="N")) == ["NOT_THERE"]
    assert codes(refused(game, "add_wall @1,0", side="NE")) == ["NOUN_MALFORMED"]


@pytest.mark.rule("37.24")
def test_a_wall_piece_counts_in_the_longest_wall() -> None:
    game = walled()
    play(game, "add_wall @1,0", side="N")
    pass_gates(game)
    events = hold_scoring(game, 1)
    assert points(events, "wall")[0] == 2


@pytest.mark.rule("37.49")
def test_the_wall_piece_stays_on_a_tile_that_is_removed() -> None:
    game = walled()
    play(game, "add_wall @1,0", side="N")
    pass_gates(game)
    game.state.active = 0
    game.state.decision = game.state.decision._replace(seat=0)  # type: ignore[union-attr]
    play(game, "remove arcades-8-e")
    assert game.state.wooden_walls["arcades-8-e"] == (1,)
    assert pieces(game, "gates_without_end", kind="wall_piece", tile="arcades-8-e") == [
        {"kind": "wall_piece", "seat": 0, "tile": "arcades-8-e", "side": "N"}
    ]


@pytest.mark.rule("37.49")
def test_a_wall_piece_keeps_its_side_of_a_tile_that_was_built_turned_and_is_upright_in_the_reserve() -> None:
    def set_up(game: Game) -> None:
        alhambra(game, 0, {(1, 0): "arcades-10"}, turned={"arcades-10": 90})

    game = at_gate("wall_piece", before=set_up)
    play(game, "add_wall @1,0", side="E")
    pass_gates(game)
    give_turn(game, 0)
    play(game, "remove arcades-10")
    (piece,) = pieces(game, "gates_without_end", kind="wall_piece", tile="arcades-10")
    assert piece["side"] == "N", "a quarter turn to the right had brought the northern side to the east"


@pytest.mark.rule("37.53")
def test_without_wall_pieces_the_bonus_is_void() -> None:
    game = gates()
    kept = game.module_state(Gates)
    kept.walls, kept.standing = 0, {"start-2": tuple((0, "N") for _ in range(kept.walls))}
    assert events_of(turned(game, "wall_piece"), "bonus_declined")[0]["forced"]


# -- A building for 14 ------------------------------------------------------------------------------------------------


def buying(held_cards: str, *modules: str, seats: int = 3) -> Game:
    return at_gate("buy_for_14", *modules, seats=seats, before=lambda game: hand(game, 0, held_cards))


@pytest.mark.rule("37.17", "37.47")
def test_a_building_is_bought_for_14_in_mixed_currencies_and_placed_at_once() -> None:
    game = buying("denar-9 gulden-5")
    events = play(game, "buy market-dirham denar-9 gulden-5")
    paid = events_of(events, "paid")[0]
    assert (paid["due"], paid["paid"]) == (14, 14)
    assert "bonus_action" not in kinds(events)
    assert asked(game) == ("place_now", 0)
    play(game, "place seraglio-9 @1,0")
    assert "seraglio-9" in game.state.seats[0].board.placed


@pytest.mark.rule("37.47")
def test_a_payment_of_exactly_14_is_not_told_as_exact() -> None:
    game = buying("denar-9 gulden-5")
    (paid,) = events_of(play(game, "buy market-dirham denar-9 gulden-5"), "paid")
    assert paid["exact"] is False


@pytest.mark.rule("37.17", "37.53")
def test_less_than_14_is_refused_and_the_seat_is_asked_all_the_same() -> None:
    game = buying("")
    assert codes(refused(game, "buy market-dirham")) == ["UNDERPAID"]
    play(game, "pass")


@pytest.mark.rule("37.26")
def test_with_two_players_the_tile_may_be_given_to_dirk() -> None:
    game = buying("denar-9 gulden-5", seats=2)
    play(game, "buy market-dirham denar-9 gulden-5")
    assert legal(game, "give_to_dirk seraglio-9")


@pytest.mark.rule("37.28", "37.45")
def test_arcades_bought_for_14_bring_a_key_for_the_next_own_turn() -> None:
    game = buying("denar-9 gulden-5")
    play(game, "buy market-denar denar-9 gulden-5")
    assert len(held(game, 0)) == 1
    assert game.module_state(Gates).waiting[0] == 1
    play(game, "reserve arcades-9")
    pass_gates(game)
    assert asked(game) == ("action", 1)


@pytest.mark.rule("37.11", "37.47")
def test_another_seat_buys_and_places_at_the_gate_too() -> None:
    game = gates()
    hand(game, 1, "denar-9 gulden-5")
    turned(game, "buy_for_14", seat=1)
    while asked(game) != ("key_bonus", 1):
        play(game, "pass")
    play(game, "buy market-denar denar-9 gulden-5")
    assert asked(game) == ("place_now", 1)
    assert game.module_state(Gates).waiting[1] == 1
    play(game, "place arcades-9 @1,0")
    pass_gates(game)
    assert asked(game) == ("action", 1)
    assert game.module_state(Gates).waiting[1] == 0


@pytest.mark.rule("37.55")
def test_what_is_done_at_a_gate_is_taken_back_only_with_consent() -> None:
    game = gates(undo="by_consent")
    turned(game, "half_building")
    play(game, "take_half", type="tower")
    refusal = game.can_undo(0)
    assert refusal is not None
    assert refusal.metadata["because"] == "other_seat"
    assert game.can_undo(0, consent=True) is None
