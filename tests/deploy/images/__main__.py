"""Builds both images of deploy/ and plays a game in containers of them:

    python -m tests.deploy.images            needs root, buildah and debootstrap: `make images` installs these

Valkey, two services and a gateway are started as compose.yaml says, each in a container with its own files, user and
secrets. With chroot isolation a container shares the network of the machine, so everything listens on free ports of
loopback. The checks: the health checks of the images succeed, a game is played over HTTP to its end, every process ends
by itself when it is asked to. Exit code 3: this machine cannot build images.

What this does not show: networks between containers, limits of memory, a read-only file system, Prometheus and Grafana.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from tests.gateway.http import Client

from ..files import Words, composed
from ..installation import Installation, installed
from .builder import CANNOT, REGISTRY, Builder, CannotBuild, require_tools

OURS = ("service", "gateway")
MOST_MOVES = 2_000
IMAGES = {"service": composed("service")["image"], "gateway": composed("gateway")["image"]}


@dataclass
class Contained(Installation):
    """An installation whose processes run in containers."""

    builder: Builder = field(default_factory=Builder)
    ended: list[int] = field(default_factory=list)
    """The exit codes of the processes that were asked to end."""

    def folders(self) -> dict[str, str]:
        """None: a container has the folders that the files name."""
        return {}

    def command(self, name: str, words: Words, variables: Mapping[str, str]) -> Words:
        """The command in a container of its image, with the user, secrets and volumes of compose.yaml."""
        about = composed(name)
        program = () if name == "valkey" else ("alhambra",)
        secrets = [(f"{self.folder}/secrets/{file}", f"/run/secrets/{file}") for file in about["secrets"]]
        mounts = [word for here, there in secrets for word in ("--volume", f"{here}:{there}:ro")]
        if name == "valkey":
            mounts += ["--volume", f"{self.folder}/data:/data", "--user", about["user"]]
        given = [word for key, value in variables.items() for word in ("--env", f"{key}={value}")]
        ours = {composed(image)["image"]: own for image, own in IMAGES.items()}
        container = self.builder.container(ours.get(about["image"], f"{REGISTRY}/{about['image']}"))
        return self._in(container, *mounts, *given, "--", *program, *words)

    def _in(self, container: str, *words: str) -> Words:
        options = [*words[: words.index("--")]]
        return self.builder.words("run", "--isolation", "chroot", *options, container, *words[words.index("--") :])

    def end(self, process: subprocess.Popen[str]) -> None:
        """Ask the process in the container to end as a container engine does; buildah itself would kill it."""
        inner(process.pid).terminate()
        self.ended.append(process.wait(60))

    def health(self, name: str) -> subprocess.CompletedProcess[str]:
        """Run the health check that is written in the image."""
        kind, *words = self.builder.settings(IMAGES[name])["Healthcheck"]["Test"]
        assert kind == "CMD"
        container = self.builder.container(IMAGES[name])
        command = self._in(container, "--", *self.here(tuple(words)))
        return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)


def inner(pid: int) -> psutil.Process:
    """The process in the container that buildah, the process `pid`, started: the first that is not buildah."""
    process = psutil.Process(pid)
    while "buildah" in process.name():
        (process,) = process.children()
    return process


def play(address: str, key: str) -> tuple[int, str]:
    """Play the first legal move of a person against a player of the server until the game is over; the number of
    moves, and why it ended.
    """
    with Client(address, key) as platform:
        created = platform.post("/v1/games", {"seats": [{"claim": True}, {"serverPlayer": "random"}]})
        assert created.status == 200, created.body
        game, token = created.json()["game"], created.json()["seatKeys"][0]["token"]
    with Client(address, token) as player:
        for moves in range(MOST_MOVES):
            legal = player.get(f"/v1/games/{game}/moves").json()
            if not legal.get("moves"):
                view = player.get(f"/v1/games/{game}").json()
                return moves, str(view["view"]["result"]["because"])
            chosen = legal["moves"][moves % len(legal["moves"])]["move"]
            answer = player.post(f"/v1/games/{game}/moves", {"version": legal["version"], "move": chosen})
            assert answer.status == 200, answer.body
    raise AssertionError(f"the game was not over after {MOST_MOVES} moves")


def build(builder: Builder) -> None:
    """Build everything and say how long it took."""
    steps: dict[str, Callable[[], None]] = {
        "the base from Debian's packages": builder.make_base,
        "the image of the store": builder.make_store,
    }
    steps |= {f"the image of the {name}": partial(builder.build, name) for name in OURS}
    for what, work in steps.items():
        began = time.monotonic()
        work()
        print(f"{what}: {time.monotonic() - began:.0f} s", flush=True)


def start_and_play(builder: Builder, folder: Path) -> None:
    """Start containers of the images, ask for their health and play a game."""
    found = Contained(folder, {}, builder)
    (folder / "data").mkdir()
    user, group = map(int, composed("valkey")["user"].split(":"))
    folder.chmod(0o755)
    subprocess.run(["chown", f"{user}:{group}", str(folder / "data")], check=True)
    began = time.monotonic()
    with installed(found):
        print(f"Valkey, two services and a gateway started: {time.monotonic() - began:.0f} s", flush=True)
        for name in OURS:
            done = found.health(name)
            assert done.returncode == 0, (name, done.stdout, done.stderr)
            print(f"health check of the {name}: {done.stdout.strip()}", flush=True)
        began = time.monotonic()
        moves, because = play(f"http://127.0.0.1:{found.ports['8080']}", found.secret("platform.key"))
        print(
            f"a game over HTTP: {moves} moves, {time.monotonic() - began:.0f} s, ended because: {because}", flush=True
        )
    assert found.ended == [0] * 4, f"the processes ended with the codes {found.ended}"
    print("every process ended by itself with code 0", flush=True)


def main() -> None:
    """Build, start, play, remove the containers."""
    try:
        require_tools()
        builder = Builder()
        try:
            build(builder)
            with TemporaryDirectory(prefix="alhambra-images-") as folder:
                start_and_play(builder, Path(folder))
        finally:
            builder.remove_containers()
    except CannotBuild as fault:
        print(fault, file=sys.stderr)
        sys.exit(CANNOT)


if __name__ == "__main__":
    main()
