"""Replay of a log, entry by entry.

The log is the source of truth; everything else follows from it. `LogReplay` applies the entries of a log and returns
the events of each. Unlike `Game.undo`, which replays from the start or from the last rules upgrade, it keeps the few
states that an undo can return to. So undos cost no more than moves, even in a log built to be expensive.

A segment played under other rules may not replay. Its events are reproduced only if these rules lead from its start to
exactly the state with which the next segment starts (`replays_to`).
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
"""Maximum number of entries in an untrusted log. Games have some hundreds."""
UPGRADES_LIMIT = 100
"""Maximum number of rules upgrades in an untrusted log. Each is a whole state, and a replay from there."""


class LogReplay:
    """A game that is being replayed. `events` are those of the last step; before the first step, those of setup."""

    def __init__(self, options: Options, begin: Game | None = None, origin: str = "", ruleset: str = "") -> None:
        """Start with a new game, or with `begin`: a later game in which nothing can be undone. `origin` is the id of
        the ruleset at the start of the log, `ruleset` that of the current segment; both default to the current
        rules."""
        self.game = begin if begin is not None else Game.new(options)
        if origin:
            self.game.origin = origin
        self._ruleset = ruleset or (self.game.origin if begin is None else begin.ruleset.id)
        """Id of the ruleset of the last entry."""
        self.events: list[Event] = [] if begin is not None else self.game.events
        self._earlier: list[State] = []

    def step(self, entry: Entry) -> list[Event]:
        """Apply one entry and return its events. Raise IllegalMove, without changes, if the rules refuse it."""
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
            return self._apply_upgrade(entry, entry.upgrade)
        else:
            raise BadState("REPLAY_FAILED", f"unknown kind of log entry: {entry.kind!r}")
        self._earlier.append(before)
        if game.state.reveal_floor == game.state.depth:
            self._earlier.clear()  # no undo beyond a reveal
        return self.events

    def leads_to(self, upgrade: RulesUpgrade) -> bool:
        """Return whether the replay has reached the state of this rules upgrade."""
        end = self.game.clone()
        end.upgrade_rules(self._ruleset)
        return end.state_bytes() == end.with_state(upgrade.state).state_bytes()

    def skip(self, entry: Entry) -> list[Event]:
        """Skip an entry that these rules cannot replay; its only event says so. The state is outdated until the next
        rules upgrade."""
        game = self.game
        game.log.append(entry)
        event = Event("not_retold", {"seat": entry.seat, "entry": entry.kind}, None, game.version, 0)
        self.events = game.events = [event]
        return self.events

    def _apply_upgrade(self, entry: Entry, upgrade: RulesUpgrade) -> list[Event]:
        """Continue with the state of a rules upgrade."""
        before = self._ruleset
        self._ruleset = upgrade.ruleset
        log = [*self.game.log, entry]
        self.game = Game.from_state(self.game.options, upgrade.state, log, self.game.origin)
        self._earlier.clear()  # no undo beyond a rules upgrade
        event = Event("engine_changed", {"ruleset": upgrade.ruleset, "before": before}, None, self.game.version, 0)
        self.events = self.game.events = [event]
        return self.events

    def _undo(self, entry: Entry) -> list[Event]:
        game = self.game
        refused = game.can_undo(entry.seat, consent=True)
        if refused:
            raise IllegalMove([refused])
        return game.undo(entry.seat, consent=True, before=self._earlier.pop())


def begin_segment(options: Options, segment: Segment, earlier: Sequence[Entry]) -> LogReplay:
    """Return a replay at the start of a segment; `earlier` are the entries up to there, including its rules upgrade.
    Raise BadState if the state of the upgrade cannot be read."""
    if segment.upgrade is None:
        return LogReplay(options)
    return LogReplay(options, Game.from_state(options, segment.upgrade.state, list(earlier)))


def replay_segment(options: Options, segment: Segment, earlier: Sequence[Entry]) -> Game:
    """Return the game at the end of a segment. Raise BadState naming the entry that these rules refuse."""
    replay = begin_segment(options, segment, earlier)
    for number, entry in enumerate(segment.entries, segment.first + 1):
        try:
            replay.step(entry)
        except IllegalMove as refusal:
            violations = [violation.as_dict() for violation in refusal.violations]
            message = f"entry {number} of the log is refused: {refusal.message}"
            raise BadState("REPLAY_FAILED", message, entry=number, violations=violations) from refusal
    return replay.game


def replays_to(options: Options, segment: Segment, earlier: Sequence[Entry], following: Game) -> bool:
    """Return whether these rules lead from the start of a segment to the state of `following`: the game at the next
    rules upgrade, or the current one. If so, they produce the same events as the rules of the time."""
    try:
        played = replay_segment(options, segment, earlier)
        if played.version != following.version:
            played.upgrade_rules(segment.ruleset)
        return played.state_bytes() == following.state_bytes()
    except (AlhambraError, RulesDefect, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError):
        return False  # moves made under other rules, or an untrusted state


def replay_log(options: Options, entries: list[Entry], origin: str = "") -> Game:
    """Return the game that these entries lead to. Raise BadState naming the entry that these rules refuse, or the
    segment that they cannot replay: states in the middle of an untrusted log are verified."""
    begun = origin or rules_for(options).id
    found = segments(begun, entries)
    for segment, following in pairwise(found):
        assert following.upgrade is not None
        upgraded = Game.from_state(options, following.upgrade.state, entries[: following.first])
        if not replays_to(options, segment, entries[: segment.first], upgraded):
            raise unknown_rules(segment)
    last = found[-1]
    game = replay_segment(options, last, entries[: last.first])
    if last.ruleset != game.ruleset.id:
        raise unknown_rules(last)
    game.origin = begun
    return game


def unknown_rules(segment: Segment) -> BadState:
    """Return the error for a segment played under rules that this version does not have."""
    message = f"entries {segment.first + 1} to {segment.last} were played under ruleset {segment.ruleset[:TEXT_LIMIT]}"
    return BadState("REPLAY_FAILED", f"{message}, which this version does not have", ruleset=segment.ruleset)


def history(game: Game) -> list[Event]:
    """Return all events of the game, from setup to now. Raise BadState if its log does not lead to its state. Entries
    that these rules cannot replay have one event each, `not_retold`."""
    options, log = game.options, game.log
    found = segments(game.origin, log)
    replay = LogReplay(options, origin=game.origin)
    events = list(replay.events)
    try:
        for number, segment in enumerate(found):
            upgrade = found[number + 1].upgrade if segment is not found[-1] else None
            end = game if upgrade is None else Game.from_state(options, upgrade.state, log[: found[number + 1].first])
            native = segment.ruleset == game.ruleset.id
            step = replay.step if native or replays_to(options, segment, log[: segment.first], end) else replay.skip
            for entry in segment.entries:
                events += step(entry)
            if upgrade is not None:
                events += replay.step(log[found[number + 1].first - 1])
    except IllegalMove as refusal:
        raise BadState("REPLAY_FAILED", f"the log does not lead to this game: {refusal.message}") from refusal
    if found[-1].ruleset == game.ruleset.id and replay.game != game:
        raise BadState("REPLAY_FAILED", "the log leads to a different state")
    return events
