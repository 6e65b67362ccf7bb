"""The beggar: at the start of the turn, with two money cards at most, draws the top card of the deck.

Money goes into the hand unseen. Any other card is turned up and has its effect at once, before the first action: a
character is auctioned, a scoring held. Then he may draw again, as often as that happens. An empty deck is made anew
from the discard; without any card left he has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.scoring import hold_scorings
from ...base.supply import draw_from_deck, gain, turn_up
from ...declarations import Reason
from ...game import Game
from ...module import Verb, those_that_verify
from ...moves import Move
from ...state import Decision
from ...violations import Violation
from .character import VALUES, Character, Characters, is_money, is_usable, owns, unusable, use


def goes_on(game: Game) -> bool:
    """Return whether he was used this turn and may draw again."""
    return "beggar" in game.state.used and game.module_state(Characters).begging > 0


def is_asked(game: Game, seat: int) -> bool:
    """Return whether the seat can still use him at the start of this turn, whatever its hand."""
    usable = is_usable(game, seat, "beggar") or (owns(game, seat, "beggar") and goes_on(game))
    return DRAW_CARD.rank >= game.state.rank and usable


def verify_draw(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Two money cards in hand at most, and a card to draw."""
    if not goes_on(game):
        yield from unusable(game, decision.seat, "beggar")
    if owns(game, decision.seat, "beggar"):
        have = sum(is_money(game, card) for card in game.state.seats[decision.seat].hand)
        if have > VALUES["beggar_max_cards"]:
            yield Violation("CONDITION_UNMET", "verb", what="money_cards", need=VALUES["beggar_max_cards"], have=have)
    if not game.state.deck and not game.state.discard:
        yield Violation("NO_EFFECT", "verb", id="beggar")


def draw_card(game: Game, decision: Decision, _move: Move) -> None:
    """Money goes into the hand unseen. Any other card is turned up, has its effect at once, and he may draw again."""
    seat, state, kept = decision.seat, game.state, game.module_state(Characters)
    left = kept.begging if goes_on(game) else len(state.deck) + len(state.discard)
    use(game, seat, "beggar")
    card = draw_from_deck(game)
    assert card is not None
    is_routed = game.ruleset.cards[card].kind in game.ruleset.routes
    kept.begging = left - 1 if is_routed else 0
    if is_routed:
        game.push(hold_scorings)
        turn_up(game, card)
    else:
        gain(game, seat, (card,), unseen=True)
        game.emit("card_drawn", {seat: {"card": card}}, seat=seat, count=1)


def one_draw(_game: Game, _decision: Decision) -> list[Move]:
    """Return the only move."""
    return [Move("draw_card")]


DRAW_CARD = Verb(
    "draw_card", "", verify_draw, draw_card, those_that_verify(verify_draw, one_draw), at=("start",), rank=3
)
BEGGAR = Character(
    id="beggar",
    events={"card_drawn": "A seat drew the top card of the deck unseen."},
    reasons=(Reason("CONDITION_UNMET", "The beggar draws with two money cards in hand at most.", ("money_cards",)),),
    verbs=(DRAW_CARD,),
    asks={"start": is_asked},
)
