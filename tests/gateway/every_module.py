"""Plays every module alone, and all of them at once, over REST with a client that knows no rules:

    python -m tests.gateway.every_module [MODULE …]

A random person chooses from the menus of `examples/terminal_client.py` until the game is over. `make test` plays a few
of these games (`test_terminal_client.py`); this plays them all, which takes some minutes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from .http import Client
from .product import running
from .scripted_person import ScriptedPerson, play

FIRST = 2
"""Modules have numbers in the order of the rule books; the games begin with this one."""


def modules(client: Client) -> list[str]:
    """The keys of all modules of the catalogue, from the second one on, and those without a number."""
    listed = client.get("/v1/catalog/modules").json()["modules"]
    return [module["key"] for module in listed if module["number"] >= FIRST or module["number"] == 0]


def play_alone(address: str, module: str) -> int:
    """Plays a game with one module to its regular end; the number of moves."""
    played = play(address, ScriptedPerson(module), [module], "--seed", module)
    assert played.view["status"] == "over", module
    assert played.view["result"]["because"] == "scored", (module, played.view["result"])
    return played.moves


def play_all(address: str, turns: int = 0) -> int:
    """Plays a game with all modules to its end, or to the end of this many turns; the number of moves."""
    played = play(address, ScriptedPerson("everything"), ["all"], "--seed", "everything", "--turns", str(turns))
    assert played.view["status"] == "over"
    return played.moves


def main(wanted: Sequence[str]) -> None:
    """Plays all games, or those of some modules, and says how long each took."""
    with running("--workers", "1") as product:
        known = modules(product.client())
        for module in wanted or known:
            began = time.monotonic()
            moves = play_alone(product.http, module)
            print(f"{module}: {moves} moves, {time.monotonic() - began:.1f} s", flush=True)
        if not wanted:
            began = time.monotonic()
            print(f"all at once: {play_all(product.http)} moves, {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
