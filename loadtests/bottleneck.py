"""What limits a steady rate: the cores that every process used meanwhile, and whether one had none left to use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import NamedTuple

from . import limits
from .sampling import Sample

OTHERS = "other programs"


class Use(NamedTuple):
    """Cores in use over some time, on average."""

    processes: Mapping[str, float]
    """By process, "service 1" for example."""
    machine: float
    """Cores in use by everything on the machine."""
    cores: int
    """Cores that the machine has."""

    @property
    def roles(self) -> dict[str, float]:
        """Cores by role, "service" for example, and those of other programs."""
        found: dict[str, float] = {}
        for name, used in self.processes.items():
            role = name.rpartition(" ")[0]
            found[role] = found.get(role, 0.0) + used
        return {**found, OTHERS: max(0.0, self.machine - sum(found.values()))}


def use_between(
    processes: Mapping[str, Sequence[Sample]], machine: Sequence[Sample], cores: int, began: float, ended: float
) -> Use:
    """What was used between two moments of the run."""

    def over(samples: Sequence[Sample]) -> float:
        inside = [sample.cores for sample in samples if began <= sample.seconds <= ended]
        return mean(inside) if inside else 0.0

    return Use({name: over(samples) for name, samples in processes.items()}, over(machine), cores)


def limit_of(use: Use) -> str:
    """What limits the rate, in words."""
    shares = ", ".join(f"{role} {used:.2f}" for role, used in use.roles.items() if used >= limits.WORTH_NAMING)
    busiest, most = max(use.processes.items(), key=lambda entry: entry[1], default=("", 0.0))
    if use.machine >= limits.MACHINE_FULL * use.cores:
        return f"CPU of the machine: {use.machine:.2f} of {use.cores} cores were in use ({shares})."
    if most >= limits.PROCESS_FULL:
        return f"CPU of {busiest}: it used {most:.2f} cores, and one process cannot use more than one ({shares})."
    return (
        f"No CPU: {use.machine:.2f} of {use.cores} cores were in use, and no process had more than {most:.2f} "
        f"({shares}). Answers waited for something else: the disk of the store, a queue, or the turn of their thread."
    )
