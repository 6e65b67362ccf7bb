"""What the README shows works: its Python runs, its commands succeed, and its service answers as shown."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from alhambra_cli.commands import app

from .service.commands import Served, served

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
SERVICE = "The servers"
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"^## ", README, flags=re.MULTILINE)}
ADDRESS = "127.0.0.1:50051"
SERVERS = ("run", "serve", "gateway")


def blocks(language: str, *, service: bool) -> list[str]:
    """The blocks of a language, those of the section about the service or those of all others."""
    text = "".join(part for name, part in SECTIONS.items() if (name == SERVICE) == service)
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(*, service: bool) -> list[str]:
    lines = [line for block in blocks("sh", service=service) for line in block.splitlines()]
    return [line for line in lines if line.startswith("alhambra ")]


PYTHON = blocks("python", service=False)


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


@pytest.mark.parametrize("command", commands(service=False))
def test_a_command_of_the_readme_succeeds(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(app, shlex.split(command)[1:], prog_name="alhambra")
    assert result.exit_code == 0, result.output


def test_the_readme_shows_every_command() -> None:
    shown = commands(service=False) + commands(service=True)
    assert {command.split()[1] for command in shown} == set(app.commands)


def test_the_first_example_holds_the_public_surface() -> None:
    surface = (
        *("Game.new(", "game.decision", "game.legal_moves()", "game.apply(", "game.view(0)", "game.view(None)"),
        *("game.over", "game.scores", "game.to_bytes()", "Game.from_bytes(", "game.clone()", "game.random_move("),
        *("Board()", "board.violations(", "board.place(", "board.legal_cells(", "board.longest_wall()", "print(board)"),
    )
    assert [name for name in surface if name not in PYTHON[0]] == []


# -- The service ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def service() -> Iterator[Served]:
    """The service as the README starts it, on a free port."""
    (start,) = [command for command in commands(service=True) if command.split()[1] == "serve"]
    with served(*shlex.split(start.replace(ADDRESS, "127.0.0.1:0"))[2:]) as found:
        yield found


def test_the_service_answers_as_the_readme_shows(service: Served, capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks("python", service=True)
    assert example.count(ADDRESS) == 1
    exec(compile(example.replace(ADDRESS, service.address), "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "watching from version 0"
    assert printed[1].startswith("it happened: ")


def test_the_commands_of_the_service_succeed_while_it_runs(service: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(service.folder)
    for command in commands(service=True):
        words = shlex.split(command.replace(ADDRESS, service.address))[1:]
        if words[0] not in SERVERS:
            result = CliRunner().invoke(app, words, prog_name="alhambra")
            assert result.exit_code == 0, f"{command}: {result.output}"


@pytest.mark.parametrize("command", [line for line in commands(service=True) if line.split()[1] in SERVERS])
def test_a_server_takes_the_settings_of_the_readme(command: str) -> None:
    result = CliRunner().invoke(app, [*shlex.split(command)[1:], "--help"], prog_name="alhambra")
    assert result.exit_code == 0, result.output
