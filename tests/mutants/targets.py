"""What is mutated: the base game, each module, and parts of the service and the gateway; and which tests may notice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from os.path import normpath
from pathlib import Path
from typing import NamedTuple

from scripts.module_files import module_files

ROOT = Path(__file__).resolve().parents[2]
BASE = "base"
NUMBER = re.compile(r"^    +number=(\d+),", re.MULTILINE)

RULES_TESTS = ("tests/rules", "tests/test_golden.py", "tests/conformance/test_fixed_sample.py")
GAMES = (
    *("tests/test_golden.py", "tests/conformance", "tests/rules/hooks/test_random_games.py", "tests/rules/players"),
    *("tests/rules/test_told_games.py", "tests/rules/test_unused_modules.py", "tests/rules/test_things.py"),
)
"""Golden and random games: they say that something changed, not which rule."""
TABLES = ("tests/rules/overlays", "tests/rules/interactions/test_rows.py")
"""Tests of tables whose cells name the statements of the rules."""

SERVERS = {
    "service": (
        (
            *("auth/*.py", "store/commit.py", "store/memory/cache.py", "store/usage.py"),
            "games/loaded_game.py",
        ),
        (
            *("store/test_cache.py", "store/test_commits.py", "store/test_committed_games.py", "store/test_keys.py"),
            *("store/test_lost_answers.py", "store/test_races.py", "store/test_usage.py"),
            *("test_access.py", "test_rates.py", "test_quotas.py", "test_game_commands.py"),
            *("test_moves_exactly_once.py", "test_audit.py", "test_visibility.py"),
            "../test_tables_of_guides.py",
        ),
    ),
    "gateway": (
        ("limits.py", "routing/*.py", "json_messages/*.py"),
        (
            *("test_json_messages.py", "test_routes.py", "test_url_map.py"),
            *("test_problems.py", "test_conditional_requests.py"),
            "../test_tables_of_guides.py",
        ),
    ),
}
"""Of the servers: the files of their package that are mutated, and the tests in their folder that are run."""


class Target(NamedTuple):
    """A part of the project whose mutants are counted together."""

    name: str
    page: str
    """Two digits: the page of the rules, with which the numbers of its statements begin; "" of a server."""
    files: tuple[Path, ...]
    tests: tuple[str, ...]


@cache
def targets() -> dict[str, Target]:
    """Return everything that can be mutated, by name."""
    found = {BASE: Target(BASE, "00", tuple(sorted((ROOT / "rules/alhambra/base").rglob("*.py"))), RULES_TESTS)}
    for key, files in module_files().items():
        number = next(filter(None, (NUMBER.search(path.read_text(encoding="utf-8")) for path in files)))
        found[key] = Target(key, f"{int(number[1]):02}", tuple(files), RULES_TESTS)
    for name, (patterns, tests) in SERVERS.items():
        files = [path for each in patterns for path in sorted(ROOT.glob(f"{name}/alhambra_{name}/{each}"))]
        found[name] = Target(name, "", tuple(files), tuple(normpath(f"tests/{name}/{test}") for test in tests))
    return found


def tiers(target: Target) -> list[list[str]]:
    """Return files of tests, the likeliest first: those named after the target, others that name a statement of its
    page, and all others. A later tier runs only for mutants that the tiers before it did not notice."""
    files = list(dict.fromkeys(_files_with_tests(target.tests)))
    if not target.page:
        return [files]
    folder = "tests/rules/base/" if target.name == BASE else f"tests/rules/modules/test_{target.name}"
    named = re.compile(rf'"{target.page}\.\d+"')
    first = [file for file in files if file.startswith(folder)]
    second = [file for file in files if file not in first and named.search((ROOT / file).read_text(encoding="utf-8"))]
    return [first, second, [file for file in files if file not in first and file not in second]]


def may_name_rules(file: str) -> bool:
    """Tell whether tests of a file may name statements of the rules: the others are measured only if they are tried."""
    if file.startswith(GAMES):
        return False
    return file.startswith(TABLES) or "mark.rule" in (ROOT / file).read_text(encoding="utf-8")


def _files_with_tests(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        place = ROOT / path
        if place.is_file():
            yield path
        else:
            yield from sorted(each.relative_to(ROOT).as_posix() for each in place.rglob("test_*.py"))
