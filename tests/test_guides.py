"""What the guides show works: every block of the pages for clients, bots and operators is run."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from alhambra import Decision, Game, Options, verify_export
from examples import search_bot

from .gateway.product import Product, running
from .service.store.servers import free_port

ROOT = Path(__file__).parent.parent
PAGES = {name: ROOT / "docs" / f"{name}.md" for name in ("client-author", "bot-author", "operator", "security")}
GRPC, HTTP = "127.0.0.1:50051", "http://127.0.0.1:8080"
RUN, SHOWN = {"sh", "python", "js"}, {"nginx", ""}
"""What is run here, and what is not: a drawing, and a setting of somebody else's program, of which the page says so."""
PATIENCE = 600.0

shell = pytest.mark.needs("curl", "jq")
"""Marks a test of what a page shows for a shell."""


@cache
def page(name: str) -> str:
    return PAGES[name].read_text(encoding="utf-8")


LIBRARIES = ROOT / "clients"
CALLS_THEMSELVES = "\n## The calls themselves\n"
"""What stands before this heading uses a client library; what follows is one script of plain calls."""


def blocks(name: str, language: str) -> list[str]:
    """Return the blocks of a page that form one script."""
    return blocks_of(page(name).partition(CALLS_THEMSELVES)[2] or page(name), language)


