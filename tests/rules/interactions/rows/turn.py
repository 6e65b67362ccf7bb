"""The turn with many modules: its phases, and how a market space is filled."""

from __future__ import annotations

from .row import Row, Section

FRAME = "interactions/turn_frame"
PIPELINE = "interactions/draw_pipeline"

TURN = Section(
    "The turn",
    "The phases of a turn, and what each of them may hold.",
    (
        Row(
            "turn: award",
            "A won project comes first, before dancer and money changer; the next project is turned up at once.",
            {
                FRAME: ("a_won_project_comes_before_everything_else_of_a_turn",),
                "modules/characters_with_others": ("a_won_project_is_awarded_before_the_dancer",),
            },
        ),
        Row(
            "turn: start",
            "Dancer or money changer, then one marker of the caravanserai, then beggar, stonemason and dice in any "
            "order; what comes later closes what comes before it.",
            {
                FRAME: (
                    "at_the_start_everything_is_open_at_first",
                    "moving_a_marker_closes_dancer_and_money_changer",
                    "dancing_leaves_the_marker_but_no_other_character_of_the_turn",
                    "stonemason_beggar_and_dice_close_the_marker_and_come_in_any_order",
                ),
                "modules/handymen_with_others": ("the_beggar_may_be_used_before_and_after_rolling",),
            },
        ),
        Row(
            "turn: actions",
            "An exact payment grants one more action, as often as it happens.",
            {
                "base/buying": ("paying_exactly_grants_a_further_action",),
                "modules/bazaars": ("more_than_five_actions_a_turn_are_possible",),
            },
        ),
        Row(
            "turn: falcons are the only action",
            "Falcons are the sole action of a turn: no contractor, no redesign of the master builder or a builder "
            "card; culture, animals and keys stay.",
            {
                "modules/falconers": ("falcons_are_refused_as_a_further_action", "no_other_action_follows_falcons"),
                "modules/falconers_with_others": (
                    "falcons_are_refused_after_a_free_redesign_of_the_same_turn",
                    "no_builder_card_is_asked_for_after_falcons",
                    "the_master_builder_does_not_redesign_after_falcons",
                ),
                "interactions/pairs_of_prices_and_turns": (
                    "a_falcon_turn_has_no_contractor_but_blacksmith_and_mixer",
                    "falcons_are_refused_after_the_contractor",
                    "culture_animals_and_keys_are_part_of_a_falcon_turn",
                ),
            },
        ),
        Row(
            "turn: after rolling",
            "After rolling dice the only action is to take money, and nothing grants a redesign; goldsmith, "
            "blacksmith and mortar mixer serve, animals are led, the major-domo walks.",
            {
                "modules/handymen": ("after_rolling_the_only_action_is_to_take_money",),
                "modules/handymen_with_others": (
                    "after_rolling_the_master_builder_and_builder_cards_are_not_asked_about",
                ),
                "interactions/pairs_of_prices_and_turns": (
                    "after_rolling_neither_falcons_nor_extensions_nor_projects_nor_the_contractor_are_left",
                    "after_rolling_goldsmith_blacksmith_and_mixer_still_serve",
                    "money_taken_after_rolling_sends_the_major_domo_on_his_way",
                    "animals_are_led_after_rolling",
                ),
            },
        ),
        Row(
            "turn: placing",
            "All new tiles are placed after the actions: bought tiles, watchtowers, projects, squares. Mosaic layer "
            "and brickmaker help, designers score at once, the trader is met.",
            {
                FRAME: ("the_end_of_a_turn_goes_from_placing_to_the_interrupts",),
                "modules/watchtowers": ("tile_and_watchtower_are_placed_in_any_order",),
                "modules/major_construction_projects": (
                    "a_won_project_is_placed_with_the_other_new_tiles_of_the_turn",
                ),
                "modules/squares": ("a_square_is_placed_like_a_building_at_the_end_of_the_turn",),
                "modules/travelling_craftsmen_building": (
                    "the_mosaic_layer_turns_a_tile_that_is_placed",
                    "the_brickmaker_exchanges_a_new_tile_for_a_built_one_which_is_placed_at_once",
                ),
                "modules/palace_designers": ("the_points_count_at_once_and_are_told_as_such",),
                "modules/street_trader": ("a_resident_of_its_colour_may_move_into_the_building",),
            },
        ),
        Row(
            "turn: after placing",
            "First redesigns of the master builder and of a builder card and the animals, in the order of the player; "
            "then chests, the disc, culture, and the craftsman that is passed on.",
            {
                FRAME: ("the_end_of_a_turn_goes_from_placing_to_the_interrupts",),
                "modules/menagerie": ("the_player_chooses_the_order_of_an_extra_redesign_and_the_animals",),
                "modules/master_builders": (
                    "the_master_builder_and_a_builder_card_give_two_redesigns_in_either_order",
                ),
                "modules/arts_of_the_moors": ("culture_comes_after_redesigns_at_the_end_of_the_turn",),
            },
        ),
        Row(
            "turn: money",
            "The display is refilled, with the blacksmith only below four cards; cards that are no money go where they "
            "belong; six servants lie open again.",
            {
                FRAME: ("the_end_of_a_turn_goes_from_placing_to_the_interrupts",),
                "modules/travelling_craftsmen": (
                    "the_blacksmith_enlarges_the_display_which_is_refilled_only_below_four",
                ),
                "modules/thieves_with_others": ("gate_and_wall_cards_that_come_up_after_a_theft_go_where_they_belong",),
                "modules/palace_staff": ("the_open_servants_are_filled_up_to_six_after_every_turn",),
            },
        ),
        Row(
            "turn: scoring",
            "A scoring that is due comes after the refill of the display, then its attack, new scouts, and Dirk's "
            "tiles.",
            {
                FRAME: ("the_end_of_a_turn_goes_from_placing_to_the_interrupts",),
                "modules/invaders": ("with_two_players_dirk_is_not_attacked_and_gets_his_tiles_after_it",),
            },
        ),
        Row(
            "turn: market",
            "Space by space from the first to the last: handymen are taken back, then a hidden tile is turned up or "
            "tiles are drawn.",
            {
                FRAME: ("the_end_of_a_turn_goes_from_placing_to_the_interrupts",),
                PIPELINE: (
                    "a_hidden_tile_is_turned_up_after_the_take_back_and_is_claimed_by_nobody_but_gets_fruit_and_animals",
                    "the_spaces_are_filled_one_after_another_from_the_first_to_the_last",
                ),
                "modules/buildings_of_power_with_others": (
                    "handymen_are_taken_back_before_a_hidden_tile_is_turned_up",
                ),
            },
        ),
        Row(
            "turn: keys and functions",
            "Keys and the functions of architecture and wisdom come after the refill, in the order of the player; "
            "money, scorings and market are seen to after each.",
            {
                FRAME: ("keys_and_functions_come_in_the_order_of_the_player_each_followed_by_refills",),
                "modules/gates_without_end": (
                    "several_keys_are_used_one_after_another_with_refills_the_oldest_first",
                    "a_scoring_card_that_comes_up_after_a_key_is_scored_at_once",
                ),
                "modules/buildings_of_power_looking": ("two_functions_are_used_in_the_order_of_the_player",),
            },
        ),
        Row(
            "turn: between turns",
            "A seat plays thieves one after another and then its vizier before another seat is asked; a thief is "
            "followed by money and scorings, a vizier by the market.",
            {
                "modules/thieves": (
                    "several_thieves_are_played_in_a_row_before_anybody_else_is_asked",
                    "the_display_is_refilled_after_each_thief",
                    "a_scoring_card_is_scored_at_once_and_the_same_player_goes_on",
                    "a_theft_refills_no_market",
                ),
                "modules/thieves_with_others": ("a_run_of_thieves_may_end_with_the_vizier",),
                "modules/viziers_favour": (
                    "the_tile_is_placed_at_once_and_then_the_market_refilled",
                    "after_a_purchase_all_decide_afresh",
                ),
                "modules/gates_without_end_with_others": ("the_window_opens_only_after_the_keys",),
            },
        ),
    ),
)

