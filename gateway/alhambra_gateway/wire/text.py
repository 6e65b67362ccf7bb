"""JSON as text: UTF-8, one value, no name twice in an object, no number that JSON does not know.

The standard library's reader is lenient: it takes the last of two members with the same name, and NaN. Neither is
anything that a client can have meant.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from .faults import Fault


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
    """The value that the bytes hold; raises Fault."""
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
    """The value as bytes, without spaces."""
    return _encode(value).encode()
