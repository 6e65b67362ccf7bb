"""Parse and write JSON text strictly: UTF-8, one value, no duplicate member names, no NaN or Infinity.

The standard library's parser is lenient: it takes the last of two members with the same name, and accepts NaN. Both
are mistakes of a client, so they are refused here. What cannot be read raises `Fault`.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn


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


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Fault("A member comes twice.", twice)
    return found


def _no_number(text: str) -> NoReturn:
    raise Fault(f"{text} is no JSON.")


_decode = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_no_number).decode
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False, allow_nan=False).encode


def loads(data: bytes) -> Any:
    """Return the value that the bytes hold; raises Fault."""
    try:
        return _decode(data.decode())
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
