"""A game: a value that moves on.

The state holds everything; the ruleset holds what the rules are; the log holds the moves made. A game is over, or it
waits for exactly one decision. `apply` answers it, runs the agenda to the next one, and returns what happened.
Nothing here reads a clock, a socket or a global source of chance: same options + same moves = same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from . import undo
from .base import resigning
from .board import Board
from .chance import seed_key
from .codec import Texts
from .components import START_TILES
from .determinize import determinize
from .events import Event
from .flow import Flow
from .module import Below, Sample, Verb
from .moves import Move, form_faults, shown, well_formed
from .options import Options
from .records import made
from .ruleset import Question, Ruleset, rules_for
from .seams import SEATLESS, Seam
from .state import Decision, Seat, Sorted, State, sort_mappings
from .stored import read_game_bytes, read_state, write_game_bytes, write_state
from .undo import Entry
from .views import view_of
from .violations import BadState, IllegalMove, RulesDefect, Violation, in_order

VETOED_DRAWS = 8
"""Draws of a move that modules may veto before the moves are listed instead."""


class Rng(Protocol):
    """A source of chance for players that move at random; `random.Random` is one."""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to stop - 1."""


class Game(Flow):
    """The game as a value. Use `Game.new`."""

    __slots__ = ("_broken", "_drawn", "_events", "_imagined", "_sorted", "_version", "log", "origin", "texts")

    def __init__(self, options: Options, ruleset: Ruleset, state: State, log: list[Entry], origin: str = "") -> None:
        super().__init__(options, ruleset, state)
        self.log = log
        self.origin = origin or ruleset.id
        """The id of the ruleset that the log begins with; another one than that of `ruleset` if there are seams."""
        self._events: list[Event] | None = None
        self._drawn: Move | None = None
        """The legal move that was drawn last, while the state it was drawn for stands."""
        self._version = len(log)
        """The version that the events told now belong to: 0 for setting up, n for the n-th entry of the log."""
        self._broken = False
        """Whether a move raised an error half way: then nothing can be done with this game any more."""
        self._imagined = False
        """A twin with other hidden things: its log does not lead to its state."""
        self._sorted: Sorted = {}
        """The dictionaries of the state that are known to be sorted; shared with clones."""
        self.texts: Texts = {}
        """The texts of the fields of the state when it was last written as bytes; shared with clones."""

    # -- A game begins, is copied, stored and restored ------------------------------------------------------------

    @classmethod
    def new(cls, options: Options) -> Game:
        """A game set up and waiting for its first decision."""
        ruleset = rules_for(options)
        state = State([Seat(START_TILES[n]) for n in range(len(options.seats))])
        for key, slice_type in ruleset.slices.items():
            state.slices[key] = slice_type()
        game = cls(options, ruleset, state, [])
        game.tell(
            "game_created",
            options={**options.as_dict(), "seed": None},
            ruleset=ruleset.id,
            seats=[seat.name for seat in options.seats],
            colours=[seat.colour for seat in options.seats],
        )
        game.push(ruleset.steps["base.begin_game"])
        game.enter("setup")
        game._run()
        sort_mappings(state, ruleset.mappings, game._sorted)
        return game

    def reseed(self, seed: str) -> None:
        """From now on chance follows another seed: for imagined twins of a game, never for the game itself."""
        self._imagined = True
        self.options = self.options.with_seed(seed)
        self._key = seed_key(seed)

    def clone(self) -> Game:
        """An independent copy."""
        twin = Game.__new__(Game)
        twin.options = self.options
        twin.ruleset = self.ruleset
        twin.state = self.state.clone()
        twin.log = self.log[:]
        twin.origin = self.origin
        twin._told = self._told
        twin._events = self._events
        twin._drawn = None
        twin._key = self._key
        twin._version = self._version
        twin._imagined = self._imagined
        twin.score_frame = ""
        twin._revealed = False
        twin._cleared = False
        twin._work = 0
        twin._entry = ()
        twin._broken = self._broken
        twin._sorted = self._sorted
        twin.texts = self.texts
        return twin

    def to_bytes(self) -> bytes:
        """The whole game: options, state and log, with a checksum."""
        self._refuse_if_broken()
        return write_game_bytes(self)

    def state_bytes(self) -> bytes:
        """The state alone, without options and log: what comes next depends on nothing else."""
        self._refuse_if_broken()
        return write_state(self)

    def restored(self, state: bytes) -> Game:
        """This game with the state that `state_bytes` wrote. If an older version wrote it, call `adopt` before the
        game goes on."""
        twin = self.clone()
        twin.state = read_state(state, self.ruleset)
        return twin

    @classmethod
    def resumed(cls, options: Options, state: bytes, log: list[Entry], origin: str = "") -> Game:
        """A game with the state that `state_bytes` wrote, and this log; the log is not replayed. `origin` is the id of
        the ruleset that the log begins with, by default that of these rules."""
        return cls(options, rules_for(options), State([]), log, origin).restored(state)

    @classmethod
    def from_bytes(cls, data: bytes) -> Game:
        """The game that `to_bytes` wrote. If it was written under other rules and is not over, these rules adopt it:
        its log has one more entry then. Raises BadState with ENGINE_TOO_OLD if a newer version wrote it."""
        found = read_game_bytes(data)
        game = cls(found.options, found.ruleset, found.state, found.log, found.origin)
        if found.written_under != found.ruleset.id and not game.over:
            game.adopt(found.written_under)
        return game

    def adopt(self, before: str) -> list[Event]:
        """Goes on with a game whose state was written under the ruleset with the id `before`: a seam in the log.
        Nothing that happened before can be taken back."""
        self._begin_entry()
        self.tell("engine_changed", ruleset=self.ruleset.id, before=before)
        undo.raise_barriers(self.state, SEATLESS, revealed=True, concerns_others=True)
        seam = Seam.of(self.ruleset.id, self.state_bytes())
        self.log.append(Entry("engine", SEATLESS, None, seam))
        return self.events

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    # -- What a caller sees --------------------------------------------------------------------------------------

    @property
    def events(self) -> list[Event]:
        """What the last move, or setting up, caused. Noted while it happens, made into records when somebody looks."""
        found = self._events
        if found is None or len(found) != len(self._told):
            version = self._version
            found = self._events = [Event(*told, version, index) for index, told in enumerate(self._told)]
        return found

    @events.setter
    def events(self, events: list[Event]) -> None:
        self._told = [(event.kind, event.public, event.private) for event in events]
        self._events = None

    @property
    def decision(self) -> Decision | None:
        """Who decides, and what; None when the game is over."""
        return self.state.decision

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.over

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of every seat; with two players Dirk's comes last."""
        seats = tuple(seat.score for seat in self.state.seats)
        return (*seats, self.state.dirk_score) if len(seats) == 2 else seats

    @property
    def version(self) -> int:
        """Number of entries in the log; it only grows."""
        return len(self.log)

    def board(self, seat: int) -> Board:
        """The Alhambra of a seat, as a copy."""
        return self.state.seats[seat].board.copy()

    def view(self, viewer: int | None, *, boards: bool = True) -> dict[str, Any]:
        """What a seat sees, or a spectator (None): JSON-ready data. Unless `boards`, without the tiles of the
        Alhambras, which everybody sees."""
        return view_of(self, viewer, boards=boards)

    def determinize(self, viewer: int | None, rng: Rng) -> Game:
        """A twin in which everything that the viewer cannot know is dealt anew."""
        return determinize(self, viewer, rng)

    # -- Moves ---------------------------------------------------------------------------------------------------

    def verify(self, move: Move, seat: int | None = None) -> tuple[Violation, ...]:
        """Every reason to refuse the move; empty if it is legal. With `seat`, also whether that seat is asked."""
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
        if not self._is_offered(decision, verb):
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
        """Makes the move and returns what happened; raises IllegalMove and changes nothing if it is refused. Raises
        RulesDefect if a rule is written so that the move does not end: this game must not be used any more then."""
        self.play(move, seat)
        return self.events

    def play(self, move: Move, seat: int | None = None) -> None:
        """Like `apply`, for those who do not look at what happened. A move that this game has drawn itself for the
        state it is in (`random_move`, `draw`) is legal and not verified once more."""
        if move is not self._drawn or seat is not None:
            violations = self.verify(move, seat)
            if violations:
                raise IllegalMove(violations)
        decision = self.state.decision
        assert decision is not None
        concerns_others = self.ruleset.questions[decision.kind].concerns_others
        if callable(concerns_others):
            concerns_others = concerns_others(self, decision)
        self._begin_entry()
        try:
            self._answer(decision, move)
            self._run()
        except BaseException:
            self._broken = True
            raise
        self._end_entry(
            made(Entry, ("move", decision.seat, move, None)), decision.seat, concerns_others=concerns_others
        )

    def vouch(self, move: Move) -> None:
        """Take this move for legal: `play` does not verify it again as long as the state stands. For a move that a twin
        in the same state has listed; any other may break the game."""
        self._drawn = move

    def moves(self) -> Iterator[Move]:
        """Every legal move, lazily and in a fixed order. A rich hand has very many payments: do not list them."""
        return self._moves(lambda verb: verb.moves)

    def legal_moves(self) -> list[Move]:
        """The legal moves with exact and minimal payments, from which no card can be left out. Of each offer a bounded
        number is listed; each helper that can be used alone is in one of them."""
        return list(self._moves(lambda verb: verb.brief or verb.moves))

    def _moves(self, lister: Callable[[Verb], Callable[..., Iterator[Move]]]) -> Iterator[Move]:
        decision = self.state.decision
        if decision is not None:
            for verb in self.offered_verbs(decision):
                yield from self.unopposed(verb, decision, lister(verb)(self, decision))

    def unopposed(self, verb: Verb, decision: Decision, found: Iterable[Move]) -> Iterable[Move]:
        """Those of the moves with this verb that no module vetoes."""
        vetoes = self.ruleset.vetoes.get(verb.name)
        if not vetoes:
            return found
        return (move for move in found if not any([*veto(self, decision, move)] for veto in vetoes))

    def offered_verbs(self, decision: Decision) -> tuple[Verb, ...]:
        """The verbs that can answer the decision now: its kind opens them (`DecisionKind.open`), no module closes them
        (`Module.closes`)."""
        return tuple(self._open(decision).values())

    def possible_verbs(self, decision: Decision) -> tuple[Verb, ...]:
        """The offered verbs that could have a legal move, as far as facts tell that everybody sees."""
        verbs = self._open(decision).values()
        return tuple([verb for verb in verbs if verb.possible is None or verb.possible(self, decision)])

    def _open(self, decision: Decision) -> Mapping[str, Verb]:
        offered = self._offered(decision)
        if not self.ruleset.closes:
            return offered
        return {name: verb for name, verb in offered.items() if not self._closed(decision, name)}

    def _closed(self, decision: Decision, verb: str) -> list[Violation]:
        """Why modules close a verb."""
        asked = [close(self, decision, verb) for close in self.ruleset.closes]
        return [violation for violation in asked if violation is not None]

    def _offered(self, decision: Decision) -> Mapping[str, Verb]:
        question = self.ruleset.questions[decision.kind]
        is_open = question.open
        if is_open is None:
            return question.named
        return {name: verb for name, verb in question.named.items() if is_open(self, decision, verb)}

    def _is_offered(self, decision: Decision, verb: Verb) -> bool:
        """Whether this verb can answer the decision now, without a look at the others."""
        question = self.ruleset.questions[decision.kind]
        if verb.name not in question.named:
            return False
        return question.open is None or question.open(self, decision, verb)

    def random_move(self, rng: Rng) -> Move:
        """A legal move drawn at random, verb first; payments are drawn without listing them."""
        decision = self.state.decision
        if decision is None:
            raise IllegalMove([Violation("GAME_OVER")])
        verbs = list(self._open(decision).values())
        while verbs:
            verb = verbs.pop(rng.randrange(len(verbs)))
            move = self._sample(verb, decision, rng.randrange)
            if move is not None:
                return move
        raise AssertionError(f"a decision without a legal move: {decision}")

    def draw(self, verb: str, below: Below, sample: Sample | None = None) -> Move | None:
        """A legal move with this verb, drawn at random; None if there is none. `below(n)` draws from 0 to n - 1.
        `sample` draws in another way than the verb does by itself. Whoever gives it vouches that it finds nothing but
        what the verb allows; what a module has against that is asked here, and then there is no move."""
        decision = self.state.decision
        if decision is None:
            return None
        question = self.ruleset.questions[decision.kind]
        offered = question.named.get(verb)
        if offered is None or (question.open is not None and not question.open(self, decision, offered)):
            return None
        if self.ruleset.closes and self._closed(decision, verb):
            return None
        if sample is None:
            return self._sample(offered, decision, below)
        move = sample(self, decision, below)
        if move is not None and verb in self.ruleset.vetoes and not any(self.unopposed(offered, decision, (move,))):
            move = None
        self._drawn = move
        return move

    def _sample(self, verb: Verb, decision: Decision, below: Below) -> Move | None:
        if verb.sample is None:
            move = self._listed_one(verb, decision, below)
        else:
            move = verb.sample(self, decision, below)
            if move is not None and verb.name in self.ruleset.vetoes:
                move = self._unopposed_one(verb, verb.sample, decision, below, move)
        self._drawn = move
        return move

    def _unopposed_one(
        self, verb: Verb, sample: Sample, decision: Decision, below: Below, drawn: Move | None
    ) -> Move | None:
        """The drawn move if no module vetoes it, else another one. If too many in a row are vetoed, a listed one."""
        for _ in range(VETOED_DRAWS):
            if drawn is None or any(self.unopposed(verb, decision, (drawn,))):
                return drawn
            drawn = sample(self, decision, below)
        return self._listed_one(verb, decision, below)

    def _listed_one(self, verb: Verb, decision: Decision, below: Below) -> Move | None:
        found = list(self.unopposed(verb, decision, (verb.brief or verb.moves)(self, decision)))
        return found[below(len(found))] if found else None

    # -- Undo and resignation: entries in the log like moves ------------------------------------------------------

    def can_undo(self, seat: int, *, consent: bool = False) -> Violation | None:
        """Why the seat cannot take back its last move; None if it can. Consent lets it cross what concerns others."""
        return undo.refusal(self, seat, consent=consent)

    @property
    def last_mover(self) -> int | None:
        """The seat whose move was the last entry that was not taken back; None if that entry was no move."""
        last = undo.last_entry(self.log)
        return last.seat if last is not None and last.kind == "move" else None

    @property
    def settled(self) -> bool:
        """Whether nothing that happened up to now can be taken back any more, with or without consent."""
        return undo.is_settled(self)

    def undo(self, seat: int, *, consent: bool = False, before: State | None = None) -> list[Event]:
        """Takes the seat's last move back, unless something was revealed or another seat decided since. Whoever kept
        the state before that move can spare the replay."""
        refused = self.can_undo(seat, consent=consent)
        if refused:
            raise IllegalMove([refused])
        if self._imagined:
            raise IllegalMove([Violation("UNDO_REFUSED", because="imagined")])
        kept = undo.effective_entries(self.log)
        undone = kept.pop()
        if before is None:
            before = Game.replay(self.options, kept).state
        self.state = before
        self._begin_entry()
        self.tell("undone", seat=seat, to_version=max(n for n, entry in enumerate(self.log) if entry is undone))
        self.log.append(Entry("undo", seat))
        return self.events

    def resign(self, seat: int) -> list[Event]:
        """The seat leaves: it is neither asked nor given anything from now on, its Alhambra still counts, it cannot
        win."""
        refused = resigning.refusal(self, seat)
        if refused is not None:
            raise IllegalMove([refused])
        self._begin_entry()
        try:
            resigning.resign_seat(self, seat)
            if not self.state.over:
                self._run()
        except BaseException:
            self._broken = True
            raise
        self._revealed = True
        self._end_entry(Entry("resign", seat), seat)
        return self.events

    @classmethod
    def replay(cls, options: Options, entries: Iterable[Entry]) -> Game:
        """The game that these entries lead to. It is played from the last seam, if there is one."""
        log = list(entries)
        start = max((version for version, entry in enumerate(log, 1) if entry.seam is not None), default=0)
        seam = log[start - 1].seam if start else None
        game = cls.new(options) if seam is None else cls.resumed(options, seam.state, log[:start])
        for entry in log[start:]:
            if entry.kind == "move" and entry.move is not None:
                game.apply(entry.move, entry.seat)
            elif entry.kind == "undo":
                game.undo(entry.seat, consent=True)
            elif entry.kind == "resign":
                game.resign(entry.seat)
            else:
                raise BadState("REPLAY_FAILED", f"an entry of the log cannot be {entry.kind!r}")
        return game

    # -- One entry of the log after the other ----------------------------------------------------------------------

    def _refuse_if_broken(self) -> None:
        if self._broken:
            raise RulesDefect("this game stopped half way through a move: go on from the state before it")

    def _begin_entry(self) -> None:
        self._refuse_if_broken()
        self._work = 0
        self._told = []
        self._events = self._drawn = None
        self._version = len(self.log) + 1
        self._revealed = False
        self._entry = ()

    def _end_entry(self, entry: Entry, mover: int, *, concerns_others: bool = False) -> None:
        undo.raise_barriers(self.state, mover, revealed=self._revealed, concerns_others=concerns_others)
        sort_mappings(self.state, self.ruleset.mappings, self._sorted)
        self.log.append(entry)

    def _answer(self, decision: Decision, move: Move) -> None:
        self.state.decision = None
        question = self.ruleset.questions[decision.kind]
        beside = move.verb in question.free
        if question.answered is not None and not beside:
            question.answered(self, decision, move)
        self.ruleset.verbs[move.verb].apply(self, decision, move)
        if beside:
            self.ask(decision.kind, decision.seat, **decision.context)

    def _run(self) -> None:
        """Goes on until a seat is asked, or the game is over."""
        state = self.state
        self._work_off_agenda()
        if state.decision is None and not state.over:
            raise RulesDefect("the game is neither over nor waiting for a decision")

    def question(self) -> Question:
        """The open decision as compiled."""
        assert self.state.decision is not None
        return self.ruleset.questions[self.state.decision.kind]
