"""36 The menagerie: animals come with gardens, walk for a money card, and score in gardens of a single species."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game, Move
from alhambra.components import TYPES
from alhambra.modules.menagerie import MODULE, SPECIES, Menagerie
from alhambra.modules.menagerie.animals import score_animals
from tests.rules.modules.characters_table import asked, give
from tests.rules.modules.menagerie_table import FULL, LINE, at_late, menagerie, on, put, scoring
from tests.rules.modules.power_of_the_sultan_table import held
from tests.rules.modules.watchtowers_table import stand
from tests.rules.situations import (
    alhambra,
    codes,
    dealt_where,
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
    points,
    refused,
    reserve,
    table,
    take_turn,
    tower,
)

# -- Setting up, coming to the market ----------------------------------------------------------------------------------


@pytest.mark.rule("36.1", "36.2")
def test_three_of_each_of_eight_species_and_two_leave_unseen() -> None:
    game = table(modules=["menagerie"], dealt=True)
    kept = game.module_state(Menagerie)
    lying = [species for animals in kept.lying.values() for _, species in animals]
    assert sorted([*kept.supply, *kept.removed, *lying]) == sorted(SPECIES * 3)
    assert len(SPECIES) == 8
    assert len(kept.removed) == 2


@pytest.mark.rule("36.3")
def test_gardens_of_the_first_market_have_two_animals_each() -> None:
    game = table(modules=["menagerie"], dealt=True, seed="many gardens")
    gardens = [tile for tile in game.state.market if tile.startswith("garden")]
    assert {tile: len(on(game, tile)) for tile in game.module_state(Menagerie).lying} == dict.fromkeys(gardens, 2)


@pytest.mark.rule("36.3")
def test_two_animals_come_with_a_garden_that_is_revealed() -> None:
    game = menagerie()
    market(game, **{**FULL, "denar": ""})
    tower(game, "garden-9-e")
    events = take_turn(game)
    (drawn,) = events_of(events, "animals_drawn")
    assert (drawn["slot"], drawn["tile"]) == ("market-denar", "garden-9-e")
    assert list(drawn["pieces"]) == on(game, "garden-9-e")
    assert len(on(game, "garden-9-e")) == 2
    assert len(game.module_state(Menagerie).supply) == 20
    assert [piece["piece"] for piece in pieces(game, "menagerie", tile="garden-9-e")] == on(game, "garden-9-e")


@pytest.mark.rule("36.17")
def test_no_animals_come_with_other_buildings_and_magical_gardens() -> None:
    game = menagerie(3, "magical_buildings")
    market(game, gulden="tower-11", dirham="seraglio-9")
    tower(game, "magical_garden arcades-9")
    assert not events_of(take_turn(game), "animals_drawn")


@pytest.mark.rule("36.11")
def test_dirks_draws_bring_no_animals() -> None:
    game = menagerie(2)
    tower(game, "garden-9-e", "garden-10", "garden-10-n", "garden-10-w", "garden-11", "garden-12-s")
    assert not events_of(scoring(game, 1), "animals_drawn")
    assert "garden-9-e" in game.state.dirk


@pytest.mark.rule("36.17", "18.31")
def test_a_claimed_garden_brings_no_animals() -> None:
    game = menagerie(3, "power_of_the_sultan")
    deck(game, *(f"gulden-{value}" for value in range(1, 10)))
    held(game, 1, "sultan_denar_1", "garden")
    market(game, **{**FULL, "gulden": ""})
    tower(game, "garden-9-e tower-12")
    take_turn(game)
    assert asked(game) == ("claim", 1)
    play(game, "claim", piece="sultan_denar_1")
    assert on(game, "garden-9-e") == []


@pytest.mark.rule("36.32")
def test_an_empty_supply_gives_what_is_left() -> None:
    game = menagerie()
    game.module_state(Menagerie).supply = ("monkey",)
    market(game, gulden="tower-11", dirham="seraglio-9")
    tower(game, "garden-9-e garden-10")
    events = take_turn(game)
    assert [drawn["pieces"] for drawn in events_of(events, "animals_drawn")] == [("monkey",)]
    assert game.module_state(Menagerie).supply == ()


@pytest.mark.rule("36.33")
def test_any_of_the_animals_that_are_face_down_may_come_to_a_garden() -> None:
    drawn = set()
    for number in range(60):
        game = menagerie(seed=f"bag {number}")
        market(game, **{**FULL, "denar": ""})
        tower(game, "garden-9-e")
        take_turn(game)
        drawn.update(on(game, "garden-9-e"))
    assert drawn == set(SPECIES), "the supply lies in the same order in all of these games"


# -- Leading animals ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("36.5", "36.27", "36.28")
def test_the_value_of_the_card_is_the_number_of_steps_of_all_animals_together() -> None:
    """Worked example T2: a card of value 4 for 3 + 1 steps."""
    game = at_late("denar-4")
    events = play(game, "lead_animals denar-4")
    assert events_of(events, "animals_led") == [{"seat": 0, "cards": ("denar-4",), "steps": 4}]
    assert "denar-4" in game.state.discard
    for cell in ("@1,0", "@2,0", "@3,0"):
        play(game, f"step dove {cell}", side="E")
    play(game, "step monkey @1,0", side="W")
    assert on(game, "garden-11") == ["dove"]
    assert on(game, "start-0") == ["monkey"]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("36.5", "36.27")
def test_all_steps_may_go_to_one_animal() -> None:
    """Worked example T2: a card of value 4 for one animal."""
    game = at_late("denar-4")
    play(game, "lead_animals denar-4")
    for cell in ("@1,0", "@2,0", "@3,0", "@4,0"):
        play(game, f"step dove {cell}", side="E" if cell != "@4,0" else "W")
    assert on(game, "tower-12") == ["dove"]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("36.6")
def test_steps_may_be_forfeited() -> None:
    game = at_late()
    play(game, "lead_animals denar-4")
    play(game, "step dove @1,0", side="E")
    play(game, "pass")
    assert asked(game) == ("action", 1)
    assert on(game, "arcades-9") == ["dove"]


@pytest.mark.rule("36.5")
def test_leading_is_optional_and_needs_one_card_from_the_hand() -> None:
    game = at_late()
    assert codes(refused(game, "lead_animals", cards=("denar-4", "dukat-5"))) == ["CARD_COUNT"]
    assert codes(refused(game, "lead_animals denar-9")) == ["NOT_THERE"]
    assert codes(refused(game, "lead_animals", cards=("camel",))) == ["ID_UNKNOWN"]
    play(game, "pass")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("36.28")
def test_one_card_in_a_turn() -> None:
    game = at_late("denar-4 builder-denar", "dove", "master_builders")
    assert asked(game) == ("late", 0)
    play(game, "lead_animals denar-4")
    play(game, "pass")
    assert asked(game) == ("late", 0), "a builder card could still be used"
    assert codes(refused(game, "lead_animals dukat-5")) == ["USED_UP"]
    assert "lead_animals" not in game.view(0)["decision"]["verbs"]


@pytest.mark.rule("36.16")
def test_the_player_chooses_the_order_of_an_extra_redesign_and_the_animals() -> None:
    game = at_late("denar-4 builder-denar", "dove", "master_builders")
    reserve(game, 0, "pavilion-8")
    play(game, "add pavilion-8 @0,1 builder-denar")
    assert asked(game) == ("late", 0)
    play(game, "lead_animals denar-4")
    play(game, "step dove @1,0", side="W")
    play(game, "step dove @0,0", side="S")
    assert on(game, "pavilion-8") == ["dove"]


@pytest.mark.rule("36.30", "36.36")
def test_without_animals_in_the_alhambra_nobody_is_asked_and_leading_is_refused() -> None:
    game = menagerie()
    hand(game, 0, "denar-4")
    alhambra(game, 0, LINE)
    reserve(game, 0, "garden-9-e")
    put(game, "garden-9-e", "dove")
    play(game, "take_money dukat-5")
    assert asked(game) == ("action", 1), "animals in the reserve do not walk"
    game = at_late("builder-denar", "dove", "master_builders")
    game.module_state(Menagerie).lying = {}
    assert fact(refused(game, "lead_animals builder-denar"), "NOT_THERE")["place"] == "alhambra"


@pytest.mark.rule("36.36")
def test_with_an_empty_hand_nobody_is_asked() -> None:
    game = menagerie()
    hand(game, 0, "gulden-9 gulden-2")
    alhambra(game, 0, LINE)
    put(game, "garden-10", "dove")
    play(game, "buy market-gulden gulden-9 gulden-2")
    play(game, "take_money dukat-5")
    play(game, "reserve tower-11")
    assert asked(game) == ("late", 0)
    game = menagerie()
    hand(game, 0, "gulden-9 gulden-3")
    alhambra(game, 0, LINE)
    put(game, "garden-10", "dove")
    play(game, "buy market-gulden gulden-3 gulden-9")
    play(game, "reserve tower-11")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("36.15")
def test_diamonds_and_builder_cards_lead_animals() -> None:
    game = at_late("diamond-4 builder-denar", "dove", "diamonds", "master_builders")
    assert legal(game, "lead_animals diamond-4")
    events = play(game, "lead_animals builder-denar")
    assert events_of(events, "animals_led")[0]["steps"] == 3
    assert events_of(events, "card_left_game") == [{"card": "builder-denar"}]


@pytest.mark.rule("36.15")
def test_a_card_that_is_no_money_leads_nothing() -> None:
    game = at_late("gate", "dove", "city_gates")
    assert fact(refused(game, "lead_animals gate"), "NOT_ELIGIBLE") == {"piece": "gate", "for": "animals"}


@pytest.mark.rule("36.7", "36.13")
def test_a_wall_stops_an_animal_and_a_gate_lets_it_through() -> None:
    game = menagerie(3, "city_gates")
    hand(game, 0, "denar-4")
    alhambra(game, 0, {(1, 0): "garden-9-e", (1, 1): "arcades-9", (2, 1): "tower-12", (2, 0): "chambers-9-w"})
    put(game, "garden-9-e", "dove")
    play(game, "take_money dukat-5")
    play(game, "lead_animals denar-4")
    assert fact(refused(game, "step dove @1,0", side="E"), "STEP_BLOCKED")["because"] == "wall"
    game.state.seats[0].board.add_passage(1, 0, "E")
    play(game, "step dove @1,0", side="E")
    assert on(game, "chambers-9-w") == ["dove"]


@pytest.mark.rule("36.14", "22.41")
def test_an_animal_crosses_a_watchtower_but_stays_on_none() -> None:
    game = menagerie(3, "watchtowers")
    hand(game, 0, "denar-2 denar-1")
    alhambra(game, 0, {(1, 0): "garden-10"})
    stand(game, 0, "garden", (2, 0), "NW")
    put(game, "garden-10", "dove monkey")
    play(game, "take_money dukat-5")
    play(game, "lead_animals denar-2")
    play(game, "step dove @1,0", side="E")
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert list(game.moves()) == [Move("step", piece="dove", cell=(2, 0), side="W")]


@pytest.mark.rule("36.14", "22.41")
def test_a_single_step_onto_a_watchtower_is_refused() -> None:
    game = menagerie(3, "watchtowers")
    hand(game, 0, "denar-1")
    alhambra(game, 0, {(1, 0): "garden-10"})
    stand(game, 0, "garden", (2, 0), "NW")
    put(game, "garden-10", "dove")
    play(game, "take_money dukat-5")
    play(game, "lead_animals denar-1")
    assert fact(refused(game, "step dove @1,0", side="E"), "STEP_BLOCKED")["because"] == "no_stop"


@pytest.mark.rule("36.35")
def test_a_card_may_be_handed_in_although_no_step_is_possible() -> None:
    game = menagerie()
    hand(game, 0, "denar-4")
    alhambra(game, 0, {})
    put(game, "start-0", "dove")
    play(game, "take_money dukat-5")
    events = play(game, "lead_animals denar-4")
    assert events_of(events, "animals_led")[0]["steps"] == 4
    assert "denar-4" in game.state.discard
    assert asked(game) == ("action", 1), "the steps are lost"
    assert on(game, "start-0") == ["dove"]


@pytest.mark.rule("36.29")
def test_any_tile_holds_any_number_of_animals_the_fountain_included() -> None:
    game = at_late("denar-3", "dove monkey monkey")
    play(game, "lead_animals denar-3")
    for species in ("dove", "monkey", "monkey"):
        play(game, f"step {species} @1,0", side="W")
    assert on(game, "start-0") == ["dove", "monkey", "monkey"]


def test_animals_of_one_species_on_one_tile_are_listed_once() -> None:
    game = at_late("denar-3", "monkey monkey")
    play(game, "lead_animals denar-3")
    steps = [move for move in game.moves() if move.verb == "step"]
    assert [(move.piece, move.cell, move.side) for move in steps] == [
        ("monkey", (1, 0), "E"),
        ("monkey", (1, 0), "W"),
    ]


@pytest.mark.rule("36.37")
def test_the_seat_that_resigns_on_a_watchtower_walks_back() -> None:
    game = menagerie(3, "watchtowers")
    hand(game, 0, "denar-2")
    alhambra(game, 0, {(1, 0): "garden-10"})
    stand(game, 0, "garden", (2, 0), "NW")
    put(game, "garden-10", "dove")
    play(game, "take_money dukat-5")
    play(game, "lead_animals denar-2")
    play(game, "step dove @1,0", side="E")
    game.resign(0)
    assert on(game, "garden-10") == ["dove"]
    assert asked(game) == ("action", 1)


# -- Scoring -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("36.8", "36.26")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_garden_with_a_single_species_brings_a_point_for_each_animal(number: int) -> None:
    """Worked example T1: 3 monkeys bring 3, 2 doves and a cheetah bring nothing."""
    game = menagerie()
    alhambra(game, 0, LINE)
    put(game, "garden-10", "monkey monkey monkey")
    put(game, "garden-11", "dove dove cheetah")
    events = scoring(game, number)
    assert points(events, "animals") == {0: 3}
    assert points(events, "animals", tile="garden-10", count=3) == {0: 3}


@pytest.mark.rule("36.9", "36.30")
def test_animals_on_other_tiles_and_in_the_reserve_bring_nothing() -> None:
    game = menagerie()
    alhambra(game, 0, LINE)
    reserve(game, 0, "garden-9-e")
    put(game, "garden-9-e", "monkey monkey")
    put(game, "arcades-9", "dove dove")
    put(game, "start-0", "snake")
    assert not points(scoring(game, 1), "animals")


def test_a_covered_garden_does_not_score_and_its_animals_may_walk() -> None:
    game = at_late("denar-4", "dove dove")
    game.state.covered = ("garden-10",)
    assert legal(game, "lead_animals denar-4")
    play(game, "pass")
    assert not points(scoring(game, 1), "animals")


@pytest.mark.rule("36.18")
def test_magical_gardens_and_grounds_with_a_garden_score() -> None:
    game = menagerie(3, "magical_buildings", "new_building_grounds")
    alhambra(game, 0, {(1, 0): "ground_9_1", (2, 0): "magical_garden", (0, 1): "ground_9_2"})
    game.state.types = {"ground_9_1": "garden", "ground_9_2": "tower"}
    put(game, "ground_9_1", "dove")
    put(game, "magical_garden", "monkey monkey")
    put(game, "ground_9_2", "peacock peacock")
    assert points(scoring(game, 1), "animals") == {0: 3}


@pytest.mark.rule("36.18", "36.19")
def test_only_the_garden_half_of_a_project_scores() -> None:
    game = menagerie(3, "major_construction_projects")
    board = alhambra(game, 0, {})
    board.place(game.ruleset.tiles["project_garden_pavilion"], 1, 0)
    put(game, "project_garden_pavilion", "dove dove", part=0)
    put(game, "project_garden_pavilion", "monkey", part=1)
    assert points(scoring(game, 1), "animals") == {0: 2}


@pytest.mark.rule("28.36")
def test_each_half_of_a_project_is_a_field_of_its_own() -> None:
    game = menagerie(3, "major_construction_projects")
    hand(game, 0, "denar-2")
    alhambra(game, 0, {}).place(game.ruleset.tiles["project_garden_pavilion"], 1, 0)
    put(game, "project_garden_pavilion", "dove")
    play(game, "take_money dukat-5")
    play(game, "lead_animals denar-2")
    play(game, "step dove @1,0", side="E")
    assert game.module_state(Menagerie).lying == {"project_garden_pavilion": ((1, "dove"),)}
    assert legal(game, "step dove @2,0", side="W")


@pytest.mark.rule("36.18")
def test_a_square_of_gardens_is_no_garden() -> None:
    game = menagerie(3, "squares")
    board = alhambra(game, 0, {})
    square = next(tile for tile in game.ruleset.tiles if tile.startswith("square_garden"))
    board.put(game.ruleset.tiles[square], 1, 0)
    put(game, square, "dove dove")
    assert not points(scoring(game, 1), "animals")


@pytest.mark.rule("36.12")
def test_a_leftover_garden_comes_with_its_animals_and_scores_if_it_is_built() -> None:
    game = menagerie()
    market(game, denar="garden-10")
    put(game, "garden-10", "dove dove")
    hand(game, 2, "denar-9")
    end_game(game)
    events = play(game, "place garden-10 @1,0")
    assert points(events, "animals") == {2: 2}
    assert kinds(events)[-1] == "game_ended", "no animal walks any more"


@pytest.mark.rule("36.37")
def test_a_seat_that_resigned_still_scores_its_animals() -> None:
    game = menagerie()
    alhambra(game, 2, LINE)
    put(game, "garden-10", "dove dove")
    game.resign(2)
    assert points(scoring(game, 1), "animals") == {2: 2}


@pytest.mark.rule("36.38")
def test_no_animals_belong_to_boards_without_a_game() -> None:
    game = dealt_where(lambda game: game.module_state(Menagerie).lying, modules=["menagerie"])
    assert MODULE.undrawn is not None
    MODULE.undrawn(game)
    assert not game.module_state(Menagerie).lying


def expected_points(game: Game, seat: int, where: dict[str, list[str]]) -> int:
    """From the page alone: gardens in the Alhambra with one species, a point for each animal there."""
    built = game.state.seats[seat].board.placed
    gardens = [animals for tile, animals in where.items() if tile in built and tile.split("-")[0] == "garden"]
    return sum(len(animals) for animals in gardens if len(set(animals)) == 1)


@pytest.mark.rule("36.8", "36.9")
@pytest.mark.parametrize("seed", range(12))
def test_random_alhambras_score_what_the_text_says(seed: int) -> None:
    rng = Random(seed)
    game = menagerie()
    for seat in range(3):
        own(game, seat, garden=3, **{name: 1 for name in TYPES if name != "garden"})
    tiles = [tile for owner in game.state.seats for tile in owner.board.placed]
    where: dict[str, list[str]] = {}
    for species in rng.sample(SPECIES[:3] * 3, 9) + rng.sample(SPECIES[3:7] * 2, 6):
        tile = rng.choice(tiles)
        where.setdefault(tile, []).append(species)
        put(game, tile, species)
    game.events = []
    score_animals(game, 1)
    found = points(game.events, "animals")
    for seat in range(3):
        assert found.get(seat, 0) == expected_points(game, seat, where), where


# -- What is hidden ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("36.34")
def test_nobody_knows_which_animals_left_the_game() -> None:
    game = table(modules=["menagerie"], dealt=True)
    removed = set()
    for number in range(30):
        resampled = game.determinize(0, Random(number))
        assert resampled.view(0) == game.view(0)
        kept = resampled.module_state(Menagerie)
        removed.add(kept.removed)
        lying = [species for animals in kept.lying.values() for _, species in animals]
        assert sorted([*kept.supply, *kept.removed, *lying]) == sorted(SPECIES * 3)
    assert len(removed) > 5


@pytest.mark.rule("36.34")
def test_an_animal_that_went_back_is_known_not_to_have_left() -> None:
    game = menagerie(3, "characters")
    give(game, 0, "dancer")
    market(game, **{**FULL, "denar": "garden-10"})
    kept = game.module_state(Menagerie)
    kept.removed, kept.supply = ("dove", "dove"), ()
    kept.lying = {"garden-10": tuple((0, species) for species in ("monkey", "monkey", "monkey"))}
    tower(game, "tower-12")
    game.state.decision = game.state.decision._replace(kind="start", context={}) if game.state.decision else None
    play(game, "dance market-denar")
    for number in range(10):
        resampled = game.determinize(None, Random(number)).module_state(Menagerie)
        assert (resampled.supply, resampled.removed) == (("monkey",) * 3, ("dove", "dove"))


@pytest.mark.rule("36.34")
def test_a_drawn_animal_may_be_the_one_that_went_back() -> None:
    game = menagerie()
    kept = game.module_state(Menagerie)
    kept.supply, kept.returned, kept.removed = ("dove", "dove"), ("dove",), ("monkey", "snake")
    market(game, gulden="tower-11", dirham="seraglio-9", denar="arcades-10")
    tower(game, "garden-9-e")
    take_turn(game)
    assert game.module_state(Menagerie).returned == ()


@pytest.mark.rule("36.36")
def test_the_question_at_the_end_of_the_turn_tells_nothing_about_the_hand() -> None:
    money, other = at_late("denar-4", "dove", "city_gates"), at_late("gate", "dove", "city_gates")
    assert asked(money) == asked(other) == ("late", 0)
    hand(other, 0, "gate")
    display(other, "dukat-1")
    assert asked(other) == ("late", 0), "a hand without money is asked, too"
    assert not [move for move in other.moves() if move.verb == "lead_animals"]
