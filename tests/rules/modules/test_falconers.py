"""21 Falconers: falcons sit where four tiles meet, and score by their colour."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from alhambra import TYPES, Game, Move, Options
from alhambra.components import Cell
from alhambra.modules.falconers import FALCONS, PLUMAGE, POINTS, Falcons, fitting
from tests.rules.falconers_oracle import legal_falcons, points_for
from tests.rules.modules.characters_table import asked
from tests.rules.modules.falconers_table import (
    BLOCK,
    CHAMBERS_GARDEN,
    CHAMBERS_TOWER,
    GARDEN_TOWER,
    buy,
    falconers,
    perch,
    sitting,
)
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
)

# -- The falcons -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("21.1")
def test_five_falcons_of_each_colour_show_every_pair_of_building_colours_once() -> None:
    assert Counter(PLUMAGE.values()) == {"black": 5, "brown": 5, "white": 5}
    assert {*FALCONS.values()} == {frozenset(pair) for pair in combinations(TYPES, 2)}
    assert len(FALCONS) == 15


@pytest.mark.rule("21.2")
def test_everybody_sees_the_supply_and_where_falcons_sit() -> None:
    game = falconers()
    assert len(pieces(game, "falconers", None, seat=None)) == 15
    buy(game)
    assert pieces(game, "falconers", 2, seat=0) == [
        {"kind": "falcon", "piece": GARDEN_TOWER, "choice": "white", "seat": 0, "cell": (0, 0), "side": "SE"}
    ]
    assert len(pieces(game, "falconers", None, seat=None)) == 14


# -- Where they sit ----------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("21.9", "21.10", "21.20")
@pytest.mark.parametrize(
    ("fourth", "cell"),
    [(None, (0, 0)), ("tower-12", (1, 0)), ("garden-11", (1, 0)), ("chambers-11", (1, 0))],
)
def test_a_falcon_is_legal_if_both_colours_are_shown_by_the_four_tiles(fourth: str | None, cell: Cell) -> None:
    """Worked example: tower, garden, chambers, and as the fourth the fountain or another one of these."""
    tiles = (
        BLOCK if fourth is None else {(1, 0): "tower-11", (2, 0): "garden-10", (1, 1): "chambers-10", (2, 1): fourth}
    )
    game = falconers(tiles=tiles)
    shown = {"tower", "garden", "chambers"}
    at = f"@{cell[0]},{cell[1]}"
    for falcon, colours in FALCONS.items():
        assert legal(game, f"buy_falcon {falcon} {at} denar-1", side="SE") == (colours <= shown), falcon


@pytest.mark.rule("21.9")
def test_a_colour_that_is_missing_is_named() -> None:
    game = falconers()
    faults = refused(game, "buy_falcon falcon_black_arcades_garden @0,0 denar-1", side="SE")
    assert fact(faults, "TYPE_MISMATCH") == {"expected": ["arcades", "garden"], "got": ["chambers", "garden", "tower"]}


@pytest.mark.rule("21.11")
def test_one_falcon_sits_on_a_point() -> None:
    game = falconers()
    perch(game, 0, **{GARDEN_TOWER: (0, 0)})
    assert fact(refused(game, f"buy_falcon {CHAMBERS_TOWER} @0,0 denar-2", side="SE"), "PLACE_TAKEN") == {
        "cell": [0, 0]
    }


@pytest.mark.rule("21.8")
def test_a_point_needs_four_tiles() -> None:
    game = falconers(tiles={(1, 0): "tower-11", (0, 1): "garden-10"})
    assert codes(refused(game, f"buy_falcon {GARDEN_TOWER} @0,0 denar-1", side="SE")) == ["NOT_THERE"]
    assert not any(move.verb == "buy_falcon" for move in game.moves())


@pytest.mark.rule("21.39")
def test_a_point_is_spelled_in_one_way() -> None:
    game = falconers()
    for cell, side in (("@1,1", "NW"), ("@0,1", "NE"), ("@1,0", "SW"), ("@0,0", "S")):
        assert "NOUN_MALFORMED" in codes(refused(game, f"buy_falcon {GARDEN_TOWER} {cell} denar-1", side=side))


@pytest.mark.rule("25.19", "28.38", "21.23", "21.34")
@pytest.mark.parametrize(
    ("module", "kind"),
    [
        ("squares", "square"),
        ("military_camps", "camp"),
        ("bazaars", "bazaar"),
        ("watchtowers", "watchtower"),
        ("magical_buildings", "magical"),
        ("medina", "medina"),
        ("new_building_grounds", "ground"),
        ("major_construction_projects", "project"),
        ("bathhouses", "bathhouse"),
        ("wishing_well", "well"),
    ],
)
def test_only_standard_buildings_and_the_fountain_carry_a_falcon(module: str, kind: str) -> None:
    game = falconers(3, module, tiles={(1, 0): "tower-11", (0, 1): "garden-10"})
    other = next(tile for tile in game.ruleset.tiles.values() if tile.kind == kind)
    game.state.seats[0].board.put(other, 1, 1)
    faults = refused(game, f"buy_falcon {GARDEN_TOWER} @0,0 denar-1", side="SE")
    assert fact(faults, "NOT_ELIGIBLE") == {"tile": other.id, "for": "falcon"}
    assert not any(move.verb == "buy_falcon" for move in game.moves())


@pytest.mark.rule("21.24")
def test_an_unfinished_building_may_be_one_of_the_four_but_shows_no_colour() -> None:
    game = falconers()
    game.state.covered = ("tower-11",)
    assert codes(refused(game, f"buy_falcon {GARDEN_TOWER} @0,0 denar-1", side="SE")) == ["TYPE_MISMATCH"]
    assert legal(game, f"buy_falcon {CHAMBERS_GARDEN} @0,0 denar-1", side="SE")


@pytest.mark.rule("21.30")
def test_walls_between_the_four_tiles_do_not_matter() -> None:
    tiles = {(1, 0): "tower-10-w", (0, 1): "garden-10", (1, 1): "chambers-10"}
    game = falconers(tiles={})
    for cell, tile in tiles.items():
        game.state.seats[0].board.put(game.ruleset.tiles[tile], *cell)
    assert legal(game, f"buy_falcon {GARDEN_TOWER} @0,0 denar-1", side="SE")


@pytest.mark.rule("21.32")
def test_a_tile_that_is_not_placed_yet_cannot_be_used() -> None:
    game = falconers(tiles={(1, 0): "tower-11", (0, 1): "garden-10"})
    game.state.seats[0].pending = ("chambers-10",)
    assert codes(refused(game, f"buy_falcon {GARDEN_TOWER} @0,0 denar-1", side="SE")) == ["NOT_THERE"]


@pytest.mark.rule("21.12")
def test_a_falcon_that_sits_somewhere_is_not_for_sale() -> None:
    game = falconers()
    perch(game, 1, **{GARDEN_TOWER: (0, 0)})
    faults = refused(game, f"buy_falcon {GARDEN_TOWER} @0,0 denar-1", side="SE")
    assert fact(faults, "NOT_THERE") == {"id": GARDEN_TOWER, "place": "supply"}
    assert codes(refused(game, Move("buy_falcon", piece="owl", cell=(0, 0), side="SE", cards=("denar-1",)))) == [
        "ID_UNKNOWN"
    ]


# -- The price ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("21.5", "21.6", "21.29")
def test_a_falcon_costs_one_money_card_of_any_value_and_currency() -> None:
    for card in ("denar-1", "gulden-9", "dukat-4"):
        game = falconers(cards="denar-1 gulden-9 dukat-4")
        events = buy(game, card=card)
        assert events_of(events, "falcon_placed") == [
            {"seat": 0, "piece": GARDEN_TOWER, "cell": (0, 0), "side": "SE", "cards": (card,)}
        ]
        assert card in game.state.discard
        assert card not in game.state.seats[0].hand
        assert not events_of(events, "bonus_action")


@pytest.mark.rule("21.5")
def test_it_is_exactly_one_card_from_the_own_hand() -> None:
    game = falconers()
    spelled = f"buy_falcon {GARDEN_TOWER} @0,0"
    assert fact(refused(game, f"{spelled} denar-1 denar-2", side="SE"), "CARD_COUNT") == {"need": 1, "got": 2}
    assert codes(refused(game, spelled, side="SE")) == ["NOUN_MISSING"]
    assert fact(refused(game, f"{spelled} dukat-9", side="SE"), "NOT_THERE") == {"id": "dukat-9", "place": "hand"}
    assert codes(refused(game, spelled, side="SE", cards=("pebble",))) == ["ID_UNKNOWN"]


@pytest.mark.rule("14.19", "21.18", "21.29", "06.14")
def test_a_falcon_is_paid_with_a_diamond_or_a_builder_card_that_then_leaves_the_game() -> None:
    game = falconers(3, "diamonds", cards="diamond-5 denar-1")
    buy(game, card="diamond-5")
    assert "diamond-5" in game.state.discard
    game = falconers(3, "master_builders")
    builder = next(card for card in game.state.deck if card.startswith("builder"))
    hand(game, 0, builder, "denar-1")
    events = buy(game, card=builder)
    assert events_of(events, "card_left_game") == [{"card": builder}]
    assert builder in game.state.box


@pytest.mark.rule("21.28")
def test_no_other_card_pays_for_a_falcon() -> None:
    game = falconers(3, "bureaux_de_change", "city_gates", "city_walls")
    others = [card for card in dict.fromkeys(game.state.deck) if game.ruleset.cards[card].kind in ("bureau", "gate")]
    hand(game, 0, "denar-1", *others)
    assert {game.ruleset.cards[card].kind for card in others} == {"bureau", "gate"}
    for card in others:
        faults = refused(game, f"buy_falcon {GARDEN_TOWER} @0,0 {card}", side="SE")
        assert fact(faults, "NOT_ACCEPTED") == {"id": card, "purchase": "falcon"}


@pytest.mark.rule("21.28")
def test_coins_certificates_and_caravans_pay_for_no_falcon() -> None:
    """A falcon is paid with a card, and items are not among the nouns."""
    game = falconers(3, "change", "exchange_certificates", "caravanserai")
    for item in ("coin-denar", "certificate", "caravanserai_3"):
        faults = refused(game, f"buy_falcon {GARDEN_TOWER} @0,0 denar-1", side="SE", items=(item,))
        assert codes(faults) == ["NOUN_UNEXPECTED"]


# -- The only action of the turn ---------------------------------------------------------------------------------------


@pytest.mark.rule("21.3", "21.35")
def test_falcons_are_bought_one_by_one_and_end_the_actions() -> None:
    tiles = {**BLOCK, (2, 0): "arcades-9", (2, 1): "garden-11"}
    game = falconers(tiles=tiles, cards="denar-1 denar-2 denar-3")
    buy(game)
    assert asked(game) == ("more_falcons", 0)
    buy(game, "falcon_black_arcades_garden", "@1,0", "denar-2")
    assert asked(game) == ("action", 1), "all points are taken"
    assert len(sitting(game)) == 2


@pytest.mark.rule("21.7")
def test_a_player_may_stop_after_any_falcon() -> None:
    tiles = {**BLOCK, (2, 0): "arcades-9", (2, 1): "garden-11"}
    game = falconers(tiles=tiles)
    buy(game)
    play(game, "pass")
    assert asked(game) == ("action", 1)
    assert game.state.seats[0].hand == ("denar-2",)


@pytest.mark.rule("21.35")
def test_without_a_card_left_no_further_falcon_is_asked_for() -> None:
    tiles = {**BLOCK, (2, 0): "arcades-9", (2, 1): "garden-11"}
    game = falconers(tiles=tiles, cards="denar-1")
    buy(game)
    assert asked(game) == ("action", 1)


@pytest.mark.rule("21.37")
def test_whether_a_further_falcon_is_asked_for_does_not_depend_on_the_kind_of_cards() -> None:
    tiles = {**BLOCK, (2, 0): "arcades-9", (2, 1): "garden-11"}
    game = falconers(3, "bureaux_de_change", tiles=tiles)
    bureau = next(card for card in game.state.deck if game.ruleset.cards[card].kind == "bureau")
    hand(game, 0, "denar-1", bureau)
    buy(game)
    assert asked(game) == ("more_falcons", 0)
    assert list(game.moves()) == [Move("pass")]


@pytest.mark.rule("21.4")
def test_falcons_are_refused_as_a_further_action() -> None:
    game = falconers(cards="denar-7 denar-1")
    play(game, "buy market-denar denar-7")
    assert asked(game) == ("action", 0)
    assert fact(refused(game, f"buy_falcon {GARDEN_TOWER} @0,0 denar-1", side="SE"), "SOLE_ACTION") == {
        "verb": "buy_falcon"
    }


@pytest.mark.rule("21.4")
def test_no_other_action_follows_falcons() -> None:
    tiles = {**BLOCK, (2, 0): "arcades-9", (2, 1): "garden-11"}
    game = falconers(tiles=tiles)
    buy(game)
    assert codes(refused(game, "take_money gulden-1")) == ["VERB_NOT_OFFERED"]
    assert {move.verb for move in game.moves()} == {"buy_falcon", "pass"}


@pytest.mark.rule("21.33")
def test_a_player_who_can_buy_a_falcon_may_not_pass() -> None:
    game = falconers()
    display(game)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


@pytest.mark.rule("21.33")
def test_a_player_without_a_money_card_or_a_fitting_point_cannot_choose_the_action() -> None:
    game = falconers(cards="")
    assert not any(move.verb == "buy_falcon" for move in game.moves())
    game = falconers(tiles={(1, 0): "tower-11", (0, 1): "tower-12"})
    assert not any(move.verb == "buy_falcon" for move in game.moves())


def test_a_falcon_can_be_taken_back_until_the_turn_is_over() -> None:
    game = falconers(confirm_turn=True)
    buy(game)
    assert asked(game) == ("end_turn", 0)
    assert game.can_undo(0) is None


# -- Scoring -----------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("21.21")
def test_two_black_falcons_and_a_white_one_score_8() -> None:
    """Worked example: 6 + 2."""
    game = falconers(tiles={})
    perch(game, 0, falcon_black_arcades_tower=(0, 0), falcon_black_arcades_garden=(1, 0), **{GARDEN_TOWER: (2, 0)})
    events = hold_scoring(game, 1)
    assert points(events, "falcons") == {0: 8}
    assert points(events, "falcons", choice="black", count=2) == {0: 6}
    assert points(events, "falcons", choice="white", count=1) == {0: 2}


# worked example
@pytest.mark.rule("21.22")
def test_five_brown_falcons_score_30() -> None:
    """Worked example: all five of one colour."""
    game = falconers(tiles={})
    perch(game, 1, **{falcon: (n, 0) for n, falcon in enumerate(PLUMAGE) if PLUMAGE[falcon] == "brown"})
    assert points(hold_scoring(game, 2), "falcons") == {1: 30}


@pytest.mark.rule("21.15")
def test_one_to_five_falcons_of_a_colour_score_2_6_12_20_30() -> None:
    assert POINTS == {1: 2, 2: 6, 3: 12, 4: 20, 5: 30}


@pytest.mark.rule("21.16")
def test_falcons_score_in_all_three_scorings_and_the_lines_belong_to_the_gains() -> None:
    for number in (1, 2, 3):
        game = falconers(tiles={}, cards="")
        perch(game, 0, falcon_black_arcades_tower=(0, 0))
        market(game)
        lines = [line for line in events_of(hold_scoring(game, number), "scored") if line["reason"] == "falcons"]
        assert [(line["scoring"], line["frame"], line["points"]) for line in lines] == [(number, "S4", 2)]


@pytest.mark.rule("21.40")
def test_falcons_of_a_seat_that_resigned_stay_and_score_nothing() -> None:
    game = falconers(tiles={})
    perch(game, 2, falcon_black_arcades_tower=(0, 0))
    game.resign(2)
    assert sitting(game) == {"falcon_black_arcades_tower": (2, (0, 0))}
    assert points(hold_scoring(game, 1), "falcons") == {}


@pytest.mark.rule("21.38")
def test_a_falcon_stays_if_one_of_its_tiles_is_covered_later() -> None:
    game = falconers()
    perch(game, 0, **{GARDEN_TOWER: (0, 0)})
    game.state.covered = ("tower-11",)
    assert points(hold_scoring(game, 1), "falcons") == {0: 2}
    assert sitting(game) == {GARDEN_TOWER: (0, (0, 0))}


@pytest.mark.rule("21.17")
def test_dirk_has_no_falcons() -> None:
    game = falconers(2, cards="denar-1")
    buy(game)
    market(game)
    assert points(end_game(game), "falcons") == {0: 2}


# -- Every way in which a tile can move --------------------------------------------------------------------------------


@pytest.mark.rule("21.14")
def test_falcon_stays_when_a_tile_is_placed_or_reserved_and_after_a_leftover_tile_is_built() -> None:
    for answer in ("place pavilion-7-e @2,0", "reserve pavilion-7-e"):
        game = falconers(cards="denar-7")
        perch(game, 0, **{GARDEN_TOWER: (0, 0)})
        play(game, "buy market-denar denar-7")
        play(game, "take_money gulden-1")
        play(game, answer)
        assert GARDEN_TOWER in sitting(game)
    game = falconers(cards="denar-9")
    perch(game, 0, **{GARDEN_TOWER: (0, 0)})
    market(game, denar="pavilion-8")
    end_game(game)
    assert asked(game) == ("leftover_tiles", 0)
    assert points(play(game, "place pavilion-8 @-1,0"), "falcons") == {0: 2}


@pytest.mark.rule("21.13")
def test_falcons_that_return_together_are_told_in_the_same_order_by_a_stored_game() -> None:
    """Whatever the order in which they came: it is lost when the game is stored."""
    game = falconers()
    alhambra(game, 0, {**BLOCK, (2, 0): "garden-11", (2, 1): "arcades-9"})
    for falcon, cell in sorted({GARDEN_TOWER: (0, 0), CHAMBERS_GARDEN: (1, 0)}.items(), reverse=True):
        perch(game, 0, **{falcon: cell})
    together = 0
    for move in game.legal_moves():
        if move.verb == "remove":
            played, stored = game.clone(), game.with_state(game.state_bytes())
            told = [
                [event["piece"] for event in events_of(one.apply(move), "falcon_returned")] for one in (played, stored)
            ]
            assert told[0] == told[1]
            together += len(told[0]) > 1
    assert together


# -- An oracle ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("21.8")
@pytest.mark.parametrize("seed", range(6))
def test_fitting_falcons_and_points_agree_with_the_page_on_random_boards(seed: int) -> None:
    others = ["squares", "magical_buildings", "medina", "watchtowers", "major_construction_projects", "military_camps"]
    game = Game.new(Options(seats=3, seed=f"falcons {seed}", modules=["falconers", *others[seed:]]))
    rng, checked = Random(seed), 0
    while not game.over:
        if game.version % 5 == 0:
            sample = game.clone()
            built = list(sample.state.seats[0].board.placed)[1:]
            sample.state.covered = (rng.choice(built),) if built else ()
            for seat in range(3):
                found = {(falcon, *cell) for falcon, cell in fitting(sample, seat)}
                assert found == legal_falcons(sample, seat, sample.module_state(Falcons).sitting)
                checked += bool(found)
        held = list(sitting(game).items())
        falcon = game.sample_move("buy_falcon", rng.randrange) if rng.random() < 0.9 else None
        for event in game.apply(falcon or game.random_move(rng)):
            if event.kind == "scoring_began":
                expected = {
                    seat: points_for([name for name, (owner, _) in held if owner == seat])
                    for seat in range(3)
                    if any(owner == seat for _, (owner, _) in held)
                }
                assert points(game.events, "falcons", scoring=event.public["scoring"]) == expected
    assert checked


@pytest.mark.rule("21.15")
@pytest.mark.parametrize("seed", range(40))
def test_points_agree_with_the_page_for_random_falcons(seed: int) -> None:
    rng = Random(seed)
    game = falconers(tiles={})
    owners = {falcon: rng.randrange(4) for falcon in FALCONS}
    for number, (falcon, owner) in enumerate(owners.items()):
        if owner < 3:
            perch(game, owner, **{falcon: (number, 0)})
    expected = {seat: points_for([falcon for falcon in owners if owners[falcon] == seat]) for seat in range(3)}
    assert points(hold_scoring(game, 1), "falcons") == {seat: total for seat, total in expected.items() if total}


def test_a_board_with_one_falcon_offers_each_other_falcon_on_each_other_point() -> None:
    game = falconers()
    alhambra(game, 0, {**BLOCK, (2, 0): "garden-11", (2, 1): "arcades-9"})
    perch(game, 0, **{GARDEN_TOWER: (0, 0)})
    assert {cell for _, cell in fitting(game, 0)} == {(1, 0)}
    assert GARDEN_TOWER not in {falcon for falcon, _ in fitting(game, 0)}
