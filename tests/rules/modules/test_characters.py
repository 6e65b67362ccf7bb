"""07 The characters: auctioned when they are turned up, and what each of them can do."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from alhambra import CURRENCIES, Event, Game, Move
from alhambra.base.supply import draw
from alhambra.modules.change import Coins
from alhambra.modules.characters import CHARACTERS, ONE_A_TURN, Characters
from alhambra.modules.city_gates import Gates
from alhambra.modules.city_walls import Walls
from alhambra.modules.invaders import SCOUTS, Invaders
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.street_trader import Residents
from alhambra.modules.thieves import Thieves
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    dirk,
    discard,
    display,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    own,
    play,
    points,
    refused,
    reserve,
    table,
    take_turn,
    tower,
)

PLAIN = tuple(f"gulden-{value}" for value in range(1, 10))
"""Money that comes up unless a test says otherwise."""
FULL = {"gulden": "garden-10", "dirham": "seraglio-9", "denar": "arcades-9", "dukat": "chambers-10"}
"""A market with nothing to refill."""


def characters(seats: int = 3, *modules: str, **options: Any) -> Game:
    """A table at which nothing but money will come up for a while."""
    game = table(seats, modules=["characters", *modules], **options)
    deck(game, *PLAIN)
    market(game, **FULL)
    return game


def turned_up_next(game: Game, *cards: str) -> None:
    """These cards are drawn next, characters that were set aside among them."""
    kept = game.slice(Characters)
    for card in cards:
        if card in kept.aside:
            other = next(found for found in game.state.deck if found in CHARACTERS and found not in cards)
            game.state.deck = tuple(card if found == other else found for found in game.state.deck)
            kept.aside = tuple(other if found == card else found for found in kept.aside)
    deck(game, *cards)


def give(game: Game, seat: int, *pieces: str) -> None:
    """The characters lie before that seat."""
    for piece in pieces:
        turned_up_next(game, piece)
        assert draw(game) == piece
        kept = game.slice(Characters)
        kept.owners = {**kept.owners, piece: seat}


def owner_of(game: Game, piece: str) -> int | None:
    return game.slice(Characters).owners.get(piece)


def auction(game: Game, *cards: str) -> list[Event]:
    """The player to move ends the turn, and these cards are turned up first."""
    display(game, "dukat-1")
    turned_up_next(game, *cards)
    return take_turn(game)


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def start(game: Game) -> Game:
    """The player to move ends the turn with a plain action; the next one is asked at the start of the turn."""
    if not game.state.display:
        display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    take_turn(game)
    return game


# -- Setting up ------------------------------------------------------------------------------------------------------


def test_two_characters_lie_in_each_of_the_piles_2_3_and_4() -> None:
    game = table(modules=["characters"], dealt=True)
    found, at = [], 0
    for size in game.state.piles:
        found.append(sum(card in CHARACTERS for card in game.state.deck[at : at + size]))
        at += size
    assert found[::-1] == [0, 2, 2, 2, 0]


def test_the_other_four_are_set_aside_and_nobody_sees_which() -> None:
    game = table(modules=["characters"], dealt=True)
    aside = game.slice(Characters).aside
    assert len(aside) == 4
    for viewer in (None, 0, 1, 2):
        view = game.view(viewer)["slices"]["characters"]
        assert view["set_aside"] == 4
        assert not any(piece in str(view) for piece in CHARACTERS)


def test_what_was_set_aside_could_as_well_lie_in_the_deck() -> None:
    game = table(modules=["characters"], dealt=True)
    twins = [game.determinize(0, Random(number)) for number in range(5)]
    assert len({frozenset(twin.slice(Characters).aside) for twin in twins}) > 1


# -- The auction -----------------------------------------------------------------------------------------------------


def test_a_character_is_auctioned_in_the_middle_of_the_refill() -> None:
    game = characters()
    hand(game, 1, "denar-5")
    events = auction(game, "trader", "gulden-9")
    assert asked(game) == ("auction", 1)
    assert game.view(None)["table"]["display"] == []
    assert events_of(events, "card_revealed") == [{"card": "trader", "to": "auction"}]
    assert events_of(events, "auction_began") == [{"piece": "trader", "auctioneer": 1}]
    hand(game, 0)
    play(game, "bid", amount=5)
    play(game, "pay denar-5")
    assert owner_of(game, "trader") == 1
    assert len(game.state.display) == 4
    assert asked(game) == ("action", 1)


def test_bids_go_round_clockwise_and_a_pass_is_final() -> None:
    game = characters(4)
    for seat in range(4):
        hand(game, seat, f"denar-{seat + 5}")
    auction(game, "trader")
    assert asked(game) == ("auction", 1)
    play(game, "bid", amount=2)
    assert asked(game) == ("auction", 2)
    play(game, "pass")
    play(game, "bid", amount=3)
    assert asked(game) == ("auction", 0)
    play(game, "bid", amount=4)
    play(game, "bid", amount=6)
    assert asked(game) == ("auction", 3)
    play(game, "pass")
    assert asked(game) == ("auction", 0)
    events = play(game, "pass")
    assert events_of(events, "auction_won") == [{"seat": 1, "piece": "trader", "amount": 6}]
    assert asked(game) == ("pay_bid", 1)
    assert game.view(None)["table"]["auction"] == {
        "piece": "trader",
        "bids": [[1, 2], [3, 3], [0, 4], [1, 6]],
        "out": [2, 3, 0],
    }


# worked example
def test_a_bid_must_be_payable_in_one_currency() -> None:
    game = characters()
    hand(game, 1, "dukat-4 dukat-3 denar-9")
    auction(game, "trader")
    assert fact(refused(game, "bid", amount=10), "BID_NOT_COVERED") == {"amount": 10}
    assert legal(game, "bid", amount=9)
    assert legal(game, "bid", amount=8)
    assert [move.amount for move in game.moves() if move.verb == "bid"] == list(range(1, 10))


def test_the_lowest_bid_is_1_and_every_further_one_is_higher() -> None:
    game = characters()
    hand(game, 1, "denar-9")
    hand(game, 2, "denar-9")
    auction(game, "trader")
    assert fact(refused(game, "bid", amount=0), "BID_TOO_LOW") == {"minimum": 1}
    play(game, "bid", amount=4)
    assert fact(refused(game, "bid", amount=4), "BID_TOO_LOW") == {"minimum": 5}
    assert legal(game, "bid", amount=5)


def test_too_low_and_not_covered_are_both_reported() -> None:
    game = characters()
    hand(game, 1, "denar-9")
    hand(game, 2, "denar-2")
    auction(game, "trader")
    play(game, "bid", amount=9)
    assert codes(refused(game, "bid", amount=8)) == ["BID_TOO_LOW", "BID_NOT_COVERED"]
    assert asked(game) == ("auction", 2)  # whoever holds cards is asked, able to raise or not


def test_without_a_bid_the_character_leaves_the_game() -> None:
    game = characters()
    for seat in range(3):
        hand(game, seat, "denar-9")
    auction(game, "trader")
    play(game, "pass")
    play(game, "pass")
    events = play(game, "pass")
    assert events_of(events, "auction_void") == [{"piece": "trader"}]
    assert events_of(events, "card_left_game") == [{"card": "trader"}]
    assert "trader" in game.state.box
    assert owner_of(game, "trader") is None
    assert asked(game) == ("action", 1)


def test_if_all_others_pass_the_last_may_still_bid() -> None:
    game = characters()
    hand(game, 1, "denar-9")
    hand(game, 2, "denar-8")
    auction(game, "trader")  # the first player took a card, so there are three bidders
    play(game, "pass")
    play(game, "pass")
    assert asked(game) == ("auction", 0)
    play(game, "bid", amount=1)
    assert asked(game) == ("pay_bid", 0)


def test_a_player_without_any_money_is_not_asked() -> None:
    game = characters()
    hand(game, 2, "denar-8")
    events = auction(game, "trader")
    assert {"seat": 1, "decision": "auction", "forced": True} in events_of(events, "passed")
    assert asked(game) == ("auction", 2)
    play(game, "bid", amount=1)
    assert asked(game) == ("auction", 0)


def test_if_nobody_has_money_the_auction_is_over_at_once() -> None:
    game = characters()
    hand(game, 0, "denar-9")
    turned_up_next(game, "trader")
    market(game, denar="arcades-9")
    play(game, "buy market-denar denar-9")
    display(game)
    tower(game, "garden-11 tower-12 chambers-11 garden-10")
    events = play(game, "pass") + play(game, "reserve arcades-9")
    assert events_of(events, "auction_void") == [{"piece": "trader"}]
    assert asked(game) == ("action", 1)


def test_the_winner_pays_at_least_the_bid_in_one_currency() -> None:
    game = characters()
    hand(game, 1, "denar-3 denar-4 dukat-6 dukat-2")
    auction(game, "trader")
    play(game, "bid", amount=6)
    play(game, "pass")
    assert fact(refused(game, "pay denar-4"), "UNDERPAID") == {"due": 6, "paid": 4}
    assert codes(refused(game, "pay denar-4 dukat-2")) == ["MIX_FORBIDDEN"]
    assert codes(refused(game, "pay")) == ["UNDERPAID"]
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert fact(refused(game, "pay gulden-9"), "NOT_THERE") == {"id": "gulden-9", "place": "hand"}
    assert legal(game, "pay dukat-6")
    events = play(game, "pay denar-3 denar-4")
    assert events_of(events, "paid")[0]["paid"] == 7
    assert events_of(events, "character_gained") == [{"seat": 1, "piece": "trader"}]
    assert game.state.discard == ("denar-3", "denar-4")


def test_with_imagined_cards_that_do_not_cover_the_bid_the_character_leaves_the_game() -> None:
    game = characters()
    hand(game, 1, "denar-9")
    auction(game, "trader")
    play(game, "bid", amount=9)
    play(game, "pass")
    hand(game, 1, "denar-8")  # as in a twin of the game, where a card drawn unseen is another one
    assert list(game.moves()) == [Move("pass")]
    events = play(game, "pass")
    assert events_of(events, "auction_void") == [{"piece": "trader"}]
    assert asked(game) == ("action", 1)


def test_paying_a_bid_exactly_grants_no_action() -> None:
    game = characters()
    hand(game, 1, "denar-5")
    auction(game, "trader")
    play(game, "bid", amount=5)
    play(game, "pass")
    events = play(game, "pay denar-5")
    assert events_of(events, "paid")[0]["exact"]
    assert "bonus_action" not in kinds(events)
    assert game.state.actions == 1


def test_the_auction_comes_before_a_scoring_of_the_same_refill() -> None:
    game = characters()
    own(game, 0, tower=1)
    hand(game, 1, "denar-5")
    events = auction(game, "scoring-1", "trader")
    assert "scoring_began" not in kinds(events)
    assert asked(game) == ("auction", 1)
    play(game, "bid", amount=1)
    play(game, "pass")
    events = play(game, "pay denar-5")
    assert kinds(events).index("display_filled") < kinds(events).index("scoring_began")


def test_two_characters_in_one_refill_are_auctioned_one_after_the_other() -> None:
    game = characters()
    hand(game, 1, "denar-5")
    auction(game, "trader", "dancer")
    play(game, "pass")
    play(game, "pass")
    assert asked(game) == ("auction", 1)
    assert game.state.auction is not None
    assert game.state.auction.piece == "dancer"
    assert game.state.auction.out == ()


def test_nobody_is_limited_in_the_number_of_characters() -> None:
    game = characters()
    give(game, 1, "beggar", "miser", "city_watch")
    hand(game, 1, "denar-5")
    auction(game, "trader")
    assert legal(game, "bid", amount=5)


def test_what_one_could_bid_is_known_to_nobody_else() -> None:
    game = characters()
    hand(game, 1, "denar-5 denar-6")
    hand(game, 2, "dukat-9")
    auction(game, "trader")
    assert game.view(1)["table"]["auction"]["most_payable"] == 11
    assert game.view(2)["table"]["auction"]["most_payable"] == 9
    assert "most_payable" not in game.view(None)["table"]["auction"]


def test_with_two_players_dirk_does_not_bid() -> None:
    game = characters(2)
    hand(game, 0, "denar-5")
    hand(game, 1, "denar-5")
    auction(game, "trader")
    play(game, "bid", amount=1)
    assert asked(game) == ("auction", 0)
    play(game, "pass")
    assert asked(game) == ("pay_bid", 1)


def test_a_bid_can_be_undone_by_nobody_once_another_was_asked() -> None:
    game = characters()
    hand(game, 1, "denar-5")
    hand(game, 2, "denar-5")
    auction(game, "trader")
    play(game, "bid", amount=1)
    refusal = game.can_undo(1)
    assert refusal is not None
    assert refusal.metadata["because"] == "other_seat"


# -- Leaving during an auction ---------------------------------------------------------------------------------------


def test_the_bid_of_a_player_who_leaves_does_not_count() -> None:
    game = characters(4)
    for seat, currency in enumerate(CURRENCIES):
        hand(game, seat, f"{currency}-9")
    auction(game, "trader")
    play(game, "bid", amount=3)
    play(game, "bid", amount=7)
    game.resign(2)
    assert asked(game) == ("auction", 3)
    assert game.decision is not None
    assert game.decision.context["minimum"] == 4
    play(game, "pass")
    play(game, "pass")
    assert asked(game) == ("pay_bid", 1)


def test_if_the_bidder_asked_leaves_the_next_one_is_asked() -> None:
    game = characters(4)
    for seat, currency in enumerate(CURRENCIES):
        hand(game, seat, f"{currency}-9")
    auction(game, "trader")
    game.resign(1)
    assert asked(game) == ("auction", 2)


def test_if_the_winner_leaves_the_character_leaves_the_game() -> None:
    game = characters()
    hand(game, 1, "denar-9")
    hand(game, 2, "denar-9")
    auction(game, "trader")
    play(game, "bid", amount=3)
    play(game, "pass")
    play(game, "pass")
    game.resign(1)
    assert "trader" in game.state.box
    assert asked(game) == ("action", 2)


def test_the_characters_of_a_player_who_leaves_leave_the_game() -> None:
    game = characters()
    give(game, 1, "trader", "wise_man")
    game.resign(1)
    assert {"trader", "wise_man"} <= set(game.state.box)
    assert game.slice(Characters).owners == {}


def test_a_player_who_leaves_before_deciding_about_the_juggler_scores_nothing() -> None:
    game = characters()
    hand(game, 1, "denar-9")
    auction(game, "juggler")
    play(game, "bid", amount=1)
    play(game, "pass")
    play(game, "pay denar-9")
    assert asked(game) == ("juggler", 1)
    events = game.resign(1)
    assert points(events, "juggler") == {}
    assert game.state.box.count("juggler") == 1


# -- The juggler -----------------------------------------------------------------------------------------------------


def won_juggler() -> Game:
    game = characters()
    hand(game, 1, "denar-9")
    auction(game, "juggler")
    play(game, "bid", amount=9)
    play(game, "pass")
    play(game, "pay denar-9")
    return game


def test_the_juggler_kept_is_worth_8_points_at_once_and_leaves_the_game() -> None:
    game = won_juggler()
    assert asked(game) == ("juggler", 1)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    events = play(game, "choose", choice="keep")
    assert points(events, "juggler", scoring=0) == {1: 8}
    assert game.state.seats[1].score == 8
    assert "juggler" in game.state.box
    assert owner_of(game, "juggler") is None


def test_the_juggler_is_exchanged_for_the_uppermost_character_set_aside() -> None:
    game = won_juggler()
    top, *rest = game.slice(Characters).aside
    events = play(game, "choose", choice="exchange")
    assert points(events, "juggler") == {}
    assert owner_of(game, top) == 1
    assert game.slice(Characters).aside == tuple(rest)
    assert events_of(events, "character_gained") == [{"seat": 1, "piece": top}]
    assert "juggler" in game.state.box
    refusal = game.can_undo(1)
    assert refusal is not None
    assert refusal.metadata["because"] == "revealed"


def test_a_dancer_from_the_exchange_can_be_used_in_the_turn_that_follows() -> None:
    game = won_juggler()
    kept = game.slice(Characters)
    if "dancer" not in kept.aside:
        game.state.deck = tuple(kept.aside[0] if card == "dancer" else card for card in game.state.deck)
        kept.aside = ("dancer", *kept.aside[1:])
    else:
        kept.aside = ("dancer", *(piece for piece in kept.aside if piece != "dancer"))
    play(game, "choose", choice="exchange")
    assert asked(game) == ("start", 1)
    assert legal(game, "dance market-denar")


# -- One of them a turn ----------------------------------------------------------------------------------------------


def test_the_five_that_can_be_used_once_a_turn() -> None:
    assert set(ONE_A_TURN) == {"beggar", "miser", "master_builder", "dancer", "money_changer"}


def test_only_one_character_of_the_turn_class_is_used_in_a_turn() -> None:
    game = characters()
    give(game, 1, *ONE_A_TURN)
    display(game, "gulden-1 gulden-2")
    hand(game, 1, "denar-9")
    start(game)
    assert asked(game) == ("start", 1)
    market(game, denar="arcades-9", gulden="garden-10", dirham="chambers-11", dukat="tower-12")
    play(game, "dance market-gulden")
    assert asked(game) == ("action", 1)
    hand(game, 1, "dirham-9 dirham-2")
    play(game, "buy market-dirham dirham-2 dirham-9")
    assert asked(game) == ("action", 1)  # the miser is not asked
    play(game, "take_money", display=(game.state.display[0],))
    play(game, "reserve chambers-11")
    assert asked(game)[1] == 2  # nor the master builder
    assert game.state.used == ()


def test_the_view_shows_who_was_used() -> None:
    game = characters()
    give(game, 1, "dancer")
    start(game)
    play(game, "dance market-denar")
    view = game.view(2)["slices"]["characters"]
    assert view["used"] == ["dancer"]
    assert view["characters"] == [[], ["dancer"], []]


def test_the_owner_is_asked_even_if_the_hand_rules_it_out() -> None:
    game = characters()
    give(game, 1, "beggar")
    hand(game, 1, "denar-1 denar-2 denar-3")
    start(game)
    assert asked(game) == ("start", 1)
    assert list(game.moves()) == [Move("pass")]


def test_nobody_else_is_asked_at_the_start() -> None:
    game = characters()
    give(game, 1, "dancer", "beggar", "money_changer")
    start(game)
    play(game, "pass")
    assert asked(game) == ("action", 1)
    start(game)
    assert asked(game) == ("action", 2)


# -- The beggar ------------------------------------------------------------------------------------------------------


def begging(*cards: str, held: str = "denar-1 denar-2", modules: tuple[str, ...] = ()) -> Game:
    """The beggar's owner is asked at the start, these cards lie on top of the deck."""
    game = characters(3, *modules)
    give(game, 1, "beggar")
    hand(game, 1, held)
    start(game)
    turned_up_next(game, *cards)
    assert asked(game) == ("start", 1)
    return game


