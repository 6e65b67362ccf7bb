"""Which language a caller wants: the best one for an `Accept-Language` header."""

from __future__ import annotations

import re

from .catalogues import DEFAULT, languages

HEADER_LIMIT = 1_000
_RANGE = re.compile(r"\s*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9]{1,8})*\s*(?:;\s*[qQ]\s*=\s*([01](?:\.[0-9]{0,3})?)\s*)?")


def choose_language(header: object) -> str:
    """The best language for an `Accept-Language` header, whatever it holds; English if nothing fits."""
    wanted: list[tuple[float, int, str]] = []
    for place, entry in enumerate(header[:HEADER_LIMIT].split(",") if isinstance(header, str) else ()):
        found = _RANGE.fullmatch(entry)
        if found:
            language = DEFAULT if found[1] == "*" else found[1].lower()
            weight = float(found[2] or 1)
            if language in languages() and 0 < weight <= 1:
                wanted.append((-weight, place, language))
    return min(wanted)[2] if wanted else DEFAULT
