"""The README, the page of the library and the page of the command line are true: what they show is run."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from alhambra import known_modules, load_module
from alhambra.texts import text
from alhambra_cli.commands import DESCRIBED, app

from .service.commands import Served, served

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
LIBRARY = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
ADDRESS = "127.0.0.1:50051"
SERVERS = ("run", "serve", "gateway", "bots")


def section(page: str, title: str) -> str:
    """The part of a page under a heading."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    assert found is not None, title
    return found[1]


def blocks(part: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", part, re.DOTALL | re.MULTILINE)


def commands(title: str) -> list[str]:
    """The commands under a heading of the page of the command line."""
    return [line for block in blocks(section(COMMANDS, title), "sh") for line in block.splitlines()]


# -- The README --------------------------------------------------------------------------------------------------------


def test_the_words_of_make_that_the_readme_names_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = re.findall(r"(?:^|`)make ([a-z]+)\b", README, re.MULTILINE)
    assert {"run", "test"} <= set(named)
    assert [word for word in named if not re.search(rf"^{word}:", makefile, re.MULTILINE)] == []


def test_the_library_plays_as_the_readme_shows(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks(section(README, "Use it as a library"), "python")
    exec(compile(example, "README.md", "exec"), {})
    assert re.match(r"\(\d+, \d+, \d+\)\n", capsys.readouterr().out)


def test_the_readme_lists_every_module_with_its_sentence() -> None:
    records = sorted((load_module(key) for key in known_modules()), key=lambda record: record.number)
    assert len(records) == 43
    rows = [line for line in section(README, "Modules").splitlines() if re.match(r"\| \d", line)]
    assert rows == [
        f"| {record.number} | [{text(f'module.{record.key}')}](docs/modules/{record.key}.md) "
        f"| {text(f'module.{record.key}.text')} |"
        for record in records
    ]


# -- The library -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the page of the library was run."""
    place = tmp_path_factory.mktemp("library")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        names: dict[str, object] = {}
        for block in blocks(LIBRARY, "python"):
            exec(compile(block, "library.md", "exec"), names)
    return place


def test_the_page_of_the_library_runs(folder: Path) -> None:
    assert (folder / "game.txt").read_text(encoding="utf-8").startswith("notation: alhambra/1\n")


def test_the_example_of_the_page_of_texts_is_true() -> None:
    (example,) = blocks((ROOT / "docs" / "texts.md").read_text(encoding="utf-8"), "python")
    exec(compile(example, "texts.md", "exec"), {})


def test_the_page_of_the_library_names_the_public_surface() -> None:
    surface = (
        *("Game.new(", "game.decision", "game.legal_moves()", "game.apply(", "game.view(0)", "game.view(None)"),
        *("game.over", "game.scores", "game.to_bytes()", "Game.from_bytes(", "game.clone()", "game.random_move("),
        *("Board()", "board.violations(", "board.place(", "board.legal_cells(", "board.longest_wall()", "print(board)"),
    )
    assert [name for name in surface if name not in LIBRARY] == []


# -- The command line --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", commands("Games"))
def test_a_command_about_games_succeeds(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(app, shlex.split(command)[1:], prog_name="alhambra")
    assert result.exit_code == 0, result.output


def test_the_page_of_the_command_line_shows_and_explains_every_command() -> None:
    shown = {command.split()[1] for title in ("Games", "Servers") for command in commands(title)}
    explained = set(re.findall(r"^\| `([a-z-]+)` \|", COMMANDS, re.MULTILINE))
    assert shown == explained == set(DESCRIBED)


# -- The service -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def service() -> Iterator[Served]:
    """The service as the page of the command line starts it, on a free port."""
    (start,) = [command for command in commands("Servers") if command.split()[1] == "serve"]
    with served(*shlex.split(start.replace(ADDRESS, "127.0.0.1:0"))[2:]) as found:
        yield found


def test_the_service_answers_as_the_readme_shows(service: Served, capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks(section(README, "Use it over gRPC"), "python")
    assert example.count(ADDRESS) == 1
    exec(compile(example.replace(ADDRESS, service.address), "README.md", "exec"), {})
    assert re.match(r"\['\w+', ", capsys.readouterr().out)


def test_the_commands_of_the_service_succeed_while_it_runs(service: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(service.folder)
    for command in commands("Servers"):
        words = shlex.split(command.replace(ADDRESS, service.address))[1:]
        if words[0] not in SERVERS:
            result = CliRunner().invoke(app, words, prog_name="alhambra")
            assert result.exit_code == 0, f"{command}: {result.output}"


@pytest.mark.parametrize("command", [line for line in commands("Servers") if line.split()[1] in SERVERS])
def test_a_server_takes_the_settings_of_the_page(command: str) -> None:
    result = CliRunner().invoke(app, [*shlex.split(command)[1:], "--help"], prog_name="alhambra")
    assert result.exit_code == 0, result.output
