"""Play two games with an installed library: the base game to its end, and some moves with all modules.

`scripts/check_wheel.sh` and `scripts/release.py` run this in empty environments, so it uses nothing but the library.
"""

from __future__ import annotations

import platform
from random import Random

import alhambra

MODULES = 43
MOVES = 150


def play(modules: list[str], most: int) -> alhambra.Game:
    """Make random moves in a new game, at most this many."""
    game = alhambra.Game.new(alhambra.Options(seats=3, seed="short game", modules=modules))
    chance = Random("short game")
    for _ in range(most):
        if game.over:
            break
        game.apply(game.random_move(chance))
    return game


def main() -> None:
    """Play, and say with what."""
    modules = list(alhambra.component_data()["modules"])
    assert len(modules) == MODULES, modules
    whole = play([], 5_000)
    assert whole.over
    assert alhambra.verify_export(alhambra.export_game(whole)).ok
    part = play(modules, MOVES)
    assert alhambra.Game.from_bytes(part.to_bytes()) == part
    python = f"{platform.python_implementation()} {platform.python_version()}"
    print(f"  {python}: a game of {whole.version} moves and {part.version} moves with {len(modules)} modules")
    print(f"  from {alhambra.__file__}")


if __name__ == "__main__":
    main()
