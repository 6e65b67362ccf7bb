"""38 Buildings of power: which tiles can be hidden, what the others are told, and what lies hidden at the end."""

from __future__ import annotations

import pytest

from alhambra import Event, Game
from alhambra.base.peek import known_to
from alhambra.base.supply import SLOTS
from alhambra.invariants import census
from alhambra.known_positions import TOWER
from alhambra.modules.buildings_of_power import Powers
from alhambra.modules.buildings_of_power.architecture import show_leftover
from tests.rules.hooks.asking import asked, verbs
from tests.rules.modules.powers_table import ARCHITECTURE, NEXT, hide, looking, powers, use
from tests.rules.situations import (
    codes,
    end_game,
    events_of,
    hand,
    kinds,
    market,
    play,
    refused,
    take_turn,
    tower,
)

LYING = {"gulden": "tower-9-es", "dirham": "tower-9-ne", "denar": "tower-9-nw", "dukat": "tower-10-w"}


def seeing(monkeypatch: pytest.MonkeyPatch, count: int) -> Game:
    """Seat 0 looks at the next tiles."""
    game = looking(monkeypatch, ARCHITECTURE, count)
    tower(game, *NEXT)
    use(game, ARCHITECTURE)
    assert asked(game) == ("architecture", 0)
    return game


def with_tiles_under_all(monkeypatch: pytest.MonkeyPatch, count: int) -> Game:
    """Nothing can be hidden: seat 0 may look at the next tiles and has to return them."""
    game = looking(monkeypatch, ARCHITECTURE, count)
    for currency, tile in LYING.items():
        hide(game, 1, currency, tile)
    tower(game, *NEXT)
    return game


def told_alone(events: list[Event], kind: str, seat: int) -> list[object]:
    """What only this seat is told, by events of one kind."""
    return [event.seen_by(seat).get("private") for event in events if event.kind == kind]


# -- Hiding ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("38.6", "38.39")
def test_a_single_tile_that_is_looked_at_must_be_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch, 1)
    assert verbs(game) == {"hide_tile"}
    events = play(game, f"hide_tile {NEXT[0]} market-denar")
    assert "tiles_returned" not in kinds(events), "no other tile was looked at"
    assert asked(game) == ("action", 1)


@pytest.mark.rule("38.6")
@pytest.mark.parametrize("slot", ["market-dukat", "personal-0-denar"])
def test_a_tile_is_hidden_under_a_tile_of_the_market_only(slot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch, 2)
    market(game, gulden="tower-11", dirham="seraglio-7-w", denar="garden-10")
    assert codes(refused(game, "hide_tile", tile=NEXT[0], slot=slot)) == ["NOT_THERE"]


@pytest.mark.rule("38.39")
def test_where_the_only_space_without_a_hidden_tile_is_empty_all_are_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    game = looking(monkeypatch, ARCHITECTURE, 3)
    market(game, gulden="tower-11", dirham="seraglio-7-w", denar="garden-10")
    for currency in ("gulden", "dirham", "denar"):
        hide(game, 1, currency, LYING[currency])
    tower(game, *NEXT)
    use(game, ARCHITECTURE)
    assert verbs(game) == {"return_tile", "pass"}


@pytest.mark.rule("38.6")
def test_tiles_are_returned_only_after_one_was_hidden_and_no_second_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch, 3)
    assert refused(game, f"return_tile {NEXT[0]}")
    play(game, f"hide_tile {NEXT[0]} market-denar")
    assert refused(game, f"hide_tile {NEXT[1]} market-gulden")
    assert verbs(game) == {"return_tile", "pass"}


@pytest.mark.rule("38.42")
def test_the_others_are_told_where_a_tile_was_hidden_but_not_which(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch, 3)
    events = play(game, f"hide_tile {NEXT[1]} market-denar")
    assert events_of(events, "tile_hidden") == [{"seat": 0, "slot": "market-denar"}]
    assert told_alone(events, "tile_hidden", 0) == [{"tile": NEXT[1]}]
    assert told_alone(events, "tile_hidden", 1) == [None]


# -- Returning ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("38.41", "38.42")
def test_a_player_who_passes_is_told_the_order_in_which_the_rest_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch, 3)
    play(game, f"hide_tile {NEXT[1]} market-denar")
    events = play(game, "pass")
    assert events_of(events, "tiles_returned") == [{"seat": 0, "count": 2}]
    assert told_alone(events, "tiles_returned", 0) == [{"tiles": (NEXT[0], NEXT[2])}]
    assert told_alone(events, "tiles_returned", 1) == [None]


@pytest.mark.rule("38.6", "38.42")
def test_the_order_that_a_player_is_told_is_the_one_that_was_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seeing(monkeypatch, 3)
    play(game, f"hide_tile {NEXT[0]} market-denar")
    events = play(game, f"return_tile {NEXT[2]}")
    assert told_alone(events, "tiles_returned", 0) == [{"tiles": (NEXT[2], NEXT[1])}]
    assert game.state.tower[-2:][::-1] == (NEXT[2], NEXT[1])


