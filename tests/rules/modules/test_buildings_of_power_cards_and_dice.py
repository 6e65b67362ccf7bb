"""38 Buildings of power: when a function can be used, which cards are kept and returned, and what each die does."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import Event, Game
from alhambra.invariants import census
from alhambra.modules.buildings_of_power import Powers
from alhambra.modules.buildings_of_power.dice import score_second_walls, strength
from alhambra.modules.buildings_of_power.powers import usable
from tests.rules.hooks.asking import asked, verbs
from tests.rules.modules.power_of_the_sultan_table import held
from tests.rules.modules.powers_table import (
    ARCHITECTURE,
    STRENGTH,
    WEALTH,
    WISDOM,
    load,
    looking,
    powers,
    put_die,
    use,
    with_function,
)
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    discard,
    events_of,
    fact,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    play,
    points,
    refused,
    reserve,
    take_turn,
    tower,
)

MONEY = ("denar-9", "denar-8", "denar-7", "denar-6")


def reading(monkeypatch: pytest.MonkeyPatch, *cards: str) -> Game:
    """Seat 0 looks at these cards."""
    game = looking(monkeypatch, WISDOM, len(cards))
    deck(game, *cards)
    use(game, WISDOM)
    assert asked(game) == ("wisdom", 0)
    return game


def shown(game: Game) -> list[str]:
    """The cards that seat 0 sees while it is asked."""
    cards: list[str] = game.view(0)["decision"]["private"]["cards"]
    return cards


def told_alone(events: list[Event], kind: str, seat: int) -> list[object]:
    """What only this seat is told, by events of one kind."""
    return [event.seen_by(seat).get("private") for event in events if event.kind == kind]


# -- When a function can be used ---------------------------------------------------------------------------------------


@pytest.mark.rule("38.5")
def test_a_function_is_used_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch, *MONEY)
    assert game.module_state(Powers).functions == ()
    play(game, "keep_card denar-9")
    play(game, "pass")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("38.38")
def test_a_second_function_waits_while_the_first_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_function(WISDOM)
    load(monkeypatch, 1)
    game.module_state(Powers).functions = tuple((0, tile, game.state.turn) for tile in (WISDOM, ARCHITECTURE))
    deck(game, "denar-9")
    use(game, WISDOM)
    assert [tile for _, tile, _ in game.module_state(Powers).functions] == [ARCHITECTURE]
    play(game, "keep_card denar-9")
    assert legal(game, f"use_function {ARCHITECTURE}")


@pytest.mark.rule("38.5")
def test_nobody_uses_the_function_of_another_seat() -> None:
    game = with_function(ARCHITECTURE)
    game.module_state(Powers).functions = ((0, ARCHITECTURE, game.state.turn), (1, WISDOM, game.state.turn))
    assert codes(refused(game, f"use_function {WISDOM}")) == ["NOT_THERE"]


@pytest.mark.rule("38.5", "38.34")
def test_nobody_uses_a_function_at_the_end_of_the_turn_of_another() -> None:
    game = with_function(ARCHITECTURE)
    game.module_state(Powers).functions = ((0, ARCHITECTURE, game.state.turn), (1, WISDOM, game.state.turn))
    assert usable(game, 0) == [ARCHITECTURE]
    assert usable(game, 1) == []


@pytest.mark.rule("38.9", "38.40")
def test_wisdom_needs_no_tower() -> None:
    game = with_function(WISDOM)
    tower(game, only=True)
    assert legal(game, f"use_function {WISDOM}")


@pytest.mark.rule("38.47")
def test_without_a_deck_wisdom_looks_at_the_discard(monkeypatch: pytest.MonkeyPatch) -> None:
    game = looking(monkeypatch, WISDOM, 2)
    discard(game, "dukat-7 dukat-8")
    deck(game, only=True)
    use(game, WISDOM)
    assert sorted(shown(game)) == ["dukat-7", "dukat-8"]


@pytest.mark.rule("38.37")
@pytest.mark.parametrize(("tile", "what"), [(ARCHITECTURE, "tower"), (WISDOM, "deck")])
def test_a_function_with_nothing_to_look_at_is_refused(tile: str, what: str) -> None:
    game = with_function(tile)
    tower(game, only=True)
    discard(game)
    deck(game, only=True)
    said = fact(refused(game, f"use_function {tile}"), "CONDITION_UNMET")
    assert (said["what"], said["need"], said["have"]) == (what, 1, 0)


# -- Keeping a card ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("38.9", "38.42")
def test_only_the_player_who_looks_sees_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch, *MONEY)
    assert shown(game) == list(MONEY)
    for viewer in (None, 1, 2):
        assert "private" not in game.view(viewer)["decision"]


@pytest.mark.rule("38.42", "38.44")
def test_the_others_are_told_that_a_card_was_kept_but_not_which(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch, *MONEY)
    events = play(game, "keep_card denar-7")
    assert events_of(events, "card_kept") == [{"seat": 0}]
    assert told_alone(events, "card_kept", 0) == [{"card": "denar-7"}]
    assert told_alone(events, "card_kept", 1) == [None]


@pytest.mark.rule("38.9")
def test_one_card_is_kept_before_any_is_returned_and_no_second_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch, *MONEY)
    assert verbs(game) == {"keep_card"}
    assert refused(game, "return_card denar-9")
    play(game, "keep_card denar-9")
    assert verbs(game) == {"return_card", "pass"}
    assert refused(game, "keep_card denar-8")


@pytest.mark.rule("38.9")
def test_a_player_who_keeps_the_only_card_returns_none(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch, "denar-9")
    assert "cards_returned" not in kinds(play(game, "keep_card denar-9"))


@pytest.mark.rule("38.9")
def test_exactly_one_card_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch, *MONEY)
    said = fact(refused(game, "keep_card denar-8 denar-9"), "CARD_COUNT")
    assert (said["need"], said["got"]) == (1, 2)


# -- Returning the others ----------------------------------------------------------------------------------------------


@pytest.mark.rule("38.9")
def test_only_cards_that_were_looked_at_are_returned_and_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch, *MONEY)
    play(game, "keep_card denar-9")
    assert codes(refused(game, "return_card dukat-9")) == ["NOT_THERE"]
    assert codes(refused(game, "return_card denar-7 denar-8")) == ["CARD_COUNT"]


@pytest.mark.rule("38.9", "38.42")
def test_the_order_that_a_player_is_told_of_cards_is_the_one_that_was_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch, *MONEY)
    play(game, "keep_card denar-9")
    play(game, "return_card denar-6")
    play(game, "return_card denar-7")
    events = play(game, "return_card denar-8")
    assert told_alone(events, "cards_returned", 0) == [{"cards": ("denar-6", "denar-7", "denar-8")}]
    assert told_alone(events, "cards_returned", 1) == [None]


@pytest.mark.rule("38.46")
def test_the_second_scoring_card_is_returned_freely_if_the_first_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch, "denar-9", "scoring-2", "denar-8")
    play(game, "keep_card denar-9")
    assert legal(game, "return_card scoring-2")


# -- Playing a scoring card --------------------------------------------------------------------------------------------


@pytest.mark.rule("38.10", "38.45")
def test_after_a_scoring_card_was_played_only_the_other_cards_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch, "denar-9", "scoring-1", "denar-8")
    before = census(game)
    play(game, "play_scoring")
    assert shown(game) == ["denar-9", "denar-8"]
    assert verbs(game) == {"keep_card"}
    assert census(game) == before


@pytest.mark.rule("38.10")
def test_all_see_which_scoring_card_is_played_so_it_is_not_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    game = reading(monkeypatch, "denar-9", "scoring-1", "denar-8")
    events = play(game, "play_scoring")
    assert events_of(events, "card_revealed") == [{"card": "scoring-1", "to": "scoring"}]
    undo = game.can_undo(0)
    assert undo is not None
    assert undo.metadata["because"] == "revealed"


# -- Dice --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("38.2")
@pytest.mark.parametrize("tile", [STRENGTH, WEALTH])
def test_a_die_shows_at_most_6(tile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load(monkeypatch, 100)
    game = powers()
    market(game, denar=tile)
    hand(game, 0, "denar-9 denar-8")
    assert events_of(play(game, "buy market-denar denar-8 denar-9"), "die_rolled")[0]["value"] == 6


@pytest.mark.rule("38.2", "38.12")
def test_a_die_that_is_put_on_a_tile_comes_from_the_three_of_its_colour() -> None:
    game = powers()
    market(game, denar=WEALTH)
    hand(game, 0, "denar-9")
    dice = Counter({"black_die": 3, "white_die": 3})
    assert census(game) & dice == dice
    before = census(game)
    play(game, "buy market-denar denar-9")
    assert game.module_state(Powers).supply.count("white_die") == 2
    assert census(game) == before


@pytest.mark.rule("38.35")
def test_a_claimed_tile_without_a_power_gets_no_die_and_no_function() -> None:
    game = powers(3, "power_of_the_sultan")
    held(game, 1, "sultan_denar_1", "garden")
    market(game, gulden="tower-11", dirham="seraglio-7-w", denar="garden-10")
    tower(game, "garden-9-e", "tower-9-es")
    take_turn(game)
    assert asked(game) == ("claim", 1)
    play(game, "claim", piece="sultan_denar_1")
    assert game.module_state(Powers).dice == {}
    assert game.module_state(Powers).functions == ()


@pytest.mark.rule("38.13")
def test_a_black_die_makes_nothing_cheaper() -> None:
    game = powers()
    reserve(game, 0, STRENGTH)
    put_die(game, 0, STRENGTH, 3)
    hand(game, 0, "denar-9")
    assert refused(game, "buy market-denar denar-9", items=(f"white_die:{STRENGTH}",))


@pytest.mark.rule("38.14")
def test_white_dice_do_not_let_a_wall_score() -> None:
    game = powers()
    alhambra(game, 0, {(1, 0): WEALTH})
    put_die(game, 0, WEALTH, 5)
    assert strength(game, 0) == 0


@pytest.mark.rule("38.14", "38.48")
def test_with_one_wall_there_is_no_second_one_to_score() -> None:
    game = powers()
    alhambra(game, 0, {(0, -1): "pavilion-6-n", (1, 0): STRENGTH})
    put_die(game, 0, STRENGTH, 6)
    assert points(hold_scoring(game, 1), "wall") == {0: 1}
    game.events = []
    score_second_walls(game, 2)
    assert points(game.events, "wall_second") == {}
