"""Masons: a card worth 3, or a redesign after placing; everybody is dealt one in secret."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from alhambra import Decision, Game, Module
from alhambra.base.supply import DeckPlan, discard, lose
from alhambra.components import CURRENCIES, Card
from alhambra.determinize import Secrets
from alhambra.module import Licence

MASON_CARDS = tuple(Card(f"mason-{currency}", "mason", currency, 3, leaves=True) for currency in CURRENCIES)
MASON_COPIES = 2
MASON_PILES = (2, 4)


@dataclass(slots=True)
class Masons:
    """The cards that are in no hand and in no pile: nobody knows which."""

    undealt: tuple[str, ...] = ()


def insert_masons(plan: DeckPlan) -> None:
    """One into each hand, one each into two piles."""
    cards = plan.shuffled("masons", [card.id for card in MASON_CARDS] * MASON_COPIES)
    for seat in range(plan.seats):
        plan.hands.setdefault(seat, []).append(cards.pop())
    for pile in MASON_PILES:
        plan.insert(pile, [cards.pop()] if cards else [])
    plan.game.module_state(Masons).undealt = tuple(cards)


def has_cards(game: Game, seat: int) -> bool:
    """Whether a mason is among them nobody knows."""
    return bool(game.state.seats[seat].hand)


def hire(game: Game, seat: int, *, card: str) -> None:
    """The card leaves the game."""
    lose(game, seat, (card,))
    discard(game, (card,))
    game.emit("mason_hired", seat=seat, card=card)


def mason_licences(game: Game, decision: Decision) -> Iterator[Licence]:
    """Each mason in hand entitles to one redesign after placing."""
    if decision.kind == "late":
        for card in dict.fromkeys(game.state.seats[decision.seat].hand):
            if game.ruleset.cards[card].kind == "mason":
                yield Licence(cards=(card,), spend=partial(hire, card=card))


def keep_undealt(game: Game, cards: tuple[str, ...]) -> None:
    """These were not dealt."""
    game.module_state(Masons).undealt = cards


def mason_secrets(game: Game, _viewer: int | None, secrets: Secrets) -> None:
    """A mason in a hand or in the deck could as well be one that was not dealt."""
    secrets.add("mason", game.module_state(Masons).undealt, partial(keep_undealt, game))


MASONS = Module(
    number=908,
    key="example_masons",
    state=Masons,
    cards=MASON_CARDS,
    deck=insert_masons,
    asks={"late": has_cards},
    licences=mason_licences,
    secrets=mason_secrets,
    census=lambda game: game.module_state(Masons).undealt,
)
