"""What is printed on the components of the six expansions agrees with their rules, in rulebook order."""

from collections import Counter

import pytest

from alhambra.components import module_data
from tests.rules.printed import CURRENCIES, SIDES, TYPES, base, base_tiles, by_type, components, each, pairs_of


class TestViziersFavour:
    @pytest.mark.rule("01.1")
    def test_every_player_has_one_stone_that_starts_awake(self) -> None:
        data = module_data("viziers_favour")
        assert data["stones_per_player"] == 1
        assert data["sides"] == ["awake", "asleep"]
        assert data["starts"] == "awake"


class TestBureauxDeChange:
    @pytest.mark.rule("02.1")
    def test_there_is_one_card_for_each_pair_of_currencies(self) -> None:
        cards = module_data("bureaux_de_change")["cards"]
        assert len(cards) == 6
        assert {frozenset(card["currencies"]) for card in cards} == pairs_of(CURRENCIES)

    @pytest.mark.rule("02.2")
    def test_two_cards_go_into_each_middle_pile(self) -> None:
        assert module_data("bureaux_de_change")["deck_piles"] == {"2": 2, "3": 2, "4": 2}


class TestBonusCards:
    @pytest.mark.rule("03.1")
    def test_the_cards_show_the_ten_tiles_without_walls(self) -> None:
        cards = module_data("bonus_cards")["cards"]
        assert len(cards) == 10
        assert {card["tile"] for card in cards} == {tile["id"] for tile in base_tiles() if not tile["walls"]}

    @pytest.mark.rule("03.2")
    def test_a_card_repeats_type_and_price_of_its_tile(self) -> None:
        printed = {tile["id"]: (tile["type"], tile["price"]) for tile in base_tiles()}
        for card in module_data("bonus_cards")["cards"]:
            assert (card["type"], card["price"]) == printed[card["tile"]]

    @pytest.mark.rule("03.24")
    def test_the_garden_10_of_the_example_is_among_them(self) -> None:
        assert ("garden", 10) in [(card["type"], card["price"]) for card in module_data("bonus_cards")["cards"]]

    @pytest.mark.rule("03.3")
    def test_there_are_enough_cards_to_deal(self) -> None:
        dealt = module_data("bonus_cards")["dealt_per_player"]
        assert dealt == {"2": 3, "3": 3, "4": 2, "5": 2, "6": 1}
        assert all(int(seats) * cards <= 10 for seats, cards in dealt.items())


class TestSquares:
    @pytest.mark.rule("04.1")
    def test_each_colour_has_its_number_of_squares(self) -> None:
        data = module_data("squares")
        assert data["counts"] == by_type([3, 3, 4, 4, 5, 5])
        assert Counter(tile["type"] for tile in data["tiles"]) == data["counts"]

    @pytest.mark.rule("04.2")
    def test_a_square_has_no_price(self) -> None:
        assert {tile["price"] for tile in module_data("squares")["tiles"]} == {None}

    @pytest.mark.rule("04.2")
    def test_a_square_has_one_to_three_walls_so_that_it_counts_three_at_most(self) -> None:
        walls = {len(tile["walls"]) for tile in module_data("squares")["tiles"]}
        assert walls <= {1, 2, 3}
        assert 1 in walls

    def test_the_blue_square_with_a_wall_on_top_exists(self) -> None:
        assert ("pavilion", ["N"]) in [(tile["type"], tile["walls"]) for tile in module_data("squares")["tiles"]]

    @pytest.mark.rule("04.11")
    def test_a_player_may_have_three(self) -> None:
        assert module_data("squares")["max_per_player"] == 3


class TestCityGates:
    @pytest.mark.rule("05.3")
    def test_the_cards_go_into_piles_three_to_five(self) -> None:
        assert module_data("city_gates")["deck_piles"]["piles"] == [3, 4, 5]


class TestDiamonds:
    @pytest.mark.rule("06.1")
    def test_values_run_from_three_to_nine_with_five_to_seven_twice(self) -> None:
        # The example of the rules pays with a 4 and a 5.
        assert sorted(module_data("diamonds")["values"]) == [3, 4, 5, 5, 6, 6, 7, 7, 8, 9]


class TestCharacters:
    @pytest.mark.rule("07.2")
    def test_six_of_the_ten_go_into_the_piles_and_four_are_set_aside(self) -> None:
        data = module_data("characters")
        assert data["deck_piles"] == {"2": 2, "3": 2, "4": 2}
        assert sum(data["deck_piles"].values()) + data["set_aside"] == len(data["cards"]) == 10

    @pytest.mark.rule("07.1")
    def test_the_symbols_say_when_a_card_is_used(self) -> None:
        symbols = Counter(card["symbol"] for card in module_data("characters")["cards"])
        assert symbols == {"per_round": 5, "once": 2, "scoring": 2, "passive": 1}

    @pytest.mark.rule("07.1")
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
    @pytest.mark.rule("08.1")
    def test_there_is_a_camp_for_each_side_and_each_corner(self) -> None:
        bastions = [tuple(tile["bastions"]) for tile in module_data("military_camps")["tiles"]]
        assert len(bastions) == len(set(bastions)) == 8
        assert {len(sides) for sides in bastions} == {1, 2}
        assert not {("N", "S"), ("E", "W")} & set(bastions)

    @pytest.mark.rule("08.2")
    def test_the_arrows_point_where_the_bastions_stand(self) -> None:
        assert all(tile["arrows"] == tile["bastions"] for tile in module_data("military_camps")["tiles"])

    def test_a_camp_with_one_bastion_is_cheaper_than_any_with_two(self) -> None:
        tiles = module_data("military_camps")["tiles"]
        one, two = ([t["price"] for t in tiles if len(t["bastions"]) == count] for count in (1, 2))
        assert max(one) < min(two)

    def test_the_north_east_camp_costs_eight(self) -> None:
        assert (["N", "E"], 8) in [(t["bastions"], t["price"]) for t in module_data("military_camps")["tiles"]]


