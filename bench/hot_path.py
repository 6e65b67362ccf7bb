"""ValidatePlacement over gRPC against a call that does nothing, and many placements in one call against one."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle

from alhambra_service.games.game_commands import GameCommands
from alhambra_service.store import Commit

from .boards import Stored, empty, search, twenty_tiles
from .group import Effort, Goal, Group
from .house import House, clock
from .load import Asking
from .rounds import Contest, Run

GAMES = 8
IN_FLIGHT = 64
CALLS = 4_800
WRITES = 20.0
"""Commits each second by another process during the measurement."""
BATCH = 64
GOAL, BATCH_GOAL = 1.10, 0.05
FLOOR, QUICK = "empty call", "empty call, quick pool"
MEMORY, MIXED = "validate, all in memory", "validate, with writes"


def validate(effort: Effort) -> Group:
    """Measure ValidatePlacement."""
    with House() as house:
        store = house.store()
        commands = house.commands(store)
        games = search(commands, effort.games(GAMES), effort.enough(twenty_tiles))
        real = [game.question(legal=number % 4 != 3, token=number % 4 != 2) for number, game in enumerate(games)]
        service = house.service(store, {f"of_{number}": len(one.answer) for number, one in enumerate(real)})
        cpu = clock(server=service.pid, store=store.pid or 0)

        def asking(lane: str | None) -> Asking:
            asked = [one if lane is None else empty(one, f"of_{number}", lane) for number, one in enumerate(real)]
            return Asking(house.files, service.address, asked, IN_FLIGHT, effort.calls(CALLS))

        plain, quick, validated = asking("plain"), asking("quick"), asking(None)

        def mixed() -> Run:
            with writing(commands, games) as written:
                run = validated.run(cpu)
            return run._replace(extra={"writes/1000 calls": 1000 * len(written) / run.calls})

        entrants = {
            FLOOR: lambda: _none_written(plain.run(cpu)),
            QUICK: lambda: _none_written(quick.run(cpu)),
            MEMORY: lambda: _none_written(validated.run(cpu)),
            MIXED: mixed,
        }
        found = effort.contest("ValidatePlacement", Contest(entrants, rounds=effort.rounds))
    how = (
        f"{GAMES} stored games with boards of 20 tiles, one client for each, {IN_FLIGHT} calls in flight; of eight "
        "calls six ask about a legal placement and two about an illegal one, six show a seat's token. "
        f"'{MIXED}' has another process commit {WRITES:g} times a second to these games, after each of which the game "
        "is read from the store and decoded again. The floor is a call on the same server that reads a message as "
        "long as the real one, answers as long as the real one, and does nothing in between: no token is looked at, "
        "nothing is counted. It stands among the plain calls, as any call does that nobody moved elsewhere; "
        f"'{QUICK}' is the same on the threads that ValidatePlacement has for itself."
    )
    goal = Goal.of("grpc_validate_over_floor", found.ratio(MIXED), GOAL, settled=found.settled)
    notes = [
        f"Against an empty call on the same threads it costs {found.ratio(MIXED, QUICK)} times as much with writes, "
        f"{found.ratio(MEMORY, QUICK)} times all in memory."
    ]
    return Group("ValidatePlacement over gRPC", how, found.rows(), found.verdict(), [goal], notes)


def _none_written(run: Run) -> Run:
    return run._replace(extra={"writes/1000 calls": 0.0})


@contextmanager
def writing(commands: GameCommands, games: list[Stored]) -> Iterator[list[str]]:
    """Commit to the games in turn in the background: the same record with the next revision. Yields the growing list of
    their ids."""
    written: list[str] = []
    stop = threading.Event()

    def write() -> None:
        due = time.monotonic()
        for game in cycle(games):
            due += 1 / WRITES
            if stop.wait(max(0.0, due - time.monotonic())):
                return
            commands.store.commit(Commit(game.game, commands.store.read_game(game.game).advanced()))
            written.append(game.game)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield written
    finally:
        stop.set()
        thread.join()


def batch(effort: Effort) -> Group:
    """Measure many placements in one call."""
    with House() as house:
        store = house.store()
        games = search(house.commands(store), effort.games(4), effort.enough(twenty_tiles))
        service = house.service(store)
        cpu = clock(server=service.pid, store=store.pid or 0)
        singles = [game.question(legal=number % 2 == 0) for number, game in enumerate(games)]
        single = Asking(house.files, service.address, singles, IN_FLIGHT, effort.calls(CALLS))
        names = (f"{BATCH} placements", f"{BATCH} placements of a search")
        batches = [
            Asking(
                house.files,
                service.address,
                [game.batch(BATCH, searching=searching) for game in games],
                IN_FLIGHT,
                effort.calls(CALLS) // 8,
            )
            for searching in (False, True)
        ]
        entrants = {
            "one placement": lambda: single.run(cpu),
            names[0]: lambda: batches[0].run(cpu),
            names[1]: lambda: batches[1].run(cpu),
        }
        found = effort.contest("BatchValidatePlacements", Contest(entrants, rounds=effort.rounds))
    item = found.ratio(names[0])
    share = type(item)(item.value / BATCH, item.low / BATCH, item.high / BATCH)
    how = (
        "All games in memory. Of single placements and of those in the first batch every other one is legal, and those "
        "in a batch are all different. A search tries tiles on every cell around the board: hardly one in nine is "
        f"legal, and the others have two faults each. The goal is for one of {BATCH} against a call by itself."
    )
    goal = Goal.of("batch_item_over_single", share, BATCH_GOAL, settled=found.settled)
    return Group("Many placements in one call", how, found.rows(), found.verdict(), [goal])
