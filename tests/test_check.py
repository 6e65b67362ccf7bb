"""`make check`: what fails by chance is named, and what fails is not passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import check
from tests.sizes import INCOMPLETE

STEADY = "def test_steady(): pass\n"
UNSTEADY = """
from pathlib import Path

def test_unsteady():
    seen = Path(__file__).with_name("seen")
    times = len(seen.read_text()) if seen.exists() else 0
    seen.write_text("x" * (times + 1))
    assert times not in {failing}
"""
BROKEN = "def test_broken{number}(): assert False\n"


def run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, source: str, missing: tuple[str, ...] = ()
) -> tuple[int, list[str]]:
    """Run a folder with one file of tests as `make check` runs its tests."""
    (folder / "test_one.py").write_text(source)
    (folder / "pytest.ini").write_text("[pytest]\n")
    monkeypatch.setattr(check, "missing_programs", lambda: list(missing))
    return check.run_tests(folder, "-q")


def test_tests_that_pass_are_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(tmp_path, monkeypatch, UNSTEADY.format(failing={1})) == (0, [])
    assert (tmp_path / "seen").read_text() == "x"


def test_a_test_that_failed_once_and_then_passes_twice_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, unsteady = run(tmp_path, monkeypatch, STEADY + UNSTEADY.format(failing={0}))
    assert (code, unsteady) == (0, ["test_one.py::test_unsteady"])
    assert (tmp_path / "seen").read_text() == "xxx"


@pytest.mark.parametrize("failing", [{0, 1}, {0, 2}])
def test_a_test_that_fails_again_fails_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: set[int]
) -> None:
    assert run(tmp_path, monkeypatch, UNSTEADY.format(failing=failing)) == (check.FAILED, [])


def test_a_test_that_is_broken_fails_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = UNSTEADY.format(failing={0}) + BROKEN.format(number=0)
    assert run(tmp_path, monkeypatch, source) == (check.FAILED, [])


def test_many_failures_are_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = "".join(BROKEN.format(number=number) for number in range(check.MOST_REPEATED))
    assert run(tmp_path, monkeypatch, many + UNSTEADY.format(failing={0})) == (check.FAILED, [])
    assert (tmp_path / "seen").read_text() == "x"


def test_a_file_that_cannot_be_read_fails_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, unsteady = run(tmp_path, monkeypatch, "import nothing_of_this_name\n")
    assert code != 0
    assert unsteady == []


def test_what_could_not_be_run_is_still_said_after_a_repetition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _ = run(tmp_path, monkeypatch, UNSTEADY.format(failing={0}), missing=("wrk",))
    assert code == INCOMPLETE