@pytest.mark.parametrize("held", ["", "denar-1", "denar-1 denar-2"])
def test_the_beggar_draws_with_two_money_cards_at_most(held: str) -> None:
    game = begging("dukat-7", held=held)
    events = play(game, "draw_card")
    assert "dukat-7" in game.state.seats[1].hand
    assert events_of(events, "card_drawn") == [{"seat": 1, "count": 1}]
    assert asked(game) == ("action", 1)


def test_the_beggar_does_not_draw_with_three_money_cards() -> None:
    game = begging(held="denar-1 denar-2 denar-3")
    violations = refused(game, "draw_card")
    assert fact(violations, "CONDITION_UNMET") == {"what": "money_cards", "need": 2, "have": 3}


def test_nobody_else_sees_what_the_beggar_drew() -> None:
    game = begging("dukat-7")
    events = play(game, "draw_card")
    drawn = next(event for event in events if event.kind == "card_drawn")
    assert drawn.seen_by(1)["private"] == {"card": "dukat-7"}
    assert "private" not in drawn.seen_by(0)
    assert game.state.seats[1].unseen == ("dukat-7",)
    twins = [game.determinize(0, Random(number)) for number in range(8)]
    assert len({twin.state.seats[1].hand for twin in twins}) > 1


def test_the_beggar_may_be_left_alone() -> None:
    game = begging()
    play(game, "pass")
    assert asked(game) == ("action", 1)


