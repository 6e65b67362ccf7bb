"""Golden games: every answer of the library at each state, as text. `make golden` regenerates them; read the diff."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.golden import FOLDER, games, golden_text


@pytest.mark.parametrize(("name", "options", "seed"), [pytest.param(*game, id=game[0]) for game in games()])
def test_a_golden_game_is_still_the_same(name: str, options: dict[str, Any], seed: int) -> None:
    path = FOLDER / f"{name}.txt"
    assert path.exists(), f"no golden game {path.name}: run `make golden`"
    expected = path.read_text(encoding="utf-8").splitlines()
    found = golden_text(name, options, seed).splitlines()
    differing = next((n for n, pair in enumerate(zip(expected, found, strict=False)) if pair[0] != pair[1]), None)
    if differing is not None:
        pytest.fail(f"{path.name}:{differing + 1}\n  was {expected[differing][:300]}\n  is  {found[differing][:300]}")
    assert len(expected) == len(found)


def test_there_is_no_golden_game_without_a_module() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {name for name, _, _ in games()}
