"""19 The caravanserai: money that grows from turn to turn."""

from __future__ import annotations

import pytest

from alhambra import TYPES, Game, Move, Options
from alhambra.base.payment.offers import ANY_ONE, MIXED, Offer
from alhambra.base.payment.rules import tenders
from alhambra.modules.caravanserai import START, TRACKS, Caravans, is_asked
from alhambra.modules.characters import Characters
from alhambra.modules.exchange_certificates import Certificates
from alhambra.modules.personal_building_market import Markets
from tests.rules.modules.building_sites_table import built
from tests.rules.modules.change_table import auction
from tests.rules.situations import (
    codes,
    deck,
    display,
    end_game,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    own,
    pieces,
    play,
    refused,
    reserve,
    table,
    take_turn,
)

DUKATS, DENARS = "caravanserai_3", "caravanserai_2"
"""The cards of the printed example: A rises in ducats, B in denars."""


def caravans(seats: int = 3, *modules: str, types: int = 6) -> Game:
    """Seat 0 has built so many different types."""
    game = table(seats, modules=["caravanserai", *modules])
    own(game, 0, **dict.fromkeys(TYPES[:types], 1))
    return game


def give(game: Game, seat: int, **marked: tuple[str, int]) -> None:
    """The seat owns these cards, with their markers on these fields."""
    kept = game.module_state(Caravans)
    kept.owners = {**kept.owners, **dict.fromkeys(marked, seat)}
    kept.markers = {**kept.markers, **marked}


def example(*modules: str) -> Game:
    """The printed example: A on 2 ducats, B on 3 denars; the turn of their owner, seat 1, begins."""
    game = caravans(3, *modules)
    give(game, 1, **{DUKATS: ("dukat", 2), DENARS: ("denar", 3)})
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    take_turn(game)
    return game


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def buy(cards: str, piece: str = DUKATS) -> str:
    return f"buy {cards} {piece}"


def money(game: Game, seat: int = 1) -> dict[str, tuple[str, int]]:
    """What the cards of a seat are worth as payment."""
    offer = Offer("market-denar", 5, "denar")
    found = (tender for tender in tenders(game, seat, offer) if tender.noun == "items")
    return {tender.id: (tender.currency, tender.value) for tender in found}


# -- The cards ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("19.1", "19.4")
def test_all_eight_cards_lie_open() -> None:
    game = Game.new(Options(4, "eight", modules=["caravanserai"]))
    assert pieces(game, "caravanserai", 2) == [
        {"kind": "caravanserai", "piece": f"caravanserai_{number}", "slot": "caravanserai"} for number in range(1, 9)
    ]


@pytest.mark.rule("19.2")
@pytest.mark.parametrize("card", START)
def test_a_track_rises_from_0_to_5_with_three_branches_that_lead_nowhere(card: str) -> None:
    main, lowest = START[card]
    assert lowest == 0
    branches = {}
    for at in range(5):
        ways = TRACKS[card][main, at]
        assert ways["up"] == (main, at + 1)
        if "branch" in ways:
            branches[at] = ways["branch"]
    assert (main, 5) not in TRACKS[card]
    assert {at: amount for at, (_, amount) in branches.items()} == {2: 2, 3: 3, 4: 4}
    assert len({currency for currency, _ in branches.values()} | {main}) == 4
    assert not set(branches.values()) & set(TRACKS[card])


# -- Buying ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("19.5", "19.9", "19.10", "19.24")
@pytest.mark.parametrize(("types", "price"), [(4, 8), (5, 4), (6, 2)])
def test_the_price_follows_the_number_of_types_built(types: int, price: int) -> None:
    """Worked example."""
    game = caravans(types=types)
    hand(game, 0, f"denar-{price}")
    events = play(game, buy(f"denar-{price}"), slot="caravanserai")
    assert (events_of(events, "paid")[0]["due"], events_of(events, "paid")[0]["exact"]) == (price, True)
    assert "bonus_action" in kinds(events)
    assert pieces(game, "caravanserai", seat=0) == [
        {"kind": "caravanserai", "piece": DUKATS, "seat": 0, "currency": "dukat", "sum": 0}
    ]


@pytest.mark.rule("19.6", "19.36")
def test_with_three_types_no_card_can_be_bought() -> None:
    game = caravans(types=3)
    hand(game, 0, "denar-9")
    violations = refused(game, buy("denar-9"), slot="caravanserai")
    assert fact(violations, "CONDITION_UNMET") == {"what": "types_built", "need": 4, "have": 3}


