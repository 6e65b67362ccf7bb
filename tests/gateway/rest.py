"""Players that know nothing but HTTP: they read views and lists, and send moves back as they were listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from .http import Answer, Client
from .product import Product

MOVES_OF_A_GAME = 5_000
EAGER = ("buy", "bid_project", "take_money")
"""Verbs that bring a game to its end."""


class Table:
    """A game over HTTP and its seats, as far as their tokens are known."""

    def __init__(self, base: str, created: Mapping[str, Any]) -> None:
        self.created = created
        self.id: str = created["game"]
        self.path = f"/v1/games/{self.id}"
        self.spectator = Client(base)
        self.seats = {key["seat"]: Client(base, key["token"]) for key in created["seatKeys"] if key["token"]}

    @classmethod
    def create(cls, base: str, seats: int | Sequence[Mapping[str, Any]] = 2, **members: Any) -> Table:
        """A game; unless said otherwise all its seats are claimed at once."""
        setups = [{"claim": True}] * seats if isinstance(seats, int) else seats
        with Client(base) as host:
            made = host.post("/v1/games", {"seats": setups, **members})
        assert made.status == 200, made.body
        return cls(base, made.json())

    def claim(self, seat: int) -> None:
        """Exchanges the invitation of a seat."""
        invitation = self.created["seatKeys"][seat]["invitation"]
        claimed = good(self.spectator.post(f"{self.path}:claimSeat", {"invitation": invitation}))
        self.seats[seat] = Client(self.spectator.base, claimed["token"])

    def close(self) -> None:
        for client in (self.spectator, *self.seats.values()):
            client.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *about: object) -> None:
        self.close()

    def view(self, seat: int | None = None) -> Any:
        """As the seat sees it, or a spectator."""
        client = self.spectator if seat is None else self.seats[seat]
        return good(client.get(self.path))["view"]

    def listed(self, seat: int, **query: object) -> Any:
        """The legal moves of a seat."""
        return good(self.seats[seat].get(f"{self.path}/moves", None, **query))

    def apply(self, seat: int, move: Mapping[str, Any], version: int, **headers: str) -> Answer:
        """The seat moves."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.seats[seat].post(f"{self.path}/moves", {"move": move, "version": version}, named)

    def random_move(self, view: Mapping[str, Any], rng: Random) -> dict[str, Any]:
        """A legal move of the asked seat, as it is listed."""
        found = self.listed(view["decision"]["seat"], minVersion=view["version"], pageSize=1_000)["moves"]
        eager = [one for one in found if one["move"]["verb"] in EAGER]
        chosen = rng.choice(eager if eager and rng.random() < 0.8 else found)
        move: dict[str, Any] = chosen["move"]
        if "amountMin" in chosen:
            move = {**move, "amount": rng.randint(chosen["amountMin"], chosen["amountMax"])}
        return move

    def play(self, rng: Random, moves: int = MOVES_OF_A_GAME) -> Any:
        """Plays until the game is over, or so many moves; answers with the last view."""
        view = self.view()
        for _ in range(moves):
            if view["status"] != "running":
                break
            seat = view["decision"]["seat"]
            view = good(self.apply(seat, self.random_move(view, rng), view["version"]))["view"]
        return view


def good(answer: Answer) -> Any:
    """What an answer says that is none about a problem."""
    assert answer.status == 200, (answer.status, answer.body[:500])
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


def table(product: Product, seats: int | Sequence[Mapping[str, Any]] = 2, **members: Any) -> Table:
    """A game of the product."""
    return Table.create(product.http, seats, **members)
