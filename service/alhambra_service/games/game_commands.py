"""Changes of stored games: the rules judge each change, and it is committed as one step.

A change is judged on a loaded table and committed only on top of exactly that state. If another commit came first, the
table is loaded and the change judged again, at most COMMIT_TRIES times. If a cached table refuses a change, the change
is judged again on a fresh one, so that no caller is refused because of an old state.

A repeated request is answered with the first outcome: a commit remembers its request, and before a change is refused
its request is looked up there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from alhambra import AlhambraError, Event, Game, Move, Violation

from .. import limits
from ..auth import seat_keys
from ..auth.access import token_invalid
from ..auth.audit_log import AuditLog
from ..events.checkpoints import Checkpoint
from ..events.delayed_games import DelayedGames
from ..events.exports import Exports
from ..events.replay import Replay
from ..messages.refusals import Refusal, from_error
from ..store import GameStore, Outcome, Request, Stale, StoredGame, StoreUnavailable, TooEarly
from .automatic import orders
from .automatic.bots import BotQueue
from .game_change import GameChange, has_due_decision
from .loaded_game import OVER, LoadedGame, encode
from .retention import Retention

PrepareChange = Callable[[LoadedGame], GameChange]
"""Applies a change to a table and returns it as Progress; raises Refusal or an error of the rules."""


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """The result of a change: the table after it, and the events."""

    loaded: LoadedGame
    events: Sequence[Event] = ()
    links: Mapping[int, str] = field(default_factory=dict)
    """By version: the links of the chain, for all versions that the events have."""
    repeated: bool = False
    """Whether this is the outcome of an earlier, equal request."""


@dataclass(frozen=True, slots=True)
class SeatProof:
    """A seat, and the digest of the token with which the caller proved that the seat is its own."""

    seat: int
    token: str


class GameCommands:
    """All games of the store. Safe to share between threads."""

    def __init__(
        self,
        store: GameStore[LoadedGame],
        *,
        key: bytes | None = None,
        retention: Retention | None = None,
        audit_days: int = limits.AUDIT_DAYS,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.store = store
        self.key = key or seat_keys.kept_key(store)
        """The key from which invitations, tokens and page tokens are computed."""
        self.retention = retention or Retention()
        """How long a game is kept after its last change."""
        self.replay = Replay(store)
        self.audit = AuditLog(store.client, self.now, audit_days)
        self.delayed = DelayedGames(self.replay, store)
        self.exports = Exports(self.replay, store.client)
        self.bots = BotQueue(store.client)
        self._clock = clock or store.now

    def now(self) -> int:
        """Return the time of the store's clock in milliseconds of Unix time. Deadlines are set and compared by it."""
        return int(1000 * self._clock())

    # -- Reading ---------------------------------------------------------------------------------------------------

    def load(self, game: str, min_version: int = 0, *, fresh: bool = False) -> LoadedGame:
        """Return the game at this version or a later one, after `take_due_decisions`."""
        return self.take_due_decisions(game, self.store.load(game, min_version, fresh=fresh))

    def take_due_decisions(self, game: str, loaded: LoadedGame) -> LoadedGame:
        """Commit every decision of the game that needs no person: server players, standing orders, deadlines that have
        passed. Return the table after them; the given table if there are none, or if the store takes no writes."""
        if loaded.changes_only_by_calls:
            return loaded
        if has_due_decision(loaded, self.now()):
            with suppress(StoreUnavailable):  # a store that takes no writes can still be read
                loaded = self.change(game, lambda current: GameChange(current, self.now())).loaded
        if not loaded.changes_only_by_calls:
            self.bots.seen(game, loaded, self.now())
        return loaded

    def cached(self, game: str, min_version: int) -> LoadedGame | None:
        """Return the game from memory if it is new enough and waits for a person; otherwise None, also for a malformed
        id: `load` it then. Costs one look-up in a dict."""
        loaded = self.store.cached(game, min_version)
        return loaded if loaded is not None and loaded.changes_only_by_calls else None

    def dealt(self, game: str, min_version: int = 0) -> tuple[LoadedGame, Game]:
        """Return the game at this version or a later one, and its rules state; refuse a game that is not
        dealt yet."""
        loaded = self.load(game, min_version)
        return loaded, running(loaded)

    # -- Changing --------------------------------------------------------------------------------------------------

    def change(
        self,
        game: str,
        judge: PrepareChange,
        request: Request | None = None,
        *,
        min_version: int = 0,
        proof: SeatProof | None = None,
    ) -> ChangeResult:
        """Judge a change and commit it, with all decisions after it that need no person. With `proof`, the seat's token
        is compared with the table that is judged; then an older table from memory may be used, because the store
        compares its revision before it commits."""
        fresh = False
        for _ in range(limits.COMMIT_TRIES):
            if fresh or proof is None:
                loaded = self.store.load(game, min_version, fresh=fresh)
            else:
                loaded = self.store.newest_known(game, min_version)
            try:
                if proof is not None and loaded.tokens[proof.seat] != proof.token:
                    raise token_invalid()
                change = judge(loaded)
                change.take_automatic_decisions()
            except (Refusal, AlhambraError) as refused:
                if not fresh:
                    fresh = True
                    continue
                known = self._known(game, request)
                if known is not None:
                    return known
                raise from_error(refused, loaded.version, loaded.names) from None
            if not change.changed:
                if proof is not None and not fresh:
                    fresh = True
                    continue
                return self._known(game, request) or ChangeResult(loaded)
            with suppress(TooEarly):  # the clock of this process was ahead; it is corrected now, so judge again
                found = self.commit(
                    game,
                    change.loaded,
                    change.log_lines,
                    change.events,
                    request,
                    not_before=change.not_before,
                )
                if found is not None:
                    return found
            fresh = True
        raise Refusal.stale(self.store.load(game, fresh=True).version)

    def commit(
        self,
        game: str,
        loaded: LoadedGame,
        texts: Sequence[str] = (),
        events: Sequence[Event] = (),
        request: Request | None = None,
        note: str = "",
        not_before: int = 0,
    ) -> ChangeResult | None:
        """Store a changed table in place of the one that it was made from. Return None if another commit came first.
        Raises TooEarly if `not_before`, a deadline that the change needs, has not passed by the store's clock."""
        loaded = self.retained(loaded)
        before = loaded.stored.link

        def decoded(advanced: StoredGame) -> LoadedGame:
            return replace(loaded, stored=advanced)

        try:
            done = self.store.advance(
                game,
                encode(loaded),
                texts,
                request,
                note=note,
                ttl=loaded.ttl,
                not_before=not_before,
                decoded=decoded,
            )
        except Stale:
            return None
        outcome, found = done.outcome, done.value
        if found is None:
            return self._first_outcome(game, outcome)
        over = found.status == OVER
        if over or outcome.version // limits.MEASURED_EVERY > outcome.first // limits.MEASURED_EVERY:
            self.store.count(game, found.stored.tenant, found.stored.created, running=not over)
        links = {outcome.first: before}
        for entry in done.entries:
            links[entry.version] = entry.link
        self.replay.recent.add(game, before, found.stored.link, outcome.first + 1, events, links)
        if over and texts:
            self.exports.keep(game, found)
        elif over:
            self.exports.keep_longer(game, found)
        self._save_checkpoint(game, found)
        self.bots.changed(game, found, self.now())
        return ChangeResult(found, events, links)

    def _save_checkpoint(self, game: str, loaded: LoadedGame) -> None:
        """Make a mark if one is due. Replays start from marks."""
        checkpoints, played = self.replay.checkpoints, loaded.game
        if played is not None and checkpoints.wanted(game, played, loaded.version):
            checkpoints.make(game, loaded, Checkpoint(loaded.version, loaded.stored.link, played), loaded.last_mover)

    def retained(self, loaded: LoadedGame) -> LoadedGame:
        """Return the table with the seconds after which it is deleted if it does not change."""
        seconds = self.retention.seconds(loaded)
        return loaded if loaded.ttl == seconds else replace(loaded, ttl=seconds)

    def _known(self, game: str, request: Request | None) -> ChangeResult | None:
        """Return the first outcome of a repeated request; None if the request is not remembered."""
        outcome = self.store.outcome(game, request) if request is not None else None
        return self._first_outcome(game, outcome) if outcome is not None else None

    def _first_outcome(self, game: str, outcome: Outcome) -> ChangeResult:
        """Return the result that a repeated request had the first time."""
        loaded = self.store.load(game, outcome.version)
        first, last = outcome.first + 1, outcome.version
        events, links = self.replay.linked_events(game, loaded, first, last)
        return ChangeResult(self.replay.at_version(game, loaded, last), events, links, repeated=True)

    # -- Moves -----------------------------------------------------------------------------------------------------

    def apply(
        self, game: str, proof: SeatProof, move: Move, version: int, request: Request | None = None, *, link: str = ""
    ) -> ChangeResult:
        """Make a move for a seat. `version` is the one that the caller saw; the decision of that version must still be
        open. With `link`, the first digits of a link, the version must have that link."""
        self.take_due_decisions(game, self.store.newest_known(game))

        def judge(loaded: LoadedGame) -> GameChange:
            require_open(loaded, version)
            self._require_link(game, loaded, version, link)
            change = GameChange(loaded, self.now())
            change.move(proof.seat, move)
            return change

        return self.change(game, judge, request, min_version=version, proof=proof)

    def dry_run(
        self, game: str, seat: int, move: Move, version: int, link: str = ""
    ) -> tuple[LoadedGame, tuple[Violation, ...]]:
        """Return the game, and the violations of a move that is not made. Refuses what `apply` refuses before it judges
        the move."""
        loaded, played = self.dealt(game, version)
        require_open(loaded, version)
        self._require_link(game, loaded, version, link)
        return loaded, played.verify(move, seat)

    def _require_link(self, game: str, loaded: LoadedGame, version: int, link: str) -> None:
        """Refuse a caller that has seen another history of the game: the store lost it in a fail-over."""
        if not link:
            return
        if version == loaded.version:
            known = loaded.stored.link
        elif version == 0:
            known = loaded.stored.opening
        else:
            known = "".join(entry.link for entry in self.store.log(game, version - 1, 1))
        if not known.startswith(link):
            raise Refusal.stale(loaded.version)

    def set_orders(
        self, game: str, seat: int, given: Sequence[orders.Order], request: Request | None = None
    ) -> ChangeResult:
        """Replace the standing orders of a seat."""
        loaded = self.load(game)
        checked = orders.checked(given, loaded.ruleset)
        running(loaded)

        def judge(loaded: LoadedGame) -> GameChange:
            change = GameChange(loaded, self.now())
            change.set_orders(seat, checked)
            return change

        return self.change(game, judge, request)


def running(loaded: LoadedGame) -> Game:
    """Return the game of a table. Refuses with GAME_WAITING until the cards are dealt."""
    if loaded.game is None:
        message = "Seats are open, or have not revealed their entropy: nothing has been dealt yet."
        raise Refusal("GAME_WAITING", message)
    return loaded.game


def require_open(loaded: LoadedGame, version: int) -> None:
    """Refuse the answer to a decision that is no longer open."""
    if running(loaded).decision is not None and not loaded.since <= version <= loaded.version:
        raise Refusal.stale(loaded.version)
