"""A table with city walls: what the tests of the module begin with."""

from __future__ import annotations

from alhambra import Game
from alhambra.modules.city_walls import Walls
from alhambra.modules.major_construction_projects import Projects
from tests.rules.hooks.asking import asked
from tests.rules.situations import codes, discard, give_turn, play, refused, table


def walls(*cards: str, seats: int = 3, modules: tuple[str, ...] = (), turn_of: int = 0) -> Game:
    """These wall cards lie open, named by their sides: `walls("N", "NE")`."""
    game = table(seats, turn_of=turn_of, modules=["city_walls", *modules])
    lie_open(game, *cards)
    return game


def lie_open(game: Game, *cards: str) -> None:
    pieces = tuple(f"wallcard_{sides}" for sides in cards)
    discard(game, *pieces)
    game.state.discard, game.module_state(Walls).open = (), pieces


def build(game: Game, sides: str, tile: str, **nouns: str) -> None:
    play(game, f"build_wall {tile}", piece=f"wallcard_{sides}", **nouns)


def refusal(game: Game, sides: str, tile: str) -> list[tuple[str, str]]:
    """Why the card does not go on the tile: by side."""
    violations = refused(game, f"build_wall {tile}", piece=f"wallcard_{sides}")
    assert set(codes(violations)) == {"WALL_REFUSED"}
    return [(violation.metadata["side"], violation.metadata["because"]) for violation in violations]


def edges(game: Game, x: int, y: int, seat: int = 0) -> str:
    return game.board(seat).cells[x, y].edges


def turn_back(game: Game) -> None:
    """It is seat 0's turn again."""
    assert asked(game)[0] == "action"
    give_turn(game, 0)


def project(game: Game, tile: str) -> None:
    """Seat 0 has won the project, which is pending."""
    projects = game.module_state(Projects)
    others = [other for other in (projects.project, *projects.hidden) if other != tile]
    projects.project, projects.hidden = others[0], tuple(others[1:])
    game.state.seats[0].pending = (tile,)
