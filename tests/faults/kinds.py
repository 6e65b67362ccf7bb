"""The kinds of faults: what each one does, to which stores it belongs, how long it lasts. `faults.py` performs them."""

from __future__ import annotations

from dataclasses import dataclass

ALL = ("single", "sentinel", "cluster", "hosts")
REPLICATED = ("sentinel", "cluster", "hosts")
SENTINELS = ("sentinel", "hosts")
PROXIED = ("sentinel", "cluster")
"""Stores whose servers have lines that know who speaks."""
SEVERAL = "services"
"""A world without trouble in its store: services behind one gateway go up and down, and at least one is always up."""
ANYWHERE = (*ALL, SEVERAL)

LINES, STORE, PROCESSES, CLOCK = "lines", "store", "processes", "clock"


@dataclass(frozen=True)
class Kind:
    """One kind of fault."""

    name: str
    text: str
    """What happens, for the report."""
    lane: str
    shortest: float
    longest: float
    """How many seconds it lasts."""
    stores: tuple[str, ...] = ALL
    weight: int = 1
    """How often it comes, compared with others of its lane."""
    pause: float = 1.0
    """Seconds until the next fault of the lane, on average."""


_LINE_KINDS = (
    Kind("delay", "every packet of a line is delayed by up to 0.3 s", LINES, 1.0, 3.0, pause=1.0),
    Kind("reorder", "connections of a line are served in random order", LINES, 1.0, 3.0, pause=1.0),
    Kind("trickle", "a line passes a few bytes at a time", LINES, 0.5, 2.0, pause=1.0),
    Kind("cut", "all connections of a line are reset", LINES, 0.0, 0.0, weight=3, pause=1.0),
    Kind("half-close", "one direction of all connections of a line is closed", LINES, 0.2, 1.0, weight=2, pause=1.0),
    Kind("lost answers", "a request passes, its connection is reset before the answer", LINES, 0.5, 2.0, weight=3),
    Kind("refusal", "a line accepts no connections and resets those that it has", LINES, 0.5, 2.0, pause=1.0),
    Kind("stall", "a line passes nothing; then everything arrives late", LINES, 0.5, 3.0, weight=2),
    Kind("partition", "a line passes nothing and loses what was sent", LINES, 1.0, 5.0, weight=2),
)
_STORE_KINDS = (
    Kind("store paused", "a server of the store stands still (SIGSTOP)", STORE, 0.3, 4.0, pause=3.0),
    Kind("store killed", "a server of the store is killed and started again", STORE, 0.1, 1.5, pause=3.0, weight=2),
    Kind("memory full", "a server of the store has used up its memory", STORE, 0.5, 3.0, pause=3.0),
    Kind("disk full", "a server of the store cannot write to its disk any more", STORE, 0.5, 2.0, pause=3.0),
    Kind("replicas demanded", "a server of the store refuses writes: NOREPLICAS", STORE, 0.5, 3.0, pause=3.0),
    Kind("read-only", "the store becomes a replica for a while", STORE, 0.5, 2.0, ("single",), pause=3.0),
    Kind("master killed", "a master dies, its replica takes its place", STORE, 0.0, 0.0, REPLICATED, 2, 3.0),
    Kind("master cut off", "a master is cut off, its replica takes its place", STORE, 0.5, 1.5, PROXIED, 2, 3.0),
    Kind("host cut off", "the link of the master's host is taken down", STORE, 0.5, 4.0, ("hosts",), 3, 3.0),
    Kind("failover asked for", "master and replica change places on request", STORE, 0.0, 0.0, REPLICATED, 1, 3.0),
    Kind("replica killed", "a replica is killed and started again", STORE, 0.1, 1.5, REPLICATED, 1, 3.0),
    Kind("replica paused", "a replica stands still", STORE, 0.5, 3.0, REPLICATED, 1, 3.0),
    Kind("replica cut off", "the line between a replica and its master is cut", STORE, 1.0, 4.0, PROXIED, 1, 3.0),
    Kind(
        "sentinel killed",
        "one of three Sentinels dies and is started again",
        STORE,
        0.5,
        3.0,
        ("sentinel", "hosts"),
        1,
    ),
)
_PROCESS_KINDS = (
    Kind(
        "worker killed",
        "a process of the service dies, its parent starts another",
        PROCESSES,
        0.0,
        0.0,
        ANYWHERE,
        pause=3.0,
    ),
    Kind(
        "service killed",
        "parent and worker of a service die and are started again",
        PROCESSES,
        0.1,
        1.0,
        ANYWHERE,
        pause=3.0,
    ),
    Kind(
        "service restarted",
        "a service is stopped in good order and started again",
        PROCESSES,
        0.0,
        0.5,
        ANYWHERE,
        pause=3.0,
    ),
    Kind("service paused", "the processes of a service stand still", PROCESSES, 0.3, 3.0, ANYWHERE, pause=3.0),
    Kind("service hung", "the processes of a service stand still for long", PROCESSES, 3.0, 8.0, (SEVERAL,)),
    Kind("service added", "one more service is started, and stopped later", PROCESSES, 1.0, 3.0, (SEVERAL,)),
    Kind("gateway worker killed", "a process of a gateway dies and is replaced", PROCESSES, 0.0, 0.0, pause=3.0),
    Kind("gateway killed", "all processes of a gateway die and are started again", PROCESSES, 0.1, 1.0, pause=3.0),
    Kind("gateway paused", "the processes of a gateway stand still", PROCESSES, 0.3, 3.0, pause=3.0),
    Kind("version changed", "a service is replaced by another version", PROCESSES, 1.0, 5.0, pause=3.0, weight=2),
)
_CLOCK_KINDS = (
    Kind("service clock", "the clock of a service jumps by up to two days", CLOCK, 1.0, 5.0, pause=3.0, weight=2),
    Kind("store clock", "the clock of a server of the store jumps by up to ten minutes", CLOCK, 1.0, 5.0, pause=3.0),
)
KINDS = {kind.name: kind for kind in (*_LINE_KINDS, *_STORE_KINDS, *_PROCESS_KINDS, *_CLOCK_KINDS)}
"""Every kind, by its name."""
CLOCKS = tuple(kind.name for kind in _CLOCK_KINDS)
VERSIONS = ("version changed",)
