"""A bot that plays over gRPC, as against the service: a program that gets ADDRESS GAME INVITATION as arguments.

The arena itself serves the part of the contract that a bot at a seat needs: ClaimSeat, RevealEntropy, GetGame,
WatchEvents with snapshots, ListLegalMoves, ApplyMove and Resign. Messages are built by the same code as in the service,
so a bot written for the service plays here unchanged. Games are in memory: deals can be mirrored, and no store is
needed. Other calls fail with UNIMPLEMENTED. A program plays one game; each game starts another one.
"""

from __future__ import annotations

import hmac
import secrets
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import IO, Any

import grpc

from alhambra import AlhambraError, Game, Move
from alhambra.players import Action, Resign
from alhambra_api.v1 import events_pb2, games_pb2, moves_pb2, service_pb2_grpc, views_pb2
from alhambra_service import limits
from alhambra_service.games.legal_moves import BRIEF, MoveFilter, page
from alhambra_service.games.loaded_game import CLAIMED, LoadedGame, SeatHolder, Seats
from alhambra_service.messages.translate import move_from, view_to
from alhambra_service.store import StoredGame

from .entrants import Entrant
from .line_protocol import CRASH, START_SECONDS, STDERR_LIMIT, TIMEOUT, BotFault
from .seat import TimeLeft

THREADS = 64
LOOK_SECONDS = 0.2
"""How often a waiting call looks whether its client or the bot's process is still there."""
END_SECONDS = 5.0
"""Time for a bot to end after its game."""


class Hosted:
    """One seat of one game that a bot plays over gRPC."""

    def __init__(self, game: Game, seat: int) -> None:
        self.id = secrets.token_hex(10)
        self.seat = seat
        self.invitation = secrets.token_urlsafe(24)
        self.token = secrets.token_urlsafe(24)
        self.changed = threading.Condition()
        self.loaded = _loaded(game)
        self.answer: Action | None = None
        """The answer to the open decision; None until the bot has answered."""
        self.asked = False
        self.claimed = False

    def publish(self, game: Game) -> None:
        """Show a new state of the game to all calls."""
        with self.changed:
            self.loaded = _loaded(game)
            self.answer = None
            self.asked = False
            self.changed.notify_all()

    def ask(self) -> None:
        """Take an answer to the decision that is shown."""
        with self.changed:
            self.asked = True
            self.changed.notify_all()

    def decides(self, version: int) -> bool:
        """Whether this version is shown, and its decision is this seat's."""
        game = self.loaded.game
        decision = None if game is None else game.decision
        return self.loaded.version == version and decision is not None and decision.seat == self.seat

    def view(self) -> views_pb2.View:
        """Return the game as the seat sees it."""
        return view_to(self.loaded, self.seat, game_id=self.id)


def _loaded(game: Game) -> LoadedGame:
    """Return a copy of the game in the form from which the service makes its messages."""
    seats = Seats(SeatHolder(seat.name, seat.colour, occupancy=CLAIMED) for seat in game.options.seats)
    stored = StoredGame.new(created=0, secret=bytes(32), ruleset=game.ruleset.id, version=len(game.log))
    return LoadedGame(stored, game.options, game.clone(), seats, ((),) * len(seats), len(game.log), seed_given=True)


