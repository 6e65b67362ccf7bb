"""Which games a release keeps: the base game, each module and mixes, at every kind of decision and finished.

Most kinds of decision occur in the first game with a module. A kind that did not is searched for: games are played at
random, which takes a twentieth of a second each, until it stands open. A game that could reach it by waiting, waits:
HELD_BACK says with which move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from alhambra import BASE, Game, Move, Options, known_modules, load_module
from alhambra.options import PRESETS, preset_modules
from alhambra.players import NoveltySeeker, Peer, Player, Resigner, Table, Undoer, apply_action

FINISHED = "finished"
SEARCHED = 400
"""Games that are played at random, at most, to meet a kind of decision. The rarest one occurs in every ninth."""
SEATS = (3, 2, 4)
"""Seats of the games that are searched, in turn."""
HELD_BACK = {"second_project": "complete_project"}
"""By kind of decision: a verb that spoils the chance of meeting it, unless the move leads to it at once."""
MANY_MODULES = 12
"""A mix of more modules than this is played by six seats: these games meet the most kinds of decision."""
DRAWS = 20
"""Moves that are drawn at random, at most, to find one that is not held back."""


class Setup(NamedTuple):
    """One game that is played to its end, and kept at every kind of decision that it meets."""

    name: str
    modules: tuple[str, ...] = ()
    seats: int = 3
    players: Sequence[type[Player]] = (NoveltySeeker,)
    options: Mapping[str, object] = {}

    def options_for(self, seed: str, seats: int) -> Options:
        """The options of one game."""
        return Options(seats, seed, modules=list(self.modules), **self.options)  # type: ignore[arg-type]

    @property
    def wanted(self) -> set[str]:
        """The kinds of decision at which a game has to stand: those of a module that is played by itself."""
        return {kind.name for kind in load_module(*self.modules).decisions} if len(self.modules) == 1 else set()


HABITS: Mapping[str, object] = {"confirm_turn": True, "bonus_action_optional": True, "undo": "by_consent"}
"""Rule options under which moves are taken back and the end of a turn is a decision of its own."""


def own_modules() -> list[str]:
    """The modules of this library."""
    return [key for key in known_modules() if not key.startswith("example_")]


def setups() -> list[Setup]:
    """Everything that is played for a release."""
    found = [Setup("base"), Setup("base_two_seats", seats=2)]
    found.append(Setup("base_undo_and_resignation", (), 4, (Undoer, Peer, Resigner), HABITS))
    for key in own_modules():
        found.append(Setup(key, (key,)))
        if variants := [f"{key}.{variant}" for variant in load_module(key).variants]:
            found.append(Setup(f"{key}_variants", (key,), 4, (Peer,), {"variants": variants}))
    for preset in PRESETS:
        modules = preset_modules(preset)
        found.append(Setup(f"mix_{preset}", modules, 6 if len(modules) > MANY_MODULES else 3, (Peer,)))
    return found


def every_kind() -> set[str]:
    """Every kind of decision of the base game and of the modules of this library."""
    return {kind.name for record in (BASE, *map(load_module, own_modules())) for kind in record.decisions}


def games_of(setup: Setup) -> Iterator[tuple[str, Game]]:
    """Yield a game at the first decision of each kind, named after it, and the game when it is over. Wanted kinds that
    did not occur are searched for in further games; LookupError if one is not met."""
    met = {FINISHED}
    game = Game.new(setup.options_for(f"compat {setup.name}", setup.seats))
    table, chance = Table.of(setup.players, setup.seats), Random(setup.name)
    while (decision := game.decision) is not None:
        if decision.kind not in met and game.version:
            met.add(decision.kind)
            yield decision.kind, game.clone()
        apply_action(game, table.next(game, chance))
    yield FINISHED, game
    for kind in sorted(setup.wanted - met):
        yield kind, search(setup, kind)


def search(setup: Setup, kind: str) -> Game:
    """Return a game that stands at a decision of this kind; LookupError if no game of many does."""

    def is_there(game: Game) -> bool:
        return game.decision is not None and game.decision.kind == kind

    held_back = HELD_BACK.get(kind, "")
    for number in range(SEARCHED):
        game = Game.new(setup.options_for(f"compat {setup.name} {number}", SEATS[number % len(SEATS)]))
        chance = Random(number)
        while game.decision is not None:
            if game.decision.kind == kind and game.version:
                return game
            game.play(move_towards(game, is_there, held_back, chance))
    raise LookupError(f"{setup.name}: no game of {SEARCHED} stands at {kind}")


def move_towards(game: Game, is_there: Callable[[Game], bool], held_back: str, chance: Random) -> Move:
    """A move at random. One with the verb that is held back is made only if the game is where it should be at once."""
    for _ in range(DRAWS):
        move = game.random_move(chance)
        if move.verb != held_back:
            break
        after = game.clone()
        after.play(move)
        if is_there(after):
            break
    return move