def test_a_scoring_card_is_scored_at_once_and_the_beggar_may_draw_again() -> None:
    game = begging("scoring-1", "dukat-7")
    own(game, 0, tower=1)
    events = play(game, "draw_card")
    assert points(events, "majority", type="tower") == {0: 6}
    assert asked(game) == ("start", 1)
    play(game, "draw_card")
    assert "dukat-7" in game.state.seats[1].hand
    assert asked(game) == ("action", 1)


def test_the_beggar_need_not_draw_again_and_nobody_else_is_used_then() -> None:
    game = begging("scoring-1")
    give(game, 1, "dancer", "master_builder")
    play(game, "draw_card")
    assert codes(refused(game, "dance market-denar")) == ["VERB_NOT_OFFERED"]
    play(game, "pass")
    display(game, "gulden-1")
    play(game, "take_money gulden-1")
    assert asked(game)[1] == 2


def test_the_beggar_is_auctioneer_of_a_character_that_he_draws() -> None:
    game = begging("trader", "dukat-7")
    hand(game, 2, "denar-3")
    play(game, "draw_card")
    assert asked(game) == ("auction", 1)
    play(game, "bid", amount=3)
    play(game, "pass")
    play(game, "pass")
    play(game, "pay denar-1 denar-2")
    assert owner_of(game, "trader") == 1
    assert asked(game) == ("start", 1)
    play(game, "draw_card")
    assert game.state.seats[1].hand == ("dukat-7",)
    assert asked(game) == ("action", 1)


