"""A game over REST for tests that need one in which something happens: created, and played one move after the other."""

from __future__ import annotations

from typing import Any

from .http import Answer, Client


class RestGame:
    """A game with all seats taken by the test."""

    def __init__(self, client: Client, seats: int = 2, **options: Any) -> None:
        made = client.post("/v1/games", {"seats": [{"claim": True}] * seats, **options})
        assert made.status == 200, made.body
        self._client = client
        self.id: str = made.json()["game"]
        self.tokens: dict[int, str] = {key["seat"]: key["token"] for key in made.json()["seatKeys"]}
        self.view: dict[str, Any] = made.json()["view"]

    @property
    def path(self) -> str:
        return f"/v1/games/{self.id}"

    @property
    def version(self) -> int:
        return int(self.view["version"])

    def bearer(self, seat: int | None = None) -> dict[str, str]:
        """The header of a seat; of the one that is asked if none is named."""
        asked = self.view["decision"]["seat"] if seat is None else seat
        return {"Authorization": f"Bearer {self.tokens[asked]}"}

    def next_move(self) -> dict[str, Any]:
        """The body of a request with the first legal move of the seat that is asked."""
        legal = self._client.get(f"{self.path}/moves", self.bearer(), minVersion=self.version, pageSize=1)
        assert legal.status == 200, legal.body
        return {"move": legal.json()["moves"][0]["move"], "version": legal.json()["version"]}

    def apply(self, body: dict[str, Any], key: str = "") -> Answer:
        """Sends a move."""
        return self._client.post(
            f"{self.path}/moves", body, {**self.bearer(), **({"Idempotency-Key": key} if key else {})}
        )

    def play(self, moves: int = 1) -> dict[str, Any]:
        """Makes some moves; the last answer."""
        found: dict[str, Any] = {}
        for _ in range(moves):
            answer = self.apply(self.next_move())
            assert answer.status == 200, answer.body
            found = answer.json()
            self.view = found["view"]
        return found

    def events(self, client: Client | None = None, **query: object) -> list[dict[str, Any]]:
        """What has happened, as JSON pages tell it to a spectator: everything, unless the query says less."""
        headers = {"Accept": "application/json"}
        told: list[dict[str, Any]] = []
        more = True
        while more:
            page = (client or self._client).get(f"{self.path}/events", headers, **query)
            assert page.status == 200, page.body
            told += page.json()["events"]
            query["after"], more = page.json()["nextAfter"], page.json()["more"]
        return told
