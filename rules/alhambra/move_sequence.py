"""Every legal move as a sequence: `Game.all_moves`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, overload

from .base.payment.counting import CountedPayments, counted_payments
from .base.payment.listing import payments

if TYPE_CHECKING:
    from .base.payment.offers import Offer
    from .game import Game
    from .module import Paying, Verb
    from .moves import Move
    from .state import Decision


class MoveSequence(Sequence["Move"]):
    """Every legal move of the open decision, in the order of `Game.moves`. It describes the game when it was made: do
    not use it after the next move.

    Payments with money alone are counted, so the length and the move at a position take no list. Two kinds of moves are
    counted by walking through all of them: payments for an offer for which the seat has a helper (there can be
    millions), and moves that pay with a verb for which a module has vetoes. The moves of verbs that do not pay are few
    and are listed. `move in sequence` verifies the move and lists nothing."""

    __slots__ = ("_game", "_parts")

    def __init__(self, game: Game) -> None:
        decision = game.decision
        self._game = game
        self._parts: list[_Part] = []
        if decision is not None:
            for verb in game.offered_verbs(decision):
                self._parts += _parts(game, decision, verb)

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def __iter__(self) -> Iterator[Move]:
        return self._game.moves()

    def __contains__(self, move: Any) -> bool:
        return not self._game.verify(move)

    @overload
    def __getitem__(self, number: int) -> Move: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Move]: ...
    def __getitem__(self, number: int | slice) -> Move | Sequence[Move]:
        if isinstance(number, slice):
            return tuple(self[n] for n in range(*number.indices(len(self))))
        left = number if number >= 0 else number + len(self)
        for part in self._parts if left >= 0 else ():
            move = part.at(left)
            if move is not None:
                return move
            left -= len(part)
        raise IndexError(f"there is no legal move with the number {number}")


class _Part(Protocol):
    """Some of the moves, by number."""

    def __len__(self) -> int: ...

    def at(self, number: int) -> Move | None:
        """Return the move with this number; None if there are fewer."""


class _Walked:
    """Moves that can only be counted by walking through them. They are not kept."""

    __slots__ = ("_moves", "_size")

    def __init__(self, moves: Callable[[], Iterator[Move]]) -> None:
        self._moves = moves
        self._size: int | None = None

    def __len__(self) -> int:
        if self._size is None:
            self._size = sum(1 for _ in self._moves())
        return self._size

    def at(self, number: int) -> Move | None:
        return next(islice(self._moves(), number, None), None)


class _Listed:
    """Moves of a verb that does not pay."""

    __slots__ = ("_moves",)

    def __init__(self, moves: tuple[Move, ...]) -> None:
        self._moves = moves

    def __len__(self) -> int:
        return len(self._moves)

    def at(self, number: int) -> Move | None:
        return self._moves[number] if number < len(self._moves) else None


class _Purchases:
    """The moves that pay for one offer with money alone."""

    __slots__ = ("_offer", "_payments", "_pays")

    def __init__(self, counted: CountedPayments, offer: Offer, pays: Paying) -> None:
        self._payments, self._offer, self._pays = counted, offer, pays

    def __len__(self) -> int:
        return len(self._payments)

    def at(self, number: int) -> Move | None:
        payment = self._payments.at(number)
        return None if payment is None else self._pays.move(self._offer, payment)


def _parts(game: Game, decision: Decision, verb: Verb) -> Iterator[_Part]:
    """Yield the moves with a verb: a part for each offer if it pays, otherwise one part."""
    pays = verb.pays
    if pays is None:
        yield _Listed(tuple(game.without_vetoed(verb, decision, verb.moves(game, decision))))
    elif verb.name in game.ruleset.vetoes:
        yield _Walked(lambda: iter(game.without_vetoed(verb, decision, verb.moves(game, decision))))
    else:
        for offer in pays.offers(game, decision):
            yield _of_offer(game, decision.seat, offer, pays)


def _of_offer(game: Game, seat: int, offer: Offer, pays: Paying) -> _Part:
    counted = counted_payments(game, seat, offer)
    if counted is not None:
        return _Purchases(counted, offer, pays)
    return _Walked(lambda: (pays.move(offer, payment) for payment in payments(game, seat, offer)))
