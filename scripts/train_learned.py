"""Learn the weights of the player `learned` from games, and write them to `rules/alhambra/players/learned.json`.

    python scripts/train_learned.py --data /tmp/learned                                 the weights of this version
    python scripts/train_learned.py --data /tmp/learned --iterations 3 --games 300      and two iterations of self-play

The first iteration watches the player `peer`, whose games take milliseconds. Each further iteration plays games with
the weights so far, with some random moves. Then it fits the points that a seat still scores to the features of the
positions after its moves. The last stage is fitted to final scores, each earlier stage to the
estimate at the start of the next stage, which is less noisy. The same arguments always give the same weights: seeds are
made from the numbers of iteration and game. Positions are kept in the folder `--data`, so an interrupted run continues.

numpy is needed here, not to play.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections.abc import Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from alhambra import Game, Options
from alhambra.options import preset_modules
from alhambra.players import peer_move
from alhambra.players.features import NAMES, STAGES, clock_of, features
from alhambra.players.greedy import candidates
from alhambra.players.learned import Model, lay_pending, learned_effort, try_moves

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "rules" / "alhambra" / "players" / "learned.json"
SHARE = {2: 1.0, 3: 0.6, 4: 0.25}
"""Games with a number of seats, as a share of `--games`."""
GROUPS = {2: (2,), 3: (3, 4)}
"""The entries of the model, each with the numbers of seats that it is fitted to."""
PRESETS = ("", "", "", "evening", "", "", "", "rivals")
"""The modules of the games, in turn; mostly none."""
WATCHED = 0.25
"""Share of the positions of the first iteration that are used."""
RANDOM_MOVES = 0.08
NOISE = 1.5
"""Standard deviation of the noise on the estimates, in points, so that close moves alternate."""
RIDGE = 30.0
TIMED_RIDGE = 100.0
KEPT_ITERATIONS = 2
"""Games of this many last iterations are fitted together."""


class Row(NamedTuple):
    """What one seat had after one move, and what became of it."""

    seats: int
    stage: int
    time: float
    game: int
    seat: int
    score: int
    final: int
    features: tuple[float, ...]


def watch(seats: int, modules: Sequence[str], seed: str, number: int) -> list[Row]:
    """Let the peer player play one game and return some of its positions, as they are after the moves of the turn."""
    game = Game.new(Options(seats, seed, modules=modules))
    rng = Random(seed)
    seen: list[tuple[Any, ...]] = []
    while game.decision is not None:
        mover = game.decision.seat
        game.play(peer_move(game, rng))
        if not game.over and rng.random() < WATCHED:
            after = game.clone()
            lay_pending(after, mover)
            clock = clock_of(after)
            seen += [(clock, seat, after.scores[seat], own) for seat, own in enumerate(features(after))]
    return _rows(seen, game, number)


def play(model: Model, seats: int, modules: Sequence[str], seed: str, number: int) -> list[Row]:
    """Play one game and return its positions."""
    game = Game.new(Options(seats, seed, modules=modules))
    rng = Random(seed)
    seen: list[tuple[Any, ...]] = []
    while game.decision is not None:
        decision = game.decision
        effort = learned_effort(game)
        sample = game.determinize(decision.seat, rng)
        moves = candidates(sample, decision, rng, effort)
        if len(moves) == 1:
            game.play(moves[0])
            continue
        tried = list(try_moves(sample, moves, effort, model))
        if rng.random() < RANDOM_MOVES:
            chosen = tried[rng.randrange(len(tried))]
        else:
            chosen = max(((one.worth + rng.gauss(0.0, NOISE), one) for one in tried), key=itemgetter(0))[1]
        if chosen.clock is not None:
            for seat, own in enumerate(chosen.features):
                seen.append((chosen.clock, seat, chosen.scores[seat], own))
        game.play(chosen.move)
    return _rows(seen, game, number)


def _rows(seen: Sequence[tuple[Any, ...]], game: Game, number: int) -> list[Row]:
    final = game.scores
    seats = len(game.state.seats)
    return [
        Row(seats, clock.stage, clock.time, number, seat, score, final[seat], tuple(own))
        for clock, seat, score, own in seen
    ]


def _task(task: tuple[Any, ...]) -> list[Row]:
    return watch(*task[1:]) if task[0] is None else play(*task)


def generate(model: Model | None, iteration: int, games: int, workers: int) -> Iterator[list[Row]]:
    """Play the games of an iteration and yield their positions."""
    tasks: list[tuple[Any, ...]] = []
    for seats, share in SHARE.items():
        for number in range(int(games * share)):
            preset = PRESETS[number % len(PRESETS)]
            modules = preset_modules(preset) if preset else ()
            tasks.append((model, seats, modules, f"learn {iteration}/{seats}/{number}", len(tasks)))
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        for done, rows in enumerate(pool.imap(_task, tasks, chunksize=4), 1):
            if done % 200 == 0:
                print(f"iteration {iteration}: {done} of {len(tasks)} games", flush=True)
            yield rows


# -- Fitting -----------------------------------------------------------------------------------------------------------


def as_arrays(rows: Sequence[Row], iteration: int) -> dict[str, np.ndarray]:
    """Return the rows as arrays."""
    return {
        "seats": np.array([row.seats for row in rows], np.int8),
        "stage": np.array([row.stage for row in rows], np.int8),
        "time": np.array([row.time for row in rows], np.float32),
        "game": np.array([iteration * 1_000_000 + row.game * 10 + row.seat for row in rows], np.int64),
        "score": np.array([row.score for row in rows], np.float32),
        "final": np.array([row.final for row in rows], np.float32),
        "features": np.array([row.features for row in rows], np.float32),
    }


def fit(data: dict[str, np.ndarray], rivals: float) -> tuple[Model, dict[str, float]]:
    """Return the model fitted to the positions, and the remaining error by seats and stage."""
    weights: dict[int, Any] = {}
    errors: dict[str, float] = {}
    for seats, together in GROUPS.items():
        mine = np.isin(data["seats"], together)
        stages: list[tuple[tuple[float, ...], tuple[float, ...]]] = [((), ())] * STAGES
        ahead: dict[int, float] = {}
        for stage in reversed(range(STAGES)):
            rows = np.flatnonzero(mine & (data["stage"] == stage))
            games, scores = data["game"][rows], data["score"][rows]
            final = np.array([ahead.get(game, last) for game, last in zip(games, data["final"][rows], strict=True)])
            both = _design(data["features"][rows], data["time"][rows])
            solved = _ridge(both, final - scores)
            estimate = scores + both @ solved
            errors[f"{seats}/{stage}"] = float(np.sqrt(np.mean((estimate - final) ** 2)))
            # The estimate at the start of the stage is the target of the stage before it.
            for game, value in zip(games[::-1], estimate[::-1], strict=True):
                ahead[int(game)] = float(value)
            size = len(NAMES)
            stages[stage] = (tuple(map(float, solved[:size])), tuple(map(float, solved[size:])))
        weights[seats] = tuple(stages)
    return Model(weights, rivals), errors


def _design(features: np.ndarray, time: np.ndarray) -> np.ndarray:
    features = features.astype(np.float64)
    return np.hstack([features, features * time[:, None]])


def _ridge(both: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the weights with the smallest squared error, pulled to 0 by a bit."""
    size = len(NAMES)
    pull = np.array([RIDGE] * size + [TIMED_RIDGE] * size)
    pull[0] = 0.001
    scale = np.maximum(np.std(both, axis=0), 0.05)
    return np.linalg.solve(both.T @ both + np.diag(pull * scale**2), both.T @ target)


