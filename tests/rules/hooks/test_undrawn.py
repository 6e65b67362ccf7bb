"""What was drawn at setup is taken back for Alhambras that are laid out without a game: `Module.undrawn`."""

from __future__ import annotations

from dataclasses import dataclass

from alhambra import Game, Module, Options, register
from alhambra.base.scoring import score
from alhambra.boards import LaidTile, StandaloneBoards
from alhambra.module import Step
from tests.rules.situations import hold_scoring, points, to_action


@dataclass(slots=True)
class Omens:
    """The omen that was drawn: so many points for everybody in each scoring."""

    drawn: int = 0


def draw_omen(game: Game) -> None:
    game.module_state(Omens).drawn = 1 + game.chance("omens/draw").randbelow(6)


def put_back(game: Game) -> None:
    game.module_state(Omens).drawn = 0


def praise(game: Game, number: int) -> None:
    drawn = game.module_state(Omens).drawn
    for seat in range(len(game.state.seats)) if drawn else ():
        score(game, seat, drawn, "omen", scoring=number)


OMENS = Module(
    number=901,
    key="omens",
    scores={"omen": "What the omen says."},
    state=Omens,
    steps=(Step("setup.deal", draw_omen), Step("scoring.gains", praise)),
    undrawn=put_back,
)


def test_a_draw_counts_in_a_game_but_not_for_boards_without_a_game() -> None:
    register(OMENS)
    game = to_action(Game.new(Options(seats=3, seed="omens", modules=["omens"])))
    assert set(points(hold_scoring(game, 1), "omen")) == {0, 1, 2}
    boards = StandaloneBoards(3, modules=["omens"])
    boards.lay(0, [LaidTile("garden-11", (1, 0))])
    assert [event.public["reason"] for event in boards.score_lines(1)] == ["majority"]
