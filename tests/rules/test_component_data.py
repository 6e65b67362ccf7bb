"""What is printed on the components agrees with what the rules say about them.

The rules state counts, ranges, balances and examples; these tests hold `data/components.json` to each of them, the base
game first and then module by module in rulebook order. Where a value was reconstructed, the test is the list of
constraints that the reconstruction honours; where it was read from a source, the test pins it, so that an edit is
noticed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

import pytest

from alhambra.components import component_data, module_data

TYPES = ["pavilion", "seraglio", "arcades", "chambers", "garden", "tower"]
CURRENCIES = {"gulden", "dirham", "denar", "dukat"}
SIDES = ["N", "E", "S", "W"]

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


def base() -> dict[str, Any]:
    data: dict[str, Any] = component_data()["base"]
    return data


def base_tiles() -> list[dict[str, Any]]:
    tiles: list[dict[str, Any]] = base()["tiles"]
    return tiles


def components(module: str) -> dict[str, int]:
    return {entry["item"]: entry["count"] for entry in component_data()["modules"][module]["components"]}


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


def each(kinds: Iterable[str], count: int) -> dict[str, int]:
    return dict.fromkeys(kinds, count)


def by_type(counts: Iterable[int]) -> dict[str, int]:
    return dict(zip(TYPES, counts, strict=True))


def pairs_of(kinds: Iterable[str]) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in combinations(sorted(kinds), 2)}


def walls_by(key: str, tiles: list[dict[str, Any]]) -> dict[Any, str]:
    return {tile[key]: "".join(tile["walls"]) for tile in tiles}


def runs_of_three(ring: list[str]) -> set[tuple[str, str, str]]:
    """Three neighbours in clockwise order, from every place of a ring."""
    count = len(ring)
    return {(ring[n], ring[(n + 1) % count], ring[(n + 2) % count]) for n in range(count)}


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

    def test_there_are_54_tiles(self) -> None:
        assert Counter(tile["type"] for tile in base_tiles()) == by_type([7, 7, 9, 9, 11, 11])
        assert len(base_tiles()) == 54

    @pytest.mark.parametrize(("building", "cheapest"), list(zip(TYPES, range(2, 8), strict=True)))
    def test_prices_of_a_type_span_six(self, building: str, cheapest: int) -> None:
        prices = [tile["price"] for tile in base_tiles() if tile["type"] == building]
        assert (min(prices), max(prices)) == (cheapest, cheapest + 6)

    def test_no_tile_is_walled_all_around(self) -> None:
        assert max(len(tile["walls"]) for tile in base_tiles()) == 3

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

    def test_there_are_108_money_cards_and_72_for_two_players(self) -> None:
        money = base()["money"]
        kinds = len(CURRENCIES) * len(money["values"])
        assert money["total"] == kinds * money["copies"] == 108
        assert kinds * money["copies_2_players"] == 72

    def test_each_currency_has_its_colour(self) -> None:
        colours = {currency["id"]: currency["colour"] for currency in component_data()["currencies"]}
        assert colours == {"gulden": "yellow", "dirham": "green", "denar": "blue", "dukat": "orange"}

    def test_each_currency_has_its_space_on_the_market(self) -> None:
        assert sorted(currency["market_slot"] for currency in component_data()["currencies"]) == [1, 2, 3, 4]


class TestViziersFavour:
    def test_every_player_has_one_stone_that_starts_awake(self) -> None:
        data = module_data("viziers_favour")
        assert data["stones_per_player"] == 1
        assert data["sides"] == ["awake", "asleep"]
        assert data["starts"] == "awake"


class TestBureauxDeChange:
    def test_there_is_one_card_for_each_pair_of_currencies(self) -> None:
        cards = module_data("bureaux_de_change")["cards"]
        assert len(cards) == 6
        assert {frozenset(card["currencies"]) for card in cards} == pairs_of(CURRENCIES)

    def test_two_cards_go_into_each_middle_pile(self) -> None:
        assert module_data("bureaux_de_change")["deck_piles"] == {"2": 2, "3": 2, "4": 2}


class TestBonusCards:
    def test_the_cards_show_the_ten_tiles_without_walls(self) -> None:
        cards = module_data("bonus_cards")["cards"]
        assert len(cards) == 10
        assert {card["tile"] for card in cards} == {tile["id"] for tile in base_tiles() if not tile["walls"]}

    def test_a_card_repeats_type_and_price_of_its_tile(self) -> None:
        printed = {tile["id"]: (tile["type"], tile["price"]) for tile in base_tiles()}
        for card in module_data("bonus_cards")["cards"]:
            assert (card["type"], card["price"]) == printed[card["tile"]]

    def test_the_garden_10_of_the_example_is_among_them(self) -> None:
        assert ("garden", 10) in [(card["type"], card["price"]) for card in module_data("bonus_cards")["cards"]]

    def test_there_are_enough_cards_to_deal(self) -> None:
        dealt = module_data("bonus_cards")["dealt_per_player"]
        assert dealt == {"2": 3, "3": 3, "4": 2, "5": 2, "6": 1}
        assert all(int(seats) * cards <= 10 for seats, cards in dealt.items())


class TestSquares:
    def test_each_colour_has_its_number_of_squares(self) -> None:
        data = module_data("squares")
        assert data["counts"] == by_type([3, 3, 4, 4, 5, 5])
        assert Counter(tile["type"] for tile in data["tiles"]) == data["counts"]

    def test_a_square_has_one_to_three_walls_so_that_it_counts_three_at_most(self) -> None:
        walls = {len(tile["walls"]) for tile in module_data("squares")["tiles"]}
        assert walls <= {1, 2, 3}
        assert 1 in walls

    def test_the_blue_square_with_a_wall_on_top_exists(self) -> None:
        assert ("pavilion", ["N"]) in [(tile["type"], tile["walls"]) for tile in module_data("squares")["tiles"]]

    def test_a_player_may_have_three(self) -> None:
        assert module_data("squares")["max_per_player"] == 3


class TestCityGates:
    def test_the_cards_go_into_piles_three_to_five(self) -> None:
        assert module_data("city_gates")["deck_piles"]["piles"] == [3, 4, 5]


class TestDiamonds:
    def test_values_run_from_three_to_nine_with_five_to_seven_twice(self) -> None:
        # The example of the rules pays with a 4 and a 5.
        assert sorted(module_data("diamonds")["values"]) == [3, 4, 5, 5, 6, 6, 7, 7, 8, 9]


class TestCharacters:
    def test_six_of_the_ten_go_into_the_piles_and_four_are_set_aside(self) -> None:
        data = module_data("characters")
        assert data["deck_piles"] == {"2": 2, "3": 2, "4": 2}
        assert sum(data["deck_piles"].values()) + data["set_aside"] == len(data["cards"]) == 10

    def test_the_symbols_say_when_a_card_is_used(self) -> None:
        symbols = Counter(card["symbol"] for card in module_data("characters")["cards"])
        assert symbols == {"per_round": 5, "once": 2, "scoring": 2, "passive": 1}

    def test_the_numbers_in_their_abilities(self) -> None:
        assert module_data("characters")["values"] == {
            "juggler_vp": 8,
            "beggar_max_cards": 2,
            "miser_min_price": 10,
            "trader_sum_limit": 7,
            "wise_man_bonus": 0.5,
            "city_watch_segments_per_point": 3,
        }


class TestMilitaryCamps:
    def test_there_is_a_camp_for_each_side_and_each_corner(self) -> None:
        bastions = [tuple(tile["bastions"]) for tile in module_data("military_camps")["tiles"]]
        assert len(bastions) == len(set(bastions)) == 8
        assert {len(sides) for sides in bastions} == {1, 2}
        assert not {("N", "S"), ("E", "W")} & set(bastions)

    def test_the_arrows_point_where_the_bastions_stand(self) -> None:
        assert all(tile["arrows"] == tile["bastions"] for tile in module_data("military_camps")["tiles"])

    def test_a_camp_with_one_bastion_is_cheaper_than_any_with_two(self) -> None:
        tiles = module_data("military_camps")["tiles"]
        one, two = ([t["price"] for t in tiles if len(t["bastions"]) == count] for count in (1, 2))
        assert max(one) < min(two)

    def test_the_north_east_camp_costs_eight(self) -> None:
        assert (["N", "E"], 8) in [(t["bastions"], t["price"]) for t in module_data("military_camps")["tiles"]]


class TestCityWalls:
    def test_eight_different_cards_show_twelve_sticks(self) -> None:
        data = module_data("city_walls")
        walls = [tuple(card["walls"]) for card in data["cards"]]
        assert len(walls) == len(set(walls)) == 8
        assert sum(len(sides) for sides in walls) == data["sticks"] == 12

    def test_two_cards_go_into_each_pile_but_the_first(self) -> None:
        assert module_data("city_walls")["deck_piles"] == {"2": 2, "3": 2, "4": 2, "5": 2}


class TestThieves:
    def test_there_are_three_thieves_of_each_currency(self) -> None:
        assert Counter(card["currency"] for card in module_data("thieves")["cards"]) == each(CURRENCIES, 3)

    def test_there_are_enough_cards_to_deal(self) -> None:
        dealt = module_data("thieves")["dealt_per_player"]
        assert dealt == {"2": 4, "3": 4, "4": 3, "5": 2, "6": 2}
        assert all(int(seats) * cards <= 12 for seats, cards in dealt.items())


class TestChange:
    def test_there_are_24_coins_of_the_four_currencies(self) -> None:
        coins = module_data("change")["coins"]
        assert set(coins) == CURRENCIES
        assert sum(coins.values()) == 24

    def test_a_coin_is_worth_one_and_costs_two_overpaid(self) -> None:
        data = module_data("change")
        assert (data["coin_value"], data["overpay_per_coin"]) == (1, 2)


class TestStreetTrader:
    def test_there_are_seven_citizens_of_each_colour_and_three_on_a_tile(self) -> None:
        data = module_data("street_trader")
        assert data["citizens"] == each(TYPES, 7)
        assert data["on_tile_at_start"] == 3

    def test_a_set_scores_triangular_numbers(self) -> None:
        assert list(module_data("street_trader")["set_points"].values()) == [1, 3, 6, 10, 15, 21]

    def test_sets_of_four_three_and_one_score_17_as_in_the_example(self) -> None:
        points = module_data("street_trader")["set_points"]
        assert points["4"] + points["3"] + points["1"] == 17


class TestTreasureChamber:
    def test_chests_are_two_fewer_than_buildings(self) -> None:
        assert module_data("treasure_chamber")["chests"] == by_type([5, 5, 7, 7, 9, 9])

    def test_three_rooms_hold_four_chests_each_and_cost_eight(self) -> None:
        data = module_data("treasure_chamber")
        assert (data["rooms"], data["chests_per_room"], data["price"]) == (3, 4, 8)

    def test_majorities_score_by_place(self) -> None:
        assert module_data("treasure_chamber")["scoring"] == {"1": [7], "2": [14, 7], "3": [22, 14, 7]}


class TestMasterBuilders:
    def test_there_are_four_cards_of_value_three_in_each_currency(self) -> None:
        cards = Counter((card["currency"], card["value"]) for card in module_data("master_builders")["cards"])
        assert cards == {(currency, 3): 4 for currency in CURRENCIES}

    def test_five_and_six_players_use_all_sixteen(self) -> None:
        data = module_data("master_builders")
        assert data["dealt_per_player"] == 2
        assert data["deck_piles"] == {"2-5": {"3": 3, "5": 3}, "6": {"3": 3, "5": 1}}
        assert 5 * data["dealt_per_player"] + sum(data["deck_piles"]["2-5"].values()) == 16
        assert 6 * data["dealt_per_player"] + sum(data["deck_piles"]["6"].values()) == 16


class TestInvaders:
    def test_an_invasion_comes_from_each_direction(self) -> None:
        cards = module_data("invaders")["invasion_cards"]
        assert sorted(card["direction"] for card in cards) == sorted(SIDES)

    def test_there_is_a_scout_for_each_building_type_and_two_appear_each_time(self) -> None:
        data = module_data("invaders")
        assert sorted(scout["type"] for scout in data["scouts"]) == sorted(TYPES)
        assert data["scouts_revealed"] == 2
        assert len(data["scouts"]) == 3 * data["scouts_revealed"]

    def test_penalties_grow_with_the_scorings(self) -> None:
        data = module_data("invaders")
        assert data["penalty_main"] == [1, 2, 3]
        assert data["penalty_neighbours"] == [0, 0, 1]


class TestBazaars:
    def test_every_bazaar_shows_its_own_three_colours(self) -> None:
        colours = [frozenset(tile["colours"]) for tile in module_data("bazaars")["tiles"]]
        assert len(colours) == len(set(colours)) == 8
        assert all(len(triple) == 3 and triple <= set(TYPES) for triple in colours)

    def test_every_colour_stands_on_four_bazaars(self) -> None:
        tiles = module_data("bazaars")["tiles"]
        assert Counter(colour for tile in tiles for colour in tile["colours"]) == each(TYPES, 4)

    def test_two_bazaars_are_paid_in_each_currency(self) -> None:
        # One of them is the Gulden bazaar of the example.
        assert Counter(tile["currency"] for tile in module_data("bazaars")["tiles"]) == each(CURRENCIES, 2)

    def test_the_dirham_bazaar_seen_in_a_picture_exists(self) -> None:
        tiles = [(tile["currency"], set(tile["colours"])) for tile in module_data("bazaars")["tiles"]]
        assert ("dirham", {"seraglio", "arcades", "garden"}) in tiles

    def test_a_bazaar_scores_24_points_at_most(self) -> None:
        assert module_data("bazaars")["max_points"] == 24


class TestNewScoreCards:
    def test_each_of_the_18_cards_ranks_the_six_types_in_its_own_order(self) -> None:
        orders = [tuple(card["order_low_to_high"]) for card in module_data("new_score_cards")["cards"]]
        assert len(orders) == len(set(orders)) == 18
        assert all(sorted(order) == sorted(TYPES) for order in orders)

    def test_none_repeats_the_order_of_the_base_game(self) -> None:
        assert TYPES not in [card["order_low_to_high"] for card in module_data("new_score_cards")["cards"]]

    def test_three_slots_score_as_in_the_base_game_by_rank(self) -> None:
        data = module_data("new_score_cards")
        assert data["slots"] == 3
        assert data["points_by_rank"] == [base()["scoring"][building] for building in TYPES]


class TestPowerOfTheSultan:
    def test_eight_cards_at_seven_go_into_the_first_three_piles(self) -> None:
        data = module_data("power_of_the_sultan")
        assert [card["price"] for card in data["cards"]] == [7] * 8
        assert data["deck_piles"] == {"1": 3, "2": 2, "3": 3}

    def test_the_die_shows_each_type_once_and_arcades_face_chambers(self) -> None:
        opposites = module_data("power_of_the_sultan")["die_opposites"]
        assert sorted(face for pair in opposites for face in pair) == sorted(TYPES)
        assert ["arcades", "chambers"] in opposites


class TestCaravanserai:
    def branches_at(self, value: int) -> list[tuple[str, str]]:
        """Main currency and branching currency of every card, at this value of the track."""
        cards = module_data("caravanserai")["cards"]
        return [
            (card["main"], branch["currency"])
            for card in cards
            for branch in card["branches"]
            if branch["at_value"] == value
        ]

    def test_a_card_has_a_main_currency_and_branches_into_the_other_three(self) -> None:
        for card in module_data("caravanserai")["cards"]:
            assert {card["main"], *(branch["currency"] for branch in card["branches"])} == CURRENCIES

    def test_a_branch_is_worth_what_the_track_is_worth_there(self) -> None:
        for card in module_data("caravanserai")["cards"]:
            assert card["max_value"] == 5
            assert all(branch["value"] == branch["at_value"] < card["max_value"] for branch in card["branches"])

    def test_every_currency_is_the_main_one_of_two_cards(self) -> None:
        assert Counter(card["main"] for card in module_data("caravanserai")["cards"]) == each(CURRENCIES, 2)

    @pytest.mark.parametrize("value", [2, 3, 4])
    def test_every_currency_branches_off_twice_at_each_value(self, value: int) -> None:
        assert Counter(currency for _, currency in self.branches_at(value)) == each(CURRENCIES, 2)

    def test_the_stones_of_the_example_can_stand_where_they_do(self) -> None:
        assert ("dukat", "dirham") in self.branches_at(2)
        assert ("denar", "dukat") in self.branches_at(3)

    def test_the_price_falls_with_the_number_of_types(self) -> None:
        data = module_data("caravanserai")
        assert data["price_by_types"] == {"4": 8, "5": 4, "6": 2}
        assert data["min_types"] == {"first": 4, "second": 5}
        assert data["max_per_player"] == 2


class TestArtsOfTheMoors:
    def test_the_tiles_cover_the_prices_from_six_to_thirteen(self) -> None:
        tiles = module_data("arts_of_the_moors")["tiles"]
        assert sorted(price for tile in tiles for price in tile["prices_matched"]) == list(range(6, 14))
        assert all(tile["price"] == tile["prices_matched"][0] for tile in tiles)

    def test_there_is_a_tile_for_every_two_buildings_of_its_price(self) -> None:
        tiles = module_data("arts_of_the_moors")["tiles"]
        for tile in tiles:
            buildings = sum(building["price"] in tile["prices_matched"] for building in base_tiles())
            assert tile["copies"] == buildings // 2, tile["id"]
        assert sum(tile["copies"] for tile in tiles) == components("arts_of_the_moors")["culture tile"] == 20

    def test_six_sections_grow_in_value_and_never_need_more_buildings_than_exist(self) -> None:
        for tile in module_data("arts_of_the_moors")["tiles"]:
            values = [section["value"] for section in tile["sections"]]
            needed = [section["buildings"] for section in tile["sections"]]
            exist = sum(building["price"] in tile["prices_matched"] for building in base_tiles())
            assert len(values) == 6
            assert (values[0], needed[0]) == (0, 2)
            assert values == sorted(set(values))
            assert values[-1] <= 21
            assert needed == sorted(needed)
            assert needed[-1] <= exist

    @pytest.mark.parametrize(
        ("price", "values"), [(7, [0, 2, 4, 6, 9, 13]), (8, [0, 2, 5, 9, 14, 20]), (9, [0, 3, 6, 10, 15, 21])]
    )
    def test_the_values_that_are_known_stay_as_they_are(self, price: int, values: list[int]) -> None:
        (tile,) = (tile for tile in module_data("arts_of_the_moors")["tiles"] if tile["price"] == price)
        assert [section["value"] for section in tile["sections"]] == values

    def test_two_buildings_are_needed_and_a_strip_has_three_slots(self) -> None:
        data = module_data("arts_of_the_moors")
        assert (data["min_buildings"], data["strip_slots"]) == (2, 3)


class TestFalconers:
    def test_there_are_five_falcons_of_each_colour(self) -> None:
        assert Counter(tile["falcon"] for tile in module_data("falconers")["tiles"]) == each(
            ("black", "brown", "white"), 5
        )

    def test_every_pair_of_building_types_has_its_falcon(self) -> None:
        # So the falcon of the example, with two of tower, garden and chambers, exists.
        tiles = module_data("falconers")["tiles"]
        assert len(tiles) == 15
        assert {frozenset(tile["colours"]) for tile in tiles} == pairs_of(TYPES)

    def test_points_grow_with_the_number_of_falcons(self) -> None:
        assert list(module_data("falconers")["points_by_count"].values()) == [2, 6, 12, 20, 30]


class TestWatchtowers:
    def test_there_are_three_for_each_type_and_they_turn_four_ways(self) -> None:
        data = module_data("watchtowers")
        assert data["tiles"] == each(TYPES, 3)
        assert data["shape"]["orientations"] == 4

    def test_the_surcharge_falls_with_the_scorings(self) -> None:
        assert list(module_data("watchtowers")["surcharge"].values()) == [6, 4, 2]

    def test_seven_walls_and_two_towers_score_eleven_as_in_the_example(self) -> None:
        data = module_data("watchtowers")
        assert 7 * data["wall_points"] + 2 * data["bonus_in_longest"] == 11


class TestBuildingSites:
    def test_there_are_two_of_each_currency_and_one_of_two_drawn_is_kept(self) -> None:
        data = module_data("building_sites")
        assert data["tiles"] == each(CURRENCIES, 2)
        assert (data["drawn"], data["kept"]) == (2, 1)


class TestExchangeCertificates:
    def test_twelve_tokens_suffice_for_what_comes_into_play(self) -> None:
        data = module_data("exchange_certificates")
        assert sum(data["tokens"].values()) == 12
        assert data["tokens_in_play_per_currency"] == {"2": 1, "3": 2, "4": 2, "5": 3, "6": 3}

    def test_a_board_stores_six(self) -> None:
        assert module_data("exchange_certificates")["max_stored"] == 6


class TestMagicalBuildings:
    def test_a_magical_building_costs_one_more_than_the_dearest_of_its_type(self) -> None:
        tiles = module_data("magical_buildings")["tiles"]
        dearest = {entry["id"]: entry["prices"][1] for entry in component_data()["building_types"]}
        assert [(tile["type"], tile["price"]) for tile in tiles] == [(t, dearest[t] + 1) for t in TYPES]

    def test_the_dearer_types_have_more_walls(self) -> None:
        walls = walls_by("type", module_data("magical_buildings")["tiles"])
        assert walls == dict(zip(TYPES, ["N", "N", "NE", "NE", "NES", "NES"], strict=True))


class TestMedina:
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
    def test_two_grounds_bear_each_number_and_cost_as_much(self) -> None:
        data = module_data("new_building_grounds")
        assert Counter(ground["number"] for ground in data["grounds"]) == dict.fromkeys(data["number_tiles"], 2)
        assert all(ground["price"] == ground["number"] for ground in data["grounds"])

    def test_twelve_buildings_lie_under_the_four_numbers(self) -> None:
        data = module_data("new_building_grounds")
        assert data["construction_buildings"] == each(TYPES, 2)
        assert len(data["number_tiles"]) * data["buildings_per_number"] == 12

    def test_the_ground_for_12_of_the_example_exists(self) -> None:
        assert 12 in [ground["price"] for ground in module_data("new_building_grounds")["grounds"]]


class TestMajorConstructionProjects:
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

    def test_the_wall_runs_along_one_long_side(self) -> None:
        long_sides = {"horizontal": (["N"], ["S"]), "vertical": (["E"], ["W"])}
        for tile in module_data("major_construction_projects")["tiles"]:
            first, second = tile["cells"]
            assert first["walls"] == second["walls"]
            assert first["walls"] in long_sides[tile["orientation"]]

    def test_bidding_starts_at_fifteen(self) -> None:
        assert module_data("major_construction_projects")["min_bid"] == 15


class TestPalaceStaff:
    def test_there_is_a_servant_for_each_building(self) -> None:
        assert module_data("palace_staff")["servants"] == Counter(tile["type"] for tile in base_tiles())

    def test_six_lie_open_and_a_building_without_costs_one_point(self) -> None:
        data = module_data("palace_staff")
        assert (data["display"], data["penalty_per_building"]) == (6, 1)


class TestOrchards:
    def test_seven_fruits_have_eight_tiles_each(self) -> None:
        data = module_data("orchards")
        assert len(data["fruits"]) == 7
        assert len(data["fruits"]) * data["tiles_per_fruit"] == components("orchards")["fruit tile"] == 56

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
    def test_two_wells_each_are_worth_three_four_and_five(self) -> None:
        # A 3 is in the example.
        assert Counter(tile["value"] for tile in module_data("wishing_well")["tiles"]) == {3: 2, 4: 2, 5: 2}

    def test_a_well_costs_what_it_is_worth(self) -> None:
        assert all(tile["price"] == tile["value"] for tile in module_data("wishing_well")["tiles"])


class TestFreshColours:
    def test_each_type_has_three_projects_one_of_them_with_a_star(self) -> None:
        projects = module_data("fresh_colours")["project_tiles"]
        assert Counter(project["type"] for project in projects) == each(TYPES, 3)
        assert Counter(project["type"] for project in projects if project["star"]) == each(TYPES, 1)

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

    def test_the_board_offers_three_choices_of_one_or_two_equal_tiles_in_each_currency(self) -> None:
        board = module_data("fresh_colours")["board"]
        assert board == {
            "gulden": [["tower", "tower"], ["pavilion"], ["arcades"]],
            "dirham": [["garden", "garden"], ["tower"], ["chambers"]],
            "denar": [["chambers", "chambers"], ["pavilion", "pavilion"], ["seraglio"]],
            "dukat": [["seraglio", "seraglio"], ["arcades", "arcades"], ["garden"]],
        }

    def test_there_are_six_colour_tiles_of_each_type(self) -> None:
        assert module_data("fresh_colours")["colour_tiles"] == each(TYPES, 6)

    def test_three_and_two_buildings_score_ten_as_in_the_example(self) -> None:
        assert (3 + 2) * module_data("fresh_colours")["points_per_building"] == 10


class TestPalaceDesigners:
    def test_the_feet_score_two_and_the_other_sides_one(self) -> None:
        data = module_data("palace_designers")
        assert (data["points_at_feet"], data["points_other_sides"]) == (2, 1)


class TestMenagerie:
    def test_the_24_animals_include_those_that_the_rules_name(self) -> None:
        data = module_data("menagerie")
        assert len(set(data["animals"])) * data["per_animal"] == components("menagerie")["animal tile"] == 24
        assert {"monkey", "dove", "cheetah"} <= set(data["animals"])

    def test_the_animals_in_play_suffice_for_the_eleven_gardens(self) -> None:
        data = module_data("menagerie")
        assert 24 - data["removed"] == 11 * data["per_garden"]


class TestGatesWithoutEnd:
    def test_there_is_a_key_for_each_arcade(self) -> None:
        arcades = [tile for tile in base_tiles() if tile["type"] == "arcades"]
        assert len(module_data("gates_without_end")["key_tiles"]) == len(arcades)

    def test_a_key_has_six_different_bonuses_and_each_bonus_stands_on_six_keys(self) -> None:
        data = module_data("gates_without_end")
        bonuses = [key["bonuses_clockwise"] for key in data["key_tiles"]]
        assert all(len(ring) == len(set(ring)) == 6 for ring in bonuses)
        assert Counter(bonus for ring in bonuses for bonus in ring) == each(data["bonus_kinds"], 6)

    def test_six_gates_stand_in_the_order_of_the_example(self) -> None:
        gates = module_data("gates_without_end")["gate_order_clockwise"]
        assert len(gates) == len(set(gates)) == 6
        assert ("red", "yellow", "green") in runs_of_three(gates)

    def test_the_key_of_the_example_is_possible(self) -> None:
        keys = module_data("gates_without_end")["key_tiles"]
        example = ("money_card", "rebuild", "swap_market")
        assert any(example in runs_of_three(key["bonuses_clockwise"]) for key in keys)

    def test_there_is_half_a_building_of_each_type(self) -> None:
        halves = module_data("gates_without_end")["half_buildings"]
        assert [(half["type"], half["value"]) for half in halves] == [(building, 0.5) for building in TYPES]

    def test_there_are_six_plazas_and_six_wall_pieces_and_a_building_costs_14(self) -> None:
        data = module_data("gates_without_end")
        assert (len(data["plazas"]), data["wall_pieces"], data["buy_price"]) == (6, 6, 14)


class TestBuildingsOfPower:
    def test_each_power_has_three_tiles(self) -> None:
        powers = Counter(tile["power"] for tile in module_data("buildings_of_power")["tiles"])
        assert powers == each(("architecture", "wisdom", "strength", "wealth"), 3)

    def test_a_tile_has_type_price_and_walls_of_the_one_that_it_replaces(self) -> None:
        by_id = {tile["id"]: tile for tile in base_tiles()}
        tiles = module_data("buildings_of_power")["tiles"]
        assert len({tile["replaces"] for tile in tiles}) == 12
        for tile in tiles:
            replaced = by_id[tile["replaces"]]
            assert [tile[key] for key in ("type", "price", "walls")] == [
                replaced[key] for key in ("type", "price", "walls")
            ]

    def test_chambers_11_is_a_building_of_strength(self) -> None:
        powers = {tile["replaces"]: tile["power"] for tile in module_data("buildings_of_power")["tiles"]}
        assert powers["chambers-11"] == "strength"


class TestExtensions:
    def test_the_columns_have_a_field_for_each_of_the_twelve_tiles(self) -> None:
        data = module_data("extensions")
        assert sum(data["tiles"].values()) == sum(len(column["fields"]) for column in data["columns"]) == 12

    def test_a_column_asks_for_three_cards_and_has_three_rows(self) -> None:
        for column in module_data("extensions")["columns"]:
            assert len(column["cards"]) == 3
            assert [field["row"] for field in column["fields"]] == [1, 2, 3]

    def test_with_a_sum_of_11_two_of_three_tiles_are_exact_as_in_the_example(self) -> None:
        columns = module_data("extensions")["columns"]
        (column,) = (column for column in columns if sorted(column["cards"]) == ["dirham", "gulden", "gulden"])
        assert sorted(field["exact_max"] >= 11 for field in column["fields"]) == [False, True, True]

    def test_an_extension_counts_as_two(self) -> None:
        assert module_data("extensions")["counts_as"] == 2


class TestHandymen:
    def test_eight_for_each_of_six_players_and_three_dice(self) -> None:
        data = module_data("handymen")
        assert (data["per_player"], data["dice"]) == (8, 3)
        assert 6 * data["per_player"] == components("handymen")["handyman"]


class TestPersonalBuildingMarket:
    def test_each_player_has_a_tile_for_each_currency_that_holds_one_building(self) -> None:
        data = module_data("personal_building_market")
        assert {tile["currency"] for tile in data["tiles_per_player"]} == CURRENCIES
        assert 6 * len(data["tiles_per_player"]) == components("personal_building_market")["market tile"]
        assert data["capacity_per_tile"] == 1


class TestTreasures:
    def test_each_player_has_treasures_from_one_to_five(self) -> None:
        values = module_data("treasures")["values_per_player"]
        assert values == [1, 2, 3, 4, 5]
        assert 6 * len(values) == components("treasures")["treasure tile"]


class TestCaliphsGuidelines:
    def test_three_of_nine_missions_are_drawn(self) -> None:
        data = module_data("caliphs_guidelines")
        assert [tile["mission"] for tile in data["tiles"]] == list(range(1, 10))
        assert data["drawn"] == 3

    def test_each_mission_has_its_points(self) -> None:
        tiles = module_data("caliphs_guidelines")["tiles"]
        assert [tile["points"] for tile in tiles] == [3, 3, 3, 1, 2, 3, None, 1, 2]

    def test_the_seventh_mission_scores_by_a_table(self) -> None:
        assert module_data("caliphs_guidelines")["tiles"][6]["table"] == {"2": 1, "3": 3, "4": 6, "5": 10, "6": 15}

    def test_a_run_is_at_least_three_long(self) -> None:
        assert module_data("caliphs_guidelines")["min_run"] == 3