@pytest.mark.rule("19.6", "19.24")
def test_a_second_card_takes_five_types() -> None:
    """Worked example."""
    game = caravans(types=4)
    give(game, 0, **{DENARS: ("denar", 0)})
    hand(game, 0, "denar-8")
    violations = refused(game, buy("denar-8"), slot="caravanserai")
    assert fact(violations, "CONDITION_UNMET") == {"what": "types_built", "need": 5, "have": 4}
    own(game, 0, **dict.fromkeys(TYPES[:5], 1))
    hand(game, 0, "denar-4")
    play(game, buy("denar-4"), slot="caravanserai")


@pytest.mark.rule("19.7", "19.36")
def test_nobody_owns_a_third_card() -> None:
    game = caravans()
    give(game, 0, **{DENARS: ("denar", 0), "caravanserai_1": ("dirham", 0)})
    hand(game, 0, "denar-2")
    violations = refused(game, buy("denar-2"), slot="caravanserai")
    assert fact(violations, "LIMIT_REACHED") == {"what": "caravanserai_cards", "limit": 2}


@pytest.mark.rule("19.34")
def test_when_all_cards_are_sold_a_seat_with_few_types_is_offered_none() -> None:
    game = caravans(6, types=3)
    give(game, 1, **START)
    assert not [move for move in game.legal_moves() if move.slot == "caravanserai"]


@pytest.mark.rule("19.34")
def test_a_card_that_was_sold_cannot_be_bought_again_and_the_last_one_ends_the_sale() -> None:
    game = caravans()
    give(game, 1, **{DUKATS: ("dukat", 0)})
    hand(game, 0, "denar-2")
    assert fact(refused(game, buy("denar-2"), slot="caravanserai"), "NOT_THERE")["id"] == DUKATS
    give(game, 2, **START)
    assert codes(refused(game, buy("denar-2", DENARS), slot="caravanserai")) == ["NOT_THERE"]


@pytest.mark.rule("19.25")
def test_types_in_the_reserve_or_just_bought_do_not_count() -> None:
    game = caravans(types=3)
    reserve(game, 0, "tower-11")
    market(game, denar="garden-10")
    hand(game, 0, "denar-8 denar-9 denar-2")
    play(game, "buy market-denar denar-2 denar-8")
    violations = refused(game, buy("denar-9"), slot="caravanserai")
    assert fact(violations, "CONDITION_UNMET")["have"] == 3


@pytest.mark.rule("19.8", "19.9")
def test_a_card_is_paid_in_one_currency() -> None:
    game = caravans(types=4)
    hand(game, 0, "denar-5 dukat-3 gulden-9")
    assert codes(refused(game, buy("denar-5 dukat-3"), slot="caravanserai")) == ["MIX_FORBIDDEN"]
    events = play(game, buy("gulden-9"), slot="caravanserai")
    assert "bonus_action" not in kinds(events)


# -- Moving a marker ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("19.11", "19.20")
def test_without_a_move_the_amounts_stay() -> None:
    """Worked example."""
    game = example()
    assert asked(game) == ("start", 1)
    play(game, "pass")
    assert money(game) == {DUKATS: ("dukat", 2), DENARS: ("denar", 3)}


@pytest.mark.rule("19.11", "19.21", "19.22")
@pytest.mark.parametrize(
    ("piece", "choice", "field"),
    [
        (DUKATS, "branch", ("dirham", 2)),
        (DUKATS, "up", ("dukat", 3)),
        (DENARS, "branch", ("dukat", 3)),
        (DENARS, "up", ("denar", 4)),
    ],
)
def test_one_marker_moves_up_or_out_to_a_branch(piece: str, choice: str, field: tuple[str, int]) -> None:
    """Worked example."""
    game = example()
    events = play(game, f"advance_marker {piece}", choice=choice)
    currency, amount = field
    assert events_of(events, "marker_moved") == [{"seat": 1, "piece": piece, "currency": currency, "amount": amount}]
    assert money(game) == {DUKATS: ("dukat", 2), DENARS: ("denar", 3)} | {piece: field}


@pytest.mark.rule("19.12", "19.23")
def test_a_second_marker_does_not_move_in_the_same_turn() -> None:
    """Worked example."""
    game = example("characters")
    game.module_state(Characters).owners = {"beggar": 1}
    play(game, f"advance_marker {DUKATS}", choice="up")
    assert asked(game) == ("start", 1), "the beggar can still be used"
    violations = refused(game, f"advance_marker {DENARS}", choice="up")
    assert fact(violations, "USED_UP") == {"what": "marker", "limit": 1, "per": "turn"}


