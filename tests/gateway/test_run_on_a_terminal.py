"""`alhambra run` as a person starts it: what the terminal shows, until Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from alhambra_cli.commands import app
from alhambra_cli.welcome import welcome
from alhambra_gateway.config import Settings
from alhambra_service.config import Settings as ServiceSettings
from tests.service.store.servers import await_true, free_port

from .http import Client
from .product import HTTP, PATIENCE, command

AT_ONCE = ("--http", "127.0.0.1:0", "--grpc", "127.0.0.1:0", "--workers", "1")


class Terminal:
    """A process in a terminal of its own, and what the terminal shows."""

    def __init__(self, folder: Path, *words: str, deaf: bool = False) -> None:
        """`deaf`: SIGINT is ignored at first, as in a program that a script starts in the background."""
        self.screen, inside = pty.openpty()
        self._shown = b""
        ignoring = ["sh", "-c", 'trap "" INT; exec "$@"', "sh"] if deaf else []
        self.process = subprocess.Popen(
            [*ignoring, *command(*words)],
            cwd=folder,
            stdin=inside,
            stdout=inside,
            stderr=inside,
            start_new_session=True,
        )
        os.close(inside)
        os.set_blocking(self.screen, False)

    @property
    def shown(self) -> str:
        with suppress(BlockingIOError, OSError):  # nothing new, or everybody has left the terminal
            while data := os.read(self.screen, 1 << 16):
                self._shown += data
        plain = re.sub(r"\x1b\[[0-9;]*m", "", self._shown.decode())
        return plain.replace("\r\n", "\n").replace("\r", "")

    def await_shown(self, word: str) -> str:
        await_true(lambda: word in self.shown or self.process.poll() is not None, f"{word} is shown", PATIENCE)
        assert word in self.shown
        return self.shown


@contextmanager
def terminal(folder: Path, *words: str, deaf: bool = False) -> Iterator[Terminal]:
    found = Terminal(folder, *words, deaf=deaf)
    try:
        yield found
    finally:
        found.process.kill()
        found.process.wait()
        os.close(found.screen)


def test_a_person_is_told_where_to_play_where_games_are_kept_and_how_to_stop(tmp_path: Path) -> None:
    with terminal(tmp_path, "run", *AT_ONCE) as found:
        said = found.await_shown("Ctrl-C\n")
        rows = dict(re.findall(r"^  (\S.*?)  +(\S.*)$", said, re.MULTILINE))
        assert said.splitlines()[:2] == ["", next(line for line in said.splitlines() if line.startswith("Alhambra "))]
        assert rows["Games are stored in"] == "alhambra-data/"
        assert (tmp_path / "alhambra-data").is_dir()
        assert re.fullmatch(r"127\.0\.0\.1:\d+", rows["gRPC"])
        assert rows["Other machines"].startswith("ssh -L ")
        for name in ("Play", "API documentation", "Operator guide"):
            base, _, path = rows[name].removeprefix("http://").partition("/")
            with Client(f"http://{base}") as client:
                assert client.get(f"/{path}").status == 200, name
        with Client(f"http://{base}") as client:
            client.post("/v1/games", {"seats": []})
        line = found.await_shown("A request was refused").splitlines()[-1]
        assert re.fullmatch(r"\d\d:\d\d:\d\d  A request was refused\. \(POST /v1/games 4\d\d .*\)", line), line
        before = found.shown
        found.process.send_signal(signal.SIGINT)
        assert found.process.wait(PATIENCE) == 0
        assert found.shown.removeprefix(before) == "Stopped. Games are stored in alhambra-data/\n"


def family(found: Terminal) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(found.process.pid).children(recursive=True)
    return []


def words_of(process: psutil.Process) -> str:
    with suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""


def the_store_begins(found: Terminal, _port: int) -> bool:
    return any("-server" in words_of(process) for process in family(found))


def a_worker_begins(found: Terminal, _port: int) -> bool:
    return any("process.worker" in words_of(process) for process in family(found))


def the_gateway_begins(found: Terminal, _port: int) -> bool:
    return any("alhambra_cli gateway" in words_of(process) for process in family(found))


def it_is_ready(_found: Terminal, port: int) -> bool:
    with suppress(OSError, HTTPException), Client(f"http://127.0.0.1:{port}") as client:
        return client.get("/readyz").status == 200
    return False


def to_the_group(found: Terminal) -> None:
    os.killpg(found.process.pid, signal.SIGINT)


def to_the_process(found: Terminal) -> None:
    found.process.send_signal(signal.SIGINT)


@pytest.mark.parametrize("interrupt", [to_the_group, to_the_process])
@pytest.mark.parametrize(
    "moment",
    [
        the_store_begins,
        pytest.param(a_worker_begins, marks=pytest.mark.check_only),
        pytest.param(the_gateway_begins, marks=pytest.mark.check_only),
        it_is_ready,
    ],
)
def test_ctrl_c_ends_with_one_line_however_early_it_comes(
    tmp_path: Path, moment: Callable[[Terminal, int], bool], interrupt: Callable[[Terminal], None]
) -> None:
    port = free_port()
    words = ("run", *AT_ONCE, "--http", f"127.0.0.1:{port}")
    with terminal(tmp_path, *words, deaf=interrupt is to_the_process) as found:
        await_true(lambda: moment(found, port), "the moment comes", PATIENCE)
        interrupt(found)
        started = family(found)
        assert found.process.wait(PATIENCE) == 0
        assert not psutil.wait_procs(started, PATIENCE)[1]
        assert found.shown.endswith("Stopped. Games are stored in alhambra-data/\n")
        assert not re.search("error|warning|Traceback|Aborted", found.shown)


def test_lines_are_json_on_a_terminal_if_they_are_asked_for(tmp_path: Path) -> None:
    with terminal(tmp_path, "run", *AT_ONCE, "--log", "json") as found:
        (address,) = re.findall(rf"^{HTTP}(.*)$", found.await_shown(HTTP), re.MULTILINE)
        with Client(address) as client:
            client.post("/v1/games", {"seats": []})
        found.await_shown("A request was refused")
        lines = [line for line in found.shown.splitlines() if line.startswith("{")]
        assert {json.loads(line)["level"] for line in lines} == {"info"}


@pytest.mark.parametrize(
    ("store", "kept"),
    [
        ("embedded:games", "games/"),
        ("embedded:/var/games", "/var/games"),
        ("redis://me:word@db:6379/2", "redis://db:6379/2"),
    ],
)
def test_the_place_of_the_games_is_named_without_a_password(store: str, kept: str) -> None:
    said = welcome(ServiceSettings(store=store), Settings(), "http://127.0.0.1:8080", 1.0)
    assert re.search(rf"Games are stored in +{re.escape(kept)}\n", said)
    assert "word" not in said


def test_a_server_for_others_is_named_by_its_hosts() -> None:
    front = Settings(listen="0.0.0.0:8080", hosts="games.example.net")
    assert "http://games.example.net:8080" in welcome(ServiceSettings(), front, "http://0.0.0.0:8080", 1.0)


def test_the_command_alone_says_what_it_can_do() -> None:
    result = CliRunner().invoke(app, [], prog_name="alhambra")
    for name in ("run", "demo", "simulate", "verify", "backup"):
        assert re.search(rf"^  {name} ", result.output, re.MULTILINE), name
