"""Seats that bots play: processes beside the service that look ahead for longer than a call may take.

A game that waits for a bot is in a sorted set of its tenant, by the time from which its decision can be leased. A
process with a key of that tenant leases a decision (`LeaseBotDecision`), searches for a move, and answers with
ApplyMove and the token of the seat, like any other client. Other processes do not get the decision during the lease. If
the process dies, the decision can be leased again after the lease.

If the set disagrees with the stored games, the games are right. The set is written after a commit, and again whenever a
game is read that waits for a bot, in case the process that committed died in between.
"""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from random import SystemRandom
from typing import TYPE_CHECKING

from alhambra import Game
from alhambra.players import STRENGTHS
from alhambra_api.v1 import games_pb2

from ... import limits
from ...auth.seat_keys import token_for
from ...messages.refusals import Refusal
from ...store import DamagedGame, GameNotFound, StoreUnavailable, WrittenElsewhere
from ...store.connection.connect import StoreClient
from ...store.keys import bots_alive_key, bots_key
from ..loaded_game import LoadedGame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..game_commands import GameCommands

BOTS: tuple[str, ...] = tuple(STRENGTHS)
"""The words of CreateGame for seats that a bot plays."""


def bot_asked(loaded: LoadedGame) -> str:
    """Return the player of the seat that is asked, if that is a bot; an empty text otherwise."""
    decision = loaded.decision
    player = loaded.seats[decision.seat].server_player if decision is not None else ""
    return player if player in BOTS else ""


class BotQueue:
    """The decisions that wait for bots, in a sorted set of the store for each tenant."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    # -- Whether a process for bots runs -------------------------------------------------------------------------------

    def require_alive(self, tenant: str) -> None:
        """Refuse if no process has asked for a decision of this tenant's bots lately."""
        key = bots_alive_key(tenant)
        if not self._client.read(key, "EXISTS", key):
            message = "No process for bots is running: start `alhambra bots`, or choose another player."
            raise Refusal("NOT_SUPPORTED", message)

    def _heartbeat(self, tenant: str) -> None:
        key = bots_alive_key(tenant)
        self._client.write(key, "SET", key, "1", "EX", limits.BOTS_ALIVE_SECONDS)

    # -- Games that wait for a bot -------------------------------------------------------------------------------------

    def changed(self, game: str, loaded: LoadedGame, now: int) -> None:
        """Store whether the game waits for a bot, after a change. If the store cannot be reached, the next reader of
        the game stores it (`seen`)."""
        if any(seat.server_player in BOTS for seat in loaded.seats):
            key = bots_key(loaded.stored.tenant)
            with suppress(StoreUnavailable):
                if bot_asked(loaded):
                    self._client.write(key, "ZADD", key, now, game)
                else:
                    self._client.write(key, "ZREM", key, game)

    def seen(self, game: str, loaded: LoadedGame, now: int) -> None:
        """Store that the game waits for a bot, if that is not stored yet."""
        if bot_asked(loaded):
            key = bots_key(loaded.stored.tenant)
            with suppress(StoreUnavailable):
                self._client.write(key, "ZADD", key, "NX", now, game)

    # -- Leases --------------------------------------------------------------------------------------------------------

    def lease(self, commands: GameCommands, tenant: str, players: Sequence[str]) -> games_pb2.BotDecision | None:
        """Lease a decision of one of these players in a game of the tenant for limits.BOT_LEASE_SECONDS; None if none
        waits. Two processes that ask at the same moment may get the same decision: the second answer is then refused as
        stale."""
        self._heartbeat(tenant)
        key, now = bots_key(tenant), commands.now()
        due = self._client.read(key, "ZRANGEBYSCORE", key, "-inf", now, "LIMIT", 0, limits.BOT_GAMES_CHECKED)
        for member in due:
            game = member.decode()
            try:
                loaded = commands.load(game, fresh=True)
            except (GameNotFound, DamagedGame, WrittenElsewhere):
                self._client.write(key, "ZREM", key, game)
                continue
            player = bot_asked(loaded)
            if not player:
                self._client.write(key, "ZREM", key, game)
            elif player in players:
                self._client.write(key, "ZADD", key, "XX", now + 1000 * limits.BOT_LEASE_SECONDS, game)
                return _decision(commands.key, game, loaded, player)
        return None


def _decision(key: bytes, game: str, loaded: LoadedGame, player: str) -> games_pb2.BotDecision:
    assert loaded.decision is not None
    seat = loaded.decision.seat
    return games_pb2.BotDecision(
        game=game,
        seat=seat,
        version=loaded.version,
        player=player,
        token=token_for(key, game, loaded.commitment, seat, loaded.seats[seat].issued),
        twin=b64encode(imagined(loaded.game, seat)).decode(),
        lease_seconds=limits.BOT_LEASE_SECONDS,
        link=loaded.stored.link,
    )


def imagined(game: Game | None, seat: int) -> bytes:
    """Return a copy of the game with all hidden information resampled from what the seat knows. The copy has no log,
    because the log contains secret moves."""
    assert game is not None
    sample = game.determinize(seat, SystemRandom())
    return Game(sample.options, sample.ruleset, sample.state, []).to_bytes()
