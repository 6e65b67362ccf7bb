"""Who calls: the game that a call of GameService is about, as the caller may see it, and the seat of the caller."""

from __future__ import annotations

from typing import Any

import grpc

from ...auth.access import Access, Caller
from ...auth.credentials import matching_index
from ...games.game_commands import GameCommands, SeatProof
from ...games.loaded_game import LoadedGame
from ...games.visible_games import VisibleGames
from ...messages.field_checks import check_version
from ...messages.refusals import Refusal


class GameCallers:
    """Finds the game and the seat of a call. The parts of GameService inherit from it."""

    def __init__(self, commands: GameCommands, access: Access) -> None:
        self._commands = commands
        self._access = access
        self._viewers = VisibleGames(commands, access)

    def _seen(
        self, context: grpc.ServicerContext, game: str, min_version: int = 0
    ) -> tuple[LoadedGame, int | None, Caller]:
        """Return the game as the caller may see it, the seat of the caller or None, and the caller."""
        caller = self._access.caller(context)
        loaded, seat = self._viewers.look(caller, game, min_version)
        return loaded, seat, caller

    def _proven(self, context: grpc.ServicerContext, game: str) -> SeatProof:
        """Return the seat of a caller who wants to move. The game comes from memory if it is there, even if it may have
        been changed since: the commit compares it, and the token with it."""
        caller = self._access.caller(context)
        known = self._commands.store.cache.newest_known(game)
        seat = matching_index(caller.token_digest, known.tokens) if known is not None and caller.bearer else None
        if known is None or seat is None or known.seats[seat].invitation or known.seats[seat].previous:
            known, seat = self._seated(context, game)
        return SeatProof(seat, known.tokens[seat])

    def _at(self, loaded: LoadedGame, request: Any) -> LoadedGame:
        """Return the table at the version that a request asks for; the given table if it asks for none."""
        if not request.HasField("at_version"):
            return loaded
        check_version(request.at_version, "at_version")
        if request.at_version > loaded.version:
            raise Refusal.stale(loaded.version)
        return self._commands.replay.at_version(request.game, loaded, request.at_version)

    def _seated(self, context: grpc.ServicerContext, game: str, min_version: int = 0) -> tuple[LoadedGame, int]:
        """Return the game and the seat of the caller. Refuses a caller without a seat."""
        loaded, seat, caller = self._seen(context, game, min_version)
        return loaded, self._access.require_seat(caller, loaded.tokens) if seat is None else seat
