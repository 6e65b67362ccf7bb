"""Checks the citations of docs/rules/, and generates docs/rules/coverage.md: which tests name which statement.

python -m scripts.rules_pages           write the page
python -m scripts.rules_pages --check   say what is wrong: unknown citations, statements without a test, a stale page
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "rules"
COVERAGE = PAGES / "coverage.md"
CELLS = "tests/rules/overlays"
NO_PAGE = "no page decides it"
"""The source of a cell of the overlay tables that no statement covers."""

_STATEMENT = re.compile(r"^\*\*(\d\d\.\d+)\*\* ", re.MULTILINE)
_NUMBER = re.compile(r"\d\d\.\d+")
_ON_A_PAGE = re.compile(r"(?<![\w.])\d\d\.\d+(?![\w%]|\.\d)")
_IN_PARENTHESES = re.compile(r"\((\d\d\.\d+(?:(?:,| and|;) \d\d\.\d+)*)\)")


_OLD_FORM = r"[0-9]{2} (R[0-9]+|ruling [0-9]+|§[0-9])|moves(\.md)? (9\.)?[A-D][0-9]+"
"""Citations of an earlier form, for git grep and for Python alike."""


class Statement(NamedTuple):
    """One numbered statement of a rules page."""

    number: str
    page: Path
    text: str

    @property
    def untested_because(self) -> str:
        """The reason why no test can name it; "" if one can."""
        return " ".join(self.text.partition("*No test:*")[2].split())


class Citation(NamedTuple):
    """A place that names a statement."""

    number: str
    path: str
    line: int
    test: str = ""
    """The test that names it, if a test does."""


@cache
def statements() -> dict[str, Statement]:
    """Return every statement by its number. Raise ValueError if a number occurs twice."""
    found: dict[str, Statement] = {}
    for page in sorted(PAGES.glob("[0-9][0-9]-*.md")):
        text = page.read_text(encoding="utf-8")
        starts = list(_STATEMENT.finditer(text))
        for start, following in zip(starts, [*starts[1:], None], strict=True):
            body = text[start.end() : following.start() if following else len(text)]
            body = body.partition("\n## ")[0].strip()
            if start[1] in found:
                raise ValueError(f"{page.name}: {start[1]} occurs twice")
            found[start[1]] = Statement(start[1], page, body)
    return found


def page_faults() -> Iterator[str]:
    """Yield what is wrong with the pages themselves: gaps in the numbers, rulings without a reason."""
    numbers: dict[str, list[int]] = {}
    for statement in statements().values():
        page, _, count = statement.number.partition(".")
        if not statement.page.name.startswith(f"{page}-"):
            yield f"{statement.page.name}: {statement.number} belongs to another page"
        numbers.setdefault(page, []).append(int(count))
        if "*Ruling.*" in statement.text and "*Why:*" not in statement.text:
            yield f"{statement.page.name}: the ruling {statement.number} has no reason (*Why:*)"
    for page, counts in numbers.items():
        if missing := sorted(set(range(1, max(counts) + 1)) - set(counts)):
            yield f"page {page}: no statement has the number {page}.{missing[0]}"


def citations() -> Iterator[Citation]:
    """Yield every citation of a statement in the project."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.py", "*.md", "*.toml", "*.json"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for path in sorted(set(listed.stdout.split("\n")) - {""}):
        file = ROOT / path
        if file == COVERAGE or not file.exists():
            continue
        text = file.read_text(encoding="utf-8")
        if path.endswith(".py"):
            yield from _of_tests(path, text)
        if file.parent == PAGES:
            yield from _numbers(path, text, _ON_A_PAGE)
        elif path.startswith(CELLS) and path.endswith(".toml"):
            yield from _of_cells(path, text)
        elif path.endswith(".py"):
            yield from _of_comments(path, text)
        else:
            yield from _numbers(path, text, _IN_PARENTHESES)


def _numbers(path: str, text: str, pattern: re.Pattern[str]) -> Iterator[Citation]:
    for found in pattern.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield from (Citation(number, path, line) for number in _NUMBER.findall(found[0]))


def _of_comments(path: str, text: str) -> Iterator[Citation]:
    """Yield what comments and docstrings name. In code, numbers in parentheses are numbers."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and token.string.endswith('"""')):
            for citation in _numbers(path, token.string, _IN_PARENTHESES):
                yield citation._replace(line=token.start[0] + citation.line - 1)


def _of_tests(path: str, text: str) -> Iterator[Citation]:
    """Yield what `@pytest.mark.rule("22.7", …)` names."""
    if "mark.rule(" not in text:
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for marker in node.decorator_list:
                if isinstance(marker, ast.Call) and ast.unparse(marker.func) == "pytest.mark.rule":
                    for number in marker.args:
                        yield Citation(str(ast.literal_eval(number)), path, marker.lineno, node.name)


