"""Games that have come to a moment worth a look: the library walks there by chance, the server repeats its moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from alhambra import Game, Move, Options
from tests.compat.setups import move_towards
from tests.gateway.http import Client

Moment = Callable[[Game], bool]
NAMES = ("Ann", "Ben", "Cem", "Dóra", "Ema", "Francisca")


class Walk:
    """A game of the library, played by chance, and the moves that were made in it."""

    def __init__(
        self, seed: str, modules: Sequence[str] = (), *, seats: int = 2, held_back: str = "", **rules: Any
    ) -> None:
        self.game = Game.new(Options(seats=seats, seed=seed, modules=list(modules), **rules))
        self.setup = {"seed": seed, "modules": list(modules), "options": rules}
        self._chance = Random(seed)
        self._held_back = held_back
        """A verb that is used only if it leads to the moment at once."""
        self._moves: list[tuple[int, Move]] = []
        self._sent = 0
        self.id = ""
        self.tokens: list[str] = []

    def goes_to(self, moment: Moment, most: int) -> bool:
        """Walks until the moment has come; whether it came within this many moves."""
        while not self.game.over and len(self._moves) < most:
            if moment(self.game):
                return True
            self.make(move_towards(self.game, moment, self._held_back, self._chance))
        return False

    def make(self, move: Move) -> None:
        """Makes a move in the library's game."""
        assert self.game.decision is not None
        self._moves.append((self.game.decision.seat, move))
        self.game.apply(move)

    def made(self, move: Move) -> None:
        """Makes a move that the server has made already."""
        self.make(move)
        self._sent += 1

    def send(self, client: Client) -> None:
        """Repeats on the server what was not repeated yet. The first time creates the game, with all seats taken."""
        if not self.id:
            seats = [{"name": name, "claim": True} for name in NAMES[: len(self.game.state.seats)]]
            created = client.post("/v1/games", {"seats": seats, **self.setup})
            assert created.status == 200, created.body
            self.id = created.json()["game"]
            self.tokens = [key["token"] for key in created.json()["seatKeys"]]
        for version, (seat, move) in enumerate(self._moves[self._sent :], self._sent):
            token = {"Authorization": f"Bearer {self.tokens[seat]}"}
            body = {"version": version, "move": move.as_dict()}
            made = client.post(f"/v1/games/{self.id}/moves", body, token)
            assert made.status == 200, (move, made.body)
        self._sent = len(self._moves)

    @property
    def asked(self) -> int:
        """The seat that is asked."""
        assert self.game.decision is not None
        return self.game.decision.seat


def walk_to(moment: Moment, client: Client, modules: Sequence[str] = (), *, most: int = 200, **rules: Any) -> Walk:
    """A game on the server that has come to the moment, from the first seed of ten that leads there."""
    for seed in range(10):
        walk = Walk(f"walk {seed}", modules, **rules)
        if walk.goes_to(moment, most):
            walk.send(client)
            return walk
    raise AssertionError(f"no seed leads there within {most} moves")


def scoring_move(game: Game) -> Move | None:
    """Return a legal move that leads to the first scoring at once, if there is one."""
    if game.decision is None or game.state.held:
        return None
    for move in game.legal_moves():
        tried = game.clone()
        tried.apply(move)
        if tried.state.held:
            return move
    return None


def scored_next(game: Game) -> bool:
    """Whether some legal move leads to the first scoring at once."""
    return scoring_move(game) is not None


def hold_scoring(walk: Walk, client: Client) -> None:
    """Make the move that leads to the first scoring; open windows learn of it by their streams."""
    move = scoring_move(walk.game)
    assert move is not None
    walk.make(move)
    walk.send(client)


def finished_by_computers(client: Client) -> str:
    """Returns the id of a game that two computers have played to its end; the seed decides all of it."""
    seats = [{"name": "Ann", "serverPlayer": "greedy"}, {"name": "Ben", "serverPlayer": "greedy"}]
    path = f"/v1/games/{client.post('/v1/games', {'seats': seats, 'seed': 'finished'}).json()['game']}"
    while client.get(path).json()["view"]["status"] != "over":
        pass  # each look lets the server play on
    return path.rpartition("/")[2]
