"""What a seat can observe of a waiting game: its view, its legal moves, reasons of refusals, and whether it may undo.

All of this must be equal in a game and in its determinizations for that seat.
"""

from __future__ import annotations

import json
from typing import Any

from .game import Game
from .moves import Move

Viewer = int | None


def observe(game: Game, viewer: Viewer, listed: list[Move] | None = None) -> dict[str, Any]:
    """Return everything that the viewer can observe, by part. `listed` are the legal moves, if already known."""
    found: dict[str, Any] = {"view": game.view(viewer)}
    decision = game.decision
    if decision is None or viewer is None:
        return found
    if decision.seat == viewer:
        found["moves"] = game.legal_moves() if listed is None else listed
        probed = [game.verify(move, viewer) for move in _probes(game)]
    else:
        probed = [game.verify(Move("pass"), viewer)]
    found["refusals"] = [[violation.as_dict() for violation in violations] for violations in probed]
    undo = game.can_undo(viewer)
    found["undo"] = undo and undo.as_dict()
    return found


def first_difference(mine: dict[str, Any], other: dict[str, Any], *, as_text: bool) -> str:
    """Return the first difference between two observations; an empty string if there is none. `as_text` compares them
    as JSON."""
    for part, value in mine.items():
        theirs = other.get(part)
        same = _text(value) == _text(theirs) if as_text else value == theirs
        if not same:
            return f"{part}:\n{_difference(_text(value), _text(theirs))}"
    return "" if mine.keys() == other.keys() else f"parts: {sorted(mine.keys() ^ other.keys())}"


def _probes(game: Game) -> list[Move]:
    """Return some moves that are usually refused, to compare the reasons."""
    market = next((tile for tile in game.state.market if tile), "tower-7-new")
    return [
        Move("pass"),
        Move("buy", slot="market-denar", cards=("denar-1", "denar-9")),
        Move("take_money", display=("gulden-9",)),
        Move("place", market, cell=(1, 0)),
        Move("remove", "start-0"),
    ]


def _text(thing: Any) -> str:
    return json.dumps(thing, sort_keys=True, default=str)


def _difference(mine: str, other: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(mine, other, strict=False)) if a != b), 0)
    return f"… {mine[max(0, at - 200) : at + 200]}\n… {other[max(0, at - 200) : at + 200]}"