def _of_cells(path: str, text: str) -> Iterator[Citation]:
    """Yield what the sources of a table of overlays name. The cells are executed as tests."""
    lines = text.split("\n")
    for block in _blocks(tomllib.loads(text)):
        source = str(block["source"])
        line = next((at for at, written in enumerate(lines, 1) if written == f'source = "{source}"'), 1)
        for number in _NUMBER.findall(source):
            yield Citation(number, path, line, f"{Path(path).stem}")


def _blocks(value: object) -> Iterator[Mapping[str, object]]:
    """Yield every table inside a TOML document that has a source."""
    if isinstance(value, dict):
        if "source" in value:
            yield value
        for inner in value.values():
            yield from _blocks(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _blocks(inner)


def citation_faults(cited: Iterable[Citation]) -> Iterator[str]:
    """Yield citations of statements that do not exist, and citations in a form that names no statement."""
    known = statements()
    for citation in cited:
        if citation.number not in known:
            yield f"{citation.path}:{citation.line}: there is no statement {citation.number}"
    listed = subprocess.run(
        ["git", "grep", "-nIE", _OLD_FORM, "--", "*.py", "*.md", "*.toml", "*.json", ":!scripts/rules_pages.py"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    for line in listed.stdout.splitlines():
        path, number, text = line.split(":", 2)
        if found := re.search(_OLD_FORM, text):
            yield f"{path}:{number}: {found[0]!r} names no statement; cite it as (NN.k)"


def linked(numbers: Iterable[str]) -> str:
    """Return statements as Markdown, each with a link to its page, for a page of docs/."""
    return ", ".join(f"[{number}](rules/{statements()[number].page.name})" for number in numbers)


def tests_of(cited: Iterable[Citation]) -> dict[str, list[Citation]]:
    """Return the tests that name each statement, by its number."""
    found: dict[str, list[Citation]] = {number: [] for number in statements()}
    for citation in cited:
        if citation.test and citation.number in found:
            found[citation.number].append(citation)
    return found


def coverage_faults(tests: Mapping[str, list[Citation]]) -> Iterator[str]:
    """Yield statements that no test names and that do not say why."""
    for number, statement in statements().items():
        if not tests[number] and not statement.untested_because:
            yield f"docs/rules/{statement.page.name}: no test names {number}, and it does not say why (*No test:* …)"
        if tests[number] and statement.untested_because:
            yield f"docs/rules/{statement.page.name}: {number} has a test although it says *No test:*"


def coverage_page(tests: Mapping[str, list[Citation]]) -> str:
    """Return the text of docs/rules/coverage.md."""
    pages: dict[Path, list[Statement]] = {}
    for statement in statements().values():
        pages.setdefault(statement.page, []).append(statement)
    lines = [
        "# Coverage of the rules",
        "",
        "<!-- Generated by `make docs` from docs/rules/ and tests/. Do not edit. -->",
        "",
        "Which tests name which statement of the rules. `pytest --rule 22.7` runs the tests of one statement.",
        "Tests under `overlays/` are tables that are executed cell by cell.",
        "",
        "| page | statements | rulings | with a test | without, with a reason |",
        "|---|---|---|---|---|",
    ]
    for page, own in pages.items():
        rulings = sum("*Ruling.*" in statement.text for statement in own)
        tested = sum(bool(tests[statement.number]) for statement in own)
        reasons = sum(bool(statement.untested_because) for statement in own)
        lines.append(f"| [{page.stem}]({page.name}) | {len(own)} | {rulings} | {tested} | {reasons} |")
    for page, own in pages.items():
        lines += ["", f"## {page.stem}", "", "| statement | tests |", "|---|---|"]
        for statement in own:
            lines.append(f"| {statement.number} | {_tests_cell(statement, tests[statement.number])} |")
    return "\n".join(lines) + "\n"


def _tests_cell(statement: Statement, tests: Iterable[Citation]) -> str:
    if statement.untested_because:
        return f"none: {statement.untested_because}"
    by_file: dict[str, list[str]] = {}
    for citation in tests:
        by_file.setdefault(citation.path.removeprefix("tests/").removeprefix("rules/"), []).append(citation.test)
    files = (f"{path}: {', '.join(f'`{name}`' for name in dict.fromkeys(names))}" for path, names in by_file.items())
    return "; ".join(files)


def main() -> int:
    """Write or check the page; returns 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="say what is wrong, and write nothing")
    check = parser.parse_args().check
    cited = list(citations())
    tests = tests_of(cited)
    faults = [*page_faults(), *citation_faults(cited), *coverage_faults(tests)]
    page = coverage_page(tests)
    if not check:
        COVERAGE.write_text(page, encoding="utf-8")
    elif not COVERAGE.exists() or COVERAGE.read_text(encoding="utf-8") != page:
        faults.append("docs/rules/coverage.md is stale: run `make docs`")
    print(*faults, sep="\n", end="\n" if faults else "")
    tested = sum(bool(found) for found in tests.values())
    print(f"{len(statements())} statements, {tested} with a test, {len(cited)} citations")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
