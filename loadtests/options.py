"""The options of a load test, on the command line of Locust and on its page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from locust import events
from locust.argument_parser import LocustArgumentParser

from . import limits
from .scenarios import SCENARIOS, SHAPES


@events.init_command_line_parser.add_listener
def add_options(parser: LocustArgumentParser, **_: Any) -> None:
    """Add the options to Locust."""
    group = parser.add_argument_group("Alhambra")
    group.add_argument("--scenario", choices=sorted(SCENARIOS), default="mixed", help="Kinds of users.")
    group.add_argument("--weights", default="", help="Users in proportion, RestBots=3,GrpcBots=1: above the scenario.")
    group.add_argument("--shape", choices=SHAPES, default="constant", help="How many come when.")
    group.add_argument("--peak", type=int, default=limits.USERS, help="Users: all of them, or those of the first step.")
    group.add_argument("--seconds", type=float, default=limits.SECONDS, help="How long, if the shape does not end.")
    group.add_argument("--think", type=float, default=0.0, help="Seconds that a user waits between two calls.")
    group.add_argument("--pace", type=float, default=0.0, help="Calls a second of each user; 0 for no limit.")
    group.add_argument("--limit-ms", type=float, default=limits.LIMIT_MS, help="99th percentile that a search keeps.")
    group.add_argument("--search-file", default="", help="Where a search writes its steps, as JSON.")
    group.add_argument("--turn-limit", type=int, default=0, help="Turns after which games of tables end; 0 for none.")
    group.add_argument("--grpc", default="127.0.0.1:50051", help="Address of the service.")
    group.add_argument("--games-file", default="", help="Prepared games with their known answers.")
    group.add_argument("--seats", type=int, default=3, help="Seats of the games that bots play.")
    group.add_argument("--modules", default="", help="Modules of the games that bots play, separated by commas.")
    group.add_argument("--edition", default="", help="Edition of the games that bots play.")


def modules_of(options: Any) -> Sequence[str]:
    """Return the modules as a list."""
    return [name.strip() for name in options.modules.split(",") if name.strip()]


def games_file(options: Any) -> Path:
    """Return the file of the prepared games, which users of placements need."""
    if not options.games_file:
        raise SystemExit("Questions about placements need --games-file; `python -m loadtests` prepares one.")
    return Path(options.games_file)
