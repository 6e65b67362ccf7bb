"""What modules tell: thieves dealt, sultan cards marked, tiles claimed, characters used."""

from __future__ import annotations

import pytest

from alhambra import TYPES, Game, Options
from alhambra.modules.characters import Characters
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.thieves import Thieves
from tests.rules.modules.characters_table import asked, auction, characters, patronised, stingy, won_juggler
from tests.rules.modules.power_of_the_sultan_table import beside, buy_card, decision, held, refill, sultans
from tests.rules.situations import deck, display, events_of, hand, kinds, play, points, take_turn

# -- 10 Thieves --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "each"), [(2, 4), (3, 4), (4, 3), (5, 2), (6, 2)])
def test_every_seat_is_told_to_have_been_dealt_its_thieves_and_only_its_owner_which(seats: int, each: int) -> None:
    game = Game.new(Options(seats=seats, seed="thieves", modules=["thieves"]))
    dealt = [event for event in game.events if event.kind == "thieves_dealt"]
    assert [event.public for event in dealt] == [{"seat": seat, "count": each} for seat in range(seats)]
    for seat, event in enumerate(dealt):
        assert event.private == {seat: {"items": game.module_state(Thieves).held[seat]}}


# -- 18 The power of the sultan ----------------------------------------------------------------------------------------


@pytest.mark.rule("18.4", "18.34")
def test_a_sultan_card_turned_up_is_told_to_be_marked_with_the_type_rolled() -> None:
    game = sultans()
    display(game, "dukat-1")
    deck(game, "sultan_denar_1 sultan_dukat_2 gulden-1 gulden-2 gulden-3 gulden-4")
    events = take_turn(game)
    rolled = events_of(events, "sultan_rolled")
    assert [line["piece"] for line in rolled] == ["sultan_denar_1", "sultan_dukat_2"]
    assert events_of(events, "sultan_marked") == rolled
    order = [kind for kind in kinds(events) if kind.startswith("sultan_")]
    assert order == ["sultan_rolled", "sultan_marked"] * 2


def bought() -> Game:
    game = sultans()
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-7")
    buy_card(game, "denar-7")
    return game


@pytest.mark.rule("18.6")
def test_a_mark_that_is_kept_is_told_without_a_roll() -> None:
    events = play(bought(), "choose", choice="keep")
    assert events_of(events, "sultan_marked") == [{"piece": "sultan_denar_1", "type": "garden"}]
    assert "sultan_rolled" not in kinds(events)


def test_a_new_mark_is_told_when_it_is_chosen_and_not_when_it_is_rolled() -> None:
    game = bought()
    events = play(game, "choose", choice="reroll")
    (rolled,) = events_of(events, "sultan_rolled")
    assert rolled["piece"] == "sultan_denar_1"
    assert "sultan_marked" not in kinds(events)
    assert game.module_state(Sultan).marks == {"sultan_denar_1": ""}
    events = play(game, "mark", type=rolled["type"])
    assert events_of(events, "sultan_marked") == [rolled]


PAIRS = {"pavilion": "tower", "seraglio": "garden", "arcades": "chambers"}
OTHER_FACE = PAIRS | {other: face for face, other in PAIRS.items()}


@pytest.mark.rule("18.2")
def test_opposite_faces_of_the_die_are_pavilion_and_tower_seraglio_and_garden_arcades_and_chambers() -> None:
    found: dict[str, set[str | None]] = {}
    for number in range(60):
        game = sultans(seed=f"die {number}")
        beside(game, "sultan_denar_1", "garden")
        hand(game, 0, "denar-7")
        buy_card(game, "denar-7")
        (rolled,) = events_of(play(game, "choose", choice="reroll"), "sultan_rolled")
        found[rolled["type"]] = {move.type for move in game.legal_moves()}
    assert found == {face: {face, OTHER_FACE[face]} for face in TYPES}


