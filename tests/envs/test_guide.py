"""docs/research.md: every example runs, and its tables are true."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from alhambra import known_modules
from alhambra.envs import ENCODING_VERSION, GYMNASIUM_ID, REWARDS, AlhambraEnv, Stepper
from alhambra.envs.actions import NOUN_ORDER
from alhambra.envs.observations import CONTEXT_ROWS, PIECE_COLUMNS, TABLE, TILE_COLUMNS, WINDOW
from alhambra.envs.spaces import FORMS
from alhambra_cli.commands import app
from tests.envs.random_games import new_game

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
LEARNED = 4
"""Steps of learning after which the example beats the random player."""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


PYTHON = [block for block in blocks("python") if "pyspiel" not in block]
(OPENSPIEL,) = (block for block in blocks("python") if "pyspiel" in block)
TRAINING, SIMULATION = blocks("sh")


def test_the_examples_run() -> None:
    names: dict[str, Any] = {}
    for block in PYTHON:
        exec(compile(block, "research.md", "exec"), names)


@pytest.mark.check_only
def test_the_example_of_openspiel_runs() -> None:
    exec(compile(OPENSPIEL, "research.md", "exec"), {})


def test_the_simulation_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, [*shlex.split(SIMULATION)[1:], "--workers", "1"])
    assert result.exit_code == 0, result.output
    assert len(Path("games.csv").read_text(encoding="utf-8").splitlines()) == 25


@pytest.mark.check_only
def test_the_example_learns_to_beat_the_random_player() -> None:
    _, script, *_ = shlex.split(TRAINING)
    command = [sys.executable, str(ROOT / script), "--steps", str(LEARNED), "--games", "12"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    won = re.search(r"^won (\d+) of 12", told, re.MULTILINE)
    assert won is not None
    assert int(won[1]) > 6


def test_the_example_of_training_is_short() -> None:
    assert len((ROOT / "examples" / "train_policy.py").read_text(encoding="utf-8").splitlines()) < 100


@pytest.mark.parametrize(
    ("game", "modules"), [("base game, 3 seats", []), ("all 43 modules, 3 seats", known_modules())]
)
def test_the_sizes_of_spaces_are_true(game: str, modules: list[str]) -> None:
    stepper = Stepper(new_game(modules))
    assert f"| {game} | {len(stepper.space):,} | {stepper.observer.size:,} |" in PAGE


def test_every_array_has_a_line_with_its_shape() -> None:
    stepper = Stepper(new_game(known_modules()))
    told = {
        name for line in re.findall(r"^\| (`\w+`.*?) \|", PAGE, re.MULTILINE) for name in re.findall(r"`(\w+)`", line)
    }
    assert set(stepper.observer.shapes) <= told
    assert f"| `tiles` | tiles × {len(TILE_COLUMNS)} |" in PAGE
    assert f"| `pieces` | rows × {len(PIECE_COLUMNS)} |" in PAGE
    assert f"| `boards` | 2 · seats × {WINDOW} × {WINDOW} |" in PAGE
    assert f"| `context` | {CONTEXT_ROWS} × 5 |" in PAGE
    assert f"| `table` | {len(TABLE)} |" in PAGE


def test_the_page_names_the_order_of_nouns_the_forms_the_rewards_and_the_version() -> None:
    assert f"| order of nouns | {', '.join(NOUN_ORDER)};" in PAGE
    assert all(f"`{word}`:" in PAGE for word in (*FORMS, *REWARDS))
    assert f"alhambra.envs:{GYMNASIUM_ID}" in PAGE
    assert AlhambraEnv.metadata["name"] == f"alhambra_v{ENCODING_VERSION}"
