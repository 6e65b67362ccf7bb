"""ClaimSeat and RevealEntropy: callers take seats and contribute to the seed, until the cards can be dealt.

An invitation stays valid until the token that it was exchanged for has been used once. A replaced token is valid only
to repeat the request that replaced it. A claim that is repeated under the same request id is answered with the same
token, although the store has only its digest (`auth/seat_keys.py`). A seat that the server plays as a stand-in
(`leave_seat.py`) is claimed back with its token or its invitation.

Once no seat is open, the seats that committed to their entropy reveal it, and then the cards are dealt. A game with a
seat that does not reveal its entropy is never dealt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from alhambra import commitment
from alhambra_api.v1 import games_pb2

from ... import limits
from ...auth.access import token_invalid
from ...auth.audit_log import SEAT_TAKEN_OVER
from ...auth.credentials import digest
from ...auth.seat_keys import token_for
from ...messages.field_checks import LimitedField
from ...messages.refusals import Refusal
from ...store import Request
from ..automatic.deadlines import reopened
from ..automatic.server_players import PLAYERS
from ..create_game import check_contribution, check_name, contribution_fields, dealt_if_full
from ..game_change import GameChange
from ..game_commands import GameCommands, SeatProof
from ..lists import open_games
from ..loaded_game import CLAIMED, OPEN, SERVER, LoadedGame

NAME = LimitedField(games_pb2.ClaimSeatRequest, "name", "A name has at most {max_length} printable characters.")
FREE = -1
"""Stands for a seat that is not known yet."""
REVEALED_ENTROPY = LimitedField(
    games_pb2.RevealEntropyRequest,
    "entropy",
    "Entropy has {fewest} to {most} bytes, as lower-case hexadecimal digits.",
)


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat and its token."""

    seat: int
    token: str
    loaded: LoadedGame
    repeated: bool = False
    """Whether an earlier request with the same id claimed it."""


def claim(
    commands: GameCommands,
    sent: games_pb2.ClaimSeatRequest,
    proves: Callable[[LoadedGame, int], bool],
    bearer: str = "",
    host: str = "",
) -> Claimed:
    """Exchange an invitation for a token, or replace a token. `proves` returns whether the caller may claim a seat;
    `bearer` is the token that the caller sent, `host` the name of its API key. A repeated call gets the first answer
    only with the same invitation, token or key."""
    game = sent.game
    check_contribution(sent)
    NAME.check(sent.name)
    check_name(sent.name, "name")
    if sent.invitation and sent.HasField("seat"):
        raise Refusal.malformed("seat", "An invitation knows its seat.")
    for attempt in range(limits.COMMIT_TRIES):
        loaded = commands.load(game, fresh=True)
        free = not sent.invitation and _is_free(loaded, sent, bearer, host)
        if not sent.invitation and not sent.HasField("seat") and not free:
            raise Refusal.malformed("invitation", "An invitation is needed, or a seat whose token is replaced.")
        if free:
            _require_unguessable(sent.request_id)
            repeated = _repeated_free_claim(commands, loaded, sent)
            if repeated is not None:
                return repeated
        seat = _free_seat(loaded, sent) if free else _claimed_seat(loaded, sent, proves, bearer)
        request = _claim_request(sent, seat, bearer, host, free=free)
        outcome = commands.store.outcome(game, request) if request is not None else None
        if outcome is not None:
            number = int(outcome.note)
            token = token_for(commands.key, game, loaded.commitment, seat, number)
            return Claimed(seat, token, loaded, repeated=True)
        if not (free or sent.invitation or proves(loaded, seat)):
            raise token_invalid()
        number = loaded.seats[seat].issued + 1
        token = token_for(commands.key, game, loaded.commitment, seat, number)
        change = _claimed(commands, loaded, seat, token, sent, free=free)
        if attempt == 0 and not (free or sent.invitation or bearer):
            commands.audit.note(loaded.stored.tenant, host, SEAT_TAKEN_OVER, game, seat)
        result = commands.save(game, change, request, note=f"{seat} {number}" if free else str(number))
        if result is not None and not result.repeated:
            if result.loaded.open_to_anyone and not result.loaded.has_open_seats:
                open_games.started(commands, game, result.loaded)
            return Claimed(seat, token, result.loaded)
    raise Refusal.stale(commands.load(game, fresh=True).version)


