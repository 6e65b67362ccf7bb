"""Games prepared for a load test, with the right answers about them.

Each game is played with the same seed and the same moves in the installation and in the library. The library judges
placements in its own game: these are the known answers, which users compare without computing. No moves are made in
these games afterwards, so the known answers stay right.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random

import grpc

from alhambra import Game, Options
from alhambra.players import peer_move
from alhambra_api.v1 import boards_pb2, games_pb2, moves_pb2, nouns_pb2, service_pb2_grpc
from alhambra_service.boards.placements import placement_faults
from alhambra_service.messages.translate import move_to

from . import limits


@dataclasses.dataclass(frozen=True)
class Question:
    """A placement, and the codes of all its violations; no codes if it is legal."""

    seat: int
    tile: str
    x: int
    y: int
    codes: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class KnownGame:
    """A game of the installation, with placements on its Alhambras."""

    game: str
    version: int
    questions: tuple[Question, ...]


def prepare(
    grpc_address: str,
    *,
    games: int,
    seats: int,
    modules: Sequence[str] = (),
    seed: str = "load",
    done: Callable[[int], None] = lambda _: None,
) -> list[KnownGame]:
    """Create the games and play each for some moves. Raises grpc.RpcError if the caller may not give a seed."""
    with grpc.insecure_channel(grpc_address) as channel:
        stub = service_pb2_grpc.GameServiceStub(channel)
        found = []
        for number in range(games):
            found.append(_prepared(stub, seats, list(modules), f"{seed} {number}"))
            done(number + 1)
    return found


def _prepared(stub: service_pb2_grpc.GameServiceStub, seats: int, modules: list[str], seed: str) -> KnownGame:
    rng = Random(seed)
    setups = [games_pb2.SeatSetup(claim=True)] * seats
    created = stub.CreateGame(
        games_pb2.CreateGameRequest(seats=setups, modules=modules, seed=seed), timeout=limits.CALL_SECONDS
    )
    tokens = {key.seat: (("authorization", f"Bearer {key.token}"),) for key in created.seat_keys}
    game = Game.new(Options(seats, seed, modules=modules))
    for _ in range(limits.PREPARED_MOVES):
        decision = game.decision
        if decision is None or _built(game) >= limits.PREPARED_TILES * seats:
            break
        move = peer_move(game, rng)
        request = moves_pb2.ApplyMoveRequest(game=created.game, move=move_to(move), version=game.version)
        game.apply(move)
        answer = stub.ApplyMove(request, metadata=tokens[decision.seat], timeout=limits.CALL_SECONDS)
        if answer.version != game.version:
            raise RuntimeError(f"The installation is at version {answer.version}, the library at {game.version}.")
    return KnownGame(created.game, game.version, tuple(_questions(game, rng)))


def _built(game: Game) -> int:
    return sum(len(seat.board.placed) for seat in game.state.seats)


def _questions(game: Game, rng: Random) -> Iterable[Question]:
    """Return placements around the Alhambras, as many legal as illegal ones if there are enough."""
    seats = range(len(game.options.seats))
    tiles = [tile_id for tile_id, tile in game.ruleset.tiles.items() if not tile.parts[1:]]
    legal: list[Question] = []
    illegal: list[Question] = []
    for _ in range(limits.QUESTIONS_TRIED):
        seat, tile = rng.choice(seats), rng.choice(tiles)
        x, y = rng.randint(-limits.REACH, limits.REACH), rng.randint(-limits.REACH, limits.REACH)
        cell = nouns_pb2.Cell(x=x, y=y)
        faults = placement_faults(game, seat, boards_pb2.Placement(tile=tile, cell=cell))
        kind = illegal if faults else legal
        if len(kind) < limits.QUESTIONS_OF_A_KIND:
            kind.append(Question(seat, tile, x, y, tuple(fault.code for fault in faults)))
    return legal + illegal


def save(games: Iterable[KnownGame], path: Path) -> None:
    """Write the games to a file for the processes that make the load."""
    path.write_text(json.dumps([dataclasses.asdict(game) for game in games]), encoding="utf-8")


def load(path: Path) -> list[KnownGame]:
    """Read the games from a file."""
    return [
        KnownGame(
            entry["game"],
            entry["version"],
            tuple(Question(**{**question, "codes": tuple(question["codes"])}) for question in entry["questions"]),
        )
        for entry in json.loads(path.read_text(encoding="utf-8"))
    ]
