"""A version is released only if its files are in order; what the machine cannot check is said."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from alhambra import Game, Options
from scripts import release
from scripts.release import Against, Findings, Unknown
from tests.compat.corpus import archive, write_games


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project that can be released as 1.2.3."""
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy/compose.yaml").write_text("image: alhambra-service:1.2.3\n", "utf-8")
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n', "utf-8")
    (tmp_path / "CHANGELOG.md").write_text("## [1.2.3] - 2026-01-31\n\nNews.\n", "utf-8")
    write_games(archive("1.2.3", tmp_path / "tests/compat/games"), [("base/start", Game.new(Options(2, "a seed")))])
    for words in (
        ("init", "--quiet"),
        ("add", "."),
        ("-c", "user.name=A", "-c", "user.email=a@localhost", "commit", "--quiet", "-m", "All"),
    ):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def test_a_version_whose_files_are_in_order_can_be_released(root: Path) -> None:
    assert release.version_is_one(root) == "1.2.3"
    assert release.changelog_is_dated(root)
    assert release.tree_is_clean(root)
    assert release.games_are_kept(root).startswith("1 files in tests/compat/games/1.2.3.tar.xz")


def test_images_of_another_version_speak_against_it(root: Path) -> None:
    (root / "deploy/compose.yaml").write_text("image: alhambra-service:1.2.2\n", "utf-8")
    with pytest.raises(Against, match=r"names images of 1\.2\.2, not 1\.2\.3"):
        release.version_is_one(root)


@pytest.mark.parametrize(
    "text",
    [
        "## [Unreleased]\n\nNews.\n",
        "## [1.2.3] - not released yet\n\nNews.\n",
        "## [Unreleased]\n\nMore news.\n\n## [1.2.3] - 2026-01-31\n\nNews.\n",
    ],
)
def test_a_changelog_without_the_date_or_with_later_news_speaks_against_it(root: Path, text: str) -> None:
    (root / "CHANGELOG.md").write_text(text, "utf-8")
    with pytest.raises(Against, match=r"CHANGELOG\.md"):
        release.changelog_is_dated(root)


def test_a_file_that_is_not_committed_speaks_against_it(root: Path) -> None:
    (root / "pyproject.toml").write_text('[project]\nversion = "1.2.4"\n', "utf-8")
    with pytest.raises(Against, match=r"1 files are not committed, such as pyproject\.toml"):
        release.tree_is_clean(root)


def test_a_version_that_was_tagged_is_not_released_again(root: Path) -> None:
    subprocess.run(["git", "tag", "v1.2.3"], cwd=root, check=True)
    with pytest.raises(Against, match=r"v1\.2\.3 exists already"):
        release.tree_is_clean(root)


def test_a_version_without_kept_games_is_not_released(root: Path) -> None:
    archive("1.2.3", root / "tests/compat/games").unlink()
    with pytest.raises(Against, match="run  make compat"):
        release.games_are_kept(root)


def test_an_interpreter_that_is_not_there_is_told_and_no_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    found = Findings()
    found.check("Wheel on CPython 3.99", lambda: release.interpreter("3.99"))
    assert found.unknown == ["Wheel on CPython 3.99: no CPython 3.99 is on the path or of pyenv or uv."]
    assert not found.against
    with pytest.raises(Unknown):
        release.interpreter("3.99")


def test_the_report_names_what_speaks_against_the_release() -> None:
    def fails() -> str:
        raise Against("it does not start")

    found = Findings()
    found.check("Build", lambda: "built")
    found.check("Wheel", fails)
    lines = list(found.lines())
    assert lines[1] == "Checked:"
    assert lines[-2:] == ["Speaks against the release:", "  Wheel: it does not start"]
