"""Train a small policy with REINFORCE, numpy alone, until it beats the random player.

`python examples/train_policy.py` takes a few minutes. The policy is a linear softmax: one weight for each action and
each of three facts of the observation. It learns mostly which verbs and cards to prefer; that is enough against chance.
"""

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alhambra.envs import SingleAgentEnv

Array = NDArray[np.float64]

FACTS = 3  # a constant, cards in hand, actions left
BATCH = 16  # episodes for one step of learning
RATE = 0.3


def facts(seen: dict[str, Any]) -> Array:
    """Return what the policy looks at: the arrays are described in docs/research.md."""
    return np.array([1.0, seen["hands"][0] / 10, seen["table"][1]])


def probabilities(weights: Array, seen: dict[str, Any]) -> Array:
    """Return the probability of every action; illegal ones have 0."""
    values = np.where(seen["action_mask"], weights @ facts(seen), -np.inf)
    odds = np.exp(values - values.max())
    found: Array = odds / odds.sum()
    return found


def episode(env: SingleAgentEnv, weights: Array, rng: np.random.Generator, seed: int) -> tuple[int, Array]:
    """Play a game. Return the agent's lead in points, and the gradient of the log-probability of its actions."""
    gradient = np.zeros_like(weights)
    seen, info = env.reset(seed=seed)
    ended = False
    while not ended:
        chances = probabilities(weights, seen)
        action = int(rng.choice(len(chances), p=chances))
        gradient -= np.outer(chances, facts(seen))
        gradient[action] += facts(seen)
        seen, _, terminated, truncated, _ = env.step(action)
        ended = terminated or truncated
    own, other = env.game.scores[info["seat"]], env.game.scores[1 - info["seat"]]
    return own - other, gradient


def train(env: SingleAgentEnv, steps: int, rng: np.random.Generator) -> Array:
    """Return the weights after this many steps of learning."""
    weights = np.zeros((env.action_space.n, FACTS))
    for step in range(steps):
        played = [episode(env, weights, rng, seed=step * BATCH + number) for number in range(BATCH)]
        leads = np.array([lead for lead, _ in played], dtype=float)
        advantages = (leads - leads.mean()) / (leads.std() + 1e-9)
        mean = np.mean([advantage * grown for advantage, (_, grown) in zip(advantages, played, strict=True)], axis=0)
        weights += RATE * mean / (np.abs(mean).max() + 1e-9)
        print(f"step {step + 1}: mean lead {leads.mean():+.1f} points")
    return weights


def main() -> None:
    """Train, then play new games against the random player."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=30, help="steps of learning")
    parser.add_argument("--games", type=int, default=50, help="games of the test")
    chosen = parser.parse_args()
    env = SingleAgentEnv(seats=2, opponents="random", observations="dict")
    rng = np.random.default_rng(1)
    weights = train(env, chosen.steps, rng)
    leads = [episode(env, weights, rng, seed=10**6 + number)[0] for number in range(chosen.games)]
    wins = sum(lead > 0 for lead in leads)
    print(f"won {wins} of {chosen.games} new games against random, mean lead {np.mean(leads):+.1f} points")


if __name__ == "__main__":
    main()
