"""One run: a store, games that announce notices, receivers with moods, and senders that are killed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from random import Random
from typing import Any

from alhambra_service.notices.feed import FOR_EVER, NoticeFeed, Stored
from alhambra_service.notices.game_notices import USUAL_KINDS, text_of
from alhambra_service.store import EmbeddedStore, new_game
from alhambra_service.store.connection.connect import connect
from alhambra_service.store.connection.store_client import StoreClient
from alhambra_service.store.keys import WANTED_KEY, notices_key, running_key
from alhambra_service.webhooks.deliveries import Deliveries
from alhambra_service.webhooks.registry import Webhook, Webhooks
from alhambra_service.webhooks.signature import new_secret
from tests.service.webhooks.receiver import Receiver, accept, drip, endless_body, hang, raw, status

TENANT = "local"
ROOT = Path(__file__).resolve().parents[2]
PER_GAME = 10
"""Notices of one game."""
UNRELAYED = 0.1
"""The share of games whose notices are left as if their process had died after the commit."""


@dataclass
class Plan:
    """What is to be done."""

    deliveries: int = 10_000
    kills: int = 20
    seed: int = 1
    receivers: int = 5
    senders: int = 2
    patience: float = 600.0
    say: Callable[[str], None] = print


@dataclass
class Findings:
    """What came of a run."""

    sent: int = 0
    arrived: int = 0
    repeated: int = 0
    kills: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)


class MoodyReceiver(Receiver):
    """A receiver that answers a share of its deliveries badly, each notice at most a few times."""

    def __init__(self, rng: Random, bad: float) -> None:
        super().__init__(self._mood)
        self.secret = new_secret()
        self._rng = rng
        self._bad = bad
        self._tries: dict[str, int] = defaultdict(int)
        self.accepted: list[dict[str, Any]] = []
        """What was accepted, in the order in which it was."""
        self.unsigned = 0

    def _mood(self, receiver: Receiver, received: Any, handler: BaseHTTPRequestHandler) -> None:
        try:
            document = received.verified(self.secret)
        except Exception:
            self.unsigned += 1
            status(400)(receiver, received, handler)
            return
        name = received.headers["webhook-id"]
        self._tries[name] += 1
        draw = self._rng.random()
        if self._tries[name] <= 3 and draw < self._bad:
            moods = (
                *(status(500), status(503), status(302, Location="http://127.0.0.1:1/")),
                *(raw(b"HTTP/1.1 200 OK\r\n", reset=True), raw(b""), raw(b"no HTTP\r\n\r\n")),
            )
            slow = (hang, drip)
            mood = self._rng.choice(slow if draw < self._bad / 50 else moods)
            mood(receiver, received, handler)
            return
        self.accepted.append(document["data"])
        (endless_body if draw > 0.999 else accept)(receiver, received, handler)


@contextmanager
def sender(url: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A sender process that uses the store at this URL, with short pauses."""
    command = [sys.executable, "-m", "tests.webhooks.quick_sender", url]
    with log.open("ab") as out:
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=out)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def commit_notices(client: StoreClient, feed: NoticeFeed, rng: Random, versions: dict[str, int]) -> int:
    """Store the next notices of some game as a commit does, and relay them, unless the process dies before. Returns how
    many there are."""
    game = rng.choice(list(versions))
    count = rng.randint(1, 3)
    for _ in range(count):
        version = versions[game] = versions[game] + 1
        notice = {
            "id": f"msg_{game}_{version}_0",
            "kind": "decision_opened",
            "game": game,
            "version": version,
            "time": int(1000 * time.time()),
            "seat": 0,
            "name": "Ada",
            "decision": "action",
        }
        stored = Stored(16 * version, text_of(notice)).encoded()
        client.write(notices_key(game), "RPUSH", notices_key(game), stored)
    client.write(running_key(TENANT), "SADD", running_key(TENANT), game)
    if rng.random() >= UNRELAYED:
        feed.relay(game, TENANT)
    return count


