"""What is printed on the components of Queenies, Designers' Edition and fan modules agrees with their rules."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from alhambra.components import component_data, module_data
from tests.rules.printed import CURRENCIES, SIDES, TYPES, base_tiles, components, each, pairs_of


def walls_by(key: str, tiles: list[dict[str, Any]]) -> dict[Any, str]:
    return {tile[key]: "".join(tile["walls"]) for tile in tiles}


def runs_of_three(ring: list[str]) -> set[tuple[str, str, str]]:
    """Three neighbours in clockwise order, from every place of a ring."""
    count = len(ring)
    return {(ring[n], ring[(n + 1) % count], ring[(n + 2) % count]) for n in range(count)}


class TestMagicalBuildings:
    @pytest.mark.rule("25.1")
    def test_a_magical_building_costs_one_more_than_the_dearest_of_its_type(self) -> None:
        tiles = module_data("magical_buildings")["tiles"]
        dearest = {entry["id"]: entry["prices"][1] for entry in component_data()["building_types"]}
        assert [(tile["type"], tile["price"]) for tile in tiles] == [(t, dearest[t] + 1) for t in TYPES]

    @pytest.mark.rule("25.1")
    def test_the_dearer_types_have_more_walls(self) -> None:
        walls = walls_by("type", module_data("magical_buildings")["tiles"])
        assert walls == dict(zip(TYPES, ["N", "N", "NE", "NE", "NES", "NES"], strict=True))


class TestMedina:
    @pytest.mark.rule("26.1")
    def test_nine_tiles_cost_two_to_ten_and_have_their_walls(self) -> None:
        # The example compares a 5 with an 8.
        walls = walls_by("price", module_data("medina")["tiles"])
        assert walls == {2: "SW", 3: "ES", 4: "NE", 5: "NW", 6: "E", 7: "W", 8: "S", 9: "N", 10: ""}

    def test_whoever_has_fewest_loses_points_and_more_if_he_has_none(self) -> None:
        data = module_data("medina")
        assert data["penalties"] == {"1": [3], "2": [6, 3], "3": [9, 6, 3]}
        assert data["extra_if_none"] == {"1": 1, "2": 2, "3": 3}

    def test_two_players_without_medina_lose_eleven_each_as_in_the_example(self) -> None:
        data = module_data("medina")
        lost, second, _ = data["penalties"]["3"]
        shared_rounded_up = -(-(lost + second) // 2)
        assert shared_rounded_up + data["extra_if_none"]["3"] == 11

    def test_the_last_scoring_costs_18_points_in_all(self) -> None:
        assert sum(module_data("medina")["penalties"]["3"]) == 18


class TestNewBuildingGrounds:
    @pytest.mark.rule("27.1", "27.3")
    def test_two_grounds_bear_each_number_and_cost_as_much(self) -> None:
        data = module_data("new_building_grounds")
        assert Counter(ground["number"] for ground in data["grounds"]) == dict.fromkeys(data["number_tiles"], 2)
        assert all(ground["price"] == ground["number"] for ground in data["grounds"])

    @pytest.mark.rule("27.2")
    def test_twelve_buildings_lie_under_the_four_numbers(self) -> None:
        data = module_data("new_building_grounds")
        assert data["construction_buildings"] == each(TYPES, 2)
        assert len(data["number_tiles"]) * data["buildings_per_number"] == 12

    def test_the_ground_for_12_of_the_example_exists(self) -> None:
        assert 12 in [ground["price"] for ground in module_data("new_building_grounds")["grounds"]]


class TestMajorConstructionProjects:
    @pytest.mark.rule("28.1")
    def test_there_is_a_double_tile_for_each_pair_of_types(self) -> None:
        tiles = module_data("major_construction_projects")["tiles"]
        assert len(tiles) == 15
        assert {frozenset(cell["type"] for cell in tile["cells"]) for tile in tiles} == pairs_of(TYPES)

    def test_the_second_cell_lies_east_or_south_of_the_first(self) -> None:
        step = {"horizontal": (1, 0), "vertical": (0, 1)}
        for tile in module_data("major_construction_projects")["tiles"]:
            first, second = tile["cells"]
            assert (first["dx"], first["dy"]) == (0, 0)
            assert (second["dx"], second["dy"]) == step[tile["orientation"]]

    @pytest.mark.rule("28.2")
    def test_the_wall_runs_along_one_long_side(self) -> None:
        long_sides = {"horizontal": (["N"], ["S"]), "vertical": (["E"], ["W"])}
        for tile in module_data("major_construction_projects")["tiles"]:
            first, second = tile["cells"]
            assert first["walls"] == second["walls"]
            assert first["walls"] in long_sides[tile["orientation"]]

    def test_bidding_starts_at_fifteen(self) -> None:
        assert module_data("major_construction_projects")["min_bid"] == 15


class TestPalaceStaff:
    @pytest.mark.rule("29.1")
    def test_there_is_a_servant_for_each_building(self) -> None:
        assert module_data("palace_staff")["servants"] == Counter(tile["type"] for tile in base_tiles())

    def test_six_lie_open_and_a_building_without_costs_one_point(self) -> None:
        data = module_data("palace_staff")
        assert (data["display"], data["penalty_per_building"]) == (6, 1)


class TestOrchards:
    @pytest.mark.rule("30.2")
    def test_seven_fruits_have_eight_tiles_each(self) -> None:
        data = module_data("orchards")
        assert len(data["fruits"]) == 7
        assert len(data["fruits"]) * data["tiles_per_fruit"] == components("orchards")["fruit tile"] == 56

    @pytest.mark.rule("30.1")
    def test_groups_of_one_to_six_fields_score_more_and_more(self) -> None:
        for board in module_data("orchards")["boards"]:
            assert [group["points"] for group in board["groups"]] == [1, 2, 4, 7, 11, 16]
            assert [len(group["fields"]) for group in board["groups"]] == [1, 2, 3, 4, 5, 6]
            assert [group["size"] for group in board["groups"]] == [1, 2, 3, 4, 5, 6]

    def test_no_fruit_stands_twice_in_a_group(self) -> None:
        for board in module_data("orchards")["boards"]:
            assert all(len(set(group["fields"])) == len(group["fields"]) for group in board["groups"])

    def test_every_board_can_be_filled(self) -> None:
        data = module_data("orchards")
        for board in data["boards"]:
            needed = Counter(fruit for group in board["groups"] for fruit in group["fields"])
            assert set(needed) <= set(data["fruits"])
            assert max(needed.values()) <= data["tiles_per_fruit"]

    @pytest.mark.rule("30.1")
    def test_the_seven_boards_differ(self) -> None:
        boards = [tuple(tuple(g["fields"]) for g in board["groups"]) for board in module_data("orchards")["boards"]]
        assert len(set(boards)) == 7

    def test_three_groups_and_two_hidden_fruits_score_16_as_in_the_example(self) -> None:
        assert 1 + 2 + 11 + 2 * module_data("orchards")["face_down_points"] == 16


class TestTravellingCraftsmen:
    def test_thirteen_tiles_show_nine_kinds(self) -> None:
        data = module_data("travelling_craftsmen")
        assert len(data["kinds"]) == 9
        assert {tile["kind"] for tile in data["tiles"]} == {kind["id"] for kind in data["kinds"]}
        assert len(data["tiles"]) == 13

    @pytest.mark.parametrize(("seats", "marks"), [(4, {None}), (5, {None, "5/6"}), (6, {None, "5/6", "6"})])
    def test_everybody_gets_two_and_the_first_player_three(self, seats: int, marks: set[str | None]) -> None:
        data = module_data("travelling_craftsmen")
        in_play = sum(tile["mark"] in marks for tile in data["tiles"])
        assert in_play == data["dealt_per_player"] * seats + data["start_player_extra"]

    def test_the_numbers_in_their_abilities(self) -> None:
        assert module_data("travelling_craftsmen")["values"] == {
            "carpenter_discount": [1, 2],
            "blacksmith_display": 6,
            "goldsmith_sum_limit": 8,
        }


class TestBathhouses:
    @pytest.mark.rule("32.1", "32.2")
    def test_a_bathhouse_costs_eight_and_shows_a_different_type_on_each_side(self) -> None:
        tiles = module_data("bathhouses")["tiles"]
        assert len(tiles) == 6
        for tile in tiles:
            assert tile["price"] == 8
            assert list(tile["sides"]) == SIDES
            assert len(set(tile["sides"].values())) == 4

    def test_every_type_stands_on_four_bathhouses(self) -> None:
        tiles = module_data("bathhouses")["tiles"]
        assert Counter(building for tile in tiles for building in tile["sides"].values()) == each(TYPES, 4)

    def test_the_bathhouse_seen_in_a_picture_exists(self) -> None:
        # Garden and chambers on one bathhouse is also what the example of the rules needs.
        seen = {"N": "arcades", "E": "garden", "S": "chambers", "W": "pavilion"}
        assert seen in [tile["sides"] for tile in module_data("bathhouses")["tiles"]]


class TestWishingWell:
    @pytest.mark.rule("33.1")
    def test_two_wells_each_are_worth_three_four_and_five(self) -> None:
        # A 3 is in the example.
        assert Counter(tile["value"] for tile in module_data("wishing_well")["tiles"]) == {3: 2, 4: 2, 5: 2}

    def test_a_well_costs_what_it_is_worth(self) -> None:
        assert all(tile["price"] == tile["value"] for tile in module_data("wishing_well")["tiles"])


class TestFreshColours:
    @pytest.mark.rule("34.3")
    def test_each_type_has_three_projects_one_of_them_with_a_star(self) -> None:
        projects = module_data("fresh_colours")["project_tiles"]
        assert Counter(project["type"] for project in projects) == each(TYPES, 3)
        assert Counter(project["type"] for project in projects if project["star"]) == each(TYPES, 1)

    @pytest.mark.rule("34.3")
    def test_a_project_needs_two_or_three_colours_its_own_among_them(self) -> None:
        for project in module_data("fresh_colours")["project_tiles"]:
            assert project["type"] in project["requires"]
            assert set(project["requires"]) <= set(TYPES)
            assert len(project["requires"]) in (2, 3)

    def test_two_projects_of_different_types_can_be_completed_at_once(self) -> None:
        data = module_data("fresh_colours")
        together = [
            len(one["requires"]) + len(other["requires"])
            for one, other in combinations(data["project_tiles"], 2)
            if one["type"] != other["type"]
        ]
        assert min(together) <= data["max_colour_tiles"] == 5
        assert data["max_open_projects"] == 2

    @pytest.mark.rule("34.1")
    def test_the_board_offers_three_choices_of_one_or_two_equal_tiles_in_each_currency(self) -> None:
        board = module_data("fresh_colours")["board"]
        assert board == {
            "gulden": [["tower", "tower"], ["pavilion"], ["arcades"]],
            "dirham": [["garden", "garden"], ["tower"], ["chambers"]],
            "denar": [["chambers", "chambers"], ["pavilion", "pavilion"], ["seraglio"]],
            "dukat": [["seraglio", "seraglio"], ["arcades", "arcades"], ["garden"]],
        }

    @pytest.mark.rule("34.2")
    def test_there_are_six_colour_tiles_of_each_type(self) -> None:
        assert module_data("fresh_colours")["colour_tiles"] == each(TYPES, 6)

    def test_three_and_two_buildings_score_ten_as_in_the_example(self) -> None:
        assert (3 + 2) * module_data("fresh_colours")["points_per_building"] == 10


class TestPalaceDesigners:
    @pytest.mark.rule("35.3")
    def test_the_feet_score_two_and_the_other_sides_one(self) -> None:
        data = module_data("palace_designers")
        assert (data["points_at_feet"], data["points_other_sides"]) == (2, 1)


class TestMenagerie:
    @pytest.mark.rule("36.1")
    def test_the_24_animals_include_those_that_the_rules_name(self) -> None:
        data = module_data("menagerie")
        assert len(set(data["animals"])) * data["per_animal"] == components("menagerie")["animal tile"] == 24
        assert {"monkey", "dove", "cheetah"} <= set(data["animals"])

    @pytest.mark.rule("36.2")
    def test_the_animals_in_play_suffice_for_the_eleven_gardens(self) -> None:
        data = module_data("menagerie")
        assert 24 - data["removed"] == 11 * data["per_garden"]


class TestGatesWithoutEnd:
    @pytest.mark.rule("37.2")
    def test_there_is_a_key_for_each_arcade(self) -> None:
        arcades = [tile for tile in base_tiles() if tile["type"] == "arcades"]
        assert len(module_data("gates_without_end")["key_tiles"]) == len(arcades)

    @pytest.mark.rule("37.2")
    def test_a_key_has_six_different_bonuses_and_each_bonus_stands_on_six_keys(self) -> None:
        data = module_data("gates_without_end")
        bonuses = [key["bonuses_clockwise"] for key in data["key_tiles"]]
        assert all(len(ring) == len(set(ring)) == 6 for ring in bonuses)
        assert Counter(bonus for ring in bonuses for bonus in ring) == each(data["bonus_kinds"], 6)

    @pytest.mark.rule("37.1")
    def test_six_gates_stand_in_the_order_of_the_example(self) -> None:
        gates = module_data("gates_without_end")["gate_order_clockwise"]
        assert len(gates) == len(set(gates)) == 6
        assert ("red", "yellow", "green") in runs_of_three(gates)

    def test_the_key_of_the_example_is_possible(self) -> None:
        keys = module_data("gates_without_end")["key_tiles"]
        example = ("money_card", "rebuild", "swap_market")
        assert any(example in runs_of_three(key["bonuses_clockwise"]) for key in keys)

    @pytest.mark.rule("37.3")
    def test_there_is_half_a_building_of_each_type(self) -> None:
        halves = module_data("gates_without_end")["half_buildings"]
        assert [(half["type"], half["value"]) for half in halves] == [(building, 0.5) for building in TYPES]

    @pytest.mark.rule("37.3", "37.17")
    def test_there_are_six_plazas_and_six_wall_pieces_and_a_building_costs_14(self) -> None:
        data = module_data("gates_without_end")
        assert (len(data["plazas"]), data["wall_pieces"], data["buy_price"]) == (6, 6, 14)

    @pytest.mark.rule("37.3", "37.50")
    def test_a_plaza_has_neither_walls_nor_type_nor_price(self) -> None:
        plazas = module_data("gates_without_end")["plazas"]
        assert all((plaza["walls"], plaza["type"], plaza["price"]) == ([], None, None) for plaza in plazas)


class TestBuildingsOfPower:
    @pytest.mark.rule("38.1")
    def test_each_power_has_three_tiles(self) -> None:
        powers = Counter(tile["power"] for tile in module_data("buildings_of_power")["tiles"])
        assert powers == each(("architecture", "wisdom", "strength", "wealth"), 3)

    @pytest.mark.rule("38.1")
    def test_a_tile_has_type_price_and_walls_of_the_one_that_it_replaces(self) -> None:
        by_id = {tile["id"]: tile for tile in base_tiles()}
        tiles = module_data("buildings_of_power")["tiles"]
        assert len({tile["replaces"] for tile in tiles}) == 12
        for tile in tiles:
            replaced = by_id[tile["replaces"]]
            assert [tile[key] for key in ("type", "price", "walls")] == [
                replaced[key] for key in ("type", "price", "walls")
            ]

    @pytest.mark.rule("38.1")
    def test_chambers_11_is_a_building_of_strength(self) -> None:
        powers = {tile["replaces"]: tile["power"] for tile in module_data("buildings_of_power")["tiles"]}
        assert powers["chambers-11"] == "strength"

    @pytest.mark.rule("38.1")
    def test_the_twelve_tiles_replace_these_base_tiles(self) -> None:
        replaced: dict[str, list[str]] = {}
        for tile in module_data("buildings_of_power")["tiles"]:
            replaced.setdefault(tile["power"], []).append(tile["replaces"])
        assert replaced == {
            "architecture": ["pavilion-7-e", "arcades-9", "tower-12"],
            "wisdom": ["pavilion-8", "arcades-10", "garden-11"],
            "strength": ["seraglio-8-s", "chambers-11", "tower-13-e"],
            "wealth": ["seraglio-9", "chambers-10", "garden-12-s"],
        }


class TestExtensions:
    @pytest.mark.rule("39.1")
    def test_the_columns_have_a_field_for_each_of_the_twelve_tiles(self) -> None:
        data = module_data("extensions")
        assert sum(data["tiles"].values()) == sum(len(column["fields"]) for column in data["columns"]) == 12

    @pytest.mark.rule("39.1")
    def test_a_column_asks_for_three_cards_and_has_three_rows(self) -> None:
        for column in module_data("extensions")["columns"]:
            assert len(column["cards"]) == 3
            assert [field["row"] for field in column["fields"]] == [1, 2, 3]

    @pytest.mark.rule("39.1", "39.19")
    def test_with_a_sum_of_11_two_of_three_tiles_are_exact_as_in_the_example(self) -> None:
        columns = module_data("extensions")["columns"]
        (column,) = (column for column in columns if sorted(column["cards"]) == ["dirham", "gulden", "gulden"])
        assert sorted(field["exact_max"] >= 11 for field in column["fields"]) == [False, True, True]

    @pytest.mark.rule("39.10")
    def test_an_extension_counts_as_two(self) -> None:
        assert module_data("extensions")["counts_as"] == 2

    @pytest.mark.rule("39.1")
    def test_each_column_has_its_cards_and_its_numbers(self) -> None:
        columns = module_data("extensions")["columns"]
        assert [column["cards"] for column in columns] == [
            ["gulden", "gulden", "dirham"],
            ["dirham", "dirham", "denar"],
            ["denar", "denar", "dukat"],
            ["dukat", "dukat", "gulden"],
        ]
        assert all([field["exact_max"] for field in column["fields"]] == [9, 12, 15] for column in columns)


class TestHandymen:
    @pytest.mark.rule("40.1")
    def test_eight_for_each_of_six_players_and_three_dice(self) -> None:
        data = module_data("handymen")
        assert (data["per_player"], data["dice"]) == (8, 3)
        assert 6 * data["per_player"] == components("handymen")["handyman"]


class TestPersonalBuildingMarket:
    @pytest.mark.rule("41.1")
    def test_each_player_has_a_tile_for_each_currency_that_holds_one_building(self) -> None:
        data = module_data("personal_building_market")
        assert {tile["currency"] for tile in data["tiles_per_player"]} == CURRENCIES
        assert 6 * len(data["tiles_per_player"]) == components("personal_building_market")["market tile"]
        assert data["capacity_per_tile"] == 1


class TestTreasures:
    @pytest.mark.rule("42.1")
    def test_each_player_has_treasures_from_one_to_five(self) -> None:
        values = module_data("treasures")["values_per_player"]
        assert values == [1, 2, 3, 4, 5]
        assert 6 * len(values) == components("treasures")["treasure tile"]


class TestCaliphsGuidelines:
    @pytest.mark.rule("43.1", "43.2")
    def test_three_of_nine_missions_are_drawn(self) -> None:
        data = module_data("caliphs_guidelines")
        assert [tile["mission"] for tile in data["tiles"]] == list(range(1, 10))
        assert data["drawn"] == 3

    @pytest.mark.rule("43.4", "43.5", "43.6", "43.7", "43.8", "43.9", "43.11", "43.12")
    def test_each_mission_has_its_points(self) -> None:
        tiles = module_data("caliphs_guidelines")["tiles"]
        assert [tile["points"] for tile in tiles] == [3, 3, 3, 1, 2, 3, None, 1, 2]

    @pytest.mark.rule("43.10")
    def test_the_seventh_mission_scores_by_a_table(self) -> None:
        assert module_data("caliphs_guidelines")["tiles"][6]["table"] == {"2": 1, "3": 3, "4": 6, "5": 10, "6": 15}

    @pytest.mark.rule("43.4")
    def test_a_run_is_at_least_three_long(self) -> None:
        assert module_data("caliphs_guidelines")["min_run"] == 3
