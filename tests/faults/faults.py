"""What each kind of fault does to a world. A fault is a generator: it does something, waits by `yield`, and repairs it.

The number that is yielded is how many seconds to wait; the simulation waits, so that it can stop early.
"""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable, Generator
from contextlib import suppress

from redis.exceptions import RedisError

from .hosts import HostStore
from .processes import Gone, Program, await_true
from .proxy import Proxy, Weather
from .schedule import Fault
from .store_server import StoreServer
from .stores import ClusterStore
from .world import World

Course = Generator[float, None, None]
DAY = 86_400
STORE_CLOCK_SECONDS = 600
CAUSE = "lines"
"""The cause of everything that faults of lines do; see `Proxy.change`."""


class NotNow(Exception):
    """The fault cannot happen: what it would hit is not there just now. It is not counted."""


# -- Lines -------------------------------------------------------------------------------------------------------------


def _line(world: World, fault: Fault) -> Proxy:
    return world.lines[fault.target % len(world.lines)]


def _weather(make: Callable[[Fault], Weather], *, reset: bool = False) -> Callable[[World, Fault], Course]:
    """A fault that is bad weather on a line. With `reset`, its connections are reset at the end."""

    def course(world: World, fault: Fault) -> Course:
        line = _line(world, fault)
        line.change(CAUSE, make(fault))
        try:
            yield fault.seconds
        finally:
            line.clear(CAUSE, reset=reset)

    return course


def _cut(world: World, fault: Fault) -> Course:
    _line(world, fault).cut()
    yield fault.seconds


def _half_close(world: World, fault: Fault) -> Course:
    _line(world, fault).half_close(towards_client=fault.amount < 0.5)
    yield fault.seconds


# -- Store -------------------------------------------------------------------------------------------------------------


def _any_of(servers: list[StoreServer], fault: Fault) -> StoreServer:
    alive = [server for server in servers if server.running]
    if not alive:
        raise NotNow
    return alive[fault.target % len(alive)]


def _store_paused(world: World, fault: Fault) -> Course:
    yield from _paused(_any_of(world.store.masters(), fault), fault)


def _replica_paused(world: World, fault: Fault) -> Course:
    yield from _paused(_any_of(world.store.replicas(), fault), fault)


def _paused(program: Program, fault: Fault) -> Course:
    program.signal_all(signal.SIGSTOP)
    try:
        yield fault.seconds
    finally:
        program.signal_all(signal.SIGCONT)


def _store_killed(world: World, fault: Fault) -> Course:
    yield from _killed_server(world, _any_of(world.store.masters(), fault), fault)


def _replica_killed(world: World, fault: Fault) -> Course:
    yield from _killed_server(world, _any_of(world.store.replicas(), fault), fault)


def _killed_server(world: World, server: StoreServer, fault: Fault) -> Course:
    server.kill()
    yield fault.seconds
    world.store.restart(server)


def _configured(name: str, value: str) -> Callable[[World, Fault], Course]:
    """A fault that is a setting of one server."""

    def course(world: World, fault: Fault) -> Course:
        server = _any_of(world.store.masters(), fault)
        with suppress(RedisError, OSError):
            before = server.ask("CONFIG", "GET", name)
            usual = before[name] if isinstance(before, dict) else before[1]
            server.ask("CONFIG", "SET", name, value)
            try:
                yield fault.seconds
            finally:
                with suppress(RedisError, OSError):
                    server.ask("CONFIG", "SET", name, usual)
            return
        raise NotNow

    return course


def _disk_full(world: World, fault: Fault) -> Course:
    """No file of the server may grow beyond the size that its log has now. With `appendfsync always` a server that
    cannot write ends itself; it is started again when there is room."""
    server = _any_of(world.store.masters(), fault)
    sizes = [file.stat().st_size for file in (server.folder / "appendonlydir").glob("*.incr.aof")]
    if not sizes:
        raise NotNow
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    with suppress(ProcessLookupError):
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (max(sizes), resource.RLIM_INFINITY))
    yield fault.seconds
    with suppress(ProcessLookupError):
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, unlimited)
    await_true(lambda: not server.running or server.ready(), f"{server.name} has ended itself or works again")
    if not server.running:
        world.store.restart(server)


def _read_only(world: World, fault: Fault) -> Course:
    (server,) = world.store.servers
    with suppress(RedisError, OSError):
        server.ask("REPLICAOF", "127.0.0.1", 1)
        try:
            yield fault.seconds
        finally:
            server.ask("REPLICAOF", "NO", "ONE")
        return
    raise NotNow


# -- Fail-over ---------------------------------------------------------------------------------------------------------


def _followed(world: World, fault: Fault) -> tuple[StoreServer, StoreServer]:
    """A master and the replica that would take its place. One that has not caught up with its master yet is spared: no
    durability survives the loss of both."""
    master = _any_of(world.store.masters(), fault)
    heir = world.store.heir(master)
    if heir is None or not master.is_followed:
        raise NotNow
    return master, heir


def _await_promotion(world: World, heir: StoreServer) -> None:
    """Wait for the replica to take the place of its master. Other faults can prevent that, such as a clock that jumped
    or an election without a majority; then the fault ends without it. The store owes a promotion, the service does
    not: what it owes is judged when everything is repaired."""
    with suppress(Gone):
        world.store.await_promotion(heir)


def _master_killed(world: World, fault: Fault) -> Course:
    master, heir = _followed(world, fault)
    master.kill()
    yield 0.0
    _await_promotion(world, heir)
    world.store.restart(master)
    world.store.reunite()


