"""Decisions where the pages of modules contradict each other, or cannot be followed to the letter."""

from __future__ import annotations

from .row import Row, Section

OURS = "interactions/decisions"

CONTRADICTIONS = Section(
    "Contradictions",
    "Where two pages say different things.",
    (
        Row(
            "07.51",
            "The trader is permanent: his owner always takes up to 7, and he never blocks another character.",
            {"modules/characters_money": ("the_trader_is_permanent_and_blocks_nobody",)},
        ),
        Row(
            "99.37",
            "Moves and views use the ids of the component data; builder cards and thieves are kinds.",
            {
                OURS: (
                    "pieces_have_the_ids_of_the_component_data",
                    "builder_cards_and_bureaux_are_kinds_and_thieves_are_named_by_their_currency",
                ),
            },
        ),
        Row(
            "27.3, 27.5",
            "The columns of construction buildings are named by their number, 9 to 12.",
            {"modules/new_building_grounds": ("three_construction_buildings_lie_under_each_number_for_all_to_see",)},
        ),
        Row(
            "20.39",
            "The strips of culture tiles decide nothing: a tile is shown with its rotation and its marker only.",
            {"modules/arts_of_the_moors": ("twenty_culture_tiles_lie_in_open_stacks",)},
        ),
        Row(
            "28.30",
            "A turned project turns about its first half.",
            {"modules/major_construction_projects": ("a_turned_project_turns_about_its_first_half",)},
        ),
        Row(
            "21.35",
            "Falcons are bought one by one, each paid and placed by itself.",
            {"modules/falconers": ("falcons_are_bought_one_by_one_and_end_the_actions",)},
        ),
        Row(
            "04.38",
            "A square may leave the game from a full personal market, and is owned no more then.",
            {
                "modules/personal_building_market": (
                    "squares_on_the_own_market_count_towards_the_limit_and_a_boxed_one_no_more",
                ),
            },
        ),
        Row(
            "31.29",
            "The carpenter lowers the price of a bazaar, too.",
            {"interactions/purchases": ("a_column_applies_to_a_purchase_where_the_table_has_a_dot[bazaar-C]",)},
        ),
        Row(
            "15.36",
            "There is one scout of each type, so two never match one purchase.",
            {OURS: ("there_is_one_scout_of_each_type_so_two_never_match_one_purchase",)},
        ),
        Row(
            "99.38",
            "A module that is on and never used leaves the log as it was, where that is possible at all.",
            {
                "rules/unused_modules": (
                    "the_law_is_tested_for_every_module_that_is_written_and_can_keep_it",
                    "a_module_that_is_never_used_leaves_the_event_log_as_it_was",
                ),
            },
        ),
        Row(
            "verbs of several modules",
            "Verbs that several modules need belong to the core: walking, relocating, swapping market tiles.",
            {"base/errors": ("verbs_of_the_core_that_only_modules_offer_are_not_offered",)},
        ),
    ),
)

