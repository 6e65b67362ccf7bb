"""A bot over gRPC that plays many games in one process: it leases decisions, as `alhambra bots` does.

The program calls LeaseBotDecision in a loop, gets a determinization for its seat and the seat's token, and answers with
ApplyMove. It learns the address from `{address}` in its command, or from the environment variable that `alhambra bots`
reads. A call waits for a decision instead of answering at once that there is none, so that a bot need not poll often.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import IO, Any

import grpc

from alhambra import Game
from alhambra.players import Action
from alhambra_api.v1 import games_pb2, service_pb2_grpc

from .entrants import Entrant
from .grpc_seat import LOOK_SECONDS, ArenaService, Hosted, last_words
from .line_protocol import CRASH, TIMEOUT, BotFault
from .seat import TimeLeft

ADDRESS, VARIABLE = "{address}", "ALHAMBRA_BOTS_SERVICE"
WAIT_SECONDS = 5.0
"""How long a call waits for a decision."""
THREADS = 16


class LeaseService(ArenaService):
    """The service of one bot: its decisions, whatever game they belong to."""

    def __init__(self) -> None:
        super().__init__()
        self._open: dict[str, tuple[Hosted, Game]] = {}
        self._changed = threading.Condition()

    def offer(self, hosted: Hosted, resampled: Game) -> None:
        """Let the bot lease a decision."""
        with self._changed:
            self._open[hosted.id] = hosted, resampled
            self._changed.notify()

    def withdraw(self, hosted: Hosted) -> None:
        """Lease a decision no longer."""
        with self._changed:
            self._open.pop(hosted.id, None)

    def LeaseBotDecision(self, request: games_pb2.LeaseBotDecisionRequest, context: Any) -> Any:  # noqa: N802
        """Lease a decision; wait for one if there is none."""
        end = time.monotonic() + WAIT_SECONDS
        with self._changed:
            while not self._open and time.monotonic() < end and context.is_active():
                self._changed.wait(LOOK_SECONDS)
            if not self._open:
                return games_pb2.LeaseBotDecisionResponse()
            hosted, resampled = self._open.pop(next(iter(self._open)))
        decision = games_pb2.BotDecision(
            game=hosted.id,
            seat=hosted.seat,
            player=next(iter(request.players), ""),
            version=hosted.loaded.version,
            token=hosted.token,
            twin=b64encode(resampled.to_bytes()).decode("ascii"),
        )
        return games_pb2.LeaseBotDecisionResponse(decision=decision)


class LeasingProcess:
    """The process of a bot, and the service that it calls."""

    def __init__(self, entrant: Entrant, errors: IO[bytes]) -> None:
        self.service = LeaseService()  # type: ignore[abstract]  # calls that are not defined fail with UNIMPLEMENTED
        self._server = grpc.server(ThreadPoolExecutor(THREADS, thread_name_prefix="lease"))
        service_pb2_grpc.add_GameServiceServicer_to_server(self.service, self._server)
        address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()
        self._errors = errors
        command = [word.replace(ADDRESS, address) for word in entrant.command()]
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,  # closed when this process ends, so that the bot can notice
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env={**os.environ, VARIABLE: address},
            )
        except OSError as fault:
            self._server.stop(None)
            raise BotFault(CRASH, f"cannot start {command[0]!r}: {fault.strerror or fault}") from None

    def last_words(self) -> str:
        """Return what the bot wrote last to standard error."""
        return last_words(self._errors)

    def close(self) -> None:
        """End the process and its service."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
        self._server.stop(None)
        self._errors.close()


class LeaseBot:
    """A bot that leases decisions, at one seat of one game."""

    info: dict[str, Any] | None = None

    def __init__(self, leasing: LeasingProcess, drop: Any, game: Game, seat: int, rng: Random) -> None:
        self._leasing = leasing
        self._drop = drop
        self._rng = rng
        self._hosted = Hosted(game, seat)
        leasing.service.add(self._hosted)

    def follow(self, game: Game) -> None:
        """Show the new state of the game to the calls of the bot."""
        self._hosted.publish(game)

    def answer(self, game: Game, left: TimeLeft) -> Action:
        """Return the move that the bot sends."""
        hosted, leasing = self._hosted, self._leasing
        end = time.monotonic() + left.limit
        resampled = game.determinize(hosted.seat, self._rng)
        hosted.ask()
        leasing.service.offer(hosted, resampled)
        with hosted.changed:
            while hosted.answer is None:
                if leasing.process.poll() is not None:
                    code = leasing.process.returncode
                    raise BotFault(CRASH, f"the process ended with code {code}{leasing.last_words()}")
                if time.monotonic() >= end:
                    raise BotFault(TIMEOUT, "no answer in time" + leasing.last_words())
                hosted.changed.wait(min(LOOK_SECONDS, max(0.0, end - time.monotonic())))
            return hosted.answer

    def finish(self, _result: dict[str, Any]) -> None:
        """Serve the seat no longer; the process waits for other games."""
        self._leasing.service.withdraw(self._hosted)
        self._leasing.service.remove(self._hosted)

    def fail(self) -> None:
        """End the process; the next game starts another one."""
        self.finish({})
        self._drop()
        self._leasing.close()