def test_the_beggar_draws_from_the_discard_shuffled_anew() -> None:
    game = begging()
    deck(game, only=True)
    game.state.box, game.state.discard = game.state.box[:-1], game.state.box[-1:]
    card = game.state.discard[0]
    events = play(game, "draw_card")
    assert "deck_reshuffled" in kinds(events)
    assert game.ruleset.cards[card].kind != "money" or card in game.state.seats[1].hand


def test_with_no_card_left_the_beggar_has_no_effect() -> None:
    game = begging()
    deck(game, only=True)
    assert codes(refused(game, "draw_card")) == ["NO_EFFECT"]


def test_without_the_beggar_nobody_draws() -> None:
    game = begging()
    give(game, 1, "dancer")
    kept = game.slice(Characters)
    kept.owners = {"dancer": 1}
    assert fact(refused(game, "draw_card"), "NOT_THERE") == {"id": "beggar", "place": "held"}


# -- The dancer ------------------------------------------------------------------------------------------------------


def dancing(*modules: str) -> Game:
    game = characters(3, *modules)
    give(game, 1, "dancer")
    return start(game)


def test_the_dancer_replaces_a_market_tile_by_one_drawn_blind() -> None:
    game = dancing()
    tower(game, "tower-12")
    events = play(game, "dance market-denar")
    assert game.state.market[2] == "tower-12"
    assert events_of(events, "character_used") == [
        {"seat": 1, "piece": "dancer", "slot": "market-denar", "tile": "arcades-9"}
    ]
    assert events_of(events, "tile_drawn") == [{"tile": "tower-12", "slot": "market-denar"}]


def test_the_old_tile_is_drawn_last_and_everybody_knows_it() -> None:
    game = dancing()
    play(game, "dance market-denar")
    assert game.state.tower[0] == "arcades-9"
    assert game.state.sunk == 1
    assert game.determinize(0, Random(1)).state.tower[0] == "arcades-9"


def test_the_old_tile_does_not_come_straight_back() -> None:
    game = dancing()
    tower(game, "tower-12", only=True)
    play(game, "dance market-denar")
    assert game.state.market[2] == "tower-12"
    assert game.state.tower == ("arcades-9",)


def test_the_dancer_needs_a_tile_in_the_tower_and_one_on_the_space() -> None:
    game = dancing()
    market(game, denar="arcades-9")
    assert fact(refused(game, "dance market-dukat"), "NOT_THERE") == {"id": "market-dukat", "place": "slot"}
    tower(game, only=True)
    assert codes(refused(game, "dance market-denar")) == ["CONDITION_UNMET"]
    assert codes(refused(game, "dance", slot="bazaar")) == ["NOT_THERE", "CONDITION_UNMET"]


# -- The money changer -----------------------------------------------------------------------------------------------


def changing(held: str, shown: str) -> Game:
    game = characters()
    give(game, 1, "money_changer")
    start(game)
    hand(game, 1, held)
    display(game, shown)
    return game


# worked example
def test_the_money_changer_gives_6_and_takes_1_to_6() -> None:
    game = changing("denar-6", "dukat-1 dukat-6 dukat-7 dukat-9")
    assert legal(game, "change_money dukat-1", cards=("denar-6",))
    assert legal(game, "change_money dukat-6", cards=("denar-6",))
    violations = refused(game, "change_money dukat-7", cards=("denar-6",))
    assert fact(violations, "VALUE_TOO_HIGH") == {"value": 7, "limit": 6}


