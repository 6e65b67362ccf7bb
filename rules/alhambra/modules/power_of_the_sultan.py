"""18 The power of the sultan.

Eight sultan cards lie in the first three piles of the money deck. One that is turned up is laid beside the board, and a
die of the six building types says which of them is marked on it. It can be bought like a tile, for the price printed on
it; the buyer may roll once to mark it anew, with the type rolled or the one on the opposite face. Whenever a tile is
drawn to refill the market, the owner of a card marked with its type may claim it: the tile costs nothing and is placed
at once, the card leaves the game, and the space gets another tile. The owner whose turn comes soonest decides first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..base.choice import Choice
from ..base.market import lay_on_space
from ..base.payment.offers import Offer, Purchase
from ..base.place_tiles import acquire, place_now
from ..base.scoring import types_of
from ..base.supply import SLOTS, DeckPlan
from ..base.turn_order import soonest
from ..components import TYPES, Card, module_data
from ..declarations import PASS, PieceKind, Reason, chosen, outline_of
from ..game import Game
from ..module import DecisionKind, Module, Step, Verb, freely
from ..moves import Move, need
from ..state import Decision
from ..violations import Violation

_DATA = module_data("power_of_the_sultan")
CARDS: dict[str, dict[str, Any]] = {card["id"]: card for card in _DATA["cards"]}
IN_PILES = {int(pile): int(count) for pile, count in _DATA["deck_piles"].items()}
OPPOSITE = {face: other for pair in _DATA["die_opposites"] for face, other in (pair, reversed(pair))}


@dataclass(slots=True)
class Sultan:
    """The cards that were turned up and are still in the game."""

    marks: dict[str, str] = field(default_factory=dict)
    """The type marked on each card; none on one that is just being marked anew."""
    owners: dict[str, int] = field(default_factory=dict)
    """The seats of those that were bought. The others lie beside the board."""


# -- A card is turned up -------------------------------------------------------------------------------------------


def insert_cards(plan: DeckPlan) -> None:
    """Three, two and three cards, whichever they are, go into the first three piles."""
    cards = plan.shuffled("sultan", CARDS)
    for pile, count in IN_PILES.items():
        plan.insert(pile, [cards.pop() for _ in range(count)])


def turn_up(game: Game, card: str) -> None:
    """It is laid beside the board and marked with what the die says."""
    game.emit("card_revealed", card=card, to="aside")
    _mark(game, card, _roll(game, card))


def _roll(game: Game, card: str) -> str:
    face = TYPES[game.chance("power_of_the_sultan/die").randbelow(len(TYPES))]
    game.emit("sultan_rolled", piece=card, type=face)
    return face


def _mark(game: Game, card: str, name: str) -> None:
    sultan = game.module_state(Sultan)
    sultan.marks = {**sultan.marks, card: name}
    game.emit("sultan_marked", piece=card, type=name)


# -- A card is bought ----------------------------------------------------------------------------------------------


def card_offers(game: Game, _seat: int) -> Iterator[Offer]:
    """Yield the cards beside the board. No building is bought, so little of what a purchase can allow applies."""
    sultan = game.module_state(Sultan)
    for card in sorted(sultan.marks.keys() - sultan.owners.keys()):
        price, currency = CARDS[card]["price"], CARDS[card]["currency"]
        yield Offer("sultan", price, currency, ("bonus", "coins", "certificate"), piece=card)


def take_card(game: Game, purchase: Purchase) -> None:
    """It lies before its owner, who decides once whether to mark it anew."""
    if purchase.slot == "sultan":
        sultan = game.module_state(Sultan)
        sultan.owners = {**sultan.owners, purchase.piece: purchase.seat}
        game.ask("remark", purchase.seat, piece=purchase.piece, choices=("keep", "reroll"))


def remark(game: Game, decision: Decision, choice: str) -> None:
    """The mark stays, or it is taken off and the die rolled: then the old one is lost."""
    sultan = game.module_state(Sultan)
    card = decision.context["piece"]
    if choice == "keep":
        _mark(game, card, sultan.marks[card])
    else:
        sultan.marks = {**sultan.marks, card: ""}
        face = _roll(game, card)
        game.ask("mark", decision.seat, piece=card, types=(face, OPPOSITE[face]))


def verify_mark(_game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """The type rolled, or the one on the opposite face."""
    types = decision.context["types"]
    if move.type not in types:
        yield Violation("TYPE_MISMATCH", "type", expected=list(types), got=move.type)


def mark(game: Game, decision: Decision, move: Move) -> None:
    """From now on the card stands for that type."""
    _mark(game, decision.context["piece"], need(move.type))


def mark_as_rolled(game: Game, decision: Decision) -> None:
    """An owner who resigns does not choose any more: the card stands for the type rolled (18.42)."""
    _mark(game, decision.context["piece"], decision.context["types"][0])


def markings(_game: Game, decision: Decision) -> Iterator[Move]:
    """Yield a move for each of the two types."""
    for name in decision.context["types"]:
        yield Move("mark", type=name)


# -- A tile is claimed ---------------------------------------------------------------------------------------------


def _fitting(game: Game, seat: int, tile: str) -> list[str]:
    """Return the seat's cards that are marked with the type of the tile."""
    sultan = game.module_state(Sultan)
    types = types_of(game, tile)
    return [card for card in sorted(sultan.owners) if sultan.owners[card] == seat and sultan.marks[card] in types]


