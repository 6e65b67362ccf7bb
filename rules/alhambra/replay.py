"""Going through a recorded game again, entry by entry.

The log of moves is the truth; everything else follows from it. `Retracing` plays a log again and tells the events of
each entry. Unlike `Game.undo`, which replays from the last rules upgrade or from the start, it keeps the few states
that an undo can go back to, so that a long log with many undos costs no more than a plain one: what strangers send may
be built to be expensive.

A segment of the log that was played under other rules may not replay. It is told again only if these rules lead from
its beginning to exactly the state with which the next segment begins (`retells`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .events import Event
from .game import Game
from .moves import TEXT_LIMIT
from .options import Options
from .rules_upgrades import RulesUpgrade, Segment, segments
from .ruleset import rules_for
from .state import State
from .undo import Entry
from .violations import AlhambraError, BadState, IllegalMove, RulesDefect

ENTRY_LIMIT = 10_000
"""Entries of a log that are read from a stranger. A game has some hundreds."""


class Retracing:
    """A game on its way through a log. `events` are those of the last step, at first those of setting up."""

    def __init__(self, options: Options, begin: Game | None = None, origin: str = "", ruleset: str = "") -> None:
        """Begins where the game is dealt, or with a later game (`begin`, which is played on and has no events yet) from
        which nothing can be taken back. `origin` is the id of the ruleset that the log begins with, and `ruleset` that
        of the segment in which the path begins; by default both are these rules."""
        self.game = begin if begin is not None else Game.new(options)
        if origin:
            self.game.origin = origin
        self._ruleset = ruleset or (self.game.origin if begin is None else begin.ruleset.id)
        """The id of the ruleset that the last entry was played under."""
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
        elif entry.upgrade is not None:
            return self._cross(entry, entry.upgrade)
        else:
            raise BadState("REPLAY_FAILED", f"an entry of the log cannot be {entry.kind!r}")
        self._earlier.append(before)
        if game.state.reveal_floor == game.state.depth:
            self._earlier.clear()  # no undo goes back across a reveal
        return self.events

    def leads_to(self, upgrade: RulesUpgrade) -> bool:
        """Whether the path has come to the state with which a rules upgrade goes on."""
        end = self.game.clone()
        end.adopt(self._ruleset)
        return end.state_bytes() == end.restored(upgrade.state).state_bytes()

    def skip(self, entry: Entry) -> list[Event]:
        """Passes over an entry of a segment that these rules cannot tell again. One event says so. The state is that of
        an earlier moment until the next rules upgrade."""
        game = self.game
        game.log.append(entry)
        event = Event("not_retold", {"seat": entry.seat, "entry": entry.kind}, None, game.version, 0)
        self.events = game.events = [event]
        return self.events

    def _cross(self, entry: Entry, upgrade: RulesUpgrade) -> list[Event]:
        """Goes on with the state of a rules upgrade."""
        before = self._ruleset
        self._ruleset = upgrade.ruleset
        log = [*self.game.log, entry]
        self.game = Game.resumed(self.game.options, upgrade.state, log, self.game.origin)
        self._earlier.clear()  # no undo goes back across a rules upgrade
        event = Event("engine_changed", {"ruleset": upgrade.ruleset, "before": before}, None, self.game.version, 0)
        self.events = self.game.events = [event]
        return self.events

    def _undo(self, entry: Entry) -> list[Event]:
        game = self.game
        refused = game.can_undo(entry.seat, consent=True)
        if refused:
            raise IllegalMove([refused])
        return game.undo(entry.seat, consent=True, before=self._earlier.pop())


def begin_stretch(options: Options, segment: Segment, earlier: Sequence[Entry]) -> Retracing:
    """A path that begins where a segment of the log begins; `earlier` are the entries up to there, its rules upgrade
    included. Raises BadState if these rules cannot read the state of the rules upgrade."""
    if segment.upgrade is None:
        return Retracing(options)
    return Retracing(options, Game.resumed(options, segment.upgrade.state, list(earlier)))


def play_stretch(options: Options, segment: Segment, earlier: Sequence[Entry]) -> Game:
    """The game at the end of a segment; raises BadState naming the entry that these rules refuse."""
    path = begin_stretch(options, segment, earlier)
    for number, entry in enumerate(segment.entries, segment.first + 1):
        try:
            path.step(entry)
        except IllegalMove as refusal:
            violations = [violation.as_dict() for violation in refusal.violations]
            message = f"entry {number} of the log is refused: {refusal.message}"
            raise BadState("REPLAY_FAILED", message, entry=number, violations=violations) from refusal
    return path.game


def retells(options: Options, segment: Segment, earlier: Sequence[Entry], following: Game) -> bool:
    """Whether these rules lead from the beginning of a segment to the state with which the following one begins, or to
    the state of a game in which no rules upgrade follows yet. Then they tell the same story as the rules that it was
    played under."""
    try:
        played = play_stretch(options, segment, earlier)
        if played.version != following.version:
            played.adopt(segment.ruleset)
        return played.state_bytes() == following.state_bytes()
    except (AlhambraError, RulesDefect, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError):
        return False  # moves of other rules, or a state that a stranger sent


def retrace(options: Options, entries: list[Entry], origin: str = "") -> Game:
    """The game that these entries lead to. Raises BadState naming the entry that these rules refuse, or the segment
    that they cannot play: what a stranger says about the state in the middle of a game is not taken for true."""
    begun = origin or rules_for(options).id
    found = segments(begun, entries)
    for segment, following in pairwise(found):
        assert following.upgrade is not None
        seamed = Game.resumed(options, following.upgrade.state, entries[: following.first])
        if not retells(options, segment, entries[: segment.first], seamed):
            raise unknown_rules(segment)
    last = found[-1]
    game = play_stretch(options, last, entries[: last.first])
    if last.ruleset != game.ruleset.id:
        raise unknown_rules(last)
    game.origin = begun
    return game


def unknown_rules(segment: Segment) -> BadState:
    """The error for a segment that was played under rules which this version does not have."""
    message = f"entries {segment.first + 1} to {segment.last} were played under ruleset {segment.ruleset[:TEXT_LIMIT]}"
    return BadState("REPLAY_FAILED", f"{message}, which this version does not have", ruleset=segment.ruleset)


def history(game: Game) -> list[Event]:
    """Everything that happened in the game, from setting up to now; raises BadState if its log does not lead to it.
    Entries of other rules that cannot be told again have one event each, `not_retold`."""
    options, log = game.options, game.log
    found = segments(game.origin, log)
    path = Retracing(options, origin=game.origin)
    told = list(path.events)
    try:
        for number, segment in enumerate(found):
            upgrade = found[number + 1].upgrade if segment is not found[-1] else None
            end = game if upgrade is None else Game.resumed(options, upgrade.state, log[: found[number + 1].first])
            native = segment.ruleset == game.ruleset.id
            step = path.step if native or retells(options, segment, log[: segment.first], end) else path.skip
            for entry in segment.entries:
                told += step(entry)
            if upgrade is not None:
                told += path.step(log[found[number + 1].first - 1])
    except IllegalMove as refusal:
        raise BadState("REPLAY_FAILED", f"the log does not lead to this game: {refusal.message}") from refusal
    if found[-1].ruleset == game.ruleset.id and path.game != game:
        raise BadState("REPLAY_FAILED", "the log leads to another game than this one")
    return told