def _claimed_seat(
    loaded: LoadedGame, sent: games_pb2.ClaimSeatRequest, proves: Callable[[LoadedGame, int], bool], bearer: str
) -> int:
    """Return the claimed seat. Refuses callers that may not claim it. A token that the seat had before is accepted,
    because the call may be repeated."""
    if sent.invitation:
        found = loaded.seat_of_invitation(sent.invitation)
        if found is None:
            raise token_invalid()
        return found
    seat = sent.seat
    if not 0 <= seat < len(loaded.seats) or (loaded.seats[seat].occupancy == SERVER and not is_stand_in(loaded, seat)):
        raise token_invalid()
    if not proves(loaded, seat) and loaded.seat_of_previous(bearer) != seat:
        raise token_invalid()
    return seat


def is_stand_in(loaded: LoadedGame, seat: int) -> bool:
    """Return whether the server plays the seat for a person who can claim it back. Bots have tokens of their own."""
    holder = loaded.seats[seat]
    return holder.server_player in PLAYERS and bool(holder.token or holder.invitation)


def _is_free(loaded: LoadedGame, sent: games_pb2.ClaimSeatRequest, bearer: str, host: str) -> bool:
    """Return whether the claim is one of an open game that needs no credentials. With credentials for a seat that is
    taken, the claim replaces its token."""
    if not loaded.open_to_anyone:
        return False
    if not sent.HasField("seat"):
        return True
    seat = sent.seat
    return 0 <= seat < len(loaded.seats) and (loaded.seats[seat].occupancy == OPEN or not (bearer or host))


def _require_unguessable(request_id: str) -> None:
    """Refuse a short request id. Whoever repeats the claim of an open seat gets its token, and proves nothing else."""
    if request_id and len(request_id) < limits.FREE_REQUEST_ID_CHARS:
        message = f"Without an invitation, it has at least {limits.FREE_REQUEST_ID_CHARS} characters, chosen at random."
        raise Refusal.malformed("request_id", message)


def _free_seat(loaded: LoadedGame, sent: games_pb2.ClaimSeatRequest) -> int:
    """Return the open seat that is claimed without an invitation. Refuses with SEAT_TAKEN if there is none."""
    wanted = (sent.seat,) if sent.HasField("seat") else range(len(loaded.seats))
    for seat in wanted:
        if loaded.seats[seat].occupancy == OPEN:
            return seat
    raise Refusal("SEAT_TAKEN", "Another caller has claimed the seat, or no seat is open any more.")


def _repeated_free_claim(
    commands: GameCommands, loaded: LoadedGame, sent: games_pb2.ClaimSeatRequest
) -> Claimed | None:
    """Return the first answer to a repeated claim of an open seat; None if the request is not remembered."""
    request = _claim_request(sent, FREE, "", "", free=True)
    outcome = commands.store.outcome(sent.game, request) if request is not None else None
    if outcome is None:
        return None
    seat, _, number = outcome.note.partition(" ")
    token = token_for(commands.key, sent.game, loaded.commitment, int(seat), int(number))
    return Claimed(int(seat), token, loaded, repeated=True)


def _claim_request(
    sent: games_pb2.ClaimSeatRequest, seat: int, bearer: str, host: str, *, free: bool = False
) -> Request | None:
    if not sent.request_id:
        return None
    if free:  # the seat may not be known before the claim, so the requests have one owner
        content = b"ClaimSeat" + sent.SerializeToString(deterministic=True)
        return Request.of("open seat", sent.request_id, content)
    credential = digest(sent.invitation or bearer) if sent.invitation or bearer else f"key {host}"
    content = b"ClaimSeat" + sent.SerializeToString(deterministic=True)
    return Request.of(f"seat {seat}", sent.request_id, content, credential=credential)


