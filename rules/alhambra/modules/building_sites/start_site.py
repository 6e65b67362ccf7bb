"""Starting a site: a tile of the market for half of its price, and one of two markers on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...base.payment.offers import Offer, Purchase
from ...base.supply import missing, pick, without
from ...components import module_data
from ...game import Game
from ...module import DecisionKind, Verb, those_that_verify
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .markers import KEY, SITE, Sites

DRAWN: int = module_data(KEY)["drawn"]
ALLOWED = ("coins", "certificate", "colours", "coiner", "key")
"""What starting a site allows of everything that the purchase would allow: nothing that changes the price (23.34)."""


def as_a_site(game: Game, _seat: int, offer: Offer) -> Iterator[Offer]:
    """Yield the same tile for half of its price, if a marker is left."""
    if SITE in offer.effects and not offer.choice and game.module_state(Sites).stack:
        effects = tuple(effect for effect in ALLOWED if effect in offer.effects)
        yield offer._replace(price=offer.price // 2, choice=SITE, never_exact=True, effects=effects)


def why_no_site(game: Game, seat: int, move: Move) -> Violation | None:
    """Return why no site can be started with the tile that a purchase means: no marker is left, or no such tile may be
    one."""
    if move.choice != SITE:
        return None
    if not game.module_state(Sites).stack:
        return Violation("NOT_THERE", "choice", id=SITE, place="supply")
    on_sale = [offer for contribute in game.ruleset.offers["action"] for offer in contribute(game, seat)]
    barred = (offer.tile for offer in on_sale if offer.slot == move.slot and SITE not in offer.effects)
    tile = next(barred, "")
    return Violation("NOT_ELIGIBLE", "choice", tile=tile, for_=SITE) if tile else None


def start_site(game: Game, purchase: Purchase) -> None:
    """The buyer looks at two markers. Dirk could never finish the tile, so he cannot get it (23.45)."""
    seat, tile, kept = purchase.seat, purchase.tile, game.module_state(Sites)
    if purchase.choice != SITE or tile not in game.state.seats[seat].pending:
        return
    stream, stack = game.chance("building_sites/draw"), list(kept.stack)
    drawn = tuple(sorted(pick(stream, stack) for _ in range(min(DRAWN, len(stack)))))
    kept.stack, kept.drawn = tuple(stack), drawn
    kept.on = {**kept.on, tile: (seat, "")}
    kept.put_back = tuple(
        tuple(missing(drawn, known)) if other == seat else () for other, known in enumerate(kept.put_back)
    )
    game.state.covered = (*game.state.covered, tile)
    game.state.giftable = tuple(other for other in game.state.giftable if other != tile)
    game.emit("site_started", {seat: {"currencies": drawn}}, seat=seat, tile=tile)
    if len(drawn) < DRAWN:
        keep(game, seat, tile, drawn[0])
    else:
        game.ask("site_marker", seat, tiles=(tile,))


def keep(game: Game, seat: int, tile: str, currency: str) -> None:
    """One marker lies on the tile, the other one goes back into the stack. Nobody else sees which."""
    kept = game.module_state(Sites)
    back = without(kept.drawn, (currency,))
    kept.on = {**kept.on, tile: (seat, currency)}
    kept.stack, kept.drawn = tuple(sorted((*kept.stack, *back))), ()
    known = (*kept.put_back[seat], *back)
    kept.put_back = (*kept.put_back[:seat], known, *kept.put_back[seat + 1 :])
    game.emit("marker_kept", {seat: {"currency": currency}}, seat=seat, tile=tile)


def looked_at(game: Game, _decision: Decision) -> dict[str, Any]:
    """Return the two markers, for the eyes of the buyer."""
    return {"currencies": game.module_state(Sites).drawn}


def verify_keep(game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """One of the two."""
    if move.currency not in game.module_state(Sites).drawn:
        yield Violation("NOT_THERE", "currency", id=move.currency, place="held")


def keep_marker(game: Game, decision: Decision, move: Move) -> None:
    """The buyer has chosen."""
    keep(game, decision.seat, decision.context["tiles"][0], need(move.currency))


def keepings(game: Game, _decision: Decision) -> Iterator[Move]:
    """Yield a move for each of the two, one if they are alike."""
    return (Move("keep_marker", currency=currency) for currency in dict.fromkeys(game.module_state(Sites).drawn))


KEEP_MARKER = Verb(
    "keep_marker",
    "currency",
    verify_keep,
    keep_marker,
    those_that_verify(verify_keep, keepings),
    at=("site_marker",),
)
SITE_MARKER = DecisionKind("site_marker", private=looked_at)
