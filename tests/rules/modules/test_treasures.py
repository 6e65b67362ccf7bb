"""42 The treasures: what is missing from a payment."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Event, Game, Options
from alhambra.invariants import census
from alhambra.modules.invaders import SCOUTS, Invaders
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.treasures import VALUES, Treasures
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    reserve,
    table,
    take_turn,
)


def treasures(seats: int = 3, *modules: str, without: tuple[int, ...] = ()) -> Game:
    """Arcades for 9 on the denar space, 7 denars in hand; the treasures of these values are gone."""
    game = table(seats, modules=["treasures", *modules])
    market(game, denar="arcades-9")
    hand(game, 0, "denar-7")
    give(game, 0, *(value for value in VALUES.values() if value not in without))
    return game


def give(game: Game, seat: int, *values: int) -> None:
    """The seat has exactly these treasures; the others have left the game."""
    held = list(game.module_state(Treasures).held)
    kept = tuple(f"treasure-{value}" for value in values)
    game.state.box = (*game.state.box, *(treasure for treasure in held[seat] if treasure not in kept))
    held[seat] = kept
    game.module_state(Treasures).held = tuple(held)


def last_scoring(game: Game) -> list[Event]:
    """The game ends, and no tile is left over."""
    market(game)
    return end_game(game)


def treasure(value: int) -> tuple[str, ...]:
    return (f"treasure-{value}",)


@pytest.mark.rule("42.5")
def test_a_treasure_that_was_used_leaves_the_game_once_and_the_others_keep_theirs() -> None:
    game = treasures()
    hand(game, 1, "denar-7")
    display(game, "dukat-1")
    take_turn(game)
    held = game.module_state(Treasures).held
    play(game, "buy market-denar denar-7", items=treasure(2))
    left = tuple(piece for piece in held[1] if piece != "treasure-2")
    assert game.module_state(Treasures).held == (held[0], left, held[2])
    assert game.state.box.count("treasure-2") == 1


@pytest.mark.rule("42.1", "42.5")
def test_every_treasure_of_every_seat_is_kept_or_out_of_the_game() -> None:
    game = treasures()
    play(game, "buy market-denar denar-7", items=treasure(2))
    counted = {piece: count for piece, count in census(game).items() if piece.startswith("treasure-")}
    assert counted == dict.fromkeys(VALUES, 3)


@pytest.mark.rule("42.2", "42.24")
def test_everybody_starts_with_five_open_treasures() -> None:
    game = Game.new(Options(4, "five", modules=["treasures"]))
    for viewer in (None, 2):
        assert pieces(game, "treasures", viewer) == [
            {"kind": "treasure", "piece": f"treasure-{value}", "seat": seat}
            for seat in range(4)
            for value in (1, 2, 3, 4, 5)
        ]


@pytest.mark.rule("42.3", "42.4", "42.5", "42.17")
def test_a_treasure_that_is_worth_more_than_is_missing_makes_the_payment_exact() -> None:
    """Worked example."""
    game = treasures(without=(2,))
    events = play(game, "buy market-denar denar-7", items=treasure(3))
    paid = events_of(events, "paid")[0]
    assert (paid["due"], paid["paid"], paid["exact"]) == (9, 7, True)
    assert "bonus_action" in kinds(events)
    assert game.module_state(Treasures).held[0] == ("treasure-1", "treasure-4", "treasure-5")
    assert game.state.box[-1] == "treasure-3"


@pytest.mark.rule("42.6", "42.18")
def test_kept_treasures_score_their_values_at_the_end() -> None:
    """Worked example."""
    game = treasures()
    give(game, 0, 1, 4, 5)
    give(game, 1)
    events = last_scoring(game)
    assert points(events, "treasures") == {0: 10, 2: 15}
    assert [line["scoring"] for line in events_of(events, "scored") if line["reason"] == "treasures"] == [3, 3]


@pytest.mark.rule("42.19", "42.20")
def test_a_treasure_is_refused_where_nothing_is_missing() -> None:
    """Worked example."""
    game = treasures()
    hand(game, 0, "denar-9")
    assert fact(refused(game, "buy market-denar denar-9", items=treasure(1)), "NO_EFFECT") == {"id": "treasure-1"}


@pytest.mark.rule("42.6")
@pytest.mark.parametrize("number", [1, 2])
def test_scorings_before_the_last_do_not_count_treasures(number: int) -> None:
    events = hold_scoring(treasures(), number)
    assert "scoring_ended" in kinds(events)
    assert points(events, "treasures") == {}


@pytest.mark.rule("42.20")
def test_a_treasure_that_is_too_small_does_not_help() -> None:
    game = treasures()
    assert fact(refused(game, "buy market-denar denar-7", items=treasure(1)), "UNDERPAID") == {"due": 9, "paid": 8}


@pytest.mark.rule("42.20")
def test_a_treasure_alone_can_pay() -> None:
    game = treasures()
    market(game, denar="pavilion-2-new")
    events = play(game, "buy market-denar", items=treasure(4))
    assert (events_of(events, "paid")[0]["paid"], events_of(events, "paid")[0]["exact"]) == (0, True)


@pytest.mark.rule("42.21")
def test_one_treasure_goes_with_a_purchase_and_one_with_each_further_purchase() -> None:
    game = treasures()
    market(game, denar="arcades-9", gulden="pavilion-2-new")
    both = (*treasure(1), *treasure(2))
    assert "COMBINATION_FORBIDDEN" in codes(refused(game, "buy market-denar denar-7", items=both))
    play(game, "buy market-denar denar-7", items=treasure(2))
    play(game, "buy market-gulden", items=treasure(3))
    assert game.module_state(Treasures).held[0] == ("treasure-1", "treasure-4", "treasure-5")


@pytest.mark.rule("42.22")
def test_superfluous_cards_are_allowed_while_something_is_missing() -> None:
    game = treasures()
    hand(game, 0, "denar-5 denar-3")
    assert legal(game, "buy market-denar denar-3 denar-5", items=treasure(5))
    assert legal(game, "buy market-denar denar-5", items=treasure(5))


@pytest.mark.rule("42.5")
def test_a_used_treasure_cannot_be_used_again() -> None:
    game = treasures()
    market(game, denar="arcades-9", gulden="pavilion-2-new")
    play(game, "buy market-denar denar-7", items=treasure(2))
    assert fact(refused(game, "buy market-gulden", items=treasure(2)), "NOT_THERE")["place"] == "held"


@pytest.mark.rule("42.8")
def test_treasures_do_not_count_when_leftover_tiles_are_given_out() -> None:
    game = treasures()
    hand(game, 0)
    display(game, "dukat-1")
    awarded = events_of(end_game(game), "leftover_awarded")
    assert dict(awarded[0]["totals"]) == {0: 0, 1: 0, 2: 0}


@pytest.mark.rule("42.26")
def test_treasures_of_a_seat_that_resigned_score_nothing() -> None:
    game = treasures()
    game.resign(1)
    assert points(last_scoring(game), "treasures") == {0: 15, 2: 15}


@pytest.mark.rule("42.7")
def test_dirk_has_no_treasures() -> None:
    game = treasures(2)
    assert points(last_scoring(game), "treasures") == {0: 15, 1: 15}


@pytest.mark.rule("42.6")
@pytest.mark.parametrize("number", range(5))
def test_the_points_are_the_sum_of_what_lies_before_a_seat(number: int) -> None:
    rng = Random(number)
    game = treasures(4)
    expected = {}
    for seat in range(4):
        values = sorted(rng.sample(range(1, 6), rng.randint(0, 5)))
        give(game, seat, *values)
        if values:
            expected[seat] = sum(values)
    assert points(last_scoring(game), "treasures") == expected


# -- With other modules ------------------------------------------------------------------------------------------------


@pytest.mark.rule("42.9")
def test_a_vizier_may_use_a_treasure_because_the_payment_is_exact() -> None:
    game = treasures(3, "viziers_favour")
    market(game, denar="arcades-9", gulden="tower-11", dirham="garden-11", dukat="tower-12")
    hand(game, 1, "denar-8")
    display(game, "gulden-1")
    take_turn(game)
    events = play(game, "buy market-denar denar-8", items=treasure(2))
    assert "vizier_slept" in kinds(events)
    assert "bonus_action" not in kinds(events)


@pytest.mark.rule("42.10", "15.17")
def test_a_purchase_with_a_treasure_wins_a_scout() -> None:
    game = treasures(3, "invaders")
    scout = next(piece for piece, kind in SCOUTS.items() if kind == "arcades")
    others = [piece for piece in SCOUTS if piece != scout]
    game.module_state(Invaders).open, game.module_state(Invaders).scouts = (scout, others[0]), tuple(others[1:])
    assert "scout_won" in kinds(play(game, "buy market-denar denar-7", items=treasure(2)))


@pytest.mark.rule("42.11")
def test_with_a_treasure_nothing_is_overpaid_so_there_is_neither_change_nor_a_certificate() -> None:
    game = treasures(3, "change", "exchange_certificates")
    events = play(game, "buy market-denar denar-7", items=treasure(5))
    assert "coins_drawn" not in kinds(events)
    assert game.decision is not None
    assert game.decision.kind == "action"


@pytest.mark.rule("42.13", "06.23")
def test_a_treasure_fills_what_diamonds_leave_missing() -> None:
    game = treasures(3, "diamonds")
    hand(game, 0, "diamond-8 denar-7")
    assert legal(game, "buy market-denar diamond-8", items=treasure(1))
    assert "MIX_FORBIDDEN" in codes(refused(game, "buy market-denar diamond-8 denar-7", items=treasure(1)))


@pytest.mark.rule("42.14", "22.44")
def test_the_surcharge_of_a_watchtower_is_part_of_what_can_be_missing() -> None:
    game = treasures(3, "watchtowers")
    alhambra(game, 0, {(1, 0): "arcades-10"})
    hand(game, 0, "denar-9 denar-3")
    events = play(game, "buy market-denar denar-3 denar-9", choice="watchtower", items=treasure(3))
    assert events_of(events, "paid")[0]["due"] == 15


@pytest.mark.rule("41.13", "42.16")
def test_a_seller_gets_the_money_but_not_the_treasure() -> None:
    game = treasures(3, "personal_building_market")
    market(game)
    reserve(game, 1, "arcades-9")
    game.state.seats[1].reserve = ()
    game.module_state(Markets).lying = (("",) * 4, ("", "", "arcades-9", ""), ("",) * 4)
    play(game, "buy denar-7", slot="personal-1-denar", items=treasure(2))
    assert game.state.seats[1].hand == ("denar-7",)
    assert "treasure-2" in game.state.box


@pytest.mark.rule("42.12", "42.25", "18.36")
def test_treasures_pay_neither_a_sultan_card_nor_a_bid_for_a_project() -> None:
    game = treasures(3, "power_of_the_sultan", "major_construction_projects")
    deck(game, "sultan_denar_1")
    game.state.deck = game.state.deck[:-1]
    game.state.piles = (*game.state.piles[:-1], game.state.piles[-1] - 1)
    game.module_state(Sultan).marks = {"sultan_denar_1": "garden"}
    hand(game, 0, "denar-6 denar-9")
    violations = refused(game, "buy denar-6", slot="sultan", piece="sultan_denar_1", items=treasure(1))
    assert fact(violations, "NOT_ACCEPTED") == {"id": "treasure-1", "purchase": "buy"}
    violations = refused(game, "bid_project denar-9", items=treasure(5))
    assert fact(violations, "NOT_ACCEPTED") == {"id": "treasure-5", "purchase": "project"}