def run(plan: Plan, folder: Path) -> Findings:
    """Do it, and return what was found."""
    rng, found, began = Random(plan.seed), Findings(), time.monotonic()
    with ExitStack() as stack:
        store = stack.enter_context(EmbeddedStore(folder / "store", fsync="everysec"))
        client = connect(store.url)
        stack.callback(client.close)
        receivers = [MoodyReceiver(Random(rng.random()), bad) for bad in _badness(plan.receivers)]
        for receiver in receivers:
            stack.callback(receiver.close)
        webhooks = [_registered(client, receiver, number) for number, receiver in enumerate(receivers)]
        feed = NoticeFeed(client)
        wanted = plan.deliveries // plan.receivers
        games = [new_game() for _ in range(max(1, wanted // PER_GAME))]
        versions = dict.fromkeys(games, 0)
        senders = [_Restarted(store.url, folder / f"sender-{number}.log") for number in range(plan.senders)]
        for one in senders:
            stack.callback(one.end)
        committed = 0
        while committed < wanted:
            committed += commit_notices(client, feed, rng, versions)
        plan.say(f"{committed} notices for {plan.receivers} receivers are committed.")
        end = time.monotonic() + plan.patience
        deliveries = Deliveries(client)
        shown = 0.0
        while True:
            pending = sum(deliveries.counts(TENANT, webhook.id).pending for webhook in webhooks)
            unique = sum(len({one["id"] for one in receiver.accepted}) for receiver in receivers)
            if found.kills < plan.kills and unique > committed * plan.receivers * found.kills / plan.kills:
                rng.choice(senders).kill()
                found.kills += 1
            if pending == 0 and unique >= committed * plan.receivers:
                break
            if time.monotonic() > end:
                found.faults.append(f"After {plan.patience:.0f} s {pending} deliveries still wait.")
                break
            if time.monotonic() - shown > 10:
                shown = time.monotonic()
                plan.say(f"{unique} of {committed * plan.receivers} have arrived; {found.kills} kills.")
            time.sleep(0.1)
        found.sent = committed * plan.receivers
        _check(found, receivers, versions)
    found.seconds = time.monotonic() - began
    return found


class _Restarted:
    """A sender that is started again after it was killed."""

    def __init__(self, url: str, log: Path) -> None:
        self._url, self._log = url, log
        self._stack = ExitStack()
        self._process = self._stack.enter_context(sender(url, log))

    def kill(self) -> None:
        """Kill the process with SIGKILL, by its id, and start another one."""
        self._process.kill()
        self._process.wait()
        self._process = self._stack.enter_context(sender(self._url, self._log))

    def end(self) -> None:
        self._stack.close()


def _badness(receivers: int) -> list[float]:
    """The shares of bad answers: the first receiver is good, the last one bad."""
    return [0.4 * number / max(1, receivers - 1) for number in range(receivers)]


def _registered(client: StoreClient, receiver: MoodyReceiver, number: int) -> Webhook:
    webhook = Webhook(
        id=f"receiver{number:012d}",
        tenant=TENANT,
        owner="test",
        address=receiver.address,
        kinds=USUAL_KINDS,
        created=number,
        since="0-0",
        secrets=((receiver.secret, 0),),
    )
    Webhooks(client).add(webhook)
    client.write(WANTED_KEY, "ZADD", WANTED_KEY, FOR_EVER, TENANT)
    return webhook


def _check(found: Findings, receivers: list[MoodyReceiver], versions: dict[str, int]) -> None:
    """Check what arrived: everything, signed, and the first deliveries of each game in order."""
    for number, receiver in enumerate(receivers):
        firsts: dict[str, list[int]] = defaultdict(list)
        seen: set[str] = set()
        for data in receiver.accepted:
            if data["id"] in seen:
                found.repeated += 1
                continue
            seen.add(data["id"])
            firsts[data["game"]].append(data["version"])
        found.arrived += len(seen)
        if receiver.unsigned:
            found.faults.append(f"Receiver {number} got {receiver.unsigned} deliveries without a good signature.")
        for game, last in versions.items():
            expected = list(range(1, last + 1))
            if firsts[game] != expected:
                found.faults.append(f"Receiver {number}, game {game}: {json.dumps(firsts[game])[:200]} of {last}.")
