"""The engine: what rules can do to a game, and how the agenda is run.

Steps, verbs and hooks receive the game and call these methods: emit an event, ask a seat, push a step, draw random
numbers, find out which verbs are open. Programs that play games use the methods of `Game` itself.

The top of the agenda always runs next. A procedure is a sequence of named stages to which modules add steps;
it pauses whenever a step asks a seat or pushes another step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from .base.resignation import settle_question
from .codec import Texts
from .events import EventParts
from .fast_tuple import new_tuple
from .module import Layer, Modify, Verb
from .options import Options
from .procedures import owner_of
from .rng import Stream, seed_key
from .ruleset import Question, Ruleset
from .state import AgendaItem, Decision, State
from .violations import RulesDefect, Violation

if TYPE_CHECKING:
    from .moves import Move

T = TypeVar("T")
WORK_LIMIT = 20_000
"""Events that one move may emit, and steps, draws and random streams it may use. The busiest moves need about 60 of
each, a whole game with all modules about 13,000, so a move above the limit would never end."""


class GameEngine:
    """The state and rules of a game, with the methods that rules call. Programs that play games call the methods of
    `Game`: a method of this class, called between moves, can leave a game that cannot continue."""

    __slots__ = (
        "_cleared",
        "_current_item",
        "_emitted",
        "_is_determinization",
        "_key",
        "_revealed",
        "_sampled",
        "_work",
        "options",
        "ruleset",
        "score_stage",
        "state",
        "texts",
    )

    def __init__(self, options: Options, ruleset: Ruleset, state: State) -> None:
        self.options = options
        self.ruleset = ruleset
        self.state = state
        self.score_stage = ""
        """The name of the running stage in score lines."""
        self._key = seed_key(options.seed)
        self._emitted: list[EventParts] = []
        self._revealed = False
        """Whether hidden information was revealed, or random numbers drawn, since the entry began."""
        self._cleared = False
        """Whether the agenda was cleared while a procedure was running."""
        self._work = 0
        """Work done for this entry, in units of WORK_LIMIT."""
        self._current_item: AgendaItem = ()
        """The agenda item being run."""
        self._sampled: Move | None = None
        """The legal move sampled last; None once the state has changed."""
        self._is_determinization = False
        """Whether hidden information was resampled, so that the log does not lead to the state."""
        self.texts: Texts = {}
        """The state's fields as they were last written to bytes; shared with clones."""

    def count_work(self, units: int = 1) -> None:
        """Count work of the current move; raise RulesDefect above WORK_LIMIT. A loop inside a step must call this, or a
        method that does: `emit`, `chance`, drawing a card or tile."""
        self._work += units
        if self._work > WORK_LIMIT:
            raise RulesDefect(f"one move needs more than {WORK_LIMIT} steps, events and draws")

    def emit(self, kind: str, private: dict[int, dict[str, Any]] | None = None, /, **public: Any) -> None:
        """Emit an event with a public part (keywords) and private parts by seat."""
        told = self._emitted
        told.append((kind, public, private))
        if len(told) > WORK_LIMIT:  # counted by the length of the list, because a call for every event costs too much
            self.count_work(len(told))

    def ask(self, kind: str, seat: int, /, **context: Any) -> None:
        """Open a decision. Must be the last call of a step. The context is public. A seat that resigned is not asked;
        `resignation.settle_question` decides instead."""
        state = self.state
        if kind not in self.ruleset.questions:
            raise RulesDefect(f"a rule asks {kind!r}, which no module declares")
        if state.decision is not None:
            raise RulesDefect(f"a rule asks {kind!r} while {state.decision.kind!r} is open")
        decision = new_tuple(Decision, (kind, seat, context))
        if state.seats[seat].resigned:
            if state.agenda and state.agenda[-1] == self._current_item:
                state.agenda.pop()  # the step would only ask again
            settle_question(self, decision)  # type: ignore[arg-type]
            return
        state.decision = decision
        phase = state.phase
        if phase != state.phase_told:
            state.phase_told = phase
            self.emit("phase_began", phase=phase)
        self.emit("decision_opened", seat=seat, decision=kind, **context)

    def push(self, step: Callable[..., None], /, *args: Any) -> None:
        """Push a step onto the agenda. It runs before everything already there."""
        self.state.agenda.append(self.ruleset.step_items[step] + args)

    def continue_later(self, height: int, step: Callable[..., None], /, *args: Any) -> bool:
        """Insert a step into the agenda at `height` if something above that height was asked or pushed, so that it runs
        afterwards. Return whether that was necessary."""
        if self.state.decision is None and len(self.state.agenda) == height:
            return False
        self.state.agenda.insert(height, self.ruleset.step_items[step] + args)
        return True

    def run_hooks(self, hooks: tuple[Callable[..., None], ...], /, *args: Any) -> None:
        """Call the hooks in order. Steps that they push run in the same order."""
        if not hooks:
            return
        agenda = self.state.agenda
        height = len(agenda)
        pushed: list[AgendaItem] = []
        for hook in hooks:
            hook(self, *args)
            pushed = [*agenda[height:], *pushed]
            del agenda[height:]
        agenda.extend(pushed)

    def push_procedure(self, procedure: str, /, *args: Any) -> None:
        """Push a procedure onto the agenda."""
        self.state.agenda.append(self.ruleset.procedure_items[procedure] + args)

    def run_procedure(self, procedure: str, /, *args: Any) -> None:
        """Run a procedure until a step asks or pushes something; the rest goes onto the agenda. Call `continue_later`
        next."""
        self._run_stages(self.ruleset.procedure_items[procedure] + args)

    def clear_agenda(self) -> None:
        """Drop all agenda items."""
        self.state.agenda.clear()
        self._cleared = True

    def chance(self, label: str) -> Stream:
        """Return a new stream of random numbers for this label. Undo cannot go back beyond this call."""
        self.count_work()
        draws = self.state.draws
        use = draws.get(label, 0)
        self.state.draws = {**draws, label: use + 1}
        self._revealed = True
        return Stream(self._key, label, use)

    def mark_revealed(self) -> None:
        """Record that hidden information was revealed: undo cannot go back beyond this point."""
        self._revealed = True

    def module_state(self, kind: type[T]) -> T:
        """Return a module's state by its type (`Module.state`). It belongs to this game until the game is cloned."""
        kept: T = self.state.module_states.own[self.ruleset.module_keys[kind]]
        return kept

    def value(self, name: str, start: int, /, *args: Any) -> int:
        """Return a value after all modifiers, applied in the order SET, ADD, SCALE, FLOOR, CAP."""
        result = start
        for modifier in self.ruleset.modifiers.get(name, ()):
            operand = modifier.operand(self, *args)
            if operand is not None:
                result = _modified(result, modifier.layer, operand)
        return result

    def value_parts(self, name: str, start: int, /, *args: Any) -> tuple[tuple[str, int], ...]:
        """Return the summands of `value`: the start value as `base`, then the change by each module."""
        parts = [("base", start)]
        result = start
        for modifier, key in self.ruleset.table(_modifiers_with_keys).get(name, ()):
            operand = modifier.operand(self, *args)
            before = result
            if operand is not None:
                result = _modified(before, modifier.layer, operand)
            if result != before:
                parts.append((key, result - before))
        return tuple(parts)

    def may_be_asked(self, kind: str, seat: int) -> bool:
        """Return whether a module asks the seat this shared decision, judging by public information."""
        asks = self.ruleset.asks.get(kind)
        return asks is not None and any(ask(self, seat) for ask in asks)

    def spend_action(self, verb: str) -> None:
        """Use up one of the remaining actions."""
        self.state.actions -= 1
        self.state.taken = (*self.state.taken, verb)

    def reseed(self, seed: str) -> None:
        """Use another seed from now on. For determinizations only."""
        self._is_determinization = True
        self.options = self.options.with_seed(seed)
        self._key = seed_key(seed)

    # -- Which verbs are open ---------------------------------------------------------------------------------------

    def question(self) -> Question:
        """Return the compiled kind of the open decision."""
        assert self.state.decision is not None
        return self.ruleset.questions[self.state.decision.kind]

    def without_vetoed(self, verb: Verb, decision: Decision, found: Iterable[Move]) -> Iterable[Move]:
        """Return those moves that no module vetoes. All must have this verb."""
        vetoes = self.ruleset.vetoes.get(verb.name)
        if not vetoes:
            return found
        return (move for move in found if not any([*veto(self, decision, move)] for veto in vetoes))

    def offered_verbs(self, decision: Decision) -> tuple[Verb, ...]:
        """Return the verbs that can answer the decision now: opened by its kind (`DecisionKind.open`) and not closed by
        a module (`Module.closes`)."""
        return tuple(self._open(decision).values())

    def is_open(self, decision: Decision, verb: Verb) -> bool:
        """Return whether this verb can answer the decision now. Cheaper than `offered_verbs`."""
        return verb.name in self._offered(decision) and not (self.ruleset.closes and self._closed(decision, verb.name))

    def possible_verbs(self, decision: Decision) -> tuple[Verb, ...]:
        """Return the offered verbs that may have a legal move, judging by public information."""
        verbs = self._open(decision).values()
        return tuple([verb for verb in verbs if verb.possible is None or verb.possible(self, decision)])  # type: ignore[arg-type]

    def _open(self, decision: Decision) -> Mapping[str, Verb]:
        offered = self._offered(decision)
        closes = self.ruleset.questions[decision.kind].closes
        if not closes:
            return offered
        found = {}
        for name, verb in offered.items():
            for close in closes:
                if close(self, decision, name) is not None:  # type: ignore[arg-type]
                    break
            else:
                found[name] = verb
        return found

    def _closed(self, decision: Decision, verb: str) -> list[Violation]:
        """Return the reasons why modules close a verb."""
        closes = self.ruleset.questions[decision.kind].closes
        asked = [close(self, decision, verb) for close in closes]  # type: ignore[arg-type]
        return [violation for violation in asked if violation is not None]

    def _offered(self, decision: Decision) -> Mapping[str, Verb]:
        question = self.ruleset.questions[decision.kind]
        is_open, open_by = question.open, question.open_by
        if is_open is None:
            return question.named
        found = None if open_by is None else question.offered.get(open_by(self))
        if found is None:
            found = {name: verb for name, verb in question.named.items() if is_open(self, decision, verb)}  # type: ignore[arg-type]
            if open_by is not None:
                question.offered[open_by(self)] = found
        return found

    def assume_legal(self, move: Move) -> None:
        """Let `play` skip the verification of this move until the state changes. Only for moves that were listed in a
        determinization of the same state; an illegal move corrupts the game."""
        self._sampled = move

    # -- Running the agenda ------------------------------------------------------------------------------------------

    def _run_agenda(self) -> None:
        """Run the agenda until a decision is open or the game is over."""
        state = self.state
        agenda = state.agenda
        steps = self.ruleset.steps
        for _ in range(WORK_LIMIT):
            if state.decision is not None:
                return
            if not agenda:
                if state.over:
                    return
                raise RulesDefect("the game is neither over nor waiting for a decision")
            entry = self._current_item = agenda.pop()
            name = entry[0]
            if name == "frame":
                self._run_stages(entry)
            elif len(entry) == 1:  # most steps have no arguments, and a call without a star is faster
                steps[name](self)
            else:
                steps[name](self, *entry[1:])
        self.count_work(WORK_LIMIT + 1)

    def _run_stages(self, entry: AgendaItem) -> None:
        """Run the stages of a procedure until one asks or pushes something; the rest goes below that."""
        state = self.state
        agenda = state.agenda
        height = len(agenda)
        procedure, about = entry[1], entry[3:]
        self._cleared = False
        stages = self.ruleset.stages[procedure][entry[2]]
        owner = state.active if procedure == "turn" else owner_of(procedure, about)
        if owner is not None and state.seats[owner].resigned:
            stages = self.ruleset.stages_of_all[procedure][entry[2]]
        for step, phase, score_stage, rest in stages:
            if phase:
                state.phase = phase
            self.score_stage = score_stage
            if about:
                step(self, *about)
            else:
                step(self)
            if self._cleared:
                return
            if state.decision is not None or len(agenda) != height:
                if rest:
                    agenda.insert(height, rest + about)
                return


def _modified(value: int, layer: Layer, operand: int) -> int:
    """Return the value after one modifier."""
    if layer is Layer.SET:
        return operand
    if layer is Layer.ADD:
        return value + operand
    if layer is Layer.SCALE:
        return value * operand
    return max(value, operand) if layer is Layer.FLOOR else min(value, operand)


def _modifiers_with_keys(ruleset: Ruleset) -> dict[str, tuple[tuple[Modify, str], ...]]:
    """Return the modifiers of each value in order, each with the key of its module."""
    keys = {id(modifier): module.key for module in ruleset.modules for modifier in module.modify}
    return {
        name: tuple((modifier, keys[id(modifier)]) for modifier in found) for name, found in ruleset.modifiers.items()
    }