def write(model: Model, path: Path, command: str) -> None:
    """Write the weights, rounded, with how they were made."""
    rounded = {
        str(seats): [
            {"fixed": [round(value, 4) for value in fixed], "timed": [round(value, 4) for value in timed]}
            for fixed, timed in stages
        ]
        for seats, stages in model.weights.items()
    }
    document = {"made_by": {"command": command}, "features": list(NAMES), "rivals": model.rivals, "weights": rounded}
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Play and fit, iteration by iteration, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder for positions and weights of each iteration")
    parser.add_argument("--iterations", type=int, default=1)
    parser.add_argument("--games", type=int, default=300, help="games with two seats in each iteration")
    parser.add_argument("--watched", type=int, default=1000, help="games of the first iteration with two seats")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rivals", type=float, default=1.0, help="weight of the best rival's estimate")
    parser.add_argument("--target", type=Path, default=TARGET)
    given = parser.parse_args()
    given.data.mkdir(parents=True, exist_ok=True)
    model: Model | None = None
    kept: list[dict[str, np.ndarray]] = []
    for iteration in range(given.iterations):
        file = given.data / f"positions-{iteration}.npz"
        if not file.exists():
            games = given.games if iteration else given.watched
            rows = [row for found in generate(model, iteration, games, given.workers) for row in found]
            arrays: dict[str, Any] = as_arrays(rows, iteration)
            np.savez_compressed(file.with_suffix(".part.npz"), **arrays)
            file.with_suffix(".part.npz").rename(file)
        kept = [*kept, dict(np.load(file))][-KEPT_ITERATIONS:]
        data = {name: np.concatenate([one[name] for one in kept]) for name in kept[0]}
        model, errors = fit(data, given.rivals)
        about = f"python scripts/train_learned.py --watched {given.watched} --iterations {iteration + 1}"
        about += f" --games {given.games}" if iteration else ""
        write(model, given.data / f"weights-{iteration}.json", about)
        print(f"iteration {iteration}: {len(data['time'])} positions, error {errors}", flush=True)
    assert model is not None
    write(model, given.target, about)


if __name__ == "__main__":
    main()
