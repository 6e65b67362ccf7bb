"""Runs the whole conformance suite. It can be resumed: finished games are skipped as long as the rules are the same.

python -m tests.conformance [--workers 2] [--only base,oracles] [--games 1000] [--fresh]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import alhambra
from tests.conformance import oracles
from tests.conformance.cases import Case, base_games, everything, pairs, single_modules
from tests.conformance.invariants import Watch

ROOT = Path(__file__).resolve().parents[2]
STORE = ROOT / ".conformance"
BATCH = 2


def rules_digest() -> str:
    """Changes with every line of the rules: figures of other rules do not count. Texts for people are no rules."""
    digest = blake2b(digest_size=8)
    for path in sorted((ROOT / "rules").rglob("*")):
        if path.suffix in (".py", ".json") and "texts" not in str(path.relative_to(ROOT)):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def play(case: Case) -> dict[str, Any]:
    """Plays one case; a failure is a result, too."""
    began = time.perf_counter()
    try:
        watch = Watch(case.options(), case.number)
        watch.play()
    except Exception:  # reported with its traceback, and the run ends with an error
        return {"case": case.name, "failed": traceback.format_exc(limit=-6)}
    return {
        "case": case.name,
        "moves": watch.moves,
        "turns": watch.game.state.turn,
        "seconds": round(time.perf_counter() - began, 3),
        "decisions": dict(watch.decisions),
    }


def play_all(cases: list[Case]) -> list[dict[str, Any]]:
    """A batch, so that processes are not woken for every single game."""
    return [play(case) for case in cases]


def selection(only: set[str], games: int) -> Iterator[Case]:
    """The cases of the chosen groups."""
    if "single" in only:
        yield from single_modules(max(1, games // 200))
    if "pairs" in only:
        yield from pairs(max(1, games // 1000))
    if "all" in only:
        yield from everything(max(1, games // 250))
    if "base" in only:
        yield from base_games(games)


def main() -> int:
    """Runs what is not done yet, shows progress, and prints a summary by group."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="oracles,single,pairs,all,base")
    parser.add_argument("--games", type=int, default=1000, help="games of each kind of base game; modules get fewer")
    parser.add_argument("--fresh", action="store_true", help="forget what was done before")
    arguments = parser.parse_args()
    only = set(arguments.only.split(","))

    STORE.mkdir(exist_ok=True)
    store = STORE / f"{rules_digest()}.jsonl"
    if arguments.fresh:
        store.unlink(missing_ok=True)
    done = [json.loads(line) for line in store.read_text().splitlines()] if store.exists() else []
    known = {entry["case"] for entry in done if "failed" not in entry}
    waiting = [case for case in selection(only, arguments.games) if case.name not in known]
    print(f"rules {rules_digest()}, engine {alhambra.ENGINE_VERSION}: {len(known)} games done, {len(waiting)} to play")

    failures = oracles.run_long() if "oracles" in only else 0
    batches = [waiting[at : at + BATCH] for at in range(0, len(waiting), BATCH)]
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with store.open("a") as log, Progress(*columns) as progress, ProcessPoolExecutor(arguments.workers) as pool:
        task = progress.add_task("games", total=len(waiting))
        for future in as_completed([pool.submit(play_all, batch) for batch in batches]):
            for entry in future.result():
                done.append(entry)
                log.write(json.dumps(entry) + "\n")
                if "failed" in entry:
                    failures += 1
                    progress.console.print(f"[red]{entry['case']}[/red]\n{entry['failed']}")
            log.flush()
            progress.advance(task, BATCH)
    summarise(done)
    return 1 if failures else 0


def summarise(done: list[dict[str, Any]]) -> None:
    """Games, moves and failures per group."""
    games: Counter[str] = Counter()
    moves: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for entry in done:
        group = entry["case"].partition("/")[0]
        games[group] += 1
        moves[group] += entry.get("moves", 0)
        failed[group] += "failed" in entry
    for group in games:
        print(f"{group:8} {games[group]:7,} games {moves[group]:11,} moves checked {failed[group]:4} failures")


if __name__ == "__main__":
    sys.exit(main())
