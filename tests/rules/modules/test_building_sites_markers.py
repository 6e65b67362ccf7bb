"""23 The building sites: where the markers are, who knows them, and why no site can be started."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import CURRENCIES, Game
from alhambra.base.payment.offers import Offer
from alhambra.invariants import census
from alhambra.modules.building_sites.start_site import as_a_site
from tests.rules.modules import viziers_favour_table
from tests.rules.modules.building_sites_table import (
    FULL,
    GARDEN,
    building_yard,
    built,
    in_reserve,
    lay_site,
    only_markers,
    sites,
    start,
)
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    end_game,
    events_of,
    fact,
    give_turn,
    hand,
    market,
    pieces,
    play,
    refused,
    tower,
)


def markers(game: Game) -> dict[str, int]:
    """How often the census finds each kind of marker."""
    return {thing: count for thing, count in census(game).items() if thing.startswith("site-")}


# -- Where they are ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.1", "23.6", "23.10")
def test_no_marker_is_lost_in_the_stack_in_a_hand_on_a_site_or_after_its_completion() -> None:
    two = dict.fromkeys([f"site-{currency}" for currency in CURRENCIES], 2)
    game = building_yard()
    assert markers(game) == two
    start(game)
    assert markers(game) == two
    currency = sites(game).drawn[0]
    play(game, "keep_marker", currency=currency)
    play(game, f"place {GARDEN} @1,0")
    assert markers(game) == two
    give_turn(game, 0)
    hand(game, 0, f"{currency}-9 {currency}-2")
    play(game, f"complete_site {GARDEN} {currency}-2 {currency}-9")
    assert markers(game) == two


@pytest.mark.rule("23.7")
def test_an_empty_stack_of_markers_is_not_shown() -> None:
    game = building_yard()
    only_markers(game)
    assert pieces(game, "building_sites") == []


@pytest.mark.rule("23.6", "23.28")
def test_while_the_buyer_chooses_the_site_shows_a_marker_without_a_currency_to_everybody() -> None:
    game = building_yard()
    start(game)
    for viewer in (0, 1, None):
        assert pieces(game, "building_sites", viewer, tile=GARDEN) == [
            {"kind": "site", "seat": 0, "tile": GARDEN, "choice": "face_down"}
        ]


@pytest.mark.rule("23.28")
def test_a_buyer_who_draws_again_remembers_what_was_put_back_and_the_others_forget() -> None:
    game = building_yard()
    kept = sites(game)
    only_markers(game, "gulden", "denar", "dirham", "dukat")
    kept.put_back = (("gulden",), ("denar", "dirham", "dukat"), ())
    start(game)
    left = 1 - kept.drawn.count("gulden")
    assert list(kept.put_back) == [("gulden",) * left, (), ()]


@pytest.mark.rule("23.28")
def test_for_a_spectator_any_marker_may_lie_on_a_site() -> None:
    game = built("dukat")
    sites(game).stack = ("gulden", "denar")
    found = {game.determinize(None, Random(number)).module_state(type(sites(game))).on[GARDEN] for number in range(40)}
    assert found == {(0, "dukat"), (0, "gulden"), (0, "denar")}


# -- The end -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.16")
def test_a_marker_that_was_turned_up_is_shown_once_to_its_owner_too() -> None:
    game = building_yard(cards="denar-9")
    market(game, dukat="pavilion-8")
    alhambra(game, 0, {(1, 0): "garden-10"})
    lay_site(game, 0, "garden-10", "denar")
    display(game, "dukat-2")
    end_game(game)
    assert pieces(game, "building_sites", 0, tile="garden-10") == [
        {"kind": "site", "seat": 0, "tile": "garden-10", "currency": "denar"}
    ]


@pytest.mark.rule("23.16")
def test_markers_are_turned_up_from_the_first_seat_on() -> None:
    game = building_yard()
    market(game)
    for seat, tile in enumerate(("garden-10", "tower-11", "tower-12")):
        alhambra(game, seat, {(1, 0): tile})
        lay_site(game, seat, tile, "denar" if seat else "gulden")
    revealed = events_of(end_game(game), "sites_revealed")
    assert [told["seat"] for told in revealed] == [0, 1, 2]


@pytest.mark.rule("23.16", "00.118")
def test_what_ended_the_game_is_not_taken_back_once_markers_were_turned_up() -> None:
    game = building_yard(cards="denar-9 denar-3", undo="by_consent")
    alhambra(game, 0, {(1, 0): "garden-10"})
    lay_site(game, 0, "garden-10", "denar")
    tower(game, only=True)
    hand(game, 1, "dukat-9")
    play(game, "buy market-denar denar-9 denar-3")
    events = play(game, f"reserve {GARDEN}")
    assert events_of(events, "sites_revealed")
    assert not game.over
    refusal = game.can_undo(0, consent=True)
    assert refusal is not None
    assert refusal.metadata["because"] == "revealed"


# -- Why no site can be started ----------------------------------------------------------------------------------------


@pytest.mark.rule("23.25", "23.34")
def test_a_tile_with_an_addition_is_no_site_and_a_site_allows_no_more_than_the_tile() -> None:
    game = building_yard()
    plain = Offer("market-denar", 11, "denar", ("bonus", "site", "coins"), GARDEN)
    assert list(as_a_site(game, 0, plain._replace(choice="watchtower"))) == []
    (site,) = as_a_site(game, 0, plain)
    assert (site.price, site.effects) == (5, ("coins",))


@pytest.mark.rule("23.7")
def test_that_no_marker_is_left_is_told_to_those_only_who_want_a_site() -> None:
    game = building_yard()
    only_markers(game)
    market(game, **{**FULL, "denar": ""})
    assert fact(refused(game, "buy market-denar denar-5"), "NOT_THERE") == {"id": "market-denar", "place": "slot"}
    found = refused(game, "buy market-denar denar-5", choice="site")
    assert fact(found, "NOT_THERE") == {"id": "site", "place": "supply"}


@pytest.mark.rule("23.20")
def test_an_empty_space_is_not_refused_for_a_camp_on_another_one() -> None:
    game = building_yard(3, "military_camps")
    market(game, **{**FULL, "dukat": "camp_N", "denar": ""})
    assert codes(refused(game, "buy market-denar denar-5", choice="site")) == ["NOT_THERE"]


@pytest.mark.rule("23.7", "23.19")
def test_out_of_turn_too_it_is_told_that_no_marker_is_left() -> None:
    game = viziers_favour_table.window(3, "building_sites", cards="denar-4 denar-5")
    only_markers(game)
    found = refused(game, "buy market-denar denar-4", choice="site")
    assert fact(found, "NOT_THERE") == {"id": "site", "place": "supply"}


@pytest.mark.rule("23.11")
def test_sites_of_two_seats_are_completed_by_their_owners_only() -> None:
    game = building_yard(cards="gulden-9 gulden-2")
    market(game)
    in_reserve(game, 0, "tower-11", "gulden")
    in_reserve(game, 1, GARDEN, "gulden")
    assert {move.tile for move in game.moves() if move.verb == "complete_site"} == {"tower-11"}
