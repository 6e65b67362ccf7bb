"""Upgrade a running installation of a released version to this one, roll it back, and upgrade it again.

    python -m tests.compat.rolling.upgrade                       # from the release of 0.1.0 in the history of git
    python -m tests.compat.rolling.upgrade --wheel FILE.whl      # from any wheel
    python -m tests.compat.rolling.upgrade --seconds 10          # how long players play between two steps

Two services, two gateways and a process for bots share one store. Players play games of every module all the time,
through both gateways; a request that finds a gateway closed goes to the other one, as behind a load balancer. A
backup is made, the processes are replaced one after the other, in the order of docs/operator.md, and rolled back in
the reverse order. Some games rest while the new version runs: after the roll-back they must go on under the old one.
At the end every acknowledged move must be in the log of its game, with the link that the player was told, every game
must be readable, bots must play, and `alhambra doctor` must find no fault.

The released version runs with the packages of this environment: it is installed from its wheel without dependencies.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

from alhambra import known_modules
from alhambra_service.store import EmbeddedStore
from tests.gateway.http import Answer, Client
from tests.gateway.product import gateway
from tests.service.commands import command, served
from tests.service.store.servers import free_port

from .crowd import Ledger, Player, check_acknowledged, create

ROOT = Path(__file__).resolve().parents[3]
RELEASED = "8a2a13c3"
"""The commit of the release of 0.1.0."""
THREADS = 4
BOT = "search_easy"
RESTING: tuple[list[str], ...] = ([], ["squares", "thieves"], ["characters", "change", "medina"])
"""The modules of games that nobody plays while the new version runs."""
PATIENCE = 60.0
DRAIN_SECONDS = 2
ATTEMPTS, PAUSE = 40, 0.25
"""How often both gateways are tried, and the seconds between two rounds."""
MAY_BE_REPEATED = {"ENGINE_TOO_OLD", "STORE_UNAVAILABLE", "OUTCOME_UNKNOWN", "RULES_CHANGED"}
"""Reasons with which a call may fail meanwhile: the client repeats it, with the same request id."""


def wheel_of(commit: str, folder: Path) -> Path:
    """Build the wheel of a commit."""
    source = folder / "source"
    source.mkdir()
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "-x"], cwd=source, input=archive, check=True)
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    (found,) = (source / "dist").glob("*.whl")
    return found


def install(wheel: Path, folder: Path) -> Mapping[str, str]:
    """Install a wheel into a folder; return the variables with which a process runs it."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--no-index", "--target", str(folder), str(wheel)], check=True)
    return {"PYTHONPATH": str(folder)}


