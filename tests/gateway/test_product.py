"""`alhambra run` and `alhambra gateway` as an operator uses them: processes that start, live and end together."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from alhambra_cli.commands import app
from tests.service.store.servers import alive, await_true, free_port

from .http import Client
from .product import PATIENCE, Product, command, gateway, running
from .sse import Stream
from .tables import RestGame


def ask(*words: str, **more: object) -> tuple[int, str]:
    """Runs a command in this process; exit code and output."""
    result = CliRunner().invoke(app, words, prog_name="alhambra")
    return result.exit_code, result.output


def version(product: Product, game: RestGame) -> int:
    """What a spectator is told; -1 while nobody answers."""
    with Client(product.http) as client:
        answer = client.get(game.path)
        return int(answer.json()["view"]["version"]) if answer.status == 200 else -1


def test_a_game_is_created_and_read_over_http(client: Client) -> None:
    game = RestGame(client)
    assert client.get(game.path).json()["view"]["game"] == game.id


@pytest.mark.check_only
def test_the_service_comes_back_where_it_was_and_has_kept_the_games() -> None:
    at_once = {"ALHAMBRA_DRAIN_SECONDS": "0", "ALHAMBRA_GATEWAY_DRAIN_SECONDS": "0"}
    with running("--workers", "1", variables=at_once) as product:
        game = RestGame(product.client())
        game.play(2)
        stream = Stream(product.http, f"{game.path}/events")
        last = next(stream).id
        children = psutil.Process(product.process.pid).children()
        (service,) = (one for one in children if "serve" in one.cmdline() and "webhooks" not in one.cmdline())
        service.kill()
        service.wait(PATIENCE)
        await_true(lambda: "restarting in" in product.log, "its end is noticed", PATIENCE)
        await_true(lambda: version(product, game) == 2, "another one answers", PATIENCE)

        def played() -> bool:
            """Reads are answered from memory before the store is back; a move is refused then, and nothing changed."""
            try:
                game.play(1)
            except AssertionError as refused:
                assert "STORE_UNAVAILABLE" in str(refused)
                return False
            return True

        with stream:  # it goes on, or whoever watches is told to come back
            await_true(played, "the store is back", PATIENCE)
            told = next(told for told in stream if told.type in ("event", "resume"))
            if told.type == "resume":
                assert told.data == {"after": last, "because": "stopping"}
            else:
                assert told.data["version"] == 3
        family = product.family()
        assert product.stop(signal.SIGTERM) == 0
        assert not psutil.wait_procs(family, PATIENCE)[1]


@pytest.mark.check_only
def test_a_process_for_bots_that_dies_while_it_starts_is_started_again_and_the_product_lives_on() -> None:
    with running("--workers", "1") as product:
        killed: set[int] = set()

        def bots() -> list[psutil.Process]:
            children = psutil.Process(product.process.pid).children()
            return [child for child in children if child.pid not in killed and "bots" in child.cmdline()]

        for _ in range(3):
            await_true(bots, "a process for bots is started", PATIENCE)
            (found,) = bots()
            killed.add(found.pid)
            found.kill()
        await_true(bots, "a process for bots is started", PATIENCE)
        assert product.log.count("`alhambra bots` exited") == len(killed)
        with Client(product.http) as client:
            seats = {"seats": [{"serverPlayer": "search_easy"}, {"claim": True}]}
            await_true(lambda: client.post("/v1/games", seats).status == 200, "bots play", PATIENCE)


def test_nobody_outlives_a_parent_that_was_killed() -> None:
    with running("--workers", "1") as product:
        family = product.family()
        assert len(family) >= 5  # service, its worker and store, gateway, its worker
        os.kill(product.process.pid, signal.SIGKILL)
        await_true(lambda: not any(alive(child.pid) for child in family), "everybody ends", PATIENCE)


def test_a_port_that_is_taken_is_refused_before_anything_is_started(product: Product, tmp_path: Path) -> None:
    taken = product.http.removeprefix("http://")
    code, said = ask("run", "--http", taken, "--grpc", "127.0.0.1:0", "--data", str(tmp_path / "data"))
    assert code == 2
    assert re.fullmatch(
        rf"Error: Cannot listen on {re.escape(taken)}: address already in use\. "
        r"Use another port: --http (127\.0\.0\.1:\d+) or ALHAMBRA_GATEWAY_LISTEN=\1\.\n",
        said,
    ), said
    assert not (tmp_path / "data").exists()
    code, said = ask("run", "--http", "127.0.0.1:0", "--grpc", product.grpc, "--data", str(tmp_path / "data"))
    assert code == 2
    assert said.startswith(f"Error: Cannot listen on {product.grpc}: address already in use. Use another port: ")
    assert "--grpc 127.0.0.1:" in said
    assert not (tmp_path / "data").exists()
    code, said = ask("gateway", "--listen", taken, "--service", product.grpc)
    assert (code, said) == (2, f"Error: Cannot listen on {taken}: address already in use.\n")


def test_a_service_that_cannot_start_is_told_and_ends_everything() -> None:
    words = ("run", "--http", "127.0.0.1:0", "--grpc", "127.0.0.1:0", "--store", f"redis://127.0.0.1:{free_port()}")
    done = subprocess.run(command(*words), capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot be reached" in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("run", "--store", "redis://127.0.0.1", "--data", "here"), "--store and --data are mutually exclusive"),
        (("run", "--http", "0.0.0.0:0"), "--key"),
        (("run", "--grpc", "0.0.0.0:0"), "--keys"),
        (("gateway", "--listen", "0.0.0.0:0"), "--key"),
        (("gateway", "--key", "no-such-file"), "Cannot read no-such-file"),
        (("gateway", "--tls-authority", "no-such-file"), "Cannot read no-such-file"),
        (("gateway", "--threads", "0"), "--threads must be at least 1"),
    ],
)
def test_what_cannot_work_is_refused_in_a_sentence(words: tuple[str, ...], says: str) -> None:
    code, said = ask(*words)
    assert code == 2
    assert says in said


def test_each_process_can_have_a_core_of_its_own(product: Product) -> None:
    cores = os.sched_getaffinity(0)
    with gateway(product.grpc, "--workers", str(len(cores)), "--pin") as front:
        found = [os.sched_getaffinity(pid) for pid in front.gateway_workers()]
        assert [len(own) for own in found] == [1] * len(cores)
        assert set().union(*found) == cores
        dead = front.gateway_workers()[0]
        own = os.sched_getaffinity(dead)
        os.kill(dead, signal.SIGKILL)
        await_true(lambda: len(set(front.gateway_workers()) - {dead}) == len(cores), "another one is started")
        await_true(
            lambda: own in [os.sched_getaffinity(pid) for pid in front.gateway_workers()], "on the core of the dead"
        )
