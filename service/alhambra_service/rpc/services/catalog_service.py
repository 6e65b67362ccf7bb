"""CatalogService: everything that has a name in this server, with texts in the language of the call.

The messages are made in `messages/catalogue/`; lists are read in pages.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from hashlib import blake2b
from typing import Any, TypeAlias, TypeVar

import grpc
from google.api import httpbody_pb2
from google.protobuf.message import Message

from alhambra import BASE, load_module
from alhambra.boards import COLOURS
from alhambra.options import CHOICES, EDITIONS, PRESETS
from alhambra_api.v1 import catalog_pb2, reasons_pb2, service_pb2_grpc

from ... import limits
from ...boards.pictures import picture, picture_of, theme_of
from ...current_call import language_of
from ...games.create_game import SERVER_PLAYERS
from ...messages.catalogue.catalog import (
    FACT_WORDS,
    answers_of,
    colour_to,
    decisions_to,
    edition_to,
    event_kind_to,
    fact_word_to,
    known_texts,
    module_to,
    option_to,
    preset_to,
    score_reason_to,
    tile_to,
    tiles_of,
    verb_to,
    violation_kind_to,
    word_to,
    words_of,
)
from ...messages.catalogue.components import components_of, modules_known
from ...messages.field_checks import LimitedField
from ...messages.refusals import Refusal

A = TypeVar("A", bound=Message)
PagedRequest: TypeAlias = catalog_pb2.ListTilesRequest | catalog_pb2.ListComponentsRequest
"""A request for a list that is read in pages."""
PAGE_SIZE = LimitedField(catalog_pb2.ListTilesRequest, "page_size", too_small="A page holds 0 or more entries.")
MODULES = LimitedField(catalog_pb2.ListComponentsRequest, "modules")


class CatalogServicer(service_pb2_grpc.CatalogServiceServicer):
    """The catalogue. Answers are the same for all callers and change only with the version of the server."""

    def __init__(self) -> None:
        """Read all modules and texts now, which takes some 0.07 s of CPU time, so that no call has to."""
        modules_known()
        known_texts()
        self._kept: dict[Hashable, Any] = {}
        """Answers by method, request, language and known modules. All callers share them: never change one."""

    def _ready(self, context: grpc.ServicerContext, request: Message, make: Callable[[str], A]) -> A:
        """Return the answer to a request in the language of the call. It is made once."""
        language = language_of(context)
        asked = request.SerializeToString(deterministic=True)
        if len(asked) > limits.CATALOG_REQUEST_BYTES:
            return make(language)
        key = (type(request), asked, language, len(modules_known()))
        found = self._kept.get(key)
        if found is None:
            found = make(language)
            if len(self._kept) >= limits.CATALOG_ANSWERS:
                self._kept.clear()
            self._kept[key] = found
        answer: A = found
        return answer

    def ListModules(  # noqa: N802
        self, request: catalog_pb2.ListModulesRequest, context: grpc.ServicerContext
    ) -> catalog_pb2.ListModulesResponse:
        """List the modules, by their numbers."""
        return self._ready(context, request, _modules)

    def ListComponents(  # noqa: N802
        self, request: catalog_pb2.ListComponentsRequest, context: grpc.ServicerContext
    ) -> catalog_pb2.ListComponentsResponse:
        """List everything that has an id, that of the base game first."""
        return self._ready(context, request, partial(_components, request))

    def GetComponentPicture(  # noqa: N802
        self, request: catalog_pb2.GetComponentPictureRequest, context: grpc.ServicerContext
    ) -> httpbody_pb2.HttpBody:
        """Answer with a picture of one component."""
        return picture(picture_of(request.kind, request.id, theme_of(request.theme), language_of(context)))

    def ListTiles(  # noqa: N802
        self, request: catalog_pb2.ListTilesRequest, context: grpc.ServicerContext
    ) -> catalog_pb2.ListTilesResponse:
        """List the tiles, those of the base game first."""
        return self._ready(context, request, partial(_tiles, request))

    def ListEditions(  # noqa: N802
        self, request: catalog_pb2.ListEditionsRequest, context: grpc.ServicerContext
    ) -> catalog_pb2.ListEditionsResponse:
        """List editions, rule options and the other words of CreateGame."""
        return self._ready(context, request, partial(_editions, request))

    def ListVerbs(  # noqa: N802
        self, request: catalog_pb2.ListVerbsRequest, context: grpc.ServicerContext
    ) -> catalog_pb2.ListVerbsResponse:
        """List verbs, the decisions that they answer, and the words of events."""
        return self._ready(context, request, partial(_verbs, request))

    def ListViolations(  # noqa: N802
        self, request: catalog_pb2.ListViolationsRequest, context: grpc.ServicerContext
    ) -> catalog_pb2.ListViolationsResponse:
        """List every reason why something can be refused, and the words of their facts."""
        return self._ready(context, request, partial(_violations, request))


def _modules(language: str) -> catalog_pb2.ListModulesResponse:
    modules = [module_to(definition, language) for definition in modules_known()]
    return catalog_pb2.ListModulesResponse(modules=modules, language=language)


def _components(request: catalog_pb2.ListComponentsRequest, language: str) -> catalog_pb2.ListComponentsResponse:
    MODULES.check(request.modules)
    chosen = {load_module(key).key for key in request.modules if key != BASE.key}
    definitions = [BASE, *modules_known()]
    if request.modules:
        wanted = chosen | ({BASE.key} & set(request.modules))
        definitions = [definition for definition in definitions if definition.key in wanted]
    found = [
        component
        for definition in definitions
        for component in components_of(definition, language)
        if request.kind in ("", component.kind) and request.id in ("", component.id)
    ]
    begin, end = _page(request, len(found))
    answer = catalog_pb2.ListComponentsResponse(components=found[begin:end], language=language)
    if end < len(found):
        answer.next_page_token = _token(request, end)
    return answer


def _tiles(request: catalog_pb2.ListTilesRequest, language: str) -> catalog_pb2.ListTilesResponse:
    found = [pair for pair in tiles_of(request.module) if request.kind in ("", pair[1].kind)]
    begin, end = _page(request, len(found))
    answer = catalog_pb2.ListTilesResponse(language=language)
    answer.tiles.extend(tile_to(module, tile, language) for module, tile in found[begin:end])
    if end < len(found):
        answer.next_page_token = _token(request, end)
    return answer


def _editions(request: catalog_pb2.ListEditionsRequest, language: str) -> catalog_pb2.ListEditionsResponse:
    return catalog_pb2.ListEditionsResponse(
        editions=[edition_to(key, language) for key in EDITIONS],
        options=[option_to(key, language) for key in CHOICES],
        colours=[colour_to(colour, language) for colour in COLOURS],
        server_players=[word_to(player, "player", language) for player in SERVER_PLAYERS],
        language=language,
        presets=[preset_to(key, language) for key in PRESETS],
    )


def _verbs(request: catalog_pb2.ListVerbsRequest, language: str) -> catalog_pb2.ListVerbsResponse:
    MODULES.check(request.modules)
    chosen = {load_module(key).key for key in request.modules if key != BASE.key}
    others = [definition for definition in modules_known() if not request.modules or definition.key in chosen]
    definitions = [BASE, *others]
    answers = {kind.name: answers_of(kind, definitions) for definition in definitions for kind in definition.decisions}
    return catalog_pb2.ListVerbsResponse(
        verbs=[verb_to(definition, verb, answers, language) for definition in definitions for verb in definition.verbs],
        decisions=decisions_to(definitions, answers, language),
        events=[event_kind_to(word, definition, language) for definition in definitions for word in definition.events],
        phases=[word_to(phase, "phase", language) for phase in words_of("phase")],
        score_reasons=[
            score_reason_to(word, definition, language) for definition in definitions for word in definition.scores
        ],
        language=language,
    )


def _violations(request: catalog_pb2.ListViolationsRequest, language: str) -> catalog_pb2.ListViolationsResponse:
    return catalog_pb2.ListViolationsResponse(
        violations=[
            violation_kind_to(value, language) for value in reasons_pb2.Reason.DESCRIPTOR.values if value.number
        ],
        words=[fact_word_to(fact, word, language) for fact in FACT_WORDS for word in words_of(fact)],
        language=language,
    )


def _page(request: PagedRequest, length: int) -> tuple[int, int]:
    """Return where the page begins and ends."""
    PAGE_SIZE.check(request.page_size)
    begin = 0
    if request.page_token:
        place = request.page_token.partition("-")[0]
        begin = int(place) if place.isascii() and place.isdigit() and len(place) < len(str(2**31)) else 0
        if not 0 < begin < length or request.page_token != _token(request, begin):
            raise Refusal("PAGE_TOKEN_INVALID", "The page token does not belong to this list.")
    return begin, begin + (request.page_size or PAGE_SIZE.limits.maximum)


def _token(request: PagedRequest, begin: int) -> str:
    """Return the page token of a position, bound to the rest of the request."""
    asked = [str(value) for field, value in request.ListFields() if field.name not in ("page_size", "page_token")]
    return f"{begin}-{blake2b(repr(asked).encode(), digest_size=8).hexdigest()}"