def _master_cut_off(world: World, fault: Fault) -> Course:
    """Nobody but services can reach the master, and with a large amount not even they."""
    master, heir = _followed(world, fault)
    cause = "cut off"
    hits = frozenset({"replica", "sentinel"}) if fault.amount < 0.5 else frozenset[str]()
    blocked = Weather(blocked=True, hits=hits)
    lines = [(master.line, blocked)]
    if isinstance(world.store, ClusterStore):
        own = Weather(blocked=True, hits=frozenset({master.name}))
        buses = world.store.buses
        lines += [(line, Weather(blocked=True) if server is master else own) for server, line in buses.items()]
    for line, weather in lines:
        line.change(cause, weather)
    try:
        yield 0.0
        _await_promotion(world, heir)
        yield fault.seconds
    finally:
        for line, _ in lines:
            line.clear(cause, reset=True)
    world.store.reunite()


def _host_cut_off(world: World, fault: Fault) -> Course:
    """The link of the master's host is down: services, the replica and two of three Sentinels are on the other side."""
    master, heir = _followed(world, fault)
    assert isinstance(world.store, HostStore)
    world.store.cut_off(master)
    try:
        yield 0.0
        world.store.await_promotion(heir)
        yield fault.seconds
    finally:
        world.store.reconnect()
    world.store.reunite()


def _failover_asked_for(world: World, fault: Fault) -> Course:
    master, heir = _followed(world, fault)
    world.store.failover(master)
    yield 0.0
    _await_promotion(world, heir)
    world.store.reunite()


def _replica_cut_off(world: World, fault: Fault) -> Course:
    master, _ = _followed(world, fault)
    cause = "cut off"
    master.line.change(cause, Weather(refuse=True, hits=frozenset({"replica"})))
    try:
        yield fault.seconds
    finally:
        master.line.clear(cause)


def _sentinel_killed(world: World, fault: Fault) -> Course:
    sentinel = world.store.helpers[fault.target % len(world.store.helpers)]
    sentinel.kill()
    yield fault.seconds
    sentinel.launch()


# -- Services and gateways ---------------------------------------------------------------------------------------------


def _one_of(programs: list[Program], fault: Fault) -> Program:
    return programs[fault.target % len(programs)]


def _child_killed(program: Program, fault: Fault) -> Course:
    if not program.kill_child(fault.target):
        raise NotNow
    yield fault.seconds


def _killed(program: Program, fault: Fault) -> Course:
    program.kill()
    yield fault.seconds
    program.start()


def _service_restarted(world: World, fault: Fault) -> Course:
    service = _one_of(world.services, fault)
    service.stop()
    yield fault.seconds
    service.start()


def _service_added(world: World, fault: Fault) -> Course:
    assert world.added is not None
    world.added.start()
    yield fault.seconds
    world.added.stop()


def _version_changed(world: World, fault: Fault) -> Course:
    service = _one_of(world.services, fault)
    for other in (True, False):
        world.use_version(service, other=other)
        service.stop()
        service.start()
        yield fault.seconds


# -- Clocks ------------------------------------------------------------------------------------------------------------


def _jumped(program: Program, fault: Fault, most: int) -> Course:
    """The clock jumps by up to `most` seconds, forwards or backwards, and at the end back again."""
    program.clock.set(int((2 * fault.amount - 1) * most) or most)
    try:
        yield fault.seconds
    finally:
        program.clock.set(0)


def _store_clock(world: World, fault: Fault) -> Course:
    server = _any_of(world.store.servers, fault)
    if world.store.clocks_go_back:
        yield from _jumped(server, fault, STORE_CLOCK_SECONDS)
    else:
        server.clock.advance(int(fault.amount * STORE_CLOCK_SECONDS) or STORE_CLOCK_SECONDS)
        yield fault.seconds


COURSES: dict[str, Callable[[World, Fault], Course]] = {
    "delay": _weather(lambda fault: Weather(delay=0.02 + 0.28 * fault.amount)),
    "reorder": _weather(lambda fault: Weather(reorder=True)),
    "trickle": _weather(lambda fault: Weather(trickle=True)),
    "cut": _cut,
    "half-close": _half_close,
    "lost answers": _weather(lambda fault: Weather(lose_answers=True)),
    "refusal": _weather(lambda fault: Weather(refuse=True)),
    "stall": _weather(lambda fault: Weather(blocked=True)),
    "partition": _weather(lambda fault: Weather(blocked=True), reset=True),
    "store paused": _store_paused,
    "store killed": _store_killed,
    "memory full": _configured("maxmemory", "1mb"),
    "disk full": _disk_full,
    "replicas demanded": _configured("min-replicas-to-write", "9"),
    "read-only": _read_only,
    "master killed": _master_killed,
    "master cut off": _master_cut_off,
    "host cut off": _host_cut_off,
    "failover asked for": _failover_asked_for,
    "replica killed": _replica_killed,
    "replica paused": _replica_paused,
    "replica cut off": _replica_cut_off,
    "sentinel killed": _sentinel_killed,
    "worker killed": lambda world, fault: _child_killed(_one_of(world.services, fault), fault),
    "service killed": lambda world, fault: _killed(_one_of(world.services, fault), fault),
    "service restarted": _service_restarted,
    "service paused": lambda world, fault: _paused(_one_of(world.services, fault), fault),
    "service hung": lambda world, fault: _paused(_one_of(world.services, fault), fault),
    "service added": _service_added,
    "gateway worker killed": lambda world, fault: _child_killed(_one_of(world.gateways, fault), fault),
    "gateway killed": lambda world, fault: _killed(_one_of(world.gateways, fault), fault),
    "gateway paused": lambda world, fault: _paused(_one_of(world.gateways, fault), fault),
    "version changed": _version_changed,
    "service clock": lambda world, fault: _jumped(_one_of(world.services, fault), fault, 2 * DAY),
    "store clock": _store_clock,
}
"""By the name of its kind, what a fault does."""