class TestCityWalls:
    @pytest.mark.rule("09.1", "09.2")
    def test_eight_different_cards_show_twelve_sticks(self) -> None:
        data = module_data("city_walls")
        walls = [tuple(card["walls"]) for card in data["cards"]]
        assert len(walls) == len(set(walls)) == 8
        assert sum(len(sides) for sides in walls) == data["sticks"] == 12

    @pytest.mark.rule("09.3")
    def test_two_cards_go_into_each_pile_but_the_first(self) -> None:
        assert module_data("city_walls")["deck_piles"] == {"2": 2, "3": 2, "4": 2, "5": 2}


class TestThieves:
    @pytest.mark.rule("10.1")
    def test_there_are_three_thieves_of_each_currency(self) -> None:
        assert Counter(card["currency"] for card in module_data("thieves")["cards"]) == each(CURRENCIES, 3)

    @pytest.mark.rule("10.2")
    def test_there_are_enough_cards_to_deal(self) -> None:
        dealt = module_data("thieves")["dealt_per_player"]
        assert dealt == {"2": 4, "3": 4, "4": 3, "5": 2, "6": 2}
        assert all(int(seats) * cards <= 12 for seats, cards in dealt.items())


class TestChange:
    @pytest.mark.rule("11.1")
    def test_there_are_24_coins_of_the_four_currencies(self) -> None:
        coins = module_data("change")["coins"]
        assert set(coins) == CURRENCIES
        assert sum(coins.values()) == 24

    @pytest.mark.rule("11.3")
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
    @pytest.mark.rule("16.2")
    def test_every_bazaar_shows_its_own_three_colours(self) -> None:
        colours = [frozenset(tile["colours"]) for tile in module_data("bazaars")["tiles"]]
        assert len(colours) == len(set(colours)) == 8
        assert all(len(triple) == 3 and triple <= set(TYPES) for triple in colours)

    @pytest.mark.rule("16.2")
    def test_every_colour_stands_on_four_bazaars(self) -> None:
        tiles = module_data("bazaars")["tiles"]
        assert Counter(colour for tile in tiles for colour in tile["colours"]) == each(TYPES, 4)

    @pytest.mark.rule("16.2")
    def test_two_bazaars_are_paid_in_each_currency(self) -> None:
        # One of them is the Gulden bazaar of the example.
        assert Counter(tile["currency"] for tile in module_data("bazaars")["tiles"]) == each(CURRENCIES, 2)

    def test_the_dirham_bazaar_seen_in_a_picture_exists(self) -> None:
        tiles = [(tile["currency"], set(tile["colours"])) for tile in module_data("bazaars")["tiles"]]
        assert ("dirham", {"seraglio", "arcades", "garden"}) in tiles

    def test_a_bazaar_scores_24_points_at_most(self) -> None:
        assert module_data("bazaars")["max_points"] == 24


class TestNewScoreCards:
    @pytest.mark.rule("17.1")
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
    @pytest.mark.rule("18.1")
    def test_eight_cards_at_seven_go_into_the_first_three_piles(self) -> None:
        data = module_data("power_of_the_sultan")
        assert [card["price"] for card in data["cards"]] == [7] * 8
        assert data["deck_piles"] == {"1": 3, "2": 2, "3": 3}

    @pytest.mark.rule("18.2")
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

    @pytest.mark.rule("19.2")
    def test_a_branch_is_worth_what_the_track_is_worth_there(self) -> None:
        for card in module_data("caravanserai")["cards"]:
            assert card["max_value"] == 5
            assert all(branch["value"] == branch["at_value"] < card["max_value"] for branch in card["branches"])

    @pytest.mark.rule("19.3")
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
    @pytest.mark.rule("20.24")
    def test_the_tiles_cover_the_prices_from_six_to_thirteen(self) -> None:
        tiles = module_data("arts_of_the_moors")["tiles"]
        assert sorted(price for tile in tiles for price in tile["prices_matched"]) == list(range(6, 14))
        assert all(tile["price"] == tile["prices_matched"][0] for tile in tiles)

    @pytest.mark.rule("20.1")
    def test_there_is_a_tile_for_every_two_buildings_of_its_price(self) -> None:
        tiles = module_data("arts_of_the_moors")["tiles"]
        for tile in tiles:
            buildings = sum(building["price"] in tile["prices_matched"] for building in base_tiles())
            assert tile["copies"] == buildings // 2, tile["id"]
        assert sum(tile["copies"] for tile in tiles) == components("arts_of_the_moors")["culture tile"] == 20

    @pytest.mark.rule("20.2")
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

    @pytest.mark.rule("20.2")
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
    @pytest.mark.rule("21.1")
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
    @pytest.mark.rule("22.1")
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