def _claimed(
    commands: GameCommands,
    loaded: LoadedGame,
    seat: int,
    token: str,
    sent: games_pb2.ClaimSeatRequest,
    *,
    free: bool = False,
) -> GameChange:
    """Return the change that claims a seat, and deals if it was the last open one. A `free` claim, without an
    invitation, makes the invitation of the seat invalid, so that the seat has one winner."""
    holder = loaded.seats[seat]
    if sent.name and sent.name != holder.name:
        if loaded.game is not None:
            raise Refusal.malformed("name", "The game has begun: names stay as they are.")
        loaded = loaded.with_seat(seat, name=sent.name)
    changes: dict[str, object] = {"token": digest(token), "previous": holder.token, "issued": holder.issued + 1}
    if free:
        changes["invitation"] = ""
    # A commitment can be replaced while a seat is open, because no seat reveals its entropy before.
    if holder.occupancy == OPEN or (loaded.game is None and sent.entropy_commitment and loaded.has_open_seats):
        _refuse_copy(loaded, seat, sent.entropy_commitment)
        changes |= {"occupancy": CLAIMED, **contribution_fields(sent)}
    if holder.occupancy == SERVER:
        changes |= {"occupancy": CLAIMED, "server_player": ""}
    found = loaded.with_seat(seat, **changes)
    if holder.occupancy == SERVER and found.decision is not None and found.decision.seat == seat:
        found = reopened(found, commands.now())
    return with_deal(commands, found)


def with_deal(commands: GameCommands, loaded: LoadedGame) -> GameChange:
    """Return the change to a game with other seats. If the game can be dealt now, the change deals it and takes the
    first decisions that need no person."""
    if loaded.game is not None:
        return GameChange.of_seats(loaded)
    loaded = dealt_if_full(loaded, commands.now())
    if loaded.game is None:
        return GameChange.of_seats(loaded)
    change = GameChange(loaded, commands.now())
    change.deals = change.changed = True
    change.take_automatic_decisions()
    return change


def token_used(commands: GameCommands, game: str, loaded: LoadedGame, seat: int) -> None:
    """Store that the token of a seat was used: its invitation and the token before it become invalid. Refuses the token
    if it has been replaced; the new token stays valid."""
    used = loaded.seats[seat].token
    for _ in range(limits.COMMIT_TRIES):
        holder = loaded.seats[seat]
        if holder.token != used:
            raise token_invalid()
        if not (holder.invitation or holder.previous):
            return
        change = GameChange.of_seats(loaded.with_seat(seat, invitation="", previous=""))
        if commands.save(game, change) is not None:
            return
        loaded = commands.store.load(game, fresh=True)


# -- Entropy -----------------------------------------------------------------------------------------------------------


def reveal(
    commands: GameCommands, sent: games_pb2.RevealEntropyRequest, proof: SeatProof, request: Request | None
) -> LoadedGame:
    """Store the entropy of a seat that committed to it, and deal if no other seat has to reveal its own. Return the
    game after it. A repeated call changes nothing."""
    REVEALED_ENTROPY.check(sent.entropy)
    entropy = bytes.fromhex(sent.entropy)
    for _ in range(limits.COMMIT_TRIES):
        loaded = commands.load(sent.game, fresh=True)
        holder = loaded.seats[proof.seat]
        if holder.token != proof.token:
            raise token_invalid()
        if not holder.entropy_commitment:
            message = "The seat has not committed to any entropy, so it has none to reveal."
            raise Refusal("ENTROPY_REFUSED", message, {"because": "uncommitted"})
        if commitment(entropy) != holder.entropy_commitment:
            message = "The SHA-256 of this entropy is not the commitment of the seat."
            raise Refusal("ENTROPY_REFUSED", message, {"because": "mismatch"})
        if loaded.has_open_seats:
            message = "Seats are still open: entropy is revealed when all of them are claimed."
            raise Refusal("GAME_WAITING", message)
        if holder.entropy:
            return loaded
        change = with_deal(commands, loaded.with_seat(proof.seat, entropy=entropy))
        result = commands.save(sent.game, change, request)
        if result is not None:
            return result.loaded
    raise Refusal.stale(commands.load(sent.game, fresh=True).version)


def _refuse_copy(loaded: LoadedGame, seat: int, wanted: str) -> None:
    """Refuse a commitment that another seat has: the seat would repeat what that seat reveals."""
    others = [*loaded.seats[:seat], *loaded.seats[seat + 1 :]]
    if wanted and any(wanted == other.entropy_commitment for other in others):
        message = "Another seat has this commitment: draw entropy of your own."
        raise Refusal("ENTROPY_REFUSED", message, {"because": "copied"})
