"""Creates games, gives out the keys of seats, and deals when the last seat is taken.

A game with open seats waits. The claim of the last seat deals: the seed comes from the secret, whose commitment was
published at creation, and from the contribution of each seat. If a creation or claim is repeated under the same request
id, the answer has the same game and the same keys; only digests of keys are stored (`auth/seat_keys.py`).

An invitation stays valid until the token that it was exchanged for has been used once. A replaced token is valid only
to repeat the request that replaced it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from alhambra import Game, Options, rules_for, seed_from
from alhambra.fairness import SECRET_BYTES
from alhambra_api.v1 import games_pb2, views_pb2

from .. import limits
from ..auth.access import token_invalid
from ..auth.credentials import digest
from ..auth.seat_keys import invitation_for, token_for
from ..messages.arguments import LimitedField
from ..messages.refusals import Refusal
from ..store import GameExists, Quota, Record, Request, game_for_request, new_game
from .audit import SEAT_TAKEN_OVER
from .automatic.bots import BOTS
from .automatic.deadlines import deadline_of
from .automatic.progress import Progress
from .automatic.server_players import PLAYERS
from .table import CLAIMED, OPEN, SERVER, UNDEALT, SeatHolder, Table, encode
from .tables import Tables

SERVER_PLAYERS = (*PLAYERS, *BOTS)
"""The words of CreateGame for seats without a person."""
TURN_SECONDS = LimitedField(
    games_pb2.CreateGameRequest, "turn_seconds", "turn_seconds lies between {minimum} and {maximum}."
)
SPECTATOR_DELAY = LimitedField(
    games_pb2.CreateGameRequest, "spectator_delay", "A delay for spectators has at most {maximum} entries of the log."
)
NAME = LimitedField(games_pb2.ClaimSeatRequest, "name", "A name has at most {max_length} printable characters.")
ENTROPY = LimitedField(
    games_pb2.ClaimSeatRequest, "entropy", "Entropy has up to {most} bytes, as lower-case hexadecimal digits."
)


@dataclass(frozen=True, slots=True)
class Created:
    """A new game and the keys to its seats, of which only digests are stored."""

    game: str
    table: Table
    keys: tuple[games_pb2.SeatKey, ...]


# -- Creating ----------------------------------------------------------------------------------------------------------


def create(
    tables: Tables, sent: games_pb2.CreateGameRequest, tenant: str, host: str, quota: Quota | None = None
) -> Created:
    """Create a game for a tenant, if its quota allows one more. `host` is the name of the API key; each host has its
    own request ids."""
    options = _options(sent)
    if any(seat.server_player in BOTS for seat in sent.seats):
        tables.bots.require_alive(tenant)
    scope = f"{tenant}/{host}"
    request = Request.of("host", sent.request_id, _content(sent), credential=scope) if sent.request_id else None
    game = game_for_request(scope, sent.request_id, tables.key) if request else new_game()
    table = _new_table(tables, game, sent, options, tenant, request)
    with suppress(GameExists):  # an earlier, forgotten request with this id created it: its digest is compared below
        tables.store.create(game, encode(table), request, ttl=table.ttl, quota=quota)
    found = tables.load(game, fresh=True)  # this also offers the first decision to bots, if a bot begins
    if request is not None and found.creation != request.digest:
        raise Refusal("REQUEST_ID_REUSED", "The request id was used before with another content.")
    return Created(game, found, _keys(tables, game, found, sent))


def _content(sent: games_pb2.CreateGameRequest) -> bytes:
    return b"CreateGame" + sent.SerializeToString(deterministic=True)


def _options(sent: games_pb2.CreateGameRequest) -> Options:
    from ..messages.translate import options_from

    options = options_from(sent, sent.seed or UNDEALT)
    TURN_SECONDS.check(sent.turn_seconds)
    for number, seat in enumerate(sent.seats):
        if seat.server_player and seat.server_player not in SERVER_PLAYERS:
            raise Refusal.malformed(f"seats[{number}].server_player", f"The server plays {', '.join(SERVER_PLAYERS)}.")
        if seat.server_player and seat.claim:
            raise Refusal.malformed(f"seats[{number}].claim", "A seat that the server plays is not claimed.")
        if seat.entropy and not seat.claim:
            raise Refusal.malformed(f"seats[{number}].entropy", "Only a seat with `claim` can contribute entropy.")
        _entropy(seat.entropy, f"seats[{number}].entropy")
    return options


def _spectator_delay(sent: games_pb2.CreateGameRequest) -> int:
    """Return how many entries of the log spectators are behind; 0 if they see the game as it stands."""
    if sent.visibility not in views_pb2.Visibility.values():
        raise Refusal.malformed("visibility", "There is no such visibility.")
    SPECTATOR_DELAY.check(sent.spectator_delay)
    if sent.visibility != views_pb2.VISIBILITY_SPECTATORS_DELAYED:
        if sent.spectator_delay:
            raise Refusal.malformed("visibility", "A delay for spectators goes with spectators_delayed.")
        return 0
    return sent.spectator_delay or limits.SPECTATOR_DELAY


def _new_table(
    tables: Tables,
    game: str,
    sent: games_pb2.CreateGameRequest,
    options: Options,
    tenant: str,
    request: Request | None,
) -> Table:
    now = tables.now()
    record = replace(
        Record.new(created=now, secret=secrets.token_bytes(SECRET_BYTES), tenant=tenant),
        options=options.as_dict(),
        ruleset=rules_for(options).id,
    )
    seats = []
    for number, (info, wanted) in enumerate(zip(options.seats, sent.seats, strict=True)):
        holder = SeatHolder(info.name, info.colour, info.age, server_player=wanted.server_player)
        token = digest(token_for(tables.key, game, record.link, number, 1))
        if wanted.server_player in BOTS:
            holder = replace(holder, occupancy=SERVER, token=token, issued=1)
        elif wanted.server_player:
            holder = replace(holder, occupancy=SERVER)
        elif wanted.claim:
            entropy = bytes.fromhex(wanted.entropy)
            holder = replace(holder, occupancy=CLAIMED, token=token, issued=1, entropy=entropy)
        else:
            holder = replace(holder, invitation=digest(invitation_for(tables.key, game, record.link, number)))
        seats.append(holder)
    table = Table(
        record,
        options,
        None,
        tuple(seats),
        orders=((),) * len(seats),
        turn_seconds=sent.turn_seconds,
        seats_only=sent.visibility == views_pb2.VISIBILITY_SEATS,
        spectator_delay=_spectator_delay(sent),
        seed_given=bool(sent.seed),
        updated=now,
        creation=request.digest if request is not None else "",
    )
    return tables.retained(dealt_if_full(table, now))


def _keys(tables: Tables, game: str, table: Table, sent: games_pb2.CreateGameRequest) -> tuple[games_pb2.SeatKey, ...]:
    found = []
    for number, wanted in enumerate(sent.seats):
        if wanted.server_player:
            continue
        if wanted.claim:
            key = games_pb2.SeatKey(seat=number, token=token_for(tables.key, game, table.commitment, number, 1))
        else:
            invitation = invitation_for(tables.key, game, table.commitment, number)
            key = games_pb2.SeatKey(seat=number, invitation=invitation)
        found.append(key)
    return tuple(found)


def dealt_if_full(table: Table, now: int) -> Table:
    """Return the table with its cards dealt if no seat is open; otherwise the table itself."""
    if table.game is not None or any(seat.occupancy == OPEN for seat in table.seats):
        return table
    options = table.options
    if not table.seed_given:
        options = options.with_seed(seed_from(table.record.secret, table.entropies))
    game = Game.new(options)
    table = replace(table, options=options, game=game, record=table.record.dealt(game))
    return replace(table, deadline=deadline_of(table.turn_seconds, game, now))


# -- Claiming ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat and its token."""

    seat: int
    token: str
    table: Table


