"""The header Content-Language: in which language the texts of an answer are.

An answer that names its language itself (`language`) is taken at its word; an empty one has no texts. Other answers can
have texts if the contract says so in the comment on one of their fields, and these are in the language of the request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from google.protobuf.descriptor import Descriptor

from alhambra.texts import choose_language
from alhambra_api import contract

from .routes import Route

CONTENT_LANGUAGE = "Content-Language"
LanguageOf = Callable[[Any, Mapping[str, Any]], str]
"""Returns the language of an answer to a request with this environ; an empty text if it has no texts."""

_OF_THE_CALL = re.compile(r"\bin\s+the\s+language\s+of\s+the\s+call\b")
_chosen = lru_cache(256)(choose_language)


def language_of(route: Route) -> LanguageOf:
    """Return the function that finds the language of the answers to a route."""
    output = route.descriptor.output_type
    if "language" in output.fields_by_name:
        return lambda found, environ: str(found.language)
    if has_texts(output):
        return lambda found, environ: _chosen(environ.get("HTTP_ACCEPT_LANGUAGE"))
    return lambda found, environ: ""


def has_texts(message: Descriptor, seen: frozenset[str] = frozenset()) -> bool:
    """Return whether a message, or one that it contains, has a field in the language of the call."""
    if message.full_name in seen:
        return False
    seen |= {message.full_name}
    return any(
        _OF_THE_CALL.search(contract.comments().get(field.full_name, ""))
        or (field.message_type is not None and has_texts(field.message_type, seen))
        for field in message.fields
    )
