"""Compiling the rules of one game: the base record and the modules' records become tables and tuples of functions.

A ruleset is made once per combination and cached. Where nobody hooks in, a table has no entry and a tuple is empty, so
a module that is not on costs nothing. The engine never asks which modules are on; it runs what was compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from functools import lru_cache
from hashlib import blake2b
from itertools import compress
from json import dumps
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from .base import BASE
from .base.sole_action import closed_unless_alone
from .components import START_TILES, Card, Tile, component_data
from .construction import check_placement
from .declarations import PieceKind
from .effects import compile_effects, effects_of
from .frames import FRAMES, compile_sequences, of_a_seat
from .migrations import versions_of
from .module import DecisionKind, Layer, Modify, Module, Permit, Reserve, Step, TileKind, Verb
from .registry import WHEN_REGISTERED, load_module
from .state import Decision, Frame, mapping_fields
from .violations import BadOptions

if TYPE_CHECKING:
    from .game import Game
    from .options import Options

T = TypeVar("T")
ENGINE_VERSION = "1"
CompiledStep: TypeAlias = tuple[Callable[..., None], str, str, Frame]
"""A step of a frame: what to run, the phase of the turn that it belongs to, how a score line names it, and how the
agenda spells the rest of the frame behind it, empty behind the last."""

TUPLES = (
    *("variations", "tenders", "open_cards", "licences", "closes", "locks", "acquired", "built"),
    *("unbuilt", "money_taken", "drawn", "laid", "sunk", "boxed", "given", "resigned"),
)
"""Hooks that are one function per module and become a tuple."""


class Question:
    """A decision as compiled: its verbs in a fixed order, and how passing is judged."""

    __slots__ = ("answered", "concerns_others", "free", "kind", "named", "open", "verbs")

    def __init__(self, kind: DecisionKind, verbs: tuple[Verb, ...]) -> None:
        self.kind = kind
        self.concerns_others = kind.concerns_others
        self.free = frozenset(verb.name for verb in verbs if verb.free and verb.name not in kind.verbs)
        """The verbs that are made beside the question and leave it open."""
        self.open = _open_or_free(kind.open, self.free) if kind.open and self.free else kind.open
        self.answered = kind.answered
        self.verbs = verbs
        self.named = {verb.name: verb for verb in verbs}


def _open_or_free(
    is_open: Callable[[Game, Decision, Verb], bool], free: frozenset[str]
) -> Callable[[Game, Decision, Verb], bool]:
    """What opens the verbs of a question beside which free verbs can be made: these are always open."""

    def judged(game: Game, decision: Decision, verb: Verb) -> bool:
        return verb.name in free or is_open(game, decision, verb)

    return judged


class Ruleset:
    """The compiled rules of a game: edition, modules, number of seats."""

    variations: tuple[Callable[..., Any], ...]
    tenders: tuple[Callable[..., Any], ...]
    open_cards: tuple[Callable[..., Any], ...]
    licences: tuple[Callable[..., Any], ...]
    closes: tuple[Callable[..., Any], ...]
    locks: tuple[Callable[..., Any], ...]
    acquired: tuple[Callable[..., Any], ...]
    built: tuple[Callable[..., Any], ...]
    unbuilt: tuple[Callable[..., Any], ...]
    money_taken: tuple[Callable[..., Any], ...]
    drawn: tuple[Callable[..., Any], ...]
    laid: tuple[Callable[..., Any], ...]
    sunk: tuple[Callable[..., Any], ...]
    boxed: tuple[Callable[..., Any], ...]
    given: tuple[Callable[..., Any], ...]
    resigned: tuple[Callable[..., Any], ...]

    def __init__(self, records: tuple[Module, ...], variants: tuple[str, ...], seats: int, edition: str) -> None:
        self.modules = records
        self.keys = tuple(record.key for record in records[1:])
        self.versions = versions_of(records)
        """The versions that a stored state names."""
        self.variants = frozenset(variants)
        self.seats = seats
        self.id = _identity(records, variants, seats, edition)
        self.check_placement = check_placement

        self.tiles: dict[str, Tile] = _unique((tile.id, tile) for record in records for tile in record.tiles)
        self.tiles.update({tile.id: tile for tile in START_TILES[:seats]})
        self.cards: dict[str, Card] = _unique((card.id, card) for record in records for card in record.cards)
        self.kinds: dict[str, TileKind] = _unique((kind.name, kind) for record in records for kind in record.kinds)
        self.effects = compile_effects(records)
        """Everything that a purchase can allow."""
        self.effects_of = {kind.name: effects_of(kind, self.effects) for kind in self.kinds.values()}
        """By kind of tile: what buying such a tile from a market space allows."""
        self.lapses = {kind.name: kind.lapse for kind in self.kinds.values() if kind.lapse is not None}
        """By kind of tile that is built or lost: what becomes of a pending one that can be laid nowhere."""
        self.piece_kinds: dict[str, PieceKind] = _unique(
            (kind.name, kind) for record in records for kind in record.shows
        )
        self.pieces = frozenset(_unique((piece, piece) for record in records for piece in record.pieces))
        self.slice_keys = {record.state: record.key for record in records if record.state is not None}
        self.slices = {record.key: record.state for record in records if record.state is not None}
        self.mappings = tuple(
            field for key, slice_type in self.slices.items() for field in mapping_fields(key, slice_type)
        )
        """The fields of slices that hold dictionaries."""

        self.verbs: dict[str, Verb] = _unique((verb.name, verb) for record in records for verb in record.verbs)
        self.modules_of_verbs = {
            verb.name: record.key for record in records if record is not BASE for verb in record.verbs
        }
        """By verb of a module: the key of that module."""
        self.questions = self._questions()
        self.asks = _by_key(record.asks for record in records)
        self.sequences = compile_sequences(records)
        self.frames = {frame: tuple(step.run for step in self._steps(frame).values()) for frame in FRAMES}
        self.moments = {frame: self._moments(frame) for frame in FRAMES}
        """For each frame, by the name of the step where it goes on: what is still to be run; "" for all of it."""
        self.moments_of_all = {frame: self._moments(frame, of_all=True) for frame in FRAMES}
        """The same without what belongs to one seat: what is run if that seat has resigned."""
        self.steps: dict[str, Callable[..., None]] = _unique(
            (f"{record.key}.{name}", step) for record in records for name, step in record.agenda.items()
        )
        self.step_names = {step: name for name, step in self.steps.items()}
        self.scores_before_seats = frozenset(reason for record in records for reason in record.scores_before_seats)

        for hook in TUPLES:
            functions = (getattr(record, hook) for record in records)
            setattr(self, hook, tuple(function for function in functions if function is not None))
        self.offers = _by_key(record.offers for record in records)
        self.unsold = _by_key(record.unsold for record in records)
        self.helpers = _by_key(record.helpers for record in records)
        self.vetoes = _by_key(record.vetoes for record in records)
        if any(verb.sole for verb in self.verbs.values()):
            self.closes = (closed_unless_alone, *self.closes)
        self.anchors = _by_key(record.anchors for record in records)
        self.items = _unique(pair for record in records for pair in record.items.items())
        self.routes = _unique(pair for record in records for pair in record.routes.items())
        self.stalls = _unique(pair for record in records for pair in record.stalls.items())
        self.permits: dict[str, Permit] = _unique((p.choice, p) for record in records for p in record.permits)
        self.modifiers = _modifiers(records)
        self.reserve = self._reserve()
        self._tables: dict[Callable[[Ruleset], Any], Any] = {}

    def _questions(self) -> dict[str, Question]:
        kinds: dict[str, DecisionKind] = _unique((kind.name, kind) for r in self.modules for kind in r.decisions)
        found = {}
        for name, kind in kinds.items():
            named = {*kind.verbs}.union(*(record.answers.get(name, ()) for record in self.modules))
            offered = [verb for verb in self.verbs.values() if {name, "*"} & {*verb.at} or verb.name in named]
            found[name] = Question(kind, tuple(offered))
        return found

    def _steps(self, frame: str) -> dict[str, Step]:
        """The steps of a frame in their order, by the names under which stored games go on with them."""
        return _unique(
            (step_name(record.key, step), step)
            for moment in self.sequences.moments[frame]
            for record in self.modules
            for step in record.steps
            if step.moment == f"{frame}.{moment}" and (not step.asking or step.asking in self.asks)
        )

    def _moments(self, frame: str, *, of_all: bool = False) -> dict[str, tuple[CompiledStep, ...]]:
        steps = self._steps(frame)
        following = (*tuple(steps)[1:], "")[: len(steps)]
        moments = [
            (
                step.run,
                self.sequences.phases.get(step.moment, ""),
                self.sequences.score_frames.get(step.moment, ""),
                ("frame", frame, name) if name else (),
            )
            for step, name in zip(steps.values(), following, strict=True)
        ]
        run = [not (of_all and of_a_seat(step.moment, self.sequences.phases)) for step in steps.values()]
        starts = [("", 0), *((name, place) for place, name in enumerate(steps))]
        return {name: tuple(compress(moments[place:], run[place:])) for name, place in starts}

    def _reserve(self) -> Reserve:
        found = [record for record in self.modules if record.reserve is not None]
        if len(found) > 2:
            keys = [record.key for record in found[1:]]
            raise BadOptions("MODULES_CLASH", f"more than one module replaces the reserve: {keys}", modules=keys)
        reserve = found[-1].reserve
        assert reserve is not None
        return reserve

    def table(self, work_out: Callable[[Ruleset], T]) -> T:
        """What follows from the rules alone, worked out when first asked for: the offer of each tile on each space."""
        found: T | None = self._tables.get(work_out)
        if found is None:
            found = self._tables[work_out] = work_out(self)
        return found

    def explain(self, hook: str) -> str:
        """Who takes part in a hook or frame, in the order in which they run: one line each."""
        lines = list(self._explained(hook))
        if not lines:
            return f"{hook}: nobody"
        return "\n".join([f"{hook}:", *(f"  {line}" for line in lines)])

    def _explained(self, hook: str) -> Iterator[str]:
        if hook == "placement":
            yield f"construction rules ({self.check_placement.__module__}.{self.check_placement.__name__})"
            for part in ("anchors", "permits", "helpers", "locks"):
                yield from (f"{part}: {line}" for line in self._explained(part))
        elif hook in FRAMES:
            for moment in self.sequences.moments[hook]:
                for record in self.modules:
                    for step in record.steps:
                        if step.moment == f"{hook}.{moment}":
                            yield f"{moment}: {record.key}.{step.run.__name__}"
        elif hook in self.modifiers:
            owners = {id(modifier): record.key for record in self.modules for modifier in record.modify}
            for modifier in self.modifiers[hook]:
                yield f"{modifier.layer.name}: {owners[id(modifier)]}.{modifier.operand.__name__}"
        elif hook in {field.name for field in fields(Module)}:
            for record in self.modules:
                yield from _explain_field(record, getattr(record, hook))


def _explain_field(record: Module, value: Any) -> Iterator[str]:
    if callable(value):
        yield f"{record.key}.{value.__name__}"
    elif isinstance(value, tuple):
        yield from (f"{record.key}: {getattr(entry, 'choice', getattr(entry, 'name', entry))}" for entry in value)
    elif isinstance(value, dict):
        yield from (f"{record.key}: {key}" for key in value)
    elif value is not None:
        yield f"{record.key}"


def step_name(key: str, step: Step) -> str:
    """The name under which a stored game goes on with this step of a frame: moment, module, and the step's own name if
    it has one."""
    moment = step.moment.partition(".")[2]
    return f"{moment}.{key}.{step.name}" if step.name else f"{moment}.{key}"


def _unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise BadOptions("MODULES_CLASH", f"{key!r} is contributed twice", id=key)
        found[key] = value
    return found


def _by_key(tables: Iterable[Any]) -> dict[str, tuple[Callable[..., Any], ...]]:
    found: dict[str, tuple[Callable[..., Any], ...]] = {}
    for table in tables:
        for key, function in table.items():
            found[key] = (*found.get(key, ()), function)
    return found


def _modifiers(records: tuple[Module, ...]) -> dict[str, tuple[Modify, ...]]:
    found: dict[str, list[Modify]] = {}
    for record in records:
        for modifier in record.modify:
            found.setdefault(modifier.value, []).append(modifier)
    for value, changes in found.items():
        setters = [modifier for modifier in changes if modifier.layer is Layer.SET]
        if len(setters) > 1 and sum(modifier.final for modifier in setters) != 1:
            raise BadOptions("MODULES_CLASH", f"two modules set {value!r}", value=value)
        # A final SET comes last among the SETs, so that it is the one that counts.
        changes.sort(key=lambda modifier: (modifier.layer, modifier.final))
    return {value: tuple(changes) for value, changes in found.items()}


def _ordered(records: list[Module]) -> list[Module]:
    """By number, but never before a module named in `after`."""
    waiting = sorted(records, key=lambda record: record.number)
    keys = {record.key for record in records}
    done: list[Module] = []
    while waiting:
        missing = keys - {record.key for record in done}
        ready = next((record for record in waiting if not missing & set(record.after)), None)
        if ready is None:
            names = [record.key for record in waiting]
            raise BadOptions("MODULES_CLASH", f"modules wait for each other: {names}", modules=names)
        waiting.remove(ready)
        done.append(ready)
    return done


def _identity(records: tuple[Module, ...], variants: tuple[str, ...], seats: int, edition: str) -> str:
    """Engine version, edition, modules, and a digest of everything that decides how the game runs: under one id the
    same moves lead to the same game. Names, notes and other texts for people decide nothing and do not count."""
    data = component_data()
    printed = [data["base"], *(data["modules"].get(record.key, {}).get("data") for record in records)]
    contributed = [(record.key, record.version, record.tiles, record.cards, record.pieces) for record in records]
    text = dumps([contributed, sorted(variants), seats, _deciding(printed)], sort_keys=True, default=_as_list)
    digest = blake2b(text.encode(), digest_size=8).hexdigest()
    names = "+".join(str(record.number) for record in records[1:]) or "base"
    return f"{ENGINE_VERSION}:{edition}:{names}:{seats}:{digest}"


def fingerprint(record: Module) -> str:
    """A digest of what decides play in one module beside its code: tiles, cards, pieces and printed values. If it
    changes, the module's version must grow, because games that are stored were played with what it was."""
    data = component_data()
    printed = data["base"] if record is BASE else data["modules"].get(record.key, {}).get("data")
    contributed = (record.tiles, record.cards, record.pieces, _deciding(printed))
    return blake2b(dumps(contributed, sort_keys=True, default=_as_list).encode(), digest_size=8).hexdigest()


