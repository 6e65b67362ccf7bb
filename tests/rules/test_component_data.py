"""What is printed on the components agrees with the rules: the base game, and what holds for every module.

The rules state counts, ranges, balances and examples; these tests hold `data/components.json` to each of them. Where a
value was reconstructed, the test is the list of constraints that the reconstruction honours; where it was read from a
source, the test pins it, so that an edit is noticed.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from alhambra.components import component_data, module_data
from tests.rules.printed import CURRENCIES, SIDES, TYPES, base, base_tiles, by_type, components

COMPONENTS = {
    "viziers_favour": {"vizier stone": 6},
    "bureaux_de_change": {"exchange card": 6},
    "bonus_cards": {"bonus card": 10},
    "squares": {"square tile": 24},
    "city_gates": {"wooden city gate": 6, "city-gate card": 6},
    "diamonds": {"diamond card": 10},
    "characters": {"character card": 10},
    "military_camps": {"camp tile": 8},
    "city_walls": {"wall card": 8, "wooden wall stick": 12},
    "thieves": {"thief card": 12},
    "change": {"coin": 24, "bag": 1},
    "street_trader": {"citizen": 42, "trader tile": 6},
    "treasure_chamber": {"treasure chest": 42, "treasure chamber board": 1, "bag": 1},
    "master_builders": {"master-builder card": 16},
    "invaders": {"invasion card": 4, "scout card": 6},
    "bazaars": {"bazaar tile": 8},
    "new_score_cards": {"score card": 18, "points board": 1},
    "power_of_the_sultan": {"sultan card": 8, "marker cube": 8, "building die": 1, "overview card": 6},
    "caravanserai": {"caravanserai card": 8, "marker cube": 8},
    "arts_of_the_moors": {"culture tile": 20, "marker cube": 20, "docking strip": 10, "overview card": 6},
    "falconers": {"falcon tile": 15, "scoring overview": 6},
    "watchtowers": {"watchtower tile": 18},
    "building_sites": {"building-site tile": 8},
    "exchange_certificates": {"certificate board": 6, "currency token": 12},
    "magical_buildings": {"magical building tile": 6, "building chip": 6},
    "medina": {"medina tile": 9},
    "new_building_grounds": {"building ground tile": 8, "construction building tile": 12, "number tile": 4},
    "major_construction_projects": {"major project tile": 15, "player marker": 6},
    "palace_staff": {"servant tile": 54, "marshal figure": 6},
    "orchards": {"fruit board": 7, "fruit tile": 56},
    "travelling_craftsmen": {"craftsman tile": 13},
    "bathhouses": {"bathhouse tile": 6},
    "wishing_well": {"wishing well tile": 6},
    "fresh_colours": {"project board": 1, "project tile": 18, "colour tile": 36},
    "palace_designers": {"designer figure": 6},
    "menagerie": {"animal tile": 24},
    "gates_without_end": {"gate board": 1, "key tile": 9, "plaza tile": 6, "half building": 6, "wall piece": 6},
    "buildings_of_power": {"special tile": 12, "white die": 3, "black die": 3, "red die": 1},
    "extensions": {"extension board": 1, "extension tile": 12},
    "handymen": {"handyman": 48, "blue die": 3},
    "personal_building_market": {"market tile": 24},
    "treasures": {"treasure tile": 30},
    "caliphs_guidelines": {"mission tile": 9},
}
"""What lies in the box for each module, as its material list says."""


LISTED = [
    ("bureaux_de_change", "exchange card", "cards"),
    ("bonus_cards", "bonus card", "cards"),
    ("squares", "square tile", "tiles"),
    ("diamonds", "diamond card", "values"),
    ("characters", "character card", "cards"),
    ("military_camps", "camp tile", "tiles"),
    ("city_walls", "wall card", "cards"),
    ("thieves", "thief card", "cards"),
    ("master_builders", "master-builder card", "cards"),
    ("invaders", "invasion card", "invasion_cards"),
    ("invaders", "scout card", "scouts"),
    ("bazaars", "bazaar tile", "tiles"),
    ("new_score_cards", "score card", "cards"),
    ("power_of_the_sultan", "sultan card", "cards"),
    ("caravanserai", "caravanserai card", "cards"),
    ("falconers", "falcon tile", "tiles"),
    ("magical_buildings", "magical building tile", "tiles"),
    ("medina", "medina tile", "tiles"),
    ("new_building_grounds", "building ground tile", "grounds"),
    ("new_building_grounds", "number tile", "number_tiles"),
    ("major_construction_projects", "major project tile", "tiles"),
    ("orchards", "fruit board", "boards"),
    ("travelling_craftsmen", "craftsman tile", "tiles"),
    ("bathhouses", "bathhouse tile", "tiles"),
    ("wishing_well", "wishing well tile", "tiles"),
    ("fresh_colours", "project tile", "project_tiles"),
    ("gates_without_end", "key tile", "key_tiles"),
    ("gates_without_end", "plaza tile", "plazas"),
    ("gates_without_end", "half building", "half_buildings"),
    ("buildings_of_power", "special tile", "tiles"),
    ("caliphs_guidelines", "mission tile", "tiles"),
]
"""Module, component, and the list in its data with one entry for each piece."""


COUNTED = [
    ("change", "coin", "coins"),
    ("street_trader", "citizen", "citizens"),
    ("treasure_chamber", "treasure chest", "chests"),
    ("watchtowers", "watchtower tile", "tiles"),
    ("building_sites", "building-site tile", "tiles"),
    ("exchange_certificates", "currency token", "tokens"),
    ("palace_staff", "servant tile", "servants"),
    ("fresh_colours", "colour tile", "colour_tiles"),
    ("extensions", "extension tile", "tiles"),
    ("new_building_grounds", "construction building tile", "construction_buildings"),
]
"""Module, component, and the table in its data with the number of pieces of each kind."""


def walk(value: Any, path: str = "$") -> Iterator[tuple[str, Any]]:
    """Every value of the data with the path to it; what is said about the data is left out."""
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("provenance", "conventions"):
                yield from walk(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from walk(inner, f"{path}[{index}]")


def tells_where_it_comes_from(provenance: object) -> bool:
    return isinstance(provenance, str) and any(
        word in provenance for word in ("rulebook", "source:", "reconstructed", "deduced")
    )


class TestEveryModule:
    def test_there_are_43_modules(self) -> None:
        assert len(COMPONENTS) == 43
        assert set(component_data()["modules"]) == set(COMPONENTS)

    @pytest.mark.parametrize("module", COMPONENTS)
    def test_a_module_has_its_names_and_data(self, module: str) -> None:
        entry = component_data()["modules"][module]
        assert entry["id"] == module
        assert entry["name_en"]
        assert entry["name_de"]
        assert entry["data"]

    @pytest.mark.rule("05.1")
    @pytest.mark.parametrize("module", COMPONENTS)
    def test_a_module_has_the_components_of_its_material_list(self, module: str) -> None:
        assert components(module) == COMPONENTS[module]

    @pytest.mark.parametrize("module", COMPONENTS)
    def test_every_datum_of_a_module_tells_where_it_comes_from(self, module: str) -> None:
        entry = component_data()["modules"][module]
        assert set(entry["provenance"]) == set(entry["data"])
        assert [key for key, text in entry["provenance"].items() if not tells_where_it_comes_from(text)] == []

    @pytest.mark.parametrize(("module", "item", "key"), LISTED)
    def test_every_piece_is_listed_once(self, module: str, item: str, key: str) -> None:
        assert len(module_data(module)[key]) == components(module)[item]

    @pytest.mark.parametrize(("module", "item", "key"), COUNTED)
    def test_the_counts_per_kind_add_up_to_the_pieces(self, module: str, item: str, key: str) -> None:
        assert sum(module_data(module)[key].values()) == components(module)[item]


class TestEveryEntry:
    def entries(self) -> list[tuple[str, dict[str, Any]]]:
        return [(path, value) for path, value in walk(component_data()) if isinstance(value, dict)]

    def test_walls_are_sides_in_the_order_north_east_south_west(self) -> None:
        walls = [(path, e["walls"]) for path, e in self.entries() if isinstance(e.get("walls"), list)]
        assert [path for path, sides in walls if sides != [side for side in SIDES if side in sides]] == []

    def test_types_are_building_types(self) -> None:
        # A type may be null: the piece then belongs to no building type.
        assert [path for path, e in self.entries() if e.get("type") not in [None, *TYPES]] == []

    def test_currencies_are_the_four_or_diamonds(self) -> None:
        known = CURRENCIES | {"diamond"}
        assert [path for path, e in self.entries() if "currency" in e and e["currency"] not in known] == []

    def test_a_provenance_of_a_single_item_tells_where_it_comes_from(self) -> None:
        told = [(path, e["provenance"]) for path, e in self.entries() if isinstance(e.get("provenance"), str)]
        assert [path for path, text in told if not tells_where_it_comes_from(text)] == []

    def test_ids_are_unique_in_their_list(self) -> None:
        for path, value in walk(component_data()):
            if isinstance(value, list):
                ids = [entry["id"] for entry in value if isinstance(entry, dict) and "id" in entry]
                assert len(ids) == len(set(ids)), path


class TestBaseTiles:
    @pytest.mark.rule("00.4")
    @pytest.mark.parametrize(
        ("building", "tiles"),
        [
            ("pavilion", "2NEW 3SW 4ES 5NW 6N 7E 8"),
            ("seraglio", "3ESW 4NE 5SW 6ES 7W 8S 9"),
            ("arcades", "4NES 5NW 6SW 6NE 7ES 8N 8E 9 10"),
            ("chambers", "5NSW 6ES 7SW 7NE 8NW 9W 9S 10 11"),
            ("garden", "6ESW 7NSW 8SW 8NE 8NW 9E 10N 10W 10 11 12S"),
            ("tower", "7NEW 8NES 9ES 9NE 9NW 10W 11N 11S 11 12 13E"),
        ],
    )
    def test_each_type_has_its_prices_and_walls(self, building: str, tiles: str) -> None:
        printed = [f"{t['price']}{''.join(t['walls'])}" for t in base_tiles() if t["type"] == building]
        assert sorted(printed) == sorted(tiles.split())

    @pytest.mark.rule("00.3")
    def test_there_are_54_tiles(self) -> None:
        assert Counter(tile["type"] for tile in base_tiles()) == by_type([7, 7, 9, 9, 11, 11])
        assert len(base_tiles()) == 54

    @pytest.mark.rule("00.3")
    @pytest.mark.parametrize(("building", "cheapest"), list(zip(TYPES, range(2, 8), strict=True)))
    def test_prices_of_a_type_span_six(self, building: str, cheapest: int) -> None:
        prices = [tile["price"] for tile in base_tiles() if tile["type"] == building]
        assert (min(prices), max(prices)) == (cheapest, cheapest + 6)

    @pytest.mark.rule("00.4")
    def test_no_tile_is_walled_all_around(self) -> None:
        assert max(len(tile["walls"]) for tile in base_tiles()) == 3

    @pytest.mark.rule("00.4")
    def test_ten_tiles_have_no_wall(self) -> None:
        assert sum(not tile["walls"] for tile in base_tiles()) == 10

    def test_44_tiles_cost_six_or_more(self) -> None:
        assert sum(tile["price"] >= 6 for tile in base_tiles()) == 44

    def test_the_tiles_of_the_overview_example_exist(self) -> None:
        printed = [(tile["type"], tile["price"], tile["walls"]) for tile in base_tiles()]
        assert ("chambers", 9, ["S"]) in printed
        assert ("tower", 10, ["W"]) in printed


class TestBaseScoringAndMoney:
    @pytest.mark.parametrize(("rank", "building"), list(enumerate(TYPES, 1)))
    def test_points_of_a_type_follow_its_rank(self, rank: int, building: str) -> None:
        assert base()["scoring"][building] == {"1": [rank], "2": [rank + 7, rank], "3": [rank + 15, rank + 7, rank]}

    @pytest.mark.parametrize(
        ("building", "scoring", "points"),
        [("chambers", "1", [4]), ("tower", "2", [13, 6]), ("pavilion", "3", [16, 8, 1])],
    )
    def test_the_scoring_examples_hold(self, building: str, scoring: str, points: list[int]) -> None:
        assert base()["scoring"][building][scoring] == points

    @pytest.mark.rule("00.6")
    def test_there_are_108_money_cards_and_72_for_two_players(self) -> None:
        money = base()["money"]
        kinds = len(CURRENCIES) * len(money["values"])
        assert money["total"] == kinds * money["copies"] == 108
        assert kinds * money["copies_2_players"] == 72

    @pytest.mark.rule("00.2")
    def test_each_currency_has_its_colour(self) -> None:
        colours = {currency["id"]: currency["colour"] for currency in component_data()["currencies"]}
        assert colours == {"gulden": "yellow", "dirham": "green", "denar": "blue", "dukat": "orange"}

    def test_each_currency_has_its_space_on_the_market(self) -> None:
        assert sorted(currency["market_slot"] for currency in component_data()["currencies"]) == [1, 2, 3, 4]
