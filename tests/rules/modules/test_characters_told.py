"""07 The characters: where they are, what everybody is told of them, and what a refusal says."""

from __future__ import annotations

import pytest

from alhambra import Game, Move, Options
from alhambra.base.payment.offers import Offer
from alhambra.invariants import census
from alhambra.modules.caravanserai import Caravans
from alhambra.modules.characters import CHARACTERS, Characters
from alhambra.modules.characters import beggar as the_beggar
from alhambra.modules.characters.rich_patron import patron
from tests.rules.modules.characters_table import (
    asked,
    auction,
    begging,
    characters,
    dancing,
    give,
    owner_of,
    patronised,
    start,
    turned_up_next,
    won_juggler,
)
from tests.rules.situations import (
    codes,
    deck,
    discard,
    display,
    events_of,
    fact,
    hand,
    hold_scoring,
    kinds,
    move,
    own,
    pieces,
    play,
    points,
    refused,
    reserve,
    take_turn,
    tower,
)


def before_the_turn(*owned: str, modules: tuple[str, ...] = (), cards: str = "denar-9") -> Game:
    """Seat 1 owns these characters, and is asked at the start of its turn."""
    game = characters(3, *modules)
    give(game, 1, *owned)
    hand(game, 1, cards)
    return start(game)


def with_marker(*owned: str) -> Game:
    """The same, and a caravanserai marker of seat 1 may move."""
    game = characters(3, "caravanserai")
    give(game, 1, *owned)
    hand(game, 1, "denar-9")
    kept = game.module_state(Caravans)
    kept.owners, kept.markers = {"caravanserai_3": 1}, {"caravanserai_3": ("dukat", 2)}
    return start(game)


# -- Where they are ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("07.1")
def test_chance_decides_which_characters_are_set_aside() -> None:
    games = [Game.new(Options(3, f"characters {number}", modules=["characters"])) for number in range(10)]
    assert len({frozenset(game.module_state(Characters).aside) for game in games}) > 3


@pytest.mark.rule("07.1", "07.10", "07.13")
def test_no_character_is_lost_in_the_deck_set_aside_owned_or_out_of_the_game() -> None:
    game = won_juggler()
    for choice in ("exchange", ""):
        found = census(game)
        assert {piece: found[piece] for piece in CHARACTERS} == dict.fromkeys(CHARACTERS, 1)
        if choice:
            play(game, "choose", choice=choice)


@pytest.mark.rule("07.4")
def test_a_character_that_is_auctioned_is_still_in_the_game() -> None:
    game = characters()
    before = census(game)
    hand(game, 1, "denar-9")
    auction(game, "juggler")
    assert asked(game) == ("auction", 1)
    assert census(game) == before


@pytest.mark.rule("07.72")
def test_the_characters_of_the_others_stay_when_a_player_leaves() -> None:
    game = characters()
    give(game, 1, "trader")
    give(game, 2, "city_watch")
    game.resign(1)
    assert game.module_state(Characters).owners == {"city_watch": 2}


# -- One of five in a turn ---------------------------------------------------------------------------------------------


@pytest.mark.rule("07.12")
def test_a_second_character_of_the_five_is_refused_as_used_up() -> None:
    game = with_marker("money_changer", "dancer")
    play(game, "change_money", cards=("denar-9",), display=(min(game.state.display),))
    assert asked(game) == ("start", 1), "the marker can still move"
    limit = {"what": "character", "limit": 1, "per": "turn"}
    assert fact(refused(game, "dance market-denar"), "USED_UP") == limit
    assert pieces(game, "characters", piece="money_changer")[0]["choice"] == "used"
    assert "choice" not in pieces(game, "characters", piece="dancer")[0]


@pytest.mark.rule("07.12", "07.22")
def test_the_money_changer_changes_once_in_a_turn() -> None:
    game = with_marker("money_changer")
    play(game, "change_money", cards=("denar-9",), display=(min(game.state.display),))
    hand(game, 1, "denar-8")
    found = refused(game, "change_money", cards=("denar-8",), display=(min(game.state.display),))
    assert codes(found) == ["USED_UP"]


@pytest.mark.rule("07.42", "07.68")
@pytest.mark.parametrize("piece", ["dancer", "money_changer"])
def test_after_a_marker_was_moved_nobody_is_used_that_comes_before_the_turn(piece: str) -> None:
    game = with_marker(piece)
    play(game, "advance_marker caravanserai_3", choice="up")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("07.12", "07.23")
def test_the_wise_man_names_a_type_for_all_to_see_and_is_not_one_of_the_five() -> None:
    game = characters(3, "bonus_cards")
    give(game, 0, "wise_man")
    own(game, 0, tower=1)
    assert game.view(None)["slices"]["characters"]["declared"] is None
    hold_scoring(game, 1)
    play(game, "declare", type="tower")
    assert game.view(None)["slices"]["characters"]["declared"] == "tower"
    assert "choice" not in pieces(game, "characters", piece="wise_man")[0]


@pytest.mark.rule("07.23", "00.118")
def test_what_the_wise_man_named_is_not_taken_back_once_it_was_scored() -> None:
    game = characters()
    give(game, 1, "wise_man")
    own(game, 1, tower=1)
    hold_scoring(game, 1)
    play(game, "declare", type="tower")
    assert asked(game) == ("action", 1)
    refusal = game.can_undo(1)
    assert refusal is not None
    assert refusal.metadata["because"] == "other_seat"


# -- The beggar --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("07.15")
def test_who_has_no_beggar_is_told_only_that() -> None:
    game = before_the_turn("dancer", cards="denar-1 denar-2 denar-3")
    assert codes(refused(game, "draw_card")) == ["NOT_THERE"]


