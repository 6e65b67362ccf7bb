"""LeaveSeat: a seat becomes open again or is played by the server. CancelGame: a game that has not begun is removed.

Players leave their own seats. An organiser, a seat that was claimed with CreateGame, also does it for other seats:
before the deal for every seat; after it only in a game without deadlines, for a player who has not answered for
ABSENT_SECONDS.

Once a seat has revealed its entropy, the draws are fixed. If a seat could then be left, a person who knows the secret
could choose between two deals. So such a game is dealt as it is, or cancelled.

In a game that has been dealt the server is a stand-in: the seat keeps its token and its invitation, and its player
claims it back with one of them (`claim_seat.py`).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ... import limits
from ...auth.access import token_invalid
from ...auth.credentials import digest
from ...auth.seat_keys import invitation_for
from ...messages.refusals import Refusal
from ...store import Request, StoreUnavailable
from ...store import open_games as listed_games
from ..automatic.server_players import PLAYERS
from ..game_change import GameChange
from ..game_commands import ChangeResult, GameCommands, SeatProof
from ..lists import open_games, tenant_games
from ..loaded_game import OPEN, OVER, SERVER, LoadedGame, Seats
from .claim_seat import with_deal

if TYPE_CHECKING:
    from alhambra_api.v1 import games_pb2

SENTENCES = {
    "not_organiser": "Only an organiser of the game may do that for another seat, or cancel the game.",
    "begun": "The game has begun: a seat can only be given to the server.",
    "revealed": "A seat has revealed its entropy, so the draws are fixed: wait for the others, or cancel the game.",
    "present": "The player of this seat has not been asked for long enough.",
    "clock": "The game has deadlines: the server answers for a player who is absent.",
    "resigned": "The player of this seat has resigned, or the server plays it already.",
}
"""By the fact `because` of SEAT_REFUSED: its sentence."""


def request_of(sent: games_pb2.LeaveSeatRequest, token: str) -> Request | None:
    """Return the request by which the store remembers a call; None if it has no request id. It belongs to the token, by
    its digest: a token that was revoked by the call is still recognised when the call is repeated."""
    if not (sent.request_id and token):
        return None
    content = b"LeaveSeat\0" + sent.SerializeToString(deterministic=True)
    return Request.of("leaving", sent.request_id, content, credential=token)


def leave(
    commands: GameCommands, sent: games_pb2.LeaveSeatRequest, proof: SeatProof, request: Request | None
) -> ChangeResult:
    """Open a seat again or give it to the server. Return the game after it, with every decision that needs no person.
    Raises Refusal if the caller may not do it, or if the game stands otherwise."""
    player = sent.server_player
    if player and player not in PLAYERS:
        raise Refusal.malformed("server_player", f"The server plays {', '.join(PLAYERS)}.")
    seat = sent.seat if sent.HasField("seat") else proof.seat

    def prepare(loaded: LoadedGame) -> GameChange:
        _check(commands, loaded, proof.seat, seat, player)
        if loaded.game is not None:
            return _stand_in(commands, loaded, seat, player)
        return with_deal(commands, _left(commands, sent.game, loaded, seat, player))

    commands.load(sent.game)
    result = commands.change(sent.game, prepare, request, proof=proof)
    _list(commands, sent.game, result.loaded)
    return result


def cancel(commands: GameCommands, game: str, proof: SeatProof) -> None:
    """Remove a game that has not begun. Raises Refusal unless the seat is an organiser's."""
    for _ in range(limits.COMMIT_TRIES):
        loaded = commands.load(game, fresh=True)
        if loaded.seats[proof.seat].token != proof.token:
            raise token_invalid()
        if proof.seat not in loaded.organisers:
            raise _refused("not_organiser")
        if loaded.game is not None:
            raise _refused("begun")
        # A game whose seats have no keys cannot begin any more. So nobody's claim is lost between here and the removal.
        closed = Seats(replace(seat, token="", previous="", invitation="") for seat in loaded.seats)
        if commands.save(game, GameChange.of_seats(replace(loaded, seats=closed, open_to_anyone=False))) is not None:
            tenant_games.remove(commands, game, loaded.stored)
            return
    raise Refusal.stale(commands.load(game, fresh=True).version)


def _check(commands: GameCommands, loaded: LoadedGame, caller: int, seat: int, player: str) -> None:
    """Refuse what cannot be done with a seat."""
    if not 0 <= seat < len(loaded.seats):
        raise Refusal.malformed("seat", "The game has no such seat.")
    if seat != caller and caller not in loaded.organisers:
        raise _refused("not_organiser")
    if loaded.game is None:
        if any(holder.entropy_commitment and holder.entropy for holder in loaded.seats):
            raise _refused("revealed")
        return
    if not player or loaded.status == OVER:
        raise _refused("begun")
    if loaded.game.state.seats[seat].resigned or loaded.seats[seat].occupancy == SERVER:
        raise _refused("resigned")
    if seat == caller:
        return
    if loaded.turn_seconds or loaded.clocks is not None:
        raise _refused("clock")
    asked = loaded.decision is not None and loaded.decision.seat == seat
    if not asked or commands.now() < loaded.updated + 1000 * limits.ABSENT_SECONDS:
        raise _refused("present")


def _refused(because: str) -> Refusal:
    return Refusal("SEAT_REFUSED", SENTENCES[because], {"because": because})


def _left(commands: GameCommands, game: str, loaded: LoadedGame, seat: int, player: str) -> LoadedGame:
    """Return a game that has not been dealt with a seat that is open again, or played by the server."""
    holder = loaded.seats[seat]
    invitation = digest(invitation_for(commands.key, game, loaded.commitment, seat))
    changes: dict[str, Any] = {"token": "", "previous": "", "invitation": invitation, "server_player": player}
    changes |= {"entropy": b"", "entropy_commitment": "", "occupancy": SERVER if player else OPEN}
    if holder.occupancy != OPEN:
        changes["name"] = f"Player {seat + 1}"
    organisers = tuple(one for one in loaded.organisers if one != seat)
    return replace(loaded.with_seat(seat, **changes), organisers=organisers)


def _stand_in(commands: GameCommands, loaded: LoadedGame, seat: int, player: str) -> GameChange:
    """Return the change that lets the server play on for a seat."""
    change = GameChange(loaded, commands.now())
    change.stand_in(seat, player)
    return change


def _list(commands: GameCommands, game: str, loaded: LoadedGame) -> None:
    """List an open game that waits for players again, or remove it from the lists if it does not wait any more. If the
    store cannot be reached, the next reader of the list removes it."""
    if not loaded.open_to_anyone:
        return
    if not loaded.has_open_seats:
        open_games.started(commands, game, loaded)
        return
    with suppress(StoreUnavailable):
        stored = loaded.stored
        listed_games.add(commands.store.client, stored.tenant, loaded.host, game, stored.created)
