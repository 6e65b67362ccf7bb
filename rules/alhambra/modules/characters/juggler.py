"""The juggler: worth 8 points at once, or exchanged for the top one of the characters set aside.

Her owner decides as soon as she is gained. If she is exchanged, the other character lies open and can be used at once.
Either way she leaves the game.
"""

from __future__ import annotations

from ...base.choice import Choice
from ...base.scoring import score
from ...game import Game
from ...state import Decision
from .character import VALUES, Character, Characters, dismiss, lay_open, use


def ask_juggler(game: Game, seat: int) -> None:
    """Ask for points or exchange; without a character set aside there are only points."""
    if game.module_state(Characters).aside:
        game.ask("juggler", seat, choices=("keep", "exchange"))
    else:
        keep_juggler(game, seat)


def decide_juggler(game: Game, decision: Decision, choice: str) -> None:
    """Points now, or the uppermost character that was set aside."""
    if choice == "keep":
        keep_juggler(game, decision.seat)
    else:
        exchange_juggler(game, decision.seat)


def keep_juggler(game: Game, seat: int) -> None:
    """Her points count at once (07.60)."""
    use(game, seat, "juggler", choice="keep")
    score(game, seat, VALUES["juggler_vp"], "juggler", piece="juggler")
    dismiss(game, "juggler")


def exchange_juggler(game: Game, seat: int) -> None:
    """The uppermost character that was set aside takes her place. Undo does not go back: the card was hidden."""
    use(game, seat, "juggler", choice="exchange")
    dismiss(game, "juggler")
    kept = game.module_state(Characters)
    piece, kept.aside = kept.aside[0], kept.aside[1:]
    game.mark_revealed()
    lay_open(game, seat, piece)


JUGGLER = Character(
    id="juggler",
    gained=ask_juggler,
    scores={"juggler": "The juggler was kept."},
    choices=("exchange",),
    decisions=(Choice("juggler", chosen=decide_juggler),),
)
