"""A bot for `alhambra arena` that speaks the line protocol, with nothing but the standard library.

    alhambra arena "cmd:python examples/line_bot.py" random --seats 2 --games 20

It buys what it can pay exactly, builds, and otherwise takes the most money. It knows no rule: the arena sends what its
seat sees, and all moves to choose from.
"""

import json
import random
import sys
from collections.abc import Iterable
from typing import Any

TASTE = ("buy", "place", "add", "take_money", "reserve")  # what this bot likes to do, best first


def value(cards: Iterable[str]) -> int:
    """The money of some cards: "denar-5" is worth 5."""
    return sum(int(card.rpartition("-")[2]) for card in cards if card.rpartition("-")[2].isdigit())


def price(view: dict[str, Any], slot: str | None) -> int:
    """The price of the tile in a slot of the market: "garden-10-n" costs 10."""
    tile = view["table"]["market"].get(slot) or ""
    return next((int(part) for part in tile.split("-") if part.isdigit()), 0)


def worth(view: dict[str, Any], move: dict[str, Any]) -> tuple[int, bool, int]:
    """How much the bot likes a move: by its verb, then an exact payment, then money."""
    verb = move["verb"]
    liked = len(TASTE) - TASTE.index(verb) if verb in TASTE else 0
    exact = verb == "buy" and value(move.get("cards", ())) == price(view, move.get("slot"))
    return liked, exact, value(move.get("display", ()))


def main() -> None:
    """Answer lines until the arena says `quit` or closes the input."""
    rng = random.Random()
    for line in sys.stdin:
        verb, _, text = line.strip().partition(" ")
        if verb == "alhambra":
            print("name Careful Carl\nok 1", flush=True)
        elif verb == "new":
            rng.seed(json.loads(text)["randomSeed"])
            print("ready", flush=True)
        elif verb == "decide":
            asked = json.loads(text)
            rated = [(*worth(asked["view"], move), rng.random(), n) for n, move in enumerate(asked["moves"])]
            best = max(rated)
            print("info", json.dumps({"liked": best[0], "moves": len(rated)}))
            print("move", best[-1], flush=True)
        elif verb == "quit":
            return


if __name__ == "__main__":
    main()
