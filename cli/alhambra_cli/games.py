"""The commands that play, check and draw games without a server: demo, simulate, verify, board, modules."""

import json
import secrets
import sys
from itertools import islice
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from alhambra import EDITIONS, AlhambraError, Finding, Game, Report, verify_export
from alhambra import Options as GameOptions
from alhambra.options import PRESETS, preset_modules
from alhambra.players import PLAYERS

from .bad_input import BadInput
from .demo import Demo
from .files import load, load_game
from .outcome_file import OutcomeFile, check_parquet, write_parquet
from .process_pool import default_workers
from .simulate import Plan, Tally, outcomes
from .tables import module_table, preset_table, report_lines, results_table, show_boards

WIDTH = 100
"""Columns of output that does not go to a terminal."""
FAILED = 1
INTERRUPTED = 130

modules_option = click.option("--modules", default="", metavar="A,B", help="Modules to play with, by key.")
preset_option = click.option(
    "--preset", type=click.Choice(PRESETS), help="A named set of modules; see `alhambra modules`."
)
edition_option = click.option(
    "--edition",
    type=click.Choice(list(EDITIONS)),
    default="de_revised_2019",
    show_default=True,
    help="The edition of the rulebook.",
)
file_argument = click.argument("file", type=click.Path(path_type=Path))


def make_console(*, no_color: bool = False, stderr: bool = False) -> Console:
    """Return a console as wide as the terminal; WIDTH columns wide if the output does not go to a terminal."""
    console = Console(no_color=no_color or None, stderr=stderr, highlight=False)
    if not console.is_terminal:
        console.width = WIDTH
    return console


def split_names(names: str) -> tuple[str, ...]:
    """Return the names in a comma-separated list."""
    return tuple(name.strip() for name in names.split(",") if name.strip())


def chosen_modules(names: str, preset: str | None) -> tuple[str, ...]:
    """Return the modules of a comma-separated list and of a preset, each once."""
    return tuple(dict.fromkeys((*split_names(names), *(preset_modules(preset) if preset else ()))))


@click.command()
@click.option("--seats", type=click.IntRange(2, 6), default=3, show_default=True, help="Number of players.")
@click.option("--seed", help="Seed; the same seed gives the same game.")
@modules_option
@preset_option
@edition_option
@click.option("--delay", type=click.FloatRange(0, 60), default=0.0, help="Seconds to wait after each move.")
@click.option("--no-color", is_flag=True, help="Print without colours.")
def demo(
    seats: int, seed: str | None, modules: str, preset: str | None, edition: str, delay: float, no_color: bool
) -> None:
    """Play a random game in the terminal."""
    chosen = seed if seed is not None else secrets.token_hex(4)
    options = GameOptions(seats, chosen, edition=edition, modules=chosen_modules(modules, preset))
    Demo(make_console(no_color=no_color), options, delay).play()


def check_policy(_context: click.Context, _option: click.Parameter, value: str) -> str:
    """Return the names of players without blanks. Raise BadParameter for unknown names."""
    names = split_names(value)
    unknown = [name for name in names if name not in PLAYERS]
    if unknown or not names:
        raise click.BadParameter(f"unknown player {', '.join(unknown) or value!r}; choose from {', '.join(PLAYERS)}.")
    return ",".join(names)


def policy_lines() -> str:
    """Return the players with their habits, one line each, for the help text."""
    width = max(map(len, PLAYERS))
    return "\n".join(f"  {name:<{width}}  {kind.about}" for name, kind in PLAYERS.items())