class ArenaService(service_pb2_grpc.GameServiceServicer):
    """The part of GameService that a bot at a seat needs."""

    def __init__(self) -> None:
        self._hosted: dict[str, Hosted] = {}

    def add(self, hosted: Hosted) -> None:
        """Serve a seat."""
        self._hosted[hosted.id] = hosted

    def remove(self, hosted: Hosted) -> None:
        """Serve a seat no longer."""
        self._hosted.pop(hosted.id, None)

    def _find(self, game: str, context: grpc.ServicerContext) -> Hosted:
        hosted = self._hosted.get(game)
        if hosted is None:
            context.abort(grpc.StatusCode.NOT_FOUND, "There is no such game.")
        return hosted

    def _seat(self, game: str, context: grpc.ServicerContext) -> Hosted:
        hosted = self._find(game, context)
        sent = dict(context.invocation_metadata()).get("authorization", "")
        if not hmac.compare_digest(str(sent).encode(), f"Bearer {hosted.token}".encode()):
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "The token is not the one of this seat.")
        return hosted

    # The names of the methods are those of the contract.

    def ClaimSeat(self, request: games_pb2.ClaimSeatRequest, context: Any) -> games_pb2.ClaimSeatResponse:  # noqa: N802
        """Exchange the invitation for the token."""
        hosted = self._find(request.game, context)
        if not hmac.compare_digest(request.invitation.encode(), hosted.invitation.encode()):
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "The invitation is not the one of this seat.")
        with hosted.changed:
            hosted.claimed = True
            hosted.changed.notify_all()
        return games_pb2.ClaimSeatResponse(
            seat=hosted.seat, token=hosted.token, version=hosted.loaded.version, view=hosted.view()
        )

    def RevealEntropy(self, request: games_pb2.RevealEntropyRequest, context: Any) -> Any:  # noqa: N802
        """Ignore the entropy: the deals of an arena have given seeds."""
        hosted = self._seat(request.game, context)
        return games_pb2.RevealEntropyResponse(version=hosted.loaded.version, view=hosted.view())

    def GetGame(self, request: games_pb2.GetGameRequest, context: Any) -> games_pb2.GetGameResponse:  # noqa: N802
        """Answer with the game as the seat sees it."""
        return games_pb2.GetGameResponse(view=self._seat(request.game, context).view())

    def WatchEvents(self, request: events_pb2.WatchEventsRequest, context: Any) -> Iterator[Any]:  # noqa: N802
        """Send a snapshot whenever the game has changed, until it is over."""
        hosted = self._seat(request.game, context)
        sent = -1
        while context.is_active():
            with hosted.changed:
                if hosted.loaded.version == sent:
                    hosted.changed.wait(LOOK_SECONDS)
                    continue
                loaded = hosted.loaded
                view = hosted.view()
            sent = loaded.version
            yield events_pb2.WatchEventsResponse(snapshot=events_pb2.Snapshot(view=view))
            if loaded.over:
                return

    def ListLegalMoves(self, request: moves_pb2.ListLegalMovesRequest, context: Any) -> Any:  # noqa: N802
        """List the legal moves of the seat, at most one page."""
        hosted = self._seat(request.game, context)
        loaded = hosted.loaded
        answer = moves_pb2.ListLegalMovesResponse(version=loaded.version, link=loaded.stored.link)
        assert loaded.game is not None
        if loaded.game.decision is not None and loaded.game.decision.seat == hosted.seat:
            wanted = MoveFilter(request.verb, request.slot, request.tile, request.piece)
            found = page(loaded.game, wanted, request.payments or BRIEF, limits.MOVES_LISTED)
            answer.offers.extend(found.offers)
            answer.moves.extend(found.moves)
            answer.groups.extend(found.groups)
        return answer

    def ApplyMove(self, request: moves_pb2.ApplyMoveRequest, context: Any) -> Any:  # noqa: N802
        """Hand the move to the game and answer when it has been made. An illegal move loses the game."""
        hosted = self._seat(request.game, context)
        if request.validate_only:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, "The arena makes no dry runs.")
        try:
            move = move_from(request.move)
        except AlhambraError as fault:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, fault.message)
        before = self._answer(hosted, move, request.version, context)
        game = before.game
        assert game is not None
        violations = game.verify(move, hosted.seat)
        if violations:
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(violations[0].code))
        with hosted.changed:
            while hosted.loaded is before and context.is_active():
                hosted.changed.wait(LOOK_SECONDS)
            return moves_pb2.ApplyMoveResponse(version=hosted.loaded.version, view=hosted.view())

    def Resign(self, request: games_pb2.ResignRequest, context: Any) -> games_pb2.ResignResponse:  # noqa: N802
        """Resign when the seat is to decide next."""
        hosted = self._seat(request.game, context)
        with hosted.changed:
            hosted.answer = Resign(hosted.seat)
            hosted.changed.notify_all()
        return games_pb2.ResignResponse(version=hosted.loaded.version, view=hosted.view())

    def _answer(self, hosted: Hosted, move: Move, version: int, context: Any) -> LoadedGame:
        """Give an answer to the open decision; return the state that it belongs to."""
        with hosted.changed:
            # A bot may be faster than the arena, which shows a state before it asks the seat, or opens another one. The
            # same state is not shown again, so an answer that came early would be the last that the bot sends.
            while not hosted.asked and hosted.decides(version) and context.is_active():
                hosted.changed.wait(LOOK_SECONDS)
            if hosted.loaded.version != version or not hosted.asked or hosted.answer is not None:
                context.abort(grpc.StatusCode.ABORTED, f"VERSION_STALE: the version is {hosted.loaded.version}.")
            hosted.answer = move
            hosted.changed.notify_all()
            return hosted.loaded