DRAWING = Section(
    "Filling a market space",
    "What happens to a tile that is drawn for a space of the market.",
    (
        Row(
            "drawing: order",
            "Tiles that belong beside the market are laid there and drawing goes on; then the tile is offered to "
            "claims, laid on its space, gets its fruit, and as a garden its animals.",
            {PIPELINE: ("side_tiles_then_claims_then_the_tile_then_fruit_and_animals",)},
        ),
        Row(
            "drawing: claims",
            "Only tiles with a type are offered to claims; after a claim another tile is drawn, and the claimed one "
            "has neither fruit nor animals.",
            {
                PIPELINE: (
                    "only_typed_tiles_are_offered_to_claims",
                    "a_declined_tile_is_laid_and_gets_its_fruit_and_animals_then",
                    "a_claimed_tile_has_neither_fruit_nor_animals",
                ),
                "modules/magical_buildings": ("a_sultan_card_claims_it_by_its_type",),
                "modules/new_building_grounds": ("a_bare_ground_is_never_claimed_by_a_sultan_card",),
            },
        ),
        Row(
            "drawing: hidden tile",
            "A hidden tile is turned up after the claims: nobody claims it. If it belongs beside the market, drawing "
            "goes on.",
            {
                "modules/buildings_of_power_with_others": (
                    "a_flip_is_no_draw_so_nobody_claims_the_tile",
                    "a_hidden_tile_that_belongs_beside_the_market_goes_there_and_drawing_continues",
                ),
            },
        ),
        Row(
            "drawing: empty tower",
            "A space that stays empty because the tower is empty ends the game, whatever lies beside the market.",
            {
                PIPELINE: ("a_space_that_stays_empty_ends_the_game",),
                "modules/bazaars": ("if_the_last_tiles_are_bazaars_and_a_space_stays_empty_the_game_ends",),
                "modules/bathhouses": ("if_nothing_but_side_tiles_comes_the_game_ends",),
                "modules/buildings_of_power_looking": ("a_hidden_tile_saves_the_game_from_its_end",),
            },
        ),
        Row(
            "drawing: Dirk",
            "Tiles that Dirk draws bring nothing and are claimed by nobody; only a ground gets its building.",
            {
                PIPELINE: ("tiles_that_dirk_draws_bring_nothing_but_the_building_of_a_ground",),
                "modules/power_of_the_sultan": ("the_tiles_that_dirk_gets_after_a_scoring_cannot_be_claimed",),
            },
        ),
    ),
)
