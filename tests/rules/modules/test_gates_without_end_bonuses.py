"""37 Gates without end: each of the bonuses."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.gates_without_end import Gates
from tests.rules.modules.gates_without_end_table import asked, at_gate, facing, gates, give_key, pass_gates, turned
from tests.rules.modules.test_gates_without_end import held
from tests.rules.situations import (
    alhambra,
    codes,
    display,
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
)

# -- The bonuses ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("37.9")
def test_every_bonus_may_be_declined() -> None:
    game = at_gate("money_card")
    events = play(game, "pass")
    assert events_of(events, "bonus_declined")[0] == {"seat": 0, "choice": "money_card"}


@pytest.mark.rule("37.8")
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
