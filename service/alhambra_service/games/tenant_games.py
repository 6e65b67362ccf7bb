"""Lists and deletes the games of a tenant. A list shows no more than a spectator could see. Games of other tenants are
treated as if they did not exist.
"""

from __future__ import annotations

from contextlib import suppress

from alhambra_api.v1 import games_pb2

from .. import limits
from ..auth import seat_keys
from ..auth.access import Caller
from ..effort import Effort
from ..messages.arguments import LimitedField
from ..messages.refusals import Refusal, from_error
from ..messages.summaries import summary_to
from ..messages.views import timestamp
from ..store import DamagedGame, GameNotFound, Listed, WrittenElsewhere
from .audit import GAME_DELETED
from .tables import Tables
from .viewers import sees_finished, sees_record, visible

PAGE_SIZE = LimitedField(games_pb2.ListGamesRequest, "page_size")


def delete(tables: Tables, game: str, caller: Caller) -> None:
    """Delete a game of the caller's tenant. Does nothing if there is no such game, or if it is another tenant's."""
    with suppress(GameNotFound):
        tenant = tables.store.record(game).tenant
        if tenant == caller.tenant:
            tables.audit.note(tenant, caller.name, GAME_DELETED, game)
            tables.store.forget(game, tenant)
            tables.replay.marks.forget(game)
            tables.exports.forget(game)


def list_games(tables: Tables, caller: Caller, sent: games_pb2.ListGamesRequest) -> games_pb2.ListGamesResponse:
    """Return a page of the games of the caller's tenant, the newest first. A page ends when it is full or when its CPU
    time is used up, because a filter may have to read many games to find a few."""
    if not PAGE_SIZE.allows(sent.page_size):
        raise Refusal.limit("page_size", PAGE_SIZE.limits.maximum)
    tenant = caller.tenant or ""
    size = sent.page_size or limits.GAMES_PAGE_USUAL
    purpose = f"games {tenant} {sent.status}"
    after = _after(tables.key, purpose, sent.page_token)
    answer, effort = games_pb2.ListGamesResponse(), Effort(limits.LISTING_SECONDS, every=1)
    for _ in range(limits.LISTED_ROUNDS):
        page = tables.store.list(tenant, after, size - len(answer.games))
        after, spent = page.after, False
        for listed in page.games:
            with suppress(GameNotFound):
                summary = _summary_of(tables, caller, listed)
                if summary is not None and sent.status in (0, summary.status):
                    answer.games.append(summary)
            spent = effort.spent()
            if spent and listed is not page.games[-1]:
                after = listed
                break
        if spent or after is None or len(answer.games) >= size:
            break
    if after is not None:
        answer.next_page_token = seat_keys.signed(tables.key, purpose, f"{after.created}:{after.game}")
    return answer


def _after(key: bytes, purpose: str, token: str) -> Listed | None:
    if not token:
        return None
    text = seat_keys.verified(key, purpose, token)
    if text is None:
        raise Refusal("PAGE_TOKEN_INVALID", "The page token is not one of this list, or the filters have changed.")
    created, _, game = text.partition(":")
    return Listed(game, int(created))


def _summary_of(tables: Tables, caller: Caller, listed: Listed) -> games_pb2.GameSummary | None:
    """Return the summary of a game as the caller may see it, with the reason if the game cannot be read. Return None if
    the game is another tenant's, or if the caller may not see it."""
    try:
        table = tables.store.load(listed.game)
        if table.record.tenant != caller.tenant:
            return None
        return summary_to(listed.game, visible(tables, listed.game, table, caller))
    except (WrittenElsewhere, DamagedGame) as fault:
        return _finished(tables, caller, listed) or _unreadable(tables, caller, listed, from_error(fault).reason)
    except Refusal:  # the caller may not see the game
        return None


def _finished(tables: Tables, caller: Caller, listed: Listed) -> games_pb2.GameSummary | None:
    """Return the summary that was stored when a game ended; None if there is none, or if the caller may not see it."""
    with suppress(WrittenElsewhere, DamagedGame):
        record = tables.store.record(listed.game)
        if record.tenant == caller.tenant and sees_finished(record, None, caller):
            kept = tables.exports.final_views(listed.game, record.link)
            return kept.summary if kept is not None else None
    return None


def _unreadable(tables: Tables, caller: Caller, listed: Listed, reason: str) -> games_pb2.GameSummary | None:
    """Return what is known of a game that these rules cannot read; None if it is another tenant's. The version is only
    for callers who see the game without a delay."""
    message = games_pb2.GameSummary(game=listed.game, create_time=timestamp(listed.created), unreadable=reason)
    with suppress(WrittenElsewhere, DamagedGame):  # its record cannot be read either: only the list knows the game
        record = tables.store.record(listed.game)
        if record.tenant != caller.tenant:
            return None
        if sees_record(record, caller):
            message.version = record.version
        message.edition = str(record.options.get("edition", ""))
        message.modules.extend(map(str, record.options.get("modules", ())))
    return message
