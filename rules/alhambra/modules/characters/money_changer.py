"""The money changer: before the turn, a money card of the hand against an open one of at most its value.

The card of the hand is discarded, the open one may be of any currency. The display is not refilled before the end of
the turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.supply import discard, lose, missing
from ...base.take_money import take_open
from ...declarations import Reason
from ...game import Game
from ...module import Verb
from ...moves import Move
from ...state import Decision
from ...violations import Violation
from .character import Character, is_money, is_usable, unusable, use


def is_asked(game: Game, seat: int) -> bool:
    """Return whether the seat can still use him at the start of this turn, whatever its hand."""
    return CHANGE_MONEY.rank >= game.state.rank and is_usable(game, seat, "money_changer")


def verify_change(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One money card from the hand, one open money card that is not worth more."""
    yield from unusable(game, decision.seat, "money_changer")
    hand, known = game.state.seats[decision.seat].hand, game.ruleset.cards
    places = (("cards", move.cards, hand, "hand"), ("display", move.display, game.state.display, "display"))
    for noun, named, held, place in places:
        if len(named) != 1:
            yield Violation("CARD_COUNT", noun, need=1, got=len(named))
        for card in missing(held, named):
            yield Violation("NOT_THERE", noun, id=card, place=place)
        for card in named:
            if card in held and not is_money(game, card):
                yield Violation("NOT_ELIGIBLE", noun, piece=card, for_="money_changer")
    if len(move.cards) == len(move.display) == 1 and {*move.cards, *move.display} <= set(known):
        limit, value = known[move.cards[0]].value, known[move.display[0]].value
        if value > limit:
            yield Violation("VALUE_TOO_HIGH", "display", value=value, limit=limit)


def change_money(game: Game, decision: Decision, move: Move) -> None:
    """The card from the hand is spent, the open one taken."""
    use(game, decision.seat, "money_changer")
    lose(game, decision.seat, move.cards)
    discard(game, move.cards)
    take_open(game, decision.seat, move.display, "changer", cards=move.cards)


def changes(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every money card of the hand against every open one."""
    if not is_usable(game, decision.seat, "money_changer"):
        return
    for own in dict.fromkeys(game.state.seats[decision.seat].hand):
        for card in dict.fromkeys(sorted(game.state.display)):
            move = Move("change_money", cards=(own,), display=(card,))
            if not any(verify_change(game, decision, move)):
                yield move


CHANGE_MONEY = Verb("change_money", "cards display", verify_change, change_money, changes, at=("start",), rank=1)
MONEY_CHANGER = Character(
    id="money_changer",
    reasons=(
        Reason("NOT_ELIGIBLE", "The money changer takes and gives money only.", ("money_changer",)),
        Reason("VALUE_TOO_HIGH", "The card taken may not be worth more than the card given."),
    ),
    verbs=(CHANGE_MONEY,),
    asks={"start": is_asked},
)
