"""Components of the game: everything that has an id, with its name, its text and the address of its picture."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from alhambra import (
    BASE,
    CURRENCIES,
    TYPES,
    Card,
    Module,
    Tile,
    component_data,
    known_modules,
    load_module,
)
from alhambra.boards import START_TILES
from alhambra.texts import has_text, name_of, text
from alhambra_api.v1 import catalog_pb2

from ..nouns import number_of

ADDRESS = "/v1/catalog/components/{kind}/{id}"


def modules_known() -> list[Module]:
    """Return the definitions of all modules, sorted by their numbers."""
    return sorted(map(load_module, known_modules()), key=lambda definition: (definition.number, definition.key))


def components_of(definition: Module, language: str) -> Iterator[catalog_pb2.Component]:
    """Generate the components that a module, or the base game, adds."""
    base = definition is BASE
    tiles = (*START_TILES, *definition.tiles) if base else definition.tiles
    yield from (_tile(definition, tile, language) for tile in tiles)
    yield from (_card(definition, card, language) for card in definition.cards)
    named = {
        "piece": definition.words("piece"),
        "piece_kind": tuple(kind.name for kind in definition.piece_kinds),
        "slot": definition.words("slot"),
        "item": definition.words("items"),
        "choice": definition.words("choice"),
        "type": TYPES if base else (),
        "currency": CURRENCIES if base else (),
    }
    for kind, ids in named.items():
        yield from (_component(definition, kind, thing, language) for thing in ids)


def _component(definition: Module, kind: str, thing: str, language: str) -> catalog_pb2.Component:
    owner = "" if definition is BASE else definition.key
    words = thing.replace("_", "-").split("-")
    message = catalog_pb2.Component(
        id=thing,
        kind=kind,
        name=text(f"choice.{thing}", language) if kind == "choice" else name_of(thing, language),
        text=_about(definition, kind, thing, language),
        module=owner,
        picture=ADDRESS.format(kind=kind, id=thing),
    )
    if kind != "choice":
        message.type = number_of("type", next((word for word in words if word in TYPES), None))
        message.currency = number_of("currency", next((word for word in words if word in CURRENCIES), None))
    return message


def _tile(definition: Module, tile: Tile, language: str) -> catalog_pb2.Component:
    message = _component(definition, "tile", tile.id, language)
    if has_text(f"tile.{tile.kind}.text", language):
        message.text = text(f"tile.{tile.kind}.text", language)
    message.reconstructed = is_reconstructed(message.module, tile.id)
    if tile.price is not None:
        message.price = tile.price
    return message


def _card(definition: Module, card: Card, language: str) -> catalog_pb2.Component:
    message = _component(definition, "card", card.id, language)
    if card.currency in CURRENCIES:
        message.value = card.value
        message.text = text("component.money", language)
    elif has_text(f"component.{card.kind}", language):
        message.text = text(f"component.{card.kind}", language)
    message.reconstructed = is_reconstructed(message.module, card.id)
    return message


def _about(definition: Module, kind: str, thing: str, language: str) -> str:
    """Return the text that says what a component is or does. The first that exists: the text of its id, of the longest
    beginning of its id, of its kind of piece if such pieces have their own names, of its kind of component."""
    words = thing.partition(":")[0].replace("-", "_").split("_")
    for size in range(len(words), 0, -1):
        key = f"thing.{'_'.join(words[:size])}.text"
        if has_text(key, language):
            return text(key, language)
    individual = [
        f"thing.{shown.name}.text" for shown in definition.piece_kinds if shown.individual and kind == "piece"
    ]
    return text(next((key for key in individual if has_text(key, language)), f"component.{kind}"), language)


# -- Reconstructions ---------------------------------------------------------------------------------------------------

RECONSTRUCTED = "reconstructed"


def is_reconstructed(module: str, component: str) -> bool:
    """Return whether something printed on this component of a module is a reconstruction. Always False for the base
    game."""
    return component in _reconstructed(module)


@cache
def _reconstructed(module: str) -> frozenset[str]:
    printed = component_data()["modules"].get(module, {"data": {}})
    origins = printed.get("provenance", {})
    return frozenset(
        entry["id"]
        for datum, entries in printed["data"].items()
        if isinstance(entries, list)
        for entry in entries
        if isinstance(entry, dict) and "id" in entry
        if RECONSTRUCTED in entry.get("provenance", origins.get(datum, ""))
    )
