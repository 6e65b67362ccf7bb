"""A version is released only if its files are in order; what the machine cannot check is said."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from alhambra import Game, Options
from scripts import release
from scripts.release import Against, Findings, Unknown
from tests.compat.corpus import archive, write_games

CLIENTS = {
    "python": ("alhambra_client/transport.py", 'VERSION = "{}"\n'),
    "typescript": ("package.json", '{{"version": "{}"}}\n'),
}
"""By client library: the file that holds its version, and what stands in it."""


IMAGES = {
    "deploy/compose.yaml": "image: alhambra-service:{}\n",
    "deploy/Dockerfile": "#     docker build --tag alhambra-service:{} .\n",
    "deploy/kubernetes/overlays/production/kustomization.yaml": "  - {{name: alhambra-service, newTag: {}}}\n",
    "deploy/kubernetes/overlays/trial/kustomization.yaml": "  - {{name: alhambra-service, newTag: {}}}\n",
    "docs/images/run.svg": "<tspan>Alhambra {}</tspan>\n",
}
"""By file: what names the version there."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project that can be released as 1.2.3."""
    for path, text in IMAGES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text.format("1.2.3"), "utf-8")
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n', "utf-8")
    (tmp_path / "CHANGELOG.md").write_text("## [1.2.3] - 2026-01-31\n\nNews.\n", "utf-8")
    for client, (path, text) in CLIENTS.items():
        (tmp_path / "clients" / client / path).parent.mkdir(parents=True)
        (tmp_path / "clients" / client / path).write_text(text.format("1.2.3"), "utf-8")
    write_games(archive("1.2.3", tmp_path / "tests/compat/games"), [("base/start", Game.new(Options(2, "a seed")))])
    for path in (release.DESCRIPTORS, "proto/frozen/v1-1.2.3.binpb"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_bytes(b"the contract")
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
    assert release.contract_is_kept(root).startswith("proto/frozen/v1-1.2.3.binpb")


@pytest.mark.parametrize("path", IMAGES)
def test_a_file_that_names_another_version_speaks_against_it(root: Path, path: str) -> None:
    (root / path).write_text(IMAGES[path].format("1.2.2"), "utf-8")
    with pytest.raises(Against, match=rf"{path} names 1\.2\.2, not 1\.2\.3"):
        release.version_is_one(root)


def test_the_files_of_this_project_name_its_version() -> None:
    assert release.version_is_one() == release.version()


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_library_of_another_version_speaks_against_it(root: Path, client: str) -> None:
    path, text = CLIENTS[client]
    (root / "clients" / client / path).write_text(text.format("1.2.2"), "utf-8")
    with pytest.raises(Against, match=rf"clients/{client}/.* has the version 1\.2\.2, not 1\.2\.3"):
        release.version_is_one(root)


@pytest.mark.check_only
def test_the_list_of_packages_is_that_of_the_servers(tmp_path: Path) -> None:
    assert release.listed(tmp_path) == f"{(release.ROOT / 'locks/run.lock').read_text('utf-8').count('==')} packages"
    assert '"pkg:pypi/grpcio@' in (tmp_path / "sbom.cdx.json").read_text("utf-8")


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


def test_a_version_is_not_released_with_another_contract_than_the_kept_one(root: Path) -> None:
    (root / release.DESCRIPTORS).write_bytes(b"a later contract")
    with pytest.raises(Against, match=r"v1-1\.2\.3\.binpb is not the present contract: run  cp "):
        release.contract_is_kept(root)
    (root / "proto/frozen/v1-1.2.3.binpb").unlink()
    with pytest.raises(Against, match=r"v1-1\.2\.3\.binpb is not the present contract"):
        release.contract_is_kept(root)


def test_an_interpreter_that_cannot_be_had_is_told_and_no_fault() -> None:
    found = Findings()
    found.check("Wheel on CPython 3.99", lambda: release.interpreter("3.99"))
    (told,) = found.unknown
    assert told.startswith("Wheel on CPython 3.99: there is no CPython 3.99: ")
    assert told.endswith("no release of Debian has it.")
    assert not found.against
    with pytest.raises(Unknown):
        release.interpreter("3.99")


def test_an_interpreter_of_pyenv_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = tmp_path / ".pyenv/versions/3.99.1/bin/python"
    own.parent.mkdir(parents=True)
    own.write_text("#!/bin/sh\nexit 0\n", "utf-8")
    own.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert release.interpreter("3.99") == str(own)


def test_the_report_names_what_speaks_against_the_release() -> None:
    def fails() -> str:
        raise Against("it does not start")

    found = Findings()
    found.check("Build", lambda: "built")
    found.check("Wheel", fails)
    lines = list(found.lines())
    assert lines[1] == "Checked:"
    assert lines[-2:] == ["Speaks against the release:", "  Wheel: it does not start"]
