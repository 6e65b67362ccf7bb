"""The sizes of a test run: what each leaves out is named, and nothing is left out silently."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sizes import CHECK_PATHS, INCOMPLETE, LONG_RULES, NEEDS, PROGRAMS, QUICK_PATHS, ROOT, smallest_size

FILE = """
import pytest

def test_alone(): pass

@pytest.mark.check_only
def test_long(): pass

@pytest.mark.needs("wrk")
def test_with_a_program(): pass
"""
ONE = """
from pathlib import Path
import pytest
from tests import sizes

def pytest_addoption(parser):
    parser.addoption("--size", choices=sizes.SIZES)

def pytest_configure(config):
    config.addinivalue_line("markers", "needs(*programs)")
    config.addinivalue_line("markers", "check_only")
    config.pluginmanager.register(sizes.Sizes(config.getoption("--size")))
"""


def run(folder: Path, *words: str, programs: tuple[str, ...] = ()) -> tuple[int, str]:
    """Run pytest in a folder with one file, on a machine that has only these programs; its exit code and output."""
    (folder / "test_one.py").write_text(FILE)
    (folder / "conftest.py").write_text(ONE)
    path = folder / "bin"
    path.mkdir()
    for name in programs:
        (path / name).touch(0o755)
    without_settings = ("-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", ".")
    command = [sys.executable, "-m", "pytest", *without_settings, *words]
    variables = {**os.environ, "PATH": str(path), "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout + done.stderr


def test_a_test_whose_program_is_missing_is_named_and_the_complete_run_says_so_by_its_exit_code(tmp_path: Path) -> None:
    code, said = run(tmp_path, "--size=check")
    assert (code, "2 passed, 1 deselected" in said) == (INCOMPLETE, True), said
    assert "NOT RUN: 1 of test_one.py, because `wrk` is missing (Debian: wrk)." in said


def test_a_run_on_several_cores_names_it_as_well(tmp_path: Path) -> None:
    code, said = run(tmp_path, "--size=check", "-p", "xdist", "-n", "2")
    assert code == INCOMPLETE, said
    assert said.count("NOT RUN: 1 of test_one.py") == 1


def test_the_complete_run_is_complete_where_the_programs_are(tmp_path: Path) -> None:
    code, said = run(tmp_path, "--size=check", programs=("wrk",))
    assert (code, "3 passed" in said, "NOT RUN" in said) == (0, True, False), said


def test_a_smaller_run_leaves_long_tests_out_and_names_what_is_left(tmp_path: Path) -> None:
    code, said = run(tmp_path, "--size=test")
    assert (code, "1 passed, 2 deselected" in said) == (0, True), said
    assert "NOT RUN: 1 of test_one.py" in said
    assert f"Left to `make check`: {next(iter(CHECK_PATHS.values()))}, " in said


def test_a_test_that_is_asked_for_by_name_fails_without_its_program(tmp_path: Path) -> None:
    code, said = run(tmp_path, "test_one.py::test_with_a_program")
    assert code == 1
    assert "This test needs `wrk` (Debian: wrk)." in said


def test_every_path_of_the_tables_exists() -> None:
    paths = [*QUICK_PATHS, *LONG_RULES, *CHECK_PATHS, *NEEDS]
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize(
    ("path", "size"),
    [
        ("tests/rules/modules/test_medina.py", "quick"),
        ("tests/rules/test_declarations.py", "test"),
        ("tests/service/test_orders.py", "test"),
        ("tests/browser/test_playing.py", "check"),
    ],
)
def test_a_file_belongs_to_the_smallest_size_that_runs_it(path: str, size: str) -> None:
    assert smallest_size(path) == size


def test_every_program_is_one_that_the_script_installs() -> None:
    script = (ROOT / "scripts" / "system_packages.sh").read_text(encoding="utf-8")
    for program, package in PROGRAMS.items():
        if not package.startswith("none"):
            assert re.search(rf"need(_version)? {program} '?{package}'?(?: |$)", script, re.MULTILINE), program
