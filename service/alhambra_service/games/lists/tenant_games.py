"""Lists and deletes the games of a tenant. A list shows only what a spectator may see. Games of other tenants are
treated as if they did not exist.
"""

from __future__ import annotations

from contextlib import suppress

from alhambra_api.v1 import games_pb2

from ... import limits
from ...auth import seat_keys
from ...auth.access import Caller
from ...auth.audit_log import GAME_DELETED
from ...cpu_budget import CpuBudget
from ...messages.field_checks import LimitedField
from ...messages.refusals import Refusal, from_error
from ...messages.summaries import summary_to
from ...messages.views import timestamp
from ...store import DamagedGame, GameNotFound, Listed, StoredGame, WrittenElsewhere, open_games
from ..game_commands import GameCommands
from ..visible_games import sees_finished, sees_record, visible
from .open_games import check_filters, list_open

PAGE_SIZE = LimitedField(games_pb2.ListGamesRequest, "page_size")


def delete(commands: GameCommands, game: str, caller: Caller) -> None:
    """Delete a game of the caller's tenant. Does nothing if there is no such game, or if it is another tenant's."""
    with suppress(GameNotFound):
        stored = commands.store.read_game(game)
        if stored.tenant == caller.tenant:
            commands.audit.note(stored.tenant, caller.name, GAME_DELETED, game)
            remove(commands, game, stored)


def remove(commands: GameCommands, game: str, stored: StoredGame) -> None:
    """Remove a game from the store and from all lists. `stored` is the game as it was read before."""
    tenant = stored.tenant
    commands.store.forget(game, tenant)
    if stored.service.get("open_to_anyone"):
        open_games.remove(commands.store.client, tenant, stored.service.get("host", ""), game)
    commands.replay.checkpoints.forget(game)
    commands.exports.forget(game)
    commands.feed.forget(game, tenant)


def list_games(commands: GameCommands, caller: Caller, sent: games_pb2.ListGamesRequest) -> games_pb2.ListGamesResponse:
    """Return a page of the games of the caller's tenant, the newest first. A page ends when it is full or when its CPU
    time is used up, because a filter may have to read many games to find a few."""
    if not PAGE_SIZE.allows(sent.page_size):
        raise Refusal.too_large("page_size", PAGE_SIZE.limits.maximum)
    tenant = caller.tenant or ""
    size = sent.page_size or limits.GAMES_PAGE_USUAL
    check_filters(sent)
    purpose = f"games {tenant} {sent.status}"
    if sent.open:
        purpose = f"open games {tenant} {sent.seat_count} {sorted(sent.with_modules)} {sent.language.lower()}"
    after = _after(commands.key, purpose, sent.page_token)
    if sent.open:
        answer, after = list_open(commands, tenant, sent, after, size)
        return _with_token(commands.key, answer, purpose, after)
    answer, budget = games_pb2.ListGamesResponse(), CpuBudget(limits.LISTING_SECONDS, every=1)
    for _ in range(limits.LISTED_ROUNDS):
        page = commands.store.list(tenant, after, size - len(answer.games))
        after, spent = page.after, False
        for listed in page.games:
            with suppress(GameNotFound):
                summary = _summary_of(commands, caller, listed)
                if summary is not None and sent.status in (0, summary.status):
                    answer.games.append(summary)
            spent = budget.spent()
            if spent and listed is not page.games[-1]:
                after = listed
                break
        if spent or after is None or len(answer.games) >= size:
            break
    return _with_token(commands.key, answer, purpose, after)


def _with_token(
    key: bytes, answer: games_pb2.ListGamesResponse, purpose: str, after: Listed | None
) -> games_pb2.ListGamesResponse:
    if after is not None:
        answer.next_page_token = seat_keys.signed(key, purpose, f"{after.created}:{after.game}")
    return answer


def _after(key: bytes, purpose: str, token: str) -> Listed | None:
    if not token:
        return None
    text = seat_keys.verified(key, purpose, token)
    if text is None:
        raise Refusal("PAGE_TOKEN_INVALID", "The page token is not one of this list, or the filters have changed.")
    created, _, game = text.partition(":")
    return Listed(game, int(created))


def _summary_of(commands: GameCommands, caller: Caller, listed: Listed) -> games_pb2.GameSummary | None:
    """Return the summary of a game as the caller may see it, with the reason if the game cannot be read. Return None if
    the game is another tenant's, or if the caller may not see it."""
    try:
        loaded = commands.store.load(listed.game)
        if loaded.stored.tenant != caller.tenant:
            return None
        return summary_to(listed.game, visible(commands, listed.game, loaded, caller))
    except (WrittenElsewhere, DamagedGame) as fault:
        return _finished(commands, caller, listed) or _unreadable(commands, caller, listed, from_error(fault).reason)
    except Refusal:  # the caller may not see the game
        return None


def _finished(commands: GameCommands, caller: Caller, listed: Listed) -> games_pb2.GameSummary | None:
    """Return the summary that was stored when a game ended; None if there is none, or if the caller may not see it."""
    with suppress(WrittenElsewhere, DamagedGame):
        stored = commands.store.read_game(listed.game)
        if stored.tenant == caller.tenant and sees_finished(stored, None, caller):
            kept = commands.exports.final_views(listed.game, stored.link)
            return kept.summary if kept is not None else None
    return None


def _unreadable(commands: GameCommands, caller: Caller, listed: Listed, reason: str) -> games_pb2.GameSummary | None:
    """Return what is known of a game that these rules cannot read; None if it is another tenant's. The version is only
    for callers who see the game without a delay."""
    message = games_pb2.GameSummary(game=listed.game, create_time=timestamp(listed.created), unreadable=reason)
    with suppress(WrittenElsewhere, DamagedGame):  # if the stored game is damaged, only the list knows the game
        stored = commands.store.read_game(listed.game)
        if stored.tenant != caller.tenant:
            return None
        if sees_record(stored, caller):
            message.version = stored.version
        message.edition = str(stored.options.get("edition", ""))
        message.modules.extend(map(str, stored.options.get("modules", ())))
    return message
