"""Which texts a module needs: everything that its record declares has a name and says what it is.

`texts_needed(record)` lists the keys. Tests hold every module of this library to it in every language; an author of
another module can do the same with its own record (`Module.texts`).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..declarations import CLOSED
from ..module import Module
from .catalogues import find
from .names import NAMED
from .sentences import reason_key, special_keys


def texts_needed(module: Module) -> list[str]:
    """The keys of all texts that go with a record, without repetition."""
    return list(dict.fromkeys(_needed(module)))


def _needed(module: Module) -> Iterator[str]:
    key = f"module.{module.key}"
    yield from (key, f"{key}.text", f"{key}.rule", f"{key}.example")
    for variant in module.variants:
        yield from _named(f"variant.{module.key}.{variant}")
    for verb in module.verbs:
        yield from (*_named(f"verb.{verb.name}"), f"move.{verb.name}")
    for kind in module.decisions:
        yield from (f"decision.{kind.name}", f"decision.{kind.name}.name")
        for order in kind.orders:
            yield from (f"order.{order.answer}", f"order.{kind.name}.{order.answer}")
    for event in module.events:
        yield from (f"event.{event}", f"event.{event}.name")
    for score in module.scores:
        yield from (f"reason.{score}", f"scored.{score}")
    for fact in module.public_facts:
        yield from _named(f"fact.{module.key}.{fact}")
    for piece in module.piece_kinds:
        yield from _named(f"thing.{piece.name}")
    for choice in module.words("choice"):
        yield f"choice.{choice}"
    for tile in module.kinds:
        yield from _named(f"tile.{tile.name}")


def _named(key: str) -> Iterator[str]:
    """A name, and a sentence or two that say what it is."""
    yield from (key, f"{key}.text")


def words_without_text(module: Module, language: str) -> list[str]:
    """The words in the facts of violations that have no text in any of the facts which can hold them."""
    known = (word for reason in module.reasons for word in reason.words)
    return [word for word in known if not _told(language, *(f"{fact}.{word}" for fact in (*CLOSED, "how", "to")))]


def reasons_without_text(module: Module, language: str) -> list[str]:
    """The keys that would say when a module refuses a move, where neither they nor a sentence for the first word of the
    reason (`violation.LOCKED.gate`) has a text."""
    known = [(reason_key(module.key, reason), special_keys(reason)) for reason in module.reasons]
    return [key for key, special in known if not _told(language, key, *special)]


def things_without_name(module: Module, language: str) -> list[str]:
    """The tiles, cards, pieces, slots and items of a module whose id begins with no word that has a name."""
    tiles, cards = (tile.id for tile in module.tiles), (card.id for card in module.cards)
    things = [*tiles, *cards, *(word for noun in ("piece", "slot", "items") for word in module.words(noun))]
    return [thing for thing in things if not _told(language, *_heads(thing))]


def _heads(thing: str) -> Iterator[str]:
    words = thing.partition(":")[0].replace("-", "_").split("_")
    for size in range(len(words), 0, -1):
        yield from (f"{kind}.{'_'.join(words[:size])}" for kind in NAMED)


def _told(language: str, *keys: str) -> bool:
    found = find(language, *keys)
    return found is not None and found[1] == language
