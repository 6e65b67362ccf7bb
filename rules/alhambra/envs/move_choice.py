"""A move chosen action by action: which actions are legal next, and the finished move.

First the verb, for which it is only looked up whether there is a legal move with it. When the verb is chosen, its moves
are listed as sequences of actions, and each action leaves those that begin like that. For a verb that pays, the list
has one entry for each affordable offer, and the payment is chosen card by card (`payment_choice.py`).

Where only one action is legal, it is taken without being asked for, except for the verb: a move takes at least one
step, and a seat is asked once for each of its decisions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from ..base.payment.offers import Offer, Payment
from ..base.payment.sampling import affordable
from ..moves import Move
from .actions import LISTS, ActionSpace, Sequence
from .payment_choice import PaymentChoice

if TYPE_CHECKING:
    from ..game import Game
    from ..hook_types import Paying, Verb
    from ..state import Decision

T = TypeVar("T")


class MoveChoice:
    """The answer to the open decision of a game, while it is being chosen. Valid until the game changes."""

    def __init__(self, game: Game, space: ActionSpace) -> None:
        decision = game.decision
        assert decision is not None, "the game is over"
        self.game, self.space = game, space
        self._decision: Decision = decision
        self.seat = decision.seat
        self.taken: list[int] = []
        """The actions taken so far, including those that were not asked for."""
        self.move: Move | None = None
        """The finished move; None until it is finished."""
        self._listed: list[tuple[Sequence, Move | Offer]] = []
        self._pays: Paying | None = None
        self._offer: Offer | None = None
        self._payment: PaymentChoice | None = None
        self._offers: dict[str, Iterator[Offer]] = {}
        """By verb that pays: the affordable offers. Only the first has been looked for."""
        self._moves: dict[str, Iterator[Move]] = {}
        """By other verb: its legal moves. Only the first has been looked up."""
        self._verbs: dict[int, Verb] = {}
        """By action: the verbs that have a legal move."""
        for verb in game.offered_verbs(decision):
            if self._has_move(verb):
                self._verbs[space.action("verb", verb.name)] = verb
        self.options: list[int] = list(self._verbs)
        """The legal actions; empty when the move is finished."""

    def _lists_offers(self, verb: Verb) -> bool:
        """Return whether payments for the verb's offers can be chosen card by card. Vetoes of modules may depend on the
        payment, so such moves are listed."""
        return verb.pays is not None and verb.name not in self.game.ruleset.vetoes

    def _has_move(self, verb: Verb) -> bool:
        game, decision, seat = self.game, self._decision, self.seat
        if verb.pays is not None and self._lists_offers(verb):  # whether the verb is possible follows from the offers
            # Without self, which keeps the offers: garbage collection would have to find the circle.
            offers = (offer for offer in verb.pays.offers(game, decision) if affordable(game, seat, offer))
            return self._has_first(verb, offers, self._offers)
        if verb.possible is not None and not verb.possible(game, decision):
            return False
        moves = game.without_vetoed(verb, decision, verb.moves(game, decision))
        return self._has_first(verb, iter(moves), self._moves)

    @staticmethod
    def _has_first(verb: Verb, found: Iterator[T], kept: dict[str, Iterator[T]]) -> bool:
        """Return whether there is anything to find, and keep it for the time when the verb is chosen."""
        for first in found:
            kept[verb.name] = chain((first,), found)
            return True
        return False

    def choose(self, action: int) -> None:
        """Take one of the options, and everything after it that has no alternative. Raise ValueError if the action is
        none of the options."""
        if action not in self.options:
            raise ValueError(f"illegal action {action}; legal are {self.options}")
        if not self.taken:
            self._choose_verb(action)
        else:
            self._take(action)
        while self.move is None:
            self.options = self._next_options()
            if len(self.options) != 1:
                return
            self._take(self.options[0])
        self.options = []

    def _choose_verb(self, action: int) -> None:
        verb = self._verbs[action]
        self.taken.append(action)
        if self._lists_offers(verb):
            self._pays = verb.pays
            assert verb.pays is not None
            nothing = Payment()
            self._listed = [
                (self.space.encode_scalars(verb.pays.move(offer, nothing), self.seat), offer)
                for offer in self._offers[verb.name]
            ]
        else:
            encode, seat = self.space.encode, self.seat
            self._listed = [(encode(move, seat), move) for move in self._moves[verb.name]]
        self._settle()

    def _next_options(self) -> list[int]:
        if self._payment is not None:
            return self._payment.options()
        place = len(self.taken)
        return sorted({sequence[place] for sequence, _ in self._listed})

    def _take(self, action: int) -> None:
        place = len(self.taken)
        self.taken.append(action)
        if self._payment is None:
            self._listed = [entry for entry in self._listed if entry[0][place] == action]
        else:
            self._payment.choose(action)
        self._settle()

    def _settle(self) -> None:
        """Finish the move, or begin with its payment, if everything before is chosen."""
        if self._payment is not None:
            if self._payment.complete:
                assert self._pays is not None
                assert self._offer is not None
                self.move = self._pays.move(self._offer, self._payment.payment())
            return
        sequence, found = self._listed[0]
        if len(sequence) > len(self.taken):
            return
        if isinstance(found, Move):
            self.move = found
            return
        verb = self.space.meanings[sequence[0]][1]
        nouns = [noun for noun in self.space.nouns(verb) if noun in LISTS]
        self._offer = found
        self._payment = PaymentChoice(self.game, self.seat, found, self.space, nouns)
        self._settle()
