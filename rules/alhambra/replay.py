"""Going through a recorded game again, entry by entry.

The log of moves is the truth; everything else follows from it. `Retracing` plays a log again and tells the events of
each entry. Unlike `Game.undo`, which replays from the start, it keeps the few states that an undo can go back to, so
that a long log with many undos costs no more than a plain one: what strangers send may be built to be expensive.
"""

from __future__ import annotations

from .events import Event
from .game import Game
from .options import Options
from .state import State
from .undo import Entry
from .violations import BadState, IllegalMove

ENTRY_LIMIT = 10_000
"""Entries of a log that are read from a stranger. A game has some hundreds."""


class Retracing:
    """A game on its way through a log. `events` are those of the last step, at first those of setting up."""

    def __init__(self, options: Options, begin: Game | None = None) -> None:
        """Begins where the game is dealt, or with a later game (`begin`, which is played on and has no events yet) from
        which nothing can be taken back."""
        self.game = begin if begin is not None else Game.new(options)
        self.events: list[Event] = [] if begin is not None else self.game.events
        self._earlier: list[State] = []

    def step(self, entry: Entry) -> list[Event]:
        """Plays one entry. Raises IllegalMove and changes nothing if the rules refuse it."""
        game = self.game
        before = game.state.clone()
        if entry.kind == "move" and entry.move is not None:
            self.events = game.apply(entry.move, entry.seat)
        elif entry.kind == "resign":
            self.events = game.resign(entry.seat)
        elif entry.kind == "undo":
            self.events = self._undo(entry)
            return self.events
        else:
            raise BadState("REPLAY_FAILED", f"an entry of the log cannot be {entry.kind!r}")
        self._earlier.append(before)
        if game.state.reveal_floor == game.state.depth:
            self._earlier.clear()  # no undo goes back across a reveal
        return self.events

    def _undo(self, entry: Entry) -> list[Event]:
        game = self.game
        refused = game.can_undo(entry.seat, consent=True)
        if refused:
            raise IllegalMove([refused])
        return game.undo(entry.seat, consent=True, before=self._earlier.pop())


def retrace(options: Options, entries: list[Entry]) -> Game:
    """The game that these entries lead to; raises BadState naming the entry that the rules refuse."""
    path = Retracing(options)
    for number, entry in enumerate(entries, 1):
        try:
            path.step(entry)
        except IllegalMove as refusal:
            violations = [violation.as_dict() for violation in refusal.violations]
            message = f"entry {number} of the log is refused: {refusal.message}"
            raise BadState("REPLAY_FAILED", message, entry=number, violations=violations) from refusal
    return path.game


def history(game: Game) -> list[Event]:
    """Everything that happened in the game, from setting up to now; raises BadState if its log does not lead to it."""
    path = Retracing(game.options)
    found = list(path.events)
    try:
        for entry in game.log:
            found += path.step(entry)
    except IllegalMove as refusal:
        raise BadState("REPLAY_FAILED", f"the log does not lead to this game: {refusal.message}") from refusal
    if path.game != game:
        raise BadState("REPLAY_FAILED", "the log leads to another game than this one")
    return found
