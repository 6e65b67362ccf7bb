"""A state is written field by field, and fields that did not change are not written again: the bytes are the same."""

from random import Random

import pytest

from alhambra import Game, Options, known_modules
from alhambra.codec import pack_state, seal
from alhambra.components import tile
from alhambra.players import peer_move

MOVES = 60
SEATS = [{"name": name, "colour": colour} for name, colour in (("Ana", "red"), ("Ben", "blue"), ("Cem", "green"))]


@pytest.mark.parametrize("keys", [[], known_modules()], ids=["base", "all modules"])
def test_a_state_written_again_after_a_move_has_the_bytes_of_a_state_written_whole(keys: list[str]) -> None:
    game, rng = Game.new(Options(SEATS, "written", modules=keys)), Random(1)
    for _ in range(MOVES):
        assert game.state_bytes() == seal(pack_state(game.state, game.ruleset.versions))
        game = game.clone()
        game.apply(peer_move(game, rng))


def test_a_tile_laid_on_a_board_that_was_written_is_in_the_next_bytes() -> None:
    game = Game.new(Options(SEATS, "written"))
    game.state_bytes()
    game.state.seats[0].board.put(tile("garden-11"), 0, 1)
    assert game.state_bytes() == seal(pack_state(game.state, game.ruleset.versions))
