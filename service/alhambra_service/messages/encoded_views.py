"""Views as bytes, part by part: what has not changed since an earlier version is not built and encoded again.

A view has parts (`ViewParts` in the contract): setup, table, orders, each seat, each Alhambra, each module. A part is
kept as bytes with its mark, a number made of these bytes. The bytes of a view are those of its parts, one after the
other. The answer to a move, GetGame and streams join the same parts: all of them, or only those whose marks differ from
the marks of the view that the caller has. Marks are made of what the viewer sees, and of nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from alhambra import ModuleView
from alhambra_api.v1 import views_pb2

from .. import limits
from .views import ViewFields, constant_to, module_to, setup_to, view_fields

if TYPE_CHECKING:
    from ..games.loaded_game import LoadedGame

Marks = Mapping[str, int]
"""The marks of the parts of a view, by name."""
MODULUS = 1 << 31
"""Marks and checksums are smaller than this number, so that every JSON reader keeps them exactly."""
_SEATS = views_pb2.View.DESCRIPTOR.fields_by_name["seats"].number
_BYTES = 2
"""The wire type of texts, bytes and messages."""
_BITS = 7
"""The bits of a number in each byte; the highest bit of a byte says that another one follows."""


class Part(NamedTuple):
    """A part of a view."""

    name: str
    data: bytes
    """The bytes of a message that has only this part: of a View; for seats and Alhambras, of a SeatView."""
    mark: int

    @classmethod
    def of(cls, name: str, data: bytes) -> Part:
        """Return a part with its mark."""
        return cls(name, data, crc32(data, crc32(name.encode())) % MODULUS)


class ViewCache:
    """What is known of the views of one game, for all of its versions. Entries are compared with the game before they
    are used, so that several threads may share it."""

    def __init__(self) -> None:
        self.modules: dict[int | None, Mapping[str, ModuleView]] = {}
        """By viewer: what each module showed last."""
        self.setup: tuple[object, Part] | None = None
        """What the setup was made of, and the setup."""
        self.constant: tuple[object, bytes] | None = None
        """What the other constant fields were made of, and their bytes."""
        self._parts: dict[tuple[str, str], tuple[object, Part]] = {}
        self._sent: dict[tuple[int | None, int], Marks] = {}

    def part(self, name: str, language: str, made_of: object, make: Callable[[], bytes]) -> Part:
        """Return a part that is the same for all viewers. `make` is called if what the part is made of has changed."""
        kept = self._parts.get((name, language))
        if kept is None or kept[0] != made_of:
            kept = self._parts[name, language] = made_of, Part.of(name, make())
        return kept[1]

    def remember(self, viewer: int | None, marks: Marks) -> None:
        """Remember a view that was sent, so that a later one can be sent as changes."""
        sent = self._sent
        sent[viewer, checksum(marks)] = marks
        while len(sent) > limits.VIEWS_REMEMBERED:
            with suppress(KeyError, RuntimeError, StopIteration):  # another thread has changed it
                del sent[next(iter(sent))]

    def sent(self, viewer: int | None, known_checksum: int) -> Marks | None:
        """Return the marks of a view that was sent to this viewer; None if it is not remembered."""
        return self._sent.get((viewer, known_checksum))


class EncodedView:
    """The game as one viewer sees it, in parts."""

    def __init__(self, fields: ViewFields, constant: bytes, setup: Part, modules: list[Part]) -> None:
        self._rest = fields.rest.SerializeToString(deterministic=True)
        """The fields that are in no part, without `_constant`."""
        self._constant = constant
        """The fields of `constant_to`."""
        self._fields = fields
        self._setup = setup
        self._modules = modules

    @cached_property
    def marks(self) -> Marks:
        """The marks of all parts, by name."""
        return {part.name: part.mark for part in (*self._parts, *(part for seat in self._seats for part in seat))}

    @cached_property
    def _parts(self) -> list[Part]:
        """The parts whose bytes are those of a View."""
        orders, table = Part.of("orders", self._fields.orders), Part.of("table", self._fields.table)
        return [self._setup, orders, table, *self._modules]

    @cached_property
    def _seats(self) -> list[tuple[Part, Part]]:
        """The two parts of each seat, whose bytes are those of a SeatView."""
        return [
            (Part.of(f"seats.{number}", own), Part.of(f"seats.{number}.alhambra", alhambra))
            for number, (own, alhambra) in enumerate(self._fields.seats)
        ]

    def encoded(self, *, whole: bool = True) -> bytes:
        """Return the bytes of the view, without `parts`. Without `whole`, leave out what never changes in a game."""
        fields = self._fields
        seats = [field_bytes(_SEATS, own + alhambra) for own, alhambra in fields.seats]
        constant = (self._constant, self._setup.data) if whole else ()
        modules = [part.data for part in self._modules]
        return b"".join((self._rest, *constant, fields.orders, fields.table, *seats, *modules))

    def encoded_parts(self, marks: Marks, known: Marks | None) -> bytes:
        """Return the bytes of the view with `parts`. `marks` are those of all parts, with parts that are not in a View.
        With `known`, the marks of the view that the caller has, only parts with other marks are in it."""
        changed = marks if known is None else {name: mark for name, mark in marks.items() if known.get(name) != mark}
        parts = views_pb2.ViewParts(changes_only=known is not None, marks=changed, checksum=checksum(marks))
        found = [self._rest, self._constant, *(part.data for part in self._parts if part.name in changed)]
        for number, (own, alhambra) in enumerate(self._seats):
            if own.name in changed:
                data = own.data
            elif alhambra.name in changed:
                occupancy = views_pb2.SeatView.FromString(own.data).occupancy  # JSON has no word for none
                data = views_pb2.SeatView(seat=number, occupancy=occupancy).SerializeToString()
            else:
                continue
            found.append(field_bytes(_SEATS, data + alhambra.data if alhambra.name in changed else data))
        found.append(views_pb2.View(parts=parts).SerializeToString())
        return b"".join(found)


def checksum(marks: Marks) -> int:
    """Return the checksum of a view with these marks."""
    return sum(marks.values()) % MODULUS


def encoded_view(loaded: LoadedGame, viewer: int | None, game_id: str, language: str | None) -> EncodedView:
    """Return the game as a seat or a spectator (`viewer` None) sees it. Kept with the loaded game."""
    found = loaded.views.get((viewer, language))
    if found is None:
        found = _encoded_view(loaded, viewer, game_id, language)
        if len(loaded.views) >= limits.ANSWERS_PER_GAME:
            loaded.views.clear()
        loaded.views[viewer, language] = found
    return found


def view_to(
    loaded: LoadedGame,
    viewer: int | None,
    *,
    game_id: str,
    language: str | None = None,
    whole: bool = True,
) -> views_pb2.View:
    """Return the game as a seat sees it, or as a spectator sees it (`viewer` None).

    language    add a text in this language to the open decision
    whole       add what never changes in a game: its setup, the id of its rules, the commitment to its secret
    """
    return views_pb2.View.FromString(encoded_view(loaded, viewer, game_id, language).encoded(whole=whole))


# -- Parts -------------------------------------------------------------------------------------------------------------


def _encoded_view(loaded: LoadedGame, viewer: int | None, game_id: str, language: str | None) -> EncodedView:
    fields, game, modules = view_fields(loaded, viewer, game_id, language), loaded.game, []
    if game is not None:
        known = loaded.view_cache.modules
        known[viewer] = shown = game.module_views(viewer, known.get(viewer, {}))
        modules = [view.cached(_encoders[key]) for key, view in shown.items()]
    return EncodedView(fields, _constant(loaded), _setup(loaded), modules)


def _setup(loaded: LoadedGame) -> Part:
    made_of = loaded.options, loaded.turn_seconds, loaded.seats_only, loaded.spectator_delay
    kept = loaded.view_cache.setup
    if kept is None or kept[0] != made_of:
        data = views_pb2.View(setup=setup_to(loaded)).SerializeToString(deterministic=True)
        loaded.view_cache.setup = kept = made_of, Part.of("setup", data)
    return kept[1]


def _constant(loaded: LoadedGame) -> bytes:
    game = loaded.game
    made_of = loaded.stored.secret, loaded.stored.ruleset if game is None else game.ruleset.id, loaded.seats
    kept = loaded.view_cache.constant
    if kept is None or kept[0] != made_of:
        loaded.view_cache.constant = kept = made_of, constant_to(loaded).SerializeToString()
    return kept[1]


class _Encoders(dict[str, "_Encoder"]):
    """By the key of a module: the function that encodes what it shows. `ModuleView.cached` caches by the function."""

    def __missing__(self, key: str) -> _Encoder:
        found = self[key] = _Encoder(key)
        return found


class _Encoder:
    def __init__(self, key: str) -> None:
        self._key = key

    def __call__(self, shown: ModuleView) -> Part:
        view = views_pb2.View(modules={self._key: module_to(shown)})
        return Part.of(f"modules.{self._key}", view.SerializeToString(deterministic=True))


_encoders = _Encoders()


# -- Bytes of messages -------------------------------------------------------------------------------------------------


def field_bytes(number: int, data: bytes) -> bytes:
    """Return a field of a message that holds another message, a text or bytes. Joined fields are a message."""
    length = len(data)
    return _VARINTS[number << 3 | _BYTES] + (_VARINTS[length] if length < _KNOWN else _varint(length)) + data


def _varint(number: int) -> bytes:
    """Return a number as protocol buffers write it: seven bits a byte, the lowest first."""
    found = bytearray()
    while number >> _BITS:
        found.append(number & ~-(1 << _BITS) | 1 << _BITS)
        number >>= _BITS
    found.append(number)
    return bytes(found)


_KNOWN = 4096
_VARINTS = [_varint(number) for number in range(_KNOWN)]
"""Numbers that were written before: most tags and lengths."""