TOLD = ("name", "note", "origin", "other_names", "provenance")
"""How those keys of the component data begin that are about a component and not part of it."""


def _deciding(data: Any) -> Any:
    """Component data without what is told about it: those keys, and every text of several words, which is no id."""
    if isinstance(data, dict):
        return {key: _deciding(value) for key, value in data.items() if not key.startswith(TOLD)}
    if isinstance(data, list):
        return [_deciding(value) for value in data]
    return None if isinstance(data, str) and " " in data else data


def _as_list(record: Any) -> list[Any]:
    """A tile, a part of it or a card as plain data, without what follows from the rest."""
    return [getattr(record, field.name) for field in fields(record) if field.init]


@lru_cache(maxsize=256)
def compile_ruleset(seats: int, edition: str, modules: tuple[str, ...] = (), variants: tuple[str, ...] = ()) -> Ruleset:
    """The rules of a game with these modules, made once."""
    records = _ordered([load_module(key) for key in modules])
    known = {f"{record.key}.{variant}" for record in records for variant in record.variants}
    for variant in variants:
        if variant not in known:
            raise BadOptions("OPTION_INVALID", f"no variant {variant!r}", option="variants", known=sorted(known))
    return Ruleset((BASE, *records), variants, seats, edition)


def rules_for(options: Options) -> Ruleset:
    """The compiled rules that these options ask for."""
    return compile_ruleset(
        len(options.seats), options.edition, tuple(sorted(options.modules)), tuple(sorted(options.variants))
    )


WHEN_REGISTERED.append(compile_ruleset.cache_clear)
