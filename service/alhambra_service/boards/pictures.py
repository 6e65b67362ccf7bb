"""Pictures as answers: SVG in a google.api.HttpBody. The rules draw them (`alhambra.svg`)."""

from __future__ import annotations

from functools import cache

from google.api import httpbody_pb2

from alhambra import BASE, Ruleset, compile_ruleset
from alhambra.options import EDITIONS
from alhambra.svg import draw_component
from alhambra_api.v1 import boards_pb2

from ..messages.catalogue.components import components_of, modules_known
from ..messages.refusals import Refusal

_THEMES: dict[int, str] = {boards_pb2.THEME_LIGHT: "light", boards_pb2.THEME_DARK: "dark"}

SEATS = 6
"""The most players of a game. Such a game uses all components."""


def theme_of(number: int) -> str:
    """Return the colours that a request asks for; by default those of the reader's system."""
    return _THEMES.get(number, "auto")


def picture(svg: str) -> httpbody_pb2.HttpBody:
    """Return the answer with a picture."""
    return httpbody_pb2.HttpBody(content_type="image/svg+xml", data=svg.encode())


@cache
def everything() -> Ruleset:
    """Return the rules with all modules that can be combined with all others."""
    return compile_ruleset(SEATS, next(iter(EDITIONS)), tuple(definition.key for definition in modules_known()))


def picture_of(kind: str, thing: str, theme: str, language: str) -> str:
    """Return the picture of a component. Raises Refusal if there is none."""
    for definition in (BASE, *modules_known()):
        if any((found.kind, found.id) == (kind, thing) for found in components_of(definition, language)):
            return draw_component(everything(), kind, thing, theme, language)
    detail = f"There is no component of the kind {kind!r} with the id {thing!r}: /v1/catalog/components lists them all."
    raise Refusal("COMPONENT_NOT_FOUND", detail, {"kind": kind, "id": thing})
