"""The terms of the game: the same ones in every language, and the page that shows them is up to date."""

import json

import pytest

from scripts.terms import DOCS, LANGUAGES, PAGE, lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_term_and_says_where_it_comes_from(language: str) -> None:
    terms = json.loads((DOCS / "terms" / f"{language}.json").read_text(encoding="utf-8"))
    assert set(terms) == set(json.loads((DOCS / "terms" / "de.json").read_text(encoding="utf-8")))
    assert all(entry["term"].strip() and entry["source"] in ("rulebook", "own") for entry in terms.values())


def test_the_page_of_terms_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == "\n".join(lines()) + "\n", "run `make docs`"
