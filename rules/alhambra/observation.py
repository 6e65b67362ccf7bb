"""What a seat can observe of a waiting game: its view, its moves, the reasons of refusals, whether it may undo.

In a determinization of the game in which everything hidden from the seat is dealt anew (`determinize`), all of this
must be equal.
"""

from __future__ import annotations

import json
from typing import Any

from .game import Game
from .moves import Move

Viewer = int | None


def observed(game: Game, viewer: Viewer, listed: list[Move] | None = None) -> dict[str, Any]:
    """Return everything that the viewer can observe, by part. `listed`: the legal moves, if they are known already."""
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
    """Return the first difference of two observations; an empty text if there is none. `as_text` compares the JSON
    that would be sent, otherwise the values are compared."""
    for part, value in mine.items():
        theirs = other.get(part)
        same = _text(value) == _text(theirs) if as_text else value == theirs
        if not same:
            return f"{part}:\n{_difference(_text(value), _text(theirs))}"
    return "" if mine.keys() == other.keys() else f"parts: {sorted(mine.keys() ^ other.keys())}"


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
