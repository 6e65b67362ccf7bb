"""23 Building sites: half of the price now, the whole price later."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from alhambra import Game, Move, Options
from alhambra.base.scoring import count_buildings
from alhambra.placement.outline import longest_wall
from tests.rules.building_sites_oracle import Ledger
from tests.rules.modules.building_sites_table import (
    GARDEN,
    building_yard,
    built,
    in_reserve,
    lay_site,
    only_markers,
    sites,
    start,
    started,
)
from tests.rules.modules.characters_table import asked
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    end_game,
    events_of,
    fact,
    give_turn,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
)

# -- Starting ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.1", "23.2")
def test_two_markers_of_each_currency_lie_face_down() -> None:
    game = building_yard()
    assert Counter(sites(game).stack) == {"gulden": 2, "dirham": 2, "denar": 2, "dukat": 2}
    assert pieces(game, "building_sites", 0) == [{"kind": "site", "amount": 8, "choice": "face_down"}]


# worked example
@pytest.mark.rule("23.3", "23.4", "23.26")
def test_a_garden_for_11_is_started_for_at_least_5() -> None:
    """Worked example: paying 5 or 6 ends the turn."""
    for cards in ("denar-5", "denar-6"):
        game = building_yard()
        events = start(game, cards)
        assert not events_of(events, "paid")[0]["exact"]
        assert events_of(events, "paid")[0]["due"] == 5
        play(game, "keep_marker", currency=sites(game).drawn[0])
        assert asked(game) == ("place_tiles", 0)
    game = building_yard(cards="denar-4 denar-1")
    faults = refused(game, "buy market-denar denar-4", choice="site")
    assert fact(faults, "UNDERPAID") == {"due": 5, "paid": 4}


@pytest.mark.rule("23.3", "23.4")
def test_paying_the_whole_price_is_legal_and_still_starts_a_site_without_a_further_action() -> None:
    game = building_yard()
    events = start(game, "denar-5 denar-6")
    assert not events_of(events, "bonus_action")
    assert asked(game) == ("site_marker", 0)
    assert GARDEN in game.state.covered


@pytest.mark.rule("23.5")
def test_the_same_tile_can_still_be_bought_outright() -> None:
    game = building_yard()
    events = play(game, "buy market-denar denar-5 denar-6")
    assert events_of(events, "bonus_action")
    assert game.state.covered == ()


@pytest.mark.rule("23.3")
def test_the_currency_of_the_space_is_asked_for() -> None:
    game = building_yard(cards="dukat-5")
    assert "WRONG_CURRENCY" in codes(refused(game, "buy market-denar dukat-5", choice="site"))


@pytest.mark.rule("23.6")
def test_the_buyer_looks_at_two_markers_and_keeps_one() -> None:
    game = building_yard()
    only_markers(game, "dukat", "gulden", "denar")
    start(game)
    drawn = sites(game).drawn
    assert game.view(0)["decision"]["private"] == {"currencies": drawn}
    other = next(currency for currency in ("dukat", "gulden", "denar", "dirham") if currency not in drawn)
    assert fact(refused(game, "keep_marker", currency=other), "NOT_THERE") == {"id": other, "place": "held"}
    play(game, "keep_marker", currency=drawn[0])
    assert sites(game).on == {GARDEN: (0, drawn[0])}
    assert drawn[1] in sites(game).stack
    assert len(sites(game).stack) == 2


@pytest.mark.rule("23.29")
def test_two_equal_markers_are_asked_about_all_the_same() -> None:
    game = building_yard()
    only_markers(game, "dukat", "dukat")
    start(game)
    assert asked(game) == ("site_marker", 0)
    assert list(game.moves()) == [Move("keep_marker", currency="dukat")]


@pytest.mark.rule("23.7")
def test_the_last_marker_is_taken_without_a_question() -> None:
    game = building_yard()
    only_markers(game, "denar")
    start(game)
    assert asked(game) == ("place_tiles", 0)
    assert sites(game).on == {GARDEN: (0, "denar")}
    assert sites(game).stack == ()


@pytest.mark.rule("23.7")
def test_without_a_marker_no_site_can_be_started() -> None:
    game = building_yard()
    only_markers(game)
    faults = refused(game, "buy market-denar denar-5", choice="site")
    assert fact(faults, "NOT_THERE") == {"id": "site", "place": "supply"}


@pytest.mark.rule("23.12")
def test_a_site_is_placed_or_reserved_like_any_tile_and_the_marker_stays_on_it() -> None:
    for answer in (f"place {GARDEN} @1,0", f"reserve {GARDEN}"):
        game = started()
        play(game, answer)
        assert asked(game) == ("action", 1)
        assert sites(game).on == {GARDEN: (0, "dukat")}
        assert game.state.covered == (GARDEN,)


# -- Unfinished --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.14")
def test_an_unfinished_building_has_walls_but_is_no_building_of_its_type() -> None:
    game = building_yard(cards="")
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    lay_site(game, 0, "garden-9-e", "denar")
    assert count_buildings(game, 0)["garden"] == 0
    events = hold_scoring(game, 1)
    assert points(events, "wall") == {0: longest_wall(game.state.seats[0].board)}
    assert points(events, "majority", type="garden") == {}


# -- Completing --------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("23.8", "23.9", "23.10", "23.26")
def test_completing_costs_the_whole_price_in_the_currency_of_the_marker() -> None:
    """Worked example: 11 in the marker's currency; exactly 11 grants an action, 6 (the rest) is illegal."""
    game = built("dukat")
    give_turn(game, 0)
    hand(game, 0, "dukat-6 dukat-5 denar-5 denar-6")
    assert fact(refused(game, f"complete_site {GARDEN} dukat-6"), "UNDERPAID") == {"due": 11, "paid": 6}
    assert "WRONG_CURRENCY" in codes(refused(game, f"complete_site {GARDEN} denar-5 denar-6"))
    events = play(game, f"complete_site {GARDEN} dukat-5 dukat-6")
    assert events_of(events, "site_completed") == [{"seat": 0, "tile": GARDEN, "currency": "dukat"}]
    assert events_of(events, "bonus_action")
    assert asked(game) == ("action", 0)
    assert count_buildings(game, 0)["garden"] == 1
    assert "site-dukat" in game.state.box
    assert sites(game).on == {}


