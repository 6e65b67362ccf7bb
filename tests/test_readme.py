"""What the README shows works: its Python runs, its commands succeed."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from alhambra_cli.commands import app

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
PYTHON = [text for language, text in BLOCKS if language == "python"]
COMMANDS = [
    line for language, text in BLOCKS if language == "sh" for line in text.splitlines() if line[:9] == "alhambra "
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the Python of the README was run."""
    place = tmp_path_factory.mktemp("readme")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        names: dict[str, object] = {}
        for block in PYTHON:
            exec(compile(block, "README.md", "exec"), names)
    return place


def test_the_python_of_the_readme_runs(folder: Path) -> None:
    assert (folder / "game.txt").read_text(encoding="utf-8").startswith("notation: alhambra/1\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_succeeds(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(app, shlex.split(command)[1:], prog_name="alhambra")
    assert result.exit_code == 0, result.output


def test_the_readme_shows_every_command() -> None:
    assert {command.split()[1] for command in COMMANDS} == set(app.commands)


def test_the_first_example_holds_the_public_surface() -> None:
    surface = (
        *("Game.new(", "game.decision", "game.legal_moves()", "game.apply(", "game.view(0)", "game.view(None)"),
        *("game.over", "game.scores", "game.to_bytes()", "Game.from_bytes(", "game.clone()", "game.random_move("),
        *("Board()", "board.violations(", "board.place(", "board.legal_cells(", "board.longest_wall()", "print(board)"),
    )
    assert [name for name in surface if name not in PYTHON[0]] == []
