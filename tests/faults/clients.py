"""Players and spectators of a round. They insist: a call without an answer is sent again, through another door, until
it is answered for good. Every call is noted in the history."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from .doors import CALL_SECONDS, PATIENT_SECONDS, Chosen, Created, Door, GrpcDoor, Made, NoAnswer, Refused, RestDoor
from .history import BEHIND, History, Move, Outcome, Read, Watched
from .processes import await_true

PLAYERS = 6
GAMES = 6
WATCHED_GAMES = 3
PAUSE_SECONDS = 0.1
THINK_SECONDS = 0.02
HESITATION = 0.97
"""How often a player passes by a slow game."""
SETTLE_SECONDS = 4.0
"""A process that hears nothing from the store notices it within about three seconds."""
CREATE_SECONDS = 120.0
DAY = 86_400
PERSON: Mapping[str, Any] = {"claim": True}
SERVER: Mapping[str, Any] = {"server_player": "random"}
TABLES: Sequence[Sequence[Mapping[str, Any]]] = (
    (PERSON, PERSON),
    (PERSON, SERVER),
    (PERSON, PERSON, PERSON),
    (SERVER, PERSON, SERVER, PERSON),
)


@dataclass(frozen=True)
class Table:
    """A game, and which player plays which seat."""

    number: int
    game: str
    tokens: Mapping[int, str]

    @property
    def slow(self) -> bool:
        """Whether moves are rare in this game and reads are not: old states would be seen for long."""
        return self.number % 3 == 2

    def seats_of(self, player: int) -> list[int]:
        """The seats that a player plays. Each seat has one player: the server remembers the newest requests of a seat,
        and others would push them out of its memory."""
        return [seat for place, seat in enumerate(sorted(self.tokens), self.number) if place % PLAYERS == player]


class Crowd:
    """Everybody who plays and watches in a round."""

    def __init__(self, fronts: Sequence[int], services: Sequence[int], seed: int) -> None:
        """`fronts` and `services` are the ports of gateways and services. Without services everybody goes through a
        gateway and is patient, because no call may fail; every second move has no request id then."""
        self.history = History()
        self.tables: list[Table] = []
        self.all_tables: dict[str, Table] = {}
        self.counts: Counter[str] = Counter()
        self.trouble: list[Exception] = []
        """What a client did not expect."""
        self.unanswered: list[str] = []
        """Why calls had no answer."""
        self.calm = threading.Event()
        """Set while nobody shall begin anything."""
        self.hurry = threading.Event()
        """Set when slow games shall go on as fast as others."""
        self.stopping = threading.Event()
        self.giving_up = threading.Event()
        self.lock = threading.Lock()
        self._ports = (tuple(fronts), tuple(services))
        self._seed = seed
        self._players = [Player(self, number, Random(f"{seed} {number}")) for number in range(PLAYERS)]
        self.watchers: list[Watcher] = []

    def doors(self) -> list[Door]:
        """Open every way in, for one client."""
        fronts, services = self._ports
        seconds = CALL_SECONDS if services else PATIENT_SECONDS
        return [*(RestDoor(front, seconds) for front in fronts), *map(GrpcDoor, services)]

    @property
    def patient(self) -> bool:
        """Whether no call may fail."""
        return not self._ports[1]

    def no_answer(self, fault: NoAnswer) -> None:
        """Note a call without an answer."""
        self.counts["no answer"] += 1
        self.unanswered.append(str(fault))

    def start(self) -> None:
        """Create the games, begin to play and to watch."""
        for number in range(GAMES):
            self.tables.append(self._players[0].create(number))
        for number in range(2 * WATCHED_GAMES):
            table = self.tables[number % WATCHED_GAMES]
            protocol = "rest" if number < WATCHED_GAMES or self.patient else "grpc"
            self.watchers.append(Watcher(self, f"spectator {number + 1}", table.game, protocol))
        for client in (*self._players, *self.watchers):
            client.start()

    def replace(self, table: Table, create: Callable[[int], Table]) -> None:
        """Put another game in the place of one that is over."""
        with self.lock:
            if table not in self.tables:
                return
            self.tables.remove(table)
            number = len(self.all_tables)
        made = create(number)
        with self.lock:
            self.tables.append(made)

    @property
    def acknowledged(self) -> int:
        """How many moves were acknowledged until now."""
        return self.counts["acknowledged"]

    def waiting(self, tables: Sequence[Table], since: float) -> list[Table]:
        """Those of the tables that are not over and have had no acknowledged move that was sent after a moment."""
        with self.lock:
            active = {move.game for move in self.history.moves if move.outcome is Outcome.OK and move.began > since}
            return [table for table in tables if table in self.tables and table.game not in active]

    def read_settled(self) -> None:
        """Let nobody move for some time, then read every game through every door. A game that is at none of them is
        lost: it is not played any more, and the checker judges whether it may be lost."""
        self.calm.set()
        time.sleep(SETTLE_SECONDS)
        doors = self.doors()
        for table in [*self.tables]:
            gone = 0
            for door in doors:
                began = time.monotonic()
                try:
                    seen = door.read(table.game, 0)
                except (NoAnswer, Refused) as fault:
                    self.counts[f"settled read failed: {type(fault).__name__}"] += 1
                    gone += isinstance(fault, Refused) and fault.reason == "GAME_NOT_FOUND"
                    continue
                about = ("everybody", table.game, 0, began, time.monotonic(), Outcome.OK, seen.version, seen.link)
                self.history.reads.append(Read(*about, settled=True))
            if gone == len(doors):
                with self.lock:
                    self.tables.remove(table)
        for door in doors:
            door.close()
        self.calm.clear()

    def stop_playing(self, patience: float) -> None:
        """Let everybody finish what they have begun; after that time they give up."""
        self.stopping.set()
        deadline = time.monotonic() + patience
        for player in self._players:
            player.join(max(0.0, deadline - time.monotonic()))
        self.giving_up.set()
        for player in self._players:
            player.join()

    def stop_watching(self, patience: float) -> None:
        """Wait until every spectator has been told as much as there is, but not for ever; then note what they heard."""
        deadline = time.monotonic() + patience
        for watcher in self.watchers:
            wanted = self.history.truths[watcher.game].events[-1:]
            while list(watcher.events[-1:]) != list(wanted) and time.monotonic() < deadline:
                time.sleep(0.05)
        for watcher in self.watchers:
            watcher.stop()
            self.history.watched.append(watcher.noted())


class Client(threading.Thread):
    """One client with doors of its own."""

    def __init__(self, crowd: Crowd, name: str, rng: Random) -> None:
        super().__init__(name=name, daemon=True)
        self.crowd = crowd
        self.rng = rng
        self._doors = crowd.doors()

    def run(self) -> None:
        try:
            self.live()
        except Exception as trouble:
            self.crowd.trouble.append(trouble)
        finally:
            for door in self._doors:
                door.close()

    def live(self) -> None:
        """What the client does."""
        raise NotImplementedError

    def door(self, protocol: str = "") -> Door:
        """One of the doors, or of those with this protocol."""
        return self.rng.choice([door for door in self._doors if protocol in ("", door.protocol)])


class Player(Client):
    """Plays the seats that are its own, in all games."""

    def __init__(self, crowd: Crowd, number: int, rng: Random) -> None:
        super().__init__(crowd, f"player {number + 1}", rng)
        self._number = number
        self._sent = 0
        self._seen: dict[str, int] = {}

    def create(self, number: int) -> Table:
        """Create a game; the answer may be lost, the game is the same."""
        seats = TABLES[number % len(TABLES)]
        created: Created | None = None
        deadline = time.monotonic() + CREATE_SECONDS
        while created is None:
            with_deadline = DAY if number % 2 else 0
            try:
                created = self.door().create(seats, f"table {number}", with_deadline)
            except NoAnswer as fault:
                self.crowd.no_answer(fault)
                time.sleep(PAUSE_SECONDS)
                if self.crowd.giving_up.is_set() or time.monotonic() > deadline:
                    raise
        table = Table(number, created.game, created.tokens)
        with self.crowd.lock:
            self.crowd.all_tables[table.game] = table
        return table

    def live(self) -> None:
        """Play until it is time to stop."""
        while not self.crowd.stopping.is_set():
            if self.crowd.calm.is_set():
                time.sleep(PAUSE_SECONDS)
                continue
            with self.crowd.lock:
                table = self.rng.choice(self.crowd.tables)
            try:
                self._turn(table)
            except NoAnswer as fault:
                self.crowd.no_answer(fault)
                time.sleep(PAUSE_SECONDS)
            time.sleep(self.rng.random() * THINK_SECONDS)

    def _turn(self, table: Table) -> None:
        """Look at a game, and move if one of the own seats is asked."""
        demanded = self._seen.get(table.game, 0) if self.rng.random() < 0.5 else 0
        seen = self._read(table.game, demanded)
        if seen is None:
            return
        version, running, asked = seen
        if not running:
            self.crowd.replace(table, self.create)
            return
        if asked not in table.seats_of(self._number) or (table.slow and self._hesitates()):
            return
        door = self.door()
        try:
            chosen = door.choose(table.game, table.tokens[asked], version, self.rng)
        except Refused as refusal:
            self.crowd.counts[refusal.reason] += 1
            return
        if chosen is None:
            return
        if self.rng.random() < 0.05:
            chosen = Chosen(chosen.move, max(0, chosen.version - 1))
        self._sent += 1
        self._send(table, asked, chosen, door.protocol)

    def _hesitates(self) -> bool:
        return not self.crowd.hurry.is_set() and self.rng.random() < HESITATION

    def _read(self, game: str, min_version: int) -> tuple[int, bool, int | None] | None:
        began = time.monotonic()
        try:
            seen = self.door().read(game, min_version)
        except Refused as refusal:
            self._note_read(game, min_version, began, Outcome.REFUSED, reason=refusal.reason)
            if refusal.reason == BEHIND:
                self._seen.pop(game, None)  # the game may have gone back; the checker knows whether it was allowed to
            return None
        except NoAnswer:
            self._note_read(game, min_version, began, Outcome.UNKNOWN)
            raise
        self._note_read(game, min_version, began, Outcome.OK, seen.version, seen.link)
        self._seen[game] = seen.version
        return seen.version, seen.running, seen.asked

    def _note_read(
        self, game: str, wanted: int, began: float, outcome: Outcome, version: int = 0, link: str = "", reason: str = ""
    ) -> None:
        ended = time.monotonic()
        self.crowd.counts["reads"] += 1
        self.crowd.history.reads.append(Read(self.name, game, wanted, began, ended, outcome, version, link, reason))

    def _send(self, table: Table, seat: int, chosen: Chosen, protocol: str) -> None:
        request_id = f"{self.name} {self._sent}"
        sent_id = "" if self.crowd.patient and self._sent % 2 else request_id
        began, attempts = time.monotonic(), 0
        made: Made | None = None
        outcome, reason = Outcome.UNKNOWN, ""
        while True:
            attempts += 1
            try:
                made = self.door(protocol).apply(table.game, table.tokens[seat], chosen, sent_id)
                outcome = Outcome.OK
                break
            except Refused as refusal:
                outcome, reason = Outcome.REFUSED, refusal.reason
                break
            except NoAnswer as fault:
                reason = str(fault)
                self.crowd.no_answer(fault)
                if self.crowd.giving_up.is_set() or not sent_id:
                    break
                time.sleep(PAUSE_SECONDS)
        first, after, link = made or Made(0, 0, "")
        ended = time.monotonic()
        noted = Move(
            *(self.name, table.game, seat, request_id, began, ended, attempts, outcome, first, after, link, reason),
            with_link=bool(chosen.link),
        )
        with self.crowd.lock:
            self.crowd.history.moves.append(noted)
            self.crowd.counts["acknowledged" if made else outcome.value] += 1
            self.crowd.counts["repeated"] += attempts - 1
        if made:
            self._seen[table.game] = max(after, self._seen.get(table.game, 0))
            if sent_id and self.rng.random() < 0.1:
                self._repeat(table, seat, chosen, protocol, request_id)

    def _repeat(self, table: Table, seat: int, chosen: Chosen, protocol: str, request_id: str) -> None:
        """Send an answered request once more. The answer must be the first one."""
        began = time.monotonic()
        outcome, reason, again = Outcome.OK, "", Made(0, 0, "")
        try:
            again = self.door(protocol).apply(table.game, table.tokens[seat], chosen, request_id)
        except NoAnswer as fault:
            self.crowd.no_answer(fault)
            return
        except Refused as refusal:
            outcome, reason = Outcome.REFUSED, refusal.reason
        about = (self.name, table.game, seat, request_id, began, time.monotonic(), 1, outcome)
        with self.crowd.lock:
            self.crowd.history.moves.append(Move(*about, *again, reason, repeated=True))
            self.crowd.counts["answered again"] += 1


class Watcher(Client):
    """Watches one game through every fault: opens the stream again behind the last event."""

    def __init__(self, crowd: Crowd, name: str, game: str, protocol: str) -> None:
        super().__init__(crowd, name, Random(name))
        self.game = game
        self.events: list[str] = []
        self._protocol = protocol
        self._cuts = 0
        self._restarts = 0
        self._ended, self._left = threading.Event(), threading.Event()
        self._cut: Callable[[], object] = lambda: None

    def live(self) -> None:
        """Watch until told to stop."""
        try:
            self._watch()
        finally:
            self._left.set()

    def _watch(self) -> None:
        while not self._ended.is_set():
            after = self.events[-1].split()[0] if self.events else ""
            try:
                for event in self.door(self._protocol).watch(self.game, after, self._opened):
                    self.events.append(event)
            except NoAnswer:
                pass
            except Refused as refusal:
                if refusal.reason != BEHIND:
                    raise
                self._restarts += 1
                self.events.clear()
            self._cuts += 1
            self._ended.wait(PAUSE_SECONDS)

    def _opened(self, cut: Callable[[], object]) -> None:
        self._cut = cut
        if self._ended.is_set():
            cut()

    def stop(self) -> None:
        """Stop watching. The thread may need longer: it closes the doors, and a call that is stuck keeps one open."""
        self._ended.set()
        self._cut()
        await_true(self._left.is_set, f"{self.name} stops")

    def noted(self) -> Watched:
        """What the spectator was told."""
        return Watched(self.name, self.game, tuple(self.events), self._cuts, self._restarts)
