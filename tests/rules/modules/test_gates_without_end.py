"""37 Gates without end: keys, who gets them and how they are used."""

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
    hand,
    kinds,
    market,
    pieces,
    play,
    refused,
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
