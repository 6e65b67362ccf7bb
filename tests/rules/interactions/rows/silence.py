"""Decisions where the pages of modules are silent, or where asking would give something away."""

from __future__ import annotations

from .row import Row, Section

OURS = "interactions/decisions"

SILENCE = Section(
    "What no page decides",
    "Interactions about which all pages are silent.",
    (
        Row(
            "09.26, 28.39",
            "Both walls of a card go on one half of a project, never between the halves.",
            {
                "modules/city_walls_with_others": ("walls_go_on_one_half_of_a_project_that_waits_to_be_placed",),
                "modules/walls_on_one_tile": (
                    "of_the_sides_of_a_project_only_the_inner_one_of_each_half_takes_no_wall",
                ),
            },
        ),
        Row(
            "09.27",
            "On a turned tile a wall card means the sides as one sees them; the walls belong to the tile.",
            {
                "modules/city_walls": ("on_a_turned_tile_the_sides_are_those_that_one_sees",),
                "modules/magical_buildings": ("wooden_walls_stay_on_the_tile_and_turn_with_it",),
            },
        ),
        Row(
            "12.41",
            "After a placement out of turn the disc is laid again at once; a claim at the start of the own turn waits "
            "for its end; after the end of the game it is laid no more.",
            {
                "modules/street_trader_with_others": (
                    "the_claimant_of_a_tile_lays_the_disc_out_at_once",
                    "whoever_claims_a_tile_at_the_start_of_the_own_turn_lays_the_disc_at_its_end",
                ),
                "modules/gates_without_end_with_others": (
                    "the_disc_is_laid_again_right_after_a_plaza_was_built_on_its_cell",
                ),
                "modules/street_trader_disc": ("a_leftover_tile_meets_the_trader_but_the_disc_does_not_return",),
            },
        ),
        Row(
            "22.23",
            "No camp lies at the leg of a watchtower; its empty half counts as empty.",
            {"modules/watchtowers_with_others": ("a_camp_may_not_touch_a_leg_but_may_lie_across_a_void_edge",)},
        ),
        Row(
            "99.78, 99.79",
            "Dirk may be given what was bought or claimed, a ground with its building; no square, plaza, project, "
            "watchtower, site, leftover or lifted tile.",
            {
                OURS: (
                    "a_tile_that_was_bought_or_claimed_may_be_given_to_dirk",
                    "a_tile_that_was_neither_bought_nor_claimed_and_a_site_are_not_given_to_dirk",
                    "a_ground_is_given_to_dirk_with_its_building",
                ),
                "modules/personal_building_market": (
                    "a_tile_bought_from_the_other_player_may_be_given_to_dirk",
                    "a_removed_tile_is_never_given_to_dirk",
                ),
                "modules/major_construction_projects": ("a_project_is_never_given_to_dirk",),
                "modules/watchtowers": ("a_building_given_to_dirk_leaves_the_watchtower_with_its_buyer",),
                "modules/travelling_craftsmen_building": ("the_replaced_tile_may_go_to_the_reserve_but_not_to_dirk",),
                "base/two_players": ("a_leftover_tile_cannot_be_given_to_dirk",),
            },
        ),
        Row(
            "07.55",
            "In a scoring that the beggar draws he counts as the next player.",
            {OURS: ("in_a_scoring_that_the_beggar_draws_he_is_asked_first",)},
        ),
        Row(
            "40.35",
            "The handymen of one purchase all point the same way.",
            {"modules/handymen": ("handymen_of_one_purchase_all_point_the_same_way",)},
        ),
        Row(
            "99.51",
            "A price of 0 is paid exactly with nothing.",
            {
                "base/payments": ("a_price_of_0_is_paid_exactly_with_nothing",),
                "interactions/pairs_of_prices_and_turns": ("a_price_of_0_is_paid_exactly_with_nothing_but_helpers",),
            },
        ),
        Row(
            "99.43",
            "Before the first turn residents are picked in secret, then shown, then designers are placed, then the "
            "market is filled.",
            {
                OURS: ("residents_are_chosen_then_shown_then_designers_then_the_market",),
                "modules/palace_designers": ("residents_are_picked_before_the_designers_are_placed",),
            },
        ),
        Row(
            "99.85",
            "At the end a hidden tile is turned up first, without fruit and animals; a side tile among the two leaves "
            "the game.",
            {
                "interactions/end_frame": (
                    "everything_comes_in_the_printed_order",
                    "the_fruit_comes_along_with_the_open_tile_and_not_with_the_hidden_one",
                ),
                "modules/buildings_of_power_with_others": (
                    "a_hidden_tile_that_belongs_beside_the_market_leaves_the_game_at_the_end",
                ),
            },
        ),
        Row(
            "41.31",
            "At a full personal market a tile gained out of turn may replace another or leave the game, in the same "
            "question.",
            {
                OURS: ("at_a_full_personal_market_a_tile_bought_at_a_gate_may_replace_one_or_leave_the_game",),
                "modules/personal_building_market": (
                    "a_viziers_tile_finds_four_places_taken",
                    "a_claimed_tile_finds_four_places_taken",
                ),
            },
        ),
        Row(
            "99.17",
            "Every refill follows the size of the display, after a thief and after a key, too.",
            {
                OURS: ("with_the_blacksmiths_six_cards_the_display_is_not_filled_after_a_thief",),
                "interactions/pairs_at_the_gate": (
                    "with_the_blacksmiths_six_cards_the_display_is_not_filled_after_a_key",
                ),
            },
        ),
        Row(
            "28.25, 28.39",
            "Cards of a bid are known to all when they return; a won project takes walls and extensions before it is "
            "placed.",
            {
                OURS: ("cards_of_a_bid_lay_open_so_everybody_knows_them_when_they_return",),
                "modules/major_construction_projects_with_others": (
                    "wooden_walls_go_on_one_half_of_a_pending_project_and_never_between_the_halves",
                ),
                "modules/extensions_on_tiles": ("a_project_that_was_just_won_may_be_extended",),
            },
        ),
        Row(
            "99.66",
            "A relocation is a removal and a building: the resident leaves, the disc is met, animals travel, the "
            "designer is moved first.",
            {
                "modules/street_trader_with_others": (
                    "a_building_moved_inside_the_alhambra_loses_its_resident_and_meets_the_trader",
                ),
                "modules/menagerie_on_tiles": ("animals_relocated_travel_with_their_tile",),
                "modules/palace_designers_on_tiles": (
                    "designer_relocated_tile_is_removed_first_and_then_an_extension",
                    "designer_relocated_tile_is_judged_by_where_he_stands_when_it_is_laid",
                ),
            },
        ),
        Row(
            "29.23, 29.24",
            "Servants live on every finished building with a type, on each half of a project; only standard ones are "
            "missed.",
            {
                "modules/palace_staff": (
                    "magical_buildings_and_occupied_grounds_receive_servants",
                    "each_half_of_a_project_receives_a_servant_of_its_own_colour",
                    "only_finished_standard_buildings_are_missed",
                ),
            },
        ),
        Row(
            "99.19",
            "Where only cards are left that lie elsewhere, the display keeps its gaps; each card is looked at once.",
            {
                "modules/city_gates_gaps": (
                    "a_refill_turns_each_gate_card_up_once_and_leaves_the_gaps",
                    "the_beggar_draws_at_most_as_many_cards_as_there_were_when_he_began",
                ),
            },
        ),
        Row(
            "99.54",
            "The patron pays the surcharge of a watchtower, and nothing else changes his price.",
            {
                "modules/watchtowers_with_others": ("the_patron_pays_for_building_and_watchtower",),
                "interactions/pairs_of_prices_and_turns": (
                    "the_rich_patron_pays_the_watchtower_along_and_no_helper_joins_him",
                ),
            },
        ),
        Row(
            "09.36",
            "A wooden wall may face the empty half of a watchtower.",
            {"modules/watchtowers_with_others": ("a_wooden_wall_may_face_a_void_edge",)},
        ),
        Row(
            "00.63, 00.64",
            "What a seat leaves behind that resigns: its Alhambra and walls count; sales go on; pending tiles, hidden "
            "hands, colours, stones and bids leave or return.",
            {
                "base/resigning": ("pending_tiles_of_a_seat_that_resigns_leave_the_game",),
                "base/scorings_after_resigning": ("the_wall_of_a_seat_that_resigned_is_scored",),
                "modules/bids_and_sales": (
                    "a_sale_of_a_seat_that_left_is_told_without_cards_and_the_money_is_discarded",
                ),
                "modules/caravanserai": ("the_cards_of_a_player_who_leaves_stay_before_the_seat",),
                "modules/power_of_the_sultan": ("a_seat_that_leaves_the_table_claims_nothing",),
                "modules/bonus_cards": ("cards_that_are_turned_up_stay_and_count_when_their_owner_resigns",),
                "modules/treasure_chamber": ("a_buyer_who_resigns_gives_the_chests_back_and_the_room_is_filled",),
                "modules/fresh_colours_with_others": (
                    "the_colours_of_a_seat_that_resigns_return_and_its_projects_leave_the_game",
                ),
                "modules/medina": ("a_seat_that_resigned_keeps_its_rank",),
                "modules/arts_of_the_moors": ("the_tiles_of_a_seat_that_resigned_bring_nothing",),
                "modules/falconers": ("falcons_of_a_seat_that_resigned_stay_and_score_nothing",),
                "modules/building_sites_with_others": ("sites_of_a_seat_that_resigned_stay_and_are_not_turned_up",),
                "modules/exchange_certificates": ("the_stone_of_a_player_who_leaves_returns_to_the_pool",),
            },
        ),
        Row(
            "40.36",
            "Handymen at a sold space are taken back only while it is empty: a swap that fills it ends that.",
            {"modules/handymen_with_others": ("a_sold_space_that_a_swap_fills_gives_nothing_back",)},
        ),
        Row(
            "99.2",
            "Keys and functions gained after the refill wait for the next own turn, even of the active seat.",
            {
                "modules/gates_without_end_bonuses": ("arcades_bought_for_14_bring_a_key_for_the_next_own_turn",),
                "modules/buildings_of_power_looking": ("what_the_active_seat_gains_after_refilling_waits_too",),
                "interactions/pairs_at_the_gate": (
                    "a_function_gained_at_a_gate_waits_for_the_next_own_turn_even_of_the_active_seat",
                ),
            },
        ),
        Row(
            "00.120",
            "The end of a game reveals: nothing is taken back across it.",
            {
                "base/undo": (
                    "nothing_is_taken_back_once_the_game_is_over",
                    "the_end_is_a_reveal_for_the_seat_that_moved_last",
                ),
            },
        ),
    ),
)

