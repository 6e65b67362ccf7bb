"""Bots that play whole games over gRPC or REST. Each bot plays all seats of its own game.

A move is drawn from the list of legal moves and must be accepted. Sometimes a bot sends a move twice, as after a lost
answer, and must get the first outcome again; or it moves for a seat that has no decision, and must be refused for that
reason. At the end it deletes the game, so the number of stored games stays the same.
"""

from __future__ import annotations

import uuid
from random import Random
from typing import Any, ClassVar

import grpc
from locust import task

from alhambra_api.v1 import games_pb2, moves_pb2, views_pb2

from .. import limits
from ..options import modules_of
from .calling import GrpcUser, RestUser, WrongAnswer, expect, reason_of

EAGER = ("buy", "bid_project", "take_money")
"""Verbs that bring a game closer to its end."""
NOT_ASKED = "NOT_YOUR_DECISION"


class Drawing:
    """The random choices of a bot, for gRPC and REST."""

    rng: Random

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rng = Random()

    def draw(self, verbs: list[str]) -> int:
        """Return the index of the move to make, given the verbs of all moves."""
        eager = [place for place, verb in enumerate(verbs) if verb in EAGER]
        chosen = eager if eager and self.rng.random() < 0.8 else range(len(verbs))
        return self.rng.choice(chosen)

    def sometimes(self, share: float) -> bool:
        """Return True with this probability."""
        return self.rng.random() < share

    moved: int
    """The seat that made the last move."""

    def happened(self, events: Any) -> None:
        """Called with the events of every move that was accepted."""


class GrpcBots(Drawing, GrpcUser):
    """A bot that plays over gRPC."""

    @task
    def play(self) -> None:
        """Play one game."""
        options: Any = self.environment.parsed_options
        created = self.created(options.seats, modules=modules_of(options), edition=options.edition)
        if created is None:
            return
        tokens = tokens_of(created)
        view = created.view
        for _ in range(limits.MOVES_OF_A_GAME):
            if view is None or view.status != views_pb2.GAME_STATUS_RUNNING:
                break
            view = self._move(view, tokens)
            self.wait()
        with self.counted("DeleteGame"):
            self.call("DeleteGame", games_pb2.DeleteGameRequest(game=created.game))

    def created(self, seats: int, **options: Any) -> Any:
        """Create a game in which this user has all seats; returns None if that failed."""
        claimed = [games_pb2.SeatSetup(claim=True)] * seats
        found: Any = None
        with self.counted("CreateGame"):
            found = self.call("CreateGame", games_pb2.CreateGameRequest(seats=claimed, **options))
        return found  # noqa: RET504  (`counted` notes a failure and lets the user go on)

    def _move(self, view: views_pb2.View, tokens: dict[int, Any]) -> views_pb2.View | None:
        token = tokens[view.decision.seat]
        listed: Any = None
        with self.counted("ListLegalMoves"):
            listed = self.call(
                "ListLegalMoves",
                moves_pb2.ListLegalMovesRequest(game=view.game, min_version=view.version),
                token,
            )
            if not listed.moves:
                raise WrongAnswer("the asked seat has no move")
        if listed is None or not listed.moves:
            return None
        chosen = listed.moves[self.draw([legal.move.verb for legal in listed.moves])]
        request = moves_pb2.ApplyMoveRequest(
            game=view.game, move=chosen.move, version=listed.version, request_id=uuid.uuid4().hex
        )
        if chosen.HasField("amount_min"):
            request.move.amount = self.rng.randint(chosen.amount_min, chosen.amount_max)
        if len(tokens) > 1 and self.sometimes(limits.ILLEGAL_SHARE):
            self._move_out_of_turn(request, view.decision.seat, tokens)
        answer: Any = None
        with self.counted("ApplyMove"):
            answer = self.call("ApplyMove", request, token)
            if answer.version <= view.version:
                raise WrongAnswer(f"version {answer.version} after {view.version}")
            self.moved = view.decision.seat
            self.happened(answer.events)
        if answer is not None and self.sometimes(limits.REPEAT_SHARE):
            with self.counted("ApplyMove again"):
                again = self.call("ApplyMove", request, token)
                expect([event.id for event in again.events], [event.id for event in answer.events], "the same move")
        found: views_pb2.View | None = answer.view if answer is not None else None
        return found

    def _move_out_of_turn(self, request: moves_pb2.ApplyMoveRequest, asked: int, tokens: dict[int, Any]) -> None:
        other = next(seat for seat in tokens if seat != asked)
        wrong = moves_pb2.ApplyMoveRequest(game=request.game, move=request.move, version=request.version)
        with self.counted("ApplyMove out of turn"):
            try:
                self.call("ApplyMove", wrong, tokens[other])
            except grpc.RpcError as error:
                expect(reason_of(error), NOT_ASKED, "refusal")
            else:
                raise WrongAnswer("a move out of turn went through")


