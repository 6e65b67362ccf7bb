"""Attaching: an extension that was taken is put at once on a building of its type that has none."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.scoring import types_of
from ...game import Game
from ...module import DecisionKind, Verb
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .board import Extensions, extendable, own_tiles


def ask_where(game: Game, seat: int) -> None:
    """Ask which building is extended, if there are several."""
    name = game.module_state(Extensions).taken
    fitting = extendable(game, seat, name)
    if len(fitting) == 1:
        attach_to(game, seat, fitting[0], forced=True)
    else:
        game.ask("attach_extension", seat, type=name, tiles=tuple(fitting))


def attach_to(game: Game, seat: int, tile: str, **facts: object) -> None:
    """The extension that was taken lies on a tile of a seat, or of Dirk's, from now on."""
    kept = game.module_state(Extensions)
    name, kept.taken = kept.taken, ""
    kept.attached = {**kept.attached, tile: (*kept.attached.get(tile, ()), name)}
    game.emit("extension_attached", seat=seat, tile=tile, type=name, **facts)


def verify_attach(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One's own tile with a building of the extension's type that has none yet."""
    tile = need(move.tile)
    name = game.module_state(Extensions).taken
    if tile not in game.ruleset.tiles:
        yield Violation("ID_UNKNOWN", "tile", id=tile)
        return
    types = types_of(game, tile)
    if tile not in own_tiles(game, decision.seat):
        yield Violation("NOT_THERE", "tile", id=tile, place="held")
    elif not types:
        yield Violation("NOT_ELIGIBLE", "tile", tile=tile, for_="extension")
    elif name not in types:
        yield Violation("TYPE_MISMATCH", "tile", expected=name, got=list(types))
    elif tile not in extendable(game, decision.seat, name):
        yield Violation("PLACE_TAKEN", "tile", tile=tile)


def attach(game: Game, decision: Decision, move: Move) -> None:
    """The chosen building is extended."""
    attach_to(game, decision.seat, need(move.tile))


def attachings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every building that can take the extension."""
    for tile in extendable(game, decision.seat, game.module_state(Extensions).taken):
        yield Move("attach", tile)


def lose_taken(game: Game, seat: int) -> None:
    """A seat that resigns before it has put an extension on a building takes it out of the game (39.35)."""
    kept = game.module_state(Extensions)
    if kept.taken and seat == game.state.active:
        kept.lost, kept.taken = (*kept.lost, kept.taken), ""


ATTACH = Verb("attach", "tile", verify_attach, attach, attachings)
ATTACH_EXTENSION = DecisionKind("attach_extension", verbs=("attach",))
