"""The users of each scenario, and their proportion. Does not import Locust, which patches sockets."""

from __future__ import annotations

SCENARIOS: dict[str, dict[str, int]] = {
    "placements-grpc": {"GrpcPlacements": 1},
    "placements-rest": {"RestPlacements": 1},
    "games": {"GrpcBots": 1, "RestBots": 1},
    "watchers": {"GrpcWatchers": 1, "RestWatchers": 1, "RestBots": 1},
    "tables": {"RestTables": 1, "GrpcTables": 1},
    # What a platform asks: mostly where a tile fits; and whole games, each with two watchers.
    "platform": {"RestPlacements": 5, "GrpcPlacements": 3, "RestTables": 5, "GrpcTables": 3},
    # A table of players as a platform sees it: clients look where a tile fits far more often than they move, most of
    # them over HTTP, and each has a stream open.
    "mixed": {
        "RestPlacements": 5,
        "GrpcPlacements": 2,
        "RestBots": 4,
        "GrpcBots": 2,
        "RestWatchers": 4,
        "GrpcWatchers": 1,
    },
}
SHAPES = ("constant", "search", "step", "spike", "soak")
MEASURED = ("search", "step")
"""Shapes that measure steps, in which each user keeps a pace."""
MIXES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("", ()),
    ("", ()),
    ("first_game", ()),
    ("evening", ()),
    ("builders", ()),
    ("traders", ("squares",)),
    ("rivals", ()),
    ("", ("squares", "treasures", "bazaars", "watchtowers")),
)
"""Presets and further modules of the games that tables play, each as often as the others."""


def weights(scenario: str, given: str) -> dict[str, int]:
    """Return the users of a scenario with their weights. `given` overrides weights: "RestBots=3,..."."""
    found = dict(SCENARIOS[scenario])
    for part in filter(None, given.split(",")):
        name, _, number = part.partition("=")
        if not number.isdigit():
            raise ValueError(f"'{part}' is no weight: write NAME=NUMBER.")
        found[name.strip()] = int(number)
    return {name: number for name, number in found.items() if number}
