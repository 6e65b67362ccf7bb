"""The commands `arena` and `bot`: matches and tournaments between bots, and a player as a process for them."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from alhambra import Game
from alhambra import Options as GameOptions
from alhambra.options import PRESETS, preset_modules
from alhambra.players import PLAYERS, Player

from .arena import Match, ResultsFile, play_games
from .bad_input import BadInput
from .process_pool import default_workers
from .tables import arena_table, standings_table
from .tournament.entrants import BUILT_IN, GRPC, LEASE, PYTHON, Entrant, read_entrants
from .tournament.line_bot import LineBotServer
from .tournament.play import Terms, load_player
from .tournament.ratings import standings
from .tournament.results import TournamentFile, header_of, read_tournament
from .tournament.run import Tournament
from .tournament.schedule import MATCH, ROUND_ROBIN, SCHEDULES

WIDTH = 110
"""Columns of output that does not go to a terminal."""
FAILED, INTERRUPTED = 1, 130
MEGABYTE = 1024 * 1024
FAULTS_SHOWN = 20
MATCH_SEATS, TOURNAMENT_SEATS = 3, 2
REPORTS = 10
"""Lines of progress when the output does not go to a terminal."""


def _console(*, stderr: bool = False) -> Console:
    console = Console(stderr=stderr, highlight=False)
    if not console.is_terminal:
        console.width = WIDTH
    return console


def _progress(console: Console) -> Progress:
    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


@click.command()
@click.argument("bots", nargs=-1, metavar="BOT BOT…")
@click.option("--games", type=click.IntRange(1, 1_000_000), default=300, show_default=True, help="Number of games.")
@click.option("--seats", type=click.IntRange(2, 6), help="Number of players: 3 in a match, 2 in a tournament.")
@click.option("--modules", default="", metavar="A,B", help="Modules to play with, by key.")
@click.option("--preset", type=click.Choice(PRESETS), help="A named set of modules; see `alhambra modules`.")
@click.option(
    "--schedule",
    type=click.Choice(SCHEDULES),
    help="Who meets whom; by default a match between two bots, a round robin between more.",
)
@click.option("--rounds", type=click.IntRange(1, 1_000), default=5, show_default=True, help="Rounds of a Swiss.")
@click.option("--deals", type=click.IntRange(1, 1_000), default=1, show_default=True, help="Deals in a Swiss round.")
@click.option("--move-seconds", type=click.FloatRange(0.01, 3_600), default=10.0, help="Time for a decision.  [10]")
@click.option(
    "--game-seconds", type=click.FloatRange(0.1, 360_000), help="Time of a bot for a game; no limit if unset."
)
@click.option("--memory", type=click.IntRange(16), metavar="MB", help="Address space of a bot's process.")
@click.option("--jobs", "--workers", type=click.IntRange(1, 256), help="Number of processes; one per core by default.")
@click.option("--seed", default="arena", show_default=True, help="Seed; the same seed gives the same deals.")
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="Append results to this file, and skip games whose results are in it.",
)
@click.option("--keep-info", is_flag=True, help="Store what the bots tell about their decisions.")
@click.option("--replay", type=click.Path(path_type=Path), help="Replay the games of a tournament's file.")
@click.option("--game", type=click.IntRange(0), help="With --replay: print this game in notation.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def arena(**given: Any) -> None:
    """Let bots play against each other.

    A BOT is a player of this library (greedy), a Python class or function (package.module:Class), a program that speaks
    the line protocol (cmd:COMMAND) or one that plays over gRPC (grpc:COMMAND, lease:COMMAND). NAME=BOT renames it.

    Two bots play a match: the first one against the second on all other seats. More bots play a tournament.
    """
    if given["replay"] is not None:
        _replay(given["replay"], given["game"])
        return
    if len(given["bots"]) < 2:
        raise BadInput("Name at least two bots.")
    entrants = read_entrants(given["bots"])
    modules = tuple(dict.fromkeys((*_names(given["modules"]), *_preset(given["preset"]))))
    schedule = given["schedule"] or (MATCH if len(entrants) == 2 else ROUND_ROBIN)
    seats = given["seats"] or (MATCH_SEATS if schedule == MATCH else TOURNAMENT_SEATS)
    Game.new(GameOptions(seats, given["seed"], modules=modules))  # rejects invalid options
    if given["schedule"] is None and schedule == MATCH and all(one.kind == BUILT_IN for one in entrants):
        match = Match(entrants[0].target, entrants[1].target, seats, modules, given["seed"])
        _play_match(match, given["games"], given["jobs"], given["results"], as_json=given["as_json"])
        return
    memory = None if given["memory"] is None else given["memory"] * MEGABYTE
    terms = Terms(
        seats,
        modules,
        seed=given["seed"],
        move_seconds=given["move_seconds"],
        game_seconds=given["game_seconds"],
        memory=memory,
        keep_info=given["keep_info"],
    )
    _check_python(entrants)
    _check_grpc(entrants)
    tournament = Tournament(entrants, terms, schedule, given["games"], given["rounds"], given["deals"])
    tournament.check()
    _play_tournament(tournament, given["jobs"] or default_workers(), given["results"], as_json=given["as_json"])


def _names(names: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in names.split(",") if name.strip())


def _preset(preset: str | None) -> tuple[str, ...]:
    return preset_modules(preset) if preset else ()


def _check_python(entrants: tuple[Entrant, ...]) -> None:
    """Raise BadInput for a Python path that leads nowhere, before any game is played."""
    for entrant in entrants:
        if entrant.kind == PYTHON:
            _loaded(entrant.target)


def _check_grpc(entrants: tuple[Entrant, ...]) -> None:
    """Raise BadInput for a bot over gRPC if the packages of the server are missing."""
    if any(entrant.kind in (GRPC, LEASE) for entrant in entrants) and find_spec("grpc") is None:
        raise BadInput("Bots over gRPC need the package grpcio: pip install 'alhambra-rules[server]'")


def _loaded(path: str) -> Player:
    if "" not in sys.path:
        sys.path.insert(0, "")  # bots in the current folder can be imported
    try:
        return load_player(path)
    except Exception as fault:
        raise BadInput(f"Cannot load {path}: {type(fault).__name__}: {fault}.") from None


def _play_match(match: Match, games: int, jobs: int | None, results: Path | None, *, as_json: bool) -> None:
    """Measure how often one player wins alone against another on all other seats."""
    file = ResultsFile(results)
    standing = file.known(match, games)
    interrupted = False
    with _progress(_console(stderr=True)) as progress:
        task = progress.add_task("games", total=games, completed=len(standing.results))
        missing = [number for number in range(games) if number not in standing.results]
        try:
            for result in play_games(match, missing, jobs or default_workers()):
                standing.add(result)
                file.append(match, result)
                progress.update(task, completed=len(standing.results))
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        click.echo(json.dumps(standing.row(), indent=2))
    else:
        _console().print(arena_table([standing.row()]))
    if interrupted:
        _end_interrupted(results)


def _play_tournament(tournament: Tournament, jobs: int, results: Path | None, *, as_json: bool) -> None:
    terms = tournament.terms
    header = header_of(
        tournament.entrants,
        schedule=tournament.schedule,
        games=tournament.games,
        rounds=tournament.rounds,
        deals=tournament.deals,
        **{**terms._asdict(), "modules": list(terms.modules)},
    )
    file = TournamentFile(results, header)
    total = tournament.size()
    console = _console(stderr=True)
    interrupted = False
    with _progress(console) as progress:
        task = progress.add_task("games", total=total, completed=len(file.games))
        try:
            for _ in tournament.play(file, jobs):
                done = len(file.games)
                progress.update(task, completed=done)
                if not console.is_terminal and (done == total or done % max(1, total // REPORTS) == 0):
                    click.echo(f"{done} of {total} games", err=True)
        except KeyboardInterrupt:
            interrupted = True
    games = [game for game in file.games.values() if game.number < total]
    rows = standings(tournament.bots, games)
    if as_json:
        click.echo(json.dumps({"games": len(games), "of": total, "standings": rows}, indent=2))
    else:
        _console().print(standings_table(rows, f"{len(games)} of {total} games, {terms.seats} seats"))
        _show_faults(games)
    if interrupted:
        _end_interrupted(results)


def _end_interrupted(results: Path | None) -> NoReturn:
    click.echo("Interrupted; the same command with --results resumes." if results else "Interrupted.", err=True)
    sys.exit(INTERRUPTED)


def _show_faults(games: list[Any]) -> None:
    """Print the first faults with their reasons."""
    faults = [(game.number, fault) for game in sorted(games, key=lambda game: game.number) for fault in game.faults]
    for number, fault in faults[:FAULTS_SHOWN]:
        click.echo(f"Game {number}: {fault.bot} lost by {fault.reason}: {fault.detail}", err=True)
    if len(faults) > FAULTS_SHOWN:
        click.echo(f"… and {len(faults) - FAULTS_SHOWN} more faults.", err=True)


def _replay(path: Path, number: int | None) -> None:
    """Replay all games of a file and compare their results, or print one of them."""
    _, games = read_tournament(path)
    if number is not None:
        game = next((game for game in games if game.number == number), None)
        if game is None:
            raise BadInput(f"{path} has no game {number}.")
        click.echo(game.notation(), nl=False)
        return
    wrong = 0
    for game in games:
        for difference in game.differences():
            click.echo(f"Game {game.number}: {difference}.", err=True)
            wrong += 1
    click.echo(f"{len(games)} games replayed, {wrong} differences.")
    if wrong:
        sys.exit(FAILED)


@click.command()
@click.argument("player", metavar="PLAYER")
def bot(player: str) -> None:
    """Play as a process of the line protocol, on standard input and output.

    PLAYER is a player of this library (search_hard), or a Python class or function (package.module:Class).
    """
    if player not in PLAYERS and ":" not in player:
        raise BadInput(f"Unknown player {player!r}; choose from {', '.join(PLAYERS)}, or write package.module:Class.")
    _make(player)
    LineBotServer(player, lambda: _make(player), sys.stdin, sys.stdout).run()


def _make(player: str) -> Player:
    return PLAYERS[player]() if player in PLAYERS else _loaded(player)


COMMANDS = (arena, bot)
