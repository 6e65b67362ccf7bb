"""Hooks that modules share, what they put into deck and tower, and resources that several modules want."""

from __future__ import annotations

from .row import Row, Section

FRAME = "interactions/turn_frame"
PRICES = "interactions/pairs_of_prices_and_turns"
GATE = "interactions/pairs_at_the_gate"
SUPPLIES = "interactions/supplies"

HOOKS = Section(
    "Moments that several modules use",
    "Where modules meet in one moment of the game, beyond the phases of a turn.",
    (
        Row(
            "moments: taking money",
            "The trader raises the limit to 7, the goldsmith to 8; servants walk for what was taken; dice force it.",
            {
                "modules/characters_money": ("the_trader_lets_7_be_taken_together",),
                "modules/travelling_craftsmen_with_others": ("the_goldsmith_and_the_trader_do_not_add_up",),
                "modules/palace_staff": ("the_traders_larger_limit_gives_no_further_steps",),
                PRICES: (
                    "the_goldsmith_gives_the_major_domo_no_steps_for_six_and_more",
                    "money_taken_after_rolling_sends_the_major_domo_on_his_way",
                ),
            },
        ),
        Row(
            "moments: size of the display",
            "With the blacksmith six cards lie open; every refill waits until fewer than four are left.",
            {
                "modules/travelling_craftsmen": (
                    "the_blacksmith_enlarges_the_display_which_is_refilled_only_below_four",
                ),
                GATE: ("with_the_blacksmiths_six_cards_the_display_is_not_filled_after_a_key",),
                "interactions/decisions": ("with_the_blacksmiths_six_cards_the_display_is_not_filled_after_a_thief",),
            },
        ),
        Row(
            "moments: cards that are turned up",
            "Bureaux and builder cards lie in the display; gates and walls beside the board; characters are auctioned; "
            "sultan cards are marked.",
            {
                "modules/bureaux_de_change": ("a_bureau_that_is_turned_up_lies_in_the_display_and_is_taken_alone",),
                "modules/master_builders": ("a_builder_and_a_two_may_be_taken_together",),
                "modules/city_gates": ("a_gate_card_that_comes_up_lies_open_and_the_display_is_filled_all_the_same",),
                "modules/city_walls": ("wall_cards_that_come_up_lie_beside_the_board_any_number_of_them",),
                "modules/characters_auction": ("a_character_is_auctioned_in_the_middle_of_the_refill",),
                "modules/power_of_the_sultan": ("a_card_turned_up_is_laid_beside_the_board_marked_and_replaced",),
                "modules/power_of_the_sultan_with_others": ("a_wall_card_and_a_sultan_card_may_come_up_in_one_refill",),
            },
        ),
        Row(
            "moments: a tile is drawn, laid or leaves",
            "Bazaars, bathhouses and wells go beside the market, claims are offered, fruit and animals come, handymen "
            "go back, hidden tiles are turned up.",
            {
                "interactions/draw_pipeline": (
                    "side_tiles_then_claims_then_the_tile_then_fruit_and_animals",
                    "a_hidden_tile_is_turned_up_after_the_take_back_and_is_claimed_by_nobody_but_gets_fruit_and_animals",
                ),
                "modules/bathhouses": (
                    "side_tiles_of_several_modules_go_to_their_places_until_a_tile_for_the_space_comes",
                ),
            },
        ),
        Row(
            "moments: tiles of the market change places",
            "Dancer, mortar mixer and key move a tile with its fruit and animals; handymen, hidden tiles and what "
            "lies beside the market stay at the space.",
            {
                PRICES: (
                    "the_mortar_mixer_moves_fruit_and_animals_but_neither_handymen_nor_hidden_tiles_nor_tiles_beside",
                ),
                GATE: ("a_swap_at_a_gate_moves_fruit_and_animals_but_neither_handymen_nor_hidden_tiles",),
                "modules/handymen_with_others": ("the_dancer_leaves_handymen_at_the_space_and_nobody_takes_any_back",),
                "modules/buildings_of_power_with_others": ("the_dancer_leaves_a_hidden_tile_in_place",),
                "modules/orchards": (
                    "fruit_of_a_tile_that_is_sunk_goes_back_into_the_supply_and_the_next_tile_draws_its_own",
                ),
                "modules/menagerie_on_tiles": ("animals_sunk_into_the_tower_by_the_dancer_go_back_to_the_supply",),
                "modules/travelling_craftsmen_with_others": ("the_price_of_a_bazaar_follows_the_swapped_tiles",),
            },
        ),
        Row(
            "moments: after a purchase",
            "Coins, certificate, colours, building, marker, fruit, key, die, scout, miser, further action.",
            {
                "interactions/order_after_a_purchase": (
                    "an_overpaid_building_brings_coins_certificate_colours_fruit_and_key_before_the_miser",
                    "an_exactly_paid_building_brings_fruit_die_scout_and_miser_before_the_further_action",
                    "an_overpaid_site_on_a_ground_has_its_building_before_its_marker",
                ),
            },
        ),
        Row(
            "moments: a tile is acquired, in whatever way",
            "Culture is looked at, fruit is planted and dice are rolled out of turn, too.",
            {
                "modules/arts_of_the_moors": (
                    "what_the_vizier_bought_leads_to_a_tile_of_its_price_at_once_and_of_no_other",
                ),
                "modules/orchards": ("fruit_comes_with_what_the_vizier_buys_before_the_tile_is_placed",),
                "modules/buildings_of_power_with_others": ("a_viziers_building_has_its_die_at_once",),
                GATE: (
                    "the_fruit_of_a_tile_bought_at_a_gate_is_planted_before_the_tile_is_placed",
                    "the_animals_of_a_garden_bought_at_a_gate_come_along",
                    "culture_is_taken_at_once_for_the_price_of_a_building_bought_at_a_gate",
                    "a_special_building_bought_at_a_gate_has_its_die_at_once",
                ),
            },
        ),
        Row(
            "moments: a tile is built or leaves the Alhambra",
            "Bonus cards, residents, chests, falcons, servants, designers, animals and handymen follow or stay.",
            {
                "modules/bonus_cards": ("if_the_building_goes_to_the_reserve_the_card_returns_to_the_hand",),
                "modules/street_trader_disc": ("a_resident_whose_building_is_removed_returns_to_the_supply",),
                "modules/treasure_chamber": ("the_chest_of_a_building_that_is_taken_out_returns_to_the_bag",),
                "modules/falconers_with_others": (
                    "falcon_returns_when_one_of_its_tiles_is_removed_and_may_be_bought_again_by_anyone",
                ),
                "modules/palace_staff_on_tiles": ("servants_removed_go_into_the_reserve_with_their_tile",),
                "modules/palace_designers": ("the_designer_may_be_put_on_any_tile_when_the_tile_is_removed",),
                "modules/menagerie_on_tiles": ("animals_removed_go_into_the_reserve_with_any_tile",),
                "modules/handymen_with_others": ("handyman_removed_into_the_reserve_stays_on_its_tile",),
            },
        ),
        Row(
            "moments: points at once",
            "The juggler, designers and keys give points at once.",
            {
                "modules/characters_auction": ("the_juggler_kept_is_worth_8_points_at_once_and_leaves_the_game",),
                "modules/palace_designers": ("the_points_count_at_once_and_are_told_as_such",),
                "modules/gates_without_end_bonuses": ("points_are_simply_added",),
            },
        ),
        Row(
            "moments: what waits for a later moment",
            "Keys and functions gained out of turn wait for the own turn; a bid wins at the next own turn.",
            {
                "modules/gates_without_end": ("a_key_that_waits_is_used_at_the_end_of_the_next_own_turn",),
                "modules/buildings_of_power_looking": ("a_function_gained_out_of_turn_waits_for_the_next_own_turn",),
                "modules/major_construction_projects": ("a_bid_that_still_lies_there_at_the_next_own_turn_has_won",),
            },
        ),
        Row(
            "moments: what goes to other players",
            "Chests go on to the left, a craftsman is passed on, every gate has its bonus, a seller gets the money.",
            {
                "modules/treasure_chamber": ("the_buyer_puts_what_fits_and_passes_the_rest_to_the_left",),
                "modules/travelling_craftsmen": ("a_craftsman_that_was_not_used_is_passed_on_by_choice",),
                "modules/gates_without_end": ("the_example_of_three_players",),
                "modules/personal_building_market": ("an_exact_payment_to_another_player_grants_a_further_action",),
            },
        ),
        Row(
            "moments: the reserve",
            "A personal market replaces the reserve: four places, public, for sale.",
            {
                "modules/personal_building_market": (
                    "everybody_has_four_places_one_of_each_currency",
                    "with_four_places_taken_a_new_tile_is_built_or_replaces_one_or_leaves_the_game",
                ),
            },
        ),
        Row(
            "moments: tiles of half a cell and of two",
            "A watchtower takes its cell whole and stands on half of it; a project fills two cells.",
            {
                "modules/watchtowers": ("its_cell_is_taken_whole", "nothing_is_attached_to_the_long_side"),
                "modules/major_construction_projects": ("every_outer_side_of_both_halves_must_fit",),
            },
        ),
        Row(
            "moments: restrictions of a whole turn",
            "Falcons and dice restrict the whole turn; one excludes the other.",
            {
                "modules/falconers": ("falcons_are_refused_as_a_further_action",),
                PRICES: ("after_rolling_neither_falcons_nor_extensions_nor_projects_nor_the_contractor_are_left",),
            },
        ),
        Row(
            "moments: scorings off the usual moment",
            "Cards drawn by beggar, thief, key or wisdom bring their scoring at once; the blacksmith's waits for the "
            "end of the turn.",
            {
                "modules/characters_start_of_turn": ("a_scoring_card_is_scored_at_once_and_the_beggar_may_draw_again",),
                "modules/thieves": ("a_scoring_card_is_scored_at_once_and_the_same_player_goes_on",),
                "modules/gates_without_end": ("a_scoring_card_that_comes_up_after_a_key_is_scored_at_once",),
                "modules/travelling_craftsmen": (
                    "a_scoring_card_that_the_blacksmith_turns_up_waits_for_the_end_of_the_turn",
                ),
                "modules/buildings_of_power_looking": ("a_scoring_card_may_be_played_and_the_scoring_is_held_at_once",),
            },
        ),
    ),
)

