"""What a seat observes of a game.

Its view, every event as it reaches the seat, the public part of a decision; and, when the seat is asked, the moves
listed, how many there are, and the reasons of every refusal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Any

from alhambra import CURRENCIES, TYPES, Event, Game, Move
from alhambra.moves import noun_form

Viewer = int | None
COUNTED_AT_MOST = 1_500
PROBES_PER_VERB = 40


def probes(game: Game) -> Iterator[Move]:
    """Moves of every verb with nouns of every sort: most are refused, and the reasons must not tell anything."""
    tiles = [*(tile for tile in game.state.market if tile), *sorted(game.ruleset.tiles)[::7]]
    nouns: dict[str, list[Any]] = {
        "tile": tiles,
        "piece": sorted(game.ruleset.pieces),
        "cell": [(1, 0), (0, 0)],
        "rotation": [90],
        "side": ["N", "NE"],
        "slot": ["market-denar", "square-garden", "project", "sultan"],
        "cards": [("denar-1",), ("dirham-1",)],
        "display": [(card,) for card in game.state.display] or [("denar-1",)],
        "items": [("master_builder",)],
        "currency": list(CURRENCIES),
        "type": list(TYPES),
        "seat": [1],
        "amount": [1, 15, 99],
        "choice": ["keep", "gate", "watchtower"],
    }
    for verb in game.ruleset.verbs.values():
        required = sorted(noun_form(verb.nouns)[0])
        for values in islice(product(*(nouns[noun] for noun in required)), PROBES_PER_VERB):
            yield Move(verb.name, **dict(zip(required, values, strict=True)))


def as_text(thing: object) -> str:
    return json.dumps(thing, sort_keys=True, default=str)


def reaching(viewer: Viewer, events: Iterable[Event]) -> list[dict[str, Any]]:
    return [event.seen_by(viewer) for event in events]


def shown(game: Game, viewer: Viewer) -> dict[str, Any]:
    """What the game shows a seat without being asked: its view, and the moves it may make."""
    found: dict[str, Any] = {"view": game.view(viewer)}
    if game.decision is not None and game.decision.seat == viewer:
        found["moves"] = [move.as_dict() for move in game.legal_moves()]
        found["count"] = sum(1 for _ in islice(game.moves(), COUNTED_AT_MOST))
    return found


def observed(game: Game, viewer: Viewer) -> str:
    """All that, and what a seat can find out by trying."""
    found = shown(game, viewer)
    if viewer is not None:
        found["refusals"] = [[fault.as_dict() for fault in game.verify(move, viewer)] for move in probes(game)]
        undo = game.can_undo(viewer)
        found["undo"] = undo.as_dict() if undo else None
    return as_text(found)
