"""A change on its way to the commit: the move of a person, and all decisions after it that need no person.

Seats that the server plays, standing orders and deadlines are answered here, before the commit, and go in with it. One
commit holds a bounded number of them and takes a bounded time; any later call goes on. So no game waits for a process
that died. (Seats that resigned are skipped by the rules themselves.)

The table that it starts from is never changed.
"""

from __future__ import annotations

from dataclasses import replace

from alhambra import Entry, Event, Game, Move
from alhambra.record import Retracing, write_entry

from ... import limits
from ...effort import Effort
from ..table import Proposal, Table
from . import deadlines, orders, server_players


class Progress:
    """A table, the entries that were added to its log, and what happened."""

    def __init__(self, table: Table, now: int) -> None:
        assert table.game is not None
        self._start = table
        self._now = now
        self._game = table.game.clone()
        self._table = table
        self._decision = self._game.decision
        self._entries: list[Entry] = []
        self.not_before = 0
        """The deadline that was taken for passed, in milliseconds of Unix time; 0 if none was. The store compares it
        with its own clock before it commits."""
        self.events: list[Event] = []
        if table.foreign:
            self._adopt()

    def _adopt(self) -> None:
        """Let these rules take over a game that was played under other rules."""
        record = self._table.record
        events = self._game.adopt(record.ruleset)
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

    def undo(self, seat: int, past: Retracing) -> None:
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
        """Take every decision that needs no person, as many as one commit may hold and as its CPU time allows; of
        those that are due, at least one. It stops between two decisions if the caller has gone."""
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
    """The answer to the open decision if it needs no person, whether an order of the seat gave it, and the deadline if
    only that gave it, else 0."""
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
