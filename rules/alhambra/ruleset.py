"""The compiled rules of one game: tables and tuples of functions, from the base game and the modules.

A ruleset is compiled once per combination and cached. Where no module hooks in, a table has no entry and a tuple is
empty, so a module that is not on costs nothing. The engine never asks which modules are on; it runs what was compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import lru_cache
from hashlib import blake2b
from itertools import compress
from json import dumps
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from .base import BASE
from .base.sole_action import SOLE_AT, closed_unless_alone
from .components import START_TILES, Card, Tile, component_data
from .declarations import PieceKind
from .effects import compile_effects, effects_of
from .hook_types import REACTIONS
from .migrations import versions_of
from .module import DecisionKind, Layer, Modify, Module, Permit, Reserve, Step, TileKind, Verb
from .placement.rules import check_placement
from .procedures import PROCEDURES, belongs_to_seat, compile_procedures
from .registry import ON_REGISTER, load_module
from .state import AgendaItem, Decision, mapping_fields
from .violations import BadOptions, Violation

if TYPE_CHECKING:
    from .game import Game
    from .options import Options

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
ENGINE_VERSION = "1"
Closes: TypeAlias = Callable[["Game", Decision, str], Violation | None]
"""Why a verb cannot answer a decision; None if it can."""
CompiledStep: TypeAlias = tuple[Callable[..., None], str, str, AgendaItem]
"""A step of a procedure: what to run, the phase of the turn that it belongs to, how a score line names it, and how the
agenda spells the rest of the procedure behind it, empty behind the last."""


class Question:
    """A compiled decision: its verbs in a fixed order, and how a pass is judged."""

    __slots__ = (
        "answered",
        "closes",
        "concerns_others",
        "free",
        "kind",
        "named",
        "offered",
        "open",
        "open_by",
        "verbs",
    )

    def __init__(self, kind: DecisionKind, verbs: tuple[Verb, ...], closes: tuple[Closes, ...] = ()) -> None:
        self.kind = kind
        self.closes = closes
        """What may close one of its verbs."""
        self.concerns_others = kind.concerns_others
        self.free = frozenset(verb.name for verb in verbs if verb.free and verb.name not in kind.verbs)
        """The verbs that are made beside the question and leave it open."""
        self.open = _open_or_free(kind.open, self.free) if kind.open and self.free else kind.open
        self.open_by = kind.open_by
        self.offered: dict[object, Mapping[str, Verb]] = {}
        """Verbs that answer it, by the value of `open_by`."""
        self.answered = kind.answered
        self.verbs = verbs
        self.named = {verb.name: verb for verb in verbs}


def _open_or_free(
    is_open: Callable[[Game, Decision, Verb], bool], free: frozenset[str]
) -> Callable[[Game, Decision, Verb], bool]:
    """Return `open` for a question with free verbs, which are always open."""

    def judged(game: Game, decision: Decision, verb: Verb) -> bool:
        return verb.name in free or is_open(game, decision, verb)

    return judged


class Ruleset:
    """The compiled rules of a game: edition, modules, number of seats."""

    def __init__(self, modules: tuple[Module, ...], variants: tuple[str, ...], seats: int, edition: str) -> None:
        self.modules = modules
        self.keys = tuple(module.key for module in modules[1:])
        self.versions = versions_of(modules)
        """The versions that a stored state names."""
        self.variants = frozenset(variants)
        self.seats = seats
        self.edition = edition
        self.id = _identity(modules, variants, seats, edition)
        self.check_placement = check_placement

        self.tiles: dict[str, Tile] = _unique((tile.id, tile) for module in modules for tile in module.tiles)
        self.tiles.update({tile.id: tile for tile in START_TILES[:seats]})
        self.cards: dict[str, Card] = _unique((card.id, card) for module in modules for card in module.cards)
        self.kinds: dict[str, TileKind] = _unique((kind.name, kind) for module in modules for kind in module.kinds)
        self.effects = compile_effects(modules)
        """Everything that a purchase can allow."""
        self.effects_of = {kind.name: effects_of(kind, self.effects) for kind in self.kinds.values()}
        """By kind of tile: what buying such a tile from a market space allows."""
        self.lapses = {kind.name: kind.lapse for kind in self.kinds.values() if kind.lapse is not None}
        """By kind of tile that is built or lost: what becomes of a pending one that can be laid nowhere."""
        self.anchors = {kind.name: kind.anchor for kind in self.kinds.values() if kind.anchor is not None}
        """By kind of tile that must touch something: what is wrong with one where it lies."""
        self.side_slots = {kind.name: kind.side_slot for kind in self.kinds.values() if kind.side_slot is not None}
        """By kind of tile that lies beside the market: its slot, by the number of the space that it comes to."""
        self.piece_kinds: dict[str, PieceKind] = _unique(
            (kind.name, kind) for module in modules for kind in module.piece_kinds
        )
        self.pieces = frozenset(_unique((piece, piece) for module in modules for piece in module.words("piece")))
        self.module_keys = {module.state: module.key for module in modules if module.state is not None}
        self.state_types = {module.key: module.state for module in modules if module.state is not None}
        self.mappings = mapping_fields(self.state_types.items())

        self.verbs: dict[str, Verb] = _unique((verb.name, verb) for module in modules for verb in module.verbs)
        self.modules_of_verbs = {
            verb.name: module.key for module in modules if module is not BASE for verb in module.verbs
        }
        """By verb of a module: the key of that module."""
        self.questions = self._questions()
        self.asks = _by_key(module.asks for module in modules)
        self.procedure_table = compile_procedures(modules)
        self.procedures = {
            procedure: tuple(step.run for step in self._steps(procedure).values()) for procedure in PROCEDURES
        }
        self.stages = {procedure: self._compiled(procedure) for procedure in PROCEDURES}
        """For each procedure, by the name of the step where it goes on: what is still to be run; "" for all of it."""
        self.stages_of_all = {procedure: self._compiled(procedure, of_all=True) for procedure in PROCEDURES}
        """`stages` without what belongs to one seat: what is run if that seat has resigned."""
        self.steps: dict[str, Callable[..., None]] = _unique(
            (f"{module.key}.{name}", step) for module in modules for name, step in module.agenda.items()
        )
        self.step_names = {step: name for name, step in self.steps.items()}
        self.step_items: dict[Callable[..., None], AgendaItem] = {step: (name,) for name, step in self.steps.items()}
        """By step: its agenda item without arguments."""
        self.procedure_items: dict[str, AgendaItem] = {name: ("frame", name, "") for name in PROCEDURES}
        """By procedure: its agenda item without arguments, from its first stage on."""
        self.scores_before_seats = frozenset(reason for module in modules for reason in module.scores_before_seats)

        self.reactions = {**dict.fromkeys(REACTIONS, ()), **_by_key(module.reactions for module in modules)}
        """By what has happened: what the modules do then, in their order."""
        self.variations = _given(module.variations for module in modules)
        self.tenders = _given(module.tenders for module in modules)
        self.open_cards = _given(module.open_cards for module in modules)
        self.licences = _given(module.licences for module in modules)
        self.closes = _given(module.closes for module in modules)
        """By any decision; `Question.closes` has those of one."""
        self.locks = _given(module.locks for module in modules)
        self.drawn = _given(module.drawn for module in modules)
        self.offers = _by_key(module.offers for module in modules)
        self.unsold = _by_key(module.unsold for module in modules)
        self.helpers = _by_key(module.helpers for module in modules)
        self.vetoes = _by_key(module.vetoes for module in modules)
        if any(verb.sole for verb in self.verbs.values()):
            self.closes = (closed_unless_alone, *self.closes)
        self.items = _unique(pair for module in modules for pair in module.items.items())
        self.routes = _unique(pair for module in modules for pair in module.routes.items())
        self.permits: dict[str, Permit] = _unique((p.choice, p) for module in modules for p in module.permits)
        self.upright = frozenset(
            tile.id
            for tile in self.tiles.values()
            if tile.plain
            and not (tile.rotatable or self.permits or tile.kind in self.anchors or "rotate" in self.helpers)
        )
        """Plain tiles that are always laid upright, and anywhere that the construction rules allow: they cannot be
        rotated, and no module restricts them or permits more."""
        self.modifiers = _modifiers(modules)
        self.reserve = self._reserve()
        self._tables: dict[Callable[[Ruleset], Any], Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        # Tables of functions cannot be pickled: the receiving process compiles the same rules.
        return compile_ruleset, (self.seats, self.edition, tuple(sorted(self.keys)), tuple(sorted(self.variants)))

    def __copy__(self) -> Ruleset:
        copied = object.__new__(Ruleset)
        copied.__dict__.update(self.__dict__)
        return copied

    def __deepcopy__(self, _memo: object) -> Ruleset:
        return self  # rules never change, so copies of games share them

    def _questions(self) -> dict[str, Question]:
        kinds: dict[str, DecisionKind] = _unique((kind.name, kind) for r in self.modules for kind in r.decisions)
        found = {}
        for name, kind in kinds.items():
            named = {*kind.verbs}.union(*(module.answers.get(name, ()) for module in self.modules))
            offered = [verb for verb in self.verbs.values() if {name, "*"} & {*verb.at} or verb.name in named]
            found[name] = Question(kind, tuple(offered), self._closing(name))
        return found

    def _closing(self, decision: str) -> tuple[Closes, ...]:
        """Return what may close a verb of a decision: sole actions first, then the modules."""
        sole = decision in SOLE_AT and any(verb.sole for verb in self.verbs.values())
        asked = _given(module.closes for module in self.modules if not module.closes_at or decision in module.closes_at)
        return (closed_unless_alone, *asked) if sole else asked

    def _steps(self, procedure: str) -> dict[str, Step]:
        """Return the steps of a procedure in their order, by the names under which stored games resume them."""
        return _unique(
            (step_name(module.key, step), step)
            for stage in self.procedure_table.stages[procedure]
            for module in self.modules
            for step in module.steps
            if step.stage == f"{procedure}.{stage}" and (not step.asking or step.asking in self.asks)
        )

    def _compiled(self, procedure: str, *, of_all: bool = False) -> dict[str, tuple[CompiledStep, ...]]:
        steps = self._steps(procedure)
        following = (*tuple(steps)[1:], "")[: len(steps)]
        stages = [
            (
                step.run,
                self.procedure_table.phases.get(step.stage, ""),
                self.procedure_table.score_stages.get(step.stage, ""),
                ("frame", procedure, name) if name else (),
            )
            for step, name in zip(steps.values(), following, strict=True)
        ]
        run = [not (of_all and belongs_to_seat(step.stage, self.procedure_table.phases)) for step in steps.values()]
        starts = [("", 0), *((name, place) for place, name in enumerate(steps))]
        return {name: tuple(compress(stages[place:], run[place:])) for name, place in starts}

    def _reserve(self) -> Reserve:
        found = [module for module in self.modules if module.reserve is not None]
        if len(found) > 2:
            keys = [module.key for module in found[1:]]
            raise BadOptions("MODULES_CLASH", f"more than one module replaces the reserve: {keys}", modules=keys)
        reserve = found[-1].reserve
        assert reserve is not None
        return reserve

    def table(self, work_out: Callable[[Ruleset], T]) -> T:
        """Return what follows from the rules alone, worked out on first use: the offer of each tile on each space."""
        found: T | None = self._tables.get(work_out)
        if found is None:
            found = self._tables[work_out] = work_out(self)
        return found

    def explain(self, hook: str) -> str:
        """Return which modules take part in a hook or procedure, in the order in which they run: one line each."""
        lines = list(self._explained(hook))
        if not lines:
            return f"{hook}: nobody"
        return "\n".join([f"{hook}:", *(f"  {line}" for line in lines)])

    def _explained(self, hook: str) -> Iterator[str]:
        if hook == "placement":
            yield f"construction rules ({self.check_placement.__module__}.{self.check_placement.__name__})"
            for part in ("anchors", "permits", "helpers", "locks"):
                yield from (f"{part}: {line}" for line in self._explained(part))
        elif hook in PROCEDURES:
            for stage in self.procedure_table.stages[hook]:
                for module in self.modules:
                    for step in module.steps:
                        if step.stage == f"{hook}.{stage}":
                            yield f"{stage}: {module.key}.{step.run.__name__}"
        elif hook in self.modifiers:
            owners = {id(modifier): module.key for module in self.modules for modifier in module.modify}
            for modifier in self.modifiers[hook]:
                yield f"{modifier.layer.name}: {owners[id(modifier)]}.{modifier.operand.__name__}"
        elif hook == "anchors":
            yield from (f"{module.key}: {kind.name}" for module in self.modules for kind in module.kinds if kind.anchor)
        elif hook in REACTIONS:
            for module in self.modules:
                yield from _explain_field(module, module.reactions.get(hook))
        elif hook in {field.name for field in fields(Module)}:
            for module in self.modules:
                yield from _explain_field(module, getattr(module, hook))


def _explain_field(module: Module, value: Any) -> Iterator[str]:
    if callable(value):
        yield f"{module.key}.{value.__name__}"
    elif isinstance(value, tuple):
        yield from (f"{module.key}: {getattr(entry, 'choice', getattr(entry, 'name', entry))}" for entry in value)
    elif isinstance(value, dict):
        yield from (f"{module.key}: {key}" for key in value)
    elif value is not None:
        yield f"{module.key}"


def step_name(key: str, step: Step) -> str:
    """Return the name under which a stored game resumes this step of a procedure: stage, module, and the step's own
    name if it has one."""
    stage = step.stage.partition(".")[2]
    return f"{stage}.{key}.{step.name}" if step.name else f"{stage}.{key}"


def _unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise BadOptions("MODULES_CLASH", f"{key!r} is contributed twice", id=key)
        found[key] = value
    return found


def _given(functions: Iterable[F | None]) -> tuple[F, ...]:
    return tuple(function for function in functions if function is not None)


def _by_key(tables: Iterable[Any]) -> dict[str, tuple[Callable[..., Any], ...]]:
    found: dict[str, tuple[Callable[..., Any], ...]] = {}
    for table in tables:
        for key, function in table.items():
            found[key] = (*found.get(key, ()), function)
    return found


def _modifiers(modules: tuple[Module, ...]) -> dict[str, tuple[Modify, ...]]:
    found: dict[str, list[Modify]] = {}
    for module in modules:
        for modifier in module.modify:
            found.setdefault(modifier.value, []).append(modifier)
    for value, changes in found.items():
        setters = [modifier for modifier in changes if modifier.layer is Layer.SET]
        if len(setters) > 1 and sum(modifier.final for modifier in setters) != 1:
            raise BadOptions("MODULES_CLASH", f"two modules set {value!r}", value=value)
        # A final SET comes last among the SETs, so that it is the one that counts.
        changes.sort(key=lambda modifier: (modifier.layer, modifier.final))
    return {value: tuple(changes) for value, changes in found.items()}


def _ordered(modules: list[Module]) -> list[Module]:
    """Return the modules by number, but none before a module that its `after` names."""
    waiting = sorted(modules, key=lambda module: module.number)
    keys = {module.key for module in modules}
    done: list[Module] = []
    while waiting:
        missing = keys - {module.key for module in done}
        ready = next((module for module in waiting if not missing & set(module.after)), None)
        if ready is None:
            names = [module.key for module in waiting]
            raise BadOptions("MODULES_CLASH", f"modules wait for each other: {names}", modules=names)
        waiting.remove(ready)
        done.append(ready)
    return done


def _identity(modules: tuple[Module, ...], variants: tuple[str, ...], seats: int, edition: str) -> str:
    """Return the id of a ruleset: engine version, edition, modules, and a digest of everything that decides how the
    game runs. Under one id the same moves lead to the same game. Names, notes and other texts for people do not
    count."""
    data = component_data()
    printed = [data["base"], *(data["modules"].get(module.key, {}).get("data") for module in modules)]
    contributed = [
        (module.key, module.version, module.tiles, module.cards, module.words("piece")) for module in modules
    ]
    text = dumps([contributed, sorted(variants), seats, _deciding(printed)], sort_keys=True, default=_as_list)
    digest = blake2b(text.encode(), digest_size=8).hexdigest()
    names = "+".join(str(module.number) for module in modules[1:]) or "base"
    return f"{ENGINE_VERSION}:{edition}:{names}:{seats}:{digest}"


def fingerprint(module: Module) -> str:
    """Return a digest of what decides play in one module beside its code: tiles, cards, pieces and printed values. If
    it changes, the module needs a migration, because stored games were played with the old values."""
    data = component_data()
    printed = data["base"] if module is BASE else data["modules"].get(module.key, {}).get("data")
    contributed = (module.tiles, module.cards, module.words("piece"), _deciding(printed))
    return blake2b(dumps(contributed, sort_keys=True, default=_as_list).encode(), digest_size=8).hexdigest()


DESCRIPTIONS = ("name", "note", "origin", "other_names", "provenance")
"""Prefixes of keys of the component data that describe a component and are not part of it."""


def _deciding(data: Any) -> Any:
    """Return component data without descriptions: those keys, and every text of several words, which is no id."""
    if isinstance(data, dict):
        return {key: _deciding(value) for key, value in data.items() if not key.startswith(DESCRIPTIONS)}
    if isinstance(data, list):
        return [_deciding(value) for value in data]
    return None if isinstance(data, str) and " " in data else data


def _as_list(module: Any) -> list[Any]:
    """Return a tile, a part of it or a card as plain data, without what follows from the rest."""
    return [getattr(module, field.name) for field in fields(module) if field.init]


@lru_cache(maxsize=256)
def compile_ruleset(seats: int, edition: str, modules: tuple[str, ...] = (), variants: tuple[str, ...] = ()) -> Ruleset:
    """Return the rules of a game with these modules, from a cache."""
    loaded = _ordered([load_module(key) for key in modules])
    known = {f"{module.key}.{variant}" for module in loaded for variant in module.variants}
    for variant in variants:
        if variant not in known:
            raise BadOptions("OPTION_INVALID", f"no variant {variant!r}", option="variants", known=sorted(known))
    return Ruleset((BASE, *loaded), variants, seats, edition)


def rules_for(options: Options) -> Ruleset:
    """Return the compiled rules that these options ask for."""
    return compile_ruleset(
        len(options.seats), options.edition, tuple(sorted(options.modules)), tuple(sorted(options.variants))
    )


ON_REGISTER.append(compile_ruleset.cache_clear)
