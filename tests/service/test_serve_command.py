"""`alhambra serve` and its relatives, as an operator uses them: real processes, real signals, real exit codes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import grpc
import pytest
import trustme
from click.testing import CliRunner

from alhambra_api.v1 import games_pb2, moves_pb2, service_pb2_grpc
from alhambra_cli.commands import app
from alhambra_service.auth.credentials import new_secret
from alhambra_service.store import GameStore, StoredGame, first_broken
from alhambra_service.store.connection.connect import connect
from alhambra_service.store.keys import index_key
from alhambra_service.store.stored_game import chained

from .commands import PATIENCE, Served, command, served
from .small import Keys, failure, failure_of, key_file
from .store.samples import commit, same
from .store.servers import RealCluster, RealServer, alive, await_true

LOOPBACK = ("--listen", "127.0.0.1:0")
ONE = (*LOOPBACK, "--workers", "1", "--drain-seconds", "0")
CREATE = games_pb2.CreateGameRequest(seats=[games_pb2.SeatSetup(claim=True)] * 2)
SERVER_PACKAGES = ("grpc", "redis", "prometheus_client")


def stub_of(channel: grpc.Channel) -> Any:
    return service_pb2_grpc.GameServiceStub(channel)


def create(address: str, metadata: Any = None) -> games_pb2.CreateGameResponse:
    with grpc.insecure_channel(address) as channel:
        made: games_pb2.CreateGameResponse = stub_of(channel).CreateGame(CREATE, metadata=metadata, timeout=PATIENCE)
        return made


def play(address: str, made: games_pb2.CreateGameResponse, moves: int) -> int:
    """Makes some moves over gRPC; returns the version."""
    bearers = {key.seat: [("authorization", f"Bearer {key.token}")] for key in made.seat_keys}
    view = made.view
    with grpc.insecure_channel(address) as channel:
        stub = stub_of(channel)
        for _ in range(moves):
            bearer = bearers[view.decision.seat]
            wanted = moves_pb2.ListLegalMovesRequest(game=made.game, min_version=view.version)
            legal = stub.ListLegalMoves(wanted, metadata=bearer, timeout=PATIENCE)
            move = moves_pb2.ApplyMoveRequest(game=made.game, move=legal.moves[0].move, version=legal.version)
            view = stub.ApplyMove(move, metadata=bearer, timeout=PATIENCE).view
    return int(view.version)


def version(address: str, game: str) -> int:
    with grpc.insecure_channel(address) as channel:
        answer = stub_of(channel).GetGame(games_pb2.GetGameRequest(game=game), timeout=PATIENCE)
        return int(answer.view.version)


def answered(address: str, game: str) -> bool:
    try:
        return version(address, game) >= 0
    except grpc.RpcError:
        return False


def run(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), capture_output=True, text=True, timeout=PATIENCE, check=False, **more)


def invoke(*words: str) -> tuple[int, str]:
    """Runs a command in this process, which is quicker: exit code and output."""
    result = CliRunner().invoke(app, words, prog_name="alhambra")
    return result.exit_code, result.output


def healthy(address: str, *words: str) -> int:
    return invoke("healthcheck", "--address", address, *words)[0]


def workers_of(service: Served) -> list[int]:
    return [pid for pid, line in service.processes().items() if "alhambra_service.process.worker" in line]


def store_of(service: Served) -> int:
    (pid,) = [pid for pid, line in service.processes().items() if "-server" in line]
    return pid


# -- Starting and stopping ------------------------------------------------------------------------------------------


def test_workers_share_a_port_and_come_back_when_they_die() -> None:
    with served(*LOOPBACK, "--workers", "2", "--drain-seconds", "0") as service:
        port = int(service.address.rpartition(":")[2])
        before = workers_of(service)
        assert len(before) == 2
        for pid in before:  # threads that each had a heap of their own would make a process grow
            assert b"MALLOC_ARENA_MAX=2" in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        own = [("grpc.use_local_subchannel_pool", 1)]
        channels = [grpc.insecure_channel(service.address, options=own) for _ in range(24)]
        try:
            made = stub_of(channels[0]).CreateGame(CREATE, timeout=PATIENCE)
            for channel in channels:  # any process serves any game
                stub_of(channel).GetGame(games_pb2.GetGameRequest(game=made.game), timeout=PATIENCE)
            assert all(_connections(pid, port) for pid in before)
        finally:
            for channel in channels:
                channel.close()
        os.kill(before[0], signal.SIGKILL)
        await_true(lambda: len(set(workers_of(service)) - {before[0]}) == 2, "the worker is started again", PATIENCE)
        assert version(service.address, made.game) == 0
        assert b"ended with code -9 and is started again" in service.log.encode()
        dead = store_of(service)
        os.kill(dead, signal.SIGKILL)
        await_true(lambda: not alive(dead) and answered(service.address, made.game), "the store is back", PATIENCE)
        assert service.stop() == 0


def _connections(pid: int, port: int) -> int:
    """How many connections to the port a process has open."""
    established = "01"
    inodes = set()
    tables = [Path("/proc/net", name).read_text("ascii").splitlines()[1:] for name in ("tcp", "tcp6")]
    for words in map(str.split, chain.from_iterable(tables)):
        if int(words[1].rpartition(":")[2], 16) == port and words[3] == established:
            inodes.add(f"socket:[{words[9]}]")
    links = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            links.append(os.readlink(link))  # noqa: PTH115
        except OSError:
            continue
    return len(inodes.intersection(links))


def test_nobody_outlives_a_parent_that_was_killed() -> None:
    with served(*LOOPBACK, "--workers", "2") as service:
        family = service.processes()
        assert len(workers_of(service)) == 2
        assert store_of(service) in family
        assert service.stop(signal.SIGKILL) == -signal.SIGKILL
        await_true(lambda: not any(map(alive, family)), "everybody ends")


def test_a_service_says_not_serving_drains_and_keeps_what_it_has() -> None:
    with served(*LOOPBACK, "--workers", "1", "--drain-seconds", "2", "--store", "embedded:games") as service:
        made = create(service.address)
        reached = play(service.address, made, 3)
        family = service.processes()
        assert healthy(service.address) == 0
        service.send(signal.SIGTERM)
        await_true(lambda: healthy(service.address) == 1, "NOT_SERVING is said")
        assert version(service.address, made.game) == reached, "plain calls are still answered"
        assert service.stop() == 0
        assert healthy(service.address, "--timeout", "1") == 3
        assert [line for pid, line in family.items() if alive(pid)] == []
        again = subprocess.Popen(
            command("serve", *ONE, "--store", "embedded:games"), cwd=service.folder, stdout=subprocess.PIPE, text=True
        )
        try:
            assert again.stdout is not None
            address = again.stdout.readline().rpartition(" ")[2].strip()
            assert version(address, made.game) == reached
            taken = run("serve", *ONE, "--store", "embedded:games", cwd=service.folder)
            assert (taken.returncode, taken.stdout) == (2, "")
            assert "is in use by another embedded store" in taken.stderr
            taken = run("serve", "--listen", address, "--store", "embedded:others", cwd=service.folder)
            assert taken.returncode == 2
            assert "Cannot listen on" in taken.stderr
        finally:
            again.send_signal(signal.SIGINT)
            assert again.wait(PATIENCE) == 0
            assert again.stdout is not None
            again.stdout.close()


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.0.2.1:1"])
def test_without_keys_it_refuses_to_listen_on_anything_but_loopback(address: str, tmp_path: Path) -> None:
    answer = run("serve", "--listen", address, cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "name a file of API keys with --keys, or listen on 127.0.0.1" in answer.stderr
    assert list(tmp_path.iterdir()) == [], "nothing was begun"


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--store", "redis://127.0.0.1:1"], "cannot be reached"),
        (["--store", "mysql://127.0.0.1"], "must be redis://"),
        (["--keys", "missing.toml"], "cannot be read"),
        (["--service-key", "missing"], "Cannot read missing"),
        (["--tls-certificate", "missing.pem", "--tls-key", "missing.pem"], "Cannot read missing.pem"),
    ],
)
def test_what_cannot_work_is_said_in_a_sentence(words: list[str], fault: str, tmp_path: Path) -> None:
    answer = run("serve", *ONE, *words, cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert fault in answer.stderr
    assert "Traceback" not in answer.stderr


WRONG_MODULE = """\
from alhambra import Module
from alhambra.module import Step