STOCK = Section(
    "Deck and tower",
    "What all modules together put into the money deck and the tower.",
    (
        *(
            Row(
                f"deck: pile {number}",
                says,
                {SUPPLIES: ("every_pile_has_the_cards_that_the_modules_put_into_it",)},
            )
            for number, says in enumerate(
                (
                    "Three sultan cards.",
                    "The first scoring card, two bureaux, two characters, two walls, two sultan cards.",
                    "Two bureaux, two characters, two walls, three builder cards, three sultan cards.",
                    "The second scoring card, two bureaux, two characters, two walls.",
                    "Two walls; three builder cards, with six players one.",
                ),
                start=1,
            )
        ),
        Row(
            "deck: gates",
            "As many gate cards as players are spread evenly over the last three piles.",
            {SUPPLIES: ("gates_are_spread_evenly_over_the_last_three_piles",)},
        ),
        Row(
            "deck: before dealing",
            "Diamonds are shuffled in before money is dealt; each player is dealt two builder cards.",
            {
                SUPPLIES: (
                    "diamonds_are_shuffled_in_before_money_is_dealt_and_two_builder_cards_are_dealt_to_each_player",
                ),
            },
        ),
        Row(
            "tower: contents",
            "105 tiles with all modules, 20 of them for beside the market; twelve base tiles are replaced. Squares, "
            "projects, plazas and watchtowers lie elsewhere.",
            {
                SUPPLIES: (
                    "the_tower_has_the_tiles_of_all_modules",
                    "squares_projects_plazas_and_watchtowers_are_not_in_the_tower",
                ),
            },
        ),
    ),
)

