"""Games that are open to anyone: how many a host may have, and how callers find those that wait for players.

A game is listed before it is stored, so that a host never has more than OPEN_GAMES_PER_HOST, and leaves the lists after
it was dealt or deleted. If a process dies in between, the lists are repaired by whoever reads them next: a game that
does not wait any more is removed, and one that does not exist is removed when its creation must have ended.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from alhambra_api.v1 import games_pb2

from ... import limits
from ...cpu_budget import CpuBudget
from ...messages.field_checks import LimitedField
from ...messages.refusals import Refusal
from ...messages.summaries import summary_to
from ...store import DamagedGame, GameNotFound, Listed, QuotaExceeded, StoreUnavailable, WrittenElsewhere, open_games
from ..game_commands import GameCommands
from ..loaded_game import LoadedGame

OPEN_GAMES = "open_games"
"""The name of this quota in refusals."""
LANGUAGE = LimitedField(
    games_pb2.ListGamesRequest, "language", 'A language is a tag of letters and digits, such as "de" or "pt-BR".'
)
SEATS = LimitedField(games_pb2.ListGamesRequest, "seat_count")
MODULES = LimitedField(games_pb2.ListGamesRequest, "with_modules")


def admit(commands: GameCommands, tenant: str, host: str, game: str, created: int) -> None:
    """List an open game that is about to be created. Raises QuotaExceeded if its host has as many as it may."""
    client = commands.store.client
    if not open_games.add(client, tenant, host, game, created):
        return  # the creation is repeated
    if open_games.count(client, tenant, host) > limits.OPEN_GAMES_PER_HOST:
        for listed in open_games.of_host(client, tenant, host, limits.OPEN_GAMES_PER_HOST):
            if listed.game != game:
                _waiting(commands, tenant, listed, host)
        used = open_games.count(client, tenant, host)
        if used > limits.OPEN_GAMES_PER_HOST:
            open_games.remove(client, tenant, host, game)
            raise QuotaExceeded(OPEN_GAMES, limits.OPEN_GAMES_PER_HOST, used - 1)


def started(commands: GameCommands, game: str, loaded: LoadedGame) -> None:
    """Remove a game that no longer waits for players from the lists. If the store cannot be reached, the next reader of
    the list does it."""
    with suppress(StoreUnavailable):
        open_games.remove(commands.store.client, loaded.stored.tenant, loaded.host, game)


def check_filters(sent: games_pb2.ListGamesRequest) -> None:
    """Refuse filters that are malformed, or that only open games have."""
    LANGUAGE.check(sent.language)
    SEATS.check(sent.seat_count)
    MODULES.check(sent.with_modules)
    if not sent.open and (sent.seat_count or sent.with_modules or sent.language):
        raise Refusal.malformed("open", "Only open games are listed by seats, modules or language.")


def list_open(
    commands: GameCommands, tenant: str, sent: games_pb2.ListGamesRequest, after: Listed | None, size: int
) -> tuple[games_pb2.ListGamesResponse, Listed | None]:
    """Return a page of the open games of a tenant that wait for players, the newest first, and the position of the next
    page; None on the last page."""
    matches = _filter(sent)
    answer, budget = games_pb2.ListGamesResponse(), CpuBudget(limits.LISTING_SECONDS, every=1)
    for _ in range(limits.LISTED_ROUNDS):
        found = open_games.page(commands.store.client, tenant, after, limits.OPEN_GAMES_READ)
        for listed in found:
            after = listed
            loaded = _waiting(commands, tenant, listed)
            if loaded is not None and matches(loaded):
                answer.games.append(summary_to(listed.game, loaded))
            if len(answer.games) == size or budget.spent():
                return answer, after
        if not found:
            return answer, None
    return answer, after


def _filter(sent: games_pb2.ListGamesRequest) -> Callable[[LoadedGame], bool]:
    modules, language = frozenset(sent.with_modules), sent.language.lower()

    def matches(loaded: LoadedGame) -> bool:
        return (
            sent.seat_count in (0, len(loaded.seats))
            and modules.issubset(loaded.options.modules)
            and language in ("", loaded.language.lower())
        )

    return matches


def _waiting(commands: GameCommands, tenant: str, listed: Listed, host: str | None = None) -> LoadedGame | None:
    """Return the game if it still waits for players; otherwise remove it from the lists and return None. `host` is
    the one in whose list it was found, if that is known."""
    client = commands.store.client
    try:
        loaded = commands.store.load(listed.game)
    except GameNotFound:
        if listed.created < commands.now() - 1000 * limits.ADMITTED_SECONDS:
            if host is None:
                open_games.remove_from_tenant(client, tenant, listed.game)
            else:
                open_games.remove(client, tenant, host, listed.game)
        return None
    except (WrittenElsewhere, DamagedGame):
        return None
    if loaded.open_to_anyone and loaded.has_open_seats and loaded.stored.tenant == tenant:
        return loaded
    open_games.remove(client, tenant, loaded.host if host is None else host, listed.game)
    return None