@pytest.mark.rule("23.9")
def test_overpaying_a_completion_ends_the_turn() -> None:
    game = built("dukat")
    give_turn(game, 0)
    hand(game, 0, "dukat-6 dukat-7")
    events = play(game, f"complete_site {GARDEN} dukat-6 dukat-7")
    assert not events_of(events, "bonus_action")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("23.11")
def test_a_site_in_the_reserve_can_be_completed_there() -> None:
    game = building_yard(cards="gulden-9 gulden-2")
    market(game)
    in_reserve(game, 0, GARDEN, "gulden")
    play(game, f"complete_site {GARDEN} gulden-9 gulden-2")
    assert game.state.covered == ()
    assert game.state.seats[0].reserve == (GARDEN,)
    assert legal(game, f"add {GARDEN} @1,0")


@pytest.mark.rule("23.8")
def test_completion_may_be_a_further_action() -> None:
    game = building_yard(cards="dukat-6 gulden-9 gulden-2")
    market(game, dukat="pavilion-6-n")
    in_reserve(game, 0, GARDEN, "gulden")
    play(game, "buy market-dukat dukat-6")
    assert legal(game, f"complete_site {GARDEN} gulden-9 gulden-2")


@pytest.mark.rule("23.11")
def test_only_an_own_site_can_be_completed() -> None:
    game = building_yard(cards="gulden-9 gulden-2")
    market(game)
    in_reserve(game, 1, GARDEN, "gulden")
    faults = refused(game, f"complete_site {GARDEN} gulden-9 gulden-2")
    assert fact(faults, "NOT_THERE") == {"id": GARDEN, "place": "held"}
    assert codes(refused(game, "complete_site tower-11 gulden-9 gulden-2")) == ["NOT_THERE"]
    assert codes(refused(game, Move("complete_site", "castle", cards=("gulden-2", "gulden-9")))) == ["ID_UNKNOWN"]


# -- The end -----------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("23.16", "23.17", "23.18", "23.27")
def test_at_the_end_cards_of_built_sites_are_lost_and_those_of_reserved_sites_kept() -> None:
    """Worked example: a built site with a denar marker, one in the reserve with dirham."""
    game = building_yard(cards="denar-5 denar-9 dirham-7 gulden-3")
    market(game)
    alhambra(game, 0, {(1, 0): "garden-10"})
    lay_site(game, 0, "garden-10", "denar")
    in_reserve(game, 0, "tower-11", "dirham")
    events = end_game(game)
    assert events_of(events, "sites_revealed") == [{"seat": 0, "tiles": ("garden-10",), "currencies": ("denar",)}]
    assert events_of(events, "cards_forfeited") == [{"seat": 0, "cards": ("denar-5", "denar-9")}]
    assert {"dirham-7", "gulden-3"} <= set(game.state.seats[0].hand)
    assert {"denar-5", "denar-9"} <= set(game.state.discard)
    assert points(events, "majority", type="garden") == {}


