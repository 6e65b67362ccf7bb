"""The stonemason: at the start of the turn, a money card of the hand is swapped with an open one of the same currency.

The card of the hand lies in the display from then on. A builder card counts as money of its currency, and a diamond is
swapped only with a diamond.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...abilities import Ability
from ...base.supply import lose, missing
from ...base.take_money import take_open
from ...declarations import Reason
from ...game import Game
from ...module import Verb
from ...moves import Move
from ...state import Decision
from ...violations import Violation
from .craftsman import all_of, unusable, usable, use

KIND = "stonemason"


def is_asked(game: Game, seat: int) -> bool:
    """Return whether the seat can still use him at the start of this turn, whatever its hand."""
    return CUT_STONE.rank >= game.state.rank and bool(usable(game, seat, KIND))


def verify_cut(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One money card of the hand, and another open one of the same currency."""
    yield from unusable(game, decision.seat, KIND, move.items)
    hand, known = game.state.seats[decision.seat].hand, game.ruleset.cards
    places = (("cards", move.cards, hand, "hand"), ("display", move.display, game.state.display, "display"))
    for noun, named, held, place in places:
        if len(named) != 1:
            yield Violation("CARD_COUNT", noun, need=1, got=len(named))
        for card in missing(held, named):
            yield Violation("NOT_THERE", noun, id=card, place=place)
        for card in named:
            if card in held and not known[card].value:
                yield Violation("NOT_ELIGIBLE", noun, piece=card, for_=KIND)
    if len(move.cards) == len(move.display) == 1 and {*move.cards, *move.display} <= set(known):
        given, taken = move.cards[0], move.display[0]
        if known[given].currency != known[taken].currency:
            yield Violation("WRONG_CURRENCY", "display", id=taken, allowed=[known[given].currency])
        elif given == taken:
            yield Violation("NO_EFFECT", "display", id=taken)


def cut_stone(game: Game, decision: Decision, move: Move) -> None:
    """The two cards change places, seen by all."""
    use(game, decision.seat, move.items[0])
    lose(game, decision.seat, move.cards)
    take_open(game, decision.seat, move.display, "mason", cards=move.cards)
    game.state.display = (*game.state.display, *move.cards)


def could_cut(game: Game, decision: Decision) -> bool:
    """Return whether he can be used, as far as everybody sees."""
    return bool(usable(game, decision.seat, KIND))


def cuts(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every money card of the hand against every other open one of its currency, with each usable stonemason."""
    masons, known = usable(game, decision.seat, KIND), game.ruleset.cards
    for own in dict.fromkeys(game.state.seats[decision.seat].hand) if masons else ():
        for card in dict.fromkeys(sorted(game.state.display)):
            alike = known[own].currency == known[card].currency and known[own].value and known[card].value
            if alike and own != card:
                yield from (Move("cut_stone", cards=(own,), display=(card,), items=(piece,)) for piece in masons)


CUT_STONE = Verb(
    "cut_stone", "cards display items", verify_cut, cut_stone, cuts, at=("start",), rank=3, possible=could_cut
)
STONEMASON = Ability(
    reasons=(Reason("NOT_ELIGIBLE", "The stonemason takes and gives money only.", (KIND,)),),
    usable=all_of(KIND),
    verbs=(CUT_STONE,),
    asks={"start": is_asked},
)
