"""What a search for the highest steady rate found: its steps, the rate, and what limits it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from . import limits
from .bottleneck import OTHERS, Use, limit_of, use_between
from .rate_search import Step
from .sampling import Sampler


class FoundRate(NamedTuple):
    """The outcome of a search."""

    steps: Sequence[Step]
    steady: Step | None
    """The long step at the highest steady rate; None if there is none."""
    ended: str
    limit_ms: float
    uses: Sequence[Use]
    """Cores in use during each step."""

    @property
    def use(self) -> Use:
        """Cores in use during the long step; during the last one if no rate is steady."""
        return self.uses[self.steps.index(self.steady) if self.steady else -1]

    @property
    def settled(self) -> bool:
        """Whether the product and the load had the machine for themselves."""
        return self.use.roles[OTHERS] <= limits.OTHERS_MOST * self.use.cores

    def sentences(self) -> list[str]:
        """What was found, in words."""
        limit = [f"What limits it: {limit_of(self.use)}"]
        most, use = max(zip(self.steps, self.uses, strict=True), key=lambda step: step[0].rate)
        if most.users != (self.steady or self.steps[-1]).users:
            limit.append(
                f"The most that was made, with {most.users} users: {most.rate:.0f} calls a second, 99 % within "
                f"{most.slow_ms:.0f} ms. {limit_of(use)}"
            )
        if not self.settled:
            limit.append("Not settled: other programs kept the machine busy, so the figures say little.")
        if self.steady is None:
            return [f"No rate is steady: {self.ended}.", *limit]
        return [
            f"Highest steady rate: {self.steady.rate:.0f} calls a second, 99 % of them within "
            f"{self.steady.slow_ms:.0f} ms (at most {self.limit_ms:.0f}), held for "
            f"{self.steady.ended - self.steady.began:.0f} seconds.",
            f"The search ended: {self.ended}.",
            *limit,
        ]


def found_in(path: Path, sampler: Sampler, limit_ms: float) -> FoundRate | None:
    """Reads what a search wrote; None if there was no search."""
    written = _read(path)
    if written is None:
        return None
    steps = [Step(**step) for step in written["steps"]]
    steady = Step(**written["steady"]) if written["steady"] else None
    cores = os.cpu_count() or 1
    uses = [
        use_between(sampler.series, sampler.machine, cores, step.began - sampler.began, step.ended - sampler.began)
        for step in steps
    ]
    return FoundRate(steps, steady, written["ended"] or "it was stopped", limit_ms, uses)


def progress_of(path: Path) -> tuple[list[str], str]:
    """A line for each step that has ended, and what comes next."""
    written = _read(path)
    if written is None:
        return [], ""
    lines = [
        f"{step.phase}: {step.users} users, {step.rate:.0f} calls a second, 99 % within {step.slow_ms:.0f} ms, "
        f"{step.failed} wrong"
        for step in (Step(**step) for step in written["steps"])
    ]
    users, phase = written["next"]
    return lines, f", {phase} with {users} users" if not written["ended"] else ""


def _read(path: Path) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    return found
