"""Checks of the fields of requests against the limits that the contract gives them. A bad field is refused with its
name, before anything is done.

    PAGE_SIZE = LimitedField(ListGamesRequest, "page_size")     once, when the file is imported
    PAGE_SIZE.check(request.page_size)                          in each call

The test of a value is compiled once, so that a call costs a comparison and no look-up in descriptors.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from google.protobuf.message import Message

from alhambra_api.limits import Limits, limits_of_form, limits_within
from alhambra_api.v1 import games_pb2

from .refusals import Refusal

NOT_NEGATIVE = "It is not negative."
FEW = 5
"""`choices` lists the numbers of a range from its minimum up to this much above it."""
_REPEATED = re.compile(r"\{(?P<fewest>\d+),(?P<most>\d+)\}$")
"""Finds the repetition at the end of a pattern, such as {12,32}."""


class LimitedField:
    """A field of a request with its limits, and the refusal of a value outside them."""

    def __init__(
        self,
        message: type[Message],
        field: str,
        sentence: str = "",
        *,
        called: str = "",
        too_small: str = NOT_NEGATIVE,
    ) -> None:
        """Refuse bad values with REQUEST_MALFORMED and the sentence, which has limits in braces (`_numbers`).
        Without a sentence a number above the maximum is refused with LIMIT_EXCEEDED, and one below the minimum with
        REQUEST_MALFORMED and `too_small`. A list that is too long is refused with LIMIT_EXCEEDED, unless it can be too
        short as well. `called` is the name of the field in the refusal, if that is another one."""
        self.limits = limits_within(message, field)
        self.allows = _test(self.limits)
        """Whether a value is within the limits."""
        self._sentence = sentence.format(**_numbers(self.limits))
        self._called = called or field
        self._too_small = too_small

    def check(self, value: Any, called: str = "") -> None:
        """Refuse a value outside the limits; `called` is the name of the field in the refusal."""
        if not self.allows(value):
            raise self._refusal(value, called or self._called)

    def _refusal(self, value: Any, called: str) -> Refusal:
        limits = self.limits
        if limits.HasField("max_items") and not limits.HasField("min_items") and len(value) > limits.max_items:
            return Refusal.limit(called, limits.max_items)
        if self._sentence:
            return Refusal.malformed(called, self._sentence)
        if limits.HasField("minimum") and value < limits.minimum:
            return Refusal.malformed(called, self._too_small)
        return Refusal.too_large(called, limits.maximum)


def _numbers(limits: Limits) -> dict[str, Any]:
    """Return the values for the braces of a sentence: the limits by name, the allowed numbers as a list in words
    (`choices`), and how often the last part of a pattern may be repeated (`fewest` and `most`)."""
    found: dict[str, Any] = {field.name: value for field, value in limits.ListFields()}
    few = limits.numbers or range(limits.minimum, min(limits.maximum, limits.minimum + FEW) + 1)
    *first, last = map(str, few) if few else ("",)
    found["choices"] = f"{', '.join(first)} or {last}"
    repeated = _REPEATED.search(limits.pattern)
    return found | (repeated.groupdict() if repeated else {})


def _test(limits: Limits) -> Callable[[Any], object]:
    """Return the test of a value: a function that returns something true if the value is within the limits."""
    if limits.HasField("min_items") or limits.HasField("max_items"):
        return _list_test(limits)
    if limits.HasField("pattern"):
        return re.compile(limits.pattern).fullmatch
    if limits.HasField("max_length"):
        longest, printable = limits.max_length, limits.printable
        if printable:
            return lambda text: len(text) <= longest and text.isprintable()
        return lambda text: len(text) <= longest
    if limits.numbers:
        return frozenset(limits.numbers).__contains__
    least = limits.minimum
    if not limits.HasField("maximum"):
        return lambda number: number >= least
    most = limits.maximum
    return lambda number: least <= number <= most


def _list_test(limits: Limits) -> Callable[[Any], object]:
    fewest, most = limits.min_items, limits.max_items
    if not limits.HasField("entries"):
        return lambda entries: fewest <= len(entries) <= most
    good = _test(limits_of_form(limits.entries))
    return lambda entries: fewest <= len(entries) <= most and all(map(good, entries))


check_game = LimitedField(
    games_pb2.GetGameRequest, "game", "The id of a game is {fewest} to {most} lower-case letters and digits."
).check
"""Refuse a text that cannot be the id of a game."""
check_request_id = LimitedField(
    games_pb2.ResignRequest, "request_id", "It has 1 to {max_length} printable characters."
).check
"""Refuse a text that cannot be a request id. An empty text is accepted: the request has no id."""
check_version = LimitedField(games_pb2.UndoRequest, "version").check
"""Refuse a negative number as a version."""
check_link = LimitedField(
    games_pb2.UndoRequest, "link", "A link is {fewest} to {most} lower-case hexadecimal digits."
).check
"""Refuse a text that cannot be the beginning of a link. An empty text is accepted: no link is compared."""


check_include = LimitedField(games_pb2.GetGameRequest, "include").check
"""Refuse a list of things to include that is too long."""


def check_move(request: Any) -> None:
    """Refuse a request for a move or an undo whose version, link or request id cannot be used."""
    check_version(request.version)
    if request.link:
        check_link(request.link)
    if request.request_id:
        check_request_id(request.request_id)