@pytest.mark.rule("19.30", "19.38")
def test_markers_at_the_end_of_their_tracks_are_not_asked_about() -> None:
    game = caravans()
    give(game, 1, **{DUKATS: ("dirham", 2), DENARS: ("denar", 5)})
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    take_turn(game)
    assert asked(game) == ("action", 1)


@pytest.mark.rule("19.37")
def test_nobody_moves_the_marker_of_another_or_to_a_field_that_is_not_there() -> None:
    game = example()
    give(game, 2, caravanserai_1=("dirham", 2))
    assert fact(refused(game, "advance_marker caravanserai_1", choice="up"), "NOT_THERE")["place"] == "held"
    give(game, 1, **{DUKATS: ("dukat", 1)})
    assert codes(refused(game, f"advance_marker {DUKATS}", choice="branch")) == ["NOT_THERE"]


@pytest.mark.rule("19.28", "07.42")
def test_money_changer_before_the_marker_and_beggar_after_it() -> None:
    game = example("characters")
    game.module_state(Characters).owners = {"money_changer": 1, "beggar": 1}
    hand(game, 1, "denar-9")
    sample = game.clone()
    play(game, "change_money", cards=("denar-9",), display=(game.state.display[0],))
    assert legal(game, f"advance_marker {DUKATS}", choice="up")
    play(sample, "draw_card")
    assert asked(sample)[0] != "start" or not any(move.verb == "advance_marker" for move in sample.moves())


# -- Spending ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("19.13", "19.14")
def test_an_amount_is_spent_like_a_card_and_its_marker_returns_to_0() -> None:
    game = caravans(types=0)
    give(game, 0, **{DENARS: ("denar", 4)})
    market(game, denar="garden-10")
    hand(game, 0, "denar-6")
    events = play(game, "buy market-denar denar-6", items=(DENARS,))
    assert events_of(events, "paid")[0]["exact"]
    assert events_of(events, "marker_reset") == [{"seat": 0, "piece": DENARS}]
    assert money(game, 0) == {}
    assert asked(game) == ("action", 0)


@pytest.mark.rule("19.29")
def test_a_marker_that_was_spent_is_not_moved_in_the_same_turn() -> None:
    game = caravans(types=0)
    give(game, 0, **{DENARS: ("denar", 4)})
    market(game, denar="garden-10")
    hand(game, 0, "denar-6")
    play(game, "buy market-denar denar-6", items=(DENARS,))
    assert asked(game) == ("action", 0)
    assert codes(refused(game, f"advance_marker {DENARS}", choice="up")) == ["VERB_NOT_OFFERED"]
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    play(game, "take_money gulden-1")
    play(game, "reserve garden-10")
    take_turn(game)
    take_turn(game)
    assert asked(game) == ("start", 0)
    assert legal(game, f"advance_marker {DENARS}", choice="up")


@pytest.mark.rule("19.13")
def test_an_amount_is_spent_as_a_whole_and_only_in_its_currency() -> None:
    game = caravans()
    give(game, 0, **{DENARS: ("dukat", 3)})
    market(game, denar="pavilion-2-new", dukat="pavilion-3-sw")
    assert codes(refused(game, "buy market-denar", items=(DENARS,))) == ["WRONG_CURRENCY"]
    assert events_of(play(game, "buy market-dukat", items=(DENARS,)), "paid")[0]["exact"]


@pytest.mark.rule("19.30")
def test_a_marker_on_0_is_no_money() -> None:
    game = caravans(types=0)
    give(game, 0, **{DENARS: ("denar", 0)})
    market(game, denar="garden-10")
    hand(game, 0, "denar-6 denar-4")
    assert codes(refused(game, "buy market-denar denar-4 denar-6", items=(DENARS,))) == ["NOT_THERE"]


@pytest.mark.rule("19.26")
def test_one_card_is_bought_with_the_amount_of_another() -> None:
    game = caravans()
    give(game, 0, **{DENARS: ("denar", 2)})
    assert events_of(play(game, f"buy {DUKATS}", slot="caravanserai", items=(DENARS,)), "paid")[0]["exact"]


@pytest.mark.rule("19.15")
def test_amounts_count_when_leftover_tiles_are_given_out() -> None:
    game = caravans()
    market(game, dukat="tower-12")
    give(game, 0, **{DUKATS: ("dukat", 4)})
    hand(game, 1, "dukat-3")
    display(game, "gulden-1")
    awarded = events_of(end_game(game), "leftover_awarded")[0]
    assert dict(awarded["totals"]) == {0: 4, 1: 3, 2: 0}
    assert awarded["seat"] == 0


