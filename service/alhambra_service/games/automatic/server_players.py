"""Moves of the seats that the server plays.

The decision of a player depends only on the game, its secret and the version, so that every process decides the same
when a change is prepared again. A player gets the whole game but may use only what its own seat can see.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping
from hashlib import sha256
from random import Random
from typing import Protocol

from alhambra import Game, Move
from alhambra.module import Verb
from alhambra.players import greedy_move, learned_move, random_move


class Player(Protocol):
    """A player of the server."""

    def __call__(self, game: Game, rng: Random, /) -> Move:
        """Return a legal answer to the open decision. The game must not be changed."""


PLAYERS: Mapping[str, Player] = {"random": random_move, "greedy": greedy_move, "learned": learned_move}
"""The ways in which the server plays a seat, by the word in CreateGame."""


def chance_for(secret: bytes, version: int) -> Random:
    """Return the player's own random generator at one version. It is not the generator of the game's draws."""
    return Random(hmac.digest(secret, b"player %d" % version, sha256))


def legal_moves(game: Game, verb: Verb, *, complete: bool = False) -> Iterator[Move]:
    """Generate the legal moves of one verb that the open decision offers. Payments that contain more cards than needed
    are left out, unless `complete`."""
    decision = game.decision
    assert decision is not None
    vetoes = game.ruleset.vetoes.get(verb.name, ())
    for move in (verb.moves if complete or verb.brief is None else verb.brief)(game, decision):
        if not any(True for veto in vetoes for _ in veto(game, decision, move)):
            yield move
