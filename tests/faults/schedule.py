"""Which faults happen when: drawn from a seed, written as JSON, the same every time.

A schedule has lanes. Within a lane one fault ends before the next one begins, so that two faults never fight over the
same process; the lanes run at the same time, so that faults of different kinds overlap.

The seed reproduces the faults and the choices of the clients. The moment at which the operating system runs each
process is not reproduced: a seed that failed once may need several runs to fail again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any

from .kinds import CLOCKS, KINDS, SEVERAL, VERSIONS, Kind

SETTINGS = (
    ("single", "always"),
    ("cluster", "replicated"),
    ("sentinel", "replicated"),
    ("single", "everysec"),
    ("sentinel", "always"),
    ("cluster", "always"),
    (SEVERAL, "always"),
)
"""Shapes of the store, each with a durability that the services promise."""
WITHOUT_FAIL_OVER = ("single", SEVERAL)
ON_HOSTS = ("hosts", "replicated")
"""A setting for machines that can have hosts of their own (`hosts.py`)."""
FIRST_FAULT_SECONDS = 1.0


@dataclass(frozen=True)
class Fault:
    """One fault: what happens to which part, when and how long, counted in seconds from the begin of the round."""

    at: float
    kind: str
    target: int
    """Chooses among the parts that this kind can hit; the number of parts divides it."""
    seconds: float
    amount: float
    """Between 0 and 1: how hard, where a kind knows degrees."""


@dataclass(frozen=True)
class Schedule:
    """The faults of one round."""

    seed: int
    store: str
    durability: str
    seconds: float
    faults: tuple[Fault, ...]

    @property
    def may_lose(self) -> bool:
        """Whether the chosen durability allows that an acknowledged move is lost: `always` at a fail-over, `everysec`
        when a store dies."""
        return self.durability == "everysec" or (self.durability == "always" and self.store not in WITHOUT_FAIL_OVER)

    @property
    def may_go_back(self) -> bool:
        """Whether a move that was not acknowledged may be seen by others and then be gone: wherever a fail-over can
        happen, and with `everysec`."""
        return self.durability == "everysec" or self.store not in WITHOUT_FAIL_OVER

    @property
    def always_served(self) -> bool:
        """Whether a service is up at every moment, so that no call of a gateway may fail."""
        return self.store == SEVERAL

    def lanes(self) -> dict[str, list[Fault]]:
        """Return the faults by lane, each in the order of time."""
        found: dict[str, list[Fault]] = {}
        for fault in sorted(self.faults, key=lambda one: one.at):
            found.setdefault(KINDS[fault.kind].lane, []).append(fault)
        return found

    def only(self, faults: Sequence[Fault]) -> Schedule:
        """Return the same round with these faults alone."""
        return replace(self, faults=tuple(faults))

    def written(self) -> str:
        """Return the schedule as JSON."""
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def read(cls, text: str) -> Schedule:
        """Return the schedule that was written."""
        document: dict[str, Any] = json.loads(text)
        faults = tuple(Fault(**fault) for fault in document.pop("faults"))
        return cls(**document, faults=faults)


def draw(
    seed: int, store: str, durability: str, seconds: float, *, clocks: bool = True, versions: bool = False
) -> Schedule:
    """Draw the faults of a round. `clocks`: clocks can be set; `versions`: there is a second version of the service."""
    rng = Random(f"{seed} {store} {durability}")
    missing = (() if clocks else CLOCKS) + (() if versions else VERSIONS)
    usable = [kind for kind in KINDS.values() if store in kind.stores and kind.name not in missing]
    faults: list[Fault] = []
    for lane in dict.fromkeys(kind.lane for kind in usable):
        faults += _lane(rng, [kind for kind in usable if kind.lane == lane], seconds)
    return Schedule(seed, store, durability, seconds, tuple(sorted(faults, key=lambda one: one.at)))


def _lane(rng: Random, kinds: Sequence[Kind], seconds: float) -> list[Fault]:
    """Draw faults one after the other until the time is up. Each kind comes once before one comes again."""
    found: list[Fault] = []
    at = FIRST_FAULT_SECONDS + rng.random()
    bag: list[Kind] = []
    while at < seconds:
        if not bag:
            bag = [kind for kind in kinds for _ in range(kind.weight)]
            rng.shuffle(bag)
        kind = bag.pop()
        lasts = round(rng.uniform(kind.shortest, kind.longest), 2)
        found.append(Fault(round(at, 2), kind.name, rng.randrange(1_000), lasts, round(rng.random(), 2)))
        at += lasts + rng.uniform(kind.pause / 2, kind.pause * 1.5)
    return found