@pytest.mark.rule("23.17")
def test_the_money_is_lost_before_leftover_tiles_are_given_out() -> None:
    game = building_yard(cards="denar-9")
    market(game, denar="tower-11")
    hand(game, 1, "denar-1")
    alhambra(game, 0, {(1, 0): "garden-10"})
    lay_site(game, 0, "garden-10", "denar")
    events = end_game(game)
    assert kinds(events).index("cards_forfeited") < kinds(events).index("leftover_awarded")
    assert [award["seat"] for award in events_of(events, "leftover_awarded")] == [1]


@pytest.mark.rule("23.16")
def test_without_a_site_in_the_alhambra_nothing_is_revealed_or_lost() -> None:
    game = building_yard(cards="denar-9")
    market(game)
    in_reserve(game, 0, "tower-11", "denar")
    assert not {"sites_revealed", "cards_forfeited"} & set(kinds(end_game(game)))


@pytest.mark.rule("23.16")
def test_sites_are_revealed_in_the_order_of_building() -> None:
    """Not in that in which they were sold: that order is lost when the game is stored."""
    game = building_yard()
    market(game)
    alhambra(game, 0, {(1, 0): "garden-10", (2, 0): "tower-11"})
    lay_site(game, 0, "tower-11", "denar")
    lay_site(game, 0, "garden-10", "gulden")
    revealed = events_of(end_game(game), "sites_revealed")
    assert revealed == [{"seat": 0, "tiles": ("garden-10", "tower-11"), "currencies": ("gulden", "denar")}]


@pytest.mark.rule("23.16")
def test_after_the_reveal_everybody_sees_the_markers_of_built_sites_only() -> None:
    game = building_yard(cards="denar-9")
    market(game, dukat="pavilion-8")
    alhambra(game, 0, {(1, 0): "garden-10"})
    lay_site(game, 0, "garden-10", "denar")
    in_reserve(game, 1, "tower-11", "dirham")
    display(game, "dukat-2")
    end_game(game)
    assert asked(game) == ("leftover_tiles", 0)
    assert pieces(game, "building_sites", 2, seat=0) == [
        {"kind": "site", "seat": 0, "tile": "garden-10", "currency": "denar"}
    ]
    assert pieces(game, "building_sites", 2, seat=1) == [
        {"kind": "site", "seat": 1, "tile": "tower-11", "choice": "face_down"}
    ]
    for number in range(8):
        assert game.determinize(2, Random(number)).module_state(type(sites(game))).on["garden-10"] == (0, "denar")


# -- Hidden things -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.28")
def test_the_owner_knows_the_marker_and_nobody_else_does() -> None:
    game = built("dukat")
    assert pieces(game, "building_sites", 0, tile=GARDEN) == [
        {"kind": "site", "seat": 0, "tile": GARDEN, "currency": "dukat", "choice": "face_down"}
    ]
    for viewer in (1, 2, None):
        assert pieces(game, "building_sites", viewer, tile=GARDEN) == [
            {"kind": "site", "seat": 0, "tile": GARDEN, "choice": "face_down"}
        ]


@pytest.mark.rule("23.6", "23.28")
def test_what_is_drawn_and_kept_is_told_to_the_buyer_alone() -> None:
    game = building_yard()
    only_markers(game, "dukat", "gulden")
    (began,) = (event for event in start(game) if event.kind == "site_started")
    (kept,) = (event for event in play(game, "keep_marker", currency="dukat") if event.kind == "marker_kept")
    assert began.seen_by(0)["private"] == {"currencies": ("dukat", "gulden")}
    assert kept.seen_by(0)["private"] == {"currency": "dukat"}
    for viewer in (1, 2, None):
        assert "private" not in began.seen_by(viewer)
        assert "private" not in kept.seen_by(viewer)


