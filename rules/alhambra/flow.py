"""How a game goes on: what the rules may do with it, and how the agenda is worked off.

Steps, verbs and hooks are handed the game and change it through what stands here: they tell events, ask a seat, put
steps on the agenda, draw by chance. What comes next is always the top of the agenda; a procedure is a row of steps with
names, in which every module may have some, and it waits wherever one of them asks or pushes something.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .base.resignation import settle_question
from .events import Telling
from .fast_tuple import new_tuple
from .module import Layer, Modify
from .options import Options
from .procedures import whose
from .rng import Stream, seed_key
from .ruleset import Ruleset
from .state import AgendaItem, Decision, State
from .violations import RulesDefect

T = TypeVar("T")
WORK_LIMIT = 20_000
"""How many events one move may tell, and how many steps, draws of cards and tiles and draws of chance it may set off.
The busiest moves of the existing modules need about 60 of everything, a whole game with all of them about 13,000: a
move that passes the limit would never end."""


class Flow:
    """The state of a game, the rules it follows, and what happens to it."""

    __slots__ = (
        "_cleared",
        "_entry",
        "_key",
        "_revealed",
        "_told",
        "_work",
        "options",
        "ruleset",
        "score_stage",
        "state",
    )

    def __init__(self, options: Options, ruleset: Ruleset, state: State) -> None:
        self.options = options
        self.ruleset = ruleset
        self.state = state
        self.score_stage = ""
        """How a score line names the stage that is run."""
        self._key = seed_key(options.seed)
        self._told: list[Telling] = []
        self._revealed = False
        """Whether something hidden was shown, or chance decided, since the entry began."""
        self._cleared = False
        """Whether the agenda was dropped while a procedure was run."""
        self._work = 0
        """What the entry has set off so far, in the units of WORK_LIMIT."""
        self._entry: AgendaItem = ()
        """What was taken off the agenda last and is being run."""

    def count_work(self, units: int = 1) -> None:
        """Counts work of the move that is being made; raises RulesDefect if it has passed WORK_LIMIT. A loop inside
        one step must call this, or something that does: `tell`, `chance`, drawing a card or a tile."""
        self._work += units
        if self._work > WORK_LIMIT:
            raise RulesDefect(f"one move has set off more than {WORK_LIMIT} steps, events and draws")

    def emit(self, kind: str, private: dict[int, dict[str, Any]] | None = None, /, **public: Any) -> None:
        """Announces an event: its public part by keywords, private parts by seat."""
        told = self._told
        told.append((kind, public, private))
        if len(told) > WORK_LIMIT:  # events are counted by their list: telling is too frequent for a call more
            self.count_work(len(told))

    def ask(self, kind: str, seat: int, /, **context: Any) -> None:
        """Opens a decision. The context is public. Must be the last thing a step does. A seat that resigned is not
        asked: the question is settled without an answer (`resigning.settle_question`)."""
        state = self.state
        if kind not in self.ruleset.questions:
            raise RulesDefect(f"a rule asks {kind!r}, and no module declares that decision")
        if state.decision is not None:
            raise RulesDefect(f"a rule asks {kind!r} while {state.decision.kind!r} stands open")
        decision = new_tuple(Decision, (kind, seat, context))
        if state.seats[seat].resigned:
            if state.agenda and state.agenda[-1] == self._entry:
                state.agenda.pop()  # the step would ask again, and nothing would have changed
            settle_question(self, decision)  # type: ignore[arg-type]
            return
        state.decision = decision
        if state.phase != state.phase_told:
            state.phase_told = state.phase
            self.emit("phase_began", phase=state.phase)
        self.emit("decision_opened", seat=seat, decision=kind, **context)

    def push(self, step: Callable[..., None], /, *args: Any) -> None:
        """Puts a step on the agenda: it comes next, before everything that stands there already."""
        self.state.agenda.append((self.ruleset.step_names[step], *args))

    def resume(self, height: int, step: Callable[..., None], /, *args: Any) -> bool:
        """If something was asked or pushed since the agenda had this height, lets the step wait below it."""
        if self.state.decision is None and len(self.state.agenda) == height:
            return False
        self.state.agenda.insert(height, (self.ruleset.step_names[step], *args))
        return True

    def react(self, hooks: tuple[Callable[..., None], ...], /, *args: Any) -> None:
        """Lets modules react to something, in order; what they push is done in the same order."""
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

    def enter(self, procedure: str, /, *args: Any) -> None:
        """Puts a whole procedure on the agenda."""
        self.state.agenda.append(("frame", procedure, "", *args))

    def run_frame(self, procedure: str, /, *args: Any) -> None:
        """Runs a procedure now, until one of its steps asks or pushes something; then the rest of it is on the agenda.
        To be followed by `resume`."""
        self._advance(("frame", procedure, "", *args))

    def clear_agenda(self) -> None:
        """Drops everything that was to come."""
        self.state.agenda.clear()
        self._cleared = True

    def chance(self, label: str) -> Stream:
        """A fresh stream of random numbers for one purpose. Undo does not go back across it."""
        self.count_work()
        draws = self.state.draws
        use = draws.get(label, 0)
        self.state.draws = {**draws, label: use + 1}
        self._revealed = True
        return Stream(self._key, label, use)

    def revealed(self) -> None:
        """Something hidden was shown to somebody: undo does not go back across it."""
        self._revealed = True

    def module_state(self, kind: type[T]) -> T:
        """A module's own data, by the type that its record names as `state`."""
        kept: T = self.state.module_states[self.ruleset.module_keys[kind]]
        return kept

    def value(self, name: str, start: int, /, *args: Any) -> int:
        """A value after everybody who modifies it: SET, then ADD, SCALE, FLOOR, CAP."""
        result = start
        for modifier in self.ruleset.modifiers.get(name, ()):
            operand = modifier.operand(self, *args)
            if operand is not None:
                result = _modified(result, modifier.layer, operand)
        return result

    def value_parts(self, name: str, start: int, /, *args: Any) -> tuple[tuple[str, int], ...]:
        """The parts that add up to `value`: the start as `base`, then by its key what each module changes."""
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

    def asked(self, kind: str, seat: int) -> bool:
        """Whether public facts let the seat be asked a shared decision."""
        asks = self.ruleset.asks.get(kind)
        return asks is not None and any(ask(self, seat) for ask in asks)

    def spend_action(self, verb: str) -> None:
        """One of the actions due is taken."""
        self.state.actions -= 1
        self.state.taken = (*self.state.taken, verb)

    def _work_off_agenda(self) -> None:
        state = self.state
        agenda = state.agenda
        steps = self.ruleset.steps
        while agenda and state.decision is None:
            entry = self._entry = agenda.pop()
            if entry[0] == "frame":
                self._advance(entry)
            elif len(entry) == 1:  # most steps are about nothing in particular, and a call without a star is quicker
                steps[entry[0]](self)
            else:
                steps[entry[0]](self, *entry[1:])
            self._work += 1
            if self._work > WORK_LIMIT:
                self.count_work()

    def _advance(self, entry: AgendaItem) -> None:
        """Runs the steps of a procedure until one asks or pushes something; then the rest waits below it."""
        state = self.state
        agenda = state.agenda
        height = len(agenda)
        about = entry[3:]
        self._cleared = False
        stages = self.ruleset.stages[entry[1]][entry[2]]
        owner = whose(entry[1], state.active, about)
        if owner is not None and state.seats[owner].resigned:
            stages = self.ruleset.stages_of_all[entry[1]][entry[2]]
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
    """A value after one modifier."""
    if layer is Layer.SET:
        return operand
    if layer is Layer.ADD:
        return value + operand
    if layer is Layer.SCALE:
        return value * operand
    return max(value, operand) if layer is Layer.FLOOR else min(value, operand)


def _modifiers_with_keys(ruleset: Ruleset) -> dict[str, tuple[tuple[Modify, str], ...]]:
    """The modifiers of each value in their order, with the keys of the modules that they belong to."""
    keys = {id(modifier): module.key for module in ruleset.modules for modifier in module.modify}
    return {
        name: tuple((modifier, keys[id(modifier)]) for modifier in found) for name, found in ruleset.modifiers.items()
    }
