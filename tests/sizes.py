"""The three sizes of a test run, and what a run leaves out.

    make quick    pytest --size=quick    the rules: no server, nothing that plays many games
    make test     pytest --size=test     everything that needs nothing but Python packages and is not long
    make check    pytest --size=check    everything

Without `--size` pytest runs whatever it is asked for. A path that no table names belongs to `test`.

A run names what it left out when it ends. Tests that need a program of the system carry the mark `needs`. If the
program is missing, `make test` leaves them out and names them; `make check` does the same and ends with the exit code
INCOMPLETE, because it promises everything; pytest without a size fails them. Single tests that play many games carry
the mark `check_only`, with a smaller sample of the same kind beside them, and so do single tests of a kind that a
table leaves to `make check`: processes that are killed, many clients at once.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
SIZES = QUICK, TEST, CHECK = ("quick", "test", "check")
MISSING = "missing"
"""Where a worker of a run on several cores notes what it left out."""
CHECK_ONLY = "check_only"
"""The mark of single tests that only `make check` runs."""
INCOMPLETE = 9
"""The exit code of a complete run in which everything passed, but not everything could be run."""

QUICK_PATHS = ("tests/rules", "tests/conformance/test_the_checks_bite.py", "tests/test_budget.py")

LONG_RULES = {
    "tests/rules/players": "computer opponents",
    "tests/rules/test_declarations.py": "games of every module",
    "tests/rules/test_malformed.py": "random options and bytes",
    "tests/rules/test_module_dead_code.py": "what no module uses",
    "tests/rules/test_module_form.py": "every pair of modules",
    "tests/rules/test_module_isolation.py": "every pair of modules",
    "tests/rules/test_odd_tiles_by_geometry.py": "geometric oracle",
    "tests/rules/test_things.py": "games of every module",
    "tests/rules/test_told_games.py": "games of every module",
    "tests/rules/test_unused_modules.py": "games of every module",
    "tests/rules/hooks/test_random_games.py": "games of every hook",
}
"""Of the rules, what `make quick` leaves to `make test`."""

CHECK_PATHS = {
    "tests/bench": "benchmarks",
    "tests/browser": "the table in the browser",
    "tests/cli/tournament/test_node_bot.py": "examples in JavaScript",
    "tests/clients/python/test_faults.py": "faults",
    "tests/clients/typescript/test_browser.py": "the TypeScript client",
    "tests/clients/typescript/test_faults.py": "faults",
    "tests/clients/typescript/test_games.py": "the TypeScript client",
    "tests/clients/typescript/test_notices.py": "faults",
    "tests/clients/typescript/test_package.py": "the TypeScript client",
    "tests/clients/typescript/test_readme.py": "the TypeScript client",
    "tests/clients/typescript/test_units.py": "the TypeScript client",
    "tests/compat/rolling": "two versions side by side",
    "tests/deploy": "images, compose and Kubernetes",
    "tests/envs/test_openspiel.py": "OpenSpiel",
    "tests/faults": "faults",
    "tests/generated_requests": "random requests",
    "tests/rules/players/test_train_learned.py": "the training of the learned player",
    "tests/webhooks": "senders of webhooks that are killed",
    "tests/gateway/test_attacks.py": "attacks",
    "tests/gateway/test_kills.py": "faults",
    "tests/gateway/test_many_streams.py": "load tests",
    "tests/gateway/test_request_costs.py": "attacks",
    "tests/gateway/test_stopping.py": "faults",
    "tests/gateway/test_contract_tools.py": "generated clients",
    "tests/gateway/test_generated_clients.py": "generated clients",
    "tests/gateway/test_generated_java_and_go.py": "generated clients",
    "tests/gateway/test_read_your_writes.py": "load tests",
    "tests/gateway/test_schemathesis.py": "random requests",
    "tests/gateway/test_screenshots.py": "screenshots",
    "tests/gateway/test_typescript.py": "generated clients",
    "tests/loadtests": "load tests",
    "tests/service/attacks": "attacks",
    "tests/service/fuzz": "random requests",
    "tests/service/store/test_capacity.py": "faults",
    "tests/service/store/test_tls_server.py": "a Redis with TLS",
    "tests/service/test_damaged_files.py": "faults",
    "tests/service/test_stalled_store.py": "faults",
    "tests/service/test_store_troubles.py": "faults",
    "tests/test_guides_in_javascript.py": "examples in JavaScript",
    "tests/test_hosting.py": "forms and workflows",
}
"""What only `make check` runs. These files may import packages that the other sizes do not install."""

NPM = "packages of npm"
MOUNT = "the right to mount a disk"
FIREFOX = "firefox-esr 153"
"""The oldest version that knows what Playwright asks of it."""
JAKARTA = "/usr/share/java/jakarta-annotation-api.jar"

PROGRAMS = {
    "cc": "gcc libc6-dev",
    "chromium": "chromium",
    "curl": "curl",
    FIREFOX: "firefox-esr",
    "go": "golang-go",
    "h2load": "nghttp2-client",
    "ip": "iproute2",
    "javac": "default-jdk-headless",
    "jq": "jq",
    "redis-check-rdb": "redis-tools",
    "wrk": "wrk",
    JAKARTA: "libjakarta-annotation-api-java",
    NPM: "none; `python -m tests.gateway.node` installs them",
    MOUNT: "none; root has it outside of containers",
}
"""What tests can need, each with the Debian package that holds it (`scripts/system_packages.sh`)."""


NEEDS = {
    "tests/bench/test_a_short_run.py": ("h2load", "wrk"),
    "tests/browser": ("chromium", NPM),
    "tests/clients/typescript/test_browser.py": ("chromium",),
    "tests/clients/typescript/test_package.py": (NPM,),
    "tests/faults/test_disks.py": (MOUNT,),
    "tests/gateway/test_contract_tools.py": (NPM,),
    "tests/gateway/test_generated_clients.py": (NPM,),
    "tests/gateway/test_screenshots.py": ("chromium",),
    "tests/gateway/test_typescript.py": (NPM,),
    "tests/service/store/test_tls_server.py": ("redis-check-rdb",),
}
"""What whole files and folders need; single tests carry the mark."""


class Missing(NamedTuple):
    """A test that was left out because a program is missing."""

    path: str
    program: str


def smallest_size(path: str) -> str:
    """Return the smallest size that runs a file or folder, given relative to the root."""
    if _below(path, CHECK_PATHS):
        return CHECK
    return QUICK if _below(path, QUICK_PATHS) and not _below(path, LONG_RULES) else TEST


def _below(path: str, places: tuple[str, ...] | dict[str, str]) -> str:
    """Return the place that is or contains the path; "" if none does."""
    return next((place for place in places if path == place or path.startswith(f"{place}/")), "")


class Sizes:
    """The pytest plugin: takes a run's files and tests by its size, and reports what was left out."""

    def __init__(self, size: str | None) -> None:
        self.size = size
        self.missing: list[Missing] = []

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave files and folders of larger sizes out before they, or their conftest.py, are imported."""
        if self.size is None or not collection_path.is_relative_to(ROOT / "tests"):
            return None
        path = collection_path.relative_to(ROOT).as_posix()
        if collection_path.is_dir() and not _below(path, CHECK_PATHS):  # it may hold files of several sizes
            return None
        return True if SIZES.index(smallest_size(path)) > SIZES.index(self.size) else None

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave tests out that are for a larger size or whose programs are missing, if the run has a size."""
        if self.size is None:
            return
        kept, left = [], []
        for item in items:
            if self.size != CHECK and item.get_closest_marker(CHECK_ONLY):
                left.append(item)
            elif (program := next(_missing_programs(item), None)) is not None:
                left.append(item)
                self.missing.append(Missing(item.nodeid.partition("::")[0], program))
            else:
                kept.append(item)
        if left:
            config.hook.pytest_deselected(items=left)
            items[:] = kept

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Fail a test whose program is missing: without a size, it was asked for by its name."""
        for program in _missing_programs(item):
            pytest.fail(f"This test needs `{program}` (Debian: {PROGRAMS[program]}).", pytrace=False)

    def summary(self) -> Iterator[str]:
        """Generate a line for everything that the run left out."""
        if self.size is None:
            return
        if self.size != CHECK:
            kinds = ", ".join(dict.fromkeys(CHECK_PATHS.values()))
            yield f"Left to `make check`: {kinds}; larger samples, and single tests of these kinds."
        if self.size == QUICK:
            yield f"Left to `make test`: {', '.join(dict.fromkeys(LONG_RULES.values()))}; service, gateway, documents."
        for (path, program), count in sorted(Counter(self.missing).items()):
            yield f"NOT RUN: {count} of {path}, because `{program}` is missing (Debian: {PROGRAMS[program]})."

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print what was left out."""
        for line in self.summary():
            terminalreporter.line(line, yellow=line.startswith("NOT RUN"))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker has left out; each worker has collected all tests."""
        self.missing = [Missing(*each) for each in getattr(node, "workeroutput", {}).get(MISSING, self.missing)]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Let the exit code of `make check` say that something was not run."""
        if (output := getattr(session.config, "workeroutput", None)) is not None:
            output[MISSING] = [list(each) for each in self.missing]
        elif self.size == CHECK and self.missing and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = INCOMPLETE


