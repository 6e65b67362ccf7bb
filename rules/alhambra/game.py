"""The game object: create, move, undo, view, store.

A Game holds a state, the compiled rules and the log of moves. It is over, or it waits for exactly one decision. `apply`
answers the decision, runs the agenda up to the next one and returns the events.

The result depends only on options and moves: no clock, network or global random generator is read. Equal games have
equal bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from . import undo
from .base import resignation
from .board import Board
from .components import START_TILES
from .determinize import determinize
from .engine import GameEngine
from .events import Event, EventParts
from .fast_tuple import new_tuple
from .game_bytes import read_game_bytes, read_state, write_game_bytes, write_state
from .module import RandBelow, Sample, Verb
from .module_views import ModuleView, module_views_of
from .move_sequence import MoveSequence
from .moves import Move, form_faults, shown, well_formed
from .options import Options
from .results import Standing, Utility, returns_by_rank
from .rng import Rng, randbelow_of
from .rules_upgrades import NO_SEAT, RulesUpgrade
from .ruleset import Question, Ruleset, rules_for
from .state import Decision, Seat, Sorted, State, sort_mappings
from .undo import Entry
from .views import view_of
from .violations import BadState, IllegalMove, RulesDefect, Violation, in_order

if TYPE_CHECKING:
    from .quiet import QuietGame

G = TypeVar("G", bound="Game")
MAX_VETOED_SAMPLES = 8
"""Vetoed samples in a row after which the legal moves are listed instead."""


class Game(GameEngine):
    """One game. Create it with `Game.new`, `Game.from_bytes` or `Game.replay`."""

    __slots__ = (
        "_broken",
        "_events",
        "_sorted",
        "log",
        "origin",
    )

    def __init__(self, options: Options, ruleset: Ruleset, state: State, log: list[Entry], origin: str = "") -> None:
        super().__init__(options, ruleset, state)
        self.log = log
        self.origin = origin or ruleset.id
        """Id of the ruleset at the start of the log; differs from `ruleset.id` after a rules upgrade."""
        self._events: list[Event] | None = None
        self._broken = False
        """Whether a move raised an error half way. The state is undefined then, and the game refuses further calls."""
        self._sorted: Sorted = ()
        """Dictionaries of the state already known to be sorted."""

    # -- A game begins, is copied, stored and restored ------------------------------------------------------------

    @classmethod
    def new(cls, options: Options, *, quiet: bool = False) -> Game:
        """Return a new game, set up and waiting for its first decision. A quiet game keeps neither events nor a log
        (`quiet.py`); everything else is the same."""
        if quiet:
            return _quiet_game().new(options)
        ruleset = rules_for(options)
        state = State([Seat(START_TILES[n]) for n in range(len(options.seats))])
        for key, state_type in ruleset.state_types.items():
            state.module_states[key] = state_type()
        game = cls(options, ruleset, state, [])
        game.emit(
            "game_created",
            options={**options.as_dict(), "seed": None},
            ruleset=ruleset.id,
            seats=[seat.name for seat in options.seats],
            colours=[seat.colour for seat in options.seats],
        )
        game.push(ruleset.steps["base.begin_game"])
        game.push_procedure("setup")
        game._run_agenda()
        game._sorted = sort_mappings(state, ruleset.mappings, ())
        return game

    def clone(self, *, quiet: bool = False) -> Game:
        """Return an independent copy. A quiet copy keeps neither events nor a log (`quiet.py`), and so do its own
        copies."""
        if quiet:
            return _quiet_game().of(self)
        return self._copy_to(Game, self.log[:])

    def _copy_to(self, kind: type[G], log: list[Entry]) -> G:
        """Return a copy of this kind with this log."""
        copy = kind.__new__(kind)
        copy.options = self.options
        copy.ruleset = self.ruleset
        copy.state = self.state.clone()
        copy.log = log
        copy.origin = self.origin
        copy._emitted = self._emitted
        copy._events = self._events
        copy._sampled = None
        copy._key = self._key
        copy._is_determinization = self._is_determinization
        copy.score_stage = ""
        copy._revealed = False
        copy._cleared = False
        copy._work = 0
        copy._current_item = ()
        copy._broken = self._broken
        copy._sorted = self._sorted
        copy.texts = self.texts
        return copy

    def to_bytes(self) -> bytes:
        """Return the whole game (options, state and log) as bytes with a checksum."""
        self._refuse_if_broken()
        return write_game_bytes(self)

    def state_bytes(self) -> bytes:
        """Return the state as bytes, without options and log. It determines the rest of the game."""
        self._refuse_if_broken()
        return write_state(self)

    def with_state(self, state: bytes) -> Game:
        """Return a copy of this game with a state written by `state_bytes`. If an older version wrote it, call
        `upgrade_rules` before the next move."""
        copy = self.clone()
        copy.state = read_state(state, self.ruleset)
        return copy

    @classmethod
    def from_state(cls, options: Options, state: bytes, log: list[Entry], origin: str = "") -> Game:
        """Return a game with a state written by `state_bytes` and this log, which is not replayed. `origin` is the id
        of the ruleset at the start of the log; by default, the current rules."""
        return cls(options, rules_for(options), State([]), log, origin).with_state(state)

    @classmethod
    def from_bytes(cls, data: bytes) -> Game:
        """Return the game that `to_bytes` wrote. An unfinished game written under other rules is upgraded, which adds
        an entry to its log. Raise BadState with ENGINE_TOO_OLD if a newer version wrote it."""
        found = read_game_bytes(data)
        game = cls(found.options, found.ruleset, found.state, found.log, found.origin)
        if found.written_under != found.ruleset.id and not game.over:
            game.upgrade_rules(found.written_under)
        return game

    def upgrade_rules(self, before: str) -> list[Event]:
        """Continue under these rules a game whose state was written under the ruleset `before`. Adds an entry to the
        log; earlier moves cannot be undone."""
        self._begin_entry()
        self.emit("engine_changed", ruleset=self.ruleset.id, before=before)
        undo.raise_barriers(self.state, NO_SEAT, True, True)
        upgrade = RulesUpgrade.of(self.ruleset.id, self.state_bytes())
        self._keep_entry("engine", NO_SEAT, None, upgrade)
        return self.events

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Game:
        return self.clone()

    def __deepcopy__(self, _memo: object) -> Game:
        return self.clone()  # copies share only values that never change

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.to_bytes(), self._emitted, self._is_determinization)

    # -- What a caller sees --------------------------------------------------------------------------------------

    @property
    def events(self) -> list[Event]:
        """The events of the last entry of the log, or of setup. Event objects are built on first access."""
        found = self._events
        if found is None or len(found) != len(self._emitted):
            version = len(self.log)
            found = self._events = [Event(*told, version, index) for index, told in enumerate(self._emitted)]
        return found

    @events.setter
    def events(self, events: list[Event]) -> None:
        self._emitted = [(event.kind, event.public, event.private) for event in events]
        self._events = None

    @property
    def decision(self) -> Decision | None:
        """The open decision; None when the game is over."""
        return self.state.decision

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.over

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of every seat; in a game for two, Dirk's comes last."""
        seats = tuple(seat.score for seat in self.state.seats)
        return (*seats, self.state.dirk_score) if len(seats) == 2 else seats

    @property
    def ranking(self) -> tuple[Standing, ...]:
        """Seats with their places and scores, best first; equal scores share a place, resigned seats come last. Empty
        until the game is over, and if it stopped at its turn limit."""
        scores = self.scores
        return tuple(Standing(seat, place, scores[seat]) for seat, place in self.state.ranking)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the first place; empty until the game is over. In a game for two in which Dirk can win,
        2 is Dirk."""
        return tuple(standing.seat for standing in self.ranking if standing.place == 1)

    def returns(self, by: Utility = "rank") -> tuple[float, ...]:
        """Return what the result is worth to each seat. By rank: from 1.0 for the first place to -1.0 for the last in
        equal steps, the mean for a shared place, so that the sum is 0; all 0.0 while there is no ranking. By score: the
        points so far. Dirk has no entry."""
        if by == "score":
            return tuple(float(seat.score) for seat in self.state.seats)
        return returns_by_rank(self.ranking, len(self.state.seats))

    @property
    def version(self) -> int:
        """The number of entries in the log. It never decreases."""
        return len(self.log)

    def board(self, seat: int) -> Board:
        """Return a copy of a seat's Alhambra."""
        return self.state.seats[seat].board.copy()

    def view(self, viewer: int | None, *, boards: bool = True, modules: bool = True) -> dict[str, Any]:
        """Return what a seat or a spectator (None) sees, as JSON-ready data. With `boards=False`, leave out the tiles
        of the Alhambras; with `modules=False`, what modules show (`module_views`)."""
        return view_of(self, viewer, boards=boards, modules=modules)

    def module_views(self, viewer: int | None, known: Mapping[str, ModuleView]) -> dict[str, ModuleView]:
        """Return what each module shows a seat or a spectator (None), by its key. `known` is the result for an earlier
        state of this game and the same viewer, or empty; what has not changed is taken from it."""
        return module_views_of(self, viewer, known)

    def determinize(self, viewer: int | None, rng: Rng, *, quiet: bool = False) -> Game:
        """Return a clone with all information hidden from the viewer resampled from what the viewer knows. A quiet one
        keeps neither events nor a log, like a quiet clone."""
        return determinize(self, viewer, rng, quiet=quiet)

    # -- Moves ---------------------------------------------------------------------------------------------------

    def verify(self, move: Move, seat: int | None = None) -> tuple[Violation, ...]:
        """Return every reason to refuse the move; an empty tuple if it is legal. With `seat`, also check that this seat
        is to decide."""
        decision = self.state.decision
        if decision is None:
            return (Violation("GAME_OVER"),)
        if seat is not None and seat != decision.seat:
            return (Violation("NOT_YOUR_DECISION", seat=decision.seat, decision=decision.kind),)
        name: object = move.verb
        verb = self.ruleset.verbs.get(name) if isinstance(name, str) else None
        if verb is None:
            return (Violation("VERB_UNKNOWN", "verb", verb=shown(move.verb)),)
        found = [] if well_formed(move, verb.nouns) else form_faults(move, verb.nouns)
        if move.verb not in self._offered(decision):
            found.append(Violation("VERB_NOT_OFFERED", "verb", verb=move.verb, decision=decision.kind))
        if not found:
            found.extend(self._closed(decision, move.verb))
            refused = verb.verify(self, decision, move)
            module = self.ruleset.modules_of_verbs.get(move.verb)
            found.extend(refused if module is None else (violation.of_module(module) for violation in refused))
            for veto in self.ruleset.vetoes.get(move.verb, ()):
                found.extend(veto(self, decision, move))
        return in_order(found) if found else ()

    def apply(self, move: Move, seat: int | None = None) -> list[Event]:
        """Apply the move and return its events. Raise IllegalMove, without changes, if the move is refused. Raise
        RulesDefect if a rule does not terminate; the game cannot be used any more then."""
        self.play(move, seat)
        return self.events

    def play(self, move: Move, seat: int | None = None) -> None:
        """Apply the move like `apply`, without building the events. A move returned by `random_move` or `sample_move`
        for the current state is not verified again."""
        if move is not self._sampled or seat is not None:
            violations = self.verify(move, seat)
            if violations:
                raise IllegalMove(violations)
        decision = self.state.decision
        assert decision is not None
        question = self.ruleset.questions[decision.kind]
        concerns_others = question.concerns_others
        if callable(concerns_others):
            concerns_others = concerns_others(self, decision)
        self._begin_entry()
        try:
            self._answer(question, decision, move)
            self._run_agenda()
        except BaseException:
            self._broken = True
            raise
        self._end_entry(decision.seat, concerns_others)
        self._keep_entry("move", decision.seat, move)

    def moves(self) -> Iterator[Move]:
        """Yield every legal move in a fixed order, payments that waste a card after those that do not. Nothing is left
        out. A large hand has 100,000 payments, so do not build a list: see `legal_moves` and `all_moves`."""
        decision = self.state.decision
        if decision is not None:
            for verb in self._open(decision).values():
                yield from self.without_vetoed(verb, decision, verb.moves(self, decision))

    def all_moves(self) -> MoveSequence:
        """Return every legal move as a lazy sequence, in the order of `moves`: its length, the move at a position, and
        whether a move is in it. Payments with money alone are counted, not listed."""
        return MoveSequence(self)

    def legal_moves(self) -> list[Move]:
        """Return legal moves in the order of `moves`: all moves that pay nothing, and the payments worth considering.
        Left out are payments from which a card or helper can be removed with the same result; payments beyond the first
        100 of an offer, or beyond its share of 400 if there are more than four offers; and most combinations of several
        helpers. Each helper that can be used alone appears once. The list is empty only if the game is over."""
        decision = self.state.decision
        found: list[Move] = []
        if decision is not None:
            vetoes = self.ruleset.vetoes
            for name, verb in self._open(decision).items():
                moves: Iterable[Move] = (verb.brief or verb.moves)(self, decision)
                found.extend(self.without_vetoed(verb, decision, moves) if name in vetoes else moves)
        return found

    def random_move(self, rng: Rng) -> Move:
        """Return a random legal move: first a random verb, then a random move with it. Payments are sampled, not
        listed."""
        decision = self.state.decision
        if decision is None:
            raise IllegalMove([Violation("GAME_OVER")])
        verbs = list(self._open(decision).values())
        randbelow = randbelow_of(rng)
        while verbs:
            verb = verbs.pop(randbelow(len(verbs)))
            move = self._sample(verb, decision, randbelow)
            if move is not None:
                return move
        raise AssertionError(f"no legal move for {decision}")

    def sample_move(self, verb: str, randbelow: RandBelow, sample: Sample | None = None) -> Move | None:
        """Return a random legal move with this verb; None if there is none. `randbelow(n)` returns a number from 0 to n
        - 1. `sample` replaces the verb's own sampling; it must return only moves that the verb allows. Vetoes of
        modules are checked here: if one applies, the result is None."""
        decision = self.state.decision
        if decision is None:
            return None
        offered = self._offered(decision).get(verb)
        if offered is None or (self.ruleset.closes and self._closed(decision, verb)):
            return None
        if sample is None:
            return self._sample(offered, decision, randbelow)
        move = sample(self, decision, randbelow)
        if (
            move is not None
            and verb in self.ruleset.vetoes
            and not any(self.without_vetoed(offered, decision, (move,)))
        ):
            move = None
        self._sampled = move
        return move

    def _sample(self, verb: Verb, decision: Decision, randbelow: RandBelow) -> Move | None:
        if verb.sample is None:
            move = self._pick_listed(verb, decision, randbelow)
        else:
            move = verb.sample(self, decision, randbelow)
            if move is not None and verb.name in self.ruleset.vetoes:
                move = self._sample_without_vetoed(verb, verb.sample, decision, randbelow, move)
        self._sampled = move
        return move

    def _sample_without_vetoed(
        self, verb: Verb, sample: Sample, decision: Decision, randbelow: RandBelow, drawn: Move | None
    ) -> Move | None:
        """Return the sampled move if no module vetoes it, otherwise another sample. After MAX_VETOED_SAMPLES vetoes,
        pick from the list of legal moves."""
        for _ in range(MAX_VETOED_SAMPLES):
            if drawn is None or any(self.without_vetoed(verb, decision, (drawn,))):
                return drawn
            drawn = sample(self, decision, randbelow)
        return self._pick_listed(verb, decision, randbelow)

    def _pick_listed(self, verb: Verb, decision: Decision, randbelow: RandBelow) -> Move | None:
        found = list(self.without_vetoed(verb, decision, (verb.brief or verb.moves)(self, decision)))
        return found[randbelow(len(found))] if found else None

    # -- Undo and resignation: entries in the log like moves ------------------------------------------------------

    def can_undo(self, seat: int, *, consent: bool = False) -> Violation | None:
        """Return why the seat cannot undo its last move; None if it can. With consent, decisions of other seats are no
        obstacle."""
        return undo.refusal(self, seat, consent=consent)

    @property
    def last_mover(self) -> int | None:
        """The seat that made the last move still in effect; None if the last entry in effect is no move."""
        last = undo.last_entry(self.log)
        return last.seat if last is not None and last.kind == "move" else None

    @property
    def settled(self) -> bool:
        """Whether nothing in the log can be undone any more, not even by consent."""
        return undo.is_settled(self)

    def undo(self, seat: int, *, consent: bool = False, before: State | None = None) -> list[Event]:
        """Undo the seat's last move. Raise IllegalMove if something was revealed since, or another seat has decided.
        `before`, the state before that move, saves replaying the log."""
        refused = self.can_undo(seat, consent=consent)
        if refused:
            raise IllegalMove([refused])
        if self._is_determinization:
            raise IllegalMove([Violation("UNDO_REFUSED", because="imagined")])
        if before is None:
            before = Game.replay(self.options, undo.effective_entries(self.log)[:-1]).state
        self.state = before
        self._begin_entry()
        self.emit("undone", seat=seat, to_version=undo.last_place(self.log))
        self._keep_entry("undo", seat)
        return self.events

    def resign(self, seat: int) -> list[Event]:
        """Resign a seat. It gets no more decisions or pieces and cannot win; its Alhambra still counts."""
        refused = resignation.refusal(self, seat)
        if refused is not None:
            raise IllegalMove([refused])
        self._begin_entry()
        try:
            resignation.resign_seat(self, seat)
            if not self.state.over:
                self._run_agenda()
        except BaseException:
            self._broken = True
            raise
        self._revealed = True
        self._end_entry(seat)
        self._keep_entry("resign", seat)
        return self.events

    @classmethod
    def replay(cls, options: Options, entries: Iterable[Entry]) -> Game:
        """Return the game that these entries lead to, played from the last rules upgrade if there is one."""
        log = list(entries)
        start = max((version for version, entry in enumerate(log, 1) if entry.upgrade is not None), default=0)
        upgrade = log[start - 1].upgrade if start else None
        game = cls.new(options) if upgrade is None else cls.from_state(options, upgrade.state, log[:start])
        for entry in log[start:]:
            if entry.kind == "move" and entry.move is not None:
                game.apply(entry.move, entry.seat)
            elif entry.kind == "undo":
                game.undo(entry.seat, consent=True)
            elif entry.kind == "resign":
                game.resign(entry.seat)
            else:
                raise BadState("REPLAY_FAILED", f"unknown kind of log entry: {entry.kind!r}")
        return game

    # -- One entry of the log after the other ----------------------------------------------------------------------

    def _refuse_if_broken(self) -> None:
        if self._broken:
            raise RulesDefect("this game failed in the middle of a move: continue from the state before it")

    def _begin_entry(self) -> None:
        if self._broken:
            self._refuse_if_broken()
        self._work = 0
        self._emitted = []
        self._events = self._sampled = None
        self._revealed = False
        self._current_item = ()

    def _end_entry(self, mover: int, concerns_others: bool = False) -> None:
        state = self.state
        undo.raise_barriers(state, mover, self._revealed, concerns_others)
        self._sorted = sort_mappings(state, self.ruleset.mappings, self._sorted)

    def _keep_entry(self, kind: str, seat: int, move: Move | None = None, upgrade: RulesUpgrade | None = None) -> None:
        """Add an entry to the log. Nothing else does."""
        self.log.append(new_tuple(Entry, (kind, seat, move, upgrade)))

    def _answer(self, question: Question, decision: Decision, move: Move) -> None:
        self.state.decision = None
        verb = move.verb
        beside = verb in question.free
        if not beside and question.answered is not None:
            question.answered(self, decision, move)
        self.ruleset.verbs[verb].apply(self, decision, move)
        if beside:
            self.ask(decision.kind, decision.seat, **decision.context)


def _quiet_game() -> type[QuietGame]:
    """Return the class of quiet games, which is derived from that of games."""
    from .quiet import QuietGame

    return QuietGame


def _unpickled(data: bytes, emitted: list[EventParts], is_determinization: bool) -> Game:
    """Return a pickled game: what its bytes contain, the events of its last entry, and whether it was resampled."""
    game = Game.from_bytes(data)
    if not game._emitted:  # otherwise the rules were upgraded, and that is the last entry
        game._emitted = emitted
    game._is_determinization = is_determinization
    return game
