"""Parse and write JSON text strictly: UTF-8, one value, no duplicate member names, no NaN or Infinity.

The standard library's parser is lenient: it takes the last of two members with the same name, and accepts NaN. Both
are mistakes of a client, so they are refused here. What cannot be read raises `Fault`.

Reading takes time in proportion to the bytes, and little for each: a text with too many values is refused before it is
parsed, a number with too many digits before it is converted. How deeply values are nested is bounded by the parser, and
for each kind of message by its reader.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from .. import limits

_BEFORE_VALUES = b",[{"
"""One of these bytes stands before each value of a list, each member of an object, and in no other place but texts."""


class Fault(Exception):
    """JSON or a query string that cannot be read: what is wrong, and where (`placements[3].cell.x`).

    Each reader puts its own part of the path in front while the exception passes through it, so reading a good
    message costs nothing extra."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path = path

    def inside(self, member: str) -> Fault:
        """Put the name of the object's member in front of the path, and return the fault itself."""
        if not self.path:
            self.path = member
        elif self.path.startswith("["):
            self.path = member + self.path
        else:
            self.path = f"{member}.{self.path}"
        return self

    def at(self, index: int) -> Fault:
        """Put the index of a list entry in front of the path, and return the fault itself."""
        return self.inside(f"[{index}]")


class TooMany(Fault):
    """There are more values, or more entries of a list, than there may be."""

    def __init__(self, what: str, limit: int) -> None:
        super().__init__(f"There are at most {limit} {what}.")
        self.what = what
        self.limit = limit


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise Fault("A member comes twice.", name[: limits.FACT_CHARS])
            seen.add(name)
    return found


def _no_number(text: str) -> NoReturn:
    raise Fault(f"{text} is no JSON.")


def _whole_number(text: str) -> int:
    """Return a whole number; raises ValueError if it has too many digits, which take long to convert."""
    if len(text) > limits.NUMBER_DIGITS:
        raise ValueError("a number of many digits")
    return int(text)


_decode_short = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_no_number).decode
_decode_long = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_no_number, parse_int=_whole_number).decode
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False, allow_nan=False).encode


def loads(data: bytes) -> Any:
    """Return the value that the bytes hold; raises Fault."""
    try:
        if len(data) <= limits.BODY_VALUES:  # it holds fewer values than bytes, and no number that takes long
            return _decode_short(data.decode())
        if len(data) - len(data.translate(None, _BEFORE_VALUES)) > limits.BODY_VALUES:
            raise TooMany("values", limits.BODY_VALUES)
        return _decode_long(data.decode())
    except UnicodeDecodeError:
        raise Fault("This is not UTF-8.") from None
    except json.JSONDecodeError as error:
        raise Fault(f"This is not JSON: line {error.lineno}, column {error.colno}.") from None
    except RecursionError:
        raise Fault("This is nested too deeply.") from None
    except ValueError:  # a number with thousands of digits
        raise Fault("A number is too large.") from None


def dumps(value: Any) -> bytes:
    """Return the value as UTF-8 bytes without spaces."""
    return _encode(value).encode()
