"""Boards and tables for the terminal: scores, rankings, results, modules."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from alhambra import TYPES, Event, Game, Report, component_data, known_modules, load_module, text
from alhambra.boards import draw, marks_on_cells
from alhambra.options import PRESETS, preset_modules

STYLES = {
    "white": "bold",
    "red": "red",
    "yellow": "yellow",
    "green": "green",
    "blue": "blue",
    "orange": "dark_orange",
}
"""A style for each colour of a seat, readable on dark and light backgrounds."""
DIRK = "Dirk"


def seat_name(game: Game, seat: int) -> Text:
    """Return the name of a seat in its colour. With two players, seat 2 is Dirk."""
    seats = game.options.seats
    if seat >= len(seats):
        return Text(DIRK, style="dim")
    return Text(seats[seat].name, style=STYLES[seats[seat].colour])


# -- Boards ------------------------------------------------------------------------------------------------------------


def board_panel(game: Game, seat: int) -> Panel:
    """Return one Alhambra with its owner, score and longest wall."""
    owner = game.state.seats[seat]
    title = Text.assemble(seat_name(game, seat), f" · {owner.score} points · wall {owner.board.longest_wall()}")
    parts: list[RenderableType] = [Text(draw(owner.board, marks_on_cells(game, seat)), no_wrap=True)]
    reserve = game.ruleset.reserve.tiles(game, seat)
    if reserve:
        parts.append(Text(f"reserve: {', '.join(reserve)}", style="dim"))
    return Panel(Group(*parts), title=title, title_align="left", expand=False)


def show_boards(console: Console, game: Game) -> None:
    """Print all Alhambras, side by side where they fit."""
    panels = [board_panel(game, seat) for seat in range(len(game.state.seats))]
    if not console.is_terminal:  # a file can be as wide as the Alhambras need
        console.width = max(console.width, *(console.measure(panel).maximum for panel in panels))
    console.print(Columns(panels, padding=(0, 1)))


# -- Scores ------------------------------------------------------------------------------------------------------------


def score_table(game: Game, title: str, lines: Iterable[Event]) -> Table:
    """Return the table of one scoring: a row for each reason, a column for each seat."""
    rows: dict[str, dict[int, list[str]]] = {}
    totals = dict.fromkeys(range(len(game.scores)), 0)
    for event in sorted(lines, key=_row_order):
        fact = event.public
        rows.setdefault(_reason(fact), {}).setdefault(fact["seat"], []).append(_points(fact))
        totals[fact["seat"]] += fact["points"]
    table = Table(title=title, title_justify="left", show_footer=True, box=SIMPLE_HEAD)
    table.caption = "points (buildings, place; = shared)"
    table.add_column("for", footer="sum")
    for seat, total in totals.items():
        table.add_column(seat_name(game, seat), justify="right", footer=str(total))
    for reason, points in rows.items():
        table.add_row(reason, *(", ".join(points.get(seat, ["–"])) for seat in totals))
    return table


def _row_order(event: Event) -> tuple[bool, int]:
    kind = event.public.get("type")
    return event.public["reason"] != "wall", TYPES.index(kind) if kind in TYPES else len(TYPES)


def _reason(fact: Mapping[str, Any]) -> str:
    if fact["reason"] == "majority":
        return f"most {fact['type']}"
    return "longest wall" if fact["reason"] == "wall" else str(fact["reason"]).replace("_", " ")


def _points(fact: Mapping[str, Any]) -> str:
    """Return points as text; for a majority with the number of buildings, the place, and "=" if it is shared."""
    if fact["reason"] != "majority":
        return str(fact["points"])
    # `count` is in half buildings, so that the rules need no fractions.
    place = {1: "1st", 2: "2nd", 3: "3rd"}.get(fact["place"], f"{fact['place']}th")
    return f"{fact['points']} ({fact['count'] / 2:g}, {place}{'=' if fact['shared'] > 1 else ''})"


def ranking_table(game: Game, result: Mapping[str, Any]) -> Table:
    """Return the table of the final ranking."""
    table = Table(title="Ranking", title_justify="left")
    table.add_column("place", justify="right")
    table.add_column("player")
    table.add_column("points", justify="right")
    for seat, place in result["ranking"]:
        table.add_row(str(place), seat_name(game, seat), str(game.scores[seat]))
    if len(game.options.seats) == 2 and all(seat < 2 for seat, _ in result["ranking"]):
        table.add_row("–", seat_name(game, 2), str(game.scores[2]))
    return table


# -- Other tables ------------------------------------------------------------------------------------------------------


def results_table(results: Mapping[str, Any]) -> RenderableType:
    """Return the figures of a simulation as a table with notes."""
    table = Table(title=f"{results['played']} games, {results['seats']} seats, policy {results['policy']}")
    for name in ("seat", "mean score", "median", "wins", "share"):
        table.add_column(name, justify="left" if name == "seat" else "right")
    for seat, (score, wins) in enumerate(zip(results["scores"], results["wins"], strict=True)):
        name = DIRK if seat >= results["seats"] else str(seat)
        share = f"{100 * wins / results['played']:.1f} %" if results["played"] else "–"
        table.add_row(name, f"{score['mean']:.1f}", f"{score['median']:g}", str(wins), share)
    facts = [
        f"shared victories {results['shared_wins']}, stopped by the turn limit {results['unranked']}",
        f"{results['turns']:.1f} turns and {results['moves']:.1f} moves a game",
        f"{results['games_per_second']} games a second with {_count(results['workers'], 'worker')}, "
        f"{results['seconds']} s in all",
    ]
    if results["check"]:
        facts.append(f"all invariants checked after every move: {len(results['broken'])} games broken")
    return Group(table, *facts)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def arena_table(rows: Iterable[Mapping[str, Any]]) -> Table:
    """Return the figures of matches between players as a table."""
    table = Table(title="Arena")
    for name in (
        "challenger",
        "against",
        "seats",
        "modules",
        "games",
        "won alone",
        "95 % sure",
        "points",
        "best other",
    ):
        table.add_column(name, justify="left" if name in ("challenger", "against") else "right")
    for row in rows:
        between = f"{100 * row['low']:.1f} to {100 * row['high']:.1f} %"
        figures = (f"{100 * row['share']:.1f} %", between, f"{row['score']:.1f}", f"{row['best_other']:.1f}")
        counts = (str(row[name]) for name in ("seats", "rules", "games"))
        table.add_row(row["challenger"], row["field"], *counts, *figures)
    return table


def standings_table(rows: Iterable[Mapping[str, Any]], title: str) -> Table:
    """Return the standings of a tournament as a table."""
    table = Table(title=title)
    for name in ("bot", "games", "Elo", "95 % sure", "won alone", "95 % sure", "points", "s/game", "faults"):
        table.add_column(name, justify="left" if name in ("bot", "faults") else "right")
    for row in rows:
        bounds = "–" if row["elo_low"] is None else f"{row['elo_low']:+.0f} to {row['elo_high']:+.0f}"
        table.add_row(
            row["bot"],
            str(row["games"]),
            f"{row['elo']:+.0f}",
            bounds,
            f"{100 * row['won_alone']:.1f} %",
            f"{100 * row['low']:.1f} to {100 * row['high']:.1f} %",
            f"{row['points']:.1f}",
            f"{row['seconds']:.2f}",
            ", ".join(f"{reason} {count}" for reason, count in row["faults"].items()),
        )
    return table


def module_table() -> Table:
    """Return the table of all modules, in the order of the rulebook, with the origin of their printed values."""
    table = Table(title="Modules")
    table.add_column("no.", justify="right")
    for name in ("key", "name", "components from"):
        table.add_column(name)
    known = set(known_modules())
    printed: dict[str, Any] = component_data()["modules"]
    for number, (key, entry) in enumerate(printed.items(), 1):
        table.add_row(str(number), key, entry["name_en"], _provenance(entry))
    for key in sorted(known - set(printed)):
        table.add_row("–", key, "", "another package")
    return table


def preset_table() -> Table:
    """Return the table of presets with the numbers of their modules."""
    table = Table(title="Presets")
    for name in ("key", "name", "modules"):
        table.add_column(name)
    for key in PRESETS:
        numbers = (str(load_module(module).number or module) for module in preset_modules(key))
        table.add_row(key, text(f"preset.{key}"), " ".join(numbers))
    return table


def _provenance(entry: Mapping[str, Any]) -> str:
    """Return the origin of the least certain of the printed values."""
    told = str(entry.get("provenance", ""))
    origins = {"reconstructed": "partly reconstructed", "source:": "public sources", "rulebook": "rulebook"}
    return next((name for word, name in origins.items() if word in told), "–")


def report_lines(report: Report) -> Group:
    """Return the findings of a check, one line each."""
    signs = {True: Text("✓ ", "green"), False: Text("✗ ", "red"), None: Text("· ", "dim")}
    return Group(*(Text.assemble(signs[finding.good], finding.text) for finding in report.findings))
