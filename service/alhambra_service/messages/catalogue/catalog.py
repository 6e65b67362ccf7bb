"""Entries of the catalogue as messages: modules, tiles, words, verbs, decisions, reasons, in one language.

No entry is written here by hand: modules, tiles, verbs and decisions come from the definitions of the rules, editions
and options from their tables, reasons from the contract, texts from the catalogues of the rules. A word that has no
text in any language is listed under its own name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from google.protobuf.descriptor import EnumValueDescriptor
from google.rpc import code_pb2

from alhambra import BASE, Module, Tile, load_module
from alhambra.boards import BASTION, GREEN, LEG, OPEN, START_TILES, VOID, WALL
from alhambra.module import DecisionKind, PieceKind, StandingOrder, Verb
from alhambra.moves import NOUNS, noun_form
from alhambra.options import CHOICES, EDITIONS, preset_modules
from alhambra.texts import keys, name_of, tell_reason, text
from alhambra_api.contract import comments
from alhambra_api.v1 import annotations_pb2, catalog_pb2, nouns_pb2
from alhambra_api.values import set_value

from ..nouns import number_of
from .components import is_reconstructed, modules_known

EDGES = {OPEN: "open", WALL: "wall", BASTION: "bastion", GREEN: "green", LEG: "leg", VOID: "void"}
"""By edge letter: the word of the contract."""
FACT_WORDS = ("because", "by", "for", "what", "place", "per", "purchase")
"""Facts of violations whose values are words of a short list."""
ANY = "*"
PROBLEM_PAGES = "/problems/"
"""The path at which a gateway serves the pages that explain reasons."""


# -- Words and texts ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def known_texts() -> frozenset[str]:
    """Return the keys of all texts, in any language."""
    return frozenset(keys())


def words_of(kind: str) -> list[str]:
    """Return the words of a kind that have their own text, in the order of the texts."""
    found = (key.partition(".") for key in keys())
    return [word for head, _, word in found if head == kind and "." not in word]


def _text(key: str, language: str) -> str:
    """Return the text of a key; an empty one if no language has it."""
    return text(key, language) if key in known_texts() else ""


def word_to(key: str, kind: str, language: str, module: str = "") -> catalog_pb2.Word:
    """Return a word of the contract with its name and its text."""
    name = text(f"{kind}.{key}", language)
    return catalog_pb2.Word(key=key, name=name, text=_text(f"{kind}.{key}.text", language), module=module)


def colour_to(word: str, language: str) -> catalog_pb2.Word:
    """Return a colour of a seat as a word."""
    name, about = text(f"colour.{word}", language), text("component.colour", language)
    return catalog_pb2.Word(key=word, name=name, text=about)


def fact_word_to(fact: str, word: str, language: str) -> catalog_pb2.Word:
    """Return a word that a fact of a violation can have as its value."""
    name, about = text(f"{fact}.{word}", language), text(f"metadata.{fact}", language)
    return catalog_pb2.Word(key=f"{fact}.{word}", name=name, text=about)


def event_kind_to(kind: str, definition: Module, language: str) -> catalog_pb2.Word:
    """Return a kind of event. Its text is a sentence with gaps for the facts; without one, the meaning that the module
    declares."""
    sentence = _text(f"event.{kind}", language) or definition.events[kind]
    name = _text(f"event.{kind}.name", language) or _plainly(kind)
    return catalog_pb2.Word(key=kind, name=name, text=sentence, module=_owner(definition))


def score_reason_to(word: str, definition: Module, language: str) -> catalog_pb2.Word:
    """Return a reason for points. Its text is a sentence with gaps for the facts; without one, the meaning that the
    module declares."""
    return _declared(definition, word, f"reason.{word}", f"scored.{word}", definition.scores[word], language)


def _fact(word: str, definition: Module, language: str) -> catalog_pb2.Word:
    key = f"fact.{definition.key}.{word}"
    return _declared(definition, word, key, f"{key}.text", definition.public_facts[word], language)


def _order(order: StandingOrder, decision: str, definition: Module, language: str) -> catalog_pb2.Word:
    name, about = f"order.{order.answer}", f"order.{decision}.{order.answer}"
    return _declared(definition, order.answer, name, about, order.meaning, language)


def _declared(definition: Module, word: str, name: str, about: str, meaning: str, language: str) -> catalog_pb2.Word:
    """Return a word that a module declares. `name` and `about` are the keys of its name and of its text. If no language
    has the text, it is the declared meaning, in English."""
    return catalog_pb2.Word(
        key=word,
        name=_plainly(text(name, language)),
        text=_text(about, language) or meaning,
        module=_owner(definition),
    )


def _plainly(key: str) -> str:
    return key.replace("_", " ")


def _owner(definition: Module) -> str:
    return "" if definition is BASE else definition.key


# -- Modules, tiles ----------------------------------------------------------------------------------------------------


def module_to(definition: Module, language: str) -> catalog_pb2.Module:
    """Return a module and everything that it adds to the game, in words of the contract."""
    return catalog_pb2.Module(
        key=definition.key,
        number=definition.number,
        name=text(f"module.{definition.key}", language),
        text=_text(f"module.{definition.key}.text", language),
        rule=_text(f"module.{definition.key}.rule", language),
        example=_text(f"module.{definition.key}.example", language),
        variants=[
            word_to(f"{definition.key}.{name}", "variant", language, definition.key) for name in definition.variants
        ],
        verbs=[verb.name for verb in definition.verbs],
        decisions=[kind.name for kind in definition.decisions],
        facts=[_fact(word, definition, language) for word in definition.public_facts],
        pieces=[_piece_kind(kind, language) for kind in definition.piece_kinds],
        events=[event_kind_to(kind, definition, language) for kind in definition.events],
        score_reasons=[score_reason_to(word, definition, language) for word in definition.scores],
        reasons=[
            catalog_pb2.ModuleReason(
                code=reason.code, text=tell_reason(definition.key, reason, language), words=reason.words
            )
            for reason in definition.reasons
        ],
    )


def _piece_kind(kind: PieceKind, language: str) -> catalog_pb2.PieceKind:
    return catalog_pb2.PieceKind(
        key=kind.name,
        name=_plainly(text(f"thing.{kind.name}", language)),
        text=_text(f"thing.{kind.name}.text", language) or kind.meaning,
        outline=kind.outline,
        holds_tile=kind.holds_tile,
    )


def tiles_of(module: str) -> list[tuple[str, Tile]]:
    """Return the tiles of a module, or of the base game and all modules if `module` is empty. Each tile comes with the
    key of its module, which is empty for the base game."""
    if module == BASE.key:
        definitions = [BASE]
    else:
        definitions = [load_module(module)] if module else [BASE, *modules_known()]
    return [
        (_owner(definition), tile)
        for definition in definitions
        for tile in ((*START_TILES, *definition.tiles) if definition is BASE else definition.tiles)
    ]


def tile_to(module: str, tile: Tile, language: str) -> catalog_pb2.Tile:
    """Return a tile with its edges, its price and its name."""
    message = catalog_pb2.Tile(
        id=tile.id,
        kind=tile.kind,
        module=module,
        name=name_of(tile.id, language),
        rotatable=tile.rotatable,
        walkable=tile.walkable,
        reconstructed=is_reconstructed(module, tile.id),
        parts=[
            catalog_pb2.TilePart(
                offset=nouns_pb2.Cell(x=part.dx, y=part.dy),
                type=number_of("type", part.type),
                edges=[EDGES[edge] for edge in part.edges],
            )
            for part in tile.parts
        ],
    )
    if tile.price is not None:
        message.price = tile.price
    return message


# -- Editions, options -------------------------------------------------------------------------------------------------


def edition_to(key: str, language: str) -> catalog_pb2.Edition:
    """Return an edition with the value of every option."""
    message = catalog_pb2.Edition(
        key=key, name=text(f"edition.{key}", language), text=_text(f"edition.{key}.text", language)
    )
    for option, values in CHOICES.items():
        set_value(message.options[option], EDITIONS[key].get(option, values[0]))
    return message


def preset_to(key: str, language: str) -> catalog_pb2.Preset:
    """Return a preset with its modules."""
    return catalog_pb2.Preset(
        key=key,
        name=text(f"preset.{key}", language),
        text=text(f"preset.{key}.text", language),
        modules=preset_modules(key),
    )


def option_to(key: str, language: str) -> catalog_pb2.RuleOption:
    """Return an option of the rules with its values."""
    message = catalog_pb2.RuleOption(
        key=key, name=text(f"option.{key}", language), text=_text(f"option.{key}.text", language)
    )
    for value in CHOICES[key]:
        known = message.values.add(name=text(f"option.{key}.{str(value).lower()}", language))
        set_value(known.value, value)
    return message


# -- Verbs, decisions --------------------------------------------------------------------------------------------------


Answers: TypeAlias = Mapping[str, Sequence[str]]
"""By decision: the verbs that can answer it."""


def answers_of(kind: DecisionKind, definitions: Sequence[Module]) -> list[str]:
    """Return the verbs that can answer a decision, in the order of the rules."""
    named = {*kind.verbs}.union(*(definition.answers.get(kind.name, ()) for definition in definitions))
    verbs = (verb for definition in definitions for verb in definition.verbs)
    return [verb.name for verb in verbs if {kind.name, ANY} & {*verb.at} or verb.name in named]


def verb_to(definition: Module, verb: Verb, answers: Answers, language: str) -> catalog_pb2.Verb:
    """Return a verb with the nouns that it takes and the decisions that it answers."""
    required, allowed = noun_form(verb.nouns)
    answered = [decision for decision, verbs in answers.items() if verb.name in verbs]
    return catalog_pb2.Verb(
        key=verb.name,
        name=text(f"verb.{verb.name}", language),
        text=_text(f"verb.{verb.name}.text", language),
        module=_owner(definition),
        required_nouns=[noun for noun in NOUNS if noun in required],
        optional_nouns=[noun for noun in NOUNS if noun in allowed - required],
        decisions=[ANY] if ANY in verb.at else answered,
        action=verb.action,
    )


def decisions_to(definitions: Sequence[Module], answers: Answers, language: str) -> list[catalog_pb2.DecisionKind]:
    """Return every kind of decision with the verbs that answer it."""
    return [
        catalog_pb2.DecisionKind(
            key=kind.name,
            name=_text(f"decision.{kind.name}.name", language) or _plainly(kind.name),
            text=_text(f"decision.{kind.name}", language),
            module=_owner(definition),
            verbs=answers[kind.name],
            orders=[_order(order, kind.name, definition, language) for order in kind.orders],
        )
        for definition in definitions
        for kind in definition.decisions
    ]


# -- Reasons -----------------------------------------------------------------------------------------------------------


def violation_kind_to(value: EnumValueDescriptor, language: str) -> catalog_pb2.ViolationKind:
    """Return a reason of the contract with its status and its text."""
    problem = value.GetOptions().Extensions[annotations_pb2.problem]
    code = value.name.removeprefix("REASON_")
    said = comments()[f"{value.type.full_name}.{value.name}"].partition(" Metadata:")[0]
    return catalog_pb2.ViolationKind(
        code=code,
        text=_text(f"violation.{code}", language) or _text(f"refusal.{code}", language) or " ".join(said.split()),
        group=problem.group,
        grpc_status=code_pb2.Code.Name(problem.code),
        http_status=problem.http_status,
        page=f"{PROBLEM_PAGES}{code}",
    )
