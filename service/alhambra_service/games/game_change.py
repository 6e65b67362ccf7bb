"""A change before its commit: the action of a person, and all decisions after it that need no person.

The decisions of server players and standing orders, and what follows from passed deadlines and clocks without time, are
committed together with the action. One commit holds a limited number of them and takes a limited time; the next call
that reads the game takes the rest. So no game waits for a process that died. (The rules themselves skip seats that have
resigned.)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from alhambra import Entry, Event, Game, Move
from alhambra.export import LogReplay, write_entry

from .. import limits
from ..cpu_budget import CpuBudget
from .automatic import deadlines, orders, server_players
from .automatic.clocks import STAND_IN, after_entry, flag_has_fallen
from .loaded_game import SERVER, LoadedGame, Proposal


class GameChange:
    """A change of a game before its commit: the new values, the entries that it adds to the log, and their events. The
    game that it starts from is never changed."""

    def __init__(self, loaded: LoadedGame, now: int) -> None:
        """Begin a change. A game that was played under other rules is carried forward to these rules first."""
        assert loaded.game is not None
        self.loaded = loaded
        """The game after the change, with the stored game that the change started from."""
        self._now = now
        self._game = loaded.game.clone()
        self._decision = self._game.decision
        self.changed = False
        """Whether there is anything to commit."""
        self.log_lines: list[str] = []
        """The new entries as lines of the log."""
        self.events: list[Event] = []
        self.deals = False
        """Whether the change deals the cards."""
        self.not_before = 0
        """The latest deadline whose decision was answered here, in milliseconds of Unix time; 0 if there is none. The
        store compares it with its own clock before it commits."""
        if loaded.under_other_rules:
            self._adopt()

    @classmethod
    def of_seats(cls, loaded: LoadedGame) -> GameChange:
        """Return a change that adds nothing to the log: `loaded` is the game with other seats."""
        change = cls.__new__(cls)
        change.loaded, change.changed = loaded, True
        change.log_lines, change.events, change.not_before, change.deals = [], [], 0, False
        return change

    def _adopt(self) -> None:
        stored, game = self.loaded.stored, self._game
        events = game.upgrade_rules(stored.ruleset)
        self._replace(stored=stored.adopted(game.ruleset.id, game.version))
        self._add_entry(game.log[-1], events)

    # -- Actions of people -----------------------------------------------------------------------------------------

    def move(self, seat: int, move: Move) -> None:
        """Make a move for a seat. Raises IllegalMove if the rules refuse it."""
        self._add_entry(Entry("move", seat, move), self._game.apply(move, seat))

    def resign(self, seat: int) -> None:
        """Let a seat resign."""
        self._add_entry(Entry("resign", seat), self._game.resign(seat))

    def undo(self, seat: int, past: LogReplay) -> None:
        """Take the last move of a seat back. `past` is the game with its whole log."""
        entry = Entry("undo", seat)
        events = past.step(entry)
        self._game = past.game
        self._add_entry(entry, events, undos=self.loaded.undos + 1)

    def propose_undo(self, proposal: Proposal | None) -> None:
        """Set the proposal of an undo; None removes it. The game itself does not change."""
        self._replace(proposal=proposal)

    def set_orders(self, seat: int, given: tuple[orders.Order, ...]) -> None:
        """Replace the standing orders of a seat. Does nothing if they are the same."""
        if given != self.loaded.orders[seat]:
            self.loaded = self.loaded.with_orders(seat, given)
            self.changed = True

    def stand_in(self, seat: int, player: str) -> None:
        """Let the server play the seat of a person. An undo that waits for the seat is not proposed any more."""
        loaded, clocks = self.loaded, self.loaded.clocks
        if clocks is not None and self._decision is not None and self._decision.seat == seat:
            clocks = after_entry(clocks, loaded, seat, (), self._now)
        proposal = loaded.proposal
        if proposal is not None and seat in (proposal.seat, *proposal.waiting_for):
            proposal = None
        self.loaded = loaded.with_seat(seat, occupancy=SERVER, server_player=player)
        self._replace(clocks=clocks, proposal=proposal)

    # -- Automatic decisions -----------------------------------------------------------------------------------------

    def take_automatic_decisions(self) -> None:
        """Take the decisions that need no person, until a person has to decide. Stop earlier, but after at least one,
        when the commit is full or the CPU time is used up. Raises CallerGone between two decisions if the
        caller has gone."""
        if self.loaded.changes_only_by_calls:
            return
        budget = CpuBudget(limits.AUTOMATIC_SECONDS, every=1)
        for _ in range(limits.AUTOMATIC_DECISIONS):
            decision = self._game.decision
            found = automatic_answer(self.loaded, self._game, self._now)
            if decision is None:
                return
            if found is None:
                if not flag_has_fallen(self.loaded, self._now):
                    return
                self._let_flag_fall(decision.seat)
                continue
            move, by_order, deadline = found
            self.not_before = max(self.not_before, deadline)
            events = self._game.apply(move, decision.seat)
            more: dict[str, Any] = {}
            if by_order:
                more["by_order"] = {**self.loaded.by_order, self._game.version: decision.seat}
            self._add_entry(Entry("move", decision.seat, move), events, **more)
            if budget.spent():
                return

    def _let_flag_fall(self, seat: int) -> None:
        clocks, deadline = self.loaded.clocks, self.loaded.deadline
        assert clocks is not None and deadline is not None
        self.not_before = max(self.not_before, deadline)
        if clocks.resigns:
            self.resign(seat)
        else:
            self.stand_in(seat, STAND_IN)

    # -- The result --------------------------------------------------------------------------------------------------

    def _add_entry(self, entry: Entry, events: list[Event], **more: Any) -> None:
        """Add an entry to the log after the rules have applied it. `more` are further fields that it changes."""
        self.log_lines.append(write_entry(entry))
        self.events += events
        loaded, game = self.loaded, self._game
        decision, clocks = game.decision, loaded.clocks
        if clocks is not None:
            asked = None if self._decision is None else self._decision.seat
            clocks = more["clocks"] = after_entry(clocks, loaded, asked, events, self._now)
        if entry.kind not in ("resign", "engine") or self._decision != decision:
            more["since"] = game.version
            timed = loaded.turn_seconds or clocks is not None
            more["deadline"] = deadlines.deadline_of(loaded, decision, clocks, self._now) if timed else None
        if any(loaded.orders):
            more["orders"] = orders.in_force(loaded.orders, events)
        self._decision = decision
        self._replace(game=game, last_mover=game.last_mover, updated=self._now, proposal=None, **more)

    def _replace(self, **fields: Any) -> None:
        self.loaded = replace(self.loaded, **fields)
        self.changed = True


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
    if loaded.deadline is not None and deadlines.has_passed(loaded, now) and not flag_has_fallen(loaded, now):
        return deadlines.late_answer(game), False, loaded.deadline
    return None


def has_due_decision(loaded: LoadedGame, now: int) -> bool:
    """Return whether the server has to answer the open decision, because it needs no person."""
    decision = loaded.decision
    if decision is None or loaded.game is None:
        return False
    if deadlines.has_passed(loaded, now):
        return True
    if loaded.seats[decision.seat].server_player in server_players.PLAYERS:
        return True
    return bool(loaded.orders[decision.seat]) and orders.answer(loaded.game, loaded.orders) is not None