def claim(
    tables: Tables,
    sent: games_pb2.ClaimSeatRequest,
    proves: Callable[[Table, int], bool],
    bearer: str = "",
    host: str = "",
) -> Claimed:
    """Exchange an invitation for a token, or replace a token. `proves` returns whether the caller may claim a seat;
    `bearer` is the token that the caller sent, `host` the name of its API key. A repeated call gets the first answer
    only with the same invitation, token or key."""
    game = sent.game
    entropy = _entropy(sent.entropy, "entropy")
    NAME.check(sent.name)
    if sent.invitation and sent.HasField("seat"):
        raise Refusal.malformed("seat", "An invitation knows its seat.")
    if not sent.invitation and not sent.HasField("seat"):
        raise Refusal.malformed("invitation", "An invitation is needed, or a seat whose token is replaced.")
    for attempt in range(limits.COMMIT_TRIES):
        table = tables.load(game, fresh=True)
        seat = _claimed_seat(table, sent, proves, bearer)
        request = _claim_request(sent, seat, bearer, host)
        outcome = tables.store.outcome(game, request) if request is not None else None
        if outcome is not None:
            number = int(outcome.note)
            return Claimed(seat, token_for(tables.key, game, table.commitment, seat, number), table)
        if not (sent.invitation or proves(table, seat)):
            raise token_invalid()
        number = table.seats[seat].issued + 1
        token = token_for(tables.key, game, table.commitment, seat, number)
        changed, progress = _seated(tables, table, seat, token, sent.name, entropy)
        if attempt == 0 and not (sent.invitation or bearer):
            tables.audit.note(table.record.tenant, host, SEAT_TAKEN_OVER, game, seat)
        texts, events = (progress.texts, progress.events) if progress is not None else ((), ())
        told = tables.commit(game, changed, texts, events, request, note=str(number))
        if told is not None and not told.repeated:
            return Claimed(seat, token, told.table)
    raise Refusal.stale(tables.load(game, fresh=True).version)


