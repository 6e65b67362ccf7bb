"""What a seat can observe of a game at rest: its view, its moves, the reasons of refusals, whether it may undo.

In a twin where everything hidden from the seat is dealt anew, all of it must be the same.
"""

from __future__ import annotations

import json
from typing import Any

from alhambra import Game, Move

Viewer = int | None


def observed(game: Game, viewer: Viewer, listed: list[Move] | None = None) -> dict[str, Any]:
    """Everything that the viewer can observe. `listed` are the legal moves, if they were listed already."""
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


def told_apart(mine: dict[str, Any], other: dict[str, Any], *, as_text: bool) -> str:
    """What two observations can be told apart by; empty if by nothing. As values, or as the text that would be sent."""
    for part, value in mine.items():
        same = _text(value) == _text(other[part]) if as_text else value == other[part]
        if not same:
            return f"{part}:\n{_difference(_text(value), _text(other[part]))}"
    assert mine.keys() == other.keys()
    return ""


def _probes(game: Game) -> list[Move]:
    """A few moves that are usually refused, to compare what the refusals say."""
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
