"""Classes of tiles, kinds of money, prices and purchases."""

from __future__ import annotations

from tests.rules.interactions.money_table import BY_VALUE, CARD_DEMANDED, MONEY
from tests.rules.interactions.purchase_table import COLUMNS, MEANING, TABLE

from .row import Row, Section

ITEMS = "interactions/money_items"
PURCHASES = "interactions/purchases"
PRICES = "interactions/pairs_of_prices_and_turns"
SITES = "interactions/pairs_of_sites"
SPECIAL = "interactions/pairs_of_special_buildings"

TILES = Section(
    "Classes of tiles",
    "Standard buildings are those of the base game and the buildings of power that replace some of them; typed are all "
    "finished buildings with a type; full are all tiles that fill a cell.",
    (
        Row(
            "tiles: standard",
            "A building of power is a standard building everywhere.",
            {
                "modules/buildings_of_power": ("twelve_tiles_take_the_place_of_base_tiles_like_them",),
                SPECIAL: (
                    "a_special_building_is_the_one_that_a_bonus_card_shows",
                    "special_buildings_count_for_culture",
                    "a_special_building_without_a_servant_costs_a_point_and_gets_a_servant",
                    "a_special_garden_gets_fruit_and_animals_on_the_market",
                    "special_arcades_bring_a_key",
                    "a_special_building_takes_an_extension",
                    "a_special_building_gets_a_handyman_for_its_printed_price",
                ),
                PRICES: ("special_buildings_show_their_colours_to_a_falcon",),
            },
        ),
        Row(
            "tiles: typed",
            "Magical buildings, grounds with their building and both halves of a project are of their types.",
            {
                "modules/magical_buildings": ("it_counts_as_a_building_of_its_type_for_players_and_for_dirk",),
                "modules/new_building_grounds": ("it_counts_as_a_building_of_the_chosen_type",),
                "modules/major_construction_projects": ("each_half_counts_as_a_building_in_the_majorities",),
                "interactions/pairs_of_money_and_market": (
                    "magical_buildings_and_occupied_grounds_count_as_types_for_a_caravanserai_card",
                    "magical_buildings_and_occupied_grounds_are_neighbours_of_a_bazaar",
                ),
            },
        ),
        Row(
            "tiles: covered by a site",
            "A tile under construction has no type, but fills its cell and still shows a watchtower its colour.",
            {
                "modules/building_sites": ("an_unfinished_building_has_walls_but_is_no_building_of_its_type",),
                "modules/watchtowers": ("a_building_that_is_not_finished_still_shows_its_colour",),
                SITES: (
                    "a_site_is_entered_by_the_major_domo_but_gets_no_servant_and_costs_no_point",
                    "a_site_is_no_building_for_a_bonus_card",
                    "a_building_completed_in_a_turn_counts_for_culture_at_its_end",
                    "a_site_takes_no_extension",
                    "a_site_is_not_decorated",
                    "a_site_may_be_a_corner_of_a_falcon_but_shows_no_colour",
                    "a_handyman_may_be_put_on_a_site_and_counts_in_its_group",
                    "a_site_built_at_the_feet_of_the_designer_brings_points",
                ),
            },
        ),
        Row(
            "tiles: full",
            "Full tiles can be walked on, fill lines and are crossed by figures, whatever kind they are.",
            {
                "modules/wishing_well": ("tiles_of_every_kind_count_in_the_line", "each_half_of_a_project_counts"),
                "modules/bathhouses": ("all_full_tiles_make_up_the_line_but_only_a_finished_building_is_met",),
                "modules/palace_staff": ("the_fountain_and_tiles_without_a_type_receive_no_servant",),
                "modules/menagerie": ("any_tile_holds_any_number_of_animals_the_fountain_included",),
                "modules/palace_designers_on_tiles": ("special_tiles_count_as_extensions_and_carry_the_designer",),
            },
        ),
        Row(
            "tiles: not full",
            "Nobody walks on a camp; a watchtower is crossed from leg to leg; both end lines.",
            {
                "modules/military_camps": (
                    "nobody_has_to_walk_to_a_camp_and_nobody_walks_across_one",
                    "a_camp_ends_the_line_even_if_there_are_tiles_behind_it",
                ),
                "modules/watchtowers": ("the_way_on_foot_may_lead_across_a_watchtower",),
                "modules/watchtowers_with_others": ("a_watchtower_ends_the_line_of_a_camp",),
                "modules/wishing_well": ("a_camp_is_not_counted_and_ends_the_line",),
                "modules/bathhouses": ("a_camp_ends_the_line",),
            },
        ),
        Row(
            "tiles: only buildings of the base game",
            "Culture, colours of falcons, watchtowers that are bought along, missing servants, fruit, animals that "
            "are drawn, keys and pairs of the caliph know standard buildings only.",
            {
                "modules/arts_of_the_moors": ("only_buildings_of_the_base_game_count",),
                "modules/falconers": ("only_standard_buildings_and_the_fountain_carry_a_falcon",),
                "modules/magical_buildings": ("no_watchtower_is_bought_with_it",),
                "modules/palace_staff": ("only_finished_standard_buildings_are_missed",),
                "modules/orchards": ("only_buildings_of_the_base_game_get_a_fruit",),
                "modules/menagerie": ("no_animals_come_with_other_buildings_and_magical_gardens",),
                "modules/gates_without_end_with_others": ("magical_arcades_and_a_claim_bring_no_key",),
                "modules/caliphs_guidelines": ("pairs_are_made_of_finished_standard_buildings",),
            },
        ),
        Row(
            "tiles: fruit and key of a site",
            "Fruit, key, die and function come when a site is started, although the building is not finished.",
            {
                SITES: (
                    "the_fruit_of_a_tile_is_planted_when_its_site_is_started_and_not_when_it_is_completed",
                    "the_die_of_a_special_building_is_rolled_when_its_site_is_started",
                    "a_function_is_used_at_the_end_of_the_turn_in_which_the_site_is_started",
                    "the_animals_of_a_garden_lie_on_its_site",
                    "animals_walk_from_a_site_that_does_not_score_as_a_garden",
                ),
                PURCHASES: ("a_column_applies_to_a_purchase_where_the_table_has_a_dot[site_start-K]",),
            },
        ),
        Row(
            "tiles: lines",
            "A line is made of full tiles one behind another; walls never interrupt it, the first other cell does.",
            {
                "modules/military_camps": ("inner_walls_do_not_interrupt_the_line_but_gaps_do",),
                "modules/wishing_well": ("walls_do_not_interrupt_the_line_but_a_gap_does",),
                "modules/bathhouses": ("a_gap_ends_the_line", "double_walls_do_not_matter"),
            },
        ),
    ),
)