@pytest.mark.rule("23.28", "23.30")
def test_another_seat_can_tell_neither_the_choice_nor_the_markers_it_is_made_from() -> None:
    game = building_yard()
    start(game)
    pairs = {game.determinize(1, Random(number)).module_state(type(sites(game))).drawn for number in range(80)}
    assert len(pairs) == 10, "every pair of two markers is possible"
    play(game, "keep_marker", currency=sites(game).drawn[0])
    markers = {game.determinize(1, Random(number)).module_state(type(sites(game))).on[GARDEN] for number in range(60)}
    assert len(markers) == 4
    resampled = game.determinize(0, Random(0))
    assert resampled.module_state(type(sites(game))).on == sites(game).on


@pytest.mark.rule("23.28")
def test_a_buyer_remembers_the_marker_put_back_until_another_seat_draws() -> None:
    game = building_yard()
    only_markers(game, "dukat", "gulden")
    kept = sites(game)
    kept.on = {"tower-11": (1, "denar"), "tower-12": (1, "dirham")}
    start(game)
    play(game, "keep_marker", currency="dukat")
    resampled_games = {game.determinize(0, Random(number)).module_state(type(kept)).stack for number in range(20)}
    assert resampled_games == {("gulden",)}
    resampled_games = {game.determinize(2, Random(number)).module_state(type(kept)).stack for number in range(60)}
    assert resampled_games == {("gulden",), ("denar",), ("dirham",), ("dukat",)}
    for number in range(20):
        resampled = game.determinize(2, Random(number))
        assert resampled.determinize(0, Random(number)).view(0) == resampled.view(0), "a twin of a twin"


@pytest.mark.rule("23.30")
def test_starting_a_site_cannot_be_taken_back_but_the_choice_of_a_marker_can() -> None:
    game = building_yard()
    start(game)
    assert game.can_undo(0) is not None
    play(game, "keep_marker", currency=sites(game).drawn[0])
    assert game.can_undo(0) is None


# -- An oracle ---------------------------------------------------------------------------------------------------------


def prefers_sites(game: Game, rng: Random) -> Move:
    """A random move; often one that starts or completes a site, where there is one."""
    for verb in ("complete_site", "buy") if rng.random() < 0.6 else ():
        found = game.sample_move(verb, rng.randrange)
        if found is not None and (found.choice == "site" or verb == "complete_site"):
            return found
    return game.random_move(rng)


@pytest.mark.rule("23.17", "23.18", "23.48")
@pytest.mark.parametrize("modules", [(), ("personal_building_market",)])
@pytest.mark.parametrize("number", range(8))
def test_unfinished_tiles_forfeits_and_majorities_agree_with_a_second_account(
    number: int, modules: tuple[str, ...]
) -> None:
    seats = 2 + number % 3
    game = Game.new(Options(seats, f"ledger {number}", modules=["building_sites", *modules]))
    rng, ledger = Random(number), Ledger()
    while not game.over:
        if seats > 2 and number % 2 and len(game.log) == 60:
            game.resign(1)
        else:
            game.apply(prefers_sites(game, rng))
        for event in game.events:
            ledger.follow(event)
            if event.kind == "scored" and event.public["reason"] == "majority" and event.public["seat"] < seats:
                count = ledger.buildings(game, event.public["seat"], event.public["type"])
                assert count == event.public["count"] // 2, event
        assert set(game.state.covered) == set(ledger.sites)
        assert sites(game).on == ledger.sites
        assert sorted(sites(game).stack) == sorted(ledger.left)


@pytest.mark.rule("23.17")
@pytest.mark.parametrize("number", range(12))
def test_what_is_forfeited_agrees_with_a_second_account(number: int) -> None:
    rng = Random(number)
    game = building_yard(cards="")
    market(game)
    ledger = Ledger()
    for seat, tiles in enumerate(
        (("garden-10", "tower-11", "arcades-10"), ("garden-9-e",), ("tower-12", "garden-12-s"))
    ):
        alhambra(game, seat, {(x + 1, 0): tile for x, tile in enumerate(tiles[:2]) if "-e" not in tile or not x})
        hand(game, seat, *rng.sample([card for card in set(game.state.deck) if game.ruleset.cards[card].value], 9))
        for tile in list(game.state.seats[seat].board.placed)[1:]:
            marker = rng.choice(sites(game).stack)
            lay_site(game, seat, tile, marker)
            ledger.sites[tile] = (seat, marker)
    display(game)
    before = game.clone()
    expected = {seat: cards for seat in range(3) if (cards := ledger.forfeits(before, seat))}
    game.state.decision = None
    game.push_procedure("end")
    game._run_agenda()
    assert {line["seat"]: sorted(line["cards"]) for line in events_of(game.events, "cards_forfeited")} == expected