CONFLICTS = Section(
    "What several modules want at once",
    "Resources that more than one module lays its hand on, and who gets what.",
    (
        Row(
            "wanted: the tile just drawn",
            "Side tiles, claims, fruit, animals and hidden tiles follow one order.",
            {"interactions/draw_pipeline": ("side_tiles_then_claims_then_the_tile_then_fruit_and_animals",)},
        ),
        Row(
            "wanted: exact or not",
            "A site is never exact, treasure and patron always are: they are not used together.",
            {
                "modules/building_sites_money_of_others": (
                    "the_rich_patron_neither_starts_nor_completes_a_site",
                    "nothing_that_changes_the_price_serves_at_the_start_or_at_completion",
                ),
            },
        ),
        Row(
            "wanted: one overpayment",
            "Coins, certificate and colours all come of it, each for the whole overpayment.",
            {PRICES: ("what_exceeds_the_price_after_all_helpers_is_overpaid",)},
        ),
        Row(
            "wanted: one price",
            "All helpers add up; a treasure fills what is missing then.",
            {
                PRICES: (
                    "watchtower_handymen_carpenter_and_white_die_add_up_in_one_price",
                    "a_treasure_fills_what_all_other_helpers_leave_missing",
                ),
            },
        ),
        Row(
            "wanted: the reserve",
            "Where a personal market replaces the reserve, its four places are the reserve for all modules.",
            {
                "modules/extensions_on_tiles": ("a_building_on_the_own_personal_market_may_be_extended",),
                "modules/arts_of_the_moors": (
                    "a_building_sold_from_the_personal_market_leaves_the_marker_where_it_is",
                ),
                "modules/palace_staff_on_tiles": (
                    "servants_sold_from_a_personal_market_travel_with_their_tile_and_are_placed_with_it",
                ),
                "modules/menagerie_on_tiles": ("animals_sold_from_a_personal_market_go_to_the_buyer",),
                "modules/handymen_with_others": ("handyman_sold_from_a_personal_market_returns_to_its_owner",),
            },
        ),
        Row(
            "wanted: the second wall",
            "Black dice and the caliph's wish both count it, each by itself.",
            {"interactions/decisions": ("black_dice_and_the_wish_of_the_caliph_both_count_the_second_wall",)},
        ),
        Row(
            "wanted: the end of a turn",
            "Keys and functions come before thieves and viziers.",
            {"modules/gates_without_end_with_others": ("the_window_opens_only_after_the_keys",)},
        ),
        Row(
            "wanted: a free redesign",
            "Master builder, builder card, contractor and key each give one of their own; the contractor during the "
            "actions (not with falcons, not after rolling), the key always.",
            {
                "modules/master_builders": (
                    "the_master_builder_and_a_builder_card_give_two_redesigns_in_either_order",
                ),
                "modules/travelling_craftsmen_building": ("the_contractor_redesigns_without_an_action",),
                PRICES: ("a_falcon_turn_has_no_contractor_but_blacksmith_and_mixer",),
                GATE: ("a_redesign_at_a_gate_is_open_after_falcons_and_after_rolling",),
            },
        ),
        Row(
            "wanted: one tile to lie on",
            "Pieces of several modules lie on one tile; a site keeps residents, chests, servants and extensions off.",
            {
                "interactions/pairs_of_special_buildings": (
                    "a_garden_holds_servant_animals_extension_handyman_and_bonus_card_at_once_and_all_of_them_count",
                ),
                "modules/extensions_on_tiles": (
                    "an_extension_shares_its_tile_with_wooden_walls_and_a_chest",
                    "an_unfinished_building_takes_none",
                ),
                "modules/building_sites_with_others": (
                    "no_resident_moves_into_a_site_on_the_traders_space",
                    "no_chest_is_put_into_a_site",
                ),
            },
        ),
        Row(
            "wanted: points to lose",
            "Servants, medinas, attack, in this order; each stops at 0.",
            {
                "interactions/scoring_frame": (
                    "staff_medinas_attack_scouts_and_dirk_come_last_in_this_order",
                    "a_deduction_stops_at_zero_and_the_next_one_begins_there",
                ),
            },
        ),
        Row(
            "wanted: a money card as a token",
            "Falcons, animals and extensions take money cards only.",
            {"interactions/money_items": ("a_card_that_is_demanded_is_money_with_a_back",)},
        ),
        Row(
            "wanted: the start of a turn",
            "Award, dancer or money changer, marker, then beggar, stonemason and dice.",
            {FRAME: ("stonemason_beggar_and_dice_close_the_marker_and_come_in_any_order",)},
        ),
        Row(
            "wanted: a scoring card off the usual moment",
            "At once for beggar, thief, key and wisdom, at the end of the turn for the blacksmith.",
            {
                "modules/travelling_craftsmen": (
                    "a_scoring_card_that_the_blacksmith_turns_up_waits_for_the_end_of_the_turn",
                ),
                "interactions/decisions": ("in_a_scoring_that_the_beggar_draws_he_is_asked_first",),
            },
        ),
    ),
)
