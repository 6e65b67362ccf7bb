"""Lists the legal moves of the deciding seat: offers first, then moves, always in the same order.

An offer can have hundreds of thousands of payments. So a verb that pays is listed in two levels: each offer with its
price, and for each offer no payments, a few, or all of them.

A list is read in pages. A page ends with a cursor, the position of its last move. The next page begins there without
searching earlier payments again. A page also ends when its CPU time is used up; then it is short and has a cursor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import NamedTuple, Protocol

from alhambra import Decision, Game, Move
from alhambra.module import Paying, Verb
from alhambra.payments import (
    Offer,
    OfferPayments,
    Payment,
    PaymentPosition,
    PaymentStep,
    SharedLists,
    Verdict,
    affordable,
    judge,
    payment_of,
)
from alhambra_api.v1 import moves_pb2

from .. import limits
from ..cpu_budget import CpuBudget
from ..messages.move_texts import Wording, group_of, groups_of
from ..messages.refusals import Refusal
from ..messages.translate import legal_move_to, offer_to
from .automatic.server_players import legal_moves

NONE, BRIEF, ALL = moves_pb2.PAYMENTS_OFFERS, moves_pb2.PAYMENTS_BRIEF, moves_pb2.PAYMENTS_ALL


class MoveFilter(NamedTuple):
    """The nouns that listed moves must have; an empty text accepts any."""

    verb: str = ""
    slot: str = ""
    tile: str = ""
    piece: str = ""

    def fits(self, move: Move) -> bool:
        """Return whether a move has all these nouns."""
        found = (move.verb, move.slot, move.tile, move.piece)
        return all(not wanted or wanted == has for wanted, has in zip(self, found, strict=True))


class Cursor(NamedTuple):
    """The position at which a page ended."""

    shown: int
    """The number of moves on all pages up to this position."""
    part: int
    """The number of the part that holds the last step."""
    place: PaymentPosition
    """The place of the last step within its part."""

    def __str__(self) -> str:
        return ".".join(map(str, (self.shown, self.part, *self.place)))

    @classmethod
    def read(cls, text: str) -> Cursor:
        """Read a cursor from its text."""
        shown, part, *place = map(int, text.split("."))
        return cls(shown, part, tuple(place))


@dataclass
class Page:
    """A part of the list of legal moves."""

    offers: list[moves_pb2.Offer] = field(default_factory=list)
    moves: list[moves_pb2.LegalMove] = field(default_factory=list)
    groups: list[moves_pb2.MoveGroup] = field(default_factory=list)
    next: Cursor | None = None
    """The cursor of the next page; None if this is the last one."""
    total: int | None = 0
    """The number of moves of all pages; None if they were not counted."""


def page(
    game: Game,
    wanted: MoveFilter,
    mode: int,
    size: int,
    after: Cursor | None = None,
    wording: Wording | None = None,
) -> Page:
    """Return a page of the legal moves of the deciding seat, from the beginning or after a cursor. The first page has
    the offers. With `wording`, moves, offers and groups have texts. Raises Refusal if the cursor is not one of this
    list."""
    decision = game.decision
    if decision is None:
        return Page()
    parts = list(_parts(game, decision, wanted, wording))
    found = Page(total=None)
    if after is None:
        found.offers = [part.offer_message(mode) for part in parts if part.offer is not None]
    budget = CpuBudget(limits.LISTING_SECONDS)
    shown = after.shown if after is not None else 0
    last: tuple[int, Step] | None = None
    for number, step in _steps(parts, mode, after):
        if step.move is not None and len(found.moves) == size:
            found.next = _cursor(shown + size, last, after)
            break
        if step.move is not None:
            found.moves.append(parts[number].message(step.move))
        last = number, step
        if budget.spent():
            found.next = _cursor(shown + len(found.moves), last, after)
            break
    found.groups = groups_of(found.offers, found.moves, wording)
    if mode != ALL:
        found.total = _total(shown + len(found.moves), parts, mode, found.next, budget)
    return found


def _cursor(shown: int, last: tuple[int, Step] | None, before: Cursor | None) -> Cursor | None:
    """Return the cursor after the last step of a page; the given one if the page has no steps."""
    return before if last is None else Cursor(shown, last[0], last[1].place)


def _steps(parts: list[_Part], mode: int, after: Cursor | None) -> Iterator[tuple[int, Step]]:
    """Generate every step of the list after a cursor, with the number of its part."""
    first, place = (after.part, after.place) if after is not None else (0, None)
    try:
        for number, part in enumerate(parts[first:], first):
            for step in part.steps(mode, place if number == first else None):
                yield number, step
    except ValueError:
        raise page_token_invalid() from None


def _total(counted: int, parts: list[_Part], mode: int, begin: Cursor | None, budget: CpuBudget) -> int | None:
    """Return the number of all moves; None if the rest after a cursor cannot be counted in time."""
    if begin is None:
        return counted
    for _, step in _steps(parts, mode, begin):
        counted += step.move is not None
        if budget.spent():
            return None
    return counted


def page_token_invalid() -> Refusal:
    """Return the refusal of a page token that does not belong to this list."""
    return Refusal("PAGE_TOKEN_INVALID", "The page token is not one of this list, or the filters have changed.")


def verdict(game: Game, move: Move) -> Verdict | None:
    """Return the verdict on the payment of a move of the deciding seat; None if the move pays nothing, or if there is
    no such offer."""
    decision = game.decision
    verb = game.ruleset.verbs.get(move.verb)
    if decision is None or verb is None or verb.pays is None or verb not in game.offered_verbs(decision):
        return None
    bare = move._replace(cards=(), display=(), items=())
    for offer in verb.pays.offers(game, decision):
        if verb.pays.move(offer, Payment()) == bare:
            return judge(game, decision.seat, offer, payment_of(move))
    return None


def listed_move(game: Game, move: Move, wording: Wording) -> moves_pb2.LegalMove:
    """Return a legal move as the list has it, with its text. If it names an amount, it stands for that amount alone."""
    decision = game.decision
    assert decision is not None
    bare = move._replace(cards=(), display=(), items=())
    for part in _parts(game, decision, MoveFilter(verb=move.verb), wording):
        if part.offer is None or part.written(Payment()) == bare:
            message = part.message(move)
            message.ClearField("amount_min")
            message.ClearField("amount_max")
            return message
    raise AssertionError(f"a legal move that no list has: {move.verb}")


# -- Parts of a list -------------------------------------------------------------------------------------------------


class Step(Protocol):
    """A step along a part of the list."""

    @property
    def move(self) -> Move | None:
        """The legal move at this step; None if the step is only a part of the search."""

    @property
    def place(self) -> PaymentPosition:
        """The place of the step within its part."""


class _Numbered(NamedTuple):
    """A move of a list that can be read again from its beginning. Its place is its number."""

    number: int
    move: Move

    @property
    def place(self) -> PaymentPosition:
        return (self.number,)


class _Paid(NamedTuple):
    """A step of the search for payments of an offer."""

    found: PaymentStep
    move: Move | None

    @property
    def place(self) -> PaymentPosition:
        return self.found.position


@dataclass(frozen=True)
class _Part:
    """The legal moves of one verb; if the verb pays, those that pay for one offer."""

    game: Game
    decision: Decision
    verb: Verb
    wanted: MoveFilter
    offer: Offer | None = None
    wording: Wording | None = None
    shared: SharedLists | None = None
    """What parts have in common whose offers cost the same."""

    def steps(self, mode: int, after: PaymentPosition | None) -> Iterator[Step]:
        """Generate every step after a place; all steps if it is None."""
        if self.offer is None:
            return _numbered(self._others(), after)
        if mode == ALL:
            return self._payments(after=after)
        return _numbered(self._few if mode == BRIEF else (), after)

    def message(self, move: Move) -> moves_pb2.LegalMove:
        """Return a move of this part as a message, with the verdict on its payment, or with the range of amounts that
        it stands for."""
        verdict = amounts = None
        if self.offer is not None:
            verdict = self._possible.judge(payment_of(move))
        elif self.verb.nouns == AMOUNT:
            found = [one.amount for one in legal_moves(self.game, self.verb) if one.amount is not None]
            amounts = min(found), max(found)
        message = legal_move_to(move, verdict, amounts)
        message.group = group_of(move)
        if self.wording is not None:
            message.text = self.wording.move(move, self.offer, verdict)
        return message

    def offer_message(self, mode: int) -> moves_pb2.Offer:
        """Return the offer of this part as a message, with whether it can be paid, and whether it has more payments
        than the list shows."""
        assert self.offer is not None
        payable = bool(self._few) if mode == BRIEF else self._payable()
        more = payable if mode == NONE else mode == BRIEF and self._has_more()
        bare = self._pays.move(self.offer, Payment())
        message = offer_to(self.offer, bare, affordable=payable, more_payments=more)
        message.group = group_of(bare)
        if self.wording is not None:
            message.text = self.wording.offer(self.offer, bare)
        return message

    def _payable(self) -> bool:
        """Return whether any payment is legal. Payments are searched only if a module may veto them."""
        assert self.offer is not None
        if self.verb.name in self.game.ruleset.vetoes:
            return bool(self._few)
        return affordable(self.game, self.decision.seat, self.offer)

    def _has_more(self) -> bool:
        """Return whether there are more payments than `_few` has. Return True, too, if limits.PAYMENT_STEPS steps of
        the search are not enough to know."""
        few, seen, steps = len(self._few), 0, 0
        if not few:
            return False
        if self.verb.name not in self.game.ruleset.vetoes:
            return self._possible.more_than(few, limits.PAYMENT_STEPS)
        for step in islice(self._payments(), limits.PAYMENT_STEPS):
            steps += 1
            seen += step.move is not None
            if seen > few:
                return True
        return steps == limits.PAYMENT_STEPS

    def _others(self) -> Iterator[Move]:
        """Generate the moves of a verb that does not pay. If they differ only in an amount, generate the lowest one."""
        found: Iterable[Move] = islice(legal_moves(self.game, self.verb), limits.MOVES_LISTED)
        if self.verb.nouns == AMOUNT:
            found = sorted(found, key=lambda move: move.amount or 0)[:1]
        return (move for move in found if self.wanted.fits(move))

    @cached_property
    def _few(self) -> list[Move]:
        """The moves of some payments from which nothing can be left out, at most limits.PAYMENTS_SHOWN."""
        game, decision = self.game, self.decision
        vetoed = self.verb.name in game.ruleset.vetoes  # then more payments are needed than are shown
        found = self._possible.listed() if vetoed else self._possible.listed(most=limits.PAYMENTS_SHOWN)
        moves = (self.written(payment) for payment in found)
        return list(islice(game.without_vetoed(self.verb, decision, moves), limits.PAYMENTS_SHOWN))

    @cached_property
    def _possible(self) -> OfferPayments:
        assert self.offer is not None
        return OfferPayments(self.game, self.decision.seat, self.offer, self.shared)

    def _payments(self, *, after: PaymentPosition | None = None) -> Iterator[_Paid]:
        game, decision = self.game, self.decision
        vetoes = game.ruleset.vetoes.get(self.verb.name, ())
        for found in self._possible.steps(after=after):
            move = self.written(found.payment) if found.payment is not None else None
            if move is not None and any(True for veto in vetoes for _ in veto(game, decision, move)):
                move = None
            yield _Paid(found, move)

    def written(self, payment: Payment) -> Move:
        """Return the move that takes the offer of this part with a payment."""
        assert self.offer is not None
        return self._pays.move(self.offer, payment)

    @property
    def _pays(self) -> Paying:
        assert self.verb.pays is not None
        return self.verb.pays


AMOUNT = "amount"
"""The nouns of a verb whose moves have only an amount."""


def _parts(game: Game, decision: Decision, wanted: MoveFilter, wording: Wording | None) -> Iterator[_Part]:
    shared = SharedLists()
    for verb in game.offered_verbs(decision):
        if wanted.verb not in ("", verb.name):
            continue
        if verb.pays is None:
            yield _Part(game, decision, verb, wanted, wording=wording)
            continue
        for offer in verb.pays.offers(game, decision):
            if wanted.fits(verb.pays.move(offer, Payment())):
                yield _Part(game, decision, verb, wanted, offer, wording, shared)


def _numbered(moves: Iterable[Move], after: PaymentPosition | None) -> Iterator[_Numbered]:
    """Generate moves with their numbers, from the one after a place."""
    begin = 0
    if after is not None:
        (last,) = after
        begin = last + 1
    return (_Numbered(number, move) for number, move in enumerate(islice(moves, begin, None), begin))
