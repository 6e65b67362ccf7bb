"""Pairs of modules about which a page says something that no other row has."""

from __future__ import annotations

from .row import Row, Section

MONEY = "interactions/pairs_of_money_and_market"
SITES = "interactions/pairs_of_sites"
GATE = "interactions/pairs_at_the_gate"
TURNS = "interactions/pairs_of_prices_and_turns"
SPECIAL = "interactions/pairs_of_special_buildings"
FIGURES = "interactions/pairs_of_figures"


def _row(pair: str, says: str, file: str, *names: str) -> Row:
    return Row(f"pair: {pair}", says, {file: names})


PAIRS = Section(
    "Pairs of modules",
    "What else the pages say about two modules together.",
    (
        _row(
            *(
                "02 × 14, 06 × 14",
                "A builder card is part of a mix by a bureau, never of one with diamonds.",
                MONEY,
            ),
            "a_builder_card_is_part_of_a_mix_with_a_bureau_but_not_of_a_payment_in_diamonds",
        ),
        _row(
            *("02 × 16, 06 × 16", "Bureaux (showing its coin) and diamonds pay for a bazaar exactly.", MONEY),
            "a_bureau_pays_for_a_bazaar_only_if_it_shows_the_coin_of_the_bazaar",
            "neither_a_bureau_nor_diamonds_let_a_bazaar_be_overpaid",
        ),
        _row(
            *("06 × 13", "Diamonds buy chests alone, although chests take every mixture.", MONEY),
            "diamonds_alone_buy_chests_and_are_not_mixed_although_chests_take_every_mixture",
        ),
        _row(
            *("14 × 19 × 24", "An amount is mixed with a builder card and a certificate of its currency.", MONEY),
            "an_amount_is_mixed_with_builder_card_and_certificate_of_its_currency",
        ),
        _row(
            *("13 × 24", "A saved amount pays for chests; overpaying them saves nothing.", MONEY),
            "overpaying_chests_saves_nothing_but_a_saved_amount_pays_for_them",
        ),
        _row(
            *("14 × 24", "What a builder card overpays is saved.", MONEY),
            "what_was_overpaid_with_a_builder_card_is_saved",
        ),
        _row(
            *("24 × 25, 26, 27, 32, 33", "Overpaying a special tile is saved before a building is chosen.", MONEY),
            "what_a_special_tile_was_overpaid_is_saved_before_its_building_is_chosen",
        ),
        _row(
            *("42 × 08, 16, 25, 26, 27, 32, 33", "A treasure makes the purchase of a special tile exact.", MONEY),
            "a_treasure_makes_the_purchase_of_a_special_tile_exact",
            "a_treasure_fills_up_diamonds_and_a_builder_card",
        ),
        _row(
            *("23 × 31", "The brickmaker exchanges a tile bought as a site; its marker stays on it.", SITES),
            "the_brickmaker_exchanges_a_tile_that_was_bought_as_a_site_and_its_marker_stays_on_it",
        ),
        _row(
            *("23 × 37", "No site is started at a gate.", SITES),
            "no_site_is_started_at_a_gate",
        ),
        _row(
            *("29 × 36", "The major-domo and the animals walk by their own steps, at their own moments.", SPECIAL),
            "of_two_walkers_each_goes_by_its_own_steps",
        ),
        _row(
            *("34 × 39, 36 × 39", "An extended building is one building except in majorities.", TURNS),
            "an_extended_building_is_one_building_for_culture_decoration_and_animals",
        ),
        _row(
            *("31 × 34", "The coiner's money means the column of its currency.", TURNS),
            "the_column_of_the_coiners_money_is_that_of_its_currency",
        ),
        _row(
            *("21 × 37", "A building moved at a gate sends its falcons back.", GATE),
            "a_building_moved_at_a_gate_sends_its_falcons_back",
        ),
        _row(
            *("29 × 37", "The major-domo's tile is not moved at a gate; its money gives him no steps.", GATE),
            "the_tile_of_the_major_domo_is_not_moved_at_a_gate",
            "money_of_a_gate_gives_the_major_domo_no_steps",
        ),
        _row(
            *("35 × 37", "Designers score tiles that are built at a gate.", GATE),
            "the_designer_scores_a_tile_that_is_built_at_a_gate",
            "a_plaza_built_at_the_feet_of_the_designer_scores_too",
            "reserve_tiles_are_added_at_a_gate_and_score_for_the_designer",
        ),
        _row(
            *("34 × 37, 37 × 39", "A half building is neither decorated nor extended.", GATE),
            "a_half_building_is_not_decorated_but_counts_half_in_the_majority",
            "a_half_building_takes_no_extension",
        ),
        _row(
            *("37 × 40", "Handymen at a space bought at a gate may be taken back before it is filled.", GATE),
            "handymen_at_a_space_bought_at_a_gate_may_be_taken_back_before_it_is_filled",
        ),
        _row(
            *("31 × 35", "The designer of a lifted tile is moved before that tile is placed as an extension.", FIGURES),
            "the_designer_stays_where_the_brickmaker_exchanges_another_tile_which_then_is_an_extension",
            "the_designer_of_a_lifted_tile_is_moved_before_that_tile_is_placed_and_may_stand_on_the_new_one",
        ),
        _row(
            *("07 × 29, 29 × 38", "Cards of the miser and of wisdom give the major-domo no steps.", FIGURES),
            "a_card_that_the_miser_takes_gives_the_major_domo_no_steps",
            "a_card_that_wisdom_keeps_gives_the_major_domo_no_steps",
        ),
        _row(
            *("03 × 37", "In a scoring after a key bonus cards are asked about from the next player on.", FIGURES),
            "in_a_scoring_after_a_key_bonus_cards_are_asked_about_from_the_next_player_on",
        ),
        _row(
            *("20 × 39", "An extension makes no second building for culture.", FIGURES),
            "an_extension_makes_no_second_building_for_culture",
        ),
    ),
)