def test_the_card_given_is_discarded_and_the_display_waits_for_the_end_of_the_turn() -> None:
    game = changing("denar-6", "dukat-1 dukat-6 dukat-7 dukat-9")
    events = play(game, "change_money dukat-6", cards=("denar-6",))
    assert game.state.seats[1].hand == ("dukat-6",)
    assert game.state.discard == ("denar-6",)
    assert game.state.display == ("dukat-1", "dukat-7", "dukat-9")
    assert events_of(events, "money_taken") == [
        {"seat": 1, "display": ("dukat-6",), "cards": ("denar-6",), "how": "changer"}
    ]
    assert asked(game) == ("action", 1)


def test_the_money_changer_changes_one_card_that_one_has_against_one_that_lies_open() -> None:
    game = changing("denar-6 denar-7", "dukat-1 dukat-6")
    assert codes(refused(game, "change_money dukat-1", cards=("denar-6", "denar-7"))) == ["CARD_COUNT"]
    assert codes(refused(game, "change_money dukat-1 dukat-6", cards=("denar-6",))) == ["CARD_COUNT"]
    assert fact(refused(game, "change_money dukat-1", cards=("denar-9",)), "NOT_THERE")["place"] == "hand"
    assert fact(refused(game, "change_money dukat-2", cards=("denar-6",)), "NOT_THERE")["place"] == "display"


# -- The trader ------------------------------------------------------------------------------------------------------


# worked example
def test_the_trader_lets_7_be_taken_together() -> None:
    game = characters()
    give(game, 0, "trader")
    display(game, "denar-4 dukat-3 gulden-2 dirham-6")
    assert legal(game, "take_money denar-4 dukat-3")
    assert fact(refused(game, "take_money denar-4 dukat-3 gulden-2"), "SUM_TOO_HIGH") == {"sum": 9, "limit": 7}


def test_the_limit_of_the_others_stays_5() -> None:
    game = characters()
    give(game, 1, "trader")
    display(game, "denar-4 dukat-3 gulden-2 dirham-6")
    assert not legal(game, "take_money denar-4 dukat-3")


def test_the_trader_is_permanent_and_blocks_nobody() -> None:
    game = dancing()
    give(game, 1, "trader")
    play(game, "dance market-denar")
    display(game, "denar-4 dukat-3")
    play(game, "take_money denar-4 dukat-3")
    assert game.state.used == ()


# -- The rich patron -------------------------------------------------------------------------------------------------


def patronised(*modules: str, **options: Any) -> Game:
    game = characters(3, *modules, **options)
    give(game, 0, "rich_patron")
    return game


def test_the_patron_pays_the_exact_price_and_leaves_the_game() -> None:
    game = patronised()
    events = play(game, "buy market-denar", items=("rich_patron",))
    paid = events_of(events, "paid")[0]
    assert (paid["due"], paid["paid"], paid["exact"], paid["cards"]) == (9, 9, True, ())
    assert game.state.seats[0].pending == ("arcades-9",)
    assert "bonus_action" in kinds(events)
    assert asked(game) == ("action", 0)
    assert "rich_patron" in game.state.box
    assert fact(refused(game, "buy market-gulden", items=("rich_patron",)), "NOT_THERE")["place"] == "held"


def test_the_patron_pays_all_of_it_or_nothing() -> None:
    game = patronised()
    hand(game, 0, "denar-9 denar-3")
    violations = refused(game, "buy market-denar denar-3", items=("rich_patron",))
    assert fact(violations, "COMBINATION_FORBIDDEN") == {"a": "rich_patron", "b": "denar-3"}
    assert legal(game, "buy market-denar denar-9")


def test_the_patron_pays_for_his_owner_only() -> None:
    game = characters()
    give(game, 1, "rich_patron")
    assert codes(refused(game, "buy market-denar", items=("rich_patron",))) == ["NOT_THERE", "UNDERPAID"]


def test_the_patron_buys_nothing_that_is_not_on_offer() -> None:
    game = patronised()
    market(game)
    assert codes(refused(game, "buy market-denar", items=("rich_patron",))) == ["NOT_THERE"]


def test_the_patron_does_not_pay_a_bid() -> None:
    game = patronised()
    hand(game, 1, "denar-9")
    auction(game, "trader")
    play(game, "pass")
    assert asked(game) == ("auction", 0)
    play(game, "bid", amount=1)
    assert codes(refused(game, "pay", items=("rich_patron",))) == ["NOT_THERE", "UNDERPAID"]


def test_a_patron_alone_is_no_money_to_bid_with() -> None:
    game = characters()
    give(game, 1, "rich_patron")
    events = auction(game, "trader")
    assert {"seat": 1, "decision": "auction", "forced": True} in events_of(events, "passed")


# -- The miser -------------------------------------------------------------------------------------------------------


def stingy(*modules: str) -> Game:
    game = characters(3, *modules)
    give(game, 0, "miser")
    display(game, "dukat-1 dukat-6 dukat-7 dukat-9")
    return game


def test_the_miser_takes_an_open_card_after_a_purchase_for_10() -> None:
    game = stingy()
    hand(game, 0, "gulden-9 gulden-1")
    play(game, "buy market-gulden gulden-1 gulden-9")
    assert asked(game) == ("miser", 0)
    events = play(game, "take_open dukat-9")
    assert game.state.seats[0].hand == ("dukat-9",)
    assert events_of(events, "money_taken") == [{"seat": 0, "display": ("dukat-9",), "how": "miser"}]
    assert events_of(events, "character_used") == [{"seat": 0, "piece": "miser"}]
    assert "bonus_action" in kinds(events)
    assert game.state.display == ("dukat-1", "dukat-6", "dukat-7")
    assert asked(game) == ("action", 0)


def test_the_miser_looks_at_the_price_and_not_at_what_was_paid() -> None:
    game = stingy()
    hand(game, 0, "denar-9 denar-8")
    play(game, "buy market-denar denar-8 denar-9")  # 17 for a price of 9
    assert asked(game) == ("place_tiles", 0)
    game = stingy()
    hand(game, 0, "gulden-9 gulden-8")
    play(game, "buy market-gulden gulden-8 gulden-9")  # 17 for a price of 10
    assert asked(game) == ("miser", 0)


def test_the_miser_works_with_the_patron() -> None:
    game = stingy()
    give(game, 0, "rich_patron")
    play(game, "buy market-gulden", items=("rich_patron",))
    assert asked(game) == ("miser", 0)


def test_the_miser_takes_once_a_turn_but_may_wait() -> None:
    game = stingy()
    market(game, gulden="garden-10", dirham="chambers-10", denar="arcades-10", dukat="tower-12")
    hand(game, 0, "gulden-9 gulden-1 dirham-9 dirham-1 denar-9 denar-1")
    play(game, "buy market-gulden gulden-1 gulden-9")
    play(game, "pass")
    assert game.state.used == ()
    play(game, "buy market-dirham dirham-1 dirham-9")
    play(game, "take_open dukat-6")
    play(game, "buy market-denar denar-1 denar-9")
    assert asked(game) == ("action", 0)


