"""The commands of deploy/ do what the files say: run here as they stand there, with other addresses only."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from alhambra_cli.commands import app
from tests.gateway.http import Answer, Client
from tests.service.store.servers import RealCluster, await_true, free_port

from .files import backups, bots, container, flags, image_words, started
from .installation import ALHAMBRA, HOSTS, PATIENCE, Installation, draw_secrets, installed

HEALTH = {name: image_words(name, "HEALTHCHECK") for name in ("service", "gateway")}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    found = Installation(tmp_path_factory.mktemp("deploy"), {})
    with installed(found):
        yield found


@pytest.fixture(scope="module")
def platform(installation: Installation) -> Iterator[Client]:
    """Whoever has the key that creates games."""
    with Client(f"http://127.0.0.1:{installation.ports['8080']}", installation.secret("platform.key")) as found:
        yield found


def metrics(installation: Installation, host: str, port: str) -> str:
    with Client(f"http://{host}:{installation.ports[port]}") as client:
        answer = client.get("/metrics")
        assert answer.status == 200
        return answer.body.decode()


def calls(installation: Installation, host: str) -> float:
    """How often a service was asked for the modules."""
    lines = metrics(installation, host, "9464").splitlines()
    counted = [line for line in lines if line.startswith("alhambra_calls_total{") and 'method="ListModules"' in line]
    return sum(float(line.split()[-1]) for line in counted)


def test_a_game_is_created_and_played_through_all_of_it(platform: Client) -> None:
    created = platform.post("/v1/games", {"seats": [{"claim": True}, {"serverPlayer": "random"}]})
    assert created.status == 200, created.body
    game, token = created.json()["game"], created.json()["seatKeys"][0]["token"]
    with Client(platform.base, token) as player:
        legal = player.get(f"/v1/games/{game}/moves").json()
        move = {"version": legal["version"], "move": legal["moves"][0]["move"]}
        assert player.post(f"/v1/games/{game}/moves", move).json()["version"] > legal["version"]


def test_a_seat_of_a_bot_is_played(platform: Client) -> None:
    def created() -> Answer:
        return platform.post("/v1/games", {"seats": [{"claim": True}, {"serverPlayer": "search_easy"}]})

    await_true(lambda: created().status == 200, "the process for bots has asked for a decision")
    made = created().json()
    path = f"/v1/games/{made['game']}"
    with Client(platform.base, made["seatKeys"][0]["token"]) as player:
        for _ in range(20):
            view = player.get(path).json()["view"]
            if view["decision"]["seat"] == 1:
                break
            legal = player.get(f"{path}/moves").json()
            player.post(f"{path}/moves", {"version": legal["version"], "move": legal["moves"][0]["move"]})
        assert view["decision"]["seat"] == 1, "it is never the turn of the bot"
        await_true(lambda: player.get(path).json()["view"]["version"] > view["version"], "the bot moves")


def test_nobody_creates_games_without_the_key(platform: Client) -> None:
    with Client(platform.base) as stranger:
        assert stranger.post("/v1/games", {"seats": [{}, {}]}).reason == "TOKEN_INVALID"


def test_the_gateway_finds_both_services_by_name_and_takes_turns(installation: Installation, platform: Client) -> None:
    before = {host: calls(installation, host) for host in HOSTS}

    def both_have_answered() -> bool:
        """A gateway leaves a service aside for a moment if it is slow to say that it is well, as on a busy machine."""
        for _ in range(8):
            assert platform.get("/v1/catalog/modules").status == 200
        return all(calls(installation, host) - before[host] > 0 for host in HOSTS)

    await_true(both_have_answered, "both services answer")


def test_prometheus_is_told_the_figures_of_the_gateway_at_its_own_port(
    installation: Installation, platform: Client
) -> None:
    assert platform.get("/v1/catalog/modules").status == 200, "now there is something to count"
    await_true(lambda: "alhambra_gateway_requests_total" in metrics(installation, HOSTS[0], "9465"), "it is counted")
    with Client(f"http://127.0.0.1:{installation.ports['8080']}") as client:
        assert client.get("/metrics").reason == "ROUTE_NOT_FOUND"


@pytest.mark.parametrize("name", HEALTH)
def test_the_health_check_of_an_image_succeeds_while_it_serves(name: str, installation: Installation) -> None:
    program, *words = installation.here(HEALTH[name])
    assert program == "alhambra"
    done = installation.alhambra(tuple(words))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", HEALTH)
def test_the_health_check_of_an_image_fails_where_nobody_serves(name: str, tmp_path: Path) -> None:
    nobody = Installation(tmp_path, {"50051": free_port(), "8080": free_port()})
    assert nobody.alhambra(nobody.here(HEALTH[name])[1:]).returncode == 3


def test_probes_of_kubernetes_are_answered_by_address(installation: Installation) -> None:
    found = container("alhambra-gateway")
    with Client(f"http://127.0.0.1:{installation.ports['8080']}") as kubelet:
        for kind in ("startupProbe", "livenessProbe", "readinessProbe"):
            answer = kubelet.get(found[kind]["httpGet"]["path"], {"Host": "10.1.2.3:8080"})
            assert answer.status == 200, answer.body


@pytest.mark.parametrize("where", backups())
def test_a_backup_holds_the_games(where: str, installation: Installation, platform: Client) -> None:
    made = platform.post("/v1/games", {"seats": [{}, {}]})
    assert made.status == 200, made.body
    folder = installation.folder / "backups"
    shutil.rmtree(folder, ignore_errors=True)
    variable, _, store = installation.secret("store.env").partition("=")
    with installation.process((*ALHAMBRA, *installation.here(backups()[where])), {variable: store}) as process:
        process.await_line(f"Games written to {folder}/alhambra-")
        if "--every" not in flags(backups()[where][1:]):
            process.process.wait(PATIENCE)
    (written,) = folder.glob("alhambra-*.jsonl")
    assert f'"game":"{made.json()["game"]}"' in written.read_text(encoding="utf-8")
    assert process.process.returncode == 0, process.log.read_text(encoding="utf-8")


@pytest.mark.parametrize("where", started() | bots() | backups())
def test_every_command_is_understood(where: str) -> None:
    words = (started() | bots() | backups())[where]
    done = CliRunner().invoke(app, [*words, "--help"], prog_name="alhambra")
    assert done.exit_code == 0, done.output


def test_the_arguments_of_kubernetes_serve_games_of_a_cluster(tmp_path: Path) -> None:
    draw_secrets(tmp_path, "unused")
    here = Installation(tmp_path, {port: free_port() for port in ("50051", "9464", "8080", "9465")})
    cluster = RealCluster()
    try:
        words = here.here(tuple(container("alhambra-service")["args"]))
        variables = {"ALHAMBRA_STORE": cluster.url, "ALHAMBRA_DURABILITY": "always"}
        with here.process((*ALHAMBRA, *words), variables) as service:
            service.await_line("Alhambra is served at ")
            probes = ("startupProbe", "livenessProbe", "readinessProbe")
            for asked in {container("alhambra-service")[probe]["grpc"].get("service", "") for probe in probes}:
                words = ("healthcheck", "--address", "127.0.0.1:50051", "--service", asked)
                assert here.alhambra(here.here(words)).returncode == 0, asked
    finally:
        cluster.stop()
