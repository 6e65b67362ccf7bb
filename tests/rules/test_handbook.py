"""Pages about modules as data: complete in every language, and made from declarations alone."""

import pytest

from alhambra import BASE, known_modules, load_module
from alhambra.handbook import all_pages, module_page
from alhambra.texts import has_text, languages, sentence_form


@pytest.mark.parametrize("language", languages())
def test_every_word_that_a_module_declares_is_explained(language: str) -> None:
    for page in all_pages(language):
        module = BASE if page.key == BASE.key else load_module(page.key)
        entries = {section.key: [entry.key for entry in section.entries] for section in page.sections}
        assert entries.get("moves", []) == [verb.name for verb in module.verbs]
        assert entries.get("decisions", []) == [kind.name for kind in module.decisions]
        assert entries.get("events", []) == list(module.events)
        assert entries.get("facts", []) == list(module.public_facts)
        described = [piece for piece in module.pieces if has_text(f"thing.{piece}.text", language)]
        assert entries.get("pieces", []) == [*(kind.name for kind in module.piece_kinds), *described]
        assert entries.get("refusals", []) == [reason.code for reason in module.reasons]
        assert page.name and page.about and page.rule and page.example


def test_the_base_game_comes_first_and_modules_follow_by_their_numbers() -> None:
    pages = all_pages()
    assert pages[0] == module_page(BASE.key)
    assert len(pages) == 1 + len(known_modules())
    assert [page.number for page in pages[1:]] == sorted(page.number for page in pages[1:])


def test_components_with_the_same_name_are_shown_once() -> None:
    (gallery,) = (section for section in module_page(BASE.key).sections if section.gallery)
    assert [entry.key for entry in gallery.entries if entry.key.startswith("start-")] == ["start-0"]


def test_a_sentence_shows_the_names_of_its_facts() -> None:
    assert sentence_form("event.coins_drawn") == "{seat} draws {items}."
    assert sentence_form("event.no_such_event") == ""
