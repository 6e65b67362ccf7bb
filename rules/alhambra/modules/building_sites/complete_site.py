"""Completing a site, and what becomes of the sites that are not completed when the game ends."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.payment.offers import Offer, Payment, Purchase
from ...base.payment.rules import pay
from ...base.payment.verb import paying_verb
from ...base.scoring import tiles_of
from ...base.supply import discard, lose
from ...base.turn_order import seats_from
from ...game import Game
from ...moves import Move
from ...state import Decision
from ...violations import Violation
from .markers import SITE, Sites, take_off

ALLOWED = ("bonus", "coins", "certificate")
"""What completing a site allows of everything that a purchase can allow."""


def sites_to_complete(game: Game, decision: Decision) -> Iterator[Offer]:
    """Yield the seat's sites, in the Alhambra and in the reserve, at the printed price in the currency of the
    marker."""
    seat, tiles = decision.seat, game.ruleset.tiles
    if game.module_state(Sites).on:
        lying = {*tiles_of(game, seat), *game.ruleset.reserve.tiles(game, seat)}
        for tile, (_, currency) in game.module_state(Sites).on.items():
            if tile in lying:
                yield Offer("", tiles[tile].price or 0, currency, ALLOWED, tile, purpose=SITE)


def complete(game: Game, decision: Decision, offer: Offer, payment: Payment) -> None:
    """The building is finished, the marker leaves the game. No tile is bought: what comes with one does not come."""
    seat = decision.seat
    verdict = pay(game, seat, offer, payment)
    game.state.box = (*game.state.box, *(f"site-{currency}" for currency in take_off(game, offer.tile)))
    game.emit("site_completed", seat=seat, tile=offer.tile, currency=offer.currency)
    game.push_procedure("purchase", Purchase.of(seat, offer._replace(tile=""), verdict, decision.kind, payment))


def no_such_site(game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """The seat has no site there."""
    if move.tile in game.ruleset.tiles:
        yield Violation("NOT_THERE", "tile", id=move.tile, place="held")
    else:
        yield Violation("ID_UNKNOWN", "tile", id=move.tile)


def reveal_sites(game: Game) -> None:
    """Everybody turns up the markers in their own Alhambra and loses the money cards of their currencies."""
    kept, known = game.module_state(Sites), game.ruleset.cards
    for seat in seats_from(game, 0):
        # In the order of building, as the Alhambra is read by people.
        sites = ((tile, kept.on.get(tile)) for tile in game.state.seats[seat].board.placed)
        own = {tile: site[1] for tile, site in sites if site}
        if own:
            game.mark_revealed()
            kept.shown = (*kept.shown, *own)
            game.emit("sites_revealed", seat=seat, tiles=tuple(own), currencies=tuple(own.values()))
        worthless = tuple(card for card in game.state.seats[seat].hand if known[card].currency in own.values())
        if worthless:
            game.emit("cards_forfeited", seat=seat, cards=worthless)
            lose(game, seat, worthless)
            discard(game, worthless)


COMPLETE_SITE = paying_verb(
    "complete_site",
    "tile [cards items]",
    offers=sites_to_complete,
    paid=complete,
    unoffered=no_such_site,
    at=("action",),
    action=True,
)
