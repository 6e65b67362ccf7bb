"""Lists and deletes the games of a tenant. A list shows no more than a spectator could see. Games of other tenants are
treated as if they did not exist.
"""

from __future__ import annotations

from contextlib import suppress

from alhambra_api.v1 import games_pb2, views_pb2

from .. import limits
from ..auth import seat_keys
from ..effort import Effort
from ..messages.arguments import LimitedField
from ..messages.refusals import Refusal, from_error
from ..messages.views import status_of, timestamp
from ..store import DamagedGame, GameNotFound, Listed, WrittenElsewhere
from .table import Table
from .tables import Tables

PAGE_SIZE = LimitedField(games_pb2.ListGamesRequest, "page_size")


def delete(tables: Tables, game: str, tenant: str) -> None:
    """Delete a game. Does nothing if the game does not exist or belongs to another tenant."""
    with suppress(GameNotFound):
        if tables.store.record(game).tenant == tenant:
            tables.store.forget(game, tenant)
            tables.replay.marks.forget(game)
            tables.exports.forget(game)


def list_games(tables: Tables, tenant: str, sent: games_pb2.ListGamesRequest) -> games_pb2.ListGamesResponse:
    """A page of the tenant's games, the newest first. It ends when it is full or its CPU time is used up: a filter that
    few games pass makes it read many."""
    if not PAGE_SIZE.allows(sent.page_size):
        raise Refusal.limit("page_size", PAGE_SIZE.limits.maximum)
    size = sent.page_size or limits.GAMES_PAGE_USUAL
    purpose = f"games {tenant} {sent.status}"
    after = _after(tables.key, purpose, sent.page_token)
    answer, effort = games_pb2.ListGamesResponse(), Effort(limits.LISTING_SECONDS, every=1)
    for _ in range(limits.LISTED_ROUNDS):
        page = tables.store.list(tenant, after, size - len(answer.games))
        after, spent = page.after, False
        for listed in page.games:
            with suppress(GameNotFound):
                summary = _summary_of(tables, tenant, listed)
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


def _summary_of(tables: Tables, tenant: str, listed: Listed) -> games_pb2.GameSummary | None:
    """One game of a tenant's list, with the reason if it cannot be read; None if it is another tenant's."""
    try:
        table = tables.store.load(listed.game)
        return _summary(listed.game, table) if table.record.tenant == tenant else None
    except (WrittenElsewhere, DamagedGame) as fault:
        return _unreadable(tables, tenant, listed, from_error(fault).reason)


def _unreadable(tables: Tables, tenant: str, listed: Listed, reason: str) -> games_pb2.GameSummary | None:
    """Return what is known of a game that these rules cannot read."""
    message = games_pb2.GameSummary(game=listed.game, create_time=timestamp(listed.created), unreadable=reason)
    with suppress(WrittenElsewhere, DamagedGame):  # its record cannot be read either: only the list knows the game
        record = tables.store.record(listed.game)
        if record.tenant != tenant:
            return None
        message.version = record.version
        message.edition = str(record.options.get("edition", ""))
        message.modules.extend(map(str, record.options.get("modules", ())))
    return message


def _summary(game: str, table: Table) -> games_pb2.GameSummary:
    message = games_pb2.GameSummary(
        game=game,
        version=table.version,
        status=status_of(table.game),
        edition=table.options.edition,
        modules=table.options.modules,
        create_time=timestamp(table.record.created),
        update_time=timestamp(table.updated),
    )
    for number, holder in enumerate(table.seats):
        seat = message.seats.add(seat=number, name=holder.name, colour=holder.colour)
        seat.occupancy = views_pb2.Occupancy.Value(f"OCCUPANCY_{holder.occupancy.upper()}")
        if table.game is not None:
            seat.resigned = table.game.state.seats[number].resigned
            seat.score = table.game.state.seats[number].score
    if table.decision is not None:
        message.decision_seat, message.decision_kind = table.decision.seat, table.decision.kind
    if table.expires is not None:
        message.expire_time.CopyFrom(timestamp(table.expires))
    return message
