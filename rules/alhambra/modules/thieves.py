"""10 Thieves.

Everybody is dealt thieves face down, each of one currency. When any turn is completely finished, a player may play a
thief and take one open money card of its currency, of any value; the display is refilled after each thief. Several may
be played in a row. The player whose turn is due next may not steal. Thieves leave the game; what is left at the end is
worth nothing. How many thieves somebody holds is public, their currencies are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..base.scoring import hold_scorings
from ..base.supply import fill_display
from ..base.take_money import take_open
from ..base.turn import interrupt
from ..base.turn_order import due_next
from ..components import CURRENCIES, module_data
from ..declarations import PieceKind, Reason, outline_of
from ..determinize import Secrets
from ..game import Game
from ..module import Module, Step, Verb
from ..moves import Move
from ..state import Decision
from ..violations import Violation

DATA = module_data("thieves")
PACK = tuple(f"thief-{card['currency']}" for card in DATA["cards"])


@dataclass(slots=True)
class Thieves:
    """The thieves each seat holds, by currency; those never dealt; those played."""

    held: tuple[tuple[str, ...], ...] = ()
    rest: tuple[str, ...] = ()
    played: tuple[str, ...] = ()


def deal_thieves(game: Game) -> None:
    """Everybody gets the same number, face down; the rest leaves the game unseen."""
    seats = len(game.state.seats)
    each: int = DATA["dealt_per_player"][str(seats)]
    pack = game.chance("thieves/deal").shuffled(PACK)
    thieves = game.module_state(Thieves)
    thieves.held = tuple(tuple(sorted(pack[seat * each : (seat + 1) * each])) for seat in range(seats))
    thieves.rest = tuple(pack[seats * each :])
    for seat, own in enumerate(thieves.held):
        game.emit("thieves_dealt", {seat: {"items": own}}, seat=seat, count=each)


def _stealable(game: Game) -> dict[str, str]:
    """Return open cards that a thief can take, with their currency: money of the four currencies."""
    known = game.ruleset.cards
    open_cards = {card: known[card] for card in game.state.display}
    return {id_: card.currency for id_, card in open_cards.items() if card.currency in CURRENCIES}


def is_asked(game: Game, seat: int) -> bool:
    """Return whether the seat holds a thief and is not due next, while a money card lies open. Whether one fits must
    stay secret."""
    return bool(game.module_state(Thieves).held[seat]) and seat != due_next(game) and bool(_stealable(game))


def verify_thief(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One's own thief of that currency, and one open money card of the same."""
    if decision.seat == due_next(game):
        yield Violation("CONDITION_UNMET", "verb", what="due_next", need=False, have=True)
    if f"thief-{move.currency}" not in game.module_state(Thieves).held[decision.seat]:
        yield Violation("NOT_THERE", "currency", id=move.currency, place="held")
    if len(move.display) != 1:
        yield Violation("CARD_COUNT", "display", need=1, got=len(move.display))
    for card in move.display:
        currency = _stealable(game).get(card)
        if card not in game.ruleset.cards:
            yield Violation("ID_UNKNOWN", "display", id=card)
        elif card not in game.state.display:
            yield Violation("NOT_THERE", "display", id=card, place="display")
        elif currency is None:
            yield Violation("NOT_ELIGIBLE", "display", id=card)
        elif currency != move.currency:
            yield Violation("WRONG_CURRENCY", "display", id=card, allowed=[move.currency])


def play_thief(game: Game, decision: Decision, move: Move) -> None:
    """The thief leaves the game, the card goes into the hand, the display is refilled; then the same seat goes on."""
    thieves, seat, thief = game.module_state(Thieves), decision.seat, f"thief-{move.currency}"
    own = list(thieves.held[seat])
    own.remove(thief)
    thieves.held = (*thieves.held[:seat], tuple(own), *thieves.held[seat + 1 :])
    thieves.played = (*thieves.played, thief)
    game.mark_revealed()
    game.emit("thief_played", seat=seat, currency=move.currency, card=move.display[0])
    take_open(game, seat, move.display, "thief")
    interrupt(game, (fill_display,), (hold_scorings,), run_goes_on=True)


def thefts(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every own thief with every card it can take."""
    if decision.seat == due_next(game):
        return
    targets = sorted(_stealable(game).items())
    for thief in dict.fromkeys(game.module_state(Thieves).held[decision.seat]):
        for card, currency in targets:
            if thief == f"thief-{currency}":
                yield Move("play_thief", currency=currency, display=(card,))


# -- Who may know what ---------------------------------------------------------------------------------------------


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield face-down thieves before each seat, and those that were played."""
    thieves = game.module_state(Thieves)
    for seat, own in enumerate(thieves.held):
        if own:
            yield {"kind": "thief", "seat": seat, "amount": len(own), "choice": "face_down"}
    for currency in CURRENCIES:
        played = thieves.played.count(f"thief-{currency}")
        if played:
            yield {"kind": "thief", "currency": currency, "amount": played, "choice": "played"}


def private_pieces(game: Game, seat: int) -> Iterator[dict[str, Any]]:
    """Yield the thieves that a seat holds, by currency."""
    own = game.module_state(Thieves).held[seat]
    for currency in CURRENCIES:
        held = own.count(f"thief-{currency}")
        if held:
            yield {"kind": "thief", "seat": seat, "currency": currency, "amount": held, "choice": "face_down"}


def secrets(game: Game, viewer: int | None, pools: Secrets) -> None:
    """The others' thieves and those never dealt."""
    thieves = game.module_state(Thieves)
    for seat, own in enumerate(thieves.held):
        if seat != viewer:
            pools.add("thief", own, partial(_put_into_hand, game, seat))
    pools.add("thief", thieves.rest, partial(_put_aside, game))


def _put_into_hand(game: Game, seat: int, own: tuple[str, ...]) -> None:
    thieves = game.module_state(Thieves)
    thieves.held = (*thieves.held[:seat], tuple(sorted(own)), *thieves.held[seat + 1 :])


def _put_aside(game: Game, rest: tuple[str, ...]) -> None:
    game.module_state(Thieves).rest = rest


def census(game: Game) -> Iterator[str]:
    """Yield all twelve thieves, wherever they are."""
    thieves = game.module_state(Thieves)
    yield from (thief for own in thieves.held for thief in own)
    yield from (*thieves.rest, *thieves.played)


def lay_down(game: Game, seat: int) -> None:
    """A player who leaves takes the thieves along, unseen."""
    thieves = game.module_state(Thieves)
    thieves.rest = (*thieves.rest, *thieves.held[seat])
    thieves.held = (*thieves.held[:seat], (), *thieves.held[seat + 1 :])


MODULE = Module(
    number=10,
    key="thieves",
    events={
        "thieves_dealt": "A seat was dealt thieves, face down.",
        "thief_played": "A thief took an open money card.",
    },
    reasons=(Reason("CONDITION_UNMET", "The player whose turn is due next may not steal.", ("due_next",)),),
    piece_kinds=(
        PieceKind(
            "thief",
            "Thieves: face down before a seat, which alone sees their currencies, or played.",
            outline_of("thief"),
        ),
    ),
    nouns={"choice": ("played",)},
    state=Thieves,
    verbs=(Verb("play_thief", "currency display", verify_thief, play_thief, thefts, at=("window",)),),
    steps=(Step("setup.deal", deal_thieves),),
    asks={"window": is_asked},
    reactions={"resigned": lay_down},
    public_pieces=public_pieces,
    private_pieces=private_pieces,
    secrets=secrets,
    census=census,
)
