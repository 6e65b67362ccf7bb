"""One round: a world is started, clients play, faults happen by schedule, everything is repaired, and the history is
checked."""

from __future__ import annotations

import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import mkdtemp
from traceback import format_exception

from .checker import FAILED, LOST, STUCK, Defect, check, oldest_plain_read, unconfirmed_reads
from .clients import Crowd
from .doors import GrpcDoor, NoAnswer
from .faults import COURSES, NotNow
from .history import History, Outcome, Truth
from .processes import Gone, await_true
from .schedule import Fault, Schedule
from .truth import truths
from .world import World, running

GO_ON_SECONDS = 60.0
"""After all faults have ended, every game must go on within this time."""
QUIET_SECONDS = 40.0
HEARD_SECONDS = 30.0

Tell = Callable[[str], None]


@dataclass
class Round:
    """What came of one round."""

    schedule: Schedule
    faults: Counter[str] = field(default_factory=Counter)
    """Faults that happened, by kind."""
    counts: Counter[str] = field(default_factory=Counter)
    defects: list[Defect] = field(default_factory=list)
    lost: int = 0
    """Acknowledged moves that are gone, which the chosen durability allows."""
    recovery: float = 0.0
    """Seconds from the end of the faults until a move had been made in every game."""
    oldest_read: float = 0.0
    """How many seconds the oldest read without `min_version` was behind."""
    unconfirmed: int = 0
    """Reads of moves that were never acknowledged and that a fail-over took back."""
    history: History = field(default_factory=History)
    folder: Path | None = None
    """Where the logs of the processes are; None if they were removed."""


def play(schedule: Schedule, tell: Tell, *, folder: Path | None = None, other_version: Path | None = None) -> Round:
    """Play one round and check it. The logs of the processes are kept if something is wrong."""
    found = Round(schedule, folder=Path(mkdtemp(prefix="alh-faults-", dir=folder)))
    assert found.folder is not None
    try:
        with running(schedule, found.folder, other_version) as world:
            _played(world, found, tell)
    except Exception as trouble:  # a world that does not start or cannot be repaired has failed like any other
        found.defects.append(Defect(STUCK, "", "".join(format_exception(trouble))))
    if not found.defects:
        shutil.rmtree(found.folder, ignore_errors=True)
        found.folder = None
    return found


def _played(world: World, found: Round, tell: Tell) -> None:
    schedule = found.schedule
    services = [] if schedule.always_served else [line.port for line in world.rpc]
    crowd = Crowd([line.port for line in world.front], services, schedule.seed)
    found.history = crowd.history
    crowd.start()
    try:
        _suffer(world, schedule, crowd, found, tell)
        tell("repairing")
        world.heal()
        tell("reading every game through every door")
        crowd.read_settled()
        healed, tables = time.monotonic(), [*crowd.tables]
        crowd.hurry.set()
        tell("waiting until every game goes on")
        await_true(lambda: crowd.trouble or not crowd.waiting(tables, healed), "every game goes on", GO_ON_SECONDS)
        found.recovery = time.monotonic() - healed
    finally:
        crowd.stop_playing(QUIET_SECONDS)
    tell("checking")
    _look(world, crowd)
    crowd.stop_watching(HEARD_SECONDS)
    _judge(found, crowd)


def _suffer(world: World, schedule: Schedule, crowd: Crowd, found: Round, tell: Tell) -> None:
    """Let the faults happen, each lane in a thread of its own."""
    began, trouble = time.monotonic(), list[BaseException]()
    over = threading.Event()

    def lane(faults: list[Fault]) -> None:
        try:
            for fault in faults:
                over.wait(max(0.0, began + fault.at - time.monotonic()))
                if over.is_set() or time.monotonic() - began > schedule.seconds:
                    return
                tell(f"{sum(found.faults.values())} faults, {crowd.acknowledged} moves: {fault.kind}")
                _happen(world, fault, found)
        except BaseException as fault_of_ours:
            trouble.append(fault_of_ours)
            over.set()

    threads = [threading.Thread(target=lane, args=(faults,)) for faults in schedule.lanes().values()]
    for thread in threads:
        thread.start()
    while time.monotonic() - began < schedule.seconds and any(thread.is_alive() for thread in threads):
        if over.is_set() or crowd.trouble:
            break
        time.sleep(0.05)
    over.set()
    for thread in threads:
        thread.join()
    if trouble:
        raise trouble[0]


def _happen(world: World, fault: Fault, found: Round) -> None:
    try:
        for seconds in COURSES[fault.kind](world, fault):
            time.sleep(seconds)
        if found.schedule.always_served:  # before the next fault takes another one away
            world.await_services()
    except NotNow:
        found.counts["not possible"] += 1
    else:
        found.faults[fault.kind] += 1


def _look(world: World, crowd: Crowd) -> None:
    """Read what the store holds, and the events as they are told now."""
    people = {table.game: table.tokens for table in crowd.all_tables.values()}
    found = truths(world.backup(), people)
    door = GrpcDoor(world.rpc[0].port)
    watched = {watcher.game for watcher in crowd.watchers}
    try:
        for game, truth in found.items():
            events = _events(door, game) if game in watched else ()
            crowd.history.truths[game] = replace(truth, events=events)
    finally:
        door.close()
    for game in people.keys() - found.keys():  # the whole game is lost
        crowd.history.truths[game] = Truth(game, "", (), sorted(people[game]))


def _events(door: GrpcDoor, game: str) -> tuple[str, ...]:
    deadline = time.monotonic() + HEARD_SECONDS
    while True:
        try:
            return tuple(door.events(game))
        except NoAnswer:
            if time.monotonic() > deadline:
                raise Gone("the events of a game cannot be read") from None
            time.sleep(0.2)


def _judge(found: Round, crowd: Crowd) -> None:
    """Check the history, and put the loss aside that the durability allows."""
    schedule = found.schedule
    defects = check(crowd.history, may_lose=schedule.may_lose, may_go_back=schedule.may_go_back)
    found.unconfirmed = unconfirmed_reads(crowd.history)
    if schedule.may_lose:
        found.lost = sum(defect.kind == LOST for defect in defects)
        defects = [defect for defect in defects if defect.kind != LOST]
    unsettled = [move for move in crowd.history.moves if move.outcome is Outcome.UNKNOWN]
    defects += [Defect(STUCK, move.game, f"{move.request_id} was never answered: {move.reason}") for move in unsettled]
    defects += [Defect(STUCK, "", f"a client failed: {trouble!r}") for trouble in crowd.trouble]
    if schedule.always_served:
        defects += [Defect(FAILED, "", why) for why in crowd.unanswered]
    found.defects += defects
    found.counts.update(crowd.counts)
    found.counts["games"] += len(crowd.all_tables)
    found.counts["events"] += sum(len(one.events) for one in crowd.history.watched)
    found.counts["stream cuts"] += sum(one.cuts for one in crowd.history.watched)
    found.counts["streams begun anew"] += sum(one.restarts for one in crowd.history.watched)
    found.oldest_read = oldest_plain_read(crowd.history)
