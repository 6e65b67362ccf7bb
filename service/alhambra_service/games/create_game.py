"""CreateGame: stores a new game, issues the keys of its seats, and deals as soon as no seat is open.

A game with open seats waits until they are claimed (`seats/claim_seat.py`). The seed comes from the secret, whose
commitment is published at creation, and from the contribution of each seat (`alhambra.fairness`). A creation that is
repeated under the same request id is answered with the same game and the same keys, although the store has only digests
of keys (`auth/seat_keys.py`).
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from alhambra import Game, Options, rules_for, seed_from
from alhambra.fairness import SECRET_BYTES
from alhambra.options import is_blank
from alhambra_api.v1 import games_pb2, views_pb2

from .. import limits
from ..auth.credentials import digest
from ..auth.seat_keys import invitation_for, token_for
from ..messages.field_checks import LimitedField
from ..messages.refusals import Refusal
from ..store import GameExists, Quota, Request, StoredGame, game_for_request, new_game
from .automatic.bots import BOTS
from .automatic.clocks import clocks_from, started
from .automatic.deadlines import deadline_of
from .automatic.server_players import PLAYERS
from .game_commands import GameCommands
from .lists import open_games
from .loaded_game import CLAIMED, SERVER, UNDEALT, LoadedGame, SeatHolder, Seats, encode

SERVER_PLAYERS = (*PLAYERS, *BOTS)
"""The words of CreateGame for seats without a person."""
TURN_SECONDS = LimitedField(
    games_pb2.CreateGameRequest, "turn_seconds", "turn_seconds lies between {minimum} and {maximum}."
)
SPECTATOR_DELAY = LimitedField(
    games_pb2.CreateGameRequest, "spectator_delay", "A delay for spectators has at most {maximum} entries of the log."
)
ENTROPY = LimitedField(
    games_pb2.ClaimSeatRequest, "entropy", "Entropy has up to {most} bytes, as lower-case hexadecimal digits."
)
ENTROPY_COMMITMENT = LimitedField(
    games_pb2.ClaimSeatRequest, "entropy_commitment", "A commitment is a SHA-256, as 64 lower-case hexadecimal digits."
)


@dataclass(frozen=True, slots=True)
class Created:
    """A new game and the keys to its seats, of which only digests are stored."""

    game: str
    loaded: LoadedGame
    keys: tuple[games_pb2.SeatKey, ...]
    repeated: bool = False
    """Whether an earlier request with the same id created it."""


# -- Creating ----------------------------------------------------------------------------------------------------------


def create(
    commands: GameCommands, sent: games_pb2.CreateGameRequest, tenant: str, host: str, quota: Quota | None = None
) -> Created:
    """Create a game for a tenant, if its quota allows one more. `host` is the name of the API key; each host has its
    own request ids."""
    options = _options(sent)
    if any(seat.server_player in BOTS for seat in sent.seats):
        commands.bots.require_alive(tenant)
    scope = f"{tenant}/{host}"
    request = Request.of("host", sent.request_id, _content(sent), credential=scope) if sent.request_id else None
    game = game_for_request(scope, sent.request_id, commands.key) if request else new_game()
    loaded = _new_table(commands, game, sent, options, tenant, host, request)
    if loaded.open_to_anyone and loaded.has_open_seats:
        open_games.admit(commands, tenant, host, game, loaded.stored.created)
    notices = commands.notices_for(game, loaded.stored, loaded, started=True) if loaded.game is not None else ()
    repeated = True
    with suppress(GameExists):  # an earlier, forgotten request with this id created it: its digest is compared below
        result = commands.store.create(game, encode(loaded), request, ttl=loaded.ttl, quota=quota, notices=notices)
        repeated = result.repeated
    if notices:
        commands.relay_notices(game, loaded)
    found = commands.load(game, fresh=True)  # this also offers the first decision to bots, if a bot begins
    if request is not None and found.creation != request.digest:
        raise Refusal("REQUEST_ID_REUSED", "The request id has already been used with different content.")
    return Created(game, found, _keys(commands, game, found, sent), repeated)


def _content(sent: games_pb2.CreateGameRequest) -> bytes:
    return b"CreateGame" + sent.SerializeToString(deterministic=True)


def _options(sent: games_pb2.CreateGameRequest) -> Options:
    from ..messages.translate import options_from

    for name in ("seats", "modules", "variants", "options"):
        if len(getattr(sent, name)) > limits.CREATED_ENTRIES:
            raise Refusal.limit(name, limits.CREATED_ENTRIES)
    options = options_from(sent, sent.seed or UNDEALT)
    TURN_SECONDS.check(sent.turn_seconds)
    open_games.LANGUAGE.check(sent.language)
    if sent.open and sent.visibility == views_pb2.VISIBILITY_SEATS:
        raise Refusal.malformed("open", "A game that only its seats see is not open to anyone.")
    for number, seat in enumerate(sent.seats):
        if seat.server_player and seat.server_player not in SERVER_PLAYERS:
            raise Refusal.malformed(f"seats[{number}].server_player", f"The server plays {', '.join(SERVER_PLAYERS)}.")
        if seat.server_player and seat.claim:
            raise Refusal.malformed(f"seats[{number}].claim", "A seat that the server plays is not claimed.")
        if (seat.entropy or seat.entropy_commitment) and not seat.claim:
            raise Refusal.malformed(f"seats[{number}].entropy", "Only a seat with `claim` can contribute entropy.")
        check_contribution(seat, f"seats[{number}].")
        check_name(seat.name, f"seats[{number}].name")
    commitments = [seat.entropy_commitment for seat in sent.seats if seat.entropy_commitment]
    if len(set(commitments)) < len(commitments):
        raise Refusal.malformed("seats.entropy_commitment", "Each seat commits to entropy of its own.")
    return options


def _spectator_delay(sent: games_pb2.CreateGameRequest) -> int:
    """Return the delay of spectators in entries of the log; 0 if they see the game as it stands."""
    if sent.visibility not in views_pb2.Visibility.values():
        raise Refusal.malformed("visibility", "There is no such visibility.")
    SPECTATOR_DELAY.check(sent.spectator_delay)
    if sent.visibility != views_pb2.VISIBILITY_SPECTATORS_DELAYED:
        if sent.spectator_delay:
            raise Refusal.malformed("visibility", "A delay for spectators goes with spectators_delayed.")
        return 0
    return sent.spectator_delay or limits.SPECTATOR_DELAY


def _new_table(
    commands: GameCommands,
    game: str,
    sent: games_pb2.CreateGameRequest,
    options: Options,
    tenant: str,
    host: str,
    request: Request | None,
) -> LoadedGame:
    now = commands.now()
    stored = replace(
        StoredGame.new(created=now, secret=secrets.token_bytes(SECRET_BYTES), tenant=tenant),
        options=options.as_dict(),
        ruleset=rules_for(options).id,
    )
    seats = []
    for number, (info, wanted) in enumerate(zip(options.seats, sent.seats, strict=True)):
        holder = SeatHolder(info.name, info.colour, info.age, server_player=wanted.server_player)
        token = digest(token_for(commands.key, game, stored.link, number, 1))
        if wanted.server_player in BOTS:
            holder = replace(holder, occupancy=SERVER, token=token, issued=1)
        elif wanted.server_player:
            holder = replace(holder, occupancy=SERVER)
        elif wanted.claim:
            holder = replace(holder, occupancy=CLAIMED, token=token, issued=1, **contribution_fields(wanted))
        else:
            holder = replace(holder, invitation=digest(invitation_for(commands.key, game, stored.link, number)))
        seats.append(holder)
    loaded = LoadedGame(
        stored,
        options,
        None,
        Seats(seats),
        orders=((),) * len(seats),
        turn_seconds=sent.turn_seconds,
        clocks=clocks_from(sent),
        seats_only=sent.visibility == views_pb2.VISIBILITY_SEATS,
        spectator_delay=_spectator_delay(sent),
        seed_given=bool(sent.seed),
        open_to_anyone=sent.open,
        host=host if sent.open else "",
        language=sent.language,
        no_hints=sent.no_hints,
        organisers=[number for number, seat in enumerate(sent.seats) if seat.claim],
        updated=now,
        creation=request.digest if request is not None else "",
    )
    return commands.retained(dealt_if_full(loaded, now))


def _keys(
    commands: GameCommands, game: str, loaded: LoadedGame, sent: games_pb2.CreateGameRequest
) -> tuple[games_pb2.SeatKey, ...]:
    found = []
    for number, wanted in enumerate(sent.seats):
        if wanted.server_player:
            continue
        if wanted.claim:
            key = games_pb2.SeatKey(seat=number, token=token_for(commands.key, game, loaded.commitment, number, 1))
        else:
            invitation = invitation_for(commands.key, game, loaded.commitment, number)
            key = games_pb2.SeatKey(seat=number, invitation=invitation)
        found.append(key)
    return tuple(found)


def dealt_if_full(loaded: LoadedGame, now: int) -> LoadedGame:
    """Return the game with its cards dealt if no seat is open and none has to reveal its entropy; otherwise the game
    itself."""
    if loaded.game is not None or loaded.has_open_seats or loaded.entropy_awaited:
        return loaded
    options = loaded.options
    if not loaded.seed_given:
        options = options.with_seed(seed_from(loaded.stored.secret, loaded.entropies))
    game = Game.new(options)
    clocks = loaded.clocks and started(loaded.clocks, game, loaded.seats.server_players, now)
    deadline = deadline_of(loaded, game.decision, clocks, now)
    stored = loaded.stored.dealt(game)
    return replace(loaded, options=options, game=game, stored=stored, clocks=clocks, deadline=deadline)


# -- Checks that a claim needs, too ------------------------------------------------------------------------------------


def check_name(name: str, field: str) -> None:
    """Refuse a name without visible characters. An empty name is accepted: the seat gets a default name."""
    if name and is_blank(name):
        raise Refusal.malformed(field, "A name has at least one character that can be seen.")


def check_contribution(sent: games_pb2.ClaimSeatRequest | games_pb2.SeatSetup, prefix: str = "") -> None:
    """Refuse a malformed contribution to the seed. `prefix` comes before the names of the fields in the refusal."""
    ENTROPY.check(sent.entropy, f"{prefix}entropy")
    ENTROPY_COMMITMENT.check(sent.entropy_commitment, f"{prefix}entropy_commitment")
    if sent.entropy and sent.entropy_commitment:
        message = "A seat that commits to its entropy reveals it later: send one of the two."
        raise Refusal.malformed(f"{prefix}entropy_commitment", message)


def contribution_fields(sent: games_pb2.ClaimSeatRequest | games_pb2.SeatSetup) -> dict[str, Any]:
    """Return the fields of a SeatHolder that hold what the seat contributes."""
    return {"entropy": bytes.fromhex(sent.entropy), "entropy_commitment": sent.entropy_commitment}
