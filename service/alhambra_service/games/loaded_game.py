"""One stored game as the service uses it: the game itself, its seats, and other data of the service.

A LoadedGame is a value. Threads share it, and it is never changed: to apply a move, clone its game first and make a new
LoadedGame with `replace` (`game_change.py`). Only `decode` and `encode` know how it is stored.

The log of a decoded game has the right length, but only the entry that an undo would take back is real. The earlier
entries are in the store; `events/replay.py` reads and replays them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from google.protobuf.message import Message

from alhambra import (
    AlhambraError,
    BadState,
    Decision,
    Game,
    Options,
    Ruleset,
    commitment,
    rules_for,
)
from alhambra.export import stored_rules

from .. import limits
from ..auth.credentials import digest, matching_index
from ..boards.placements import JudgePlacement
from ..events.checkpoints import game_at
from ..messages.encoded_views import EncodedView, ViewCache
from ..store import DamagedGame, NewerGame, RulesChanged, StoredGame, StoreError
from .automatic.clocks import Clocks
from .automatic.orders import Order, Orders

OPEN, CLAIMED, SERVER = "open", "claimed", "server"
"""The states of a seat: open, taken by the holder of a token, played by the server."""
WAITING, RUNNING, OVER = "waiting", "running", "over"
"""The states of a game."""
UNDEALT = "undealt"
"""The seed until the cards are dealt. It is never shown, and nothing is drawn from it."""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """The player of a seat, and the digests of its keys."""

    name: str
    colour: str
    age: int | None = None
    occupancy: str = OPEN
    server_player: str = ""
    """The player of the server or bot that has the seat; empty for a person."""
    invitation: str = ""
    """The hash of the invitation; empty once the token that it was exchanged for has been used."""
    token: str = ""
    """The hash of the token."""
    previous: str = ""
    """The hash of the token before this one; it can only repeat the request that replaced it."""
    issued: int = 0
    """How many tokens were issued for the seat."""
    entropy: bytes = b""
    """The bytes that the seat contributed to the seed; empty until it revealed them."""
    entropy_commitment: str = ""
    """The SHA-256 of what the seat will reveal; empty if it contributes nothing, or sent its entropy with the claim."""


class Seats(tuple[SeatHolder, ...]):
    """The seats of a game in order, with what is computed from them once: few changes of a game change its seats."""

    names: tuple[str, ...]
    """The names of the players."""
    tokens: tuple[str, ...]
    """The digests of the valid tokens, "" for a seat without one."""
    server_players: tuple[str, ...]
    """The players of the server and bots, "" for a person."""
    plain: list[dict[str, Any]]
    """The seats as JSON-ready data. Never change it."""

    def __new__(cls, holders: Iterable[SeatHolder]) -> Seats:
        """Return the seats with these holders; the given ones if they are Seats already."""
        if type(holders) is cls:
            return holders
        self = super().__new__(cls, holders)
        self.names = tuple([seat.name for seat in self])
        self.tokens = tuple([seat.token for seat in self])
        self.server_players = tuple([seat.server_player for seat in self])
        self.plain = [_plain(seat) for seat in self]
        return self


@dataclass(frozen=True, slots=True)
class Proposal:
    """An undo that waits for the consent of others."""

    seat: int
    version: int
    waiting_for: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LoadedGame:
    """A stored game, decoded."""

    stored: StoredGame
    options: Options
    game: Game | None
    """None until the cards are dealt."""
    seats: Seats
    orders: Orders
    since: int = 0
    """The version at which the open decision began."""
    deadline: int | None = None
    """When the server answers the open decision in place of the seat, in milliseconds of Unix time; None for never."""
    turn_seconds: int = 0
    clocks: Clocks | None = None
    """The time that each seat has left; None in a game without clocks."""
    seats_only: bool = False
    """Whether only the seats and the host can see the game."""
    spectator_delay: int = 0
    """The delay of spectators in entries of the log; 0 if they see the game as it stands."""
    seed_given: bool = False
    open_to_anyone: bool = False
    """Whether its open seats can be claimed without an invitation, and a list shows it while it waits for players."""
    host: str = ""
    """The name of the API key that created an open game; empty for other games and on servers without keys."""
    language: str = ""
    """The language of the players, as the host declared it."""
    no_hints: bool = False
    """Whether hints are refused."""
    organisers: Sequence[int] = ()
    """The seats that were claimed when the game was created. They may cancel it and give seats of others to the server
    (`seats/leave_seat.py`)."""
    by_order: Mapping[int, int] = field(default_factory=dict)
    """By version: the seat whose standing order made that move. No other seat may learn of it."""
    proposal: Proposal | None = None
    updated: int = 0
    """When the log grew last, or the game was created, in milliseconds of Unix time."""
    last_mover: int | None = None
    """The seat of the last entry that was not taken back; None if that entry is not a move."""
    undos: int = 0
    """How many moves were taken back."""
    creation: str = ""
    """The digest of the request that created the game."""
    ttl: int = 0
    """Seconds after its last change until the game is deleted; 0 for never."""
    view_cache: ViewCache = field(repr=False, compare=False, default_factory=ViewCache)
    """What is known of the views of this game; `replace` hands it on to later versions."""
    names: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The names of the players, by seat."""
    tokens: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The digests of the valid tokens, one for each seat, "" for a seat without one."""
    over: bool = field(init=False, repr=False, compare=False)
    """Whether the game has ended."""
    under_other_rules: bool = field(init=False, repr=False, compare=False)
    """Whether the state of a running game was written under other rules than these. The next change carries it forward;
    a finished game stays as it is."""
    has_server_players: bool = field(init=False, repr=False, compare=False)
    """Whether a seat is played by the server or by a bot."""
    changes_only_by_calls: bool = field(init=False, repr=False, compare=False)
    """Whether the game changes only by calls: no decision is open, or the open one waits for a person who has no
    deadline and no standing orders."""
    answers: dict[tuple[object, ...], bytes] = field(init=False, repr=False, compare=False, default_factory=dict)
    """Cached answers as bytes, by the keys of `kept_answer`."""
    views: dict[tuple[int | None, str | None], EncodedView] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    """By viewer and language: the view; made by `encoded_view`."""
    judges: dict[int, JudgePlacement] = field(init=False, repr=False, compare=False, default_factory=dict)
    """By seat: the function that judges placements in its Alhambra; made for the first placement."""

    def __post_init__(self) -> None:
        # Computed once for all readers of the game.
        put, game, seats = object.__setattr__, self.game, self.seats
        over = game is not None and game.over
        decision = game.decision if game is not None else None
        players = seats.server_players
        put(self, "names", seats.names)
        put(self, "tokens", seats.tokens)
        put(self, "over", over)
        put(self, "under_other_rules", game is not None and not over and game.ruleset.id != self.stored.ruleset)
        put(self, "has_server_players", any(players))
        waits_for_person = decision is None or (
            self.deadline is None and not players[decision.seat] and not self.orders[decision.seat]
        )
        put(self, "changes_only_by_calls", waits_for_person)

    def cached_answer(self, key: tuple[object, ...], make: Callable[[], Message]) -> bytes:
        """Return an answer about this game as bytes. `make` is called only the first time. The key must contain
        everything that the answer depends on besides the game: the call, the seat, the language."""
        found = self.answers.get(key)
        if found is None:
            found = make().SerializeToString()
            if len(self.answers) >= limits.ANSWERS_PER_GAME:
                self.answers.clear()
            self.answers[key] = found
        return found

    @property
    def version(self) -> int:
        """The number of entries in the log."""
        return self.stored.version

    @property
    def status(self) -> str:
        """Whether the game is not dealt yet, runs, or is over."""
        return WAITING if self.game is None else OVER if self.over else RUNNING

    @property
    def decision(self) -> Decision | None:
        """The open decision; None before the cards are dealt, and when the game is over."""
        return self.game.decision if self.game is not None else None

    @property
    def seat_on_clock(self) -> int | None:
        """The seat whose clock runs; None if none does."""
        decision = self.decision
        if self.clocks is None or not self.clocks.left or decision is None or self.seats.server_players[decision.seat]:
            return None
        return decision.seat

    @property
    def ruleset(self) -> Ruleset:
        """The compiled rules, also before the cards are dealt."""
        return self.game.ruleset if self.game is not None else rules_for(self.options)

    @property
    def commitment(self) -> str:
        """The commitment to the secret, which was published when the game was created."""
        return commitment(self.stored.secret)

    @property
    def entropies(self) -> tuple[bytes, ...]:
        """The contributions of the seats to the seed, in seat order."""
        return tuple(seat.entropy for seat in self.seats)

    @property
    def entropy_commitments(self) -> tuple[str, ...]:
        """The SHA-256 of what each seat contributes to the seed, in seat order; "" for a seat that contributes nothing.
        Entropy that a seat sent with its claim is shown in this way, too, so that a seat that reveals later sees that
        it is fixed."""
        return tuple(
            seat.entropy_commitment or (commitment(seat.entropy) if seat.entropy else "") for seat in self.seats
        )

    @property
    def entropy_awaited(self) -> tuple[int, ...]:
        """The seats that must reveal their entropy before the cards are dealt; none while a seat is open."""
        if self.game is not None or self.has_open_seats:
            return ()
        return tuple(number for number, seat in enumerate(self.seats) if seat.entropy_commitment and not seat.entropy)

    @property
    def has_open_seats(self) -> bool:
        """Whether a seat can still be claimed for the first time."""
        return any(seat.occupancy == OPEN for seat in self.seats)

    @property
    def expires(self) -> int | None:
        """When the game will be deleted, in milliseconds of Unix time; None for never."""
        return self.updated + 1000 * self.ttl if self.ttl else None

    def can_undo(self, seat: int) -> bool:
        """Return whether the seat can take its last move back without the consent of others."""
        if self.game is None or self.under_other_rules:  # nothing is taken back across a change of the rules
            return False
        return self.undos < limits.UNDOS_PER_GAME and self.game.can_undo(seat) is None

    def seat_of_invitation(self, invitation: str) -> int | None:
        """Return the seat of an invitation; None if the invitation is not valid."""
        return self._seat_of(invitation, [seat.invitation for seat in self.seats])

    def seat_of_previous(self, token: str) -> int | None:
        """Return the seat that had this token before it was replaced; None if there is none."""
        return self._seat_of(token, [seat.previous for seat in self.seats])

    def _seat_of(self, text: str, hashes: list[str]) -> int | None:
        if not 0 < len(text) <= limits.BEARER_CHARS:
            return None
        return matching_index(digest(text), hashes)

    def with_seat(self, number: int, **changes: Any) -> LoadedGame:
        """Return the game with one seat changed. A new name is written into the options, too."""
        holder = replace(self.seats[number], **changes)
        seats = Seats((*self.seats[:number], holder, *self.seats[number + 1 :]))
        found = replace(self, seats=seats)
        return replace(found, options=_renamed(found)) if "name" in changes else found

    def with_orders(self, number: int, given: tuple[Order, ...]) -> LoadedGame:
        """Return the game with the orders of one seat replaced."""
        return replace(self, orders=(*self.orders[:number], given, *self.orders[number + 1 :]))


def _renamed(loaded: LoadedGame) -> Options:
    seats = [{"name": seat.name, "colour": seat.colour, "age": seat.age} for seat in loaded.seats]
    return Options.read({**loaded.options.as_dict(), "seats": seats})


# -- Stored and read -------------------------------------------------------------------------------------------------


def decode(stored: StoredGame) -> LoadedGame:
    """Return a stored game, decoded. A game that an older version wrote is carried forward. Raises NewerGame,
    RulesChanged or DamagedGame if it cannot be read."""
    kept = stored.service
    try:
        options, _ = stored_rules(stored.options, stored.ruleset)
        seats = Seats(map(_read_seat, kept["seats"]))
        return LoadedGame(
            stored,
            options,
            _decode_game(stored, options, kept.get("last_mover")) if stored.state else None,
            seats,
            _read_orders(kept.get("orders", {}), len(seats)),
            clocks=Clocks.read(kept["clocks"]) if "clocks" in kept else None,
            proposal=_read_proposal(kept.get("proposal")),
            by_order=dict(kept.get("by_order", ())),
            **{name: kept[name] for name in PLAIN if name in kept},
        )
    except (AlhambraError, KeyError, TypeError, ValueError) as fault:
        raise _unreadable(stored, fault) from fault


def is_over(stored: StoredGame) -> bool:
    """Return whether a stored game has ended. Raises NewerGame, RulesChanged or DamagedGame if it cannot be read."""
    return decode(stored).status == OVER


PLAIN = (
    *("since", "deadline", "turn_seconds", "seats_only", "spectator_delay", "seed_given"),
    *("open_to_anyone", "host", "language", "organisers", "no_hints"),
    *("updated", "last_mover", "undos", "creation", "ttl"),
)
"""The fields of a LoadedGame that are stored as they are."""


def encode(loaded: LoadedGame) -> StoredGame:
    """Return the stored game of a loaded game, which `decode` reads."""
    return replace(loaded.stored, **encoded_fields(loaded))


def encoded_fields(loaded: LoadedGame) -> dict[str, Any]:
    """Return the fields of a StoredGame that hold a loaded game. Its other fields never depend on the loaded game."""
    kept: dict[str, Any] = {name: value for name in PLAIN if (value := getattr(loaded, name))}
    if loaded.last_mover is not None:
        kept["last_mover"] = loaded.last_mover
    kept["seats"] = loaded.seats.plain
    if loaded.clocks is not None:
        kept["clocks"] = loaded.clocks.plain
    if loaded.by_order:
        kept["by_order"] = sorted(loaded.by_order.items())
    if any(loaded.orders):
        orders = {str(seat): [order.as_dict() for order in given] for seat, given in enumerate(loaded.orders) if given}
        kept["orders"] = orders
    if loaded.proposal is not None:
        kept["proposal"] = _plain(loaded.proposal)
    if loaded.game is None:
        return {"service": kept, "options": loaded.options.document()}
    return {"service": kept, "state": loaded.game.state_bytes()}


def _plain(value: SeatHolder | Proposal) -> dict[str, Any]:
    """Return the fields of a seat or proposal as JSON-ready data, without empty ones."""
    found = {name: getattr(value, name) for name in value.__slots__}
    return {
        name: entry.hex() if isinstance(entry, bytes) else entry
        for name, entry in found.items()
        if entry not in (None, "", b"")
    }


def _read_seat(kept: Mapping[str, Any]) -> SeatHolder:
    return SeatHolder(**{**kept, "entropy": bytes.fromhex(kept.get("entropy", ""))})


def _unreadable(stored: StoredGame, fault: Exception) -> StoreError:
    """Return the error for a game that cannot be read: NewerGame if a newer version wrote it, RulesChanged if it cannot
    be carried forward to these rules, otherwise DamagedGame."""
    if isinstance(fault, BadState) and fault.code == "ENGINE_TOO_OLD":
        known = f"{fault.metadata['what']} {fault.metadata['known']}"
        return NewerGame(fault.message, written_by=stored.ruleset, known=known)
    with suppress(AlhambraError):
        _, rules = stored_rules(stored.options, stored.ruleset)
        if stored.state and rules.id != stored.ruleset:
            message = f"the game was written under {stored.ruleset} and cannot be carried forward to {rules.id}"
            return RulesChanged(message, written_by=stored.ruleset, known=rules.id)
    return DamagedGame("a stored game cannot be read by the rules")


def _decode_game(stored: StoredGame, options: Options, last_mover: int | None) -> Game:
    return game_at(options, stored.version, stored.state, last_mover, stored.origin)


def _read_orders(kept: Mapping[str, Any], seats: int) -> Orders:
    return tuple(tuple(Order.read(order) for order in kept.get(str(seat), ())) for seat in range(seats))


def _read_proposal(kept: Mapping[str, Any] | None) -> Proposal | None:
    return None if kept is None else Proposal(kept["seat"], kept["version"], tuple(kept["waiting_for"]))
