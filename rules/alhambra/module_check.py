"""Checks of a module definition against the contract, as far as it can break it by itself.

`check_module` is called once for every definition, when it is registered or loaded, and raises BadModule with
everything that is wrong. First the form: every value is of the type that `module.py` and `hook_types.py` write down.
Then the names: a module may use names of the engine, of the base game and its own. Names of other modules are refused,
because whether those are on must not decide whether a module is right. What goes wrong only between two modules is
found when a ruleset is compiled.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any

from . import hook_types as parts
from . import module as contract
from .base import BASE
from .declarations import NOUNS as WORDED
from .effects import printed_effects
from .hook_types import PURPOSES, REACTIONS, SHARED, VALUES
from .module import EveryEffect, Module
from .moves import NOUNS, noun_form
from .procedures import ENGINE_STAGES, PROCEDURES
from .violations import CODES, BadModule, Fault

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
"""Options, stored games and texts join names with other signs."""
Rule = Callable[[Module], Iterable[Fault]]


def check_module(module: Module) -> None:
    """Raise BadModule if the definition of a module breaks the contract."""
    faults = list(_form(module))
    if not faults:  # names can be looked for only where the form is right
        faults = [fault for rule in RULES for fault in rule(module)]
    if faults:
        raise BadModule(str(module.key), *faults)


# -- The form ----------------------------------------------------------------------------------------------------------

_NAMESPACE: dict[str, Any] = {**vars(parts), **vars(contract)}
"""What the names in the types of the contract refer to."""
_ALIASES = {"Agenda": "Mapping[str, Callable]", "Reactions": "Mapping[str, Callable]", "Sample": "Callable"}
_PLAIN: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "None": ("None", lambda value: value is None),
    "bool": ("True or False", lambda value: isinstance(value, bool)),
    "int": ("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool)),
    "str": ("a text", lambda value: isinstance(value, str)),
    "type": ("a class", lambda value: isinstance(value, type)),
    "tuple": ("a tuple", lambda value: isinstance(value, tuple)),
    "Mapping": ("a mapping", lambda value: isinstance(value, Mapping)),
    "Callable": ("a function", callable),
}
"""By type: its name in a sentence, and whether a value is one."""


def _form(module: Module) -> Iterator[Fault]:
    for field in fields(Module):
        value = getattr(module, field.name)
        if value is not field.default:
            yield from (Fault(field.name, wrong) for wrong in _misfits(str(field.type), value))


def _misfits(kind: str, value: Any, what: str = "it") -> Iterator[str]:
    """Yield what is wrong with a value that should be of a type, as the contract spells it."""
    alternatives = [_split(_ALIASES.get(name, name), "[") for name in _split(kind, " | ")]
    fitting = next((name for name in alternatives if _is_a(name[0], value)), None)
    if fitting is None:
        wanted = " or ".join(_called(name[0]) for name in alternatives if name[0] != "None")
        yield f"{what} must be {wanted}, not {_shown(value)}"
        return
    outer, *inner = fitting
    if outer == "tuple":
        for place, entry in enumerate(value):
            yield from _misfits(_split(inner[0], ", ")[0], entry, f"entry {place}")
    elif outer == "Mapping":
        for word, entry in value.items():
            yield from _misfits("str", word, "a name")
            yield from _misfits(_split(inner[0], ", ")[1], entry, repr(word))
    elif is_dataclass(_NAMESPACE.get(outer)):
        for field in fields(_NAMESPACE[outer]):
            wrong = _misfits(str(field.type), getattr(value, field.name), f"`{field.name}`")
            yield from (f"{outer} {_named(value)}: {sentence}" for sentence in wrong)


def _is_a(outer: str, value: Any) -> bool:
    """Return whether a value is of a type, whatever its parts are."""
    if outer in _PLAIN:
        return _PLAIN[outer][1](value)
    found = _NAMESPACE.get(outer)
    return not isinstance(found, type) or isinstance(value, found)


def _called(outer: str) -> str:
    return _PLAIN[outer][0] if outer in _PLAIN else _with_article(outer)


def _with_article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


@cache
def _split(kind: str, by: str) -> tuple[str, ...]:
    """Return the parts of a type between separators outside brackets; by "[", its name and what its brackets hold."""
    if by == "[":
        outer, bracket, inner = kind.partition("[")
        return (outer, inner[:-1]) if bracket else (outer,)
    found, depth, part = [], 0, ""
    for letter in kind:
        depth += (letter == "[") - (letter == "]")
        part += letter
        if depth == 0 and part.endswith(by):
            found.append(part.removesuffix(by))
            part = ""
    return (*found, part)


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str | int | None) else _with_article(type(value).__name__)


def _named(entry: Any) -> str:
    """Return the name of a value of a hook type: its first field."""
    return _shown(getattr(entry, fields(entry)[0].name))


# -- The rules ---------------------------------------------------------------------------------------------------------


def _names(module: Module) -> Iterator[Fault]:
    number, key = module.number, module.key
    if number < 1:
        yield Fault("number", f"it must be at least 1, not {number}")
    if not NAME.fullmatch(key) or key == BASE.key:
        yield Fault("key", f"{key!r} is no name for a module: use letters, digits, `_` and `-`")
    if key in module.after:
        yield Fault("after", "a module cannot wait for itself")
    yield from (
        Fault("variants", f"{word!r} is no name: use letters, digits, `_` and `-`")
        for word in module.variants
        if not NAME.fullmatch(word)
    )


_NAMED_BY: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("after", "variants", "details"), str),
    **dict.fromkeys(("stages", "piece_kinds", "kinds", "verbs", "decisions"), lambda entry: entry.name),
    **dict.fromkeys(("tiles", "cards"), lambda entry: entry.id),
    "permits": lambda permit: permit.choice,
    "steps": lambda step: f"{step.stage}.{step.name}" if step.name else step.stage,
}
"""By field: what its entries are told apart by."""


def _twice(module: Module) -> Iterator[Fault]:
    for field, name in _NAMED_BY.items():
        counted = Counter(name(entry) for entry in getattr(module, field))
        for found, times in counted.items():
            if not found:
                yield Fault(field, "an entry has no name")
            elif times > 1:
                more = ": give them names" if field == "steps" else ""
                yield Fault(field, f"{found!r} stands there {times} times{more}")
    for noun, words in module.nouns.items():
        for word, times in Counter(words).items():
            if times > 1:
                yield Fault("nouns", f"{word!r} stands in {noun!r} {times} times")
    for kind in module.decisions:
        for answer, times in Counter(order.answer for order in kind.orders).items():
            if times > 1:
                yield Fault("decisions", f"{kind.name!r} has {times} standing orders {answer!r}")


def _words(module: Module) -> Iterator[Fault]:
    for field in ("events", "scores", "public_facts", "effects"):
        yield from (
            Fault(field, f"{word!r} has no meaning") for word, said in getattr(module, field).items() if not said
        )
    yield from (
        Fault("piece_kinds", f"{kind.name!r} has no meaning") for kind in module.piece_kinds if not kind.meaning
    )
    for reason in module.reasons:
        if reason.code not in CODES:
            yield Fault("reasons", f"there is no code {reason.code!r}")
        elif not reason.meaning:
            yield Fault("reasons", f"{reason.code!r} has no meaning")
    yield from _unknown("nouns", module.nouns, WORDED, f"{{}} is none of the nouns {_listed(WORDED)}")
    yield from _unknown("details", module.details, module.events, "the module has no event {}")


def _texts(module: Module) -> Iterator[Fault]:
    from .texts.messages import MalformedText, parsed

    for language, texts in module.texts.items():
        for key, text in texts.items():
            try:
                parsed(text)
            except MalformedText as fault:
                yield Fault("texts", f"{key!r} in {language!r} cannot be read: {fault}")


def _state_type(module: Module) -> Iterator[Fault]:
    kept = module.state
    if kept is None:
        return
    if not is_dataclass(kept) or "__slots__" not in vars(kept):
        yield Fault("state", f"{kept.__name__} must be a dataclass with slots")
        return
    for field in fields(kept):
        if field.default is MISSING and field.default_factory is MISSING:
            yield Fault("state", f"the field {field.name!r} of {kept.__name__} has no default")


def _stages(module: Module) -> Iterator[Fault]:
    for stage in module.stages:
        name, anchor = stage.name, stage.after or stage.before
        procedure, _, own = name.partition(".")
        if procedure not in PROCEDURES or not NAME.fullmatch(own):
            yield Fault(
                "stages",
                f"{name!r} must be the name of a procedure, a dot, and a name; procedures: {_listed(PROCEDURES)}",
            )
        elif name in ENGINE_STAGES:
            yield Fault("stages", f"{name!r} is a stage of the engine")
        elif bool(stage.after) == bool(stage.before):
            yield Fault("stages", f"{name!r} must stand either after or before a stage of the engine")
        elif anchor not in ENGINE_STAGES or anchor.partition(".")[0] != procedure:
            yield Fault(
                "stages",
                f"{name!r} cannot stand beside {anchor!r}: the engine's procedure {procedure!r} has no such stage",
            )
    own_stages = {stage.name for stage in module.stages}
    for step in module.steps:
        if step.stage not in ENGINE_STAGES | own_stages:
            yield Fault("steps", f"there is no stage {step.stage!r}, neither of the engine nor in `stages`")
    asked = [step.asking for step in module.steps if step.asking]
    yield from _unknown("steps", asked, SHARED, f"{{}} is none of the shared decisions {_listed(SHARED)}")


def _effects(module: Module) -> Iterator[Fault]:
    key, printed = module.key, printed_effects()
    for effect in module.effects:
        if printed.get(effect, key) != key:
            yield Fault("effects", f"{effect!r} belongs to the module {printed[effect]!r}")
    for kind in module.kinds:
        named = kind.effects.but if isinstance(kind.effects, EveryEffect) else kind.effects
        known = {**printed, **module.effects}
        yield from _unknown("kinds", named, known, f"{kind.name!r} names the unknown effect {{}}")


def _tiles(module: Module) -> Iterator[Fault]:
    kinds = {kind.name for kind in (*BASE.kinds, *module.kinds)}
    for tile in module.tiles:
        yield from _unknown("tiles", (tile.kind,), kinds, f"{tile.id!r} is of the unknown kind {{}}")
    cards = {card.kind for card in module.cards}
    yield from _unknown("routes", module.routes, cards, "the module has no card of the kind {}")


def _moves(module: Module) -> Iterator[Fault]:
    verbs = {verb.name for verb in (*BASE.verbs, *module.verbs)}
    decisions = {kind.name for kind in (*BASE.decisions, *module.decisions)}
    for verb in module.verbs:
        _, allowed = noun_form(verb.nouns)
        yield from _unknown("verbs", sorted(allowed), NOUNS, f"{verb.name!r} takes the unknown noun {{}}")
        yield from _unknown("verbs", verb.at, decisions | {"*"}, f"{verb.name!r} answers the unknown decision {{}}")
    for kind in module.decisions:
        yield from _unknown("decisions", kind.verbs, verbs, f"{kind.name!r} is answered by the unknown verb {{}}")
    for decision, named in module.answers.items():
        yield from _unknown("answers", named, verbs, f"{decision!r} is answered by the unknown verb {{}}")
    for field in ("answers", "offers", "unsold", "closes_at"):
        yield from _unknown(field, getattr(module, field), decisions, "there is no decision {}")
    yield from _unknown("vetoes", module.vetoes, verbs, "there is no verb {}")
    yield from _unknown("asks", module.asks, SHARED, f"{{}} is none of the shared decisions {_listed(SHARED)}")
    yield from _unknown("reactions", module.reactions, REACTIONS, f"{{}} is none of {_listed(REACTIONS)}")


def _values(module: Module) -> Iterator[Fault]:
    values = (modifier.value for modifier in module.modify)
    yield from _unknown("modify", values, VALUES, f"{{}} is none of the values {_listed(VALUES)}")
    yield from _unknown("helpers", module.helpers, PURPOSES, f"{{}} is none of the purposes {_listed(PURPOSES)}")
    lifted = (permit.lifts for permit in module.permits)
    yield from _unknown("permits", lifted, CODES, "there is no code {} to be lifted")


def _unknown(field: str, named: Iterable[str], known: Iterable[str], sentence: str) -> Iterator[Fault]:
    """Yield a fault for each name that is not known; its sentence has a place for the name."""
    known = frozenset(known)
    yield from (Fault(field, sentence.replace("{}", repr(name))) for name in named if name not in known)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


RULES: tuple[Rule, ...] = (_names, _twice, _words, _texts, _state_type, _stages, _effects, _tiles, _moves, _values)
"""Rules for a definition whose form is right."""
