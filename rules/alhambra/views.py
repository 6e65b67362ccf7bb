"""Views: what a seat or a spectator sees.

A view is built from visible information, never by removing hidden parts. Public are the table, all Alhambras, reserves,
scores and the number of cards in each hand. Private are a seat's own hand and details of its own decision. A module's
state is hidden unless the module shows it: pieces under `pieces`, everything else under `slices`.

A view shares no mutable value with the game; callers may change it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .base.auction import auction_view
from .base.turn_order import colour_of, due_next
from .board import Board
from .components import CURRENCIES
from .placement.contacts import PlacedTile, wooden_walls_by_cell
from .state import Decision

if TYPE_CHECKING:
    from .game import Game
    from .module import Module

FACE_DOWN = "face_down"
"""The `choice` of pieces whose faces only their owner sees."""
_PLAIN = frozenset((str, int, bool, type(None)))
"""Immutable types without nested values."""


def view_of(game: Game, viewer: int | None, *, boards: bool = True, modules: bool = True) -> dict[str, Any]:
    """Return the game as the viewer sees it, as JSON-ready data. With `boards=False`, leave out the tiles of the
    Alhambras; with `modules=False`, what modules show."""
    state = game.state
    found = {
        "version": game.version,
        "viewer": viewer,
        "ruleset": game.ruleset.id,
        "modules": list(game.ruleset.keys),
        "phase": state.phase,
        "over": state.over,
        "turn": {
            "number": state.turn,
            "seat": state.active,
            "actions_left": state.actions,
            "taken_actions": list(state.taken),
            "used": list(state.used),
        },
        "decision": _decision(game, state.decision, viewer) if state.decision else None,
        "table": _table(game, viewer),
        "seats": [_seat(game, seat, viewer, boards=boards) for seat in range(len(state.seats))],
    }
    if modules:
        shown = game.ruleset.modules
        found["slices"] = {
            module.key: _copied(module.view(game, viewer)) for module in shown if module.view is not None
        }
        found["pieces"] = {
            module.key: [_copied(piece) for piece in pieces_of(game, module, viewer)]
            for module in shown
            if module.public_pieces is not None
        }
    if state.over:
        found["seed"] = game.options.seed
        found["ranking"] = [{"seat": seat, "place": place} for seat, place in state.ranking]
    return found


def _decision(game: Game, decision: Decision, viewer: int | None) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": decision.kind, "seat": decision.seat, "context": _copied(decision.context)}
    if viewer == decision.seat:
        found["verbs"] = [verb.name for verb in game.possible_verbs(decision)]
        private = game.question().kind.private
        if private is not None:
            found["private"] = _copied(private(game, decision))
    return found


def pieces_of(game: Game, module: Module, viewer: int | None) -> Iterator[Mapping[str, Any]]:
    """Yield a module's pieces as the viewer sees them, as fields of the move. For a module without pieces, return its
    marks on cells. A single piece has no amount. The viewer's own face-down pieces show their faces."""
    if module.public_pieces is None:
        return
    own = (
        list(module.private_pieces(game, viewer)) if module.private_pieces is not None and viewer is not None else None
    )
    for piece in module.public_pieces(game):
        if own is None or piece.get("seat") != viewer or piece.get("choice") != FACE_DOWN:
            yield _counted(piece)
    yield from map(_counted, own or ())


def _counted(piece: Mapping[str, Any]) -> Mapping[str, Any]:
    if piece.get("amount") != 1:
        return piece
    return {noun: value for noun, value in piece.items() if noun != "amount"}


def _copied(value: Any) -> Any:
    """Return a deep copy of dictionaries and lists. Plain values are recognised by type, without a call, because a view
    has hundreds of pieces."""
    if isinstance(value, (dict, Mapping)):  # most values are dictionaries
        return {key: entry if type(entry) in _PLAIN else _copied(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [entry if type(entry) in _PLAIN else _copied(entry) for entry in value]
    if isinstance(value, tuple):
        return value if _PLAIN.issuperset(map(type, value)) else tuple([_copied(entry) for entry in value])
    return value


def _table(game: Game, viewer: int | None) -> dict[str, Any]:
    state = game.state
    found: dict[str, Any] = {
        "market": dict(zip((f"market-{currency}" for currency in CURRENCIES), state.market, strict=True)),
        "display": list(state.display),
        "deck": len(state.deck),
        "discard": len(state.discard),
        "tower": len(state.tower),
        "scorings_due": list(state.due),
        "scorings_held": list(state.held),
        "auction": auction_view(game, viewer),
        "first_seat": state.first,
        "next_seat": None if state.over else due_next(game),
    }
    if state.beside:
        found["beside"] = {slot: list(tiles) for slot, tiles in sorted(state.beside.items())}
    if state.covered:
        found["covered"] = sorted(state.covered)
    if len(state.seats) == 2:
        found["dirk"] = {"tiles": list(state.dirk), "score": state.dirk_score}
    return found


def _seat(game: Game, seat: int, viewer: int | None, *, boards: bool) -> dict[str, Any]:
    owner = game.state.seats[seat]
    info = game.options.seats[seat]
    found: dict[str, Any] = {
        "name": info.name,
        "colour": colour_of(game, seat),
        "score": owner.score,
        "resigned": owner.resigned,
        "alhambra": board_view(owner.board) if boards else [],
        "gates": [list(edge) for edge in sorted(owner.board.passages)],
        "reserve": list(game.ruleset.reserve.tiles(game, seat)),
        "pending": list(owner.pending),
        "hand_count": len(owner.hand),
    }
    if viewer == seat or game.state.over:
        found["hand"] = list(owner.hand)
    return found


def board_view(board: Board) -> list[dict[str, Any]]:
    """Return the tiles of an Alhambra in building order."""
    return [_placed(placed) for placed in board.placed.values()]


def _placed(placed: PlacedTile) -> dict[str, Any]:
    entry: dict[str, Any] = {"tile": placed.tile.id, "cell": _cell(placed.x, placed.y)}
    if placed.rotation:
        entry["rotation"] = placed.rotation
    if any(placed.wooden_walls):
        standing = [(cell, side) for cell, sides in wooden_walls_by_cell(placed) for side in sides]
        entry["wooden_walls"] = [{"cell": _cell(*cell), "side": side} for cell, side in standing]
    return entry


def _cell(x: int, y: int) -> dict[str, int]:
    return {"x": x, "y": y}
