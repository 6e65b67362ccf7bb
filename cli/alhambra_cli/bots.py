"""The command `bots`: a process that plays the seats given to bots, over gRPC like any other client.

It leases a decision from the service, searches in the copy of the game that comes with it, and answers with the token
of the seat. It stores nothing: after it or the service was restarted, it asks again. While the service does not answer,
it waits twice as long after each try, up to a bound.
"""

from __future__ import annotations

import logging
import sys
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import click

from alhambra import AlhambraError, Game
from alhambra.players import STRENGTHS, search_move
from alhambra_runtime import log_lines
from alhambra_runtime.backoff import Backoff
from alhambra_runtime.log_lines import STYLES
from alhambra_runtime.settings import BadSettings, BaseSettings, names, read_file, setting
from alhambra_runtime.signals import Signals, received

from .bad_input import BadInput
from .serve import server_extra, settings_options

if TYPE_CHECKING:
    import grpc

    from alhambra_api.v1 import games_pb2

_log = logging.getLogger(__name__)

PLAYING_AT = "Alhambra plays for bots at "
IDLE_SECONDS = 0.25
"""The pause before asking again when no decision waits."""
FIRST_PAUSE_SECONDS = 0.5
"""The first pause while the service does not answer; the next ones are longer."""
CALL_SECONDS = 10.0
ANSWERS = 5
"""How often one answer is sent if the service does not answer."""


@dataclass(frozen=True)
class BotSettings(BaseSettings):
    """The settings of `alhambra bots`."""

    prefix = "ALHAMBRA_BOTS_"

    service: str = setting("127.0.0.1:50051", "Address of the service: HOST:PORT or dns:///NAME:PORT.")
    key: str = setting("", "File with an API key with the scope 'bots'; not needed if the service has no keys.")
    players: str = setting(",".join(STRENGTHS), "Players that this process plays, comma-separated.")
    easy_seconds: float = setting(0.1, "Thinking time of search_easy for each decision.")
    medium_seconds: float = setting(0.5, "Thinking time of search_medium for each decision.")
    hard_seconds: float = setting(2.0, "Thinking time of search_hard for each decision.")
    tls_authority: str = setting("", "CA certificate (PEM); enables TLS to the service.")
    log: str = setting("auto", "Log format; 'auto' is text on a terminal and JSON elsewhere.", STYLES)

    def seconds(self, player: str) -> float:
        """Return how long a player thinks about a decision."""
        found: float = getattr(self, f"{player.removeprefix('search_')}_seconds")
        return found

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """Return the metadata of a request for a decision: the key, if there is one. Raise BadSettings if the key
        cannot be read."""
        if not self.key:
            return ()
        found = read_file(self.key).decode("ascii", "replace").strip()
        if not found.isascii():
            raise BadSettings(f"{self.key} must contain one API key and nothing else.")
        return (("authorization", f"Bearer {found}"),)

    def faults(self) -> Iterator[str]:
        """Yield a sentence for each fault."""
        yield from super().faults()
        unknown = [name for name in names(self.players) if name not in STRENGTHS]
        if unknown or not names(self.players):
            yield f"--players must be chosen from {', '.join(STRENGTHS)}."


class Bots:
    """A client that plays the seats of bots."""

    def __init__(self, settings: BotSettings, channel: grpc.Channel, signals: Signals) -> None:
        from alhambra_api.v1 import games_pb2, service_pb2_grpc

        self._settings = settings
        self._signals = signals
        self._games = service_pb2_grpc.GameServiceStub(channel)
        self._metadata = settings.metadata()
        self._request = games_pb2.LeaseBotDecisionRequest(players=names(settings.players))
        self._rng = Random()
        self.answered = 0

    def run(self) -> None:
        """Ask for decisions and answer them until a signal to stop arrives. Wait while the service does not respond."""
        import grpc

        backoff = Backoff(FIRST_PAUSE_SECONDS)
        while not self._signals.stopping:
            try:
                played = self.play_one()
            except grpc.RpcError as fault:
                pause = backoff.pause()
                _log.warning("The service does not respond (%s); retrying in %.1f s.", fault.code().name, pause)
                self._signals.wait_to_stop(pause)
                continue
            backoff.reset()
            if not played:
                self._signals.wait_to_stop(IDLE_SECONDS)

    def play_one(self) -> bool:
        """Answer one decision; return whether there was one."""
        leased = self._games.LeaseBotDecision(self._request, metadata=self._metadata, timeout=CALL_SECONDS)
        if not leased.HasField("decision"):
            return False
        self._answer(leased.decision)
        return True

    def _answer(self, decision: games_pb2.BotDecision) -> None:
        """Search for a move and send it, again if the service does not answer. The request id keeps the service from
        making it twice."""
        import grpc

        from alhambra_api.v1 import moves_pb2
        from alhambra_service.messages.translate import move_to

        end = time.monotonic() + self._settings.seconds(decision.player)
        try:
            game = Game.from_bytes(b64decode(decision.twin))
        except AlhambraError as fault:  # during an upgrade: its lease passes, and a newer process answers it
            _log.warning(
                "Game %s is left to another process, because it cannot be read here: %s.", decision.game, fault
            )
            return
        try:
            move = search_move(game, self._rng, STRENGTHS[decision.player], lambda: time.monotonic() >= end)
        except AlhambraError as fault:  # a defect in a position that the search reached must not stop the game
            _log.error("Search failed in game %s: %s.", decision.game, fault.message)
            move = game.random_move(self._rng)
        request = moves_pb2.ApplyMoveRequest(
            game=decision.game,
            move=move_to(move),
            version=decision.version,
            link=decision.link,
            request_id=f"bot {decision.version}",
        )
        token = (("authorization", f"Bearer {decision.token}"),)
        for number in range(ANSWERS):
            try:
                self._games.ApplyMove(request, metadata=token, timeout=CALL_SECONDS)
                self.answered += 1
                return
            except grpc.RpcError as fault:
                # The game has gone on without this answer, or was deleted: drop the answer.
                if fault.code() in (grpc.StatusCode.ABORTED, grpc.StatusCode.NOT_FOUND):
                    return
                if fault.code() is not grpc.StatusCode.UNAVAILABLE or number == ANSWERS - 1:
                    raise
                self._signals.wait_to_stop(FIRST_PAUSE_SECONDS)


def play(settings: BotSettings, announce: Callable[[str], None], signals: Signals) -> None:
    """Play for bots until a signal to stop arrives. Raise BadSettings if the settings cannot work."""
    import grpc

    settings.check()
    log_lines.begin("info", settings.log, (), str)
    if settings.tls_authority:
        credentials = grpc.ssl_channel_credentials(Path(settings.tls_authority).read_bytes())
        channel = grpc.secure_channel(settings.service, credentials)
    else:
        channel = grpc.insecure_channel(settings.service)
    with channel:
        bots = Bots(settings, channel, signals)
        announce(settings.service)
        bots.run()


@click.command()
@settings_options(BotSettings)
def bots(**given: Any) -> None:
    """Play the seats that are assigned to bots."""
    with server_extra():
        import grpc  # noqa: F401 - a missing package is reported before anything is started
    try:
        with received() as signals:  # SIGHUP must not end the process; there are no files to read again
            play(BotSettings.from_environment(**given), _announce, signals)
    except BadSettings as fault:
        raise BadInput(str(fault)) from None


def _announce(service: str) -> None:
    click.echo(f"{PLAYING_AT}{service}")
    sys.stdout.flush()


COMMANDS = (bots,)
