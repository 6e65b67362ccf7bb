"""39 Extensions: three cards buy one, a building carries it, and counts as two in majorities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from alhambra import TYPES, Game, Move, Options
from alhambra.components import MAJORITY_VALUES
from alhambra.modules.change import Coins
from alhambra.modules.extensions import Extensions
from alhambra.modules.extensions.extend import LISTED
from tests.rules.base.majority_oracle import shares
from tests.rules.hooks.asking import asked
from tests.rules.modules.extensions_table import PLAYED, attach, extensions, lay, seen
from tests.rules.modules.test_squares import build
from tests.rules.situations import (
    alhambra,
    codes,
    dirk,
    events_of,
    fact,
    hand,
    hold_scoring,
    legal,
    market,
    own,
    pieces,
    play,
    points,
    refused,
    reserve,
)

PAVILION, ARCADES, SERAGLIO = "extension-1-1", "extension-1-2", "extension-1-3"


# -- Setting up --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("39.2", "39.3")
def test_twelve_extensions_two_of_each_type_lie_on_the_fields_by_chance() -> None:
    games = [Game.new(Options(seats=3, seed=f"board {n}", modules=["extensions"])) for n in range(5)]
    for game in games:
        lying = game.module_state(Extensions).lying
        assert Counter(lying.values()) == dict.fromkeys(TYPES, 2)
        assert [*lying] == [f"extension-{column}-{row}" for column in range(1, 5) for row in range(1, 4)]
        assert events_of(game.events, "extensions_laid") == [{"types": tuple(lying.values())}]
    assert len({tuple(game.module_state(Extensions).lying.values()) for game in games}) > 1


@pytest.mark.rule("39.1", "39.32")
def test_everybody_sees_the_extensions_the_patterns_and_the_numbers() -> None:
    game = extensions()
    assert pieces(game, "extensions", None, slot=ARCADES) == [{"kind": "extension", "slot": ARCADES, "type": "arcades"}]
    fields = game.view(None)["slices"]["extensions"]["fields"]
    assert fields[ARCADES] == {"cards": ["gulden", "gulden", "dirham"], "number": 12}
    assert len(fields) == 12


# -- The action --------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("39.4", "39.5", "39.19")
@pytest.mark.parametrize(
    ("slot", "building", "exact"),
    [(ARCADES, "arcades-9", True), (SERAGLIO, "seraglio-9", True), (PAVILION, "pavilion-8", False)],
)
def test_three_cards_worth_11_are_exact_up_to_the_number_beside_the_extension(
    slot: str, building: str, exact: bool
) -> None:
    """Worked example: gulden 5, gulden 2 and dirham 4; the numbers beside arcades and seraglio are 12 and 15, the one
    beside the pavilion is 9."""
    game = extensions()
    alhambra(game, 0, {(1, 0): building})
    hand(game, 0, PLAYED)
    events = play(game, f"extend {PLAYED}", slot=slot)
    assert events_of(events, "extension_taken")[0]["exact"] is exact
    assert bool(events_of(events, "bonus_action")) is exact
    assert asked(game) == (("action", 0) if exact else ("action", 1))
    assert seen(game, building) == [{"seat": 0, "tile": building, "cell": (1, 0), "type": building.partition("-")[0]}]
    assert sorted(game.state.discard) == sorted(PLAYED.split())


@pytest.mark.rule("39.5")
def test_cards_worth_exactly_the_number_are_exact() -> None:
    game = extensions()
    own(game, 0, arcades=1)
    hand(game, 0, "gulden-5 gulden-3 dirham-4")
    events = play(game, "extend gulden-5 gulden-3 dirham-4", slot=ARCADES)
    assert events_of(events, "extension_taken")[0]["exact"] is True
    assert events_of(events, "bonus_action")


@pytest.mark.rule("39.5")
def test_one_more_than_the_number_is_not_exact() -> None:
    game = extensions()
    own(game, 0, arcades=1)
    hand(game, 0, "gulden-5 gulden-4 dirham-4")
    events = play(game, "extend gulden-5 gulden-4 dirham-4", slot=ARCADES)
    assert events_of(events, "extension_taken")[0]["exact"] is False
    assert not events_of(events, "bonus_action")


@pytest.mark.rule("39.5", "39.29")
def test_extending_may_follow_an_exact_payment_and_be_followed_by_another() -> None:
    game = extensions()
    own(game, 0, arcades=1, seraglio=1)
    market(game, denar="chambers-7-sw")
    hand(game, 0, f"{PLAYED} gulden-1 gulden-1 dirham-1 denar-7")
    play(game, "buy market-denar denar-7")
    play(game, f"extend {PLAYED}", slot=ARCADES)
    play(game, "extend gulden-1 gulden-1 dirham-1", slot=SERAGLIO)
    assert game.state.taken == ("buy", "extend", "extend")
    assert game.state.actions == 1


@pytest.mark.rule("39.30")
def test_with_five_actions_at_most_the_fifth_gives_no_further_one() -> None:
    game = extensions(max_actions="five")
    own(game, 0, arcades=1)
    hand(game, 0, PLAYED)
    game.state.taken = ("buy",) * 4
    assert not events_of(play(game, f"extend {PLAYED}", slot=ARCADES), "bonus_action")


@pytest.mark.rule("39.25")
def test_a_field_is_not_refilled() -> None:
    game = extensions()
    own(game, 0, arcades=2)
    hand(game, 0, f"{PLAYED} {PLAYED}")
    play(game, f"extend {PLAYED}", slot=ARCADES)
    play(game, "attach arcades-10")
    assert fact(refused(game, f"extend {PLAYED}", slot=ARCADES), "NOT_THERE") == {"id": ARCADES, "place": "slot"}
    assert len(game.module_state(Extensions).lying) == 11


# -- The cards ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("39.4")
@pytest.mark.parametrize(
    "cards", ["gulden-5 dirham-2 dirham-4", "gulden-5 gulden-2 denar-4", "gulden-5 gulden-2 gulden-4"]
)
def test_the_cards_must_match_the_column(cards: str) -> None:
    game = extensions()
    own(game, 0, arcades=1)
    hand(game, 0, cards)
    faults = refused(game, f"extend {cards}", slot=ARCADES)
    assert fact(faults, "PATTERN_MISMATCH") == {"slot": ARCADES, "pattern": ["gulden", "gulden", "dirham"]}


@pytest.mark.rule("39.21")
@pytest.mark.parametrize(("cards", "got"), [("gulden-5 gulden-2", 2), (f"{PLAYED} gulden-1", 4)])
def test_exactly_three_cards_are_played(cards: str, got: int) -> None:
    game = extensions()
    own(game, 0, arcades=1)
    hand(game, 0, cards)
    assert fact(refused(game, f"extend {cards}", slot=ARCADES), "CARD_COUNT") == {"need": 3, "got": got}


@pytest.mark.rule("39.21")
def test_the_cards_come_from_the_own_hand() -> None:
    game = extensions()
    own(game, 0, arcades=1)
    hand(game, 0, "gulden-5 dirham-4 gulden-1")
    assert codes(refused(game, f"extend {PLAYED}", slot=ARCADES)) == ["NOT_THERE"]
    assert codes(refused(game, Move("extend", slot=ARCADES, cards=("bread", "gulden-1", "gulden-5")))) == ["ID_UNKNOWN"]
    assert codes(refused(game, "extend gulden-5 gulden-5 dirham-4", slot=ARCADES)) == ["NOT_THERE"], "one is held"


@pytest.mark.rule("39.17")
def test_a_builder_card_counts_as_a_3_of_its_currency_and_leaves_the_game() -> None:
    game = extensions(3, "master_builders")
    own(game, 0, arcades=1)
    hand(game, 0, "gulden-5 builder-gulden dirham-4")
    events = play(game, "extend gulden-5 builder-gulden dirham-4", slot=ARCADES)
    assert events_of(events, "extension_taken")[0]["paid"] == 12
    assert "builder-gulden" in game.state.box
    assert sorted(game.state.discard) == ["dirham-4", "gulden-5"]


@pytest.mark.rule("39.21", "06.21")
@pytest.mark.parametrize(
    ("module", "card"), [("diamonds", "diamond-6"), ("bureaux_de_change", "exchange_gulden_dirham")]
)
def test_diamonds_and_bureaux_are_no_money_of_a_pattern(module: str, card: str) -> None:
    game = extensions(3, module)
    own(game, 0, arcades=1)
    hand(game, 0, f"gulden-5 dirham-4 {card}")
    faults = refused(game, f"extend gulden-5 dirham-4 {card}", slot=ARCADES)
    assert fact(faults, "NOT_ACCEPTED") == {"id": card, "purchase": "extension"}


@pytest.mark.rule("39.21", "39.29")
def test_coins_cannot_be_played_and_overpaying_brings_none() -> None:
    game = extensions(3, "change", "exchange_certificates")
    own(game, 0, pavilion=1)
    hand(game, 0, f"{PLAYED} gulden-9 dirham-9")
    assert codes(refused(game, f"extend {PLAYED}", slot=PAVILION, items=("coin-gulden",))) == ["NOUN_UNEXPECTED"]
    play(game, "extend gulden-5 gulden-9 dirham-9", slot=PAVILION)
    assert game.module_state(Coins).held[0] == ()
    assert asked(game) == ("action", 1), "no certificate is saved"


@pytest.mark.rule("39.33")
def test_every_combination_of_cards_is_legal_once_and_a_list_shows_the_cheapest() -> None:
    game = extensions()
    lay(game, "arcades arcades garden")
    own(game, 0, arcades=1)
    gulden, dirham = range(1, 8), range(1, 5)
    hand(game, 0, *(f"gulden-{value}" for value in gulden), *(f"dirham-{value}" for value in dirham))
    moves = [move for move in game.moves() if move.verb == "extend"]
    assert len(moves) == 2 * (7 * 6 // 2) * 4
    listed = [move for move in game.legal_moves() if move.verb == "extend"]
    assert len(listed) == 2 * LISTED == 40
    assert {move.cards for move in listed if move.slot == PAVILION} < {move.cards for move in moves}
    assert listed[0].cards == ("dirham-1", "gulden-1", "gulden-2")


# -- The building ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("39.6")
def test_without_a_building_of_the_type_no_extension_is_taken() -> None:
    game = extensions()
    own(game, 0, tower=2)
    own(game, 1, arcades=1)
    hand(game, 0, PLAYED)
    faults = refused(game, f"extend {PLAYED}", slot=ARCADES)
    assert fact(faults, "CONDITION_UNMET") == {"what": "own_building", "type": "arcades", "need": 1, "have": 0}


@pytest.mark.rule("39.6")
def test_a_building_in_the_reserve_may_be_extended() -> None:
    game = extensions()
    reserve(game, 0, "arcades-9")
    hand(game, 0, PLAYED)
    play(game, f"extend {PLAYED}", slot=ARCADES)
    assert seen(game, "arcades-9") == [{"seat": 0, "tile": "arcades-9", "type": "arcades"}]


@pytest.mark.rule("39.6", "39.22")
def test_a_building_bought_earlier_in_the_turn_may_be_extended() -> None:
    game = extensions()
    market(game, **{"denar": "arcades-9", "gulden": "seraglio-9"})
    hand(game, 0, f"{PLAYED} denar-9")
    assert not legal(game, f"extend {PLAYED}", slot=ARCADES)
    play(game, "buy market-denar denar-9")
    play(game, f"extend {PLAYED}", slot=ARCADES)
    assert seen(game, "arcades-9") == [{"seat": 0, "tile": "arcades-9", "type": "arcades"}]


@pytest.mark.rule("39.8", "39.24")
def test_a_building_is_extended_only_once() -> None:
    game = extensions()
    lay(game, "pavilion arcades arcades")
    alhambra(game, 0, {(1, 0): "arcades-9"})
    hand(game, 0, f"{PLAYED} {PLAYED}")
    play(game, f"extend {PLAYED}", slot=ARCADES)
    faults = refused(game, f"extend {PLAYED}", slot=SERAGLIO)
    assert fact(faults, "CONDITION_UNMET") == {"what": "unextended_building", "type": "arcades", "need": 1, "have": 0}


@pytest.mark.rule("39.7", "39.8")
def test_with_several_buildings_the_player_chooses_one_that_has_no_extension() -> None:
    game = extensions(2)
    alhambra(game, 0, {(1, 0): "arcades-9", (2, 0): "tower-12", (3, 0): "arcades-10"})
    reserve(game, 0, "arcades-8-n")
    attach(game, "arcades-9")
    hand(game, 0, PLAYED)
    dirk(game, "arcades-7-es")
    play(game, f"extend {PLAYED}", slot=ARCADES)
    assert asked(game) == ("attach_extension", 0)
    assert pieces(game, "extensions", 1, seat=0, tile=None) == [{"kind": "extension", "seat": 0, "type": "arcades"}]
    assert {move.tile for move in game.moves()} == {"arcades-10", "arcades-8-n"}
    assert codes(refused(game, "attach arcades-9")) == ["PLACE_TAKEN"]
    assert fact(refused(game, "attach tower-12"), "TYPE_MISMATCH") == {"expected": "arcades", "got": ["tower"]}
    assert codes(refused(game, "attach arcades-7-es")) == ["NOT_THERE"], "it is Dirk's"
    assert codes(refused(game, f"attach {game.board(0).start.id}")) == ["NOT_ELIGIBLE"]
    assert codes(refused(game, Move("attach", "bread"))) == ["ID_UNKNOWN"]
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert events_of(play(game, "attach arcades-8-n"), "extension_attached") == [
        {"seat": 0, "tile": "arcades-8-n", "type": "arcades"}
    ]


# -- Two players -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("39.12", "39.26")
def test_of_two_players_one_may_give_the_extension_to_dirk() -> None:
    game = extensions(2)
    alhambra(game, 0, {(1, 0): "arcades-9"})
    dirk(game, "arcades-10 arcades-6-sw arcades-8-e")
    attach(game, "arcades-9")
    hand(game, 0, PLAYED)
    assert not legal(game, f"extend {PLAYED}", slot=ARCADES), "the own building is extended"
    events = play(game, f"extend {PLAYED}", slot=ARCADES, seat=2)
    assert events_of(events, "extension_attached") == [
        {"seat": 2, "tile": "arcades-6-sw", "type": "arcades", "forced": True}
    ], "the first one in the order of the component data"
    assert events_of(events, "bonus_action")


@pytest.mark.rule("39.26")
def test_the_giver_must_own_a_building_of_the_type_and_dirk_one_without_an_extension() -> None:
    game = extensions(2)
    dirk(game, "arcades-10")
    hand(game, 0, PLAYED)
    faults = refused(game, f"extend {PLAYED}", slot=ARCADES, seat=2)
    assert fact(faults, "CONDITION_UNMET")["what"] == "own_building"
    alhambra(game, 0, {(1, 0): "arcades-9"})
    assert legal(game, f"extend {PLAYED}", slot=ARCADES, seat=2)
    attach(game, "arcades-10")
    faults = refused(game, f"extend {PLAYED}", slot=ARCADES, seat=2)
    assert fact(faults, "CONDITION_UNMET") == {"what": "unextended_building", "type": "arcades", "need": 1, "have": 0}


@pytest.mark.rule("39.27")
@pytest.mark.parametrize(("seats", "seat"), [(2, 0), (2, 1), (3, 2), (3, 1)])
def test_nobody_but_dirk_gets_an_extension_as_a_gift(seats: int, seat: int) -> None:
    game = extensions(seats)
    for player in range(seats):
        own(game, player, arcades=1)
    hand(game, 0, PLAYED)
    assert codes(refused(game, f"extend {PLAYED}", slot=ARCADES, seat=seat)) == ["NOUN_MALFORMED"]


# -- Majorities --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("39.10", "39.20")
def test_two_extended_towers_and_a_plain_one_count_as_five() -> None:
    """Worked example: two extended towers and one plain tower."""
    game = extensions()
    alhambra(game, 0, {(1, 0): "tower-12", (2, 0): "tower-11", (3, 0): "tower-11-s"})
    own(game, 1, tower=4)
    attach(game, "tower-12", "tower-11")
    events = hold_scoring(game, 2)
    assert points(events, "majority", type="tower") == {0: 13, 1: 6}
    line = next(line for line in events_of(events, "scored") if line.get("type") == "tower" and line["seat"] == 0)
    assert line["count"] == 10, "in half buildings"
    assert line["parts"] == (("base", 6), ("extensions", 4))


@pytest.mark.rule("39.12")
def test_an_extended_building_of_dirk_counts_as_two() -> None:
    game = extensions(2)
    own(game, 0, tower=1)
    dirk(game, "tower-8-nes")
    attach(game, "tower-8-nes")
    assert points(hold_scoring(game, 1), "majority", type="tower") == {2: 6}


@pytest.mark.rule("39.13")
def test_a_square_sees_one_building_where_one_is_extended() -> None:
    game = extensions(3, "squares")
    build(game, 0, {(1, 0): "square_garden_2", (1, 1): "garden-11"})
    attach(game, "garden-11")
    line = next(line for line in events_of(hold_scoring(game, 1), "scored") if line.get("type") == "garden")
    assert line["parts"] == (("base", 2), ("squares", 2), ("extensions", 2)), "in half buildings"


@pytest.mark.rule("39.13", "16.32")
def test_a_bazaar_sees_one_building_where_one_is_extended() -> None:
    plain, extended = (extensions(3, "bazaars") for _ in range(2))
    for game in (plain, extended):
        alhambra(game, 0, {(1, 0): "bazaar_1", (2, 0): "garden-11", (1, 1): "tower-12", (2, 1): "arcades-10"})
    attach(extended, "garden-11", "tower-12", "arcades-10")
    gained = points(hold_scoring(extended, 3), "bazaar")
    assert gained == points(hold_scoring(plain, 3), "bazaar") != {}


@pytest.mark.rule("39.11")
def test_an_extension_on_a_building_that_does_not_count_adds_nothing() -> None:
    game = extensions()
    alhambra(game, 0, {(1, 0): "tower-12"})
    alhambra(game, 1, {(1, 0): "tower-11-n"})
    reserve(game, 0, "tower-11")
    attach(game, "tower-11")
    assert points(hold_scoring(game, 1), "majority", type="tower") == {0: 3, 1: 3}


# -- Majorities by an oracle -------------------------------------------------------------------------------------------


def majorities(
    built: Mapping[int, list[str]], extended: set[str], name: str, values: tuple[int, ...]
) -> dict[int, int]:
    """Counts each building of the type as one, and once more if it is extended, then breaks ties in every order."""
    counts = {}
    for seat, tiles in built.items():
        buildings = [tile for tile in tiles if tile.startswith(name)]
        counts[seat] = len(buildings) + len([tile for tile in buildings if tile in extended])
    return {seat: gained for seat, gained in shares(counts, values).items() if gained}


@pytest.mark.rule("39.10")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_oracle_agrees_on_random_alhambras(seats: int) -> None:
    rng = Random(f"extensions {seats}")
    counted = 0
    for _ in range(25):
        game = extensions(seats)
        for seat in range(seats):
            own(game, seat, **{name: rng.randint(0, 2) for name in rng.sample(TYPES[2:], 3)})
        if seats == 2:
            dirk(game, *rng.sample(game.state.tower, 6))
        built = {seat: [*game.board(seat).placed] for seat in range(seats)} | (
            {2: [*game.state.dirk]} if seats == 2 else {}
        )
        tiles = [tile for own_tiles in built.values() for tile in own_tiles if not tile.startswith("start")]
        extended: set[str] = set()
        for tile in rng.sample(tiles, len(tiles)):
            if tile.partition("-")[0] in game.module_state(Extensions).lying.values() and rng.random() < 0.7:
                attach(game, tile)
                extended.add(tile)
        events = hold_scoring(game, 2)
        for name in TYPES:
            expected = majorities(built, extended, name, MAJORITY_VALUES[name][2])
            assert points(events, "majority", type=name) == expected
        counted += len(extended)
    assert counted > 50


def test_the_oracle_counts_the_worked_example() -> None:
    """Two extended towers and a plain one: five."""
    built = {0: ["tower-12", "tower-11", "tower-11-s"], 1: ["tower-9-es"] * 4, 2: ["garden-11"]}
    assert majorities(built, {"tower-12", "tower-11"}, "tower", (13, 6, 0)) == {0: 13, 1: 6}
