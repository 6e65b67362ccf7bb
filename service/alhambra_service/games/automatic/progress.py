"""A change before its commit: the action of a person, and all decisions after it that need no person.

The decisions of server players, standing orders and passed deadlines are taken here and committed together with the
action. One commit holds a bounded number of them and takes a bounded time; the next call that reads the game takes the
rest. So no game waits for a process that died. (The rules themselves skip seats that resigned.)

The table at the start is never changed.
"""

from __future__ import annotations

from dataclasses import replace

from alhambra import Entry, Event, Game, Move
from alhambra.export import LogReplay, write_entry

from ... import limits
from ...effort import Effort
from ..table import Proposal, Table
from . import deadlines, orders, server_players


class Progress:
    """A table, with the entries that were added to its log, and their events."""

    def __init__(self, table: Table, now: int) -> None:
        assert table.game is not None
        self._start = table
        self._now = now
        self._game = table.game.clone()
        self._table = table
        self._decision = self._game.decision
        self._entries: list[Entry] = []
        self.not_before = 0
        """The latest deadline whose decision was answered here, in milliseconds of Unix time; 0 if there is none. The
        store compares it with its own clock before it commits."""
        self.events: list[Event] = []
        if table.foreign:
            self._adopt()

    def _adopt(self) -> None:
        """Carry a game that was played under other rules forward to these rules, with an entry in its log."""
        record = self._table.record
        events = self._game.upgrade_rules(record.ruleset)
        adopted = record.adopted(self._game.ruleset.id, self._game.version)
        self._table = replace(self._table, record=adopted)
        self._made(self._game.log[-1], events)

    # -- What people do --------------------------------------------------------------------------------------------

    def move(self, seat: int, move: Move) -> None:
        """Make a move for a seat. Raises IllegalMove if the rules refuse it."""
        self._made(Entry("move", seat, move), self._game.apply(move, seat))

    def resign(self, seat: int) -> None:
        """Let a seat resign."""
        self._made(Entry("resign", seat), self._game.resign(seat))

    def undo(self, seat: int, past: LogReplay) -> None:
        """Take the last move of a seat back. `past` is the game with its whole log."""
        entry = Entry("undo", seat)
        events = past.step(entry)
        self._game = past.game
        self._table = replace(self._table, undos=self._table.undos + 1)
        self._made(entry, events)

    def propose_undo(self, proposal: Proposal | None) -> None:
        """Set the proposal of an undo; None removes it. The game itself does not change."""
        self._table = replace(self._table, proposal=proposal)

    def give_orders(self, seat: int, given: tuple[orders.Order, ...]) -> None:
        """Replace the standing orders of a seat. Does nothing if they are the same."""
        if given != self._table.orders[seat]:
            self._table = self._table.with_orders(seat, given)

    # -- What needs no person ----------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Take the decisions that need no person, until a person has to decide. Stop earlier, but after at least one,
        when a commit holds no more of them or the CPU time is used up. Raises CallerGone between two decisions if the
        caller has gone."""
        effort = Effort(limits.UNATTENDED_SECONDS, every=1)
        for _ in range(limits.UNATTENDED_DECISIONS):
            decision = self._game.decision
            found = unattended(self._table, self._game, self._now)
            if decision is None or found is None:
                return
            move, by_order, deadline = found
            self.not_before = max(self.not_before, deadline)
            events = self._game.apply(move, decision.seat)
            if by_order:
                told = {**self._table.by_order, self._game.version: decision.seat}
                self._table = replace(self._table, by_order=told)
            self._made(Entry("move", decision.seat, move), events)
            if effort.spent():
                return

    # -- Keeping the books -------------------------------------------------------------------------------------------

    def _made(self, entry: Entry, events: list[Event]) -> None:
        self._entries.append(entry)
        self.events += events
        table, game = self._table, self._game
        since, deadline = table.since, table.deadline
        if entry.kind not in ("resign", "engine") or self._decision != game.decision:
            since, deadline = game.version, deadlines.deadline_of(table.turn_seconds, game, self._now)
        self._decision = game.decision
        self._table = replace(
            table,
            game=game,
            orders=orders.in_force(table.orders, events),
            last_mover=game.last_mover,
            updated=self._now,
            proposal=None,
            since=since,
            deadline=deadline,
        )

    @property
    def changed(self) -> bool:
        """Return whether there is anything to commit."""
        return bool(self._entries) or self._table is not self._start

    @property
    def table(self) -> Table:
        """Return the new table, with the record that it started from."""
        return self._table

    @property
    def texts(self) -> list[str]:
        """Return the new entries as lines of the log."""
        return [write_entry(entry) for entry in self._entries]


def unattended(table: Table, game: Game, now: int) -> tuple[Move, bool, int] | None:
    """Return the answer to the open decision if it needs no person, otherwise None. The answer has a move, whether a
    standing order gave it, and the deadline if that gave it, otherwise 0."""
    decision = game.decision
    if decision is None:
        return None
    player = server_players.PLAYERS.get(table.seats[decision.seat].server_player)
    if player is not None:
        return player(game, server_players.chance_for(table.record.secret, game.version)), False, 0
    ordered = orders.answer(game, table.orders)
    if ordered is not None:
        return ordered, True, 0
    if table.deadline is not None and deadlines.has_passed(table, now):
        return deadlines.late_answer(game), False, table.deadline
    return None


def waits(table: Table, now: int) -> bool:
    """Return whether the open decision needs no person, so that the server has to answer it."""
    decision = table.decision
    if decision is None or table.game is None:
        return False
    if deadlines.has_passed(table, now):
        return True
    if table.seats[decision.seat].server_player in server_players.PLAYERS:
        return True
    return bool(table.orders[decision.seat]) and orders.answer(table.game, table.orders) is not None
