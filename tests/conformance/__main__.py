"""Runs the whole conformance suite. It can be resumed: what is done is skipped as long as its rules are the same.

python -m tests.conformance [--only base,oracles] [--games 1000] [--workers 2] [--fresh]
python -m tests.conformance --report    write the figures into docs/conformance.md
"""

from __future__ import annotations

import argparse
import gc
import json
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import chain
from multiprocessing import active_children
from pathlib import Path
from typing import TextIO

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

import alhambra
from tests.conformance.cases import (
    HABITS,
    PLAYED_ON,
    RESIGNED,
    Case,
    base_games,
    departures,
    everything,
    habits_with_each_module,
    mixed_habits,
    pairs,
    single_habits,
    single_modules,
    subsets,
)
from tests.conformance.oracles import Comparison, comparisons
from tests.conformance.report import HEADINGS, PAGE, rewritten, tables
from tests.conformance.results import ROOT, STORE, Result, digest_of, remembered, rules_digest
from tests.conformance.stuck import NotEnded

GROUPS = ("oracles", "single", "pairs", "subsets", "all", "habits", "resigned", "base")
BATCH = 4
"""Cases that a process takes at a time."""
SILENCE = 60
"""Without a terminal, progress is a line after so many seconds."""

Work = Case | Comparison


def done(work: Work) -> Result:
    """Plays or compares; a failure is a result, too."""
    began = time.process_time()
    try:
        if isinstance(work, Comparison):
            return {"case": work.name, "compared": work.compare()}
        single = len(work.modules) == 1
        watch = work.departures(moves=None if single else PLAYED_ON) if work.group == RESIGNED else work.watch()
        watch.play()
    except Exception as fault:  # reported with its traceback, and the run ends with an error
        return {"case": work.name, "failed": traceback.format_exc(limit=-6), "ended": not isinstance(fault, NotEnded)}
    return {
        "case": work.name,
        "moves": watch.moves,
        "undos": watch.undos,
        "resignations": watch.resignations,
        "turns": watch.game.state.turn,
        "seconds": round(time.process_time() - began, 3),
        "decisions": dict(watch.decisions),
    }


def all_done(batch: list[Work]) -> list[Result]:
    """A batch, so that processes are not woken for every single game."""
    return [done(work) for work in batch]


def selection(groups: list[str], games: int) -> Iterator[Work]:
    """The cases of the chosen groups, in the order they were named."""
    lists: dict[str, Callable[[], Iterator[Work]]] = {
        "oracles": comparisons,
        "single": lambda: single_modules(max(1, games // 200)),
        "pairs": lambda: pairs(max(1, games // 1000)),
        "subsets": lambda: subsets(games),
        "all": lambda: everything(max(1, games // 25)),
        "habits": lambda: chain(
            single_habits(max(1, games // 250)), habits_with_each_module(HABITS), mixed_habits(2 * games)
        ),
        "resigned": lambda: departures(max(1, games // 20)),
        "base": lambda: base_games(games),
    }
    for group in groups:
        yield from lists[group]()


class Rate(ProgressColumn):
    """How many cases a second."""

    def render(self, task: Task) -> Text:
        """The rate since the beginning."""
        return Text(f"{task.completed / task.elapsed:.1f} a second" if task.elapsed else "")


def run(waiting: list[Work], store: Path, workers: int) -> int:
    """Does what waits, remembers each result at once, shows progress; answers with the number of failures."""
    failures = 0
    batches = [waiting[at : at + BATCH] for at in range(0, len(waiting), BATCH)]
    columns = (TextColumn("cases"), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with appended(store) as log, Progress(*columns) as progress, ProcessPoolExecutor(workers, initializer=calm) as pool:
        task = progress.add_task("cases", total=len(waiting))
        lines = Lines(len(waiting), silent=progress.console.is_terminal)
        try:
            for future in as_completed([pool.submit(all_done, batch) for batch in batches]):
                for result in future.result():
                    log.write(json.dumps(result | {"rules": digest_of(result["case"])}) + "\n")
                    if "failed" in result:
                        failures += 1
                        progress.console.print(f"[red]{result['case']}[/red]")
                        progress.console.print(result["failed"], markup=False)
                    progress.advance(task)
                    lines.advance()
                log.flush()
        except KeyboardInterrupt:
            print("Stopped; what is done is remembered. The same command goes on.")
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():
                worker.terminate()
            failures += 1
    return failures


def appended(store: Path) -> TextIO:
    """The file, ready for a new line, even if the last one was cut off in the middle."""
    torn = store.exists() and not (store.read_bytes() or b"\n").endswith(b"\n")
    log = store.open("a", encoding="utf-8")
    if torn:
        log.write("\n")
    return log


def calm() -> None:
    """In the workers: an interrupt is the parent's business; what games leave behind is seldom swept up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(gc, "freeze"):  # PyPy sweeps in its own way
        gc.freeze()
        gc.set_threshold(50_000)


class Lines:
    """Progress for a log file: a line now and then."""

    def __init__(self, total: int, *, silent: bool) -> None:
        self.total = total
        self.silent = silent
        self.done = 0
        self.began = self.told = time.monotonic()

    def advance(self) -> None:
        """One more is done."""
        self.done += 1
        now = time.monotonic()
        if not self.silent and now - self.told >= SILENCE:
            self.told = now
            rate = self.done / (now - self.began)
            left = (self.total - self.done) / rate / 60
            print(f"{self.done:,} of {self.total:,}, {rate:.1f} a second, {left:.0f} minutes left", flush=True)


def summarise(results: dict[str, Result]) -> None:
    """The sums of every group."""
    for group, rows in tables(results.values()).items():
        heading, _, columns = HEADINGS[group]
        figures = ", ".join(f"{figure:,} {column}" for figure, column in zip(rows[-1].figures, columns, strict=True))
        print(f"{heading}: {figures}")


def report() -> int:
    """Writes the figures into the page, with the commit in which the rules got their present form."""
    results = remembered(STORE)
    if not results:
        print("Nothing was played under the present rules yet.", file=sys.stderr)
        return 1
    asked = ("git", "log", "-1", "--format=%h", "--", "rules/alhambra")
    commit = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    page = rewritten(PAGE.read_text(encoding="utf-8"), rules_digest(), commit, results.values())
    PAGE.write_text(page, encoding="utf-8")
    summarise(results)
    return 0


def main() -> int:
    """Does what is not done yet and prints a summary by group; or writes the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default=",".join(GROUPS), help="groups, in the order in which they are to be done")
    parser.add_argument(
        "--games",
        type=int,
        default=1000,
        help="games of each kind of base game; modules get fewer, habits twice as many in all",
    )
    parser.add_argument("--fresh", action="store_true", help="forget what was done before")
    parser.add_argument("--report", action="store_true", help="write the figures, run nothing")
    arguments = parser.parse_args()
    if arguments.report:
        return report()
    groups = arguments.only.split(",")
    if unknown := set(groups) - set(GROUPS):
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")

    STORE.parent.mkdir(exist_ok=True)
    if arguments.fresh:
        STORE.unlink(missing_ok=True)
    known = {case for case, result in remembered(STORE).items() if "failed" not in result}
    waiting = [work for work in selection(groups, arguments.games) if work.name not in known]
    print(
        f"rules {rules_digest()}, engine {alhambra.ENGINE_VERSION}: {len(known):,} cases done, {len(waiting):,} to do"
    )
    failures = run(waiting, STORE, arguments.workers)
    summarise(remembered(STORE))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