def offer_tile(game: Game, tile: str, place: int) -> bool:
    """Offer a tile that was drawn for a market space to the owners of its type, before it is laid there. Return whether
    there are any."""
    seats = tuple(seat for seat in soonest(game) if _fitting(game, seat, tile))
    if seats:
        game.state.aside = (*game.state.aside, tile)
        game.emit("claim_offered", tile=tile, slot=SLOTS[place], seats=seats)
        game.push(ask_claims, tile, place, seats)
    return bool(seats)


def ask_claims(game: Game, tile: str, place: int, seats: tuple[int, ...]) -> None:
    """One owner after another decides; if none claims the tile, it is laid on its space."""
    if tile not in game.state.aside:
        return  # it was claimed
    if seats:
        game.push(ask_claims, tile, place, seats[1:])
        game.ask("claim", seats[0], tile=tile, slot=SLOTS[place])
    else:
        _take_up(game, tile)
        lay_on_space(game, tile, place)


def _take_up(game: Game, tile: str) -> None:
    """The tile is no longer set aside."""
    game.state.aside = tuple(other for other in game.state.aside if other != tile)


def verify_claim(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """With a card of their own that is marked with the tile's type."""
    sultan = game.module_state(Sultan)
    card, tile = move.piece, decision.context["tile"]
    if card not in game.ruleset.pieces:
        yield Violation("ID_UNKNOWN", "piece", id=card)
    elif sultan.owners.get(card) != decision.seat:
        yield Violation("NOT_THERE", "piece", id=card, place="held")
    elif card not in _fitting(game, decision.seat, tile):
        yield Violation("TYPE_MISMATCH", "piece", expected=list(types_of(game, tile)), got=sultan.marks[card])


def claim(game: Game, decision: Decision, move: Move) -> None:
    """The tile changes hands for nothing and is placed at once; the card leaves the game."""
    sultan = game.module_state(Sultan)
    card, tile = need(move.piece), decision.context["tile"]
    sultan.marks = {other: name for other, name in sultan.marks.items() if other != card}
    sultan.owners = {other: seat for other, seat in sultan.owners.items() if other != card}
    _take_up(game, tile)
    game.state.box = (*game.state.box, card)
    game.emit("claimed", seat=decision.seat, piece=card, tile=tile)
    game.push(place_now, decision.seat, (tile,), True)
    acquire(game, decision.seat, tile, "claim")


def claims(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield one move for each card that fits."""
    for card in _fitting(game, decision.seat, decision.context["tile"]):
        yield Move("claim", piece=card)


# -- What can be seen ----------------------------------------------------------------------------------------------


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield every card with its mark, beside the board or before its owner."""
    sultan = game.module_state(Sultan)
    for card, name in sorted(sultan.marks.items()):
        yield {"kind": "sultan", "piece": card, "type": name, "seat": sultan.owners.get(card)}


def census(game: Game) -> Iterable[str]:
    """Return the cards on the table."""
    return game.module_state(Sultan).marks


MODULE = Module(
    number=18,
    key="power_of_the_sultan",
    events={
        "sultan_rolled": "The die was rolled for a sultan card.",
        "sultan_marked": "A sultan card was marked with a type.",
        "claim_offered": "A drawn tile is offered to owners of its type.",
        "claimed": "A seat claimed a tile with a sultan card.",
    },
    details=("claim_offered",),
    reasons=(Reason("TYPE_MISMATCH", "The card is not marked with that type, or the die did not show it."),),
    piece_kinds=(
        PieceKind(
            "sultan",
            "A sultan card with its mark, beside the board or before its owner.",
            outline_of("sultan"),
        ),
    ),
    nouns={"slot": ("sultan",), "piece": tuple(CARDS), "choice": ("reroll",)},
    state=Sultan,
    cards=tuple(Card(card, "sultan") for card in CARDS),
    deck=insert_cards,
    routes={"sultan": turn_up},
    offers={"action": card_offers},
    verbs=(
        Verb("mark", "type", verify_mark, mark, markings, at=("mark",)),
        Verb("claim", "piece", verify_claim, claim, claims, at=("claim",)),
    ),
    decisions=(
        Choice("remark", chosen=remark, orders=(chosen("keep", "Keep the mark."),)),
        DecisionKind("mark", unanswered=mark_as_rolled),
        DecisionKind("claim", passing=freely, orders=(PASS,), concerns_others=True),
    ),
    steps=(Step("purchase.building", take_card),),
    agenda={"ask_claims": ask_claims},
    drawn=offer_tile,
    public_pieces=public_pieces,
    census=census,
)