class RestBots(Drawing, RestUser):
    """A bot that plays over REST."""

    RUNNING: ClassVar[str] = "running"

    @task
    def play(self) -> None:
        """Play one game."""
        options: Any = self.environment.parsed_options
        body = {"seats": [{"claim": True}] * options.seats, "modules": modules_of(options), "edition": options.edition}
        created = self.asked("POST", "/v1/games", "create", self._fine, body=body)
        if created is None:
            return
        tokens = {key["seat"]: key["token"] for key in created["seatKeys"]}
        view = created["view"]
        for _ in range(limits.MOVES_OF_A_GAME):
            if view is None or view["status"] != self.RUNNING:
                break
            view = self._move(view, tokens)
            self.wait()
        self.asked("DELETE", f"/v1/games/{created['game']}", "delete", self._fine)

    @staticmethod
    def _fine(status: int, document: Any) -> Any:
        if status != 200:
            raise WrongAnswer(f"{status} {document.get('reason') if isinstance(document, dict) else ''}")
        return document

    def _move(self, view: Any, tokens: dict[int, str]) -> Any:
        path, asked = f"/v1/games/{view['game']}/moves", view["decision"]["seat"]
        token = tokens[asked]

        def some_moves(status: int, document: Any) -> Any:
            if not self._fine(status, document)["moves"]:
                raise WrongAnswer("the asked seat has no move")
            return document

        listed = self.asked("GET", f"{path}?minVersion={view['version']}", "legal moves", some_moves, token=token)
        if listed is None:
            return None
        chosen = listed["moves"][self.draw([legal["move"]["verb"] for legal in listed["moves"]])]
        move = dict(chosen["move"])
        if "amountMin" in chosen:
            move["amount"] = self.rng.randint(chosen["amountMin"], chosen["amountMax"])
        body = {"move": move, "version": listed["version"]}
        if len(tokens) > 1 and self.sometimes(limits.ILLEGAL_SHARE):
            other = next(seat for seat in tokens if seat != asked)
            self.asked("POST", path, "move out of turn", self._not_asked, body=body, token=tokens[other])
        key = uuid.uuid4().hex

        def moved_on(status: int, document: Any) -> Any:
            if self._fine(status, document)["version"] <= view["version"]:
                raise WrongAnswer(f"version {document['version']} after {view['version']}")
            self.moved = asked
            self.happened(document["events"])
            return document

        answer = self.asked("POST", path, "move", moved_on, body=body, token=token, key=key)
        if answer is not None and self.sometimes(limits.REPEAT_SHARE):

            def the_same(status: int, document: Any) -> None:
                said = [event["id"] for event in self._fine(status, document)["events"]]
                expect(said, [event["id"] for event in answer["events"]], "the same move")

            self.asked("POST", path, "move again", the_same, body=body, token=token, key=key)
        return answer["view"] if answer is not None else None

    @staticmethod
    def _not_asked(status: int, document: Any) -> None:
        expect((status, document["reason"]), (422, NOT_ASKED), "refusal")


def tokens_of(created: games_pb2.CreateGameResponse) -> dict[int, list[tuple[str, str]]]:
    """Return, by seat, the metadata that show its token."""
    return {key.seat: [("authorization", f"Bearer {key.token}")] for key in created.seat_keys}