@cache
def service() -> tuple[ArenaService, str, grpc.Server]:
    """Return the service of this process, its address on loopback, and its server, which ends when it is dropped.
    Started on first use."""
    offered = ArenaService()  # type: ignore[abstract]  # calls that are not defined fail with UNIMPLEMENTED
    server = grpc.server(ThreadPoolExecutor(THREADS, thread_name_prefix="grpc"))
    service_pb2_grpc.add_GameServiceServicer_to_server(offered, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return offered, f"127.0.0.1:{port}", server


def last_words(errors: IO[bytes]) -> str:
    """Return what a bot wrote last to a file for its standard error, as the end of a sentence."""
    size = errors.seek(0, 2)
    errors.seek(max(0, size - STDERR_LIMIT))
    text = errors.read().decode("utf-8", "replace").strip()
    return f"; it wrote: {text[-500:]}" if text else ""


class GrpcBot:
    """A bot over gRPC at one seat of one game."""

    info: dict[str, Any] | None = None

    def __init__(self, entrant: Entrant, game: Game, seat: int) -> None:
        self._hosted = Hosted(game, seat)
        self._service, address, _ = service()
        self._service.add(self._hosted)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        command = [*entrant.command(), address, self._hosted.id, self._hosted.invitation]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._errors
            )
        except OSError as fault:
            self._service.remove(self._hosted)
            raise BotFault(CRASH, f"cannot start {command[0]!r}: {fault.strerror or fault}") from None
        try:
            self._await(lambda: self._hosted.claimed, START_SECONDS)  # starting takes no time of the first decision
        except BotFault:
            self.fail()
            raise

    def follow(self, game: Game) -> None:
        """Show the new state of the game to the bot."""
        self._hosted.publish(game)

    def answer(self, _game: Game, left: TimeLeft) -> Action:
        """Return the move that the bot sends."""
        hosted = self._hosted
        hosted.ask()
        with hosted.changed:
            self._await(lambda: hosted.answer is not None, left.limit)
            assert hosted.answer is not None
            return hosted.answer

    def _await(self, done: Callable[[], bool], seconds: float) -> None:
        """Wait until the bot has done something. Raise BotFault if it ends or is late."""
        end = time.monotonic() + seconds
        with self._hosted.changed:
            while not done():
                if self._process.poll() is not None:
                    raise BotFault(
                        CRASH, f"the process ended with code {self._process.returncode}{last_words(self._errors)}"
                    )
                if time.monotonic() >= end:
                    raise BotFault(TIMEOUT, "no answer in time" + last_words(self._errors))
                self._hosted.changed.wait(min(LOOK_SECONDS, max(0.0, end - time.monotonic())))

    def finish(self, _result: dict[str, Any]) -> None:
        """Wait until the bot has seen the end of the game and ended."""
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._close()

    def fail(self) -> None:
        """Kill the process."""
        if self._process.poll() is None:
            self._process.kill()
        self._close()

    def _close(self) -> None:
        self._process.wait()
        self._service.remove(self._hosted)
        self._errors.close()
