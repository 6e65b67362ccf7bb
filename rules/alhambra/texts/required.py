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


def texts_needed(record: Module) -> list[str]:
    """The keys of all texts that go with a record, without repetition."""
    return list(dict.fromkeys(_needed(record)))


def _needed(record: Module) -> Iterator[str]:
    key = f"module.{record.key}"
    yield from (key, f"{key}.text", f"{key}.rule", f"{key}.example")
    for variant in record.variants:
        yield from _named(f"variant.{record.key}.{variant}")
    for verb in record.verbs:
        yield from (*_named(f"verb.{verb.name}"), f"move.{verb.name}")
    for kind in record.decisions:
        yield from (f"decision.{kind.name}", f"decision.{kind.name}.name")
        for order in kind.orders:
            yield from (f"order.{order.answer}", f"order.{kind.name}.{order.answer}")
    for event in record.events:
        yield from (f"event.{event}", f"event.{event}.name")
    for score in record.scores:
        yield from (f"reason.{score}", f"scored.{score}")
    for fact in record.public_facts:
        yield from _named(f"fact.{record.key}.{fact}")
    for piece in record.piece_kinds:
        yield from _named(f"thing.{piece.name}")
    for choice in record.choices:
        yield f"choice.{choice}"
    for tile in record.kinds:
        yield from _named(f"tile.{tile.name}")


def _named(key: str) -> Iterator[str]:
    """A name, and a sentence or two that say what it is."""
    yield from (key, f"{key}.text")


def words_without_text(record: Module, language: str) -> list[str]:
    """The words in the facts of violations that have no text in any of the facts which can hold them."""
    known = (word for reason in record.reasons for word in reason.words)
    return [word for word in known if not _told(language, *(f"{fact}.{word}" for fact in (*CLOSED, "how", "to")))]


def reasons_without_text(record: Module, language: str) -> list[str]:
    """The keys that would say when a module refuses a move, where neither they nor a sentence for the first word of the
    reason (`violation.LOCKED.gate`) has a text."""
    known = [(reason_key(record.key, reason), special_keys(reason)) for reason in record.reasons]
    return [key for key, special in known if not _told(language, key, *special)]


def things_without_name(record: Module, language: str) -> list[str]:
    """The tiles, cards, pieces, slots and items of a module whose id begins with no word that has a name."""
    tiles, cards = (tile.id for tile in record.tiles), (card.id for card in record.cards)
    things = [*tiles, *cards, *record.pieces, *record.slots, *record.usable]
    return [thing for thing in things if not _told(language, *_heads(thing))]


def _heads(thing: str) -> Iterator[str]:
    words = thing.partition(":")[0].replace("-", "_").split("_")
    for size in range(len(words), 0, -1):
        yield from (f"{kind}.{'_'.join(words[:size])}" for kind in NAMED)


def _told(language: str, *keys: str) -> bool:
    found = find(language, *keys)
    return found is not None and found[1] == language
