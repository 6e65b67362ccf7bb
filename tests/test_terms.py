"""The terms of the game: the same ones in every language, used by all texts, on a page that is up to date.

`docs/terms/forbidden-<language>.json` lists what the texts of a language must not say: a regular expression, and what
to write instead. `{"write": "player", "only": "players"}` holds for the texts of the game and the table alone: the
pages for authors of clients may say it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import alhambra
from alhambra.texts import languages
from alhambra.texts.catalogues import catalogues
from alhambra.texts.messages import Choice, Message, Passage, parsed
from scripts.terms import DOCS, LANGUAGES, PAGE, lines

GATEWAY = Path(alhambra.__file__).parents[2] / "gateway" / "alhambra_gateway"
TABLE = "table"
PLAYERS = "players"
FOR_AUTHORS = ("refusal", "metadata", "page", "fix")
"""Texts that authors of clients read, by the beginning of their key."""
EXPLAINED = re.compile(r" \(.*?\)")
"""What stands behind a term in brackets: the sense that is meant."""
STEM = 4


@cache
def forbidden(language: str) -> dict[str, dict[str, str]]:
    """By regular expression: what to write instead, and perhaps for whom it holds."""
    found: Any = json.loads((DOCS / "terms" / f"forbidden-{language}.json").read_text(encoding="utf-8"))
    entries = found.items() if isinstance(found, dict) else ((entry, "") for entry in found)
    return {said: entry if isinstance(entry, dict) else {"write": entry} for said, entry in entries}


def plain(parts: Message) -> str:
    """The words of a text without its facts."""
    found = []
    for part in parts:
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, Passage):
            found.append(plain(part.parts))
        elif isinstance(part, Choice):
            found.append(" | ".join(plain(form) for form in part.forms.values()))
        else:
            found.append("…")
    return "".join(found)


def _flat(key: str, entry: Any) -> Iterator[tuple[str, str]]:
    if isinstance(entry, str):
        yield key, re.sub(r"\{\w+\}", "…", entry)
    else:
        for name, inner in entry.items():
            yield from _flat(f"{key}.{name}", inner)


@cache
def texts_of(language: str) -> dict[str, str]:
    """All texts of a language, by where they stand: the game, the table in the browser, the pages and the fixes."""
    found = {key: plain(parsed(template)) for key, template in catalogues()[language].items()}
    found |= _flat(TABLE, json.loads((GATEWAY / "play" / f"words-{language}.json").read_text(encoding="utf-8")))
    found |= _flat("page", json.loads((GATEWAY / "pages" / "words.json").read_text(encoding="utf-8"))[language])
    fixes = json.loads((GATEWAY / "pages" / "fixes.json").read_text(encoding="utf-8"))
    return found | {f"fix.{reason}": re.sub("`.*?`", "…", told[language]) for reason, told in fixes.items()}


def said(language: str, texts: dict[str, str]) -> list[tuple[str, str, str]]:
    """Every text that says what it must not: where, what, and what to write instead."""
    return [
        (key, match[0], entry["write"])
        for expression, entry in forbidden(language).items()
        for key, told in texts.items()
        if not (entry.get("only") == PLAYERS and key.partition(".")[0] in FOR_AUTHORS)
        and (match := re.search(expression, told)) is not None
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_term_and_says_where_it_comes_from(language: str) -> None:
    terms = json.loads((DOCS / "terms" / f"{language}.json").read_text(encoding="utf-8"))
    assert set(terms) == set(json.loads((DOCS / "terms" / "de.json").read_text(encoding="utf-8")))
    assert all(entry["term"].strip() and entry["source"] in ("rulebook", "own") for entry in terms.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_use_every_term(language: str) -> None:
    """Each word of a term occurs in the texts, whatever its ending."""
    everything = " ".join(texts_of(language).values()).lower()
    terms = json.loads((DOCS / "terms" / f"{language}.json").read_text(encoding="utf-8"))
    words = {word for entry in terms.values() for word in re.findall(r"\w+", EXPLAINED.sub("", entry["term"].lower()))}
    assert [word for word in sorted(words) if word[: max(STEM, len(word) - 3)] not in everything] == []


@pytest.mark.parametrize("language", languages())
def test_no_text_says_what_the_terms_forbid(language: str) -> None:
    assert forbidden(language)
    assert said(language, texts_of(language)) == []


@pytest.mark.parametrize(
    ("language", "key", "told"),
    [
        ("en", "event.bonus_action", "Ada has a further action."),
        ("en", "event.seat_claimed", "Ada takes a seat."),
        ("en", "module.x.text", "A card is turned up."),
        ("de", "table.market", "Baumarkt"),
        ("de", "thing.gate", "Torkarte"),
    ],
)
def test_a_forbidden_term_is_noticed(language: str, key: str, told: str) -> None:
    assert said(language, {key: told})


def test_authors_of_clients_may_read_of_seats() -> None:
    assert said("en", {"fix.NOT_YOUR_DECISION": "Wait until it is your seat."}) == []
    assert said("de", {"thing.gate": "Stadttorkarte"}) == []


def test_the_page_of_terms_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == "\n".join(lines()) + "\n", "run `make docs`"
