"""A scoring and the end of the game with many modules."""

from __future__ import annotations

from .row import Row, Section

FRAME = "interactions/scoring_frame"
END = "interactions/end_frame"

SCORING = Section(
    "A scoring",
    "The steps of a scoring in their order.",
    (
        Row(
            "scoring: S0 declarations",
            "The wise man speaks first, then bonus cards are turned up.",
            {
                FRAME: ("declarations_come_first_the_wise_man_before_the_bonus_cards",),
                "modules/bonus_cards": ("the_wise_man_speaks_first_and_adds_on_top",),
            },
        ),
        Row(
            "scoring: S1 walls",
            "The longest wall, with the city watch and the watchtowers in it; beside it a second wall by black dice.",
            {
                FRAME: ("walls_have_the_watch_and_the_second_wall_beside_them",),
                "modules/watchtowers": ("a_longest_wall_of_seven_with_two_watchtowers_brings_eleven",),
                "modules/buildings_of_power_with_others": ("the_watch_counts_the_first_wall_only",),
            },
        ),
        Row(
            "scoring: S2 majorities",
            "Typed tiles count, an extended one twice; squares, bonus cards, the wise man and half buildings are "
            "added, in half buildings; new score cards change the values.",
            {
                FRAME: ("the_score_lines_of_the_first_scoring_come_frame_by_frame",),
                "interactions/pairs_of_special_buildings": (
                    "a_garden_holds_servant_animals_extension_handyman_and_bonus_card_at_once_and_all_of_them_count",
                ),
                "modules/squares": ("squares_and_the_wise_man_add_up",),
                "modules/gates_without_end_bonuses": ("a_half_building_counts_half_in_majorities",),
                "modules/new_score_cards": ("a_square_changes_what_is_counted_but_not_what_it_is_worth",),
                "modules/bonus_cards": ("a_card_changes_what_is_counted_and_new_score_cards_what_that_is_worth",),
            },
        ),
        Row(
            "scoring: S3 chests",
            "The ranking of chests comes between majorities and gains.",
            {"modules/treasure_chamber": ("chests_are_scored_between_majorities_and_gains",)},
        ),
        Row(
            "scoring: S4 gains",
            "Camps, residents, culture, falcons, bathhouses, wells, decorations, animals and handymen; in the last "
            "scoring also bazaars, orchards, treasures and wishes of the caliph.",
            {
                FRAME: (
                    "every_module_with_gains_scores_them_before_anything_is_lost",
                    "the_last_scoring_has_further_gains_and_missing_servants_cost_points_before_it",
                ),
            },
        ),
        Row(
            "scoring: S4b, S4c, S5 losses",
            "Missing servants (scorings 1 and 2), then medinas, then the attack.",
            {
                FRAME: ("staff_medinas_attack_scouts_and_dirk_come_last_in_this_order",),
                "modules/medina": ("medinas_come_after_all_gains_and_before_the_attack",),
                "modules/palace_staff": ("medinas_come_after_the_staff",),
                "modules/invaders": ("everything_else_is_scored_before_the_attack",),
            },
        ),
        Row(
            "scoring: no score below 0",
            "Every loss stops at 0 at once, before the next one is looked at.",
            {
                FRAME: ("a_deduction_stops_at_zero_and_the_next_one_begins_there",),
                "modules/medina": ("nobody_falls_below_zero_and_each_deduction_stops_there_at_once",),
                "modules/palace_staff": ("no_score_falls_below_zero",),
                "modules/invaders": ("nobody_falls_below_0",),
            },
        ),
    ),
)

ENDING = Section(
    "The end of the game",
    "The steps of the end in their order.",
    (
        Row(
            "end: E1 last refill",
            "Tiles of the last refill can still be claimed; keys and functions that wait lapse.",
            {
                END: (
                    "a_tile_of_the_last_refill_is_claimed_and_built_before_the_end_begins",
                    "keys_lapse_and_neither_viziers_nor_handymen_nor_the_disc_are_asked_about",
                ),
                "modules/gates_without_end": (
                    "a_key_that_leaves_the_market_unfilled_ends_the_game_and_further_keys_lapse",
                ),
                "modules/power_of_the_sultan": ("the_last_incomplete_refill_offers_claims_too",),
            },
        ),
        Row(
            "end: E2 servants",
            "Missing servants cost points before tiles are given out.",
            {
                END: ("the_last_scoring_is_the_third_and_has_no_loss_for_servants_any_more",),
                "modules/palace_staff": ("at_the_end_the_points_are_lost_before_leftover_tiles_are_given_out",),
            },
        ),
        Row(
            "end: E3 bids",
            "An open bid for a project returns to the hand.",
            {END: ("the_bid_returns_before_money_is_compared_and_counts",)},
        ),
        Row(
            "end: E4 sites",
            "Sites in Alhambras are revealed, and hand cards of their currencies are lost.",
            {
                END: ("cards_of_a_built_site_are_lost_before_money_is_compared",),
                "modules/building_sites_money_of_others": (
                    "diamonds_and_coins_are_kept_at_the_end_and_builder_cards_are_lost",
                ),
                "modules/building_sites_with_others": ("money_of_an_open_bid_returns_before_it_is_lost",),
            },
        ),
        Row(
            "end: E5 distribution",
            "Space by space the strictly richest gets the tile, with the fruit and the animals on it, and chooses the "
            "building of a ground; a hidden tile goes to the second; tiles beside the market go to nobody; neither "
            "keys nor dice come along.",
            {
                END: (
                    "everything_comes_in_the_printed_order",
                    "tiles_beside_the_market_are_given_to_nobody",
                    "the_fruit_comes_along_with_the_open_tile_and_not_with_the_hidden_one",
                ),
                "interactions/money_items": ("leftover_tiles_go_to_the_richest_in_money_that_counts[coin]",),
                "modules/buildings_of_power_looking": (
                    "the_richest_chooses_one_of_two_leftover_tiles_and_the_second_gets_the_other",
                ),
                "modules/buildings_of_power": ("leftover_tiles_at_the_end_bring_no_die_and_no_function",),
                "modules/gates_without_end": ("arcades_of_the_final_distribution_bring_no_key",),
                "modules/new_building_grounds": (
                    "the_recipient_of_a_leftover_ground_chooses_before_the_next_space_is_looked_at",
                ),
                "modules/menagerie": ("a_leftover_garden_comes_with_its_animals_and_scores_if_it_is_built",),
            },
        ),
        Row(
            "end: E6 building",
            "Recipients build their tiles or leave them, in turn order; designers and the trader's disc are looked at.",
            {
                END: ("recipients_build_in_turn_order_and_their_designers_score_at_once",),
                "modules/street_trader_disc": ("a_leftover_tile_meets_the_trader_but_the_disc_does_not_return",),
            },
        ),
        Row(
            "end: E7 last scoring",
            "The third scoring comes last, and with it the last attack.",
            {
                FRAME: ("the_attack_after_the_last_scoring_comes_before_the_result",),
                END: ("the_last_scoring_is_the_third_and_has_no_loss_for_servants_any_more",),
            },
        ),
    ),
)
