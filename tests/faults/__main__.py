"""Faults by schedule under a running installation: what clients saw is checked at the end of every round.

python -m tests.faults [--minutes 5] [--seed 1] [--store single|sentinel|cluster|hosts|services|all]

A round starts a store, two services and two gateways, lets faults happen while clients play, repairs everything and
checks the history. Rounds follow each other, with seeds that count up, until the time is over. A round that fails
leaves its schedule, its history and the logs behind; its schedule is then made smaller. Results are appended to a file:
the same file given to --resume continues an interrupted run.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from . import clocks, hosts
from .report import BEGIN, END, FOLDER, PAGE, line_of, remember, remembered, rewritten, section
from .schedule import ON_HOSTS, SETTINGS, Schedule, draw
from .shrink import shrink
from .simulation import Round, Tell, play

ROUND_SECONDS = 45.0
SHRINKING_RUNS = 8
SHOWN_DEFECTS = 10
CANNOT_RUN = 3
"""The exit status if the machine lacks what was asked for: not a pass."""


def main() -> int:
    """Play rounds until the time is over; returns 1 if something is wrong."""
    given = _arguments()
    console = Console()
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # lines that are cut warn of every byte that cannot be sent
    if given.replay:
        return _replayed(given, console)
    lines = remembered(given.resume)
    no_hosts = hosts.unavailable() if given.store in ("all", "hosts") else ""
    if no_hosts:
        console.print(f"No hosts with addresses of their own, so no links are taken down: {no_hosts}", markup=False)
        if given.store == "hosts":
            return CANNOT_RUN
    known = SETTINGS if no_hosts else (*SETTINGS, ON_HOSTS)
    settings = [one for one in known if given.store in ("all", one[0]) and given.durability in ("", one[1])]
    if not settings:
        console.print("No such store has this durability.")
        return 2
    seed = given.seed + len(lines)
    spent, seconds = sum(line["took"] for line in lines), 60 * given.minutes
    if not clocks.available():
        console.print("No clock jumps: they need Linux and a C compiler.")
    console.print(f"seed {seed}; faults for about {(seconds - spent) / 60:.1f} minutes; results in {given.resume}")
    failed: list[Round] = []
    columns = (BarColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("starting", total=seconds)
        while spent < seconds:
            store, durability = settings[seed % len(settings)]
            schedule = draw(
                *(seed, store, durability, given.round_seconds),
                clocks=clocks.available(),
                versions=given.other_version is not None,
            )
            began = time.monotonic()
            found = play(schedule, _teller(progress, task, schedule, spent), other_version=given.other_version)
            lines.append(line_of(found, time.monotonic() - began))
            remember(given.resume, lines[-1])
            spent += lines[-1]["took"]
            seed += 1
            progress.console.print(_summary(lines[-1]))
            if found.defects:
                failed.append(found)
                _keep(found, progress.console)
    console.print(Markdown(section(lines).replace(BEGIN, "").replace(END, "")))
    if given.report:
        PAGE.write_text(rewritten(PAGE.read_text("utf-8"), lines), "utf-8")
    if failed and given.shrink:
        _shrunk(failed[0].schedule, given, console)
    return 1 if failed else 0


def _teller(progress: Progress, task: TaskID, schedule: Schedule, spent: float) -> Tell:
    """Return what shows how far a round has come."""
    began = time.monotonic()
    name = f"seed {schedule.seed}, {schedule.store}, {schedule.durability}"

    def tell(text: str) -> None:
        done = spent + time.monotonic() - began
        progress.update(task, completed=done, description=f"{name}: {text}")

    tell("starting")
    return tell


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long; a round is always finished")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first round")
    parser.add_argument("--store", choices=("single", "sentinel", "cluster", "hosts", "services", "all"), default="all")
    parser.add_argument("--durability", choices=("always", "everysec", "replicated"), default="")
    parser.add_argument("--round-seconds", type=float, default=ROUND_SECONDS, help="how long faults happen in a round")
    parser.add_argument("--resume", type=Path, default=None, help="file of results to continue; made if it is missing")
    parser.add_argument("--report", action="store_true", help="write the figures into docs/durability.md")
    parser.add_argument("--other-version", type=Path, help="source tree of an older version, to run side by side")
    parser.add_argument("--replay", type=Path, help="play the schedule in this file once")
    parser.add_argument("--no-shrink", dest="shrink", action="store_false", help="do not look for a smaller schedule")
    given = parser.parse_args()
    if given.resume is None:
        given.resume = FOLDER / f"{time.strftime('%Y-%m-%d-%H%M%S')}.jsonl"
    return given


def _summary(line: dict[str, object]) -> str:
    """One round in one line."""
    faults, counts = line["faults"], line["counts"]
    assert isinstance(faults, dict)
    assert isinstance(counts, dict)
    return (
        f"seed {line['seed']}, {line['store']}, {line['durability']}: {sum(faults.values())} faults, "
        f"{counts.get('acknowledged', 0)} moves, {counts.get('reads', 0)} reads, {counts.get('no answer', 0)} without "
        f"answer; lost {line['lost']}, defects {line['defects'] or 'none'}; went on after {line['recovery']} s"
    )


def _keep(found: Round, console: Console) -> None:
    """Write down everything about a round that failed."""
    name = FOLDER / f"failed-{found.schedule.seed}-{found.schedule.store}-{found.schedule.durability}"
    FOLDER.mkdir(exist_ok=True)
    Path(f"{name}.schedule.json").write_text(found.schedule.written(), "utf-8")
    defects = [list(defect) for defect in found.defects]
    history = json.dumps({"defects": defects, "history": found.history.as_dict()})
    Path(f"{name}.history.json").write_text(history, "utf-8")
    console.print(f"[red]Seed {found.schedule.seed} failed.[/red] Logs: {found.folder}; schedule: {name}.schedule.json")
    for defect in found.defects[:SHOWN_DEFECTS]:
        console.print(f"  {defect.kind}: {defect.about}", markup=False)


def _shrunk(schedule: Schedule, given: argparse.Namespace, console: Console) -> None:
    console.print(f"Making the schedule of seed {schedule.seed} smaller, with at most {SHRINKING_RUNS} rounds.")

    def fails(part: Schedule) -> bool:
        return bool(play(part, lambda text: None, other_version=given.other_version).defects)

    smallest = shrink(schedule, fails, SHRINKING_RUNS)
    file = FOLDER / f"shrunk-{schedule.seed}.schedule.json"
    file.write_text(smallest.written(), "utf-8")
    console.print(f"{len(smallest.faults)} of {len(schedule.faults)} faults are enough (seed {schedule.seed}); {file}:")
    console.print(smallest.written(), markup=False)


def _replayed(given: argparse.Namespace, console: Console) -> int:
    schedule = Schedule.read(given.replay.read_text("utf-8"))
    began = time.monotonic()
    found = play(schedule, lambda text: console.print(text, markup=False), other_version=given.other_version)
    console.print(_summary(line_of(found, time.monotonic() - began)))
    if found.defects:
        _keep(found, console)
    return 1 if found.defects else 0


if __name__ == "__main__":
    sys.exit(main())
