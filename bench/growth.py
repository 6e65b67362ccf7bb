"""The cost of a validation in a full store, late in a game, and with all modules. It must not grow."""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import Any, NamedTuple

import grpc

from alhambra import known_modules
from alhambra_api.v1 import service_pb2_grpc
from alhambra_service import limits
from alhambra_service.boards.placements import placement_faults
from alhambra_service.games.game_commands import running
from alhambra_service.store import EmbeddedStore
from alhambra_service.store.connection.connect import connect
from alhambra_service.store.keys import log_key, state_key

from .boards import Stored, moves, search, twenty_tiles
from .group import Effort, Goal, Group
from .house import Clock, House, clock
from .load import Asking
from .rounds import Contest, Entrant, Run

SIZES = (10, 1_000, 100_000)
IN_FLIGHT = 32
CALLS = 1_200
COLD = 1_500
"""Games that are read in turn: more than a process keeps in memory, so each read asks the store."""
COLD_CALLS = 300
EARLY, LATE = 5, 200
AT_ONCE = 5_000
"""Copies that the store makes in one script, during which it answers no other client."""
COPY = """
local state, log = redis.call('GET', KEYS[1]), redis.call('LRANGE', KEYS[2], 0, -1)
for number = ARGV[1], ARGV[2] do
  local tag = string.format('{copy%012d}', number)
  redis.call('SET', 'alh:state:' .. tag, state)
  if #log > 0 then redis.call('RPUSH', 'alh:log:' .. tag, unpack(log)) end
end
"""


def copy_of(number: int) -> str:
    """Return the id of a copy."""
    return f"copy{number:012d}"


def fill(store: EmbeddedStore, game: str, count: int) -> None:
    """Let the store make this number of copies of a game."""
    client = connect(store.url)
    try:
        (server,) = client.servers()
        server.ask("CONFIG", "SET", "auto-aof-rewrite-percentage", 0)  # no rewrite of the file during the measurement
        server.ask("CONFIG", "SET", "maxmemory", 0)  # a full store is another question
        for first in range(1, count + 1, AT_ONCE):
            last = min(count, first + AT_ONCE - 1)
            server.ask("EVAL", COPY, 2, state_key(game), log_key(game), first, last)
    finally:
        client.close()


class Filled(NamedTuple):
    """A store with many games, and a service that answers calls about one of them."""

    game: Stored
    address: str
    asking: Asking
    cpu: Clock


def _filled(house: House, effort: Effort, size: int) -> Filled:
    store = house.store()
    (game,) = search(house.commands(store), 1, effort.enough(twenty_tiles))
    fill(store, game.game, size - 1)
    service = house.service(store)
    asking = Asking(house.files, service.address, [game.question()], IN_FLIGHT, effort.calls(CALLS))
    return Filled(game, service.address, asking, clock(server=service.pid, store=store.pid or 0))


def games(effort: Effort) -> Group:
    """Measure the cost by the number of stored games."""
    sizes = (10, 2_000) if effort.quick else SIZES
    with House() as house:
        full = [_filled(house, effort, size) for size in (sizes[0], *sizes)]
        twin, *entrants = (partial(one.asking.run, one.cpu) for one in full)
        named: dict[str, Entrant] = dict(zip((f"{size:,} games" for size in sizes), entrants, strict=True))
        channel = grpc.insecure_channel(full[-1].address)
        cold = _cold(channel, full[-1].game, sizes[-1])
        none = f"{sizes[-1]:,} games, none in memory"
        named[none] = partial(_timed, cold, full[-1].cpu, effort.calls(COLD_CALLS))
        found = effort.contest("stored games", Contest(named, rounds=effort.rounds, twin=twin))
        channel.close()
    how = (
        "The same game and the same question in stores that hold so many games, each with a service of its own; the "
        f"control is another store and another service with {sizes[0]} games. In the last line {COLD:,} of the games "
        f"are asked about in turn, more than a process keeps ({limits.CACHED_GAMES:,}), by a client of grpcio. Flat "
        "means: within the spread of the control."
    )
    goal = Goal.of("growth_100000_over_10_games", found.ratio(list(named)[-2]), found.flat, settled=found.settled)
    return Group("Growth: stored games", how, found.rows(), found.verdict(), [goal])


def _cold(channel: grpc.Channel, game: Stored, size: int) -> Callable[[], None]:
    """Ask about one game after the other, none of which is in memory."""
    stub: Any = service_pb2_grpc.GameServiceStub(channel)
    request = game.request(game.legal)
    names = cycle(copy_of(number) for number in range(1, min(size, COLD + 1)))

    def ask() -> None:
        request.game = next(names)
        if not stub.ValidatePlacement(request, timeout=10).legal:
            raise AssertionError("a legal placement was refused")

    return ask


def _timed(ask: Callable[[], None], cpu: Clock, count: int) -> Run:
    before, own = cpu(), time.process_time()
    took = timeit.timeit(ask, number=count)
    spent = {role: now - before[role] for role, now in cpu().items()}
    return Run(count, took, {**spent, "client": time.process_time() - own})


def course(effort: Effort) -> Group:
    """Measure the cost early and late in a game, without modules and with all of them."""
    everything = tuple(known_modules())
    late = 30 if effort.quick else LATE
    with House() as house:
        store = house.store()
        commands = house.commands(store)
        asked: dict[str, Stored] = {}
        for what, count, modules in (
            (f"move {EARLY}", EARLY, ()),
            (f"move {late}", late, ()),
            (f"move {EARLY}, {len(everything)} modules", EARLY, everything),
            (f"move {late}, {len(everything)} modules", late, everything),
        ):
            (asked[what],) = search(commands, 1, moves(count), modules, seats=3, policy="random")
        service = house.service(store)
        cpu = clock(server=service.pid, store=store.pid or 0)
        entrants: dict[str, Entrant] = {}
        for what, game in asked.items():
            asking = Asking(house.files, service.address, [game.question()], IN_FLIGHT, effort.calls(CALLS))
            entrants[what] = partial(_with_rule, asking, cpu, _rule(game))
        found = effort.contest("course of a game", Contest(entrants, rounds=effort.rounds))
    how = (
        "A legal placement in games of three seats, played at random so far. The last column is what judging the "
        "placement takes by itself, in the library: modules that have a say in construction are asked there."
    )
    flat = found.ratio(list(entrants)[1])
    goals = [Goal.of("growth_move_200_over_5", flat, found.flat, settled=found.settled)]
    return Group("Growth: in the course of a game, and with modules", how, found.rows(), found.verdict(), goals)


def _with_rule(asking: Asking, cpu: Clock, rule: float) -> Run:
    return asking.run(cpu)._replace(extra={"the rule itself µs": rule})


def _rule(game: Stored) -> float:
    played_so_far = running(game.loaded)
    times = timeit.repeat(lambda: placement_faults(played_so_far, game.seat, game.legal), number=50, repeat=7)
    return 1e6 * min(times) / 50
