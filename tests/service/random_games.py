"""Random games with everything there is, played once for all tests, and what is told of them in plain data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from alhambra import Event, Game, Options, known_modules
from alhambra.moves import NOUNS
from alhambra_service.games.loaded_game import LoadedGame, SeatHolder, Seats
from alhambra_service.messages.nouns import nouns_in
from alhambra_service.messages.translate import value_from
from alhambra_service.store import StoredGame

SECRET = bytes(range(32))
MOVES = 160
SAMPLED = 12
"""Every so many moves the views are looked at."""


def seated(game: Game, **more: Any) -> LoadedGame:
    record = StoredGame.new(created=0, secret=SECRET).dealt(game)
    seats = Seats(SeatHolder(seat.name, seat.colour, seat.age, "claimed") for seat in game.options.seats)
    return LoadedGame(record, game.options, game, seats, ((),) * len(seats), **more)


def played(seats: int, seed: str, modules: list[str], most: int = MOVES) -> Iterator[tuple[Game, list[Event]]]:
    """A random game: after each move the game as it stands and what happened."""
    rng = Random(seed)
    game = Game.new(Options(seats, seed, modules=modules))
    yield game.clone(), game.events
    for _ in range(most):
        if game.over:
            return
        events = game.apply(game.random_move(rng))
        yield game.clone(), events


@cache
def games() -> tuple[list[tuple[Game, list[Event]]], ...]:
    everything = known_modules()
    return (
        list(played(2, "two", everything)),
        list(played(4, "four", everything)),
        list(played(3, "base", [], most=1_000)),
        list(played(3, "short", everything[:5])),
    )


def json_ready(value: object) -> Any:
    return json.loads(json.dumps(value))


def as_told(part: dict[str, Any]) -> dict[str, Any]:
    """What is told, in the spelling of the contract: an empty noun and a rotation by 0 are absent, a cell
    has x and y."""
    found = {}
    for name, value in json_ready(part).items():
        if name not in NOUNS:
            found[name] = value
        elif value not in (None, "", []) and (name, value) != ("rotation", 0):
            found[name] = {"x": value[0], "y": value[1]} if name == "cell" and isinstance(value, list) else value
    return found


def as_read(message: Any) -> dict[str, Any]:
    return {**nouns_in(message), **{name: value_from(fact) for name, fact in message.facts.items()}}


def facts_read(facts: Any) -> dict[str, Any]:
    """The facts of a message as plain data."""
    return {name: value_from(fact) for name, fact in facts.items()}