def _money(item: str, says: dict[str, str]) -> Row:
    if item == "diamond":
        paid: tuple[str, ...] = ("diamonds_pay_for_everything_but_only_alone",)
    elif item == "bureau":
        paid = ("a_bureau_mixes_two_currencies_where_a_currency_is_demanded_and_in_the_auction",)
    elif item == "treasure":
        paid = ("a_treasure_pays_for_neither_cards_nor_chests_nor_bids",)
    elif item == "base money card":
        paid = ("a_spent_builder_card_leaves_the_game_and_other_cards_are_discarded",)
    else:
        paid = tuple(
            f"an_item_lies_beside_other_money_where_the_table_says_so[{item}-{purchase}]" for purchase in BY_VALUE
        )
    handed = tuple(f"a_card_that_is_demanded_is_money_with_a_back[{item}-{place}]" for place in CARD_DEMANDED)
    kept = (f"leftover_tiles_go_to_the_richest_in_money_that_counts[{item}]",)
    told = "; ".join(f"{column}: {cell}" for column, cell in says.items())
    return Row(f"money: {item}", f"{told}.", {ITEMS: (*paid, *handed, *kept)})


ITEMS_OF_MONEY = Section(
    "Kinds of money",
    "Where each kind of money is accepted: in payments by value, where a card is demanded (21, 36, 39, the stonemason "
    "of 31, the money changer of 07), in a bid for a project (28), and in the final distribution.",
    tuple(_money(item, says) for item, says in MONEY.items()),
)

