"""Seers: once a turn a seat may look at the next three cards, keep one unseen, and lay the others back the other way
round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from alhambra import Decision, Game, Module, Move, Violation
from alhambra.base.peek import known_to, lay_on_top, peek, take_out, top_of
from alhambra.base.supply import DeckPlan, gain
from alhambra.components import Card
from alhambra.known_positions import DECK
from alhambra.module import DecisionKind, Verb, freely, those_that_verify

LOOKED_AT = 3
CHARM = Card("charm", "charm")
"""A card that lies in the display and comes into hands like money, but is of another kind."""


def insert_charms(plan: DeckPlan) -> None:
    """Two each in the piles 1 and 2."""
    for pile in (1, 2):
        plan.insert(pile, [CHARM.id, CHARM.id])


def may_look(game: Game, _seat: int) -> bool:
    """Once a turn, if there is a card."""
    return "seer" not in game.state.used and bool(game.state.deck or game.state.discard)


def verify_look(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Not twice in a turn."""
    if not may_look(game, decision.seat):
        yield Violation("USED_UP", "verb", what="seer", limit=1, per="turn")


def look_ahead(game: Game, decision: Decision, _move: Move) -> None:
    """Only the seat sees the cards."""
    game.state.used = (*game.state.used, "seer")
    cards = peek(game, decision.seat, DECK, LOOKED_AT)
    game.emit("cards_looked_at", {decision.seat: {"cards": cards}}, seat=decision.seat, count=len(cards))
    game.push(ask_seer, decision.seat, len(cards))


def ask_seer(game: Game, seat: int, count: int) -> None:
    """Which one is kept, if any."""
    game.ask("seer", seat, count=count)


def looked_at(game: Game, decision: Decision) -> tuple[str, ...]:
    """The cards that the question is about."""
    return top_of(game, DECK, decision.context["count"])


def verify_keep(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One of the cards looked at, if it is of a kind that comes into hands."""
    if len(move.cards) != 1:
        yield Violation("CARD_COUNT", "cards", need=1, got=len(move.cards))
        return
    card = move.cards[0]
    if card not in looked_at(game, decision):
        yield Violation("NOT_THERE", "cards", id=card, place="looked_at")
    elif game.ruleset.cards[card].kind in game.ruleset.routes:
        yield Violation("NOT_ELIGIBLE", "cards", piece=card)


def keep_card(game: Game, decision: Decision, move: Move) -> None:
    """It comes into the hand unseen; of the others the last one is drawn first."""
    seat, count = decision.seat, decision.context["count"]
    take_out(game, seat, DECK, move.cards[0], count)
    lay_on_top(game, seat, DECK, top_of(game, DECK, count - 1)[::-1])
    gain(game, seat, move.cards, unseen=True)
    game.emit("card_kept", {seat: {"card": move.cards[0]}}, seat=seat)


def _keepings(game: Game, decision: Decision) -> Iterator[Move]:
    return (Move("keep_card", cards=(card,)) for card in dict.fromkeys(looked_at(game, decision)))


def view(game: Game, viewer: int | None) -> dict[str, Any]:
    """What the viewer knows of the deck."""
    return {"known": known_to(game, viewer, DECK)}


SEERS = Module(
    number=932,
    key="example_seers",
    cards=(CHARM,),
    deck=insert_charms,
    verbs=(
        Verb(
            "look_ahead",
            "",
            verify_look,
            look_ahead,
            those_that_verify(verify_look, lambda _game, _decision: [Move("look_ahead")]),
            at=("late",),
        ),
        Verb("keep_card", "cards", verify_keep, keep_card, those_that_verify(verify_keep, _keepings), at=("seer",)),
    ),
    decisions=(
        DecisionKind("seer", passing=freely, private=lambda game, decision: {"cards": list(looked_at(game, decision))}),
    ),
    asks={"late": may_look},
    agenda={"ask_seer": ask_seer},
    view=view,
)