class TwoGateways(Client):
    """A client of two gateways: a request that one does not answer is sent to the other."""

    def __init__(self, bases: list[str], first: int) -> None:
        super().__init__(bases[first])
        self._other = Client(bases[1 - first])

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send a request. Every change of a player names its request id, so that it is made once."""
        for _ in range(ATTEMPTS):
            for send in (super().send, self._other.send):
                try:
                    return send(method, path, body, headers)
                except ConnectionRefusedError:
                    continue
                except (ConnectionError, http.client.HTTPException):
                    self.reconnected += 1
            time.sleep(PAUSE)
        raise ConnectionError("no gateway answers")

    def close(self) -> None:
        super().close()
        self._other.close()


@dataclass
class Process:
    """A service or a gateway, replaced on the port that it had, or the process for bots, which has none."""

    kind: str
    port: int
    running: ExitStack = field(default_factory=ExitStack)
    version: str = ""


class Installation:
    """Two services and two gateways on one store."""

    def __init__(self, store: str, versions: Mapping[str, Mapping[str, str]]) -> None:
        self._store = store
        self._versions = versions
        self.services = [Process("service", free_port()) for _ in range(2)]
        self.gateways = [Process("gateway", free_port()) for _ in range(2)]
        self.bots = Process("process for bots", 0)

    @property
    def addresses(self) -> list[str]:
        """Where the gateways answer."""
        return [f"http://127.0.0.1:{process.port}" for process in self.gateways]

    def in_order(self, *, gateways_first: bool) -> list[Process]:
        """The processes in the order in which they are upgraded; a roll-back has the reverse order."""
        servers = [*self.gateways, *self.services] if gateways_first else [*self.services, *self.gateways]
        return [self.bots, *servers]

    def start(self, process: Process, version: str) -> None:
        """Start a process that does not run."""
        variables = self._versions[version]
        process.version = version
        if process.kind == "service":
            words = ("--workers", "1", "--store", self._store, "--durability", "everysec")
            listen = ("--listen", f"127.0.0.1:{process.port}")
            process.running.enter_context(served(*listen, *words, variables=variables))
        elif process.kind == "process for bots":
            process.running.enter_context(bots(f"127.0.0.1:{self.services[0].port}", variables))
        else:
            services = ",".join(f"127.0.0.1:{each.port}" for each in self.services)
            found = gateway(services, port=process.port, drain_seconds=DRAIN_SECONDS, variables=variables)
            process.running.enter_context(found)

    def replace(self, process: Process, version: str) -> None:
        """End a process, and start it in another version."""
        process.running.close()
        self.start(process, version)

    def close(self) -> None:
        for process in self.in_order(gateways_first=True):
            process.running.close()


@contextmanager
def bots(service: str, variables: Mapping[str, str]) -> Iterator[None]:
    """A process that plays for bots. It must live until it is ended, and end by itself on SIGTERM."""
    words = command("bots", "--service", service, "--players", BOT, "--easy-seconds", "0.05")
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(words, env={**os.environ, **variables}, stdout=subprocess.PIPE, stderr=log)
        try:
            assert process.stdout is not None
            assert process.stdout.readline(), "the process for bots did not start"
            yield
            assert process.poll() is None, f"the process for bots has ended with {process.returncode}"
            process.terminate()
            assert process.wait(PATIENCE) == 0, f"the process for bots ended with {process.returncode}"
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
            log.seek(0)
            if process.returncode:
                print(log.read().decode("utf-8", "replace")[-2000:])


def with_bot(address: str, ledger: Ledger) -> dict[str, Any]:
    """A game with the seat of a bot, created as soon as the process for bots has called."""
    body = {"seats": [{"claim": True}, {"serverPlayer": BOT}]}
    with Client(address) as client:
        for _ in range(ATTEMPTS):
            answer = client.post("/v1/games", body)
            if answer.status < HTTPStatus.MULTIPLE_CHOICES:
                found: dict[str, Any] = answer.json()
                return found
            time.sleep(PAUSE)
    raise AssertionError(f"no game with a bot can be created: {answer.body!r}")


def alhambra(*words: str, variables: Mapping[str, str]) -> str:
    """Run a command to its end and return what it prints."""
    done = subprocess.run(
        command(*words), env={**os.environ, **variables}, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, f"alhambra {words[0]} ended with {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout.strip()


def play(players: list[Player], stop: threading.Event) -> None:
    """Let players play in turn until they are told to stop."""
    going = players
    while going and not stop.is_set():
        going = [player for player in going if stop.is_set() or player.step()]


@contextmanager
def crowd(players: list[Player]) -> Iterator[None]:
    """Players who play on a few threads. What a player raises ends the run."""
    stop = threading.Event()
    for player in players:
        player.stop = stop
    with ThreadPoolExecutor(THREADS) as pool:
        threads = [pool.submit(play, players[n::THREADS], stop) for n in range(THREADS)]
        try:
            yield
        finally:
            stop.set()
        for thread in threads:
            thread.result()


class Transcript:
    """Says after each step what players were answered meanwhile."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._calls = 0
        self._failed: Counter[str] = Counter()
        self._began = time.monotonic()

    def tell(self, step: str) -> None:
        with self._ledger.lock:
            calls, failed = self._ledger.calls, Counter(self._ledger.failed)
        repeated = dict(failed - self._failed)
        passed = time.monotonic() - self._began
        print(f"{passed:5.0f} s  {step:<43} {calls - self._calls:6} calls, repeated {repeated or 0}", flush=True)
        self._calls, self._failed = calls, failed