def _claimed_seat(
    table: Table, sent: games_pb2.ClaimSeatRequest, proves: Callable[[Table, int], bool], bearer: str
) -> int:
    """Return the claimed seat. Refuses callers that may not claim it; a token that this seat had before is accepted,
    because the call may be a repetition."""
    if sent.invitation:
        found = table.seat_of_invitation(sent.invitation)
        if found is None:
            raise token_invalid()
        return found
    seat = sent.seat
    if not 0 <= seat < len(table.seats) or table.seats[seat].occupancy == SERVER:
        raise token_invalid()
    if not proves(table, seat) and table.seat_of_previous(bearer) != seat:
        raise token_invalid()
    return seat


def _claim_request(sent: games_pb2.ClaimSeatRequest, seat: int, bearer: str, host: str) -> Request | None:
    if not sent.request_id:
        return None
    credential = digest(sent.invitation or bearer) if sent.invitation or bearer else f"key {host}"
    content = b"ClaimSeat" + sent.SerializeToString(deterministic=True)
    return Request.of(f"seat {seat}", sent.request_id, content, credential=credential)


def _seated(
    tables: Tables, table: Table, seat: int, token: str, name: str, entropy: bytes
) -> tuple[Table, Progress | None]:
    """Return the table with the seat claimed, and None. If it was the last open seat, the cards are dealt, and the
    first decisions that need no person are returned instead of None."""
    holder = table.seats[seat]
    if name and name != holder.name:
        if table.game is not None:
            raise Refusal.malformed("name", "The game has begun: names stay as they are.")
        table = table.with_seat(seat, name=name)
    changes: dict[str, object] = {"token": digest(token), "previous": holder.token, "issued": holder.issued + 1}
    if holder.occupancy == OPEN:
        changes |= {"occupancy": CLAIMED, "entropy": entropy}
    table = table.with_seat(seat, **changes)
    if table.game is not None:
        return table, None
    table = dealt_if_full(table, tables.now())
    if table.game is None:
        return table, None
    progress = Progress(table, tables.now())
    progress.go_on()
    return progress.table, progress


def token_used(tables: Tables, game: str, table: Table, seat: int) -> None:
    """Store that the token of a seat was used: its invitation and the token before it become invalid. Refuses the token
    if it was replaced meanwhile; the replacement is not changed."""
    used = table.seats[seat].token
    for _ in range(limits.COMMIT_TRIES):
        holder = table.seats[seat]
        if holder.token != used:
            raise token_invalid()
        if not (holder.invitation or holder.previous):
            return
        if tables.commit(game, table.with_seat(seat, invitation="", previous="")) is not None:
            return
        table = tables.store.load(game, fresh=True)


def _entropy(text: str, field: str) -> bytes:
    ENTROPY.check(text, field)
    return bytes.fromhex(text)
