"""Golden games: every answer of the library at each state, as text. `make golden` regenerates them; read the diff."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra import known_modules
from scripts.golden import FOLDER, games, golden_text
from tests.budget import Spend


@pytest.mark.parametrize(("name", "options", "seed"), [pytest.param(*game, id=game[0]) for game in games()])
def test_a_golden_game_is_still_the_same(name: str, options: dict[str, Any], seed: int, spend: Spend) -> None:
    path = FOLDER / f"{name}.txt"
    assert path.exists(), f"no golden game {path.name}: run `make golden`"
    expected = path.read_text(encoding="utf-8").splitlines()
    found = golden_text(name, options, seed).splitlines()
    spend("golden", 1, sum(line.lstrip()[:1].isdigit() for line in found))
    differing = next((n for n, pair in enumerate(zip(expected, found, strict=False)) if pair[0] != pair[1]), None)
    if differing is not None:
        pytest.fail(f"{path.name}:{differing + 1}\n  was {expected[differing][:300]}\n  is  {found[differing][:300]}")
    assert len(expected) == len(found)


def test_a_new_module_changes_no_golden_game_but_that_of_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {name: (options, seed) for name, options, seed in games()}
    known = known_modules()
    monkeypatch.setattr("scripts.golden.known_modules", lambda: known[1:])
    after = {name: (options, seed) for name, options, seed in games()}
    assert {name for name in before if before[name] != after.get(name)} == {known[0], "everything"}


def test_there_is_no_golden_game_without_a_module() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {name for name, _, _ in games()}
