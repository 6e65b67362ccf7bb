"""Who is asked, and what can be answered: what many tests of the hooks look at."""

from __future__ import annotations

from alhambra import Game


def asked(game: Game) -> tuple[str, int]:
    """The open decision and its seat."""
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def verbs(game: Game) -> set[str]:
    """The verbs of all legal moves."""
    return {found.verb for found in game.moves()}
