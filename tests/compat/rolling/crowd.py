"""Players who know nothing of versions: they play over HTTP and write down what they were answered."""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

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
    """Plays one game, all seats of it, move by move."""

    def __init__(self, base: str, created: dict[str, Any], ledger: Ledger, seed: int) -> None:
        self.game = str(created["game"])
        self._tokens = {key["seat"]: key["token"] for key in created["seatKeys"]}
        self._client = Client(base)
        self._ledger = ledger
        self._rng = Random(seed)
        self.version = 0
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
        seat = view["decision"].get("seat", 0)
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
        while True:
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


def create(base: str, ledger: Ledger, modules: list[str], **more: Any) -> dict[str, Any]:
    """A game whose seats all belong to one player."""
    with Client(base) as client:
        body = {"seats": [{"claim": True}] * SEATS, "modules": modules, **more}
        answer = client.post("/v1/games", body)
        assert ledger.note(answer), answer.body
        found: dict[str, Any] = answer.json()
        return found


def play_all(players: list[Player], seconds: float) -> None:
    """Every player in a thread of its own, for this long."""
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=player.play, args=(until,)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
