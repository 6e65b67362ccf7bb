"""Two versions of the service run side by side, as in a rolling deployment, and the players notice nothing.

`ROLLING_SECONDS` sets how long the players play in each direction.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from alhambra_service.store import EmbeddedStore
from tests.gateway.http import Client
from tests.gateway.product import gateway
from tests.service.commands import Served, served

from .crowd import Ledger, Player, check_acknowledged, create, play_all
from .next_version import MODULE, OPTION, make

SECONDS = float(os.environ.get("ROLLING_SECONDS", "6"))
PLAYERS = 6
MODULES: tuple[list[str], ...] = ([MODULE], [], [MODULE, "thieves"])
"""The modules of the games, in turn."""
ANSWERED = 0.999
"""The share of calls that must be answered without the client repeating them."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(tmp_path_factory.mktemp("store"), fsync="everysec") as found:
        yield found


@pytest.fixture(scope="module")
def versions(store: EmbeddedStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Served]]:
    """A service of the present version and one of the next, on one store."""
    changed = make(tmp_path_factory.mktemp("next"))
    ahead = {"PYTHONPATH": f"{changed}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    words = ("--listen", "127.0.0.1:0", "--workers", "1", "--store", store.url, "--durability", "everysec")
    with served(*words) as present, served(*words, variables=ahead) as following:
        yield present, following


@pytest.mark.parametrize("begun", ["by the present version", "by the next version"])
def test_no_move_is_lost_and_nearly_every_call_is_answered(
    begun: str, versions: tuple[Served, Served], store: EmbeddedStore
) -> None:
    present, following = versions
    first = present if begun == "by the present version" else following
    ledger = Ledger()
    with gateway(first.address) as alone:
        option = {"options": {OPTION: "long"}} if first is following else {}
        made = [create(alone.http, ledger, MODULES[n % len(MODULES)], **option) for n in range(PLAYERS)]
        play_all([Player(Client(alone.http), game, ledger, n) for n, game in enumerate(made)], SECONDS / 4)
    with gateway(f"{present.address},{following.address}") as both:
        players = [Player(Client(both.http), game, ledger, 100 + n) for n, game in enumerate(made)]
        more = [create(both.http, ledger, [MODULE]) for _ in range(2)]
        players += [Player(Client(both.http), game, ledger, 200 + n) for n, game in enumerate(more)]
        play_all(players, SECONDS)
    moves, lost, upgrades = check_acknowledged(store.url, ledger)
    failed = sum(ledger.failed.values())
    figures = {"calls": ledger.calls, "failed": dict(ledger.failed), "moves": moves, "lost": lost, "upgrades": upgrades}
    print(json.dumps({"begun": begun, **figures, "wrong": len(ledger.wrong)}))
    path = os.environ.get("ROLLING_FIGURES")
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"begun": begun, **figures, "wrong": len(ledger.wrong)}) + "\n")
    assert ledger.wrong == []
    assert lost == 0
    assert moves > PLAYERS
    assert 1 - failed / ledger.calls >= ANSWERED, figures
    assert upgrades or begun == "by the next version", "games of the present version were gone on with by the next"
