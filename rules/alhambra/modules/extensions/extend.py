"""Extending: three cards of the currencies above a column buy one of the extensions below them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, islice, product

from ...base.purchase import grant_action
from ...base.supply import discard, lose, missing
from ...components import CURRENCIES
from ...game import Game
from ...module import RandBelow, Verb
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .attach import ask_where, attach_to
from .board import FIELDS, Extensions, extendable, own_buildings

CARDS_PLAYED = len(next(iter(FIELDS.values())).pattern)
LISTED = 20
"""Combinations of cards for one field in a list of legal moves, those of the lowest value."""


def _dirk(game: Game) -> int | None:
    """Return the seat by which a move names Dirk; None if he does not play."""
    seats = len(game.state.seats)
    return seats if seats == 2 else None


# -- Judging -------------------------------------------------------------------------------------------------------


def verify_extend(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """An extension lies there, there is a building for it, and the cards match its column."""
    name = game.module_state(Extensions).lying.get(move.slot or "")
    if name is None:
        yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
    elif not own_buildings(game, decision.seat, name):
        yield Violation("CONDITION_UNMET", "slot", what="own_building", type=name, need=1, have=0)
    elif move.seat is None and not extendable(game, decision.seat, name):
        yield Violation("CONDITION_UNMET", "slot", what="unextended_building", type=name, need=1, have=0)
    if move.seat is not None and move.seat != _dirk(game):
        yield Violation("NOUN_MALFORMED", "seat", value=move.seat)
    elif move.seat is not None and name is not None and not extendable(game, move.seat, name):
        yield Violation("CONDITION_UNMET", "seat", what="unextended_building", type=name, need=1, have=0)
    yield from _card_faults(game, decision.seat, move)


def _card_faults(game: Game, seat: int, move: Move) -> Iterator[Violation]:
    """Three money cards of their own hand, of the currencies above the column."""
    known = game.ruleset.cards
    if len(move.cards) != CARDS_PLAYED:
        yield Violation("CARD_COUNT", "cards", need=CARDS_PLAYED, got=len(move.cards))
    absent = missing(game.state.seats[seat].hand, move.cards)
    for card in dict.fromkeys(move.cards):
        if card not in known:
            yield Violation("ID_UNKNOWN", "cards", id=card)
        elif card in absent:
            yield Violation("NOT_THERE", "cards", id=card, place="hand")
        elif not _is_money(game, card):
            yield Violation("NOT_ACCEPTED", "cards", id=card, purchase="extension")
    place = FIELDS.get(move.slot or "")
    played = [known[card].currency for card in move.cards if card in known and _is_money(game, card)]
    if place is not None and len(played) == CARDS_PLAYED and sorted(played) != sorted(place.pattern):
        yield Violation("PATTERN_MISMATCH", "cards", slot=move.slot, pattern=list(place.pattern))


def _is_money(game: Game, card: str) -> bool:
    """Return whether a card is money of one of the four currencies."""
    card_kind = game.ruleset.cards[card]
    return bool(card_kind.value) and card_kind.currency in CURRENCIES


def _worth(game: Game, cards: Iterable[str]) -> int:
    return sum(game.ruleset.cards[card].value for card in cards)


# -- Listing -------------------------------------------------------------------------------------------------------


def _targets(game: Game, decision: Decision) -> Iterator[tuple[str, int | None]]:
    """Yield every field whose extension the seat may take: once for itself, and once for Dirk, with his seat."""
    seat, dirk = decision.seat, _dirk(game)
    for slot, name in game.module_state(Extensions).lying.items():
        if own_buildings(game, seat, name):
            if extendable(game, seat, name):
                yield slot, None
            if dirk is not None and extendable(game, dirk, name):
                yield slot, dirk


def _plays(game: Game, seat: int, pattern: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return every combination of cards in hand that matches a pattern, those of the lowest value first."""
    known = game.ruleset.cards
    hand = [card for card in sorted(game.state.seats[seat].hand) if _is_money(game, card)]
    parts = [
        set(combinations((card for card in hand if known[card].currency == currency), count))
        for currency, count in Counter(pattern).items()
    ]
    found = [tuple(sorted(card for part in chosen for card in part)) for chosen in product(*parts)]
    return sorted(found, key=lambda cards: (_worth(game, cards), cards))


def _extendings(game: Game, decision: Decision, most: int | None) -> Iterator[Move]:
    plays: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for slot, receiver in _targets(game, decision):
        pattern = FIELDS[slot].pattern
        if pattern not in plays:
            plays[pattern] = _plays(game, decision.seat, pattern)
        for cards in islice(plays[pattern], most):
            yield Move("extend", slot=slot, cards=cards, seat=receiver)


def extendings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every field with every combination of cards that matches its column."""
    return _extendings(game, decision, None)


def brief_extendings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every field with the combinations of the lowest value."""
    return _extendings(game, decision, LISTED)


def sample_extending(game: Game, decision: Decision, randbelow: RandBelow) -> Move | None:
    """Return a random field, with a random combination of cards; only the columns drawn are worked out."""
    targets = list(_targets(game, decision))
    while targets:
        slot, receiver = targets.pop(randbelow(len(targets)))
        plays = _plays(game, decision.seat, FIELDS[slot].pattern)
        if plays:
            return Move("extend", slot=slot, cards=plays[randbelow(len(plays))], seat=receiver)
    return None


def could_extend(game: Game, decision: Decision) -> bool:
    """Return whether the seat has as many cards as a pattern and a building that an extension fits: everybody sees
    that."""
    if len(game.state.seats[decision.seat].hand) < CARDS_PLAYED:
        return False
    return next(_targets(game, decision), None) is not None


# -- Doing ---------------------------------------------------------------------------------------------------------


def extend(game: Game, decision: Decision, move: Move) -> None:
    """The cards are spent, and the extension goes to a building of the seat or of Dirk."""
    seat, kept = decision.seat, game.module_state(Extensions)
    field = need(move.slot)
    name, number, paid = kept.lying[field], FIELDS[field].number, _worth(game, move.cards)
    kept.lying = {slot: lying for slot, lying in kept.lying.items() if slot != field}
    kept.taken = name
    facts = {"type": name, "cards": move.cards, "due": number, "paid": paid, "exact": paid <= number}
    game.emit("extension_taken", seat=seat, slot=field, **facts)
    lose(game, seat, move.cards)
    discard(game, move.cards)
    if paid <= number:
        grant_action(game, seat)
    if move.seat is None:
        ask_where(game, seat)
    else:  # which of Dirk's buildings it is makes no difference (39.26)
        attach_to(game, move.seat, extendable(game, move.seat, name)[0], forced=True)


EXTEND = Verb(
    "extend",
    "slot cards [seat]",
    verify_extend,
    extend,
    extendings,
    at=("action",),
    action=True,
    possible=could_extend,
    sample=sample_extending,
    brief=brief_extendings,
)