def test_the_miser_is_not_asked_without_an_open_card() -> None:
    game = stingy()
    display(game)
    hand(game, 0, "gulden-9 gulden-1")
    play(game, "buy market-gulden gulden-1 gulden-9")
    assert asked(game) == ("action", 0)


def test_a_game_stored_while_the_miser_decides_goes_on_as_before() -> None:
    game = stingy()
    hand(game, 0, "gulden-9 gulden-1")
    play(game, "buy market-gulden gulden-1 gulden-9")
    stored = Game.from_bytes(game.to_bytes())
    play(game, "take_open dukat-9")
    play(stored, "take_open dukat-9")
    assert stored == game
    assert stored.state.actions == 1


# -- The master builder ----------------------------------------------------------------------------------------------


def building(*modules: str) -> Game:
    game = characters(3, *modules)
    give(game, 0, "master_builder")
    return game


def test_the_master_builder_redesigns_once_more_after_placing() -> None:
    game = building()
    reserve(game, 0, "garden-11")
    start(game)
    assert asked(game) == ("late", 0)
    events = play(game, "add garden-11 @1,0", items=("master_builder",))
    assert "garden-11" in game.state.seats[0].board.placed
    assert events_of(events, "character_used") == [{"seat": 0, "piece": "master_builder"}]
    assert asked(game)[1] == 1


def test_tiles_placed_this_turn_may_be_used() -> None:
    game = building()
    market(game, denar="arcades-9", gulden="garden-10", dirham="chambers-11", dukat="tower-12")
    hand(game, 0, "denar-9 denar-1")
    play(game, "buy market-denar denar-1 denar-9")
    play(game, "reserve arcades-9")
    assert asked(game) == ("late", 0)
    assert legal(game, "add arcades-9 @0,1", items=("master_builder",))


def test_the_master_builder_is_named_in_the_move() -> None:
    game = building()
    reserve(game, 0, "garden-11")
    start(game)
    assert codes(refused(game, "add garden-11 @1,0")) == ["NOUN_MISSING"]


def test_the_master_builder_is_not_used_in_an_action() -> None:
    game = building()
    reserve(game, 0, "garden-11")
    assert codes(refused(game, "add garden-11 @1,0", items=("master_builder",))) == ["NOT_THERE"]


def test_the_master_builder_removes_and_swaps_too_or_nothing() -> None:
    game = building()
    alhambra(game, 0, {(1, 0): "garden-11"})
    reserve(game, 0, "tower-11")
    start(game)
    assert legal(game, "remove garden-11", items=("master_builder",))
    assert legal(game, "swap tower-11 @1,0", items=("master_builder",))
    play(game, "pass")
    assert asked(game)[1] == 1


# -- The wise man ----------------------------------------------------------------------------------------------------


# worked example
def test_half_a_building_more_decides_a_tie() -> None:
    game = characters()
    give(game, 0, "wise_man")
    own(game, 0, tower=3)
    own(game, 1, tower=3)
    hold_scoring(game, 2)
    assert asked(game) == ("wise_man", 0)
    events = play(game, "declare", type="tower")
    assert events_of(events, "character_used") == [{"seat": 0, "piece": "wise_man", "type": "tower"}]
    assert points(events, "majority", type="tower") == {0: 13, 1: 6}
    line = next(line for line in events_of(events, "scored") if line["reason"] == "majority" and line["seat"] == 0)
    assert line["count"] == 7  # in half buildings


def test_half_a_building_does_not_overtake_a_whole_one() -> None:
    game = characters()
    give(game, 0, "wise_man")
    own(game, 0, tower=2)
    own(game, 1, tower=3)
    hold_scoring(game, 2)
    events = play(game, "declare", type="tower")
    assert points(events, "majority", type="tower") == {1: 13, 0: 6}


def test_the_wise_man_needs_a_real_building_of_the_type() -> None:
    game = characters()
    give(game, 0, "wise_man")
    own(game, 0, tower=1)
    hold_scoring(game, 1)
    violations = refused(game, "declare", type="garden")
    assert fact(violations, "CONDITION_UNMET") == {"what": "buildings", "need": 1, "have": 0}


def test_without_a_building_the_wise_man_is_not_asked() -> None:
    game = characters()
    give(game, 0, "wise_man")
    own(game, 1, tower=1)
    hold_scoring(game, 1)
    assert asked(game)[0] != "wise_man"


def test_the_type_is_chosen_anew_each_time() -> None:
    game = characters()
    give(game, 0, "wise_man")
    own(game, 0, tower=1, garden=1)
    own(game, 1, tower=1, garden=1)
    hold_scoring(game, 1)
    events = play(game, "declare", type="tower")
    assert points(events, "majority", type="tower") == {0: 6}
    assert points(events, "majority", type="garden") == {0: 2, 1: 2}
    assert game.slice(Characters).declared == ""
    hold_scoring(game, 2)
    events = play(game, "declare", type="garden")
    assert points(events, "majority", type="garden") == {0: 12, 1: 5}
    assert points(events, "majority", type="tower") == {0: 9, 1: 9}


def test_the_wise_man_declares_at_the_last_scoring_too_and_may_be_silent() -> None:
    game = characters()
    give(game, 0, "wise_man")
    own(game, 0, pavilion=1)
    own(game, 1, pavilion=1)
    market(game)
    end_game(game)
    assert asked(game) == ("wise_man", 0)
    events = play(game, "pass")
    assert points(events, "majority", type="pavilion") == {0: 12, 1: 12}
    assert game.over


def test_the_wise_man_decides_a_tie_with_dirk() -> None:
    game = characters(2)
    give(game, 0, "wise_man")
    own(game, 0, tower=1)
    dirk(game, "tower-12")
    hold_scoring(game, 1)
    events = play(game, "declare", type="tower")
    assert points(events, "majority", type="tower") == {0: 6}


# -- The city watch --------------------------------------------------------------------------------------------------

WALL_OF_8 = {(-1, 0): "garden-7-nsw", (0, -1): "pavilion-5-nw", (0, 1): "garden-6-esw"}


