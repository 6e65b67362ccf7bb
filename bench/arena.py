"""Matches between players for docs/arena.md: the share of wins of each player, with its confidence interval.

    python -m bench.arena                 play the missing games, then write the page and its picture
    python -m bench.arena --games 20      at most 20 games of each match
    python -m bench.arena --games 0       play nothing, write the page

Each result is stored in bench/arena.jsonl when its game is over, so an interrupted run can be continued.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from alhambra.options import preset_modules
from alhambra_cli.arena import Match, ResultsFile, Standing, play_games
from alhambra_cli.simulate import default_workers

from .plots import IMAGES, intervals

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "arena.jsonl"
PAGE = ROOT / "docs" / "arena.md"
PICTURE = IMAGES / "arena.svg"
ALL = preset_modules("everything")


class Fixture(NamedTuple):
    """A match of the schedule, and the share of wins that the first player must reach, if there is a goal."""

    match: Match
    games: int
    goal: float | None = None


SCHEDULE = (
    Fixture(Match("learned", "greedy", 2), 300, 0.50),
    Fixture(Match("learned", "greedy", 3), 300, 0.40),
    Fixture(Match("greedy", "random", 3), 300, 0.95),
    Fixture(Match("search_easy", "greedy", 2), 300, 0.60),
    Fixture(Match("search_easy", "greedy", 2, ALL), 60, 0.60),
    Fixture(Match("search_medium", "greedy", 2), 60, 0.60),
    Fixture(Match("learned", "greedy", 4), 200, 0.25),
    Fixture(Match("learned", "greedy", 5), 200, 0.20),
    Fixture(Match("learned", "greedy", 2, preset_modules("first_game")), 100),
    Fixture(Match("learned", "greedy", 2, preset_modules("evening")), 100),
    Fixture(Match("learned", "greedy", 2, ALL), 60),
    Fixture(Match("learned", "search_easy", 2), 100),
    Fixture(Match("greedy", "random", 3, ALL), 80, 0.95),
    Fixture(Match("search_easy", "greedy", 3), 60),
    Fixture(Match("search_hard", "greedy", 2), 20),
    *(Fixture(Match(player, "greedy", seats), 100) for player in ("random", "peer") for seats in (2, 3, 4, 5)),
    *(Fixture(Match("search_easy", "greedy", seats), 60) for seats in (4, 5)),
)


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
    standings = [(fixture, results_file.known(fixture.match, fixture.games)) for fixture in SCHEDULE]
    write([(fixture, standing) for fixture, standing in standings if standing.results])


def play(results_file: ResultsFile, fixture: Fixture, games: int, workers: int) -> None:
    """Play the games of a match that have no stored result."""
    match = fixture.match
    done = results_file.known(match, fixture.games).results
    missing = [number for number in range(games) if number not in done]
    columns = (TextColumn(match.name), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns) as progress:
        task = progress.add_task(match.name, total=len(missing))
        for result in play_games(match, missing, workers):
            results_file.append(match, result)
            progress.advance(task)


# -- The page ----------------------------------------------------------------------------------------------------------


def write(found: Sequence[tuple[Fixture, Standing]]) -> None:
    """Write the page and its picture."""
    PAGE.write_text(page(found), encoding="utf-8")
    bars = {}
    for fixture, standing in found:
        row = standing.row()
        name = f"{row['challenger']} against {row['field']}\n{fixture.match.seats} seats, {rules_of(fixture.match)}"
        bars[name] = (100 * row["share"], 100 * row["low"], 100 * row["high"])
    intervals(PICTURE, "Games that the challenger won alone", "% of games, with 95 % confidence", bars)


def rules_of(match: Match) -> str:
    """Return the rules of a match in words."""
    return f"all {len(match.modules)} modules" if match.modules == ALL else match.rules


def verdict(goal: float | None, row: dict[str, Any]) -> str:
    """Return the goal of a match and whether it is met."""
    if goal is None:
        return ""
    state = "met" if row["low"] >= goal else "not sure yet" if row["high"] >= goal else "missed"
    return f"{100 * goal:.0f} %: {state}"


def page(found: Sequence[tuple[Fixture, Standing]]) -> str:
    """Return the page as Markdown."""
    lines = [
        "# The arena: how strong the players are",
        "",
        "This page compares the built-in players, so that you can choose one. `make arena` writes it from",
        "`bench/arena.jsonl`. One challenger plays against a field of others; each deal is played once from each seat.",
        "A game counts as won only if the challenger alone comes first. The bounds are Wilson intervals with 95 %",
        "confidence. Among equals, a challenger wins about one game in as many as there are seats. The search players",
        "complete all their rounds here, however long that takes. A goal is met if the lower bound reaches it.",
        "[Players](players.md) describes how each of them plays; with `alhambra arena` you can measure",
        "[your own bot](bot-author.md#enter-a-tournament).",
        "",
        "| challenger | field | seats | rules | games | won alone | between | points | best of the others | goal |",
        "|---|---|--:|---|--:|--:|--:|--:|--:|---|",
    ]
    for fixture, standing in found:
        row = standing.row()
        lines.append(
            f"| {row['challenger']} | {row['field']} | {row['seats']} | {rules_of(fixture.match)} | {row['games']} "
            f"| {100 * row['share']:.1f} % | {100 * row['low']:.1f} to {100 * row['high']:.1f} % "
            f"| {row['score']:.1f} | {row['best_other']:.1f} | {verdict(fixture.goal, row)} |"
        )
    return "\n".join([*lines, "", f"![Games that the challenger won alone](images/{PICTURE.name})", ""])


if __name__ == "__main__":
    main()
