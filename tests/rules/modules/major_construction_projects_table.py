"""A table with major construction projects: what the tests of the module begin with."""

from __future__ import annotations

from typing import Any

from alhambra import Board, Game
from alhambra.components import Cell
from alhambra.modules.major_construction_projects import Projects
from tests.rules.situations import hand, market, pieces, play, table, turns

KEY = "major_construction_projects"
VERTICAL, HORIZONTAL = "project_pavilion_arcades", "project_seraglio_pavilion"
"""A wall along the whole east side, pavilion above arcades; a wall along the north side, seraglio left of pavilion."""


def site(seats: int = 3, *modules: str, project: str = VERTICAL, **options: Any) -> Game:
    """A cleared table where a certain project lies open; the market is full, so that no tile is drawn by chance."""
    game = table(seats, modules=[KEY, *modules], **options)
    market(game, gulden="pavilion-2-new", dirham="seraglio-3-esw", denar="arcades-4-nes", dukat="chambers-5-nsw")
    reveal(game, project)
    return game


def reveal(game: Game, project: str) -> None:
    """This project lies open, the one that did goes under the others."""
    projects = game.module_state(Projects)
    if projects.project != project:
        rest = (tile for tile in projects.hidden if tile != project)
        projects.hidden, projects.project = (projects.project, *rest), project


def obtain(game: Game, *projects: str) -> None:
    """Takes projects from those face down, to be put elsewhere."""
    kept = game.module_state(Projects)
    assert {*projects} <= {*kept.hidden}
    kept.hidden = tuple(tile for tile in kept.hidden if tile not in projects)


def build(game: Game, seat: int, project: str, cell: Cell) -> Board:
    """The project is built in the seat's Alhambra, by the rules."""
    obtain(game, project)
    board = game.board(seat)
    board.place(game.ruleset.tiles[project], *cell)
    game.state.seats[seat].board = board
    return board


def lying_bid(game: Game) -> dict[str, Any] | None:
    """What everybody sees beside the project."""
    for bid in pieces(game, KEY, kind="bid", slot="project"):
        return {"seat": bid["seat"], "cards": [*bid["cards"]], "items": [*bid["items"]], "sum": bid["sum"]}
    return None


def win(game: Game, cards: str = "denar-9 denar-7") -> None:
    """Seat 0 bids and wins: its next turn has begun."""
    hand(game, 0, cards)
    play(game, f"bid_project {cards}")
    turns(game, len(game.state.seats) - 1)
