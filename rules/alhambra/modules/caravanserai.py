"""19 The caravanserai.

Eight caravanserai cards lie open. Each has a track of amounts that begins at 0 and rises in one currency, with branches
to the same amount in another one. Whoever has built four, five or six different types of buildings may buy a card like
a building, for 8, 4 or 2 of one currency; a second one takes five types, and nobody owns more than two. As the first
thing in a turn the owner may move one marker one field: up the track, or out to a branch, where the track ends. The
marked field is money of its currency, spent as a whole like one card; then the marker returns to 0. It counts when
leftover tiles are given out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..base.payment.offers import ANY_ONE, Offer, Purchase, Tender
from ..base.scoring import count_buildings
from ..components import module_data
from ..declarations import PieceKind, Reason, outline_of
from ..game import Game
from ..module import Layer, Modify, Module, Step, Verb, those_that_verify
from ..moves import Move, need
from ..state import Decision
from ..violations import Violation

SLOT = "caravanserai"
_DATA = module_data(SLOT)
PRICES = {int(types): int(price) for types, price in _DATA["price_by_types"].items()}
MOST_CARDS: int = _DATA["max_per_player"]
TYPES_NEEDED: tuple[int, ...] = (_DATA["min_types"]["first"], _DATA["min_types"]["second"])
"""By the number of cards that a seat has: the types that it must have built for one more."""
EFFECTS = ("bonus", "coins", "certificate")
MOVED = "marker"
"""The word in `state.used` that says that a marker was moved this turn."""

Field = tuple[str, int]
"""A field of a track: currency and amount."""


def _ways(card: dict[str, Any]) -> dict[Field, dict[str, Field]]:
    """Return by field where the marker of a card may go, by the word of the move. A branch and the highest field lead
    nowhere."""
    main, highest = card["main"], card["max_value"]
    ways: dict[Field, dict[str, Field]] = {(main, at): {"up": (main, at + 1)} for at in range(highest)}
    for branch in card["branches"]:
        ways[main, branch["at_value"]]["branch"] = (branch["currency"], branch["value"])
    return ways


TRACKS = {card["id"]: _ways(card) for card in _DATA["cards"]}
START: dict[str, Field] = {card["id"]: (card["main"], 0) for card in _DATA["cards"]}


@dataclass(slots=True)
class Caravans:
    """The owners of the cards that were bought, and the field that the marker of each of them is on."""

    owners: dict[str, int] = field(default_factory=dict)
    markers: dict[str, Field] = field(default_factory=dict)


def _owned(game: Game, seat: int) -> dict[str, Field]:
    """Return the cards of a seat with their marked fields, in the order of their numbers."""
    caravans = game.module_state(Caravans)
    return {card: caravans.markers[card] for card in START if caravans.owners.get(card) == seat}


def _mark(game: Game, card: str, marked: Field) -> None:
    caravans = game.module_state(Caravans)
    caravans.markers = {**caravans.markers, card: marked}


# -- Buying ----------------------------------------------------------------------------------------------------------


def _types_built(game: Game, seat: int) -> int:
    return sum(1 for count in count_buildings(game, seat).values() if count)


def why_not_for_sale(game: Game, seat: int, move: Move) -> Violation | None:
    """Return why the seat that names the pool of cards may buy none."""
    return _barred(game, seat) if move.slot == SLOT else None


def _barred(game: Game, seat: int) -> Violation | None:
    """A seat owns two cards at most, and must have built enough different types."""
    if len(game.module_state(Caravans).owners) == len(START):
        return None
    own, built = len(_owned(game, seat)), _types_built(game, seat)
    if own >= MOST_CARDS:
        return Violation("LIMIT_REACHED", "slot", what="caravanserai_cards", limit=MOST_CARDS)
    if built < TYPES_NEEDED[own]:
        return Violation("CONDITION_UNMET", "slot", what="types_built", need=TYPES_NEEDED[own], have=built)
    return None


def card_offers(game: Game, seat: int) -> Iterator[Offer]:
    """Yield every card that is left, if the seat may buy one. No building is bought: little of what a purchase can
    allow applies."""
    left = [card for card in START if card not in game.module_state(Caravans).owners]
    if left and _barred(game, seat) is None:
        price = PRICES[_types_built(game, seat)]
        for card in left:
            yield Offer(SLOT, price, ANY_ONE, EFFECTS, piece=card)


def take_card(game: Game, purchase: Purchase) -> None:
    """It lies before its owner, the marker on 0."""
    if purchase.slot == SLOT:
        caravans = game.module_state(Caravans)
        caravans.owners = {**caravans.owners, purchase.piece: purchase.seat}
        _mark(game, purchase.piece, START[purchase.piece])


# -- Moving a marker -------------------------------------------------------------------------------------------------


def is_asked(game: Game, seat: int) -> bool:
    """Return whether a marker of the seat can be moved at the start of this turn: everybody can see that."""
    if ADVANCE.rank < game.state.rank or MOVED in game.state.used:
        return False
    return any(marked in TRACKS[card] for card, marked in _owned(game, seat).items())


def verify_advance(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One's own marker, one in a turn, to a field that its own leads to."""
    own, card = _owned(game, decision.seat), move.piece or ""
    if card not in game.ruleset.pieces:
        yield Violation("ID_UNKNOWN", "piece", id=card)
    elif card not in own:
        yield Violation("NOT_THERE", "piece", id=card, place="held")
    elif move.choice not in TRACKS[card].get(own[card], ()):
        yield Violation("NOT_THERE", "choice", id=move.choice, place="table")
    if MOVED in game.state.used:
        yield Violation("USED_UP", "verb", what="marker", limit=1, per="turn")


