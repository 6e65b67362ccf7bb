"""38 Buildings of power: architecture, wisdom, and the tiles hidden under the market."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game
from alhambra.base.peek import known_to
from alhambra.base.supply import sink_tile
from alhambra.invariants import census
from alhambra.known_positions import DECK, TOWER
from alhambra.modules.buildings_of_power import Powers
from tests.rules.hooks.asking import asked, verbs
from tests.rules.modules.powers_table import ARCHITECTURE, NEXT, WISDOM, hide, load, powers, use, with_function
from tests.rules.observation import as_text, observed, reaching, shown
from tests.rules.situations import (
    codes,
    deck,
    discard,
    display,
    end_game,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    take_turn,
    tower,
)

CARDS = ("denar-9", "denar-8", "scoring-1", "denar-7", "denar-6")


def seeing(monkeypatch: pytest.MonkeyPatch, count: int = 3) -> Game:
    """Seat 0 looks at the next tiles."""
    game = with_function(ARCHITECTURE)
    load(monkeypatch, count)
    tower(game, *NEXT)
    use(game, ARCHITECTURE)
    assert asked(game) == ("architecture", 0)
    return game


def reading(monkeypatch: pytest.MonkeyPatch, count: int = 4, cards: tuple[str, ...] = CARDS) -> Game:
    """Seat 0 looks at the next cards."""
    game = with_function(WISDOM)
    load(monkeypatch, count)
    deck(game, *cards)
    use(game, WISDOM)
    assert asked(game) == ("wisdom", 0)
    return game


# -- When a function is used -------------------------------------------------------------------------------------------


@pytest.mark.rule("38.5")
def test_a_function_is_used_at_the_end_of_the_turn_in_which_the_tile_was_bought() -> None:
    game = powers()
    market(game, denar=ARCHITECTURE, gulden="tower-11", dirham="garden-10", dukat="tower-11-n")
    hand(game, 0, "denar-9 denar-4")
    play(game, "buy market-denar denar-4 denar-9")
    play(game, f"reserve {ARCHITECTURE}")
    assert asked(game) == ("after", 0)
    assert game.view(None)["slices"]["buildings_of_power"]["functions"] == [{"seat": 0, "tile": ARCHITECTURE}]
    assert all(game.state.market), "the market has been filled"


@pytest.mark.rule("38.37")
def test_a_function_that_is_declined_lapses() -> None:
    game = with_function(ARCHITECTURE)
    play(game, "pass")
    assert asked(game) == ("action", 1)
    assert game.module_state(Powers).functions == ()


@pytest.mark.rule("38.34")
def test_a_function_gained_out_of_turn_waits_for_the_next_own_turn() -> None:
    game = powers()
    game.module_state(Powers).functions = ((1, ARCHITECTURE, game.state.turn + 1),)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    take_turn(game)
    assert asked(game) == ("action", 1)
    take_turn(game)
    assert asked(game) == ("after", 1)


@pytest.mark.rule("38.34")
def test_what_the_active_seat_gains_after_refilling_waits_too() -> None:
    game = with_function(ARCHITECTURE)
    game.module_state(Powers).functions = ((0, ARCHITECTURE, game.state.turn + 1),)
    assert codes(refused(game, f"use_function {ARCHITECTURE}")) == ["NOT_THERE"]


@pytest.mark.rule("38.38")
def test_two_functions_are_used_in_the_order_of_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_function(ARCHITECTURE)
    load(monkeypatch, 1)
    game.module_state(Powers).functions = tuple((0, tile, game.state.turn) for tile in (ARCHITECTURE, WISDOM))
    deck(game, "denar-9")
    assert {move.tile for move in game.moves() if move.tile} == {ARCHITECTURE, WISDOM}
    use(game, WISDOM)
    play(game, "keep_card denar-9")
    assert asked(game) == ("after", 0)
    assert legal(game, f"use_function {ARCHITECTURE}")


@pytest.mark.rule("38.5")
def test_only_functions_that_were_gained_can_be_used() -> None:
    game = with_function(ARCHITECTURE)
    assert codes(refused(game, f"use_function {WISDOM}")) == ["NOT_THERE"]
    assert codes(refused(game, "use_function", tile="no_tile")) == ["ID_UNKNOWN"]


@pytest.mark.rule("38.40")
def test_with_nothing_to_look_at_nobody_is_asked() -> None:
    game = with_function(ARCHITECTURE)
    tower(game, only=True)
    assert fact(refused(game, f"use_function {ARCHITECTURE}"), "CONDITION_UNMET")["what"] == "tower"


# -- Architecture ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("38.6")
def test_the_red_die_says_how_many_tiles_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch, 3)
    assert events_of(game.events, "die_rolled") == [{"seat": 0, "die": "red_die", "value": 3}]
    assert events_of(game.events, "tiles_looked") == [{"seat": 0, "count": 3}]
    assert game.view(0)["decision"]["private"] == {"tiles": list(NEXT[:3])}


@pytest.mark.rule("38.6", "38.39", "38.42")
def test_one_tile_must_be_hidden_under_a_market_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert codes(refused(game, f"hide_tile {NEXT[3]} market-denar")) == ["NOT_THERE"]
    play(game, f"hide_tile {NEXT[1]} market-denar")
    assert pieces(game, "buildings_of_power", 1, kind="hidden_tile") == [
        {"kind": "hidden_tile", "seat": 0, "slot": "market-denar", "choice": "face_down"}
    ]
    assert pieces(game, "buildings_of_power", 0, kind="hidden_tile") == [
        {"kind": "hidden_tile", "seat": 0, "slot": "market-denar", "tile": NEXT[1], "choice": "face_down"}
    ]


@pytest.mark.rule("38.7")
def test_at_most_one_tile_lies_hidden_under_a_market_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch)
    hide(game, 1, "denar", "tower-9-es")
    assert codes(refused(game, f"hide_tile {NEXT[0]} market-denar")) == ["PLACE_TAKEN"]


@pytest.mark.rule("38.39")
def test_where_every_market_tile_hides_one_all_are_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_function(ARCHITECTURE)
    load(monkeypatch, 3)
    for currency, tile in zip(
        ("gulden", "dirham", "denar", "dukat"), ("tower-9-es", "tower-9-ne", "tower-9-nw", "tower-10-w"), strict=True
    ):
        hide(game, 1, currency, tile)
    tower(game, *NEXT)
    use(game, ARCHITECTURE)
    assert verbs(game) == {"return_tile", "pass"}


@pytest.mark.rule("38.6", "38.41")
def test_the_others_are_returned_in_any_order_from_the_top_down(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch, 4)
    before = census(game)
    play(game, f"hide_tile {NEXT[0]} market-denar")
    play(game, f"return_tile {NEXT[3]}")
    assert codes(refused(game, f"return_tile {NEXT[3]}")) == ["NOT_THERE"]
    events = play(game, f"return_tile {NEXT[2]}")
    assert events_of(events, "tiles_returned") == [{"seat": 0, "count": 3}]
    assert game.state.tower[-3:][::-1] == (NEXT[3], NEXT[2], NEXT[1])
    assert census(game) == before


@pytest.mark.rule("38.41")
def test_a_pass_leaves_the_rest_as_it_was_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch, 3)
    play(game, f"hide_tile {NEXT[1]} market-denar")
    play(game, "pass")
    assert game.state.tower[-2:][::-1] == (NEXT[0], NEXT[2])


@pytest.mark.rule("38.40")
def test_a_small_tower_is_looked_at_as_far_as_it_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_function(ARCHITECTURE)
    load(monkeypatch, 6)
    tower(game, *NEXT[:2], only=True)
    use(game, ARCHITECTURE)
    assert events_of(game.events, "tiles_looked")[0]["count"] == 2


# -- Hidden tiles ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("38.8")
def test_the_hidden_tile_is_turned_up_instead_of_drawing() -> None:
    game = powers()
    hide(game, 1, "denar", "tower-9-es")
    hand(game, 0, "denar-9 denar-2")
    play(game, "buy market-denar denar-2 denar-9")
    size = len(game.state.tower)
    events = play(game, "reserve garden-10")
    assert events_of(events, "hidden_tile_turned") == [{"tile": "tower-9-es", "slot": "market-denar"}]
    assert "tile_drawn" not in kinds(events)
    assert game.state.market[2] == "tower-9-es"
    assert len(game.state.tower) == size


@pytest.mark.rule("38.43")
def test_a_hidden_tile_saves_the_game_from_its_end() -> None:
    game = powers()
    hide(game, 1, "denar", "tower-9-es")
    tower(game, only=True)
    hand(game, 0, "denar-9 denar-2")
    play(game, "buy market-denar denar-2 denar-9")
    play(game, "reserve garden-10")
    assert asked(game) == ("action", 1)


# -- The end -----------------------------------------------------------------------------------------------------------


def two_left(*hands: str) -> Game:
    """A tile is hidden under the one on the gulden space when the game ends."""
    game = powers(len(hands))
    hide(game, len(hands) - 1, "gulden", "tower-9-es")
    for seat, cards in enumerate(hands):
        hand(game, seat, cards)
    end_game(game)
    return game


@pytest.mark.rule("38.16")
def test_the_richest_chooses_one_of_two_leftover_tiles_and_the_second_gets_the_other() -> None:
    game = two_left("gulden-9", "gulden-8", "gulden-7")
    assert asked(game) == ("choose_leftover", 0)
    assert codes(refused(game, "choose_tile garden-10")) == ["NOT_THERE"]
    events = play(game, "choose_tile tower-9-es")
    awarded = [(told["tile"], told["seat"]) for told in events_of(events, "leftover_awarded")]
    assert awarded[:2] == [("tower-9-es", 0), ("tower-11", 1)]


@pytest.mark.rule("38.16", "38.49")
@pytest.mark.parametrize("hands", [("gulden-9", "gulden-9", "gulden-7"), ("denar-1", "denar-2", "denar-3")])
def test_with_a_tie_for_most_or_no_money_both_tiles_leave_the_game(hands: tuple[str, ...]) -> None:
    game = two_left(*hands)
    assert {"tower-9-es", "tower-11"} <= set(game.state.box)


@pytest.mark.rule("38.16")
@pytest.mark.parametrize("hands", [("gulden-9", "gulden-7", "gulden-7"), ("gulden-9", "denar-2", "denar-3")])
def test_with_a_tie_for_second_or_without_money_the_other_tile_leaves_the_game(hands: tuple[str, ...]) -> None:
    game = two_left(*hands)
    play(game, "choose_tile tower-11")
    assert "tower-9-es" in game.state.box
    assert "tower-11" not in game.state.box


@pytest.mark.rule("38.49")
def test_the_second_most_money_is_more_than_none() -> None:
    game = two_left("gulden-9", "denar-2")
    events = play(game, "choose_tile tower-11")
    awarded = {told["tile"]: told.get("seat") for told in events_of(events, "leftover_awarded")}
    assert awarded["tower-11"] == 0
    assert awarded["tower-9-es"] is None
    assert "tower-9-es" in game.state.box


@pytest.mark.rule("38.51")
def test_a_seat_that_resigns_while_it_looks_at_cards_keeps_none(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch)
    before = game.state.deck
    events = game.resign(0)
    assert not events_of(events, "card_kept")
    assert game.state.seats[0].hand == ()
    assert game.state.deck == before, "the cards lie as they were drawn"
    assert asked(game)[1] == 1


@pytest.mark.rule("38.51")
def test_a_seat_that_resigns_while_it_looks_at_tiles_hides_none(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch)
    before = game.state.tower
    events = game.resign(0)
    assert not events_of(events, "tile_hidden")
    assert game.state.tower == before
    assert asked(game)[1] == 1


@pytest.mark.rule("38.51")
def test_if_the_chooser_resigns_the_others_are_compared() -> None:
    game = two_left("gulden-9", "gulden-8", "gulden-7")
    game.resign(0)
    assert asked(game) == ("choose_leftover", 1)


# -- Wisdom ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("38.9")
def test_one_card_is_kept_unseen_and_the_others_are_returned_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch, 3, ("denar-9", "denar-8", "denar-7"))
    before = census(game)
    held = len(game.state.seats[0].hand)
    play(game, "keep_card denar-8")
    assert len(game.state.seats[0].hand) == held + 1
    assert "denar-8" in game.state.seats[0].unseen
    play(game, "return_card denar-7")
    events = play(game, "return_card denar-9")
    assert events_of(events, "cards_returned") == [{"seat": 0, "count": 2}]
    assert game.state.deck[-2:][::-1] == ("denar-7", "denar-9")
    assert census(game) == before


@pytest.mark.rule("38.44")
def test_a_card_must_be_kept_if_one_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert codes(refused(game, "keep_card dukat-9")) == ["NOT_THERE"]
    assert codes(refused(game, "keep_card denar-8 denar-9")) == ["CARD_COUNT"]
    assert codes(refused(game, "keep_card scoring-1")) == ["NOT_ELIGIBLE"]


@pytest.mark.rule("38.10", "38.45")
def test_a_scoring_card_may_be_played_and_the_scoring_is_held_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch)
    events = play(game, "play_scoring")
    assert events_of(events, "scoring_began") == [{"scoring": 1}]
    assert game.state.held == (1,)
    assert asked(game) == ("wisdom", 0)
    play(game, "keep_card denar-9")
    play(game, "pass")
    assert game.state.deck[-2:][::-1] == ("denar-8", "denar-7")
    assert points(events, "wall") == {}


@pytest.mark.rule("38.10")
def test_a_scoring_card_may_be_returned_face_down(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch)
    play(game, "keep_card denar-9")
    play(game, "return_card denar-7")
    play(game, "return_card scoring-1")
    assert "play_scoring" not in verbs(game)
    play(game, "return_card denar-8")
    assert game.state.deck[-3:][::-1] == ("denar-7", "scoring-1", "denar-8")
    assert game.state.held == ()


@pytest.mark.rule("38.46")
def test_of_two_scoring_cards_the_first_is_played_first_and_lies_above_the_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = reading(monkeypatch, 3, ("scoring-1", "denar-9", "scoring-2"))
    sample = game.clone()
    play(game, "play_scoring")
    events = play(game, "play_scoring")
    assert events_of(events, "scoring_began") == [{"scoring": 2}]
    play(sample, "keep_card denar-9")
    assert codes(refused(sample, "return_card scoring-2")) == ["NOT_ELIGIBLE"]
    play(sample, "return_card scoring-1")
    assert codes(refused(sample, "play_scoring")) == ["NOT_THERE"]


@pytest.mark.rule("38.47")
def test_a_low_deck_gets_the_discard_under_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_function(WISDOM)
    load(monkeypatch, 3)
    discard(game, "dukat-7 dukat-8")
    deck(game, "denar-9", only=True)
    use(game, WISDOM)
    assert events_of(game.events, "deck_reshuffled") == [{"count": 2}]
    assert events_of(game.events, "cards_looked")[0]["count"] == 3


@pytest.mark.rule("38.41", "38.44")
def test_where_no_card_can_be_kept_a_pass_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch, 1, ("scoring-1",))
    play(game, "pass")
    assert asked(game) == ("wisdom", 0)
    play(game, "pass")
    assert game.state.deck[-1] == "scoring-1"


# -- Who knows what ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("38.42")
def test_only_the_seat_that_looks_sees_the_tiles_and_what_it_hides(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch, 4)
    events = list(game.events)
    events += play(game, f"hide_tile {NEXT[0]} market-denar")
    events += play(game, f"return_tile {NEXT[3]}")
    for viewer in (None, 1, 2):
        text = as_text([shown(game, viewer), reaching(viewer, events)])
        assert not [tile for tile in NEXT if f'"{tile}"' in text]


@pytest.mark.rule("38.42")
def test_the_seat_remembers_the_order_until_it_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch, 3)
    play(game, f"hide_tile {NEXT[0]} market-denar")
    play(game, f"return_tile {NEXT[2]}")
    known = game.view(0)["slices"]["buildings_of_power"]["known"]
    assert known["tiles"] == ((0, NEXT[2]), (1, NEXT[1]))
    assert game.view(1)["slices"]["buildings_of_power"]["known"] == {"tiles": (), "cards": ()}


@pytest.mark.rule("38.42")
def test_other_seats_forget_what_they_knew_even_if_nothing_was_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_function(WISDOM)
    load(monkeypatch, 1)
    deck(game, "scoring-1", "denar-9")
    game.state.known_positions = {DECK: ((), (len(game.state.deck) - 1,), ())}
    use(game, WISDOM)
    play(game, "pass")
    play(game, "pass")
    assert known_to(game, 1, DECK) == ()
    assert known_to(game, 0, DECK) == ((0, "scoring-1"),)


@pytest.mark.rule("38.42")
@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_twins_agree_with_what_each_seat_can_know(viewer: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch, 4)
    games = [game.clone()]
    play(game, f"hide_tile {NEXT[0]} market-denar")
    games.append(game.clone())
    play(game, "pass")
    games.append(game)
    for one in games:
        found = set()
        for number in range(12):
            sample = one.determinize(viewer, Random(number))
            assert observed(sample, viewer) == observed(one, viewer)
            assert census(sample) == census(one)
            found.add((sample.module_state(Powers).hidden, sample.state.tower[-2:]))
        assert (len(found) == 1) == (viewer == 0)


@pytest.mark.rule("38.42")
def test_a_sunk_tile_that_was_looked_at_and_hidden_is_known_to_the_hider_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = with_function(ARCHITECTURE)
    load(monkeypatch, 3)
    tower(game, *NEXT[:2], only=True)
    sink_tile(game, game.state.box[-1])
    sunk = game.state.tower[0]
    game.state.box = tuple(thing for thing in game.state.box if thing != sunk)
    assert game.state.sunk == 1
    use(game, ARCHITECTURE)
    play(game, f"hide_tile {sunk} market-denar")
    play(game, "pass")
    assert game.state.sunk == 0
    assert {
        sample.module_state(Powers).hidden[2] for sample in (game.determinize(1, Random(n)) for n in range(20))
    } >= {
        sunk,
        NEXT[0],
    }
    assert len(known_to(game, 0, TOWER)) == 2


@pytest.mark.rule("38.50")
def test_a_look_cannot_be_taken_back_but_what_follows_can(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch, 3)
    undo = game.can_undo(0)
    assert undo is not None
    assert undo.metadata["because"] == "revealed"
    play(game, f"hide_tile {NEXT[0]} market-denar")
    assert game.can_undo(0) is None
