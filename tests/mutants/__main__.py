"""Puts small faults into the rules, one at a time, and looks whether a test notices each. It can be resumed.

python -m tests.mutants [--only medina,base] [--tiers 2] [--workers 2] [--again]
python -m tests.mutants --only base --files scoring,walk     only these files, in this order
python -m tests.mutants --changed main        only lines that were changed since a commit
python -m tests.mutants --sample 200 --seed 7
python -m tests.mutants --only service --sample 50
python -m tests.mutants --report              write docs/mutants.md

Ends with exit code 1 if a mutant survived that `explained.toml` does not explain.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import PurePath
from random import Random

from tests.mutants.changes import Mutant, by_hand, mutants_of
from tests.mutants.explained import explanations
from tests.mutants.journal import SURVIVED, Result, remember, remembered, result_of
from tests.mutants.reach import GAME, OTHER, RULE, Reach, Tracer, all_lines, load, runs
from tests.mutants.report import PAGE, is_explained, page
from tests.mutants.run_tests import prepare
from tests.mutants.targets import ROOT, SERVERS, Target, may_name_rules, targets, tiers
from tests.mutants.workers import Work, measure_all, try_all

HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
SILENCE = 30
"""Without a terminal, progress is a line after this many seconds."""

CLASSES_SHOWN = {(RULE,): "tests that name a rule", (OTHER, GAME): "other tests"}
ORDER = [(classes, tier) for classes in CLASSES_SHOWN for tier in range(3)]
"""In which order a mutant meets its tests: classes of tests and tiers."""

Made = dict[Mutant, Target]


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", help="names of modules, base, service, gateway; default: base and all modules")
    parser.add_argument("--files", help="only these files (of a sample), in this order: scoring or scoring.py")
    parser.add_argument("--changed", metavar="REF", help="only lines that were changed since this commit")
    parser.add_argument("--sample", type=int, help="only this many mutants, chosen at random")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument(
        "--tiers", type=int, default=3, help="1: only the module's own tests; 2: all that name its page"
    )
    parser.add_argument("--by-hand", action="store_true", help="only the mutants of by_hand.toml")
    parser.add_argument(
        "--again", action="store_true", help="try survivors again, and mutants of rules that only other tests noticed"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--list", action="store_true", help="only print the mutants")
    parser.add_argument("--report", action="store_true", help="write what is remembered into docs/mutants.md")
    return parser.parse_args()


def main() -> int:
    """Try the mutants that are asked for."""
    asked = arguments()
    prepare()
    chosen = list(targets().values()) if asked.report else _chosen_targets(asked.only)
    made = _made(chosen, by_hand_only=asked.by_hand)
    if asked.report:
        return _write_report(made)
    wanted = _wanted(made, asked)
    if asked.list:
        print(*(f"{mutant.line}: {mutant.name}" for mutant in wanted), sep="\n")
        return 0
    known = remembered()
    kept = {mutant: known[mutant.name, mutant.digest] for mutant in wanted if (mutant.name, mutant.digest) in known}
    again = {mutant for mutant, result in kept.items() if asked.again and _may_do_better(result, made[mutant])}
    left = [mutant for mutant in wanted if mutant not in kept or mutant in again]
    results = [result for mutant, result in kept.items() if mutant not in again]
    results += _tried(left, made, asked)
    return _summary(results)


def _may_do_better(result: Result, target: Target) -> bool:
    return result.outcome in ((SURVIVED, OTHER, GAME) if target.page else (SURVIVED,))


def _chosen_targets(only: str | None) -> list[Target]:
    known = targets()
    names = only.split(",") if only else [name for name in known if name not in SERVERS]
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"Unknown: {', '.join(unknown)}. Known: {', '.join(known)}.")
    return [known[name] for name in names]


def _made(chosen: list[Target], *, by_hand_only: bool) -> Made:
    """Return the mutants of some targets."""
    hand = by_hand(ROOT)
    made = {}
    for target in chosen:
        for path in target.files:
            name = path.relative_to(ROOT).as_posix()
            made.update(dict.fromkeys((mutant for mutant in hand if mutant.path == name), target))
            made.update({} if by_hand_only else dict.fromkeys(mutants_of(path, ROOT), target))
    return made


def _wanted(made: Made, asked: argparse.Namespace) -> list[Mutant]:
    wanted = list(made)
    if asked.changed:
        lines = {path: changed_lines(path, asked.changed) for path in {mutant.path for mutant in wanted}}
        wanted = [mutant for mutant in wanted if lines[mutant.path] & {*range(mutant.line, mutant.last_line + 1)}]
    if asked.sample is not None and asked.sample < len(wanted):
        wanted = sorted(Random(asked.seed).sample(wanted, asked.sample), key=list(made).index)
    if asked.files:
        names = [name.removesuffix(".py") for name in asked.files.split(",")]
        wanted = [mutant for name in names for mutant in wanted if PurePath(mutant.path).stem == name]
    return wanted


def changed_lines(path: str, since: str) -> set[int]:
    """Return the lines of a file that were added or changed since a commit."""
    command = ["git", "diff", "--unified=0", since, "--", path]
    return lines_of(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def lines_of(difference: str) -> set[int]:
    """Return the new lines that a difference without context tells of."""
    hunks = ((int(found[1]), int(found[2] or 1)) for found in HUNK.finditer(difference))
    return {line for start, count in hunks for line in range(start, start + count)}


def _tried(mutants: list[Mutant], made: Made, asked: argparse.Namespace) -> Iterator[Result]:
    """Yield what became of mutants. Tests that name a rule are tried before all others, whatever tier they are in; of
    each tier, the mutants that survived go on to the next one."""
    tried: dict[Mutant, int] = dict.fromkeys(mutants, 0)
    loaded: dict[str, list[Reach]] = {}
    for classes, tier in ORDER:
        if tier >= asked.tiers or not tried:
            continue
        chosen = list(dict.fromkeys(made[mutant] for mutant in tried))
        files = [file for target in chosen for file in _files(target, tier)]
        _measure([file for file in files if GAME in classes or may_name_rules(file)], asked.workers)
        by_tier = [{target: _reaches(_files(target, each), loaded) for target in chosen} for each in range(asked.tiers)]
        lines = {target: all_lines(chain.from_iterable(each[target] for each in by_tier)) for target in chosen}
        works = [
            Work.of(mutant, target, by_tier[tier][target], classes, run_elsewhere=runs(lines[target], mutant))
            for mutant in tried
            for target in (made[mutant],)
        ]
        works = [work for work in works if work.tests]
        if not works:
            continue
        print(f"{len(works)} mutants, {CLASSES_SHOWN[classes]} of tier {tier + 1}", flush=True)
        by_key = {(work.mutant.name, work.mutant.digest): work.mutant for work in works}
        for result in _shown(try_all(works, asked.workers), len(works)):
            mutant = by_key[result.name, result.digest]
            tried[mutant] += result.tests
            if result.outcome != SURVIVED:
                del tried[mutant]
                remember([result])
                yield result
    for mutant, tests in tried.items():
        survivor = result_of(mutant, made[mutant].name, SURVIVED, "", tests)
        remember([survivor])
        yield survivor


def _files(target: Target, tier: int) -> list[str]:
    return [file for files in tiers(target)[tier : tier + 1] for file in files]


def _reaches(files: list[str], loaded: dict[str, list[Reach]]) -> list[Reach]:
    """Return what was measured of the tests of some files, as far as it was: each file is read once."""
    for file in files:
        if file not in loaded and (reaches := load(file)) is not None:
            loaded[file] = reaches
    return [reach for file in files for reach in loaded.get(file, ())]


def _measure(files: list[str], workers: int) -> None:
    """Measure what the tests of some files reach, if it is not known."""
    if stale := [file for file in dict.fromkeys(files) if load(file) is None]:
        print(f"Measuring what the tests of {len(stale)} files reach …", flush=True)
        for _ in measure_all(stale, Tracer(path for each in targets().values() for path in each.files), workers):
            pass
        if missing := [file for file in stale if load(file) is None]:
            sys.exit(f"These tests could not be measured: {', '.join(missing)}")


def _shown(results: Iterable[Result], count: int) -> Iterator[Result]:
    """Show how far a run is: in one line of a terminal, or in a line now and then."""
    counted: Counter[str] = Counter()
    last = time.monotonic()
    for result in results:
        yield result
        counted[result.outcome] += 1
        done = counted.total()
        line = f"{done} of {count}: " + ", ".join(f"{number} {outcome}" for outcome, number in counted.items())
        if sys.stdout.isatty():
            print(f"\r{line}", end="\n" if done == count else "", flush=True)
        elif time.monotonic() - last > SILENCE or done == count:
            last = time.monotonic()
            print(line, flush=True)
    if counted.total() < count:
        sys.exit(f"Only {counted.total()} of {count} mutants were tried, because a worker ended.")


def _summary(results: list[Result]) -> int:
    survivors = [result for result in results if result.outcome == SURVIVED]
    unexplained = [result for result in survivors if not is_explained(result, explanations())]
    for result in unexplained:
        print(f"survived: {result.name} (line {result.line}, {result.kind}, {result.tests} tests)")
    outcomes = Counter(result.outcome for result in results)
    print(f"{len(results)} mutants:", ", ".join(f"{number} {outcome}" for outcome, number in outcomes.items()))
    print(f"{len(unexplained)} survived without a reason.")
    return 1 if unexplained else 0


def _write_report(made: Made) -> int:
    known = remembered()
    results = [known[key] for mutant in made if (key := (mutant.name, mutant.digest)) in known]
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    counts = Counter(target.name for target in made.values())
    before = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(page(results, counts, commit.stdout.strip(), before), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
