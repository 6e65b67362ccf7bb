"""01 The vizier's favour.

Everybody has a vizier, awake at the start. When any turn is completely finished, a player whose vizier is awake may buy
one market tile out of turn, if the price is paid exactly: the vizier falls asleep, the tile is placed at once, there is
no further action, and the market is refilled. To wake the vizier is an action of its owner's turn. Asked are all whose
vizier is awake, from the player due next to the one who just finished; after each purchase all decide afresh.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..base.market import fill_market
from ..base.payment.offers import Offer, Purchase
from ..base.place_tiles import place_now
from ..base.turn import interrupt
from ..declarations import PieceKind, Reason, outline_of
from ..game import Game
from ..module import Module, Step, Verb
from ..moves import Move
from ..state import Decision
from ..violations import Violation

STILL_ALLOWED = ("treasure", "workers", "watchtower", "scout", "key")
"""What a vizier's purchase allows of everything that the offer would allow in the player's own turn."""
VIZIER = "vizier"
"""How a tile is acquired that a vizier buys."""


@dataclass(slots=True)
class Viziers:
    """Whether each seat's vizier is awake."""

    awake: tuple[bool, ...] = ()


def _turn(game: Game, seat: int, awake: bool) -> None:
    viziers = game.module_state(Viziers)
    viziers.awake = (*viziers.awake[:seat], awake, *viziers.awake[seat + 1 :])
    game.emit("vizier_woke" if awake else "vizier_slept", seat=seat)


def deal_viziers(game: Game) -> None:
    """Everybody starts with a vizier that is awake."""
    game.module_state(Viziers).awake = (True,) * len(game.state.seats)


# -- The purchase out of turn --------------------------------------------------------------------------------------


def is_asked(game: Game, seat: int) -> bool:
    """Return whether the vizier is awake, which everybody can see. Whether he could pay must stay secret (01.41)."""
    return game.module_state(Viziers).awake[seat]


def vizier_offers(game: Game, seat: int) -> Iterator[Offer]:
    """Yield what is on offer in the owner's turn and open to viziers, for the exact price. A sleeping one buys
    nothing."""
    if not is_asked(game, seat):
        return
    for contribute in game.ruleset.offers["action"]:
        for offer in contribute(game, seat):
            if "vizier" in offer.effects:
                effects = tuple(effect for effect in offer.effects if effect in STILL_ALLOWED)
                yield offer._replace(exact=True, effects=effects, begun=fall_asleep, how=VIZIER)


def fall_asleep(game: Game, seat: int) -> None:
    """The vizier sleeps before anything is paid."""
    _turn(game, seat, False)


def after_purchase(game: Game, purchase: Purchase) -> None:
    """The tile is placed, the market refilled; then all decide afresh."""
    if purchase.how == VIZIER:
        placing = (place_now, purchase.seat, (purchase.tile,))
        interrupt(game, placing, (fill_market,), run_goes_on=False)


# -- Waking him ----------------------------------------------------------------------------------------------------


def verify_wake(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Only a sleeping vizier can be woken."""
    if game.module_state(Viziers).awake[decision.seat]:
        yield Violation("CONDITION_UNMET", "verb", what="vizier", need="asleep", have="awake")


def wake(game: Game, decision: Decision, _move: Move) -> None:
    """He can be used again from this moment."""
    _turn(game, decision.seat, True)


def wakings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield one move, if he sleeps."""
    if not game.module_state(Viziers).awake[decision.seat]:
        yield Move("wake_vizier")


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield a vizier before each seat."""
    for seat, awake in enumerate(game.module_state(Viziers).awake):
        yield {"kind": "vizier", "seat": seat, "choice": "awake" if awake else "asleep"}


MODULE = Module(
    number=1,
    key="viziers_favour",
    events={
        "vizier_slept": "A vizier bought a tile and fell asleep.",
        "vizier_woke": "A vizier was woken.",
    },
    reasons=(Reason("CONDITION_UNMET", "Only a sleeping vizier can be woken.", ("vizier",)),),
    piece_kinds=(
        PieceKind(
            "vizier",
            "A vizier before its seat; `choice` says whether it is awake or asleep.",
            outline_of("vizier"),
            dim=("asleep",),
        ),
    ),
    choices=("awake", "asleep"),
    effects={VIZIER: "A vizier can buy the tile between turns."},
    state=Viziers,
    offers={"window": vizier_offers},
    answers={"window": ("buy",)},
    verbs=(Verb("wake_vizier", "", verify_wake, wake, wakings, at=("action",), action=True),),
    steps=(Step("setup.deal", deal_viziers), Step("purchase.after", after_purchase)),
    asks={"window": is_asked},
    public_pieces=public_pieces,
)
