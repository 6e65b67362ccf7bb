"""Events, reasons and score lines of the base game.

Modules can use all of them, and declare only their own.
"""

from __future__ import annotations

from ..declarations import Reason

EVENTS = {
    "game_created": "The game was set up: options, ruleset, seats.",
    "hand_dealt": "A seat was dealt its first money cards.",
    "first_player": "A seat begins the game, and why.",
    "deck_built": "The money deck was stacked from its piles.",
    "card_revealed": "A card was turned up, and where it lies now.",
    "deck_reshuffled": "The discard pile became the new deck.",
    "display_filled": "The open money cards, after refilling.",
    "card_left_game": "A card went back into the box.",
    "tile_drawn": "A tile was drawn for a market space.",
    "market_filled": "The market, after refilling.",
    "market_swapped": "Two market spaces were swapped.",
    "turn_began": "The turn of a seat began.",
    "phase_began": "The first decision of another phase of the turn is asked.",
    "decision_opened": "A seat is asked something.",
    "passed": "A seat passed, or had nothing to choose (`forced`).",
    "money_taken": "A seat took open money cards.",
    "paid": "A seat paid: with what, what was due, whether exactly, and who was paid if not the discard.",
    "acquired": "A seat got a tile or piece, and how.",
    "bonus_action": "A seat has a further action.",
    "placed": "A tile was built.",
    "reserved": "A tile was put into the reserve.",
    "removed": "A tile was moved from an Alhambra to the reserve.",
    "swapped": "A tile was built in place of another, which went to the reserve.",
    "lifted": "A tile was taken out of an Alhambra, to be laid elsewhere in it.",
    "moved": "A tile was laid elsewhere in the Alhambra that it was lifted from.",
    "given": "A tile was given to Dirk.",
    "boxed": "A tile left the game.",
    "dirk_received": "Dirk received tiles.",
    "scoring_began": "A scoring began.",
    "scored": "A seat gained or lost points: how many, what for, and what was counted.",
    "scoring_ended": "A scoring is over; the scores.",
    "end_began": "The end of the game began, and why.",
    "leftover_awarded": "A tile that was left on the market went to the seat with the most money of its currency.",
    "game_ended": "The game is over: scores, ranking, winners.",
    "undone": "A seat took its last move back.",
    "resigned": "A seat resigned.",
    "engine_changed": "A newer version of the rules goes on with the game; what happened before cannot be taken back.",
    "not_retold": "A seat did something under earlier rules that these rules cannot tell again.",
    "auction_began": "Something is auctioned.",
    "bid_made": "A seat bid in an auction.",
    "auction_won": "A seat won an auction.",
    "auction_void": "Nobody bid in an auction.",
}

CHOICES = ("keep", "face_down", "used")
"""Values of `choice` that several modules use."""

DETAILS = (
    "game_created",
    "deck_built",
    "card_left_game",
    "display_filled",
    "market_filled",
    "phase_began",
    "decision_opened",
    "lifted",
    "scoring_ended",
    "not_retold",
)
"""Events that players need not be told, because they follow from others or only prepare them."""

REASONS = (
    Reason("NOUN_MISSING", "The verb needs this noun here."),
    Reason("NOUN_UNEXPECTED", "The noun does not belong to the verb here."),
    Reason("NOUN_MALFORMED", "The noun cannot have this value."),
    Reason("ID_UNKNOWN", "There is no such component in this game."),
    Reason("VERB_UNKNOWN", "There is no such verb in this game."),
    Reason("VERB_NOT_OFFERED", "The open decision is not answered by this verb."),
    Reason("NOT_YOUR_DECISION", "Another seat is asked."),
    Reason("GAME_OVER", "The game is over."),
    Reason("PASS_REFUSED", "The decision must be answered, or there is an action that can be taken."),
    Reason("SOLE_ACTION", "The action must be the only one of the turn, without a free redesign."),
    Reason(
        "CONDITION_UNMET",
        "Ending the actions needs an action taken, and a game in which further actions may be forgone.",
        ("actions_taken", "bonus_action_optional"),
    ),
    Reason(
        "NOT_THERE",
        "What the move names is not in the place where it must be.",
        ("hand", "display", "slot", "pending", "reserve", "alhambra", "supply", "held", "table"),
    ),
    Reason("PLACE_TAKEN", "The cell, slot or tile is taken."),
    Reason("LOCKED", "The start tile stays where it is.", ("start",)),
    Reason(
        "NOT_ELIGIBLE",
        "Not this kind of card or tile: Dirk gets only what was just bought or claimed, some tiles are built or lost, "
        "and not all tiles are for sale.",
        ("dirk", "placing", "sale"),
    ),
    Reason("NO_EFFECT", "What the move adds would change nothing."),
    Reason("COMBINATION_FORBIDDEN", "Two helpers of a payment cannot be used together."),
    Reason("WRONG_CURRENCY", "The money is not of a currency that is accepted here."),
    Reason("MIX_FORBIDDEN", "Money of these currencies cannot be paid together."),
    Reason("NOT_ACCEPTED", "The card is no money that this payment takes.", ("buy", "bid")),
    Reason("UNDERPAID", "The payment is lower than the price."),
    Reason("NOT_EXACT", "The price must be paid exactly."),
    Reason("SUM_TOO_HIGH", "The cards taken are worth too much together."),
    Reason("TAKEN_ALONE", "The card can only be taken alone."),
    Reason("CARD_COUNT", "The number of cards is wrong."),
    Reason("BID_TOO_LOW", "The bid is not higher than what was bid."),
    Reason("BID_NOT_COVERED", "The money of the seat does not cover the bid."),
    Reason("EDGE_MISMATCH", "A wall would meet an open side."),
    Reason("NO_CONTACT", "The tile would touch nothing."),
    Reason("NOT_REACHABLE", "A tile could not be reached on foot from the fountain."),
    Reason("HOLE", "An empty area would be enclosed."),
    Reason("CONTACT_FORBIDDEN", "Two sides may not touch."),
    Reason("ROTATION_REFUSED", "The tile may not be rotated like that."),
    Reason("FOOTPRINT_MISMATCH", "The tile does not cover exactly the place of the other one."),
    Reason("STEP_BLOCKED", "A figure cannot step there, or may not stay there.", ("wall", "no_tile", "no_stop")),
    Reason("WALL_REFUSED", "A wall stands on that side already.", ("covered",)),
    Reason("GATE_REFUSED", "There is no double wall of printed walls.", ("no_double_wall",)),
    Reason(
        "UNDO_REFUSED",
        "The move cannot be taken back.",
        ("option", "not_last", "revealed", "other_seat", "imagined"),
    ),
)

SCORES = {
    "wall": "The longest outer wall.",
    "majority": "Most buildings of a type, or second or third most.",
}
