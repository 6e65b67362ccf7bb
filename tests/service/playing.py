"""Players that know nothing but the contract: they read views and lists, and send moves."""

import json
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from alhambra_api.v1 import boards_pb2, games_pb2, moves_pb2, nouns_pb2, reasons_pb2, service_pb2_grpc, views_pb2
from alhambra_api.values import to_value

PATIENCE = 60.0
MOVES_OF_A_GAME = 5_000
EAGER = ("buy", "bid_project", "take_money")
"""Verbs that bring a game to its end."""


class Host:
    """A channel, and the games created over it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._channel = grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
        self.stub = service_pb2_grpc.GameServiceStub(self._channel)
        self.tables = service_pb2_grpc.TableServiceStub(self._channel)

    def close(self) -> None:
        self._channel.close()

    def create(self, seats: int | Iterable[Mapping[str, Any]] = 2, **fields: Any) -> "Game":
        """A game; unless said otherwise all its seats are claimed at once."""
        setups = [{"claim": True}] * seats if isinstance(seats, int) else seats
        options = {name: to_value(value) for name, value in fields.pop("options", {}).items()}
        request = games_pb2.CreateGameRequest(
            seats=[games_pb2.SeatSetup(**setup) for setup in setups], options=options, **fields
        )
        answer = self.stub.CreateGame(request, timeout=PATIENCE)
        return Game(self, answer)

    def game(self, game: str, tokens: Mapping[int, str]) -> "Game":
        """A game that was created elsewhere."""
        keys = [games_pb2.SeatKey(seat=seat, token=token) for seat, token in tokens.items()]
        return Game(self, games_pb2.CreateGameResponse(game=game, seat_keys=keys))


class Game:
    """A game and its seats, as far as their tokens are known."""

    def __init__(self, host: Host, created: games_pb2.CreateGameResponse) -> None:
        self.host = host
        self.stub = host.stub
        self.id = created.game
        self.created = created
        self.keys = {key.seat: key for key in created.seat_keys}
        self.seats = {key.seat: Seat(self, key.seat, key.token) for key in created.seat_keys if key.token}

    def claim(self, seat: int, **fields: Any) -> "Seat":
        """Exchanges the invitation of a seat."""
        request = games_pb2.ClaimSeatRequest(game=self.id, invitation=self.keys[seat].invitation, **fields)
        answer = self.stub.ClaimSeat(request, timeout=PATIENCE)
        self.seats[seat] = Seat(self, answer.seat, answer.token)
        return self.seats[seat]

    def view(self, min_version: int = 0) -> views_pb2.View:
        """As a spectator sees it."""
        request = games_pb2.GetGameRequest(game=self.id, min_version=min_version)
        answer: games_pb2.GetGameResponse = self.stub.GetGame(request, timeout=PATIENCE)
        return answer.view

    def export(self) -> dict[str, Any]:
        """The record of the game, for a spectator."""
        body = self.stub.ExportGame(games_pb2.ExportGameRequest(game=self.id), timeout=PATIENCE)
        assert body.content_type == "application/json"
        document: dict[str, Any] = json.loads(body.data)
        return document


class Seat:
    """A seat of a game with its token."""

    def __init__(self, game: Game, number: int, token: str) -> None:
        self.game = game
        self.number = number
        self.token = token
        self.metadata = (("authorization", f"Bearer {token}"),)

    def call(self, method: str, request: Any) -> Any:
        return getattr(self.game.stub, method)(request, metadata=self.metadata, timeout=PATIENCE)

    def view(self, min_version: int = 0) -> views_pb2.View:
        answer: games_pb2.GetGameResponse = self.call(
            "GetGame", games_pb2.GetGameRequest(game=self.game.id, min_version=min_version)
        )
        return answer.view

    def moves(self, **fields: Any) -> moves_pb2.ListLegalMovesResponse:
        answer: moves_pb2.ListLegalMovesResponse = self.call(
            "ListLegalMoves", moves_pb2.ListLegalMovesRequest(game=self.game.id, **fields)
        )
        return answer

    def apply(self, move: nouns_pb2.Move, version: int, **fields: Any) -> moves_pb2.ApplyMoveResponse:
        request = moves_pb2.ApplyMoveRequest(game=self.game.id, move=move, version=version, **fields)
        answer: moves_pb2.ApplyMoveResponse = self.call("ApplyMove", request)
        return answer

    def undo(self, version: int, **fields: Any) -> games_pb2.UndoResponse:
        answer: games_pb2.UndoResponse = self.call(
            "Undo", games_pb2.UndoRequest(game=self.game.id, version=version, **fields)
        )
        return answer

    def resign(self, **fields: Any) -> games_pb2.ResignResponse:
        answer: games_pb2.ResignResponse = self.call("Resign", games_pb2.ResignRequest(game=self.game.id, **fields))
        return answer

    def set_orders(self, *orders: views_pb2.Order, **fields: Any) -> games_pb2.SetOrdersResponse:
        request = games_pb2.SetOrdersRequest(game=self.game.id, orders=orders, **fields)
        answer: games_pb2.SetOrdersResponse = self.call("SetOrders", request)
        return answer

    def placements(self, tile: str, **fields: Any) -> boards_pb2.ListLegalPlacementsResponse:
        request = boards_pb2.ListLegalPlacementsRequest(game=self.game.id, tile=tile, **fields)
        answer: boards_pb2.ListLegalPlacementsResponse = self.call("ListLegalPlacements", request)
        return answer


class NotAsked(Exception):
    """The seat has no moves: somebody has answered in the meantime."""


def random_move(seat: Seat, version: int, rng: Random) -> tuple[nouns_pb2.Move, int]:
    """A legal move of the asked seat, drawn from its list, and the version of the list."""
    found = seat.moves(min_version=version, page_size=1_000)
    listed = list(found.moves)
    if not listed:
        raise NotAsked
    eager = [one for one in listed if one.move.verb in EAGER]
    if eager and rng.random() < 0.8:
        listed = eager
    chosen = listed[rng.randrange(len(listed))]
    move = nouns_pb2.Move()
    move.CopyFrom(chosen.move)
    if chosen.HasField("amount_min"):
        move.amount = rng.randint(chosen.amount_min, chosen.amount_max)
    return move, found.version


def play(
    game: Game, rng: Random, *, watch: Callable[[moves_pb2.ApplyMoveResponse], None] | None = None, moves: int = 0
) -> views_pb2.View:
    """Plays until the game is over, or so many moves; answers with the last view."""
    view = game.view()
    for _ in range(moves or MOVES_OF_A_GAME):
        if view.status != views_pb2.GAME_STATUS_RUNNING:
            break
        seat = game.seats[view.decision.seat]
        move, version = random_move(seat, view.version, rng)
        answer = seat.apply(move, version)
        view = answer.view
        if watch is not None:
            watch(answer)
    return view


# -- Failures --------------------------------------------------------------------------------------------------------


class Failure:
    """How a call failed."""

    def __init__(self, error: grpc.RpcError) -> None:
        call: Any = error
        status = rpc_status.from_call(call)
        assert status is not None, error
        self.code: grpc.StatusCode = call.code()
        self.message = status.message
        self.info = error_details_pb2.ErrorInfo()
        self.refusal = reasons_pb2.Refusal()
        for detail in status.details:
            detail.Unpack(self.info)
            detail.Unpack(self.refusal)
        assert self.info.domain == "alhambra"

    @property
    def reason(self) -> str:
        return str(self.info.reason)


def failure(call: Callable[[], object]) -> Failure:
    """Why a call fails; the test fails if it does not."""
    try:
        call()
    except grpc.RpcError as error:
        return Failure(error)
    raise AssertionError("the call went through")


def refused(call: Callable[[], object]) -> str:
    """The reason why a call fails."""
    return failure(call).reason
