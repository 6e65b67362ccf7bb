"""A great number of generated requests over all operations of gRPC and REST, in chapters that a run remembers.

A chapter is made from its seed: the service's has fresh games and some requests of every RPC
(`tests/service/fuzz/fuzzer.py`), the gateway's some of every operation of the API document, made by schemathesis
(`tests/gateway/fuzz/campaign.py`). Both judge every answer. A line in a file remains of each chapter, so a run that
is interrupted goes on with the next one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path

SERVICE, GATEWAY = PARTS = ("service", "gateway")
FILE = "chapters.jsonl"
OF_EACH_OPERATION = 20
"""Requests to each operation in a chapter of the gateway."""
CHAPTERS = 100
"""Chapters that one server answers, before a new one is started."""


@dataclass(frozen=True)
class Chapter:
    """What came of a chapter."""

    part: str
    seed: int
    requests: int
    statuses: dict[str, int]
    """By the status of the answer: how many."""
    failures: list[str] = field(default_factory=list)
    """One of each kind, with the request and how to send it again."""


def chapters(folder: Path) -> list[Chapter]:
    """Return the chapters that are done. A line that was cut off while it was written does not count."""
    file, found = folder / FILE, []
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        with suppress(json.JSONDecodeError):  # an empty line, or one that was cut off
            found.append(Chapter(**json.loads(line)))
    return found


def keep(folder: Path, chapter: Chapter) -> None:
    """Append a chapter to the file: in one write, because both parts write to it, and on a line of its own, because the
    last one may have been cut off."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / FILE).open("a", encoding="utf-8") as file:
        file.write(f"\n{json.dumps(asdict(chapter))}\n")


def play(part: str, first: int) -> Iterator[Chapter]:
    """Generate chapters of a part for ever, from this seed on."""
    for start in count(first, CHAPTERS):
        yield from (_service if part == SERVICE else _gateway)(range(start, start + CHAPTERS))


def _service(seeds: range) -> Iterator[Chapter]:
    from tests.service.fuzz.fuzzer import Report, run
    from tests.service.fuzz.world import serving

    with serving() as server:
        for seed in seeds:
            report = Report()
            run(server, seed, report)
            statuses: Counter[str] = Counter()
            for (_, _, status), times in report.answers.items():
                statuses[status] += times
            failures = [str(failure) for failure in report.kinds().values()]
            yield Chapter(SERVICE, seed, report.calls, dict(statuses), failures)


def _gateway(seeds: range) -> Iterator[Chapter]:
    from tests.gateway.fuzz.campaign import Report, run
    from tests.gateway.fuzz.world import World
    from tests.gateway.product import running

    with running("--workers", "1") as product:
        for seed in seeds:
            report = Report()
            world = World(product.http)
            try:
                run(world, OF_EACH_OPERATION, report, start=seed)
            finally:
                world.close()
            statuses: Counter[str] = Counter()
            for (_, status), times in report.answers.items():
                statuses[str(status)] += times
            failures = [str(fault) for fault in report.kinds().values()]
            yield Chapter(GATEWAY, seed, report.calls, dict(statuses), failures)


def summary(done: list[Chapter]) -> list[str]:
    """Return what came of the chapters, in lines."""
    lines = []
    for part in PARTS:
        own = [chapter for chapter in done if chapter.part == part]
        statuses: Counter[str] = Counter()
        for chapter in own:
            statuses.update(chapter.statuses)
        told = ", ".join(f"{status}: {times:,}" for status, times in sorted(statuses.items()))
        failed = sum(1 for chapter in own if chapter.failures)
        total = sum(chapter.requests for chapter in own)
        lines.append(f"{part:8} {total:9,} requests, {failed} of {len(own)} chapters with failures. {told}")
    return lines