@pytest.mark.rule("07.16")
def test_only_his_owner_is_asked_to_beg_on() -> None:
    game = begging("scoring-1", "dukat-7")
    play(game, "draw_card")
    assert [the_beggar.is_asked(game, seat) for seat in range(3)] == [False, True, False]


@pytest.mark.rule("07.12", "07.16")
def test_draws_left_over_from_an_earlier_turn_are_gone() -> None:
    game = begging("scoring-1")
    give(game, 1, "dancer")
    game.module_state(Characters).begging = 2
    play(game, "dance market-denar")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("07.16", "07.57")
def test_of_two_cards_that_are_left_in_all_the_beggar_may_draw_both() -> None:
    game = begging()
    discard(game)
    deck(game, "scoring-1 dukat-7", only=True)
    play(game, "draw_card")
    assert asked(game) == ("start", 1)


@pytest.mark.rule("07.57")
def test_the_discard_counts_among_the_cards_that_the_beggar_may_draw() -> None:
    game = begging()
    discard(game, "dukat-7 dukat-8 dukat-9")
    deck(game, "scoring-1", only=True)
    play(game, "draw_card")
    assert asked(game) == ("start", 1)


@pytest.mark.rule("07.57")
@pytest.mark.parametrize(("left", "question"), [(1, "action"), (2, "start"), (3, "start")])
def test_each_further_draw_is_one_of_those_that_were_left(left: int, question: str) -> None:
    game = begging("scoring-1", "scoring-2", "dukat-7")
    play(game, "draw_card")
    game.module_state(Characters).begging = left
    play(game, "draw_card")
    assert asked(game) == (question, 1)


@pytest.mark.rule("40.17", "99.4")
def test_after_the_beggar_the_dice_of_the_handymen_may_still_be_rolled() -> None:
    game = before_the_turn("beggar", modules=("handymen",))
    turned_up_next(game, "dukat-7")
    play(game, "draw_card")
    assert asked(game) == ("start", 1)
    assert any(found.verb == "roll_dice" for found in game.moves())


# -- Dancer, money changer, juggler, patron ----------------------------------------------------------------------------


@pytest.mark.rule("07.61")
def test_without_a_tile_in_the_tower_the_dancer_is_refused_with_what_she_needs() -> None:
    game = dancing()
    tower(game, only=True)
    found = fact(refused(game, "dance market-denar"), "CONDITION_UNMET")
    assert found == {"what": "tower", "need": 1, "have": 0}


@pytest.mark.rule("07.22")
def test_the_money_changer_is_refused_for_what_is_wrong_and_for_nothing_else() -> None:
    game = before_the_turn("money_changer", modules=("bureaux_de_change",), cards="denar-9 denar-8")
    own_card, open_card = "denar-9", min(game.state.display)
    two = refused(game, Move("change_money", cards=("denar-8", own_card), display=(open_card,)))
    assert [(found.code, dict(found.metadata)) for found in two] == [("CARD_COUNT", {"need": 1, "got": 2})]
    absent = refused(game, Move("change_money", cards=("exchange_gulden_denar",), display=(open_card,)))
    assert "NOT_ELIGIBLE" not in codes(absent)
    assert "NOT_THERE" in codes(absent)
    hand(game, 1, "denar-1 denar-9")
    two_open = refused(game, Move("change_money", cards=("denar-1",), display=("dukat-3", "dukat-4")))
    assert codes(two_open) == ["CARD_COUNT"]
    unknown = refused(game, Move("change_money", cards=("denar-99",), display=(open_card,)))
    assert set(codes(unknown)) <= {"ID_UNKNOWN", "NOT_THERE"}


@pytest.mark.rule("07.60")
def test_with_no_character_set_aside_the_juggler_is_kept_without_a_question() -> None:
    game = characters()
    turned_up_next(game, "juggler")
    kept = game.module_state(Characters)
    game.state.box, kept.aside = (*game.state.box, *kept.aside), ()
    hand(game, 1, "denar-9")
    auction(game, "juggler")
    play(game, "bid", amount=9)
    play(game, "pass")
    events = play(game, "pay denar-9")
    assert points(events, "juggler") == {1: 8}
    assert owner_of(game, "juggler") is None


@pytest.mark.rule("07.13", "07.60")
@pytest.mark.parametrize("choice", ["keep", "exchange"])
def test_everybody_is_told_what_became_of_the_juggler(choice: str) -> None:
    events = play(won_juggler(), "choose", choice=choice)
    assert events_of(events, "character_used") == [{"seat": 1, "piece": "juggler", "choice": choice}]
    follows = "scored" if choice == "keep" else "character_gained"
    assert kinds(events).index("character_used") < kinds(events).index(follows)


@pytest.mark.rule("07.17", "07.67")
def test_the_patron_is_used_once_and_pays_for_nothing_but_purchases() -> None:
    game = patronised()
    plain = Offer("market-denar", 9, "denar", ("patron",))
    assert len([*patron(game, 0, plain)]) == 1
    assert [*patron(game, 0, plain._replace(purpose="bid"))] == []
    events = play(game, "buy market-denar", items=("rich_patron",))
    assert events_of(events, "character_used") == [{"seat": 0, "piece": "rich_patron"}]


@pytest.mark.rule("07.19", "07.30")
@pytest.mark.parametrize("owned", [(), ("master_builder",)])
def test_only_who_owns_the_master_builder_redesigns_with_him_after_placing(owned: tuple[str, ...]) -> None:
    game = characters(3, "master_builders")
    give(game, 0, *owned)
    hand(game, 0, next(card for card in game.state.deck if card.startswith("builder")))
    reserve(game, 0, "garden-11")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    take_turn(game)
    assert asked(game) == ("late", 0)
    assert bool(game.verify(move(game, "add garden-11 @1,0", items=("master_builder",)))) == (not owned)
