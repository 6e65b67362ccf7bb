"""Writes docs/mutants.md: the figures of each target, and every survivor."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from tests.mutants.explained import KINDS, Explanation, explanations
from tests.mutants.journal import STOPPED, SURVIVED, Result
from tests.mutants.reach import GAME, OTHER, RULE
from tests.mutants.targets import ROOT, SERVERS, targets

PAGE = ROOT / "docs" / "mutants.md"
INTRODUCTION = """# Mutants

<!-- Written by `python -m tests.mutants --report`. Do not edit. -->

How sure is it that a wrong rule would be noticed? `make mutants` puts small faults into the rules, one at a time, and
runs the tests that reach the changed line, until one of them fails. A fault is a turned comparison, another number, a
condition that always or never holds, a call, exit or hook that is missing, two statements in the other order, a shuffle
that does nothing, or hidden information that is shown. `tests/mutants/by_hand.toml` lists faults of other kinds.

`make mutants ONLY=medina,base` takes some modules, `CHANGED=main` the lines that were changed since a commit, and
`SAMPLE=200 SEED=7` a sample. A run can be stopped and resumed.
[Decision 71](decisions/0071-mutants-by-a-driver-of-our-own.md) says how it works.

*Rule* are mutants that were noticed by a test which names a statement of the [rules](rules/coverage.md); *other* those
that only another test of the library noticed; *games* those that only a golden or random game noticed; *stopped* those
that cannot be imported or run for ever; *explained* those that no test noticed, for a reason given below; *survived*
all others. The percentage is the share of *rule* and *stopped* among those tried, without those explained. Tests of the
service and the gateway name no statements, so there it is the share of *other* and *stopped*. A row holds for the
commit that it names.

## Figures
"""


def page(results: Sequence[Result], made: Mapping[str, int], commit: str, before: str = "") -> str:
    """Return the text of the page: `made` says how many mutants each target has. Of targets without a result it keeps
    the row that stands in the page before."""
    by_target: dict[str, list[Result]] = {name: [] for name in made}
    for result in results:
        by_target[result.target].append(result)
    known = explanations()
    rows = _rows_of(before)
    rows |= {name: _row(name, made[name], own, known, commit) for name, own in by_target.items() if own}
    return "\n".join(
        [
            INTRODUCTION,
            *_table([rows[name] for name in made if name in rows]),
            *_explained(known),
            *_survivors(results, known, _kept_survivors(before, {name for name, own in by_target.items() if own})),
            "",
        ]
    )


COLUMNS = (RULE, OTHER, GAME, STOPPED, "explained", SURVIVED)


class Row(NamedTuple):
    """The figures of a target."""

    name: str
    commit: str
    numbers: tuple[int, ...]
    """Made, tried, and one for each of COLUMNS."""

    def __str__(self) -> str:
        made, tried, *outcomes = self.numbers
        figures = dict(zip(COLUMNS, outcomes, strict=True))
        noticed = figures[STOPPED] + figures[OTHER if self.name in SERVERS else RULE]
        share = f"{100 * noticed / max(tried - figures['explained'], 1):.1f} %"
        of_a_sample = "" if tried == made else ", a sample"
        return f"| {self.name} | {self.commit} | {' | '.join(map(str, self.numbers))} | {share}{of_a_sample} |"


def _row(name: str, made: int, results: Sequence[Result], known: Mapping[str, Explanation], commit: str) -> Row:
    found = Counter("explained" if is_explained(result, known) else result.outcome for result in results)
    return Row(name, commit, (made, len(results), *(found[column] for column in COLUMNS)))


def _rows_of(text: str) -> dict[str, Row]:
    """Return the rows in the table of a page."""
    lines = re.findall(r"^\| (\w+) \| (\w+) \| ((?:\d+ \| )+)", text, re.MULTILINE)
    return {name: Row(name, commit, tuple(map(int, re.findall(r"\d+", row)))) for name, commit, row in lines}


def _table(rows: Sequence[Row]) -> Iterator[str]:
    yield "| target | commit | made | tried | rule | other | games | stopped | explained | survived | |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    yield from map(str, rows)


def is_explained(result: Result, known: Mapping[str, Explanation]) -> bool:
    """Tell whether a mutant survived for a known reason."""
    return result.outcome == SURVIVED and result.name in known


def _explained(known: Mapping[str, Explanation]) -> Iterator[str]:
    yield "\n## Explained\n"
    yield from (f"- *{kind}*: {meaning}." for kind, meaning in KINDS.items())
    yield "\n| mutant | kind | because |\n|---|---|---|"
    yield from (f"| {_code(name)} | {reason.kind} | {reason.because} |" for name, reason in sorted(known.items()))


def _kept_survivors(text: str, tried: Collection[str]) -> list[str]:
    """Return the lines about survivors of targets that were not tried again."""
    target_of = {path.relative_to(ROOT).as_posix(): name for name, each in targets().items() for path in each.files}
    lines = re.findall(r"^- `(\S+) .*", text, re.MULTILINE)
    whole = re.findall(r"^- `\S+ .*", text, re.MULTILINE)
    return [line for path, line in zip(lines, whole, strict=True) if target_of.get(path, "") not in {"", *tried}]


def _survivors(results: Sequence[Result], known: Mapping[str, Explanation], kept: Sequence[str]) -> Iterator[str]:
    survivors = [each for each in results if each.outcome == SURVIVED and not is_explained(each, known)]
    if survivors or kept:
        yield "\n## Survivors without a test or a reason\n"
        yield "With the number of tests that were tried. A run with `TIERS=1` tries only those named after the module,"
        yield "one with `TIERS=2` only those that name its page; of what survives there, other tests may notice some.\n"
        yield from (f"- {_code(result.name)} ({result.kind}, {result.tests} tests)" for result in survivors)
        yield from kept


def _code(text: str) -> str:
    return f"`{text.replace('|', chr(92) + '|')}`"