SECRETS = Section(
    "What asking or refusing would give away",
    "Questions that are asked, and refusals that are worded, so that nobody learns what is hidden.",
    (
        Row(
            "37.53",
            "A bonus of a key is declined by itself on public grounds only; a poor seat is asked.",
            {
                OURS: ("a_gate_bonus_that_only_a_poor_hand_rules_out_is_asked_all_the_same",),
                "modules/gates_without_end_bonuses": (
                    "less_than_14_is_refused_and_the_seat_is_asked_all_the_same",
                    "a_redesign_is_declined_only_if_everybody_sees_that_there_is_nothing_to_redesign",
                ),
            },
        ),
        Row(
            "99.88",
            "At the start and at the end of a turn a seat is asked for what it owns openly, not for what it could do.",
            {
                "modules/characters": ("the_owner_is_asked_even_if_the_hand_rules_it_out",),
                "modules/master_builders": ("whoever_holds_any_card_is_asked_so_that_the_question_tells_nothing",),
                "modules/travelling_craftsmen": (
                    "the_stonemason_is_asked_whatever_the_hand_and_not_later_in_the_turn",
                ),
                "modules/menagerie": ("the_question_at_the_end_of_the_turn_tells_nothing_about_the_hand",),
            },
        ),
        Row(
            "23.29",
            "Two equal markers are asked about like two different ones.",
            {"modules/building_sites": ("two_equal_markers_are_asked_about_all_the_same",)},
        ),
        Row(
            "05.47",
            "Whether a tile can be built only with a gate card does not decide who is asked, nor what others are told.",
            {
                "modules/city_gates": ("whether_a_leftover_tile_is_asked_about_does_not_depend_on_gate_cards_in_hand",),
                "service/boards": ("nobody_learns_from_a_placement_what_a_seat_holds",),
            },
        ),
        Row(
            "99.89",
            "Only the seat that is asked sees what it may answer, and why a move is refused.",
            {
                "base/views": ("only_the_seat_that_is_asked_sees_what_it_may_answer",),
                "base/errors": ("another_seat_than_the_one_asked_is_refused_and_learns_nothing_more",),
                "modules/buildings_of_power_looking": ("only_the_seat_that_looks_sees_the_tiles_and_what_it_hides",),
                "modules/characters_auction": ("what_one_could_bid_is_known_to_nobody_else",),
            },
        ),
        Row(
            "99.45",
            "The number of hand cards counts all cards with the back of money; thieves and bonus cards apart.",
            {
                "modules/city_gates": ("gate_cards_are_part_of_the_hidden_hand",),
                "modules/bureaux_de_change": ("a_hand_with_a_bureau_is_counted_but_not_shown",),
                "modules/thieves": ("thieves_are_no_cards_of_the_hand",),
                "modules/bonus_cards": ("only_the_owner_sees_which_cards_are_in_the_hand",),
            },
        ),
        Row(
            "00.118, 99.90",
            "Before the end a game is exported only as its viewer saw it; taking back never crosses a draw or a look.",
            {
                "rules/record": (
                    "a_running_game_is_not_exported",
                    "the_view_of_a_running_game_holds_every_event_as_the_seat_saw_it",
                ),
                "base/undo": ("undo_never_crosses_a_reveal_even_by_consent",),
                "modules/buildings_of_power_looking": ("a_look_cannot_be_taken_back_but_what_follows_can",),
            },
        ),
        Row(
            "standing orders and hands",
            "Standing orders look at public facts only.",
            {"service/orders": ("what_orders_look_at_does_not_depend_on_hands",)},
        ),
    ),
)
