"""The weights of the learned player come from `scripts/train_learned.py`: the same arguments give the same file."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from alhambra.players.learned import read_model

ROOT = Path(__file__).resolve().parents[3]
STORED = ROOT / "rules" / "alhambra" / "players" / "learned.json"
SMALL = ("--watched", "4", "--games", "2", "--iterations", "2")

LAST_DIGIT = 0.0002
"""Another processor adds numbers in another order, which can change the last digit of a weight."""


def numbers(weights: dict[str, list[dict[str, list[float]]]]) -> Iterator[float]:
    """Yield all weights of a file in their order."""
    for stages in weights.values():
        for stage in stages:
            yield from (*stage["fixed"], *stage["timed"])


def train(folder: Path, *arguments: str) -> bytes:
    """Run the script and return the file that it wrote."""
    target = folder / "learned.json"
    command = [sys.executable, str(ROOT / "scripts" / "train_learned.py"), "--data", str(folder / "data")]
    subprocess.run([*command, "--target", str(target), *arguments], check=True)
    return target.read_bytes()


def test_the_number_of_processes_and_an_interruption_do_not_change_the_weights(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    whole = train(one, *SMALL, "--workers", "1")
    train(two, *SMALL[:-1], "1", "--workers", "2")  # as if it had been interrupted after the first iteration
    assert train(two, *SMALL, "--workers", "2") == whole
    read_model(json.loads(whole))


def test_the_stored_weights_are_what_their_command_writes(tmp_path: Path) -> None:
    stored = json.loads(STORED.read_bytes())
    python, script, *arguments = shlex.split(stored["made_by"]["command"])
    assert (python, script) == ("python", "scripts/train_learned.py")
    learned = json.loads(train(tmp_path, *arguments, "--workers", "1"))
    assert {**learned, "weights": None} == {**stored, "weights": None}
    assert [*numbers(learned["weights"])] == pytest.approx([*numbers(stored["weights"])], abs=LAST_DIGIT)
