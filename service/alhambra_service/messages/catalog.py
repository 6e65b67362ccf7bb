"""CatalogService: everything that this server knows by name, with texts for people in the language of the call.

The catalogue repeats nothing by hand: modules, tiles, verbs and decisions are read from the records of the rules,
editions and options from their tables, reasons from the contract, texts from the catalogues of the rules. A word
without a text in any language is listed all the same, under its own name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TypeAlias

import grpc
from google.api import httpbody_pb2
from google.protobuf.descriptor import EnumValueDescriptor
from google.rpc import code_pb2

from alhambra import BASE, Module, Tile, load_module
from alhambra.boards import BASTION, COLOURS, GREEN, LEG, OPEN, START_TILES, VOID, WALL
from alhambra.module import DecisionKind, PieceKind, StandingOrder, Verb
from alhambra.moves import NOUNS, noun_form
from alhambra.options import CHOICES, EDITIONS, PRESETS, preset_modules
from alhambra.texts import keys, name_of, tell_reason, text
from alhambra_api.contract import comments
from alhambra_api.v1 import annotations_pb2, catalog_pb2, nouns_pb2, reasons_pb2, service_pb2_grpc
from alhambra_api.values import set_value

from .. import limits
from ..boards.pictures import picture, theme_of
from ..games.seating import SERVER_PLAYERS
from .components import components_of, modules_known, picture_of
from .languages import language_of
from .nouns import number_of
from .provenance import is_reconstructed
from .refusals import Refusal

EDGES = {OPEN: "open", WALL: "wall", BASTION: "bastion", GREEN: "green", LEG: "leg", VOID: "void"}
"""By edge letter: the word of the contract."""
FACT_WORDS = ("because", "by", "for", "what", "place", "per", "purchase")
"""Facts of violations whose words are a short list."""
ANY = "*"
PROBLEM_PAGES = "/problems/"
"""Where a gateway serves the pages that explain reasons."""


class CatalogServicer(service_pb2_grpc.CatalogServiceServicer):
    """The catalogue. Answers are the same for everybody and change with the server only."""

    def __init__(self) -> None:
        """Reads all modules and texts, which takes some 0.07 s of CPU once: no call shall have to."""
        modules_known()
        _known()

    def ListModules(  # noqa: N802
        self, _request: catalog_pb2.ListModulesRequest, context: grpc.ServicerContext
    ) -> catalog_pb2.ListModulesResponse:
        """The modules that can be switched on, by their numbers."""
        language = language_of(context)
        modules = [_module(record, language) for record in modules_known()]
        return catalog_pb2.ListModulesResponse(modules=modules, language=language)

    def ListComponents(  # noqa: N802
        self, request: catalog_pb2.ListComponentsRequest, context: grpc.ServicerContext
    ) -> catalog_pb2.ListComponentsResponse:
        """Everything that has an id, that of the base game first."""
        language = language_of(context)
        if len(request.modules) > limits.BOARD_RULES:
            raise Refusal.limit("modules", limits.BOARD_RULES)
        chosen = {load_module(key).key for key in request.modules if key != BASE.key}
        records = [BASE, *modules_known()]
        if request.modules:
            wanted = chosen | ({BASE.key} & set(request.modules))
            records = [record for record in records if record.key in wanted]
        found = [
            component
            for record in records
            for component in components_of(record, language)
            if request.kind in ("", component.kind) and request.id in ("", component.id)
        ]
        begin, end = _page(request, len(found))
        answer = catalog_pb2.ListComponentsResponse(components=found[begin:end], language=language)
        if end < len(found):
            answer.next_page_token = _token(request, end)
        return answer

    def GetComponentPicture(  # noqa: N802
        self, request: catalog_pb2.GetComponentPictureRequest, context: grpc.ServicerContext
    ) -> httpbody_pb2.HttpBody:
        """A picture of one component."""
        return picture(picture_of(request.kind, request.id, theme_of(request.theme), language_of(context)))

    def ListTiles(  # noqa: N802
        self, request: catalog_pb2.ListTilesRequest, context: grpc.ServicerContext
    ) -> catalog_pb2.ListTilesResponse:
        """The tiles, those of the base game first."""
        language = language_of(context)
        found = [pair for pair in _tiles(request.module) if request.kind in ("", pair[1].kind)]
        begin, end = _page(request, len(found))
        answer = catalog_pb2.ListTilesResponse(language=language)
        answer.tiles.extend(_tile(module, tile, language) for module, tile in found[begin:end])
        if end < len(found):
            answer.next_page_token = _token(request, end)
        return answer

    def ListEditions(  # noqa: N802
        self, _request: catalog_pb2.ListEditionsRequest, context: grpc.ServicerContext
    ) -> catalog_pb2.ListEditionsResponse:
        """Editions, rule options and the other words of CreateGame."""
        language = language_of(context)
        return catalog_pb2.ListEditionsResponse(
            editions=[_edition(key, language) for key in EDITIONS],
            options=[_option(key, language) for key in CHOICES],
            colours=[_colour(colour, language) for colour in COLOURS],
            server_players=[_word(player, "player", language) for player in SERVER_PLAYERS],
            language=language,
            presets=[_preset(key, language) for key in PRESETS],
        )

    def ListVerbs(  # noqa: N802
        self, request: catalog_pb2.ListVerbsRequest, context: grpc.ServicerContext
    ) -> catalog_pb2.ListVerbsResponse:
        """Verbs, the decisions that they answer, and the words in which events speak."""
        language = language_of(context)
        if len(request.modules) > limits.BOARD_RULES:
            raise Refusal.limit("modules", limits.BOARD_RULES)
        chosen = {load_module(key).key for key in request.modules if key != BASE.key}
        others = [record for record in modules_known() if not request.modules or record.key in chosen]
        records = [BASE, *others]
        answers = {kind.name: _answers(kind, records) for record in records for kind in record.decisions}
        return catalog_pb2.ListVerbsResponse(
            verbs=[_verb(record, verb, answers, language) for record in records for verb in record.verbs],
            decisions=_decisions(records, answers, language),
            events=[_event(word, record, language) for record in records for word in record.events],
            phases=[_word(phase, "phase", language) for phase in _words("phase")],
            score_reasons=[_score_reason(word, record, language) for record in records for word in record.scores],
            language=language,
        )

    def ListViolations(  # noqa: N802
        self, _request: catalog_pb2.ListViolationsRequest, context: grpc.ServicerContext
    ) -> catalog_pb2.ListViolationsResponse:
        """Every reason why something can be refused, and the words of their facts."""
        language = language_of(context)
        return catalog_pb2.ListViolationsResponse(
            violations=[_violation(value, language) for value in reasons_pb2.Reason.DESCRIPTOR.values if value.number],
            words=[_fact_word(fact, word, language) for fact in FACT_WORDS for word in _words(fact)],
            language=language,
        )


# -- Words and texts ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(keys())


def _words(kind: str) -> list[str]:
    """The words of a kind that have a text of their own, in the order of the texts."""
    found = (key.partition(".") for key in keys())
    return [word for head, _, word in found if head == kind and "." not in word]


def _text(key: str, language: str) -> str:
    """The text of a key; empty if there is none in any language."""
    return text(key, language) if key in _known() else ""


def _word(key: str, kind: str, language: str, module: str = "") -> catalog_pb2.Word:
    name = text(f"{kind}.{key}", language)
    return catalog_pb2.Word(key=key, name=name, text=_text(f"{kind}.{key}.text", language), module=module)


def _colour(word: str, language: str) -> catalog_pb2.Word:
    name, about = text(f"colour.{word}", language), text("component.colour", language)
    return catalog_pb2.Word(key=word, name=name, text=about)


def _fact_word(fact: str, word: str, language: str) -> catalog_pb2.Word:
    name, about = text(f"{fact}.{word}", language), text(f"metadata.{fact}", language)
    return catalog_pb2.Word(key=f"{fact}.{word}", name=name, text=about)


def _event(kind: str, record: Module, language: str) -> catalog_pb2.Word:
    """A kind of event; its text is a whole sentence with gaps for the facts, or else what the module declares."""
    sentence = _text(f"event.{kind}", language) or record.events[kind]
    name = _text(f"event.{kind}.name", language) or _plainly(kind)
    return catalog_pb2.Word(key=kind, name=name, text=sentence, module=_owner(record))


def _score_reason(word: str, record: Module, language: str) -> catalog_pb2.Word:
    """What points are for; its text is a whole sentence with gaps for the facts, or else what the module declares."""
    return _declared(record, word, f"reason.{word}", f"scored.{word}", record.scores[word], language)


def _fact(word: str, record: Module, language: str) -> catalog_pb2.Word:
    key = f"fact.{record.key}.{word}"
    return _declared(record, word, key, f"{key}.text", record.facts[word], language)


def _order(order: StandingOrder, decision: str, record: Module, language: str) -> catalog_pb2.Word:
    name, about = f"order.{order.answer}", f"order.{decision}.{order.answer}"
    return _declared(record, order.answer, name, about, order.meaning, language)


def _declared(record: Module, word: str, name: str, about: str, meaning: str, language: str) -> catalog_pb2.Word:
    """A word that a module declares, with the keys of its name and of its text. Without a text in any language, its
    declared meaning stands, in English."""
    return catalog_pb2.Word(
        key=word,
        name=_plainly(text(name, language)),
        text=_text(about, language) or meaning,
        module=_owner(record),
    )


def _plainly(key: str) -> str:
    return key.replace("_", " ")


def _owner(record: Module) -> str:
    return "" if record is BASE else record.key


# -- Modules, tiles ----------------------------------------------------------------------------------------------------


def _module(record: Module, language: str) -> catalog_pb2.Module:
    return catalog_pb2.Module(
        key=record.key,
        number=record.number,
        name=text(f"module.{record.key}", language),
        text=_text(f"module.{record.key}.text", language),
        rule=_text(f"module.{record.key}.rule", language),
        example=_text(f"module.{record.key}.example", language),
        variants=[_word(f"{record.key}.{name}", "variant", language, record.key) for name in record.variants],
        verbs=[verb.name for verb in record.verbs],
        decisions=[kind.name for kind in record.decisions],
        facts=[_fact(word, record, language) for word in record.facts],
        pieces=[_piece_kind(kind, language) for kind in record.shows],
        events=[_event(kind, record, language) for kind in record.events],
        score_reasons=[_score_reason(word, record, language) for word in record.scores],
        reasons=[
            catalog_pb2.ModuleReason(
                code=reason.code, text=tell_reason(record.key, reason, language), words=reason.words
            )
            for reason in record.reasons
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


def _tiles(module: str) -> list[tuple[str, Tile]]:
    """Every tile with the key of its module, empty for the base game."""
    if module == BASE.key:
        records = [BASE]
    else:
        records = [load_module(module)] if module else [BASE, *modules_known()]
    return [
        (_owner(record), tile)
        for record in records
        for tile in ((*START_TILES, *record.tiles) if record is BASE else record.tiles)
    ]


def _tile(module: str, tile: Tile, language: str) -> catalog_pb2.Tile:
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


PagedRequest: TypeAlias = catalog_pb2.ListTilesRequest | catalog_pb2.ListComponentsRequest
"""A request for a list that is read in pages."""


def _page(request: PagedRequest, length: int) -> tuple[int, int]:
    """Where the page begins and ends."""
    if request.page_size < 0:
        raise Refusal.malformed("page_size", "A page holds 0 or more entries.")
    if request.page_size > limits.TILES_PAGE:
        raise Refusal.limit("page_size", limits.TILES_PAGE)
    begin = 0
    if request.page_token:
        place = request.page_token.partition("-")[0]
        begin = int(place) if place.isascii() and place.isdigit() and len(place) < len(str(2**31)) else 0
        if not 0 < begin < length or request.page_token != _token(request, begin):
            raise Refusal("PAGE_TOKEN_INVALID", "The page token does not belong to this list.")
    return begin, begin + (request.page_size or limits.TILES_PAGE)


def _token(request: PagedRequest, begin: int) -> str:
    """Where a page begins, bound to what was asked for."""
    asked = [str(value) for field, value in request.ListFields() if field.name not in ("page_size", "page_token")]
    return f"{begin}-{blake2b(repr(asked).encode(), digest_size=8).hexdigest()}"


# -- Editions, options -------------------------------------------------------------------------------------------------


def _edition(key: str, language: str) -> catalog_pb2.Edition:
    message = catalog_pb2.Edition(
        key=key, name=text(f"edition.{key}", language), text=_text(f"edition.{key}.text", language)
    )
    for option, values in CHOICES.items():
        set_value(message.options[option], EDITIONS[key].get(option, values[0]))
    return message


def _preset(key: str, language: str) -> catalog_pb2.Preset:
    return catalog_pb2.Preset(
        key=key,
        name=text(f"preset.{key}", language),
        text=text(f"preset.{key}.text", language),
        modules=preset_modules(key),
    )


def _option(key: str, language: str) -> catalog_pb2.RuleOption:
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


def _answers(kind: DecisionKind, records: Sequence[Module]) -> list[str]:
    """The verbs that can answer a decision, in the order of the rules."""
    named = {*kind.verbs}.union(*(record.answers.get(kind.name, ()) for record in records))
    verbs = (verb for record in records for verb in record.verbs)
    return [verb.name for verb in verbs if {kind.name, ANY} & {*verb.at} or verb.name in named]


def _verb(record: Module, verb: Verb, answers: Answers, language: str) -> catalog_pb2.Verb:
    required, allowed = noun_form(verb.nouns)
    answered = [decision for decision, verbs in answers.items() if verb.name in verbs]
    return catalog_pb2.Verb(
        key=verb.name,
        name=text(f"verb.{verb.name}", language),
        text=_text(f"verb.{verb.name}.text", language),
        module=_owner(record),
        required_nouns=[noun for noun in NOUNS if noun in required],
        optional_nouns=[noun for noun in NOUNS if noun in allowed - required],
        decisions=[ANY] if ANY in verb.at else answered,
        action=verb.action,
    )


def _decisions(records: Sequence[Module], answers: Answers, language: str) -> list[catalog_pb2.DecisionKind]:
    return [
        catalog_pb2.DecisionKind(
            key=kind.name,
            name=_text(f"decision.{kind.name}.name", language) or _plainly(kind.name),
            text=_text(f"decision.{kind.name}", language),
            module=_owner(record),
            verbs=answers[kind.name],
            orders=[_order(order, kind.name, record, language) for order in kind.orders],
        )
        for record in records
        for kind in record.decisions
    ]


# -- Reasons -----------------------------------------------------------------------------------------------------------


def _violation(value: EnumValueDescriptor, language: str) -> catalog_pb2.ViolationKind:
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