def blocks_of(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def pasted(script: str, folder: Path, *, expect: int = 0) -> dict[str, str]:
    """Runs the lines of a page in a shell; the variables that it leaves. `alhambra` is that of this Python."""
    tools = folder / "tools"
    tools.mkdir()
    (tools / "alhambra").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m alhambra_cli "$@"\n')
    (tools / "alhambra").chmod(0o700)
    begin = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\nset -eu"
    words = ["bash", "-c", f"{begin}\n{script}\nset -o posix; set >variables"]
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    with (folder / "said").open("w") as said:
        done = subprocess.run(
            words, cwd=folder, env={**os.environ, "PATH": path}, stdout=said, stderr=said, check=False, timeout=PATIENCE
        )
    assert done.returncode == expect, (folder / "said").read_text(encoding="utf-8")
    lines = (folder / "variables").read_text(encoding="utf-8").splitlines()
    return {name: value.strip("'") for name, _, value in (line.partition("=") for line in lines)}


PAGE_ORIGIN = "https://table.example.net"


@pytest.fixture(scope="module")
def product() -> Iterator[Product]:
    """A product that lets the pages of one origin call it, as the page for client authors assumes."""
    with running("--workers", "1", variables={"ALHAMBRA_GATEWAY_CORS_ORIGINS": PAGE_ORIGIN}) as found:
        yield found


@pytest.mark.parametrize("name", PAGES)
def test_every_block_of_a_page_is_run_or_known_not_to_be(name: str) -> None:
    fences = re.findall(r"^```(.*)$", page(name), re.MULTILINE)
    assert set(fences[::2]) <= RUN | SHOWN
    assert set(fences[1::2]) <= {""}


@pytest.mark.parametrize(("language", "library"), [("python", "python"), ("js", "typescript")])
def test_the_guide_begins_with_the_game_that_the_readme_of_each_library_plays(language: str, library: str) -> None:
    first, heading, _ = page("client-author").partition(CALLS_THEMSELVES)
    readme = (LIBRARIES / library / "README.md").read_text(encoding="utf-8")
    assert heading and blocks_of(first, language) == blocks_of(readme, language)[:1]


# -- A client -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client(product: Product, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The folder in which the page for client authors was pasted into a shell, and what its variables are then."""
    folder = tmp_path_factory.mktemp("client")
    script = "\n".join(blocks("client-author", "sh"))
    assert script.count(HTTP) == 1
    return folder, pasted(script.replace(HTTP, product.http), folder)


def ids(file: Path) -> list[str]:
    """The ids of the events in a stream, in order."""
    messages = file.read_text(encoding="utf-8").split("\n\n")
    found = [
        re.search(r"^id: (.*)$", message, re.MULTILINE) for message in messages if "\nevent: event\n" in f"\n{message}"
    ]
    return [match[1] for match in found if match]


@shell
def test_a_game_is_created_claimed_and_played_with_curl(client: tuple[Path, dict[str, str]]) -> None:
    _, said = client
    assert said["game"] in said["played"]
    assert said["token"].startswith("alh_seat_")
    assert '"kind":"money_taken"' in said["played"]
    assert said["again"] == said["played"]


@shell
def test_a_contribution_to_the_shuffle_is_proved_to_its_seat(client: tuple[Path, dict[str, str]]) -> None:
    folder, said = client
    assert said["dealt"] == "running"
    noted = json.loads((folder / "noted.json").read_bytes())
    assert noted["entropyCommitments"] == [hashlib.sha256((folder / "entropy").read_bytes()).hexdigest(), ""]
    output = " ".join((folder / "said").read_text(encoding="utf-8").split())
    assert "✓ To seat 0 it is proved that no one chose the draws" in output


@shell
def test_a_refusal_is_a_problem_with_a_reason(client: tuple[Path, dict[str, str]]) -> None:
    _, said = client
    assert said["reason"] in ("NOT_THERE", "SUM_TOO_HIGH")
    assert '"status":422' in said["refused"]
    assert said["reason"] in said["explained"]


@shell
def test_the_streams_of_the_page_begin_with_a_snapshot(client: tuple[Path, dict[str, str]]) -> None:
    folder, _ = client
    for name in ("watched", "whole-game", "resumed", "by-ticket"):
        text = (folder / f"{name}.txt").read_text(encoding="utf-8")
        assert re.search(r"^event: (\w+)", text, re.MULTILINE)[1] == "snapshot", name  # type: ignore[index]
    assert '"viewer":0' in (folder / "by-ticket.txt").read_text(encoding="utf-8")


@shell
def test_who_comes_back_misses_nothing_and_gets_nothing_twice(client: tuple[Path, dict[str, str]]) -> None:
    folder, said = client
    whole, resumed = ids(folder / "whole-game.txt"), ids(folder / "resumed.txt")
    assert whole[: whole.index(said["last"]) + 1] + resumed == whole
    assert resumed


@shell
def test_an_unchanged_game_is_not_sent_again(client: tuple[Path, dict[str, str]]) -> None:
    _, said = client
    assert said["unchanged"] == "304"


@shell
def test_a_purchase_is_taken_back(client: tuple[Path, dict[str, str]]) -> None:
    _, said = client
    assert '"exact":true' in said["bought"]
    assert '"undone":true' in said["undone"]


@shell
def test_a_standing_order_is_in_force_and_a_deadline_is_told(client: tuple[Path, dict[str, str]]) -> None:
    _, said = client
    assert said["ordered"] == '["pass"]'
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", said["deadline"])


@shell
def test_placements_and_boards_without_a_game_are_judged(client: tuple[Path, dict[str, str]]) -> None:
    _, said = client
    assert said["places"] == '[{"x":0,"y":-1},{"x":1,"y":0}]'
    assert (said["fits"], said["points"]) == ("true", "[5,7]")


@shell
def test_a_page_of_an_allowed_origin_may_call(client: tuple[Path, dict[str, str]]) -> None:
    _, said = client
    assert said["allowed"] == PAGE_ORIGIN


@shell
def test_the_second_request_uses_the_connection_of_the_first(client: tuple[Path, dict[str, str]]) -> None:
    folder, _ = client
    assert (folder / "connects.txt").read_text(encoding="utf-8") == "1\n0\n"


@shell
def test_the_picture_and_the_record_are_there(client: tuple[Path, dict[str, str]]) -> None:
    folder, _ = client
    for name in ("board", "table"):
        assert (folder / f"{name}.svg").read_text(encoding="utf-8").startswith("<svg")
    assert verify_export(json.loads((folder / "game.json").read_bytes())).ok


SAID_IN_PYTHON = (
    "dealt: running",
    *(r"open money cards: \[.*\]", r"it happened: \['money_taken', .*\]", r"409 VERSION_STALE .+"),
    *(r"watching from version \d+", r"taken back: True", r"orders in force: 1", r"decide before \d{4}-.*Z"),
    *(r"legal cells: \[\(0, -1\), \(1, 0\)\]", r"legal: \[True, False\]", r"fits: True", r"points: \[5, 7\]"),
    *("200", "200"),
)


def script_output(language: str, product: Product, folder: Path, *program: str, added: str = "") -> str:
    """Runs all blocks of the page for client authors as one script, for the product that runs here; what it prints."""
    text = "\n".join(blocks("client-author", language)) + added
    assert text.count(HTTP) == 1
    file = folder / f"client.{'mjs' if language == 'js' else 'py'}"
    file.write_text(text.replace(HTTP, product.http), encoding="utf-8")
    words = [*program, file.name]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_same_tasks_are_done_in_python(product: Product, tmp_path: Path) -> None:
    printed = script_output("python", product, tmp_path, sys.executable)
    assert re.fullmatch("\n".join(SAID_IN_PYTHON) + "\n", printed, re.DOTALL), printed


# -- A bot ----------------------------------------------------------------------------------------------------------

IN_PROCESS, SEARCH, HABITS, CREATE, OVER_GRPC = blocks("bot-author", "python")


@pytest.mark.parametrize("example", [IN_PROCESS, HABITS], ids=["a bot", "players with habits"])
def test_the_players_of_the_examples_play_a_game(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example, "bot-author.md", "exec"), {})
    assert re.fullmatch(r"\(\d+, \d+, \d+\)\n", capsys.readouterr().out)