def upgrade(versions: Mapping[str, Mapping[str, str]], seconds: float, *, gateways_first: bool) -> int:
    """Upgrade, roll back and upgrade again under load; return the exit code."""
    old, new = versions
    ledger, rested = Ledger(), Ledger()
    with tempfile.TemporaryDirectory() as folder, EmbeddedStore(Path(folder), fsync="everysec") as store:
        site = Installation(store.url, versions)
        upgraded = site.in_order(gateways_first=gateways_first)
        try:
            for process in [*site.services, *site.gateways, site.bots]:
                site.start(process, old)
            modules = [key for key in known_modules() if not key.startswith("example_")]
            chosen = [[], *([key] for key in modules), modules]
            made = [create(site.addresses[0], ledger, each) for each in chosen]
            made.append(with_bot(site.addresses[0], ledger))
            resting = [create(site.addresses[0], rested, each) for each in RESTING]
            clients = [TwoGateways(site.addresses, n % 2) for n in range(THREADS)]
            players = [Player(clients[n % THREADS], game, ledger, n) for n, game in enumerate(made)]
            with_bots = [players[-1]]
            clients += [TwoGateways(site.addresses, n % 2) for n in range(len(resting))]
            others = [Player(clients[THREADS + n], game, rested, n) for n, game in enumerate(resting)]
            transcript = Transcript(ledger)
            transcript.tell(f"{len(made) + len(resting)} games under {old}")
            with crowd(others):
                time.sleep(seconds / 2)
            before = [player.version for player in others]
            with crowd(players):
                time.sleep(seconds)
                transcript.tell(f"playing under {old}")
                alhambra("backup", str(Path(folder, "backup.jsonl")), "--store", store.url, variables=versions[old])
                transcript.tell("made a backup")
                for version in (new, old, new):
                    for process in upgraded if version == new else reversed(upgraded):
                        site.replace(process, version)
                        transcript.tell(f"replaced a {process.kind} by {version}")
                        time.sleep(seconds)
                        transcript.tell("playing")
                    if version == old:
                        with crowd(others):
                            time.sleep(seconds)
                        transcript.tell(f"playing games that only {old} has changed")
            waiting = [player.game for player, version in zip(others, before, strict=True) if player.version <= version]
            made = [with_bot(site.addresses[0], ledger)]
            players += [Player(clients[0], game, ledger, len(players)) for game in made]
            with_bots.append(players[-1])
            with crowd([*with_bots, *others]):
                time.sleep(seconds)
            transcript.tell("playing with a bot, and games that rested")
            idle = [player.game for player in with_bots if not player.answered_by_bots]
            with TwoGateways(site.addresses, 0) as client:
                games = [player.game for player in (*players, *others)]
                unreadable = [game for game in games if client.get(f"/v1/games/{game}").status != HTTPStatus.OK]
            reconnected = sum(client.reconnected for client in clients)
            for client in clients:
                client.close()
            words = ("doctor", "--store", store.url, "--durability", "everysec")
            print(f"alhambra doctor: {alhambra(*words, variables=versions[new]).splitlines()[-1]}")
        finally:
            site.close()
        moves, lost, upgrades = check_acknowledged(store.url, ledger)
        lost += check_acknowledged(store.url, rested)[1]
    refused = {*ledger.failed, *rested.failed} - MAY_BE_REPEATED
    figures = {"calls": ledger.calls + rested.calls, "repeated": dict(ledger.failed + rested.failed)}
    rest = {"connections lost": reconnected, "moves": moves, "lost": lost, "games changed by a new version": upgrades}
    print(json.dumps(figures | rest))
    wrong = [*ledger.wrong, *rested.wrong]
    for fault in wrong[:10]:
        print("wrong:", fault)
    faults = {"unreadable": unreadable, "waiting": waiting, "without bots": idle, "other reasons": sorted(refused)}
    if any(faults.values()) or wrong or lost or not moves:
        print(f"Failed: {faults}, lost {lost}, wrong {len(wrong)}")
        return 1
    print("No move was lost, and every game goes on.")
    return 0


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Upgrade a running installation under load, and roll it back.")
    parser.add_argument("--wheel", type=Path, help="the released version; without it, 0.1.0 is built from git")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long players play between two steps")
    parser.add_argument("--gateways-first", action="store_true", help="replace the gateways before the services")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wheel = given.wheel or wheel_of(RELEASED, Path(folder))
        old = install(wheel, Path(folder, "old"))
        name = wheel.name.split("-")[1]
        versions = {name: old, "this version": {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}}
        sys.exit(upgrade(versions, given.seconds, gateways_first=given.gateways_first))


if __name__ == "__main__":
    main()