@pytest.mark.rule("19.41")
def test_the_cards_of_a_player_who_leaves_stay_before_the_seat() -> None:
    game = caravans()
    give(game, 1, **{DUKATS: ("dukat", 4)})
    game.resign(1)
    assert [piece["piece"] for piece in pieces(game, "caravanserai", seat=1)] == [DUKATS]


# -- With other modules ------------------------------------------------------------------------------------------------


@pytest.mark.rule("19.27")
def test_amounts_serve_for_every_payment_by_value_but_lie_in_no_standing_bid() -> None:
    game = caravans()
    give(game, 0, **{DENARS: ("denar", 3)})

    def serves(offer: Offer) -> bool:
        return any(tender.id == DENARS for tender in tenders(game, 0, offer))

    assert serves(Offer("auction", 4, ANY_ONE, purpose="bid"))
    assert serves(Offer("room-1", 8, MIXED, purpose="chests"))
    assert not serves(Offer("project", 15, ANY_ONE, deposited=True, purpose="project"))


@pytest.mark.rule("19.27", "07.34")
def test_an_amount_covers_and_pays_a_bid_in_an_auction() -> None:
    game = caravans(3, "characters")
    give(game, 1, **{DENARS: ("denar", 4)})
    hand(game, 1, "denar-2")
    auction(game)
    assert max(move.amount or 0 for move in game.moves()) == 6
    play(game, "bid", amount=6)
    while asked(game)[0] == "auction":
        play(game, "pass")
    play(game, "pay denar-2", items=(DENARS,))
    assert game.module_state(Characters).owners == {"trader": 1}


@pytest.mark.rule("19.27", "19.40")
def test_an_amount_lies_in_no_bid_for_a_project() -> None:
    game = caravans(3, "major_construction_projects")
    give(game, 0, **{DENARS: ("denar", 5)})
    hand(game, 0, "denar-9 denar-6")
    violations = refused(game, "bid_project denar-6 denar-9", items=(DENARS,))
    assert fact(violations, "NOT_ACCEPTED") == {"id": DENARS, "purchase": "project"}


@pytest.mark.rule("19.26", "06.22")
def test_a_card_is_paid_with_diamonds_alone_but_with_no_bureau() -> None:
    game = caravans(3, "diamonds", "bureaux_de_change", types=4)
    hand(game, 0, "diamond-8 denar-5 gulden-3 exchange_gulden_denar")
    violations = refused(game, buy("denar-5 gulden-3 exchange_gulden_denar"), slot="caravanserai")
    assert "NOT_ACCEPTED" in codes(violations)
    assert events_of(play(game, buy("diamond-8"), slot="caravanserai"), "paid")[0]["exact"]


@pytest.mark.rule("19.19", "19.33", "02.21")
def test_an_amount_is_not_paid_with_diamonds_but_mixed_by_a_bureau() -> None:
    game = caravans(3, "diamonds", "bureaux_de_change", types=0)
    give(game, 0, **{DENARS: ("denar", 4)})
    market(game, denar="garden-10")
    hand(game, 0, "diamond-6 gulden-6 exchange_gulden_denar")
    assert codes(refused(game, "buy market-denar diamond-6", items=(DENARS,))) == ["MIX_FORBIDDEN"]
    assert legal(game, "buy market-denar gulden-6 exchange_gulden_denar", items=(DENARS,))


@pytest.mark.rule("42.12", "19.35", "19.39")
def test_overpaying_a_card_gives_change_and_can_be_saved_and_no_treasure_helps() -> None:
    game = caravans(3, "change", "exchange_certificates", "treasures")
    hand(game, 0, "denar-6 denar-1")
    violations = refused(game, buy("denar-1"), slot="caravanserai", items=("treasure-1",))
    assert fact(violations, "NOT_ACCEPTED") == {"id": "treasure-1", "purchase": "buy"}
    events = play(game, buy("denar-6"), slot="caravanserai")
    assert len(events_of(events, "coins_drawn")[0]["items"]) == 2
    assert asked(game) == ("save_certificate", 0)
    play(game, "save", currency="gulden")
    assert game.module_state(Certificates).saved[0] == ("gulden", 4)


