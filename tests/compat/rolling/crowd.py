"""Players who know nothing of versions: they play over HTTP and write down what they were answered."""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from alhambra_service.games.loaded_game import LoadedGame, decode
from alhambra_service.store import Durability, GameStore
from alhambra_service.store.keys import log_key, state_key
from alhambra_service.store.stored_game import check
from tests.gateway.http import Answer, Client

SEATS = 3


@dataclass
class Ledger:
    """What all players together were answered."""

    calls: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    """By reason: calls that the client would have to repeat."""
    wrong: list[str] = field(default_factory=list)
    """Answers that cannot be right."""
    moves: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """By game: the version and the link that each acknowledged move led to."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, answer: Answer) -> bool:
        """Counts a call; whether it went well."""
        with self.lock:
            self.calls += 1
            if answer.status < 300:
                return True
            reason = answer.reason
            if answer.status >= 500 or answer.status == 429:
                self.failed[reason] += 1
            elif reason != "VERSION_STALE":
                self.wrong.append(f"{answer.status} {reason} {answer.body[:300]!r}")
            return False


class Player:
    """Plays one game, all seats of it but those of bots, move by move."""

    def __init__(self, client: Client, created: dict[str, Any], ledger: Ledger, seed: int) -> None:
        self.game = str(created["game"])
        self._tokens = {key["seat"]: key["token"] for key in created["seatKeys"]}
        self._client = client
        self._ledger = ledger
        self._rng = Random(seed)
        self.version = 0
        self.answered_by_bots = 0
        self._bot_asked_at: int | None = None
        self.stop = threading.Event()
        """Ends the repetition of a move, too: a game may wait for a version that does not come."""
        ledger.moves.setdefault(self.game, [])

    @property
    def _address(self) -> str:
        return f"/v1/games/{self.game}"

    def _view(self) -> Any:
        answer = self._client.get(self._address, minVersion=self.version)
        return answer.json()["view"] if self._ledger.note(answer) else None

    def step(self) -> bool:
        """Reads, lists and moves once; whether the game goes on."""
        view = self._view()
        if view is None:
            return True
        if view["version"] < self.version:
            self._ledger.wrong.append(f"{self.game} went back from {self.version} to {view['version']}")
        self.version = view["version"]
        if "decision" not in view:  # the game is over
            return False
        if self._bot_asked_at is not None and self.version > self._bot_asked_at:
            self.answered_by_bots += 1
            self._bot_asked_at = None
        seat = view["decision"].get("seat", 0)
        if seat not in self._tokens:
            self._bot_asked_at = self.version
            return True
        headers = {"Authorization": f"Bearer {self._tokens[seat]}"}
        listed = self._client.get(f"{self._address}/moves", headers, minVersion=self.version, pageSize=200)
        if not self._ledger.note(listed):
            return True
        moves = listed.json()["moves"]
        chosen = moves[self._rng.randrange(len(moves))]
        move = dict(chosen["move"])
        if "amountMin" in chosen:
            move["amount"] = chosen["amountMin"]
        self._move(headers, move)
        return True

    def _move(self, headers: dict[str, str], move: dict[str, Any]) -> None:
        """Moves once. What fails is sent again with the same request id, as a client should, until it is answered."""
        body = {"move": move, "version": self.version, "requestId": secrets.token_hex(8)}
        while not self.stop.is_set():
            answer = self._client.post(f"{self._address}/moves", body, headers)
            if self._ledger.note(answer):
                view = answer.json()["view"]
                self.version = view["version"]
                with self._ledger.lock:
                    self._ledger.moves[self.game].append((view["version"], view["fairness"]["link"]))
                return
            if answer.status < 500:
                return

    def play(self, until: float) -> None:
        """Plays until a moment of `time.monotonic`, or to the end."""
        try:
            while time.monotonic() < until and self.step():
                pass
        finally:
            self._client.close()


def create(base: str, ledger: Ledger, modules: Sequence[str], **more: Any) -> dict[str, Any]:
    """A game whose seats all belong to one player."""
    with Client(base) as client:
        body = {"seats": [{"claim": True}] * SEATS, "modules": modules, **more}
        answer = client.post("/v1/games", body)
        assert ledger.note(answer), answer.body
        found: dict[str, Any] = answer.json()
        return found


def check_acknowledged(url: str, ledger: Ledger) -> tuple[int, int, int]:
    """How many moves were acknowledged, how many of those are not in the log, and how often the version changed.

    Every game is read with its log, whose chain must be intact."""
    games: GameStore[LoadedGame] = GameStore.open(url, decode, durability=Durability.EVERYSEC)
    moves = lost = upgrades = 0
    try:
        for game, found in ledger.moves.items():
            key, log = state_key(game), log_key(game)
            check(games.client.read(key, "GET", key), games.client.read(log, "LRANGE", log, 0, -1))
            links: dict[int, str] = {}
            while page := games.log(game, len(links)):
                links |= {entry.version: entry.link for entry in page}
            moves += len(found)
            lost += sum(links.get(version) != link for version, link in found)
            upgrades += len(games.read_game(game).rules_upgrades)
    finally:
        games.close()
    return moves, lost, upgrades


def play_all(players: list[Player], seconds: float) -> None:
    """Every player in a thread of its own, for this long."""
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=player.play, args=(until,)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
