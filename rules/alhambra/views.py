"""What a seat sees, or a spectator: built from what may be seen, never by taking away from the whole.

Public are the table, all Alhambras, reserves, scores and the number of cards in each hand. Private are the own hand,
and the context of a decision for the seat that is asked. A module's slice is hidden unless the module shows it.
A view shares nothing with the game that could be changed: whoever gets it may do with it as they like.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .base.auction import auction_view
from .base.seating import colour_of, due_next
from .board import Board
from .components import CURRENCIES
from .state import Decision

if TYPE_CHECKING:
    from .game import Game


def view_of(game: Game, viewer: int | None) -> dict[str, Any]:
    """The game as the viewer may see it, JSON-ready."""
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
        "seats": [_seat(game, seat, viewer) for seat in range(len(state.seats))],
        "slices": {
            record.key: _copied(record.view(game, viewer)) for record in game.ruleset.modules if record.view is not None
        },
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


def _copied(value: Any) -> Any:
    """The value with dictionaries and lists of its own, at every depth."""
    if isinstance(value, dict):
        return {key: _copied(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_copied(entry) for entry in value]
    if isinstance(value, tuple):
        return tuple([_copied(entry) for entry in value])
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


def _seat(game: Game, seat: int, viewer: int | None) -> dict[str, Any]:
    owner = game.state.seats[seat]
    info = game.options.seats[seat]
    found: dict[str, Any] = {
        "name": info.name,
        "colour": colour_of(game, seat),
        "score": owner.score,
        "resigned": owner.resigned,
        "alhambra": board_view(owner.board),
        "gates": [list(edge) for edge in sorted(owner.board.passages)],
        "reserve": list(game.ruleset.reserve.tiles(game, seat)),
        "pending": list(owner.pending),
        "hand_count": len(owner.hand),
    }
    if viewer == seat or game.state.over:
        found["hand"] = list(owner.hand)
    return found


def board_view(board: Board) -> list[dict[str, Any]]:
    """The tiles of an Alhambra in the order they were built."""
    found = []
    for placed in board.placed.values():
        entry: dict[str, Any] = {"tile": placed.tile.id, "cell": {"x": placed.x, "y": placed.y}}
        if placed.rotation:
            entry["rotation"] = placed.rotation
        if any(placed.sticks):
            entry["sticks"] = list(placed.sticks)
        found.append(entry)
    return found