@click.command(epilog=f"\b\nPolicies:\n{policy_lines()}")
@click.option("--games", type=click.IntRange(1, 10_000_000), default=1_000, show_default=True, help="Number of games.")
@click.option("--seats", type=click.IntRange(2, 6), default=4, show_default=True, help="Number of players.")
@modules_option
@preset_option
@edition_option
@click.option(
    "--policy",
    default="random",
    show_default=True,
    metavar="A,B",
    callback=check_policy,
    help="Policies of the seats, listed below; several are assigned in turn.",
)
@click.option("--workers", type=click.IntRange(1, 256), help="Number of processes; one per core by default.")
@click.option("--check", is_flag=True, help="Check all invariants after every move.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option("--seed", default="alhambra", show_default=True, help="Seed; the same seed gives the same games.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write one line for each game to this CSV file, and continue after the games that are in it.",
)
@click.option(
    "--parquet",
    type=click.Path(dir_okay=False, path_type=Path),
    help="At the end, write the CSV file as Parquet, too. Needs pyarrow.",
)
def simulate(
    games: int,
    seats: int,
    modules: str,
    preset: str | None,
    edition: str,
    policy: str,
    workers: int | None,
    check: bool,
    as_json: bool,
    seed: str,
    output: Path | None,
    parquet: Path | None,
) -> None:
    """Play many games and print statistics. Ctrl-C ends it; with --output, the same command continues."""
    if parquet is not None:
        if output is None:
            raise click.UsageError("--parquet needs --output.")
        check_parquet()
    plan = Plan(games, seats, chosen_modules(modules, preset), edition, policy, seed, check)
    Game.new(plan.options(0))  # rejects invalid options before any worker starts
    tally = Tally(plan, workers or min(default_workers(), games))
    file = OutcomeFile(output, plan) if output is not None else None
    for outcome in islice(file.known(), games) if file is not None else ():
        tally.add([outcome], played_before=True)
    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    console = make_console(stderr=True)
    interrupted = False
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("games", total=games, completed=tally.done)
        try:
            for found in outcomes(plan, tally.workers, tally.done):
                if file is not None:
                    file.append(found)
                tally.add(found)
                progress.update(task, completed=tally.done)
        except KeyboardInterrupt:
            interrupted = True
    if file is not None and parquet is not None and not interrupted:
        write_parquet(file.path, parquet)
    results = tally.results()
    if as_json:
        click.echo(json.dumps(results, indent=2))
    else:
        make_console().print(results_table(results))
    for outcome in tally.broken:
        click.echo(f"Game {outcome.number} (seed '{seed}/{outcome.number}') is broken: {outcome.broken}", err=True)
    if interrupted:
        again = "; the same command continues" if file is not None else ""
        click.echo(f"Interrupted after {tally.done} of {games} games{again}.", err=True)
        sys.exit(INTERRUPTED)
    if tally.broken:
        sys.exit(FAILED)


@click.command()
@file_argument
@click.option("--commitment", help="The commitment published before the game.")
@click.option(
    "--entropy-commitments",
    metavar="HEX,HEX,…",
    help="The entropy commitments of the seats, in seat order, as published before the entropy was revealed. "
    "Leave the place of a seat without a commitment empty.",
)
def verify(file: Path, commitment: str | None, entropy_commitments: str | None) -> None:
    """Verify a game: an export, or a game in notation. Exits with 1 if the verification fails."""
    loaded = load(file)
    if loaded.kind == "export":
        seats = None if entropy_commitments is None else entropy_commitments.split(",")
        report = verify_export(loaded.content, commitment, seats)
    else:
        report = _replayed(file)
    make_console().print(report_lines(report))
    if not report.ok:
        click.echo("Verification failed.", err=True)
        sys.exit(FAILED)


def _replayed(file: Path) -> Report:
    """Replay a game in notation or bytes and return the findings. Such a file has no commitment, so only its moves and
    its state are checked."""
    try:
        game = load_game(file)
        again = Game.replay(game.options, game.log)
    except (BadInput, AlhambraError) as fault:
        return Report(False, (Finding(False, fault.message),))
    findings = [Finding(True, f"Every move is legal: all {len(game.log)} entries of the log were replayed.")]
    if again != game:
        findings.append(Finding(False, "The state is not the one that the moves lead to."))
    scores = ", ".join(map(str, game.scores))
    findings.append(Finding(None, f"The game is {'over' if game.over else 'still running'}, the scores are {scores}."))
    return Report(all(finding.good is not False for finding in findings), tuple(findings))


@click.command()
@file_argument
@click.option("--at", type=click.IntRange(0), help="Draw the position after this number of log entries.")
def board(file: Path, at: int | None) -> None:
    """Draw the Alhambras of a game: an export, notation, or the bytes of a game."""
    game = load_game(file)
    if at is not None and at > len(game.log):
        raise BadInput(f"--at {at} is out of range: {file} has {len(game.log)} log entries.")
    if at is not None:
        game = Game.replay(game.options, game.log[:at])
    console = make_console()
    console.print(f"After {len(game.log)} entries, turn {game.state.turn}:")
    show_boards(console, game)


@click.command()
def modules() -> None:
    """List the modules and presets."""
    console = make_console()
    console.print(module_table())
    console.print(preset_table())


COMMANDS = (demo, simulate, verify, board, modules)