@pytest.mark.rule("19.16", "01.22", "01.23")
def test_a_vizier_buys_no_card_and_moves_no_marker() -> None:
    game = caravans(3, "viziers_favour", types=0)
    market(game, denar="garden-10", gulden="tower-11", dirham="garden-11", dukat="tower-12")
    own(game, 1, **dict.fromkeys(TYPES, 1))
    give(game, 1, **{DENARS: ("denar", 2)})
    hand(game, 1, "denar-2")
    display(game, "gulden-1")
    take_turn(game)
    assert asked(game) == ("window", 1)
    assert codes(refused(game, f"buy denar-2 {DUKATS}", slot="caravanserai")) == ["NOT_THERE"]
    assert codes(refused(game, f"advance_marker {DENARS}", choice="up")) == ["VERB_NOT_OFFERED"]


@pytest.mark.rule("19.18", "07.34")
def test_the_beggar_counts_no_amounts() -> None:
    game = example("characters")
    game.module_state(Characters).owners = {"beggar": 1}
    hand(game, 1, "denar-9 denar-8")
    deck(game, "gulden-5")
    assert legal(game, "draw_card")


@pytest.mark.rule("41.13", "19.31")
def test_a_seller_gets_the_cards_but_not_the_amount() -> None:
    game = caravans(3, "personal_building_market", types=0)
    reserve(game, 1, "arcades-9")
    game.state.seats[1].reserve = ()
    game.module_state(Markets).lying = (("",) * 4, ("", "", "arcades-9", ""), ("",) * 4)
    give(game, 0, **{DENARS: ("denar", 5)})
    hand(game, 0, "denar-5")
    play(game, "buy denar-5", slot="personal-1-denar", items=(DENARS,))
    assert game.state.seats[1].hand == ("denar-5",)
    assert money(game, 0) == {}


@pytest.mark.rule("19.32")
def test_amounts_stay_when_a_site_costs_hand_cards() -> None:
    game = built("denar", "caravanserai")
    give(game, 0, **{DENARS: ("denar", 4)})
    market(game, denar="tower-11")
    hand(game, 0, "denar-9")
    hand(game, 1, "denar-3")
    events = end_game(game)
    assert events_of(events, "cards_forfeited") == [{"seat": 0, "cards": ("denar-9",)}]
    assert dict(events_of(events, "leftover_awarded")[0]["totals"])[0] == 4


# -- Refusals and what is asked ----------------------------------------------------------------------------------------


@pytest.mark.rule("19.36")
def test_what_is_missing_for_a_card_is_told_only_to_those_who_name_the_cards() -> None:
    game = caravans(types=3)
    hand(game, 0, "denar-9")
    assert codes(refused(game, "buy market-denar denar-9")) == ["NOT_THERE"]


@pytest.mark.rule("19.34")
def test_when_all_cards_are_sold_even_a_seat_with_few_types_is_told_that_none_is_there() -> None:
    game = caravans(6, types=3)
    give(game, 1, **START)
    hand(game, 0, "denar-9")
    assert codes(refused(game, buy("denar-9"), slot="caravanserai")) == ["NOT_THERE"]


@pytest.mark.rule("19.12", "19.38")
def test_after_one_marker_has_moved_the_action_is_due_although_another_could_move() -> None:
    game = example()
    play(game, f"advance_marker {DUKATS}", choice="up")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("19.28", "19.38")
def test_who_used_the_beggar_first_is_not_asked_about_markers_any_more() -> None:
    game = example("characters")
    game.module_state(Characters).owners = {"beggar": 1}
    hand(game, 1)
    play(game, "draw_card")
    assert not is_asked(game, 1)


@pytest.mark.rule("19.11", "19.28", "19.38")
def test_before_the_money_changer_and_after_it_a_marker_is_asked_about() -> None:
    game = example("characters")
    game.module_state(Characters).owners = {"money_changer": 1}
    hand(game, 1, "denar-9")
    assert is_asked(game, 1)
    play(game, "change_money", cards=("denar-9",), display=(game.state.display[0],))
    assert asked(game) == ("start", 1)
    assert is_asked(game, 1)


@pytest.mark.rule("19.37")
def test_a_card_that_does_not_exist_is_refused_as_unknown() -> None:
    violations = refused(example(), Move("advance_marker", piece="caravanserai_9", choice="up"))
    assert fact(violations, "ID_UNKNOWN") == {"id": "caravanserai_9"}


@pytest.mark.rule("19.15")
def test_an_amount_counts_for_no_leftover_tile_on_the_space_of_another_currency() -> None:
    game = caravans()
    market(game, denar="tower-12")
    give(game, 0, **{DUKATS: ("dukat", 4)})
    hand(game, 1, "denar-3")
    display(game, "gulden-1")
    awarded = events_of(end_game(game), "leftover_awarded")[0]
    assert dict(awarded["totals"]) == {0: 0, 1: 3, 2: 0}