PRICE = Section(
    "Prices and payments",
    "How a price is found, what exact means, and what overpaying brings.",
    (
        Row(
            "prices: formula",
            "Watchtower, handymen, carpenter and white die add up to one price, which is never below 0; half the "
            "printed price without any helper starts a site; a bazaar costs what the tile on its space costs.",
            {
                PRICES: (
                    "watchtower_handymen_carpenter_and_white_die_add_up_in_one_price",
                    "a_price_of_0_is_paid_exactly_with_nothing_but_helpers",
                ),
                "modules/building_sites": ("a_garden_for_11_is_started_for_at_least_5",),
                "modules/building_sites_money_of_others": (
                    "nothing_that_changes_the_price_serves_at_the_start_or_at_completion",
                ),
                "modules/bazaars": ("it_costs_what_the_tile_on_the_space_of_its_currency_costs",),
                "modules/bathhouses": ("a_bathhouse_costs_eight_in_the_currency_of_its_space_even_if_that_is_empty",),
                "modules/wishing_well": ("its_number_is_its_price_in_the_currency_of_its_space_even_if_that_is_empty",),
                "interactions/pairs_of_money_and_market": ("a_special_tile_on_the_space_sets_the_price_of_a_bazaar",),
            },
        ),
        Row(
            "prices: treasure",
            "A treasure is legal where less than the price is paid and it covers the rest; the payment is exact then.",
            {
                "modules/treasures": (
                    "a_treasure_that_is_worth_more_than_is_missing_makes_the_payment_exact",
                    "a_treasure_is_refused_where_nothing_is_missing",
                    "a_treasure_that_is_too_small_does_not_help",
                ),
                PRICES: ("a_treasure_fills_what_all_other_helpers_leave_missing",),
            },
        ),
        Row(
            "prices: patron",
            "The rich patron pays everything, a watchtower too, and exactly; no other helper joins him.",
            {
                "modules/characters_money": ("the_patron_pays_all_of_it_or_nothing",),
                PRICES: ("the_rich_patron_pays_the_watchtower_along_and_no_helper_joins_him",),
            },
        ),
        Row(
            "prices: overpaying",
            "Spent coins and stone are returned, then coins are drawn, then the certificate, then one choice of "
            "colours.",
            {
                "interactions/order_after_a_purchase": (
                    "an_overpaid_building_brings_coins_certificate_colours_fruit_and_key_before_the_miser",
                    "spent_coins_are_in_the_bag_and_the_spent_stone_in_the_pool_before_anything_is_drawn_or_saved",
                ),
                "modules/exchange_certificates": (
                    "seven_too_much_saves_nothing",
                    "an_occupied_certificate_is_not_written_anew",
                ),
                "modules/change": ("every_two_too_much_give_a_coin",),
                PRICES: (
                    "what_exceeds_the_price_after_all_helpers_is_overpaid",
                    "handymen_can_raise_a_price_to_make_an_overpayment_exact",
                ),
            },
        ),
        Row(
            "prices: where bureaux and diamonds serve",
            "A bureau serves where a currency is demanded, and in the auction; diamonds alone pay for everything.",
            {
                ITEMS: (
                    "a_bureau_mixes_two_currencies_where_a_currency_is_demanded_and_in_the_auction",
                    "diamonds_pay_for_everything_but_only_alone",
                ),
            },
        ),
        Row(
            "prices: where the money goes",
            "Payments go to the discard; for a tile of another player's market they go to that player.",
            {
                "base/buying": ("paid_cards_go_to_the_discard",),
                "modules/bids_and_sales": ("a_sale_is_told_with_the_cards_that_the_seller_gets",),
                "modules/diamonds": ("a_player_who_sells_a_tile_gets_the_diamonds",),
                "modules/change_with_others": ("a_player_who_sells_a_tile_gets_the_coins_and_the_buyer_the_change",),
            },
        ),
        Row(
            "prices: at a gate and with a vizier",
            "Neither a purchase for 14 nor one with a vizier is helped by characters or craftsmen; for 14 there is "
            "also no watchtower and no handyman.",
            {
                "modules/gates_without_end_with_others": (
                    "no_character_no_watchtower_and_no_craftsman_helps_at_a_gate",
                ),
                "modules/viziers_favour_with_others": ("no_character_serves_with_a_vizier",),
                "modules/travelling_craftsmen_with_others": ("no_craftsman_serves_a_vizier",),
            },
        ),
    ),
)


def _cell(purchase: str, column: str) -> Row:
    printed = TABLE[purchase][column]
    says = f"{MEANING[column]}: {printed or 'no'}"
    if purchase == "final distribution":
        tests: tuple[str, ...] = ("the_final_distribution_has_no_effect_of_any_column",)
    else:
        node = f"{purchase}-{column}".replace(" ", "_")
        tests = (f"a_column_applies_to_a_purchase_where_the_table_has_a_dot[{node}]",)
    if printed == "never":
        tests += ("a_site_start_is_never_exact_even_if_the_whole_price_is_paid",)
    elif printed == "o>0":
        tests += ("a_site_start_for_exactly_the_half_brings_no_colours",)
    elif printed == "sum ≤ number":
        tests += ("an_extension_grants_a_further_action_up_to_its_number_and_not_beyond",)
    return Row(f"purchases: {purchase} × {column}", says, {PURCHASES: tests})


CELLS = tuple(_cell(purchase, column) for purchase in TABLE for column in COLUMNS if TABLE[purchase][column] != "–")
"""A row for every cell of the purchase table."""
