"""The documentation is true where a test can tell: generated pages are fresh, links lead somewhere, lists complete."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from alhambra.components import component_data
from alhambra.texts import text as text_of
from scripts.docs import FOLDER, INTERACTIONS, NOTE, OVERLAYS, pages
from scripts.interactions import interactions_page
from scripts.module_files import module_files
from scripts.overlays import overlays_page

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
KEYS = tuple(component_data()["modules"])
WRITTEN = set(module_files())
DECISIONS = sorted((DOCS / "decisions").glob("*"))
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]

each_decision = pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.name)


@cache
def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


# -- Generated pages ---------------------------------------------------------------------------------------------------


def test_the_generated_pages_are_what_make_docs_would_write() -> None:
    stale = [name for name, text in pages().items() if not (FOLDER / name).exists() or read(FOLDER / name) != text]
    assert stale == [], "run  make docs"


def test_the_page_of_overlays_is_what_make_docs_would_write() -> None:
    assert OVERLAYS.exists(), "run  make docs"
    assert read(OVERLAYS) == overlays_page(), "run  make docs"


def test_the_page_of_interactions_is_what_make_docs_would_write() -> None:
    assert INTERACTIONS.exists(), "run  make docs"
    assert read(INTERACTIONS) == interactions_page(), "run  make docs"


def test_no_generated_page_is_left_over() -> None:
    assert {page.name for page in FOLDER.glob("*")} == set(pages())


def test_every_module_has_a_page_and_every_page_says_that_it_is_generated() -> None:
    assert {name.removesuffix(".md") for name in pages()} == WRITTEN | {"README", "base"}
    assert [name for name, text in pages().items() if not text.startswith(NOTE)] == []


# -- Links -------------------------------------------------------------------------------------------------------------


def prose(text: str) -> str:
    """The page without its code."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))


def links(text: str) -> Iterator[str]:
    """Where the links of a page lead, inline ones, references and pictures."""
    yield from re.findall(r"\]\(\s*<?([^)\s>]+)", prose(text))
    yield from re.findall(r"^\[[^\]]+\]:\s*(\S+)", prose(text), re.MULTILINE)


@cache
def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    headings = re.findall(r"^#+\s+(.*)$", read(page), re.MULTILINE)
    return {re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.strip().lower())) for heading in headings}


def leads_somewhere(page: Path, link: str) -> bool:
    """Whether a link leads out of the project, or to a file in it and a heading that the file has."""
    if re.match(r"[a-z][a-z0-9+.-]*:", link):
        return True
    name, _, anchor = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    if not target.exists() or not target.is_relative_to(ROOT):
        return False
    return not anchor or target.suffix != ".md" or anchor in anchors(target)


def test_every_relative_link_leads_somewhere() -> None:
    for page in PAGES:
        assert [link for link in links(read(page)) if not leads_somewhere(page, link)] == [], page


FILE_NAME = r"[\w./*-]*\w+\.(?:py|md|json|toml|lock|sh|txt|proto)"
HOMES = (
    *(ROOT, DOCS, ROOT / "rules" / "alhambra", ROOT / "rules" / "alhambra" / "base"),
    *(
        ROOT / "service" / "alhambra_service",
        ROOT / "gateway" / "alhambra_gateway",
        ROOT / "runtime" / "alhambra_runtime",
    ),
)
"""Where a file that a page names may lie: seen from the root, or in the folder that the page talks about."""
NOT_IN_THE_TREE = {"bench/results.json", "game.txt"}
"""Written when the project is used."""


def test_every_file_that_a_page_names_exists() -> None:
    for page in PAGES:
        if page.parent == FOLDER:
            continue  # generated; where components come from is told in the words of the data
        named = set(re.findall(rf"`({FILE_NAME})`", read(page))) - NOT_IN_THE_TREE
        homes = (*HOMES, page.parent)
        assert sorted(name for name in named if not any((home / name).exists() for home in homes)) == [], page


def test_a_page_begins_with_its_title_and_has_one() -> None:
    for page in PAGES:
        text = re.sub(r"^<!--[^>]*-->\s*", "", read(page))  # that the page is generated
        text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
        assert text.startswith("# "), page
        assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1, page


# -- Modules -----------------------------------------------------------------------------------------------------------


def test_every_module_of_the_rulebooks_is_written() -> None:
    assert len(KEYS) == 43
    assert set(KEYS) == WRITTEN


def test_the_table_of_hooks_names_modules_that_use_them() -> None:
    table = read(DOCS / "writing-a-module.md").partition("\n## Which hook do I need?\n")[2]
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("|")][2:]
    assert len(rows) > 20
    for wanted, hooks, examples in rows:
        words = re.findall(r"\w{4,}", " ".join(re.findall(r"`([^`]+)`", hooks)))
        for key in re.findall(r"`(\w+)`", examples):
            source = "".join(read(path) for path in module_files()[key])
            assert any(re.search(rf"\b{word}\b", source) for word in words), (wanted, key)


def test_the_changelog_names_every_module() -> None:
    told = " ".join(read(ROOT / "CHANGELOG.md").split())
    assert [key for key in KEYS if text_of(f"module.{key}") not in told] == []


# -- The glossary ------------------------------------------------------------------------------------------------------


def test_the_glossary_has_at_most_sixty_terms_in_order_and_explains_each_in_a_sentence() -> None:
    table = read(DOCS / "glossary.md").partition("|---|---|---|---|---|\n")[2].splitlines()
    rows = [re.fullmatch(r"\| ([^|]+) \| ([A-Z][^|]+)\.(?: \|[^|]*){3}\|", line) for line in table]
    assert [line for line, row in zip(table, rows, strict=True) if row is None] == []
    terms = [row[1] for row in rows if row is not None]
    assert 20 < len(terms) <= 60
    assert terms == sorted(set(terms), key=str.lower)
    assert [row[1] for row in rows if row is not None and re.search(r"\. [A-Z]", row[2])] == []


# -- Decisions ---------------------------------------------------------------------------------------------------------


def test_every_decision_has_a_number_of_its_own() -> None:
    numbers = [page.name[:4] for page in DECISIONS]
    assert numbers[0] == "0001"
    assert len(set(numbers)) == len(numbers) > 20


@each_decision
def test_a_decision_is_named_in_the_one_style(page: Path) -> None:
    assert re.fullmatch(r"\d{4}(-[a-z0-9]+)+\.md", page.name)


@each_decision
def test_a_decision_has_its_number_in_the_title(page: Path) -> None:
    title = next(line for line in read(page).splitlines() if line.startswith("# "))
    assert re.fullmatch(rf"# {int(page.name[:4])}\. [A-Z].*[^.]", title)


@each_decision
def test_a_decision_says_what_why_and_at_what_cost(page: Path) -> None:
    text = read(page)
    parts = re.findall(r"^\*\*([^*]+?)\.?\*\*", text, re.MULTILINE)
    assert parts in (["Decided", "Why", "Costs"], ["Decided", "Why", "Costs", "Reconsider"])
    assert not re.search(r"^##", text, re.MULTILINE)
