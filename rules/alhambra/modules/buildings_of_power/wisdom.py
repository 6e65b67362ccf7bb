"""Wisdom: look at the next cards, keep one of them, play a scoring card or not, and lay the others back in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...base.peek import lay_on_top, peek, take_out, top_of
from ...base.scoring import hold_scoring
from ...base.supply import gain, may_be_held, without
from ...components import SCORING_CARDS
from ...game import Game
from ...known_positions import DECK
from ...module import DecisionKind, Verb, those_that_verify
from ...moves import Move
from ...state import Decision
from ...violations import Violation

SCORINGS = tuple(SCORING_CARDS)
"""The scoring cards in the order in which they must be played and lie in the deck."""


def begin(game: Game, seat: int, count: int) -> None:
    """The seat looks at as many cards."""
    cards = peek(game, seat, DECK, count)
    game.emit("cards_looked", {seat: {"cards": cards}}, seat=seat, count=len(cards))
    ask_wisdom(game, seat, len(cards), 0, True)


def ask_wisdom(game: Game, seat: int, count: int, laid: int, keeping: bool) -> None:
    """Ask as long as there may be something to decide: a single card that is left could still be a scoring card."""
    if count - laid > 0:
        game.ask("wisdom", seat, count=count, laid=laid, keeping=keeping)
    else:
        _return_all(game, seat, count)


def _return_all(game: Game, seat: int, count: int) -> None:
    """All cards lie on the deck. The others do not know whether their order is another one now."""
    if count:
        order = top_of(game, DECK, count)
        lay_on_top(game, seat, DECK, order)
        game.emit("cards_returned", {seat: {"cards": order}}, seat=seat, count=count)


def at_hand(game: Game, decision: Decision) -> tuple[str, ...]:
    """Return the cards that were looked at and have no place yet."""
    return top_of(game, DECK, decision.context["count"])[decision.context["laid"] :]


def _one_card(game: Game, decision: Decision, move: Move) -> Violation | None:
    """Return why the move does not name one of these cards."""
    if len(move.cards) != 1:
        return Violation("CARD_COUNT", "cards", need=1, got=len(move.cards))
    if move.cards[0] not in at_hand(game, decision):
        return Violation("NOT_THERE", "cards", id=move.cards[0], place="looked_at")
    return None


# -- Keeping -----------------------------------------------------------------------------------------------------------


def verify_keep(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One of the cards, if such a card can be in a hand."""
    fault = _one_card(game, decision, move)
    if fault is not None:
        yield fault
    elif not may_be_held(game, move.cards[0]):
        yield Violation("NOT_ELIGIBLE", "cards", id=move.cards[0], for_="keeping")


def keep(game: Game, decision: Decision, move: Move) -> None:
    """It comes into the hand unseen."""
    seat, count = decision.seat, decision.context["count"]
    take_out(game, seat, DECK, move.cards[0], count)
    gain(game, seat, move.cards, unseen=True)
    game.emit("card_kept", {seat: {"card": move.cards[0]}}, seat=seat)
    ask_wisdom(game, seat, count - 1, 0, False)


def _keepings(game: Game, decision: Decision) -> Iterator[Move]:
    return (Move("keep_card", cards=(card,)) for card in dict.fromkeys(at_hand(game, decision)))


# -- Playing a scoring card --------------------------------------------------------------------------------------------


def _to_play(game: Game, decision: Decision) -> str | None:
    """Return the scoring card that may be played: the one that comes first of those in the deck, if it is at hand."""
    first = next((card for card in SCORINGS if card in game.state.deck), None)
    return first if first in at_hand(game, decision) else None


def verify_play(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """A scoring card is among the cards."""
    if _to_play(game, decision) is None:
        yield Violation("NOT_THERE", "verb", place="looked_at")


def play_scoring(game: Game, decision: Decision, _move: Move) -> None:
    """The scoring is held at once, then the seat goes on."""
    card = _to_play(game, decision)
    assert card is not None
    seat, (count, laid, keeping) = decision.seat, (decision.context[name] for name in ("count", "laid", "keeping"))
    take_out(game, seat, DECK, card, count)
    game.state.box = (*game.state.box, card)
    game.mark_revealed()
    game.emit("card_revealed", card=card, to="scoring")
    game.push(ask_wisdom, seat, count - 1, laid, keeping)
    hold_scoring(game, int(card[-1]))


def _plays(_game: Game, _decision: Decision) -> Iterator[Move]:
    yield Move("play_scoring")


# -- Returning the others ----------------------------------------------------------------------------------------------


def verify_return(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One of the cards that have no place yet; the first scoring card lies above the second."""
    fault = _one_card(game, decision, move)
    if fault is not None:
        yield fault
    elif move.cards[0] == SCORINGS[-1] and SCORINGS[0] in at_hand(game, decision):
        yield Violation("NOT_ELIGIBLE", "cards", id=move.cards[0], for_="returning")


def return_card(game: Game, decision: Decision, move: Move) -> None:
    """It is the next one from the top."""
    seat, count, laid = decision.seat, decision.context["count"], decision.context["laid"]
    cards = top_of(game, DECK, count)
    lay_on_top(game, seat, DECK, (*cards[:laid], *move.cards, *without(cards[laid:], move.cards)))
    ask_wisdom(game, seat, count, laid + 1, False)


def _returns(game: Game, decision: Decision) -> Iterator[Move]:
    return (Move("return_card", cards=(card,)) for card in dict.fromkeys(at_hand(game, decision)))


def is_open(_game: Game, decision: Decision, verb: Verb) -> bool:
    """Return whether the verb comes next: first a card is kept, then the others are returned; a scoring card may be
    played at any time."""
    closed = "return_card" if decision.context["keeping"] else "keep_card"
    return verb.name != closed


def may_stop(game: Game, decision: Decision) -> Iterator[Violation]:
    """A card must be kept if one can be."""
    if decision.context["keeping"] and any(may_be_held(game, card) for card in at_hand(game, decision)):
        yield Violation("PASS_REFUSED", "verb", decision=decision.kind)


def after_pass(game: Game, decision: Decision, move: Move) -> None:
    """Where no card can be kept, a pass goes on to returning; there it leaves the rest in its order."""
    if move.verb == "pass":
        seat, count = decision.seat, decision.context["count"]
        if decision.context["keeping"]:
            game.push(ask_wisdom, seat, count, 0, False)
        else:
            _return_all(game, seat, count)


def private(game: Game, decision: Decision) -> dict[str, Any]:
    """Return the cards that the question is about."""
    return {"cards": list(at_hand(game, decision))}


KEEP_CARD = Verb("keep_card", "cards", verify_keep, keep, those_that_verify(verify_keep, _keepings))
PLAY_SCORING = Verb("play_scoring", "", verify_play, play_scoring, those_that_verify(verify_play, _plays))
RETURN_CARD = Verb("return_card", "cards", verify_return, return_card, those_that_verify(verify_return, _returns))
WISDOM_KIND = DecisionKind(
    "wisdom",
    verbs=("keep_card", "play_scoring", "return_card"),
    passing=may_stop,
    open=is_open,
    answered=after_pass,
    private=private,
)