def test_the_page_shows_the_bots_of_examples() -> None:
    assert (ROOT / "examples" / "search_bot.py").read_text(encoding="utf-8") == SEARCH
    assert (ROOT / "examples" / "grpc_bot.py").read_text(encoding="utf-8") == OVER_GRPC


def test_the_bot_that_searches_has_sixty_lines_at_most() -> None:
    assert len(SEARCH.splitlines()) <= 60


def test_the_bot_that_searches_beats_chance_clearly() -> None:
    scores = {bot: search_bot.play(f"bot {bot}", bot).scores for bot in (0, 1)}
    assert all(scores[bot][bot] > scores[bot][1 - bot] for bot in scores)
    assert sum(scores[bot][bot] for bot in scores) >= 2 * sum(scores[bot][1 - bot] for bot in scores)


class Curtain:
    """A game of which one can see who is asked, and of which one can have twins; nothing else."""

    def __init__(self, game: Game) -> None:
        self.decision: Decision | None = game.decision
        self.determinize = game.determinize


def test_the_bot_that_searches_looks_at_nothing_but_twins() -> None:
    game = Game.new(Options(seats=2, seed="hidden", modules=["thieves", "street_trader"]))
    for _ in range(5):
        move = search_bot.choose(Curtain(game), Random(3))  # type: ignore[arg-type]
        assert move == search_bot.choose(game, Random(3))
        game.apply(move)


def test_the_bot_over_grpc_plays_its_seat_to_the_end(product: Product, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(CREATE.replace(GRPC, product.grpc), "bot-author.md", "exec"), {})
    program, *words = capsys.readouterr().out.split()
    assert program == "python"
    words = [product.grpc if word == GRPC else word for word in words]
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert re.fullmatch(r"final scores: \[\d+, \d+\]\n", done.stdout), done.stderr


# -- An operator ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the page for operators was pasted into a shell."""
    folder = tmp_path_factory.mktemp("operator")
    script = "\n".join(blocks("operator", "sh"))
    for port in ("50051", "8080", "9464", "9465"):
        assert f"127.0.0.1:{port}" in script
        script = script.replace(f"127.0.0.1:{port}", f"127.0.0.1:{free_port()}")
    pasted(script, folder)
    return folder


@shell
def test_a_game_is_created_in_the_small_installation(operated: Path) -> None:
    assert '"invitation":"alh_invitation_' in (operated / "created.json").read_text(encoding="utf-8")
    assert "alhambra_calls_total" in (operated / "figures.txt").read_text(encoding="utf-8")


@shell
def test_keys_are_read_again_on_request(operated: Path) -> None:
    assert "3 API keys were read." in (operated / "service.log").read_text(encoding="utf-8")


@shell
def test_what_was_backed_up_is_restored(operated: Path) -> None:
    said = (operated / "said").read_text(encoding="utf-8")
    assert "Games written to backup.jsonl: 1." in said
    assert "Games of backup.jsonl that are in the store: 1 of 1." in said
    assert "Games listed: 1." in said


@shell
def test_nothing_secret_stands_in_the_logs(operated: Path) -> None:
    secrets = [
        (operated / f"{name}.key").read_text(encoding="utf-8").strip() for name in ("gateway", "platform", "service")
    ]
    logs = "".join((operated / f"{name}.log").read_text(encoding="utf-8") for name in ("gateway", "service"))
    assert [secret for secret in secrets if secret in logs] == []
