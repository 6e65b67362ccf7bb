"""Legal moves for people: a text for each move and offer, and groups of moves that share one button."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from alhambra import Move
from alhambra.payments import Offer, Verdict
from alhambra.texts import MoveTexts, name_of, text
from alhambra_api.v1 import moves_pb2

from .translate import overpaid


def group_of(move: Move) -> str:
    """Return the group of a move: its verb, and the slot, tile or piece that it is about. It does not depend on the
    language."""
    about = move.slot or move.tile or move.piece
    return f"{move.verb}:{about}" if about else move.verb


class Wording:
    """Writes the texts of moves in one language, with the names of the players."""

    def __init__(self, language: str, names: Sequence[str]) -> None:
        self.language, self.names = language, names
        self._texts = MoveTexts(language, names)

    def move(self, move: Move, offer: Offer | None = None, verdict: Verdict | None = None) -> str:
        """Return the text of a move. With an offer and a verdict it also says what is bought, its price and the
        payment."""
        if offer is None or verdict is None:
            return self._texts.tell(move)
        return self._texts.tell(
            move,
            thing=thing_of(offer),
            price=verdict.due,
            paid=verdict.paid,
            over=overpaid(verdict) or None,
            exact=verdict.exact,
        )

    def offer(self, offer: Offer, move: Move) -> str:
        """Return the text of an offer, with its price. `move` is the move that takes it, without a payment."""
        return self._texts.tell(move, thing=thing_of(offer), price=offer.price)

    def group(self, verb: str, about: str) -> str:
        """Return the label of a group's button: the verb, and what its moves are about."""
        name = text(f"verb.{verb}", self.language)
        return f"{name}: {name_of(about, self.language, self.names)}" if about else name


def thing_of(offer: Offer) -> str | None:
    """Return the tile or other component that an offer sells; None if the seat pays and gets no component."""
    return offer.tile or offer.piece or None


def groups_of(
    offers: Iterable[moves_pb2.Offer], moves: Iterable[moves_pb2.LegalMove], wording: Wording | None
) -> list[moves_pb2.MoveGroup]:
    """Return the groups of offers and moves, in the order in which they first occur. Without `wording` they have no
    texts."""
    found: dict[str, moves_pb2.MoveGroup] = {}
    seen = [(offer.group, offer.thing) for offer in offers] + [(move.group, "") for move in moves]
    for key, thing in seen:
        if key not in found:
            verb, _, about = key.partition(":")
            label = wording.group(verb, thing or about) if wording is not None else ""
            found[key] = moves_pb2.MoveGroup(key=key, verb=verb, text=label)
    return list(found.values())