@pytest.mark.rule("18.41")
def test_a_claim_is_told_with_its_card_and_its_tile_before_the_tile_is_acquired() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "tower")
    held(game, 1, "sultan_denar_2", "tower")
    refill(game, "tower-12", "pavilion-8")
    assert decision(game) == ("claim", 1)
    events = play(game, "claim", piece="sultan_denar_2")
    assert events_of(events, "claimed") == [{"seat": 1, "piece": "sultan_denar_2", "tile": "tower-12"}]
    assert kinds(events).index("claimed") < kinds(events).index("acquired")


def test_a_claim_that_is_declined_is_told_as_a_pass_and_nothing_is_claimed() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "tower")
    refill(game, "tower-12", "pavilion-8")
    events = play(game, "pass")
    assert events_of(events, "passed") == [{"seat": 1, "decision": "claim"}]
    assert "claimed" not in kinds(events)


# -- 07 The characters -------------------------------------------------------------------------------------------------


def test_the_patron_is_told_to_be_used_once_and_to_leave_the_game() -> None:
    game = patronised()
    events = play(game, "buy market-gulden", items=("rich_patron",))
    assert events_of(events, "character_used") == [{"seat": 0, "piece": "rich_patron"}]
    assert events_of(events, "card_left_game") == [{"card": "rich_patron"}]
    assert game.state.used == ()  # he is not one of those of whom only one is used in a turn


def test_the_juggler_is_told_to_be_used_with_what_was_chosen_for_her() -> None:
    for choice in ("keep", "exchange"):
        game = won_juggler()
        events = play(game, "choose", choice=choice)
        assert events_of(events, "character_used") == [{"seat": 1, "piece": "juggler", "choice": choice}]
        order = kinds(events)
        then = "scored" if choice == "keep" else "character_gained"
        assert order.index("character_used") < order.index(then)
        assert {"card": "juggler"} in events_of(events, "card_left_game")


@pytest.mark.rule("07.60")
def test_with_no_character_set_aside_the_juggler_is_kept_unasked() -> None:
    game = characters()
    kept = game.module_state(Characters)
    game.state.box, kept.aside = (*game.state.box, *(piece for piece in kept.aside if piece != "juggler")), ()
    if "juggler" not in game.state.deck:
        game.state.deck = tuple("juggler" if card == "dancer" else card for card in game.state.deck)
    hand(game, 1, "denar-9")
    auction(game, "juggler")
    play(game, "bid", amount=9)
    play(game, "pass")
    events = play(game, "pay denar-9")
    assert events_of(events, "character_used") == [{"seat": 1, "piece": "juggler", "choice": "keep"}]
    assert points(events, "juggler") == {1: 8}
    assert asked(game) == ("action", 1)


def test_nobody_but_the_owner_of_the_miser_is_asked_for_a_card() -> None:
    game = stingy()
    game.module_state(Characters).owners = {"miser": 1}
    hand(game, 0, "gulden-9 gulden-1")
    events = play(game, "buy market-gulden gulden-1 gulden-9")
    assert asked(game) == ("action", 0)
    assert "character_used" not in kinds(events)
    assert game.state.used == ()


def test_the_market_is_told_to_be_filled_once_after_the_last_claim_was_declined() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "tower")
    events = refill(game, "tower-12", "pavilion-8")
    assert "market_filled" not in kinds(events)
    left = len(game.state.tower)
    events = play(game, "pass")
    assert events_of(events, "market_filled") == [{"market": game.state.market, "tower": left}]
    assert game.state.market[0] == "tower-12"


def test_the_market_is_told_to_be_filled_once_after_a_tile_was_claimed() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "tower")
    refill(game, "tower-12", "pavilion-8")
    play(game, "claim", piece="sultan_denar_1")
    events = play(game, "reserve tower-12")
    assert [line["market"][0] for line in events_of(events, "market_filled")] == ["pavilion-8"]