def advance(game: Game, decision: Decision, move: Move) -> None:
    """The marker goes up the track, or out to a branch."""
    piece = need(move.piece)
    currency, amount = TRACKS[piece][game.module_state(Caravans).markers[piece]][need(move.choice)]
    _mark(game, piece, (currency, amount))
    game.state.used = (*game.state.used, MOVED)
    game.emit("marker_moved", seat=decision.seat, piece=piece, currency=currency, amount=amount)


def advances(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every way of every own marker."""
    for card, marked in _owned(game, decision.seat).items():
        for choice in TRACKS[card].get(marked, ()):
            yield Move("advance_marker", piece=card, choice=choice)


ADVANCE = Verb(
    "advance_marker",
    "piece choice",
    verify_advance,
    advance,
    those_that_verify(verify_advance, advances),
    at=("start",),
    rank=2,
)


# -- Spending --------------------------------------------------------------------------------------------------------


def tenders(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """Yield the amounts of the seat's cards, each by itself. An amount cannot be laid down beside a thing and come
    back."""
    if not offer.deposited:
        for card, (currency, amount) in _owned(game, seat).items():
            if amount:
                yield Tender("items", card, 1, currency, amount)


def spend(game: Game, seat: int, card: str, stage: str, _payee: int | None) -> None:
    """The marker returns to 0. There is nothing that a seat which is paid could get."""
    if stage == "spent":
        _mark(game, card, START[card])
        game.emit("marker_reset", seat=seat, piece=card)


def amounts_in_hand(game: Game, seat: int, currency: str) -> int:
    """Return the marked amounts, which count as money of their currency when leftover tiles are given out."""
    return sum(amount for marked, amount in _owned(game, seat).values() if marked == currency)


# -- What can be seen ------------------------------------------------------------------------------------------------


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield every card: those for sale in their slot, the others before their owners with the marked field."""
    caravans = game.module_state(Caravans)
    for card in START:
        if card in caravans.owners:
            currency, amount = caravans.markers[card]
            marked = {"currency": currency, "sum": amount}
            yield {"kind": SLOT, "piece": card, "seat": caravans.owners[card], **marked}
        else:
            yield {"kind": SLOT, "piece": card, "slot": SLOT}


MODULE = Module(
    number=19,
    key="caravanserai",
    events={
        "marker_moved": "A seat moved the marker of a caravanserai card one field.",
        "marker_reset": "The amount of a caravanserai card was spent: its marker is on 0 again.",
    },
    reasons=(
        Reason("LIMIT_REACHED", "Nobody owns more caravanserai cards.", ("caravanserai_cards",)),
        Reason(
            "CONDITION_UNMET", "A caravanserai card takes more types of buildings in the Alhambra.", ("types_built",)
        ),
        Reason("USED_UP", "One marker is moved in a turn.", ("marker", "turn")),
    ),
    piece_kinds=(
        PieceKind(
            SLOT,
            "A caravanserai card, for sale or before its owner with its marked field: `sum` of a currency.",
            outline_of(SLOT),
        ),
    ),
    state=Caravans,
    nouns={"slot": (SLOT,), "piece": tuple(START), "choice": ("up", "branch"), "items": tuple(START)},
    offers={"action": card_offers},
    unsold={"action": why_not_for_sale},
    tenders=tenders,
    items=dict.fromkeys(START, spend),
    verbs=(ADVANCE,),
    steps=(Step("purchase.building", take_card),),
    asks={"start": is_asked},
    modify=(Modify("money_in_hand", Layer.ADD, amounts_in_hand),),
    public_pieces=public_pieces,
)
