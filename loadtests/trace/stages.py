"""The stages of calls, from the records of client, gateway and service: where the time of the slowest hundredth goes.

A call has a record in each process that it passes, under its request id. The stages of a call follow each other without
a gap, so that their times add up to the time that the client waited.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

MILLI = 1000.0
SLOWEST = 0.01
"""The share of the calls that counts as the slowest."""
Record = Mapping[str, float]

TO_GATEWAY = "client → gateway: network, and the turn of the thread that reads"
GATEWAY_QUEUE = "gateway: queue for a thread"
GATEWAY_CPU = "gateway: work of the thread (CPU)"
GATEWAY_CORE = "gateway: thread ready, no core free"
GATEWAY_LOCK = "gateway: interpreter lock and other locks"
TO_SERVICE = "→ service: network, and the turn of the thread that accepts"
SERVICE_QUEUE = "service: queue for a thread"
SERVICE_CPU = "service: work of the thread (CPU)"
SERVICE_CORE = "service: thread ready, no core free"
SERVICE_LOCK = "service: interpreter lock and other locks"
STORE = "store: script, disk, and the way there and back"
FROM_SERVICE = "service → gateway or client: network, and the turn of the thread that waits"
TO_CLIENT = "gateway → client: network, and the turn of the client"


class TracedCall(NamedTuple):
    """One call: the seconds that its client waited, by stage."""

    what: str
    seconds: float
    stages: Mapping[str, float]


class Row(NamedTuple):
    """A stage in the table: mean milliseconds of all calls and of the slowest, and its share of the slowest."""

    stage: str
    usual: float
    slow: float
    share: float


def read(folder: Path) -> list[TracedCall]:
    """Return the calls of all records in a folder. Calls that one of their processes did not record are left out."""
    by_role = {role: _records(folder, role) for role in ("client", "gateway", "service")}
    found = []
    for name, client in by_role["client"].items():
        gateway, service = by_role["gateway"].get(name), by_role["service"].get(name)
        if service is None or (gateway is None) == bool(client["rest"]):
            continue
        stages = _over_rest(client, gateway, service) if gateway is not None else _over_grpc(client, service)
        found.append(TracedCall(str(service["what"]), client["ended"] - client["began"], stages))
    return found


def _records(folder: Path, role: str) -> dict[str, Record]:
    found = {}
    for path in sorted(folder.glob(f"{role}.*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            found[record["id"]] = record
    return found


def _over_rest(client: Record, gateway: Record, service: Record) -> dict[str, float]:
    outside = gateway["ended"] - gateway["began"] - (gateway["call_ended"] - gateway["call_began"])
    cpu = gateway["cpu"] - gateway["call_cpu"]
    core = gateway["core_wait"] - gateway["call_core_wait"]
    return {
        TO_GATEWAY: gateway["arrived"] - client["began"],
        GATEWAY_QUEUE: gateway["began"] - gateway["arrived"],
        GATEWAY_CPU: cpu,
        GATEWAY_CORE: core,
        GATEWAY_LOCK: outside - cpu - core,
        TO_SERVICE: service["arrived"] - gateway["call_began"],
        **_in_service(service),
        FROM_SERVICE: gateway["call_ended"] - service["ended"],
        TO_CLIENT: client["ended"] - gateway["ended"],
    }


def _over_grpc(client: Record, service: Record) -> dict[str, float]:
    return {
        TO_SERVICE: service["arrived"] - client["began"],
        **_in_service(service),
        FROM_SERVICE: client["ended"] - service["ended"],
    }


def _in_service(service: Record) -> dict[str, float]:
    cpu = service["cpu"] - service["store_cpu"]
    core = service["core_wait"] - service["store_core_wait"]
    return {
        SERVICE_QUEUE: service["began"] - service["arrived"],
        SERVICE_CPU: cpu,
        SERVICE_CORE: core,
        SERVICE_LOCK: service["ended"] - service["began"] - service["store"] - cpu - core,
        STORE: service["store"],
    }


def slowest(calls: Sequence[TracedCall], share: float = SLOWEST) -> list[TracedCall]:
    """Return the slowest calls: this share of them, at least one if there are any."""
    count = max(1, round(share * len(calls)))
    return sorted(calls, key=lambda call: call.seconds, reverse=True)[:count]


def table(calls: Sequence[TracedCall]) -> list[Row]:
    """Return a row for each stage, in the order in which a call passes them."""
    slow = slowest(calls)
    total = sum(call.seconds for call in slow)
    return [
        Row(
            stage,
            MILLI * _mean(call.stages.get(stage, 0.0) for call in calls),
            MILLI * _mean(call.stages.get(stage, 0.0) for call in slow),
            sum(call.stages.get(stage, 0.0) for call in slow) / total if total else 0.0,
        )
        for stage in STAGES
    ]


def _mean(figures: Iterable[float]) -> float:
    found = list(figures)
    return mean(found) if found else 0.0


def markdown(calls: Sequence[TracedCall]) -> str:
    """Return the table of the stages as Markdown, with the calls that were slow."""
    slow = slowest(calls)
    kinds: dict[str, int] = {}
    for call in slow:
        kinds[call.what] = kinds.get(call.what, 0) + 1
    named = ", ".join(f"{what} {count}" for what, count in sorted(kinds.items(), key=lambda kind: -kind[1]))
    lines = [
        "| stage | all calls, ms | slowest hundredth, ms | share |",
        "|---|---:|---:|---:|",
        *(f"| {row.stage} | {row.usual:.2f} | {row.slow:.2f} | {row.share:.0%} |" for row in table(calls)),
        f"| together | {MILLI * _mean(call.seconds for call in calls):.2f} "
        f"| {MILLI * _mean(call.seconds for call in slow):.2f} | |",
    ]
    return "\n".join(lines) + f"\n\n{len(calls):,} calls were traced. The slowest {len(slow)} are: {named}.\n"


STAGES = (
    *(TO_GATEWAY, GATEWAY_QUEUE, GATEWAY_CPU, GATEWAY_CORE, GATEWAY_LOCK),
    *(TO_SERVICE, SERVICE_QUEUE, SERVICE_CPU, SERVICE_CORE, SERVICE_LOCK, STORE, FROM_SERVICE, TO_CLIENT),
)
"""The stages in the order in which a call passes them."""
