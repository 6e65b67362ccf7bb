"""Scaffolds: a tower that was bought stands under a scaffold until its owner spends an action to finish it."""

from __future__ import annotations

from collections.abc import Iterator

from alhambra import Decision, Game, Module, Move, Violation
from alhambra.base.scoring import tiles_of
from alhambra.module import Verb, those_that_verify


def put_up(game: Game, _seat: int, tile: str, how: str) -> None:
    """Dirk could never finish it, so he cannot get it."""
    if how == "buy" and game.ruleset.tiles[tile].type == "tower":
        game.state.covered = (*game.state.covered, tile)
        game.state.giftable = tuple(other for other in game.state.giftable if other != tile)


def take_down(game: Game, tile: str) -> None:
    """Nothing covers the tile any more."""
    game.state.covered = tuple(other for other in game.state.covered if other != tile)


def verify_finish(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """An own tile under a scaffold, built or in the reserve."""
    own = (*tiles_of(game, decision.seat), *game.ruleset.reserve.tiles(game, decision.seat))
    if move.tile not in own or move.tile not in game.state.covered:
        yield Violation("NOT_THERE", "tile", id=move.tile, place="alhambra")


def finish(game: Game, decision: Decision, move: Move) -> None:
    """From now on it is a tower."""
    assert move.tile is not None
    take_down(game, move.tile)
    game.spend_action("finish")
    game.emit("finished", seat=decision.seat, tile=move.tile)


SCAFFOLDS = Module(
    number=935,
    key="example_scaffolds",
    verbs=(
        Verb(
            "finish",
            "tile",
            verify_finish,
            finish,
            those_that_verify(
                verify_finish, lambda game, _decision: [Move("finish", tile) for tile in game.state.covered]
            ),
            at=("action",),
            action=True,
        ),
    ),
    reactions={"acquired": put_up, "boxed": take_down},
)
