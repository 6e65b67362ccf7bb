"""A change before its commit: the action of a person, and all decisions after it that need no person.

The decisions of server players, standing orders and passed deadlines are taken here and committed together with the
action. One commit holds a bounded number of them and takes a bounded time; the next call that reads the game takes the
rest. So no game waits for a process that died. (The rules themselves skip seats that resigned.)

The table at the start is never changed.
"""

from __future__ import annotations

from dataclasses import replace

from alhambra import Entry, Event, Game, Move
from alhambra.record import Retracing, write_entry

from .. import limits
from ..cpu_budget import CpuBudget
from .automatic import deadlines, orders, server_players
from .loaded_game import LoadedGame, Proposal


class GameChange:
    """A table, with the entries that were added to its log, and their events."""

    def __init__(self, loaded: LoadedGame, now: int) -> None:
        assert loaded.game is not None
        self._start = loaded
        self._now = now
        self._game = loaded.game.clone()
        self._loaded = loaded
        self._decision = self._game.decision
        self._entries: list[Entry] = []
        self.not_before = 0
        """The latest deadline whose decision was answered here, in milliseconds of Unix time; 0 if there is none. The
        store compares it with its own clock before it commits."""
        self.events: list[Event] = []
        if loaded.under_other_rules:
            self._adopt()

    def _adopt(self) -> None:
        """Carry a game that was played under other rules forward to these rules, with an entry in its log."""
        stored = self._loaded.stored
        events = self._game.adopt(stored.ruleset)
        adopted = stored.adopted(self._game.ruleset.id, self._game.version)
        self._loaded = replace(self._loaded, stored=adopted)
        self._add_entry(self._game.log[-1], events)

    # -- What people do --------------------------------------------------------------------------------------------

    def move(self, seat: int, move: Move) -> None:
        """Make a move for a seat. Raises IllegalMove if the rules refuse it."""
        self._add_entry(Entry("move", seat, move), self._game.apply(move, seat))

    def resign(self, seat: int) -> None:
        """Let a seat resign."""
        self._add_entry(Entry("resign", seat), self._game.resign(seat))

    def undo(self, seat: int, past: Retracing) -> None:
        """Take the last move of a seat back. `past` is the game with its whole log."""
        entry = Entry("undo", seat)
        events = past.step(entry)
        self._game = past.game
        self._loaded = replace(self._loaded, undos=self._loaded.undos + 1)
        self._add_entry(entry, events)

    def propose_undo(self, proposal: Proposal | None) -> None:
        """Set the proposal of an undo; None removes it. The game itself does not change."""
        self._loaded = replace(self._loaded, proposal=proposal)

    def set_orders(self, seat: int, given: tuple[orders.Order, ...]) -> None:
        """Replace the standing orders of a seat. Does nothing if they are the same."""
        if given != self._loaded.orders[seat]:
            self._loaded = self._loaded.with_orders(seat, given)

    # -- What needs no person ----------------------------------------------------------------------------------------

    def take_automatic_decisions(self) -> None:
        """Take the decisions that need no person, until a person has to decide. Stop earlier, but after at least one,
        when a commit holds no more of them or the CPU time is used up. Raises CallerGone between two decisions if the
        caller has gone."""
        effort = CpuBudget(limits.AUTOMATIC_SECONDS, every=1)
        for _ in range(limits.AUTOMATIC_DECISIONS):
            decision = self._game.decision
            found = automatic_answer(self._loaded, self._game, self._now)
            if decision is None or found is None:
                return
            move, by_order, deadline = found
            self.not_before = max(self.not_before, deadline)
            events = self._game.apply(move, decision.seat)
            if by_order:
                by_order_now = {**self._loaded.by_order, self._game.version: decision.seat}
                self._loaded = replace(self._loaded, by_order=by_order_now)
            self._add_entry(Entry("move", decision.seat, move), events)
            if effort.spent():
                return

    # -- Keeping the books -------------------------------------------------------------------------------------------

    def _add_entry(self, entry: Entry, events: list[Event]) -> None:
        self._entries.append(entry)
        self.events += events
        loaded, game = self._loaded, self._game
        since, deadline = loaded.since, loaded.deadline
        if entry.kind not in ("resign", "engine") or self._decision != game.decision:
            since, deadline = game.version, deadlines.deadline_of(loaded.turn_seconds, game, self._now)
        self._decision = game.decision
        self._loaded = replace(
            loaded,
            game=game,
            orders=orders.in_force(loaded.orders, events),
            last_mover=game.last_mover,
            updated=self._now,
            proposal=None,
            since=since,
            deadline=deadline,
        )

    @property
    def changed(self) -> bool:
        """Return whether there is anything to commit."""
        return bool(self._entries) or self._loaded is not self._start

    @property
    def loaded(self) -> LoadedGame:
        """Return the new table, with the record that it started from."""
        return self._loaded

    @property
    def log_lines(self) -> list[str]:
        """Return the new entries as lines of the log."""
        return [write_entry(entry) for entry in self._entries]


def automatic_answer(loaded: LoadedGame, game: Game, now: int) -> tuple[Move, bool, int] | None:
    """Return the answer to the open decision if it needs no person, otherwise None. The answer has a move, whether a
    standing order gave it, and the deadline if that gave it, otherwise 0."""
    decision = game.decision
    if decision is None:
        return None
    player = server_players.PLAYERS.get(loaded.seats[decision.seat].server_player)
    if player is not None:
        return player(game, server_players.chance_for(loaded.stored.secret, game.version)), False, 0
    ordered = orders.answer(game, loaded.orders)
    if ordered is not None:
        return ordered, True, 0
    if loaded.deadline is not None and deadlines.has_passed(loaded, now):
        return deadlines.late_answer(game), False, loaded.deadline
    return None


def has_due_decision(loaded: LoadedGame, now: int) -> bool:
    """Return whether the open decision needs no person, so that the server has to answer it."""
    decision = loaded.decision
    if decision is None or loaded.game is None:
        return False
    if deadlines.has_passed(loaded, now):
        return True
    if loaded.seats[decision.seat].server_player in server_players.PLAYERS:
        return True
    return bool(loaded.orders[decision.seat]) and orders.answer(loaded.game, loaded.orders) is not None
