"""Loads games and changes them: the rules judge each change, and it is committed as one step.

A change is prepared on a loaded game and committed only if the stored game is still at that revision. If another
commit came first, the game is loaded and the change prepared again, at most COMMIT_TRIES times. If the rules refuse a
change of a game from memory, the change is prepared again on the stored game, so that no caller is refused because of
an old state.

    change      prepares a change, and prepares it again if it has to (games/game_change.py)
    save        adds what the service keeps beside the game, and the follow-up work after the commit
    store       adds the links of the log, and keeps the game in memory (store/game_store.py)
    script      writes everything in one step, or nothing (store/commit.py)

A repeated request is answered with its first outcome: a commit stores its request, and before a change is refused, its
request is looked up.
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
from ..metrics import CONFLICTS
from ..notices.feed import NoticeFeed
from ..notices.game_notices import notices_of
from ..store import Commit, GameStore, Outcome, Request, Stale, StoredGame, StoreUnavailable, TooEarly
from .automatic import orders
from .automatic.bots import BotQueue
from .game_change import GameChange, has_due_decision
from .loaded_game import LoadedGame, encoded_fields
from .retention import Retention

PrepareChange = Callable[[LoadedGame], GameChange]
"""Prepares a change of a loaded game. Raises Refusal or an error of the rules."""


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """The result of a change: the game after it, and the events."""

    loaded: LoadedGame
    events: Sequence[Event] = ()
    links: Mapping[int, str] = field(default_factory=dict)
    """By version: the links of the chain, for all versions that the events have."""
    repeated: bool = False
    """Whether this is the outcome of an earlier call with the same request."""
    before: LoadedGame | None = None
    """The game before the change; None if it did not change."""


@dataclass(frozen=True, slots=True)
class SeatProof:
    """A seat, and the digest of the token with which the caller proved that the seat is its own."""

    seat: int
    token: str
    loaded: LoadedGame | None = None
    """The game with which the token was compared. It may be older than the stored one."""


class GameCommands:
    """The commands on the games of a store. Safe to share between threads."""

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
        self.key = key or seat_keys.stored_key(store.client)
        """The key from which invitations, tokens and page tokens are computed."""
        self.retention = retention or Retention()
        """How long a game is kept after its last change."""
        self.replay = Replay(store)
        self.audit = AuditLog(store.client, self.now, audit_days)
        self.delayed = DelayedGames(self.replay, store)
        self.exports = Exports(self.replay, store.client)
        self.bots = BotQueue(store.client)
        self.feed = NoticeFeed(store.client)
        self._clock = clock or store.clock.now

    def now(self) -> int:
        """Return the time of the store's clock in milliseconds of Unix time. Deadlines are set and compared by it."""
        return int(1000 * self._clock())

    # -- Reading ---------------------------------------------------------------------------------------------------

    def load(self, game: str, min_version: int = 0, *, fresh: bool = False) -> LoadedGame:
        """Return the game at this version or a later one, after `take_due_decisions`."""
        return self.take_due_decisions(game, self.store.load(game, min_version, fresh=fresh))

    def take_due_decisions(self, game: str, loaded: LoadedGame) -> LoadedGame:
        """Commit every decision of the game that needs no person: server players, standing orders, deadlines that have
        passed. Return the game after them; the given game if there are none, or if the store takes no writes."""
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
        id. Costs one dict lookup."""
        loaded = self.store.cached(game, min_version)
        return loaded if loaded is not None and loaded.changes_only_by_calls else None

    def dealt(self, game: str, min_version: int = 0) -> tuple[LoadedGame, Game]:
        """Return the game at this version or a later one, loaded and as the rules have it. Refuses a game that is not
        dealt yet."""
        loaded = self.load(game, min_version)
        return loaded, running(loaded)

    # -- Changing --------------------------------------------------------------------------------------------------

    def change(
        self,
        game: str,
        prepare: PrepareChange,
        request: Request | None = None,
        *,
        min_version: int = 0,
        proof: SeatProof | None = None,
    ) -> ChangeResult:
        """Prepare a change and commit it, with all decisions after it that need no person. With `proof`, the seat's
        token is compared with the game that the change is prepared on. The first attempt may then use an older game
        from memory, because the store compares its revision before it commits."""
        loaded = proof.loaded if proof is not None else None
        if loaded is not None and loaded.stored.version < min_version:
            loaded = None
        fresh = False
        for _ in range(limits.COMMIT_TRIES):
            if loaded is None:
                loaded = self.store.load(game, min_version, fresh=fresh)
            try:
                if proof is not None and loaded.tokens[proof.seat] != proof.token:
                    raise token_invalid()
                change = prepare(loaded)
                change.take_automatic_decisions()
            except (Refusal, AlhambraError) as refused:
                if fresh:
                    known = self.first_outcome(game, request)
                    if known is not None:
                        return known
                    raise from_error(refused, loaded.version, loaded.names) from None
            else:
                if change.changed:
                    result = self.save(game, change, request)
                    if result is not None:
                        return replace(result, before=loaded)
                elif fresh or proof is None:
                    return self.first_outcome(game, request) or ChangeResult(loaded)
            loaded, fresh = None, True
        raise Refusal.stale(self.store.load(game, fresh=True).version)

    def save(
        self, game: str, change: GameChange, request: Request | None = None, note: str = ""
    ) -> ChangeResult | None:
        """Commit a change. Return None if it must be prepared again, on the newest game: another commit came first, or
        the change answers a decision whose deadline has not passed by the store's clock."""
        loaded = self.retained(change.loaded)
        before = loaded.stored
        advance = before.advanced(change.log_lines, **encoded_fields(loaded))
        loaded = replace(loaded, stored=advance.stored)
        notices = self.notices_for(game, before, loaded, started=change.deals)
        commit = Commit(game, advance, request, note, loaded.ttl, change.not_before, loaded, loaded.over, notices)
        try:
            outcome = self.store.commit(commit)
        except Stale:
            CONFLICTS.inc()
            return None
        except TooEarly:  # the clock of this process was ahead, and the store has corrected it
            return None
        if outcome.repeated:
            return self._first_outcome(game, outcome)
        links = {before.version: before.link}
        for entry in advance.entries:
            links[entry.version] = entry.link
        result = ChangeResult(loaded, change.events, links)
        if notices:
            self.relay_notices(game, loaded)
        self._follow_up(game, before, result)
        return result

    def notices_for(self, game: str, before: StoredGame, loaded: LoadedGame, *, started: bool) -> Sequence[bytes]:
        """Return the notices of a commit; none if nobody wants those of the tenant."""
        if not self.feed.wanted(before.tenant):
            return ()
        return notices_of(game, before, loaded, self.now(), started=started)

    def relay_notices(self, game: str, loaded: LoadedGame) -> None:
        """Move the notices of a commit into the feed of the tenant, after the caller is answered. If that fails, they
        stay with the game until its next commit, or until the process that sends webhooks finds them in the set of
        running games. A game that has ended leaves that set, so its notices are moved before."""
        if not loaded.over:
            self.feed.relay_soon(game, loaded.stored.tenant)
            return
        with suppress(StoreUnavailable):
            self.feed.relay(game, loaded.stored.tenant)

    def _follow_up(self, game: str, before: StoredGame, result: ChangeResult) -> None:
        """Do what follows a commit. If the process dies before it, later calls make up for it."""
        loaded = result.loaded
        stored, over = loaded.stored, loaded.over
        if over or stored.version // limits.MEASURED_EVERY > before.version // limits.MEASURED_EVERY:
            self.store.count(game, stored.tenant, stored.created, running=not over)
        if stored.link != before.link:
            self.replay.recent.add(game, before.link, stored.link, before.version + 1, result.events, result.links)
        if over and stored.version > before.version:
            self.exports.keep(game, loaded)
        elif over:
            self.exports.keep_longer(game, loaded)
        if stored.version >= limits.CHECKPOINT_VERSIONS:
            self._save_checkpoint(game, loaded)
        if loaded.has_server_players:
            self.bots.changed(game, loaded, self.now())

    def _save_checkpoint(self, game: str, loaded: LoadedGame) -> None:
        """Save a checkpoint if one is due. Replays start from checkpoints."""
        checkpoints, played = self.replay.checkpoints, loaded.game
        if played is not None and checkpoints.wanted(game, played, loaded.version):
            found = Checkpoint(loaded.version, loaded.stored.link, played)
            checkpoints.save(game, loaded, found, loaded.last_mover)

    def retained(self, loaded: LoadedGame) -> LoadedGame:
        """Return the game with the seconds after which it is deleted if it does not change."""
        seconds = self.retention.seconds(loaded)
        return loaded if loaded.ttl == seconds else replace(loaded, ttl=seconds)

    def first_outcome(self, game: str, request: Request | None) -> ChangeResult | None:
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
        known = proof.loaded or self.store.newest_known(game)
        known = self.take_due_decisions(game, known)
        proof = proof if known is proof.loaded else replace(proof, loaded=known)

        def prepare(loaded: LoadedGame) -> GameChange:
            require_open(loaded, version)
            if link:
                self._require_link(game, loaded, version, link)
            change = GameChange(loaded, self.now())
            change.move(proof.seat, move)
            return change

        return self.change(game, prepare, request, min_version=version, proof=proof)

    def dry_run(
        self, game: str, seat: int, move: Move, version: int, link: str = ""
    ) -> tuple[LoadedGame, tuple[Violation, ...]]:
        """Return the game, and the violations of a move without making it. Refuses what `apply` refuses before it
        judges the move."""
        loaded, played = self.dealt(game, version)
        require_open(loaded, version)
        if link:
            self._require_link(game, loaded, version, link)
        return loaded, played.verify(move, seat)

    def _require_link(self, game: str, loaded: LoadedGame, version: int, link: str) -> None:
        """Refuse a caller that has seen another history of the game: the store lost it in a fail-over."""
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

        def prepare(loaded: LoadedGame) -> GameChange:
            change = GameChange(loaded, self.now())
            change.set_orders(seat, checked)
            return change

        return self.change(game, prepare, request)


def running(loaded: LoadedGame) -> Game:
    """Return the game of the rules in a loaded game. Refuses with GAME_WAITING until the cards are dealt."""
    if loaded.game is None:
        message = "Seats are open, or have not revealed their entropy: nothing has been dealt yet."
        raise Refusal("GAME_WAITING", message)
    return loaded.game


def require_open(loaded: LoadedGame, version: int) -> None:
    """Refuse the answer to a decision that is no longer open."""
    newest = loaded.stored.version
    if running(loaded).decision is not None and not loaded.since <= version <= newest:
        raise Refusal.stale(newest)
