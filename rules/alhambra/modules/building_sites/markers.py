"""The site markers: in the stack, on tiles, looked at by a buyer; and who may know which of them is which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from ...base.supply import missing, without
from ...components import CURRENCIES, module_data
from ...game import Game

if TYPE_CHECKING:
    from ...determinize import Secrets

KEY = "building_sites"
SITE = "site"
"""The kind of marker, the effect that lets a purchase start a site, the choice of such a buyer, and what is paid for
when a site is completed."""
_DATA = module_data(KEY)
MARKERS: tuple[str, ...] = tuple(currency for currency in CURRENCIES for _ in range(_DATA["tiles"][currency]))


@dataclass(slots=True)
class Sites:
    """The markers, each by its currency. Those of the stack lie in no order: the next ones are drawn at random."""

    stack: tuple[str, ...] = MARKERS
    drawn: tuple[str, ...] = ()
    """Those that the buyer of a tile is looking at."""
    on: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By tile: whose site it is, and its marker; an empty text while that is being chosen."""
    shown: tuple[str, ...] = ()
    """The tiles whose markers were turned up at the end."""
    put_back: tuple[tuple[str, ...], ...] = ()
    """By seat: the markers that it put back and that still lie in the stack, for no other seat has drawn since."""


def lay_out(game: Game) -> None:
    """All markers lie in the stack."""
    game.module_state(Sites).put_back = ((),) * len(game.state.seats)


def take_off(game: Game, tile: str) -> tuple[str, ...]:
    """Make the tile no site any more. Return its marker; while the buyer is choosing, those that were drawn."""
    kept = game.module_state(Sites)
    _, currency = kept.on[tile]
    markers = (currency,) if currency else kept.drawn
    kept.on = {other: site for other, site in kept.on.items() if other != tile}
    kept.drawn = kept.drawn if currency else ()
    game.state.covered = tuple(other for other in game.state.covered if other != tile)
    return markers


def after_boxing(game: Game, tile: str) -> None:
    """A site left the game: its marker goes back into the stack, unseen."""
    kept = game.module_state(Sites)
    if tile in kept.on:
        kept.stack = tuple(sorted((*take_off(game, tile), *kept.stack)))


# -- Who may know what -----------------------------------------------------------------------------------------------


def _on_tiles(game: Game, viewer: int | None) -> Iterator[dict[str, Any]]:
    """Yield the markers on tiles, with the currencies that the viewer may know."""
    kept = game.module_state(Sites)
    for tile, (seat, currency) in kept.on.items():
        hidden = {} if tile in kept.shown else {"choice": "face_down"}
        known = {"currency": currency} if currency and (seat == viewer or not hidden) else {}
        yield {"kind": SITE, "seat": seat, "tile": tile, **known, **hidden}


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the stack, and the markers on tiles: face down until the end."""
    if game.module_state(Sites).stack:
        yield {"kind": SITE, "amount": len(game.module_state(Sites).stack), "choice": "face_down"}
    yield from _on_tiles(game, None)


def private_pieces(game: Game, seat: int) -> Iterator[dict[str, Any]]:
    """Yield the markers on the seat's own tiles, which it knows."""
    return (piece for piece in _on_tiles(game, seat) if piece["seat"] == seat and "choice" in piece)


def secrets(game: Game, viewer: int | None, pools: Secrets) -> None:
    """The stack, but for what the viewer put back, and all that others hold: on their tiles, or to choose from."""
    kept = game.module_state(Sites)
    known = () if viewer is None else kept.put_back[viewer]
    pools.add(KEY, without(kept.stack, known), partial(_restack, game, known))
    for tile, (seat, currency) in kept.on.items():
        if seat != viewer and tile not in kept.shown:
            hidden = (currency,) if currency else kept.drawn
            pools.add(KEY, hidden, partial(_lay, game, tile, chosen=bool(currency)))


def _restack(game: Game, known: tuple[str, ...], stack: tuple[str, ...]) -> None:
    """In a determinization of the game, seats remember only what lies in the stack there."""
    kept = game.module_state(Sites)
    kept.stack = tuple(sorted((*known, *stack)))
    kept.put_back = tuple(without(own, missing(kept.stack, own)) for own in kept.put_back)


def _lay(game: Game, tile: str, markers: tuple[str, ...], *, chosen: bool) -> None:
    kept = game.module_state(Sites)
    if chosen:
        kept.on = {**kept.on, tile: (kept.on[tile][0], markers[0])}
    else:
        kept.drawn = tuple(sorted(markers))


def census(game: Game) -> Iterator[str]:
    """Yield all markers that are in the game."""
    kept = game.module_state(Sites)
    laid = (currency for _, currency in kept.on.values() if currency)
    yield from (f"site-{currency}" for currency in (*kept.stack, *kept.drawn, *laid))
