"""Matches between players for docs/arena.md: the share of wins of each player, with its confidence interval.

    python -m bench.arena                 play the missing games, then write the page and its picture
    python -m bench.arena --games 20      at most 20 games of each match
    python -m bench.arena --games 0       play nothing, write the page

Each result is stored in bench/arena.jsonl when its game is over, so an interrupted run can be continued.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from alhambra.options import preset_modules
from alhambra_cli.arena import Match, ResultsFile, Standing, play_games
from alhambra_cli.process_pool import default_workers

from .plots import IMAGES, intervals

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "arena.jsonl"
BEFORE = ROOT / "bench" / "arena_before.jsonl"
"""Results from before `greedy` avoided endless redesigns. They are shown, with a mark, until half as many games have
been played again."""
MARK = "†"
PAGE = ROOT / "docs" / "arena.md"
PICTURE = IMAGES / "arena.svg"
FIELD = "greedy"
"""The player that all others are measured against."""
SEATS = (2, 3, 4, 5)
RULES = {
    "Base game": (),
    "Preset `first_game`": preset_modules("first_game"),
    "Preset `evening`": preset_modules("evening"),
    "All modules": preset_modules("everything"),
}
"""The modules of each section of the page, by its title."""
GAMES = {"random": 120, "peer": 120, "learned": 300, "search_easy": 300, "search_medium": 60, "search_hard": 20}
"""Games of each player in each match without modules."""
WITH_MODULES = {"random": 60, "peer": 60, "learned": 60, "search_easy": 60, "search_medium": 20, "search_hard": 20}
GOALS = {
    ("learned", 2, "base"): 0.50,
    ("learned", 3, "base"): 0.40,
    ("learned", 4, "base"): 0.25,
    ("learned", 5, "base"): 0.20,
    ("search_easy", 2, "base"): 0.60,
    ("search_easy", 2, "everything"): 0.60,
    ("search_medium", 2, "base"): 0.60,
}
"""The share of wins against the field that a player must reach, by player, seats and rules."""


class Fixture(NamedTuple):
    """A match of the schedule, and the share of wins that the first player must reach, if there is a goal."""

    match: Match
    games: int
    goal: float | None = None


class Shown(NamedTuple):
    """A match with the results that the page shows."""

    fixture: Fixture
    standing: Standing
    is_older: bool = False
    """Whether the games were played with `greedy` as it was before."""


def schedule() -> Iterator[Fixture]:
    """Yield all matches in the order of the page."""
    for modules in RULES.values():
        if modules in {(), RULES["All modules"]}:
            yield Fixture(Match(FIELD, "random", 3, modules), 80 if modules else 300, 0.95)
        for player, games in (WITH_MODULES if modules else GAMES).items():
            for seats in SEATS:
                match = Match(player, FIELD, seats, modules)
                yield Fixture(match, games, GOALS.get((player, seats, match.rules)))
    yield Fixture(Match("learned", "search_easy", 2), 100)


SCHEDULE = tuple(schedule())


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the missing games and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, help="games of each match, at most")
    parser.add_argument("--workers", type=int, default=default_workers(), help="processes")
    given = parser.parse_args(arguments)
    results_file = ResultsFile(RESULTS)
    for fixture in SCHEDULE:
        play(
            results_file,
            fixture,
            fixture.games if given.games is None else min(given.games, fixture.games),
            given.workers,
        )
    before = ResultsFile(BEFORE)
    found = [best_known(fixture, results_file, before) for fixture in SCHEDULE]
    write([shown for shown in found if shown.standing.results])


def best_known(fixture: Fixture, results_file: ResultsFile, before: ResultsFile) -> Shown:
    """Return the results of the present players, or the older ones if there are more than twice as many."""
    present, older = (file.known(fixture.match, fixture.games) for file in (results_file, before))
    return Shown(fixture, older, True) if len(older.results) > 2 * len(present.results) else Shown(fixture, present)


def play(results_file: ResultsFile, fixture: Fixture, games: int, workers: int) -> None:
    """Play the games of a match that have no stored result."""
    match = fixture.match
    done = results_file.known(match, fixture.games).results
    missing = [number for number in range(games) if number not in done]
    if not missing:
        return
    columns = (TextColumn(match.name), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns) as progress:
        task = progress.add_task(match.name, total=len(missing))
        for result in play_games(match, missing, workers):
            results_file.append(match, result)
            progress.advance(task)


# -- The page ----------------------------------------------------------------------------------------------------------


def write(found: Sequence[Shown]) -> None:
    """Write the page, and a picture of the matches without modules."""
    PAGE.write_text(page(found), encoding="utf-8")
    bars = {}
    for fixture, standing, _ in found:
        if not fixture.match.modules:
            row = standing.row()
            name = f"{row['challenger']} against {row['field']}, {row['seats']} seats"
            bars[name] = (100 * row["share"], 100 * row["low"], 100 * row["high"])
    intervals(PICTURE, "Games that the challenger won alone, base game", "% of games, with 95 % confidence", bars)


def verdict(goal: float | None, row: dict[str, Any]) -> str:
    """Return the goal of a match and whether it is met."""
    if goal is None:
        return ""
    state = "met" if row["low"] >= goal else "not sure yet" if row["high"] >= goal else "missed"
    return f"{100 * goal:.0f} %: {state}"


def page(found: Sequence[Shown]) -> str:
    """Return the page as Markdown."""
    lines = [
        "# The arena: how strong the players are",
        "",
        "This page compares the built-in players, so that you can choose one. `make arena` writes it from",
        "`bench/arena.jsonl`. One challenger plays against a field of others; each deal is played once from each seat.",
        "A game counts as won only if the challenger alone comes first. The bounds are Wilson intervals with 95 %",
        "confidence. Among equals, a challenger wins about one game in as many as there are seats. The search players",
        "complete all their rounds here, however long that takes. A goal is met if the lower bound reaches it. A match",
        "without a row has not been played yet; few games give wide bounds.",
        "[Players](players.md) describes how each of them plays; with `alhambra arena` you can measure",
        "[your own bot](bot-author.md#enter-a-tournament).",
    ]
    if any(shown.is_older for shown in found):
        lines += ["", *OLDER]
    for title, modules in RULES.items():
        rows = [shown for shown in found if shown.fixture.match.modules == modules]
        if rows:
            lines += ["", f"## {title}", "", *table(rows)]
        if not modules:
            lines += ["", f"![Games that the challenger won alone in the base game](images/{PICTURE.name})"]
    return "\n".join([*lines, ""])


OLDER = (
    f"{MARK} Played before `greedy` was changed: two of them could answer each other's redesigns until the game",
    "stopped at its limit of turns. The change concerns games with more than thirty rounds. Of 278 games that were",
    "played again, 107 had other scores, and in three of them it changed whether the challenger won. `make arena`",
    "plays the others, too. Without a mark, `greedy` is the present one.",
)


def table(rows: Sequence[Shown]) -> list[str]:
    """Return a table of matches as lines of Markdown."""
    return [
        "| challenger | field | seats | games | won alone | between | points | best of the others | goal |",
        "|---|---|--:|--:|--:|--:|--:|--:|---|",
        *(
            f"| {row['challenger']} | {row['field']} | {row['seats']} | {row['games']}{f' {MARK}' if is_older else ''} "
            f"| {100 * row['share']:.1f} % | {100 * row['low']:.1f} to {100 * row['high']:.1f} % "
            f"| {row['score']:.1f} | {row['best_other']:.1f} | {verdict(fixture.goal, row)} |"
            for fixture, row, is_older in ((shown.fixture, shown.standing.row(), shown.is_older) for shown in rows)
        ),
    ]


if __name__ == "__main__":
    main()
