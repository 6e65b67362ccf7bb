"""The sequences of a game: which moments a turn, a purchase, a scoring and the end have, and in which order.

A frame is a sequence of moments. Base game and modules put steps into moments (`Step("turn.money", refill)`); within
one moment the module's number decides. Moments that no module of this library uses yet belong to modules of the
rulebooks.
"""

from __future__ import annotations

FRAMES: dict[str, tuple[str, ...]] = {
    # Before the first turn. The market is filled after the players' secret or open choices.
    "setup": ("deal", "choices", "market", "dirk", "money", "begin"),
    # One turn, from the award of a won project to the interrupts before the next.
    "turn": (
        *("award", "start", "main", "place", "late", "chests", "disc", "culture", "craftsman", "confirm"),
        *("money", "scoring", "market", "after", "window"),
    ),
    # After a purchase was paid: what overpaying gives, what comes with the tile, the further action, and what is done
    # when the purchase is over.
    "purchase": (
        *("coins", "certificate", "colours", "building", "marker", "fruit", "key", "die", "scout", "miser"),
        *("bonus", "after"),
    ),
    # A seat has placed everything that it gained out of turn; steps get the seat.
    "placed_now": ("lapse", "disc", "culture"),
    # An empty market space is to be filled; steps get its number, 0 to 3. `source` fills it from elsewhere than the
    # tower, `draw` from there if it is still empty.
    "space": ("take_back", "source", "draw"),
    # One scoring; steps get its number.
    "scoring": ("declare", "walls", "majorities", "chests", "gains", "staff", "penalties", "attack", "dirk"),
    # The end of the game.
    "end": ("lapse", "staff", "projects", "sites", "distribution", "building", "scoring", "result"),
    # One market space whose tile is left over at the end; steps get its number. Whatever `hidden` gives out or removes
    # is not there any more when `award` looks at the space.
    "leftover": ("hidden", "award"),
}
"""Every frame with its moments in order."""

PHASES = {
    **dict.fromkeys(("turn.award", "turn.start"), "START"),
    **{f"turn.{name}": "LATE" for name in ("late", "chests", "disc", "culture", "craftsman", "confirm")},
    **{f"turn.{name}": name.upper() for name in ("main", "place", "money", "scoring", "market", "after", "window")},
}
"""The phase of the turn that each of its moments belongs to."""

SCORE_FRAMES = {
    "scoring.walls": "S1",
    "scoring.majorities": "S2",
    "scoring.chests": "S3",
    "scoring.gains": "S4",
    "scoring.staff": "S4b",
    "scoring.penalties": "S4c",
    "scoring.attack": "S5",
    "end.staff": "E2",
}
"""How a score line names the moment that it belongs to; points of any other moment count at once."""

BEYOND_BOARDS = ("declare", "staff", "attack", "dirk")
"""Moments of a scoring that are about more than the Alhambras: declarations, servants, the attack, Dirk's gift."""

EFFECTS = (
    *("bonus", "coins", "certificate", "colours", "treasure", "carpenter", "white_die", "workers"),
    *("watchtower", "site", "patron", "coiner", "vizier", "scout", "key"),
)
"""What a purchase can allow: the columns of the purchase table. An offer lists those that apply to it."""
