"""Creates games, gives out the keys of seats, collects the entropy of the seats, and deals.

A game with open seats waits. Once no seat is open, the seats that committed to their entropy reveal it, and then the
cards are dealt: the seed comes from the secret, whose commitment was published at creation, and from the contribution
of each seat (`alhambra.fairness`). A game with a seat that does not reveal is never dealt. If a creation or claim is
repeated under the same request id, the answer has the same game and the same keys; only digests of keys are stored
(`auth/seat_keys.py`).

An invitation stays valid until the token that it was exchanged for has been used once. A replaced token is valid only
to repeat the request that replaced it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from alhambra import Game, Options, commitment, rules_for, seed_from
from alhambra.fairness import SECRET_BYTES
from alhambra.options import is_blank
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
from .tables import SeatProof, Tables

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
REVEALED_ENTROPY = LimitedField(
    games_pb2.RevealEntropyRequest,
    "entropy",
    "Entropy has {fewest} to {most} bytes, as lower-case hexadecimal digits.",
)
ENTROPY_COMMITMENT = LimitedField(
    games_pb2.ClaimSeatRequest, "entropy_commitment", "A commitment is a SHA-256, as 64 lower-case hexadecimal digits."
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
        raise Refusal("REQUEST_ID_REUSED", "The request id has already been used with different content.")
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
        if (seat.entropy or seat.entropy_commitment) and not seat.claim:
            raise Refusal.malformed(f"seats[{number}].entropy", "Only a seat with `claim` can contribute entropy.")
        _check_contribution(seat, f"seats[{number}].")
        _require_shown(seat.name, f"seats[{number}].name")
    commitments = [seat.entropy_commitment for seat in sent.seats if seat.entropy_commitment]
    if len(set(commitments)) < len(commitments):
        raise Refusal.malformed("seats.entropy_commitment", "Each seat commits to entropy of its own.")
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
            holder = replace(holder, occupancy=CLAIMED, token=token, issued=1, **_contribution(wanted))
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
    """Return the table with its cards dealt if no seat is open and none has to reveal its entropy; otherwise the table
    itself."""
    if table.game is not None or table.has_open_seats or table.entropy_awaited:
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
    _check_contribution(sent)
    NAME.check(sent.name)
    _require_shown(sent.name, "name")
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
        changed, progress = _seated(tables, table, seat, token, sent)
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
    tables: Tables, table: Table, seat: int, token: str, sent: games_pb2.ClaimSeatRequest
) -> tuple[Table, Progress | None]:
    """Return the table with the seat claimed, and what `_begun` returns beside it."""
    holder = table.seats[seat]
    if sent.name and sent.name != holder.name:
        if table.game is not None:
            raise Refusal.malformed("name", "The game has begun: names stay as they are.")
        table = table.with_seat(seat, name=sent.name)
    changes: dict[str, object] = {"token": digest(token), "previous": holder.token, "issued": holder.issued + 1}
    # A commitment can be replaced while a seat is open, because no seat reveals its entropy before.
    if holder.occupancy == OPEN or (sent.entropy_commitment and table.has_open_seats):
        _refuse_copy(table, seat, sent.entropy_commitment)
        changes |= {"occupancy": CLAIMED, **_contribution(sent)}
    return _begun(tables, table.with_seat(seat, **changes))


def _begun(tables: Tables, table: Table) -> tuple[Table, Progress | None]:
    """Return the table, and None. If it can be dealt now, the cards are dealt, and the first decisions that need no
    person are returned instead of None."""
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


def _require_shown(name: str, field: str) -> None:
    """Refuse a name that shows nothing. An empty one means that the seat has no name of its own."""
    if name and is_blank(name):
        raise Refusal.malformed(field, "A name has at least one character that can be seen.")


# -- Entropy -----------------------------------------------------------------------------------------------------------


def reveal(tables: Tables, sent: games_pb2.RevealEntropyRequest, proof: SeatProof, request: Request | None) -> Table:
    """Take the entropy of a seat that committed to it; deal if no other seat has to reveal its own. Return the table
    after it. A repetition changes nothing."""
    REVEALED_ENTROPY.check(sent.entropy)
    entropy = bytes.fromhex(sent.entropy)
    for _ in range(limits.COMMIT_TRIES):
        table = tables.load(sent.game, fresh=True)
        holder = table.seats[proof.seat]
        if holder.token != proof.token:
            raise token_invalid()
        if not holder.entropy_commitment:
            message = "The seat has not committed to any entropy, so it has none to reveal."
            raise Refusal("ENTROPY_REFUSED", message, {"because": "uncommitted"})
        if commitment(entropy) != holder.entropy_commitment:
            message = "The SHA-256 of this entropy is not the commitment of the seat."
            raise Refusal("ENTROPY_REFUSED", message, {"because": "mismatch"})
        if table.has_open_seats:
            message = "Seats are still open: entropy is revealed when all of them are claimed."
            raise Refusal("GAME_WAITING", message)
        if holder.entropy:
            return table
        changed, progress = _begun(tables, table.with_seat(proof.seat, entropy=entropy))
        texts, events = (progress.texts, progress.events) if progress is not None else ((), ())
        told = tables.commit(sent.game, changed, texts, events, request)
        if told is not None:
            return told.table
    raise Refusal.stale(tables.load(sent.game, fresh=True).version)


def _check_contribution(sent: games_pb2.ClaimSeatRequest | games_pb2.SeatSetup, prefix: str = "") -> None:
    """Refuse a malformed contribution to the seed. `prefix` is what stands before the names of the fields."""
    ENTROPY.check(sent.entropy, f"{prefix}entropy")
    ENTROPY_COMMITMENT.check(sent.entropy_commitment, f"{prefix}entropy_commitment")
    if sent.entropy and sent.entropy_commitment:
        message = "A seat that commits to its entropy reveals it later: send one of the two."
        raise Refusal.malformed(f"{prefix}entropy_commitment", message)


def _contribution(sent: games_pb2.ClaimSeatRequest | games_pb2.SeatSetup) -> dict[str, Any]:
    """Return the fields of a SeatHolder that hold what the seat contributes."""
    return {"entropy": bytes.fromhex(sent.entropy), "entropy_commitment": sent.entropy_commitment}


def _refuse_copy(table: Table, seat: int, wanted: str) -> None:
    """Refuse a commitment that another seat has: the seat would repeat what that seat reveals."""
    others = [*table.seats[:seat], *table.seats[seat + 1 :]]
    if wanted and any(wanted == other.entropy_commitment for other in others):
        message = "Another seat has this commitment: draw entropy of your own."
        raise Refusal("ENTROPY_REFUSED", message, {"because": "copied"})
