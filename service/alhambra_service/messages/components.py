"""Everything that has an id, with its name, what it is, and the address of its picture."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from alhambra import BASE, CURRENCIES, TYPES, Card, Module, Ruleset, Tile, compile_ruleset, known_modules, load_module
from alhambra.boards import START_TILES
from alhambra.options import EDITIONS
from alhambra.svg import draw_component
from alhambra.texts import has_text, name_of, text
from alhambra_api.v1 import catalog_pb2

from .nouns import number_of
from .provenance import is_reconstructed
from .refusals import Refusal

ADDRESS = "/v1/catalog/components/{kind}/{id}"
SEATS = 6
"""The most players that there are: everything is in such a game."""


def modules_known() -> list[Module]:
    """The records of all modules, by their numbers."""
    return sorted(map(load_module, known_modules()), key=lambda record: (record.number, record.key))


def components_of(record: Module, language: str) -> Iterator[catalog_pb2.Component]:
    """The components that a record brings."""
    base = record is BASE
    tiles = (*START_TILES, *record.tiles) if base else record.tiles
    yield from (_tile(record, tile, language) for tile in tiles)
    yield from (_card(record, card, language) for card in record.cards)
    named = {
        "piece": record.pieces,
        "piece_kind": tuple(kind.name for kind in record.shows),
        "slot": record.slots,
        "item": record.usable,
        "choice": record.choices,
        "type": TYPES if base else (),
        "currency": CURRENCIES if base else (),
    }
    for kind, ids in named.items():
        yield from (_component(record, kind, thing, language) for thing in ids)


def _component(record: Module, kind: str, thing: str, language: str) -> catalog_pb2.Component:
    owner = "" if record is BASE else record.key
    words = thing.replace("_", "-").split("-")
    message = catalog_pb2.Component(
        id=thing,
        kind=kind,
        name=text(f"choice.{thing}", language) if kind == "choice" else name_of(thing, language),
        text=_about(record, kind, thing, language),
        module=owner,
        picture=ADDRESS.format(kind=kind, id=thing),
    )
    if kind != "choice":
        message.type = number_of("type", next((word for word in words if word in TYPES), None))
        message.currency = number_of("currency", next((word for word in words if word in CURRENCIES), None))
    return message


def _tile(record: Module, tile: Tile, language: str) -> catalog_pb2.Component:
    message = _component(record, "tile", tile.id, language)
    if has_text(f"tile.{tile.kind}.text", language):
        message.text = text(f"tile.{tile.kind}.text", language)
    message.reconstructed = is_reconstructed(message.module, tile.id)
    if tile.price is not None:
        message.price = tile.price
    return message


def _card(record: Module, card: Card, language: str) -> catalog_pb2.Component:
    message = _component(record, "card", card.id, language)
    if card.currency in CURRENCIES:
        message.value = card.value
        message.text = text("component.money", language)
    elif has_text(f"component.{card.kind}", language):
        message.text = text(f"component.{card.kind}", language)
    message.reconstructed = is_reconstructed(message.module, card.id)
    return message


def _about(record: Module, kind: str, thing: str, language: str) -> str:
    """What a component is or does: its own text, that of the longest beginning of its id, that of the kind of pieces
    which have names of their own, or that of its kind of component."""
    words = thing.partition(":")[0].replace("-", "_").split("_")
    for size in range(len(words), 0, -1):
        key = f"thing.{'_'.join(words[:size])}.text"
        if has_text(key, language):
            return text(key, language)
    individual = [f"thing.{shown.name}.text" for shown in record.shows if shown.individual and kind == "piece"]
    return text(next((key for key in individual if has_text(key, language)), f"component.{kind}"), language)


@cache
def everything() -> Ruleset:
    """The rules with all modules that can be played together with all others."""
    return compile_ruleset(SEATS, next(iter(EDITIONS)), tuple(record.key for record in modules_known()))


def picture_of(kind: str, thing: str, theme: str, language: str) -> str:
    """The picture of a component; raises Refusal if there is none."""
    for record in (BASE, *modules_known()):
        if any((found.kind, found.id) == (kind, thing) for found in components_of(record, language)):
            return draw_component(everything(), kind, thing, theme, language)
    detail = f"There is no component of the kind {kind!r} with the id {thing!r}: /v1/catalog/components lists them all."
    raise Refusal("COMPONENT_NOT_FOUND", detail, {"kind": kind, "id": thing})
