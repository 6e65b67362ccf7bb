"""Plays every module alone, and all of them at once, with clients that know no rules:

    python -m tests.gateway.every_module [MODULE … | all]

Over REST a random person chooses from the menus of `examples/terminal_client.py` until the game is over; over gRPC
three bots of `examples/grpc_bot.py` play against each other. The games of all modules are exported and checked with
`alhambra verify`. `make test` plays a few of these games (`test_terminal_client.py`); this plays them all, which takes
some minutes.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc

from alhambra_api.v1 import views_pb2
from examples.grpc_bot import Bot

from .http import Client
from .product import Product, running
from .scripted_person import ScriptedPerson, play

FIRST = 2
"""Modules have numbers in the order of the rule books; the games begin with this one."""


def modules(client: Client, first: int = FIRST) -> list[str]:
    """The keys of all modules of the catalogue from this number on, and of those without a number."""
    listed = client.get("/v1/catalog/modules").json()["modules"]
    return [module["key"] for module in listed if module["number"] >= first or module["number"] == 0]


def play_alone(address: str, module: str) -> int:
    """Plays a game with one module to its regular end; the number of moves."""
    played = play(address, ScriptedPerson(module), [module], "--seed", module)
    assert played.view["status"] == "over", module
    assert played.view["result"]["because"] == "scored", (module, played.view["result"])
    return played.moves


def play_all(address: str, turns: int = 0, names: Sequence[str] = ("Ann", "Ben")) -> tuple[str, int]:
    """Plays a game with all modules to its end, or to the end of this many turns; its id and the number of moves."""
    words = ("--seed", "everything", "--turns", str(turns))
    played = play(address, ScriptedPerson("everything"), ["all"], *words, names=names)
    assert played.view["status"] == "over"
    return played.view["game"], played.moves


def play_all_over_rest(product: Product) -> tuple[str, int]:
    """Plays a game of three seats with all modules over REST; its id and the number of moves."""
    return play_all(product.http, names=("Ann", "Ben", "Cid"))


def play_all_over_grpc(product: Product) -> tuple[str, int]:
    """Lets three bots play a game with all modules over gRPC; its id and the number of its last version."""
    client = product.client()
    seats = [{"name": name} for name in ("Ann", "Ben", "Cid")]
    created = client.post("/v1/games", {"seats": seats, "modules": modules(client, 1)}).json()
    with grpc.insecure_channel(product.grpc) as channel, ThreadPoolExecutor(len(seats)) as pool:
        bots = [Bot(channel, created["game"], seat["invitation"]) for seat in created["seatKeys"]]
        final = list(pool.map(Bot.play, bots))
    assert {view.status for view in final} == {views_pb2.GAME_STATUS_OVER}
    return created["game"], final[0].version


def verify(product: Product, game: str) -> str:
    """What `alhambra verify` says about a finished game."""
    file = Path(product.folder, f"{game}.json")
    file.write_bytes(product.client().get(f"/v1/games/{game}/replay").body)
    words = [sys.executable, "-m", "alhambra_cli", "verify", str(file)]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def main(wanted: Sequence[str]) -> None:
    """Plays all games, or those of some modules, and says how long each took."""
    together: dict[str, Callable[[Product], tuple[str, int]]] = {"REST": play_all_over_rest, "gRPC": play_all_over_grpc}
    with running("--workers", "1") as product:
        for module in [key for key in wanted or modules(product.client()) if key != "all"]:
            began = time.monotonic()
            moves = play_alone(product.http, module)
            print(f"{module}: {moves} moves, {time.monotonic() - began:.1f} s", flush=True)
        for way, play_together in together.items() if not wanted or "all" in wanted else ():
            began = time.monotonic()
            game, moves = play_together(product)
            print(f"all at once over {way}: {moves} moves, {time.monotonic() - began:.1f} s")
            print(verify(product, game), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
