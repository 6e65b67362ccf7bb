"""Decides what each caller may see of a game, for calls, lists and streams.

    seat         a caller with the token of a seat sees the game as it stands, as that seat
    host         a caller with an API key of the tenant that created the game sees it as it stands, as a spectator
    spectator    every other caller; CreateGame decides what they see:

        public               the game as it stands
        seats                nothing: the answer is that there is no such game
        spectators_delayed   the game as it stood some entries of the log ago (`events/delayed_games.py`)

Every answer to a caller is made from the game that `find` returns, and every version in a refusal comes from it. A
version that a caller demands is compared with that game, too: if the store were asked for it first, the answer would
show how far the game is. Without API keys all callers have the same tenant, so the tenant proves nothing: they are
spectators.
"""

from __future__ import annotations

from ..auth.access import Access, Caller, token_invalid
from ..auth.credentials import matching_index
from ..messages.field_checks import check_game, check_version
from ..messages.refusals import Refusal
from ..store import StoredGame, VersionAhead
from .game_commands import GameCommands, SeatProof
from .loaded_game import OVER, LoadedGame
from .seats import claim_seat


class VisibleGames:
    """The games of the store as callers may see them. Safe to share between threads."""

    def __init__(self, commands: GameCommands, access: Access) -> None:
        self._commands = commands
        self._access = access

    def find(self, caller: Caller, game: str, min_version: int = 0) -> tuple[LoadedGame, int | None]:
        """Return the game as the caller may see it, at this version or a later one, and its seat if it has one."""
        loaded = self._commands.cached(game, min_version) if min_version >= 0 else None
        if loaded is None:
            check_game(game)
            check_version(min_version, "min_version")
            loaded = self._commands.load(game)
        loaded, seat = self._with_seat(caller, game, loaded)
        if seat is None and (loaded.seats_only or loaded.spectator_delay):
            loaded = visible(self._commands, game, loaded, caller)
            if is_delayed(loaded, caller):
                return self._at_least(game, loaded, min_version), None
        if loaded.version < min_version:
            return self._with_seat(caller, game, self._commands.load(game, min_version))
        return loaded, seat

    def find_seat(self, caller: Caller, game: str, min_version: int = 0) -> tuple[LoadedGame, int]:
        """Return the game and the seat of the caller. Refuses a caller without a seat."""
        loaded, seat = self.find(caller, game, min_version)
        return loaded, self._access.require_seat(caller, loaded.tokens) if seat is None else seat

    def prove_seat(self, caller: Caller, game: str) -> SeatProof:
        """Return the seat of a caller who wants to change the game, and the game. The game comes from memory if it is
        there, even if it may have changed since: the commit compares its revision, and the token is compared with the
        game that is changed."""
        loaded = self._commands.store.cache.newest_known(game)
        seat = matching_index(caller.token_digest, loaded.tokens) if loaded is not None and caller.bearer else None
        if loaded is None or seat is None or loaded.seats[seat].invitation or loaded.seats[seat].previous:
            loaded, seat = self.find_seat(caller, game)
        return SeatProof(seat, loaded.tokens[seat], loaded)

    def _with_seat(self, caller: Caller, game: str, loaded: LoadedGame) -> tuple[LoadedGame, int | None]:
        """Return the game, and the seat of the caller's token; None for a caller without a token. Refuses a token that
        is not valid: in a game that only its seats see, as if there were no such game."""
        if not caller.bearer:
            return loaded, None
        try:
            seat = self._access.seat(caller, loaded.tokens)
        except Refusal:  # another process may have issued the token a moment ago
            loaded = self._commands.load(game, fresh=True)
            try:
                seat = self._access.seat(caller, loaded.tokens)
            except Refusal:
                raise unseated(loaded.seats_only) from None
        if seat is not None and (loaded.seats[seat].invitation or loaded.seats[seat].previous):
            claim_seat.token_used(self._commands, game, loaded, seat)
        return loaded, seat

    def _at_least(self, game: str, loaded: LoadedGame, min_version: int) -> LoadedGame:
        return loaded if loaded.version >= min_version else load_delayed(self._commands, game, min_version, fresh=True)


def game_not_found() -> Refusal:
    """Return the refusal for a game that does not exist, or that the caller may not know of."""
    return Refusal("GAME_NOT_FOUND", "There is no such game.")


def unseated(seats_only: bool) -> Refusal:
    """Return the refusal of a token that belongs to no seat. If only the seats may see the game, the refusal must not
    reveal that the game exists."""
    return game_not_found() if seats_only else token_invalid()


def is_hidden(loaded: LoadedGame, caller: Caller) -> bool:
    """Return whether a caller without a seat may not know of the game."""
    return loaded.seats_only and not _is_host(loaded.stored, caller)


def is_delayed(loaded: LoadedGame, caller: Caller) -> bool:
    """Return whether a caller without a seat sees the game with a delay. A game that is over has no delay."""
    return bool(loaded.spectator_delay) and loaded.status != OVER and not _is_host(loaded.stored, caller)


def visible(commands: GameCommands, game: str, loaded: LoadedGame, caller: Caller) -> LoadedGame:
    """Return the game as a caller without a seat may see it. Refuses with GAME_NOT_FOUND if only seats may see it."""
    if is_hidden(loaded, caller):
        raise game_not_found()
    return commands.delayed.of(game, loaded) if is_delayed(loaded, caller) else loaded


def load_delayed(commands: GameCommands, game: str, min_version: int = 0, *, fresh: bool = False) -> LoadedGame:
    """Return the game as delayed spectators see it, at this version or a later one. Raises VersionAhead, with the
    version that they see now, if that is an earlier one."""
    loaded = commands.delayed.of(game, commands.load(game, fresh=fresh))
    if loaded.version < min_version and not fresh:
        return load_delayed(commands, game, min_version, fresh=True)
    if loaded.version < min_version:
        raise VersionAhead(loaded.version)
    return loaded


def sees_finished(stored: StoredGame, seat: int | None, caller: Caller) -> bool:
    """Return whether a caller may see a finished game. One without spectators is for its seats and its host."""
    return seat is not None or not stored.service.get("seats_only") or _is_host(stored, caller)


def sees_record(stored: StoredGame, caller: Caller) -> bool:
    """Return whether a caller without a seat may know the version of a game that these rules cannot read."""
    kept = stored.service
    return not (kept.get("seats_only") or kept.get("spectator_delay")) or _is_host(stored, caller)


def _is_host(stored: StoredGame, caller: Caller) -> bool:
    return bool(caller.name) and caller.tenant == stored.tenant
