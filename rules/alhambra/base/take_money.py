"""Taking money: any one open card, or several with a total value of at most 5.

The display is refilled at the end of the turn. Cards that are not money are taken alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate, combinations
from typing import TYPE_CHECKING

from ..components import component_data
from ..module import Licence, Verb
from ..moves import Move, taking_move
from ..state import Decision
from ..violations import Violation
from .supply import gain, missing

if TYPE_CHECKING:
    from ..game import Game
    from ..ruleset import Ruleset

TAKE_LIMIT: int = component_data()["base"]["take_limit"]


def take_limit(game: Game, seat: int, items: tuple[str, ...] = ()) -> int:
    """Return the maximum total value of several cards."""
    return game.value("take_limit", TAKE_LIMIT, seat, items)


def _open_cards(game: Game) -> tuple[str, ...]:
    if not game.ruleset.open_cards:
        return game.state.display
    beside = (card for contribute in game.ruleset.open_cards for card in contribute(game))
    return (*game.state.display, *beside)


def _helpers(game: Game, seat: int) -> list[Licence]:
    helpers = game.ruleset.helpers.get("take_money", ())
    return [licence for contribute in helpers for licence in contribute(game, seat)]


def _absent(game: Game, shown: tuple[str, ...], move: Move) -> Iterator[Violation]:
    for card in missing(shown, move.display):
        if card in game.ruleset.cards:
            yield Violation("NOT_THERE", "display", id=card, place="display")
        else:
            yield Violation("ID_UNKNOWN", "display", id=card)


def verify_take(game: Game, decision: Decision, move: Move) -> Iterable[Violation]:
    """Yield violations: the cards must be open; several must be money within the limit."""
    shown = _open_cards(game)
    if len(move.display) == 1 and move.display[0] in shown and not move.items:
        return ()
    return _against_taking(game, decision, move, shown)


def _against_taking(game: Game, decision: Decision, move: Move, shown: tuple[str, ...]) -> Iterator[Violation]:
    yield from _absent(game, shown, move)
    known = [game.ruleset.cards[card] for card in move.display if card in game.ruleset.cards]
    if len(move.display) > 1:
        for card_kind in known:
            if not card_kind.value:
                yield Violation("TAKEN_ALONE", "display", id=card_kind.id)
        total, limit = sum(card.value for card in known), take_limit(game, decision.seat, move.items)
        if total > limit:
            yield Violation("SUM_TOO_HIGH", "display", sum=total, limit=limit)
    if move.items:
        if not any(helper.items == move.items for helper in _helpers(game, decision.seat)):
            yield Violation("NOT_THERE", "items", id=move.items[0], place="held")
        elif _within(game, decision.seat, move.display, ()):
            yield Violation("NO_EFFECT", "items", id=move.items[0])


def _within(game: Game, seat: int, display: tuple[str, ...], items: tuple[str, ...]) -> bool:
    total = sum(game.ruleset.cards[card].value for card in display if card in game.ruleset.cards)
    return len(display) == 1 or total <= take_limit(game, seat, items)


def take_money(game: Game, decision: Decision, move: Move) -> None:
    """Take the cards into the hand, in public."""
    seat = decision.seat
    for helper in _helpers(game, seat) if move.items else ():
        if helper.items == move.items and helper.spend:
            helper.spend(game, seat)
    take_open(game, seat, move.display, "action")
    game.run_hooks(game.ruleset.reactions["money_taken"], seat, move.display)


def take_open(game: Game, seat: int, cards: tuple[str, ...], how: str, /, **more: object) -> None:
    """Take open cards into a hand, for any reason."""
    display = list(game.state.display)
    for card in cards:
        if card in display:  # otherwise it was open beside the display
            display.remove(card)
    game.state.display = tuple(display)
    gain(game, seat, cards)
    game.emit("money_taken", seat=seat, display=cards, how=how, **more)


def takes(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield single cards, then sets within the limit, then sets that a helper allows."""
    seat = decision.seat
    shown, limit, helpers = _open_cards(game), take_limit(game, seat), _helpers(game, seat)
    if not helpers:
        return iter(game.ruleset.table(KeptTakes).moves(shown, limit))
    return _takes(game.ruleset, shown, [((), limit), *((h.items, take_limit(game, seat, h.items)) for h in helpers)])


class KeptTakes:
    """The moves that take money without helpers, cached for the cards and the limit asked for last: purchases and
    redesigns leave the display as it is."""

    __slots__ = ("_last", "_ruleset")

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._last: tuple[tuple[str, ...], int, tuple[Move, ...]] = ((), 0, ())

    def moves(self, shown: tuple[str, ...], limit: int) -> tuple[Move, ...]:
        """Return the moves for these open cards and this limit."""
        cards, within, found = self._last  # one read, because threads may share the rules
        if cards != shown or within != limit:
            found = tuple(_takes(self._ruleset, shown, [((), limit)]))
            self._last = (shown, limit, found)
        return found


def _takes(ruleset: Ruleset, shown: tuple[str, ...], limits: list[tuple[tuple[str, ...], int]]) -> Iterator[Move]:
    """Yield the moves that take some of these cards. `limits`: the limit without helpers, then with each helper, which
    is named only if the cards exceed the first limit."""
    known = ruleset.cards
    cards = sorted(shown)
    for card in dict.fromkeys(cards):
        yield taking_move("take_money", (card,), ())
    money = [card for card in cards if known[card].value]
    lowest = [*accumulate(sorted([known[card].value for card in money]))]
    """By number of cards: the lowest total, beginning with one card."""
    base = limits[0][1]
    for items, limit in limits:
        found = set()
        for size in range(2, len(money) + 1):
            if lowest[size - 1] > limit:
                break
            for chosen in combinations(money, size):
                total = sum([known[card].value for card in chosen])
                if total <= limit and chosen not in found and (not items or total > base):
                    found.add(chosen)
                    yield taking_move("take_money", chosen, items)


def could_take(game: Game, _decision: Decision) -> bool:
    """Return whether there is an open card."""
    return bool(_open_cards(game))


def verify_take_open(game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """Yield violations: exactly one open money card, of any value."""
    if len(move.display) != 1:
        yield Violation("CARD_COUNT", "display", need=1, got=len(move.display))
    yield from _absent(game, game.state.display, move)
    for card in move.display:
        if card in game.ruleset.cards and not game.ruleset.cards[card].value:
            yield Violation("NOT_ELIGIBLE", "display", id=card)


def apply_take_open(game: Game, decision: Decision, move: Move) -> None:
    """Take the card; the decision names the reason."""
    take_open(game, decision.seat, move.display, decision.kind)


def single_takes(game: Game, _decision: Decision) -> Iterator[Move]:
    """Yield each open money card."""
    for card in dict.fromkeys(sorted(game.state.display)):
        if game.ruleset.cards[card].value:
            yield Move("take_open", display=(card,))


VERBS = (
    Verb(
        "take_money",
        "display [items]",
        verify_take,
        take_money,
        takes,
        at=("action",),
        action=True,
        possible=could_take,
    ),
    Verb("take_open", "display", verify_take_open, apply_take_open, single_takes),
)
