"""The file that Locust loads: all users, the shape and the options. An option chooses the users and their proportion:

locust -f loadtests/locustfile.py --host http://127.0.0.1:8080 --scenario games --shape constant --headless
"""

from __future__ import annotations

from typing import Any

from locust import events
from locust.env import Environment

from loadtests import scenarios
from loadtests.shapes import Shape
from loadtests.users.bots import GrpcBots, RestBots
from loadtests.users.placements import GrpcPlacements, RestPlacements
from loadtests.users.tables import GrpcTables, RestTables
from loadtests.users.watchers import GrpcWatchers, RestWatchers

__all__ = [
    "GrpcBots",
    "GrpcPlacements",
    "GrpcTables",
    "GrpcWatchers",
    "RestBots",
    "RestPlacements",
    "RestTables",
    "RestWatchers",
    "Shape",
]


@events.init.add_listener
def choose(environment: Environment, **_: Any) -> None:
    """Keep only the users of the scenario, and set their proportion."""
    parsed: Any = environment.parsed_options
    try:
        weights = scenarios.weights(parsed.scenario, parsed.weights)
    except ValueError as fault:
        raise SystemExit(str(fault)) from None
    known = {user.__name__: user for user in environment.user_classes}
    if unknown := set(weights) - set(known):
        raise SystemExit(f"There are no users {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}.")
    for name, weight in weights.items():
        known[name].weight = weight
    environment.user_classes = [known[name] for name in weights]