MODULE = Module(105, "lost", steps=(Step("turn.siesta", print),))
"""


@pytest.fixture
def wrong_package(tmp_path: Path) -> dict[str, str]:
    """The variables with which a process finds a package that announces a wrong module."""
    (tmp_path / "lost.py").write_text(WRONG_MODULE, encoding="utf-8")
    metadata = tmp_path / "lost-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: lost\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text("[alhambra.modules]\nlost = lost:MODULE\n", encoding="utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}


@pytest.mark.parametrize(
    "words",
    [["serve", *ONE, "--store", "embedded:store"], ["simulate", "--games", "1", "--modules", "lost"]],
    ids=" ".join,
)
def test_a_wrong_module_of_another_package_is_said_in_a_sentence(
    words: list[str], wrong_package: dict[str, str], tmp_path: Path
) -> None:
    answer = run(*words, cwd=tmp_path, env=wrong_package)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "Error: The module 'lost' is wrong: steps: there is no stage 'turn.siesta'" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_missing_packages_are_named_in_one_sentence(tmp_path: Path) -> None:
    for words in (["serve"], ["healthcheck"], ["backup", "file"], ["reindex"]):
        blocked = f"import sys; sys.modules.update(dict.fromkeys({SERVER_PACKAGES}));"
        code = f"{blocked} sys.argv[1:] = {words}; from alhambra_cli.__main__ import main; main()"
        answer = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=tmp_path
        )
        assert answer.returncode == 2
        assert re.search(r"needs the package '\w+'", answer.stderr)
        assert "run  pip install 'alhambra-rules[server,embedded]'  first" in answer.stderr
        assert "Traceback" not in answer.stderr


# -- Health ---------------------------------------------------------------------------------------------------------


def test_the_exit_code_tells_how_the_service_is() -> None:
    store = RealServer()
    try:
        store.ask("CONFIG", "SET", "requirepass", "hunter2secret")
        url = store.url.replace("://", "://:hunter2secret@")
        environment = ("--metrics", "127.0.0.1:0", "--log-level", "debug")
        with served(*ONE, "--store", url, *environment) as service:
            assert healthy(service.address) == 0
            assert healthy(service.address, "--service", "alhambra_api.v1.GameService") == 0
            assert healthy(service.address, "--service", "alhambra_api.v1.Nothing") == 1
            made = create(service.address)
            _metrics_tell(service)
            store.kill()
            await_true(lambda: healthy(service.address) == 1, "the loss is noticed")
            assert healthy(service.address, "--service", "alhambra_api.v1.CatalogService") == 0
            with grpc.insecure_channel(service.address) as channel:
                lost = failure(stub_of(channel).CreateGame, CREATE, timeout=PATIENCE)
            assert (lost.code, lost.reason) == (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
            log = service.log.encode()
            assert b"Not serving games" in log
            secrets = ["hunter2secret", *(key.token for key in made.seat_keys)]
            assert [secret for secret in secrets if secret.encode() in log] == []
            assert [line for line in service.processes().values() if "hunter2secret" in line] == []
            for line in service.log.splitlines():
                assert {"time", "level", "logger", "message"} <= json.loads(line).keys()
    finally:
        store.stop()
    assert healthy("127.0.0.1:1", "--timeout", "1") == 3
    assert healthy("127.0.0.1:1", "--nonsense") == 2


def _metrics_tell(service: Served) -> None:
    (address,) = re.findall(r"Metrics are at ([\d.:]+)\.", service.log)
    wanted = (
        'alhambra_calls_total{code="OK",method="CreateGame"} 1.0',
        'alhambra_refusals_total{reason="GAME_NOT_FOUND"} 1.0',
        'alhambra_game_reads_total{source="store"} ',
        "alhambra_commit_conflicts_total 0.0",
        "alhambra_watchers 0.0",
        'alhambra_call_seconds_bucket{le="+Inf",method="CreateGame"} 1.0',
        "alhambra_store_seconds_count ",
    )
    with grpc.insecure_channel(service.address) as channel:
        nothing = games_pb2.GetGameRequest(game="a" * 24)
        assert failure(stub_of(channel).GetGame, nothing, timeout=PATIENCE).reason == "GAME_NOT_FOUND"

    def missing() -> list[str]:
        with urllib.request.urlopen(f"http://{address}/metrics", timeout=PATIENCE) as answer:
            text = answer.read().decode()
        return [line for line in wanted if line not in text]

    deadline = time.monotonic() + PATIENCE
    while missing() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert missing() == []


def test_tls_keys_and_their_renewal(tmp_path: Path) -> None:
    authority = trustme.CA()
    certificate, client = authority.issue_cert("127.0.0.1"), authority.issue_cert("client")
    files = {"key.pem": certificate.private_key_pem, "chain.pem": certificate.cert_chain_pems[0]}
    files |= {"authority.pem": authority.cert_pem}
    files |= {"client-key.pem": client.private_key_pem, "client.pem": client.cert_chain_pems[0]}
    for name, blob in files.items():
        blob.write_to_path(tmp_path / name)
    tls = ("--tls-certificate", str(tmp_path / "chain.pem"), "--tls-key", str(tmp_path / "key.pem"))
    trust = ("--tls-authority", str(tmp_path / "authority.pem"))
    proof = ("--tls-certificate", str(tmp_path / "client.pem"), "--tls-key", str(tmp_path / "client-key.pem"))
    with key_file() as keys:
        host = keys.add("host", "games.create")
        mutual = ("--tls-client-authority", str(tmp_path / "authority.pem"), "--keys", str(keys.path))
        with served("--listen", "0.0.0.0:0", *ONE[2:], *tls, *mutual) as service:
            address = service.address.replace("0.0.0.0", "127.0.0.1")
            assert healthy(address, *trust, *proof) == 0
            assert healthy(address, *trust) == 3
            assert healthy(address) == 3
            credentials = grpc.ssl_channel_credentials(
                authority.cert_pem.bytes(), client.private_key_pem.bytes(), client.cert_chain_pems[0].bytes()
            )
            with grpc.secure_channel(address, credentials) as channel:
                _keys_are_renewed(service, stub_of(channel), keys, host)


def _keys_are_renewed(service: Served, stub: Any, keys: Keys, host: str) -> None:
    def answer(key: str) -> str:
        try:
            stub.CreateGame(CREATE, metadata=[("authorization", f"Bearer {key}")], timeout=PATIENCE)
        except grpc.RpcError as error:
            return failure_of(error).code.name
        return "OK"

    assert answer(host) == "OK"
    before = keys.path.read_text(encoding="utf-8")
    later = keys.add("later", "games.create")
    await_true(lambda: answer(later) == "OK", "the keys are read again by themselves")
    keys.path.write_text(before, encoding="utf-8")
    service.send(signal.SIGHUP)
    await_true(lambda: answer(later) == "UNAUTHENTICATED", "the keys are read again on SIGHUP")
    assert answer(host) == "OK"
    assert answer(new_secret("key")) == "UNAUTHENTICATED"


# -- Backups --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def origin() -> Iterator[tuple[RealServer, dict[str, int]]]:
    """A store with games that were played over gRPC, by the versions they reached."""
    store = RealServer()
    reached = {}
    with served(*ONE, "--store", store.socket_url) as service:
        for moves in (0, 1, 40):
            made = create(service.address)
            reached[made.game] = play(service.address, made, moves)
        open_seats = games_pb2.CreateGameRequest(seats=[games_pb2.SeatSetup()] * 2)
        with grpc.insecure_channel(service.address) as channel:
            reached[stub_of(channel).CreateGame(open_seats, timeout=PATIENCE).game] = 0
    yield store, reached
    store.stop()


def test_a_restored_store_has_the_same_games_with_their_chains(
    origin: tuple[RealServer, dict[str, int]], tmp_path: Path
) -> None:
    store, reached = origin
    file = tmp_path / "games.jsonl"
    code, output = invoke("backup", str(file), "--store", store.socket_url)
    assert (code, output) == (0, f"Games written to {file}: 4.\n")
    assert file.stat().st_mode & 0o777 == 0o600
    other = RealServer()
    try:
        words = ("restore", str(file), "--store", other.socket_url)
        assert invoke(*words) == (0, f"Games of {file} that are in the store: 4 of 4.\n")
        assert invoke(*words)[0] == 0, "restoring again changes nothing"
        stores: list[GameStore[StoredGame]] = [GameStore.open(one.socket_url, same) for one in (store, other)]
        try:
            before, after = stores
            for game, wanted in reached.items():
                assert after.read_game(game) == before.read_game(game)
                assert after.read_game(game).version == wanted
                log = after.log(game)
                assert log == before.log(game)
                assert first_broken(after.read_game(game).secret, log[0].link, log[1:]) is None if log else True
            tenant = after.read_game(game).tenant
            assert {one.game for one in after.list(tenant).games} == set(reached)
        finally:
            for opened in stores:
                opened.close()
        with served(*ONE, "--store", other.socket_url) as service:  # and they are played on
            for game, wanted in reached.items():
                assert version(service.address, game) == wanted
    finally:
        other.stop()


def test_a_backup_moves_into_a_cluster_and_out_again(origin: tuple[RealServer, dict[str, int]], tmp_path: Path) -> None:
    store, _ = origin
    files = [tmp_path / "one.jsonl", tmp_path / "other.jsonl"]
    cluster = RealCluster()
    try:
        assert invoke("backup", str(files[0]), "--store", store.socket_url)[0] == 0
        assert invoke("restore", str(files[0]), "--store", cluster.url)[0] == 0
        assert invoke("backup", str(files[1]), "--store", cluster.url)[0] == 0
    finally:
        cluster.stop()
    before, after = (sorted(map(json.loads, file.read_text("utf-8").splitlines()), key=str) for file in files)
    for earlier, later in zip(before, after, strict=True):
        left = earlier.pop("left", 0) - later.pop("left", 0)  # the time until a game is removed runs on meanwhile
        assert 0 <= left < 1000 * PATIENCE
    assert after == before


def test_a_game_that_differs_is_left_as_it_is(origin: tuple[RealServer, dict[str, int]], tmp_path: Path) -> None:
    store, reached = origin
    file = tmp_path / "games.jsonl"
    assert invoke("backup", str(file), "--store", store.socket_url)[0] == 0
    game = max(reached, key=lambda one: reached[one])
    lines = file.read_text("utf-8").splitlines(keepends=True)
    forged = []
    for line in lines:
        document = json.loads(line)
        if document.get("game") == game:
            document["log"][5] = document["log"][6]
            forged.append(json.dumps(document) + "\n")
        else:
            forged.append(line)
    file.write_text("".join(forged), "utf-8")
    other = RealServer()
    try:
        code, output = invoke("restore", str(file), "--store", other.socket_url)
        assert code == 1
        assert f"Game {game} was left out: the chain breaks at version 6." in output
        file.write_text("".join(lines), "utf-8")
        opened: GameStore[StoredGame] = GameStore.open(other.socket_url, same)
        try:
            first = next(one for one in reached if reached[one] == 1)
            record = opened.read_game(first)
            commit(opened, first, record, [chained(record, ["0 pass"])[0].text])
        finally:
            opened.close()
        code, output = invoke("restore", str(file), "--store", other.socket_url)
        assert code == 1
        assert f"Game {first} was left out: the store has another state of it." in output
        file.write_text("".join(lines[:-1]), "utf-8")
        assert invoke("restore", str(file), "--store", other.socket_url)[0] == 2
        file.write_text("something else\n", "utf-8")
        assert invoke("restore", str(file), "--store", other.socket_url)[0] == 2
        assert invoke("restore", str(tmp_path / "missing"), "--store", other.socket_url)[0] == 2
    finally:
        other.stop()


def test_a_lost_list_of_games_is_made_anew(origin: tuple[RealServer, dict[str, int]]) -> None:
    store, reached = origin
    client = connect(store.socket_url)
    try:
        key = index_key("local")
        client.write(key, "DEL", key)
        assert invoke("reindex", "--store", store.socket_url) == (0, "Games listed: 4.\n")
        assert client.read(key, "ZCARD", key) == len(reached)
    finally:
        client.close()


def test_a_store_that_is_not_there_is_said_in_a_sentence(tmp_path: Path) -> None:
    began = time.monotonic()
    for words in (["backup", str(tmp_path / "file")], ["reindex"]):
        code, output = invoke(*words, "--store", "redis://127.0.0.1:1")
        assert code == 2
        assert "cannot be reached" in output
    assert not (tmp_path / "file").exists()
    assert time.monotonic() - began < PATIENCE
