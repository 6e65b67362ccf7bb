"""37 Gates without end: what everybody sees of keys, wall pieces, half buildings and plazas, and where they are."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import TYPES, Game
from alhambra.base.payment.offers import Payment, Purchase
from alhambra.invariants import census
from alhambra.modules.gates_without_end import KEYS, Gates
from alhambra.modules.gates_without_end.keys import bonus_of, gain_key
from tests.rules.modules.gates_without_end_table import asked, at_gate, facing, gates, give_key, pass_gates, turned
from tests.rules.modules.major_construction_projects_table import VERTICAL, build
from tests.rules.modules.test_gates_without_end import held
from tests.rules.situations import events_of, give_turn, hand, pieces, play

KEY = "gates_without_end"
PLAZAS = [f"plaza_{number}" for number in range(1, 7)]


def material(game: Game) -> dict[str, int]:
    """All keys, wall pieces and plazas, wherever they are."""
    return {thing: count for thing, count in census(game).items() if thing in (*KEYS, *PLAZAS, "wall_piece")}


COMPLETE = {**dict.fromkeys((*KEYS, *PLAZAS), 1), "wall_piece": 6}


# -- What lies there --------------------------------------------------------------------------------------------------


@pytest.mark.rule("37.2", "37.3", "37.4")
def test_nine_keys_face_down_six_half_buildings_and_six_wall_pieces_lie_there_at_the_beginning() -> None:
    assert pieces(gates(), KEY) == [
        {"kind": "key", "seat": None, "amount": 9, "choice": "face_down"},
        *({"kind": "half", "type": name, "seat": None} for name in TYPES),
        {"kind": "wall_piece", "amount": 6},
    ]


@pytest.mark.rule("37.5", "37.41")
def test_keys_lie_face_down_before_those_who_have_some() -> None:
    game = gates()
    give_key(game, 1, "key_3")
    give_key(game, 1, "key_5")
    assert pieces(game, KEY, kind="key") == [
        {"kind": "key", "seat": None, "amount": 7, "choice": "face_down"},
        {"kind": "key", "seat": 1, "amount": 2, "choice": "face_down"},
    ]


@pytest.mark.rule("37.40")
def test_without_a_key_on_the_stack_no_stack_is_shown() -> None:
    game = gates()
    kept = game.module_state(Gates)
    kept.stack, kept.used = (), kept.stack
    assert pieces(game, KEY, kind="key") == []


@pytest.mark.rule("37.16")
def test_the_wall_pieces_left_are_shown_until_the_last_one_is_built_in() -> None:
    game = at_gate("wall_piece")
    play(game, "add_wall @0,0", side="N")
    assert pieces(game, KEY, kind="wall_piece") == [{"kind": "wall_piece", "amount": 5}]
    game.module_state(Gates).walls = 0
    assert pieces(game, KEY, kind="wall_piece") == []


@pytest.mark.rule("37.49")
@pytest.mark.parametrize(("cell", "half"), [((1, 0), "pavilion"), ((1, 1), "arcades")])
def test_a_wall_piece_on_a_double_tile_that_is_not_built_is_shown_with_its_half(
    cell: tuple[int, int], half: str
) -> None:
    game = at_gate("wall_piece", "major_construction_projects", before=lambda game: build(game, 0, VERTICAL, (1, 0)))
    side = "N" if cell == (1, 0) else "S"
    play(game, "add_wall", cell=cell, side=side)
    pass_gates(game)
    give_turn(game, 0)
    play(game, f"remove {VERTICAL}")
    assert pieces(game, KEY, kind="wall_piece", tile=VERTICAL) == [
        {"kind": "wall_piece", "seat": 0, "tile": VERTICAL, "side": side, "type": half}
    ]


@pytest.mark.rule("37.3", "37.10")
def test_no_key_no_plaza_and_no_wall_piece_is_lost_or_added() -> None:
    game = gates()
    assert material(game) == COMPLETE
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    assert material(game) == COMPLETE, "a key before a seat"
    game = gates()
    turned(game, "wall_piece")
    assert material(game) == COMPLETE, "a key in the gate board"
    play(game, "add_wall @0,0", side="N")
    assert material(game) == COMPLETE, "a wall piece built in"
    pass_gates(game)
    assert game.module_state(Gates).used
    assert material(game) == COMPLETE, "a key that was used"


@pytest.mark.rule("37.3")
def test_a_plaza_that_is_taken_is_no_longer_beside_the_gate_board() -> None:
    game = at_gate("plaza")
    events = play(game, "take_plaza plaza_4")
    assert events_of(events, "plaza_taken") == [{"seat": 0, "tile": "plaza_4"}]
    assert game.module_state(Gates).plazas == ("plaza_1", "plaza_2", "plaza_3", "plaza_5", "plaza_6")
    play(game, "reserve plaza_4")
    assert Counter(material(game)) == Counter(COMPLETE)


# -- Owners of the keys ------------------------------------------------------------------------------------------------


@pytest.mark.rule("37.5")
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_new_key_changes_nothing_before_the_other_seats(seat: int) -> None:
    game = gates(turn_of=seat)
    for other, key in ((0, "key_1"), (1, "key_2"), (2, "key_3")):
        give_key(game, other, key)
    top = game.module_state(Gates).stack[-1]
    hand(game, seat, "denar-9")
    play(game, "buy market-denar denar-9")
    expected: list[tuple[str, ...]] = [("key_1",), ("key_2",), ("key_3",)]
    expected[seat] = (*expected[seat], top)
    assert game.module_state(Gates).held == tuple(expected)


@pytest.mark.rule("37.11")
def test_the_beginning_of_a_turn_makes_only_the_keys_of_the_active_player_ready() -> None:
    game = gates(4)
    for seat in range(4):
        give_key(game, seat, f"key_{seat + 1}", waiting=True)
    waiting = []
    for _ in range(3):
        play(game, f"take_money {game.state.display[0]}")
        waiting.append(game.view(None)["slices"][KEY]["waiting"])
        while asked(game)[0] in ("after", "turn_key", "key_bonus"):
            play(game, {"after": "use_key", "turn_key": "turn_key", "key_bonus": "pass"}[asked(game)[0]])
    assert waiting == [[1, 0, 1, 1], [1, 0, 1, 1], [1, 0, 0, 1]]


@pytest.mark.rule("37.40")
def test_a_purchase_of_something_other_than_a_tile_brings_no_key() -> None:
    game = gates()
    gain_key(
        game,
        Purchase(0, "beside", "", "a piece", "", 9, 9, True, ("key",), 9, "denar", "action", "buy", Payment()),
    )
    assert held(game, 0) == ()


@pytest.mark.rule("37.10")
def test_no_bonus_lies_before_a_gate_unless_a_key_is_turned() -> None:
    game = gates()
    key, _ = facing(game, 0, "plaza")
    give_key(game, 0, key)
    assert [bonus_of(game, seat) for seat in range(3)] == ["", "", ""]
    play(game, "take_money dukat-4")
    play(game, "use_key")
    assert [bonus_of(game, seat) for seat in range(3)] == ["", "", ""]
    play(game, "turn_key")
    assert [bonus_of(game, seat) for seat in range(3)] == [*KEYS[key][:3]]


# -- What is told -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("37.21")
def test_everybody_is_told_that_points_were_added_without_a_question() -> None:
    assert {"seat": 0, "choice": "vp_2", "forced": True} in events_of(turned(gates(), "vp_2"), "bonus_done")


@pytest.mark.rule("37.19")
def test_everybody_is_told_who_took_which_half_building() -> None:
    game = at_gate("half_building")
    events = play(game, "take_half", type="tower")
    assert events_of(events, "half_taken") == [{"seat": 0, "type": "tower"}]
