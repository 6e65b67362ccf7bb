"""The blacksmith: the money display is enlarged to six cards at once.

At the end of a turn it is refilled only if fewer than four cards lie there, and then to four. A scoring card that is
turned up waits for the end of the turn; every other card that is no money has its effect at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...abilities import Ability
from ...base.supply import fill_display
from ...game import Game
from ...module import Verb, those_that_verify
from ...moves import Move
from ...state import Decision
from ...violations import Violation
from .craftsman import VALUES, all_of, unusable, usable, use

KIND = "blacksmith"
SIZE: int = VALUES["blacksmith_display"]


def has_effect(game: Game) -> bool:
    """Return whether a card can be added to the display, as far as everybody sees."""
    return len(game.state.display) < SIZE and bool(game.state.deck or game.state.discard)


def is_asked(game: Game, seat: int) -> bool:
    """Return whether the actions stay open for him."""
    return has_effect(game) and bool(usable(game, seat, KIND))


def verify_enlarge(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A usable blacksmith, and a display that can grow."""
    yield from unusable(game, decision.seat, KIND, move.items)
    if not has_effect(game):
        yield Violation("NO_EFFECT", "verb", id=KIND)


def enlarge_display(game: Game, decision: Decision, move: Move) -> None:
    """Cards are turned up until six lie open."""
    use(game, decision.seat, move.items[0])
    game.push(tell_display)
    game.push(fill_display, SIZE)


def tell_display(game: Game) -> None:
    """The display is as large as it gets, and everything that was turned up on the way is dealt with."""
    game.emit("display_enlarged", display=game.state.display)


def could_enlarge(game: Game, decision: Decision) -> bool:
    """Return whether he can be used: everybody can see that."""
    return is_asked(game, decision.seat)


def enlargements(game: Game, decision: Decision) -> list[Move]:
    """Return the move with each usable blacksmith."""
    return [Move("enlarge_display", items=(piece,)) for piece in usable(game, decision.seat, KIND)]


BLACKSMITH = Ability(
    events={"display_enlarged": "A blacksmith enlarged the display of money cards."},
    usable=all_of(KIND),
    verbs=(
        Verb(
            "enlarge_display",
            "items",
            verify_enlarge,
            enlarge_display,
            those_that_verify(verify_enlarge, enlargements),
            at=("action",),
            possible=could_enlarge,
        ),
    ),
    agenda={"tell_display": tell_display},
    asks={"action": is_asked},
)