# worked example
def test_the_city_watch_brings_a_point_for_three_segments() -> None:
    game = characters()
    give(game, 0, "city_watch")
    alhambra(game, 0, WALL_OF_8)
    events = hold_scoring(game, 1)
    assert points(events, "wall") == {0: 8}
    assert points(events, "wall_guard", scoring=1) == {0: 2}


def test_two_segments_bring_nothing_and_the_watch_is_its_owners_alone() -> None:
    game = characters()
    give(game, 1, "city_watch")
    alhambra(game, 0, WALL_OF_8)
    alhambra(game, 1, {(1, 0): "pavilion-4-es"})
    events = hold_scoring(game, 1)
    assert points(events, "wall") == {0: 8, 1: 2}
    assert points(events, "wall_guard") == {}


# -- With other modules ----------------------------------------------------------------------------------------------


def test_no_character_serves_in_a_vizier_action() -> None:
    game = characters(3, "viziers_favour")
    give(game, 1, "rich_patron", "miser")
    hand(game, 1, "gulden-9 gulden-1")
    display(game, "dukat-1 dukat-6 dukat-7 dukat-9")
    take_turn(game)
    assert asked(game) == ("window", 1)
    assert not legal(game, "buy market-gulden", items=("rich_patron",))
    play(game, "buy market-gulden gulden-1 gulden-9")
    assert asked(game) == ("place_now", 1)


def test_a_character_turned_up_after_a_theft_is_auctioned_by_the_player_due_next() -> None:
    game = characters(3, "thieves")
    thieves = game.slice(Thieves)
    everyone = sorted((*thieves.rest, *(thief for held in thieves.held for thief in held)))
    everyone.remove("thief-denar")
    thieves.held, thieves.rest = ((), (), ("thief-denar",)), tuple(everyone)
    display(game, "dukat-1 denar-6 dukat-7 dukat-9")
    hand(game, 1, "dukat-3")
    hand(game, 2, "dukat-3")
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 2)
    turned_up_next(game, "trader", "scoring-1")
    play(game, "play_thief denar-6", currency="denar")
    assert asked(game) == ("auction", 1)
    play(game, "bid", amount=1)
    play(game, "pass")
    play(game, "pass")
    events = play(game, "pay dukat-3")
    assert len(game.state.display) == 4
    assert "scoring_began" in kinds(events)
    assert asked(game)[1] == 1


def coins(game: Game, seat: int, *own_coins: str) -> None:
    kept = game.slice(Coins)
    bag = list(kept.bag)
    for coin in own_coins:
        bag.remove(coin)
    kept.bag = tuple(bag)
    kept.held = tuple(own_coins if number == seat else held for number, held in enumerate(kept.held))


def test_overpaying_a_bid_gives_change() -> None:
    game = characters(3, "change")
    hand(game, 1, "denar-9")
    auction(game, "trader")
    play(game, "bid", amount=4)
    play(game, "pass")
    events = play(game, "pay denar-9")
    assert len(events_of(events, "coins_drawn")[0]["items"]) == 2
    assert kinds(events).index("coins_drawn") < kinds(events).index("character_gained")


def test_coins_are_money_to_bid_with_but_no_money_cards_for_the_beggar() -> None:
    game = characters(3, "change")
    give(game, 1, "beggar")
    hand(game, 1, "denar-1")
    coins(game, 1, "coin-denar", "coin-denar", "coin-dukat")
    auction(game, "trader")
    assert [move.amount for move in game.moves() if move.verb == "bid"] == [1, 2, 3]
    play(game, "bid", amount=3)
    play(game, "pass")
    play(game, "pay denar-1", items=("coin-denar", "coin-denar"))
    coins(game, 1, "coin-dukat", "coin-gulden", "coin-dirham")
    assert asked(game) == ("start", 1)
    assert legal(game, "draw_card")


def test_a_player_with_coins_only_is_asked_in_an_auction() -> None:
    game = characters(3, "change")
    coins(game, 1, "coin-denar")
    auction(game, "trader")
    assert asked(game) == ("auction", 1)


def test_the_patron_gives_no_change() -> None:
    game = patronised("change")
    events = play(game, "buy market-denar", items=("rich_patron",))
    assert "coins_drawn" not in kinds(events)


def test_a_patron_purchase_is_exact_and_wins_a_scout() -> None:
    game = patronised("invaders")
    invaders = game.slice(Invaders)
    scout = next(piece for piece, name in SCOUTS.items() if name == "arcades")
    others = [piece for piece in (*invaders.open, *invaders.scouts) if piece != scout]
    invaders.open, invaders.scouts = (scout, others[0]), tuple(others[1:])
    events = play(game, "buy market-denar", items=("rich_patron",))
    assert events_of(events, "scout_won")[0]["seat"] == 0


def test_a_camp_counts_as_a_building_for_patron_and_miser() -> None:
    game = stingy("military_camps")
    camp = next(tile for tile in game.ruleset.tiles.values() if tile.kind == "camp" and tile.id in game.state.tower)
    give(game, 0, "rich_patron")
    market(game, denar=camp.id)
    play(game, "buy market-denar", items=("rich_patron",))
    assert camp.id in game.state.seats[0].pending
    assert camp.price is not None
    assert asked(game)[0] == ("miser" if camp.price >= 10 else "action")


def test_the_surcharge_of_a_watchtower_is_part_of_the_price() -> None:
    game = stingy("watchtowers")
    market(game, denar="arcades-8-n")
    hand(game, 0, "denar-9 denar-5 denar-8")
    play(game, "buy market-denar denar-5 denar-9", choice="watchtower")  # 8 and 6
    assert asked(game) == ("miser", 0)
    game = stingy("watchtowers")
    market(game, denar="arcades-8-n")
    hand(game, 0, "denar-8")
    play(game, "buy market-denar denar-8")
    assert asked(game) == ("action", 0)


def test_a_won_project_is_awarded_before_the_dancer() -> None:
    game = characters(3, "major_construction_projects")
    give(game, 1, "dancer")
    projects = game.slice(Projects)
    won = projects.project
    hand(game, 1, "denar-9 denar-6")
    game.state.seats[1].hand = ()
    projects.bidder, projects.cards, projects.total = 1, ("denar-6", "denar-9"), 15
    start(game)
    assert asked(game) == ("start", 1)
    assert game.state.seats[1].pending == (won,)
    assert projects.project != won