def _missing_programs(item: pytest.Item) -> Iterator[str]:
    """Generate what a test needs and the machine does not have."""
    needed = [*NEEDS.get(_below(item.nodeid.partition("::")[0], tuple(NEEDS)), ())]
    for mark in item.iter_markers("needs"):
        needed += mark.args
    for program in needed:
        if program not in PROGRAMS:
            raise pytest.UsageError(f"{item.nodeid} needs {program!r}, which tests/sizes.py does not list")
        if not _is_there(program):
            yield program


def missing_programs() -> list[str]:
    """Return what tests can need and this machine does not have."""
    return [program for program in PROGRAMS if not _is_there(program)]


@cache
def _major_version(program: str) -> int:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"\d+", said)
    return int(found[0]) if found else 0


@cache
def _is_there(program: str) -> bool:
    if program == NPM:
        from tests.gateway import node  # the package that it needs is not installed for the smaller sizes

        return node.installed()
    if program == MOUNT:
        trial = ["unshare", "--mount", "true"]
        return os.geteuid() == 0 and subprocess.run(trial, capture_output=True, check=False).returncode == 0
    if program == FIREFOX:
        name, _, oldest = program.partition(" ")
        return shutil.which(name) is not None and _major_version(name) >= int(oldest)
    return Path(program).is_file() if program.startswith("/") else shutil.which(program) is not None