IMPOSSIBLE = Section(
    "What could not be done as written",
    "Where the text cannot be followed to the letter by a program.",
    (
        Row(
            "lists of payments",
            "Payments are listed in two levels, exact and undominated ones first; judging and listing agree.",
            {
                "base/payments": (
                    "exact_payments_come_first_then_undominated_ones_then_the_rest",
                    "above_six_cards_samples_of_listed_and_of_random_payments_agree",
                ),
                "hooks/payment_work": ("the_list_of_an_offer_is_short_and_quickly_made",),
            },
        ),
        Row(
            "00.97",
            "One whole round of passes ends the game; a limit of turns stops it loudly and without a ranking.",
            {
                "base/end_of_turn": (
                    "a_whole_round_of_passes_ends_the_game_with_the_last_scoring",
                    "the_turn_limit_stops_the_game_loudly_and_without_a_ranking",
                ),
            },
        ),
        Row(
            "00.103",
            "An Alhambra may grow beyond every frame, up to 127 cells from the fountain.",
            {
                "rules/construction": (
                    "an_alhambra_may_leave_every_frame",
                    "the_limit_is_the_same_on_all_sides",
                ),
            },
        ),
        Row(
            "00.60, 00.61, 00.62, 00.70, 00.71",
            "A seat that resigns is skipped, its hand leaves unseen, its Alhambra counts, it cannot win; the last one "
            "left wins.",
            {
                "base/resigning": (
                    "a_seat_that_resigned_is_skipped",
                    "its_hand_leaves_the_game_unseen",
                    "its_alhambra_still_counts_in_majorities",
                    "it_cannot_win_however_many_points_it_has",
                    "the_last_one_left_wins_at_once",
                ),
                "modules/thieves": ("the_thieves_of_a_seat_that_resigns_leave_the_game_unseen",),
                "modules/characters_auction": ("the_bid_of_a_player_who_leaves_does_not_count",),
            },
        ),
        Row(
            "22.30",
            "A run of walls does not jump across a point where a tile touches the long side of a watchtower.",
            {"modules/watchtowers": ("a_run_does_not_jump_across_the_point_where_a_tile_touches_a_long_side",)},
        ),
        Row(
            "99.35",
            "No walk ends on a watchtower; while a figure stands on one, only it may step.",
            {
                "hooks/walking": (
                    "a_figure_crosses_half_a_tile_but_never_stays_there",
                    "while_a_figure_stands_on_half_a_tile_only_it_may_step_and_nobody_passes",
                ),
                "modules/palace_staff": ("a_watchtower_costs_a_step_receives_no_servant_and_no_walk_ends_there",),
                "modules/menagerie": ("a_single_step_onto_a_watchtower_is_refused",),
            },
        ),
        Row(
            "22.34",
            "A watchtower must be placed while it has a legal position; otherwise it returns to the supply.",
            {
                "modules/watchtowers": (
                    "while_it_has_a_legal_position_it_must_be_placed",
                    "without_a_legal_position_it_returns_to_the_supply_unasked",
                ),
                "modules/watchtowers_with_others": ("a_viziers_watchtower_that_fits_nowhere_is_lost_unasked",),
            },
        ),
        Row(
            "05.37, 05.38",
            "A tile is laid with one gate at most; with several fitting double walls the builder names one.",
            {"modules/city_gates": ("where_two_double_walls_could_take_the_gate_the_builder_chooses",)},
        ),
        Row(
            "00.11, 00.92, 37.8",
            "Seats have colours, which decide their gates, and may have ages, which decide ties for the first player.",
            {
                OURS: ("bonuses_go_to_the_gates_of_the_colours_that_the_seats_chose",),
                "base/setup": ("among_as_many_cards_of_the_same_total_the_youngest_begins",),
            },
        ),
        Row(
            "99.60",
            "The effects of a purchase come in one order.",
            {
                "interactions/order_after_a_purchase": (
                    "an_overpaid_building_brings_coins_certificate_colours_fruit_and_key_before_the_miser",
                    "an_exactly_paid_building_brings_fruit_die_scout_and_miser_before_the_further_action",
                    "an_overpaid_site_on_a_ground_has_its_building_before_its_marker",
                    "spent_coins_are_in_the_bag_and_the_spent_stone_in_the_pool_before_anything_is_drawn_or_saved",
                ),
            },
        ),
        Row(
            "standing orders and replays",
            "Standing orders are no part of the game: it replays from its moves alone.",
            {
                "service/orders": (
                    "a_game_with_orders_replays_without_them",
                    "only_the_own_seat_is_told_that_an_order_answered",
                ),
            },
        ),
        Row(
            "dry runs",
            "A dry run of a move tells violations, price and exactness, and never events.",
            {"service/moves_exactly_once": ("a_dry_run_judges_and_changes_nothing",)},
        ),
        Row(
            "99.8",
            "The actions stay open without an action left while an unused blacksmith, mixer or contractor can do "
            "something.",
            {
                "modules/travelling_craftsmen": (
                    "the_actions_stay_open_for_a_blacksmith_and_a_pass_closes_them",
                    "with_six_cards_open_the_blacksmith_has_no_effect_and_keeps_nothing_open",
                ),
                "modules/travelling_craftsmen_building": ("without_a_tile_the_contractor_keeps_nothing_open",),
                "interactions/pairs_of_prices_and_turns": ("a_falcon_turn_has_no_contractor_but_blacksmith_and_mixer",),
            },
        ),
    ),
)