def test_each_half_of_a_project_is_a_building_for_the_wise_man() -> None:
    game = characters(3, "major_construction_projects")
    give(game, 0, "wise_man")
    projects = game.slice(Projects)
    tile = game.ruleset.tiles[projects.project]
    cell, rotation = next((cell, turn) for turn in (0,) for cell in game.board(0).legal_cells(tile))
    board = game.state.seats[0].board.copy()
    board.place(tile, *cell, rotation)
    game.state.seats[0].board = board
    projects.project, projects.hidden = projects.hidden[-1], projects.hidden[:-1]
    hold_scoring(game, 1)
    assert {move.type for move in game.moves() if move.verb == "declare"} == {part.type for part in tile.parts}


def test_a_seller_receives_nothing_from_a_patron() -> None:
    game = patronised("personal_building_market")
    markets = game.slice(Markets)
    market(game, dukat="chambers-10")
    game.state.market = ("", "", "", "")
    markets.lying = (markets.lying[0], ("chambers-10", "", "", ""), markets.lying[2])
    play(game, "buy", slot="personal-1-gulden", items=("rich_patron",))
    assert game.state.seats[0].pending == ("chambers-10",)
    assert game.state.seats[1].hand == ()


def test_the_miser_looks_at_a_tile_bought_from_another_player_too() -> None:
    game = stingy("personal_building_market")
    market(game, dukat="chambers-10")
    game.state.market = ("", "", "", "")
    markets = game.slice(Markets)
    markets.lying = (markets.lying[0], ("chambers-10", "", "", ""), markets.lying[2])
    hand(game, 0, "gulden-9 gulden-1")
    play(game, "buy gulden-1 gulden-9", slot="personal-1-gulden")
    assert asked(game) == ("miser", 0)


def test_thieves_are_no_money_cards_for_the_beggar() -> None:
    game = characters(3, "thieves")
    give(game, 1, "beggar")
    hand(game, 1, "denar-1 denar-2")
    assert len(game.slice(Thieves).held[1]) > 2
    start(game)
    while asked(game)[0] == "window":
        play(game, "pass")
    assert asked(game) == ("start", 1)
    assert legal(game, "draw_card")


def test_a_gate_card_drawn_by_the_beggar_lies_open_and_he_may_draw_again() -> None:
    game = begging("gate", "dukat-7", modules=("city_gates",))
    play(game, "draw_card")
    assert game.slice(Gates).open
    assert "gate" not in game.state.seats[1].hand
    assert asked(game) == ("start", 1)
    play(game, "draw_card")
    assert asked(game) == ("action", 1)


def test_a_gate_card_is_no_money_card_for_the_beggar_the_changer_and_the_miser() -> None:
    game = begging(held="denar-1 denar-2 gate", modules=("city_gates",))
    give(game, 1, "money_changer")
    display(game, "dukat-1")
    assert legal(game, "draw_card")
    violations = refused(game, "change_money dukat-1", cards=("gate",))
    assert codes(violations) == ["NOT_ELIGIBLE", "VALUE_TOO_HIGH"]


def test_a_player_with_nothing_but_a_gate_card_is_asked_in_an_auction() -> None:
    game = characters(3, "city_gates")
    hand(game, 1, "gate")
    auction(game, "trader")
    assert asked(game) == ("auction", 1)
    assert list(game.moves()) == [Move("pass")]


def test_a_wall_card_drawn_by_the_beggar_lies_open_and_he_may_draw_again() -> None:
    game = begging(modules=("city_walls",))
    card = next(card for card in game.state.deck if game.ruleset.cards[card].kind == "wall")
    deck(game, card)
    play(game, "draw_card")
    assert card in game.slice(Walls).open
    assert asked(game) == ("start", 1)


def test_wooden_walls_count_for_the_city_watch() -> None:
    game = characters(3, "city_walls")
    give(game, 0, "city_watch")
    board = alhambra(game, 0, {(1, 0): "pavilion-4-es"})
    board.add_sticks("pavilion-4-es", (1,))
    game.state.sticks = {"pavilion-4-es": (1,)}
    events = hold_scoring(game, 1)
    assert points(events, "wall") == {0: 3}
    assert points(events, "wall_guard") == {0: 1}


def test_the_master_builder_can_displace_the_disc() -> None:
    game = building("street_trader")
    reserve(game, 0, "garden-11")
    kept = game.slice(Residents)
    kept.discs = ((1, 0), *kept.discs[1:])
    start(game)
    play(game, "add garden-11 @1,0", items=("master_builder",))
    assert game.slice(Residents).discs[0] is None
    assert asked(game)[1] == 0


def test_squares_make_the_half_building_no_less() -> None:
    game = characters(3, "squares")
    give(game, 0, "wise_man")
    own(game, 0, tower=1)
    own(game, 1, tower=1)
    hold_scoring(game, 1)
    events = play(game, "declare", type="tower")
    assert points(events, "majority", type="tower") == {0: 6}


def test_a_tile_drawn_by_the_dancer_can_be_claimed_by_her_owner_first() -> None:
    game = dancing("power_of_the_sultan")
    cards = [card for card in game.state.deck if game.ruleset.cards[card].kind == "sultan"][:2]
    deck(game, *cards)
    assert [draw(game), draw(game)] == cards
    sultan = game.slice(Sultan)
    sultan.marks = dict.fromkeys(cards, "tower")
    sultan.owners = {cards[0]: 0, cards[1]: 1}
    tower(game, "tower-12 garden-11")
    play(game, "dance market-denar")
    assert asked(game) == ("claim", 1)
    play(game, "claim", piece=cards[1])
    assert asked(game) == ("place_now", 1)
    play(game, "reserve tower-12")
    assert game.state.market[2] == "garden-11"
    assert game.state.tower[0] == "arcades-9"


def test_a_sultan_card_drawn_by_the_beggar_is_marked_and_he_may_draw_again() -> None:
    game = begging(modules=("power_of_the_sultan",))
    card = next(card for card in game.state.deck if game.ruleset.cards[card].kind == "sultan")
    deck(game, card)
    play(game, "draw_card")
    assert game.slice(Sultan).marks[card]
    assert asked(game) == ("start", 1)


def test_the_patron_buys_no_sultan_card() -> None:
    game = patronised("power_of_the_sultan")
    card = next(card for card in game.state.deck if game.ruleset.cards[card].kind == "sultan")
    deck(game, card)
    draw(game)
    game.slice(Sultan).marks = {card: "tower"}
    assert not legal(game, "buy", slot="sultan", piece=card, items=("rich_patron",))


def test_discarded_money_is_all_that_the_discard_holds() -> None:
    game = won_juggler()
    discard(game)
    play(game, "choose", choice="keep")
    assert not set(game.state.discard) & set(CHARACTERS)