@pytest.mark.rule("38.42")
def test_the_others_forget_what_they_knew_of_tiles_though_none_was_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_tiles_under_all(monkeypatch, 2)
    game.state.known_positions = {TOWER: ((), (len(game.state.tower) - 1,), ())}
    assert known_to(game, 1, TOWER) == ((0, NEXT[0]),)
    use(game, ARCHITECTURE)
    play(game, "pass")
    assert known_to(game, 1, TOWER) == ()
    assert known_to(game, 0, TOWER) == ((0, NEXT[0]), (1, NEXT[1]))


# -- Turning up --------------------------------------------------------------------------------------------------------


def sold() -> tuple[Game, list[Event]]:
    """The tile above a hidden one was bought by seat 0; what happened when the market was filled."""
    game = powers()
    hide(game, 1, "denar", "tower-9-es")
    hand(game, 0, "denar-9 denar-2")
    play(game, "buy market-denar denar-2 denar-9")
    return game, play(game, "reserve garden-10")


@pytest.mark.rule("38.8")
def test_a_tile_that_was_turned_up_is_not_hidden_any_more() -> None:
    game, _ = sold()
    assert game.module_state(Powers).hidden == ("",) * len(SLOTS)
    assert list(census(game).elements()).count("tower-9-es") == 1


@pytest.mark.rule("38.8", "00.119")
def test_what_led_to_turning_up_a_hidden_tile_cannot_be_taken_back() -> None:
    game, _ = sold()
    undo = game.can_undo(0)
    assert undo is not None
    assert undo.metadata["because"] == "revealed"


@pytest.mark.rule("38.8", "38.17")
def test_a_hidden_tile_is_turned_up_before_fruit_is_drawn_for_it() -> None:
    game = powers(3, "orchards")
    hide(game, 1, "denar", "tower-9-es")
    market(game, gulden="tower-11", dirham="seraglio-7-w", dukat="chambers-5-nsw")
    events = take_turn(game)
    told = [kind for kind in kinds(events) if kind in ("hidden_tile_turned", "fruit_drawn")]
    assert told == ["hidden_tile_turned", "fruit_drawn"]


# -- The end -----------------------------------------------------------------------------------------------------------


def two_left(*hands: str) -> tuple[Game, list[Event]]:
    """A tile is hidden under the one on the gulden space when the game ends; what happened then."""
    game = powers(len(hands))
    hide(game, len(hands) - 1, "gulden", "tower-9-es")
    for seat, cards in enumerate(hands):
        hand(game, seat, cards)
    return game, end_game(game)


def lies_once(game: Game, *tiles: str) -> bool:
    """Whether each of the tiles lies in one place, and not on the gulden space or aside."""
    there = list(census(game).elements())
    lying = (game.state.market[0], *game.state.aside, *game.module_state(Powers).hidden)
    return all(there.count(tile) == 1 and tile not in lying for tile in tiles)


@pytest.mark.rule("38.26")
def test_a_hidden_tile_is_turned_up_before_the_leftover_tiles_are_compared() -> None:
    game, events = two_left("gulden-9", "gulden-8", "gulden-7")
    assert events_of(events, "hidden_tile_turned") == [{"tile": "tower-9-es", "slot": "market-gulden"}]
    assert game.module_state(Powers).hidden == ("",) * len(SLOTS)


@pytest.mark.rule("38.16")
def test_with_a_tie_for_most_all_see_that_nobody_gets_the_two_tiles() -> None:
    game, events = two_left("gulden-9", "gulden-9", "gulden-7")
    awarded = [(told["tile"], told["seat"], told["slot"]) for told in events_of(events, "leftover_awarded")]
    assert awarded[:2] == [("tower-11", None, "market-gulden"), ("tower-9-es", None, "market-gulden")]
    assert lies_once(game, "tower-11", "tower-9-es")


@pytest.mark.rule("38.16")
@pytest.mark.parametrize(("chosen", "other"), [("tower-11", "tower-9-es"), ("tower-9-es", "tower-11")])
def test_either_of_two_leftover_tiles_may_be_chosen_and_none_stays(chosen: str, other: str) -> None:
    game, _ = two_left("gulden-9", "gulden-8", "gulden-7")
    events = play(game, f"choose_tile {chosen}")
    awarded = [(told["tile"], told["seat"]) for told in events_of(events, "leftover_awarded")]
    assert awarded[:2] == [(chosen, 0), (other, 1)]
    assert lies_once(game, chosen, other)


@pytest.mark.rule("38.26")
def test_a_tile_hidden_at_an_empty_space_becomes_the_leftover_tile_of_the_space() -> None:
    game = powers()
    hide(game, 2, "gulden", "tower-9-es")
    market(game, dirham="seraglio-7-w", denar="garden-10", dukat="chambers-5-nsw")
    show_leftover(game, SLOTS.index("market-gulden"))
    assert game.state.market[0] == "tower-9-es"
    assert game.state.aside == ()
    assert asked(game) == ("action", 0), "nobody has to choose"
