"""Golden games: one text file per module with every answer of the library at each state of a seeded game.

    python -m scripts.golden            regenerate all; then read the diff
    python -m scripts.golden --check    say which files would change

A file opens with the options. Then for each decision: who is asked what, how many moves are legal (with exact and
minimal payments) and a digest of the list, the move made, and the events as everybody sees them, private parts by seat.
Then come the views. In the rest of the game only events that are still new are written, and all scores; at the end the
views again. A change of the rules shows as a diff that a person can judge.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

from alhambra import Event, Game, Options, known_modules, load_module, write_move

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "golden"
DETAILED = 40
"""Decisions written in full."""
FAMILIAR = 12
"""After those, events of a kind are written until the file has this many of them."""
ALWAYS = ("scored", "game_ended")
SEATS = (3, 4, 2)
"""How many play a module's game, by its number."""


def compact(value: object) -> str:
    """Data on one line, always the same way."""
    return json.dumps(value, sort_keys=True, separators=(", ", ": "), ensure_ascii=False, default=str)


def event_line(event: Event) -> str:
    """One event: its public part, then private parts by seat."""
    parts = [f"    {event.kind} {compact(event.public)}"]
    for seat, private in sorted((event.private or {}).items()):
        parts.append(f"      only {seat}: {compact(private)}")
    return "\n".join(parts)


def written(options: Options, seed: int) -> Iterator[str]:
    """The lines of one golden game."""
    game = Game.new(options)
    rng = Random(seed)
    told = Counter(event.kind for event in game.events)
    yield f"options {compact(options.as_dict())}"
    yield f"ruleset {game.ruleset.id}"
    yield from map(event_line, game.events)
    while not game.over:
        decision = game.decision
        assert decision is not None
        move = game.random_move(rng)
        full = game.version < DETAILED
        if full:
            legal = [write_move(listed) for listed in game.legal_moves()]
            digest = blake2b("\n".join(legal).encode(), digest_size=6).hexdigest()
            yield f"? seat {decision.seat} {decision.kind} {compact(decision.context)}"
            yield f"  {len(legal)} legal, digest {digest}, first: {' | '.join(legal[:3])}"
        events = game.apply(move)
        yield f"{game.version:4} seat {decision.seat}: {write_move(move)}"
        for event in events:
            told[event.kind] += 1
            if full or event.kind in ALWAYS or told[event.kind] <= FAMILIAR:
                yield event_line(event)
        if game.version == DETAILED:
            yield from views(game)
    yield f"scores {compact(game.scores)}"
    yield from views(game)


def views(game: Game) -> Iterator[str]:
    """What a spectator sees, and the parts of it that a seat sees otherwise."""
    public = game.view(None)
    yield f"view of a spectator: {compact(public)}"
    for seat in range(len(game.state.seats)):
        own = {name: value for name, value in game.view(seat).items() if public.get(name) != value}
        yield f"seat {seat} sees otherwise: {compact(own)}"


def games() -> Iterator[tuple[str, dict[str, Any], int]]:
    """Name, options and seed of every golden game. A module's own number decides about its game, so that a new module
    changes no other file than `everything`."""
    yield "base_2", {"seats": 2}, 1
    yield "base_3", {"seats": 3}, 1
    for key in known_modules():
        number = load_module(key).number
        yield key, {"seats": SEATS[number % len(SEATS)], "modules": [key]}, number
    yield "everything", {"seats": 4, "modules": known_modules()}, 1


def golden_text(name: str, options: dict[str, Any], seed: int) -> str:
    """The whole file."""
    return "\n".join(written(Options(seed=f"golden {name}", **options), seed)) + "\n"


def main() -> int:
    """Writes the files, or compares them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    changed = 0
    for name, options, seed in games():
        path = FOLDER / f"{name}.txt"
        text = golden_text(name, options, seed)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            changed += 1
            print(f"{'would change' if arguments.check else 'written'}: {path.name}")
            if not arguments.check:
                path.write_text(text, encoding="utf-8")
    print(f"{changed} of {len(list(games()))} golden games changed")
    return 1 if arguments.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
