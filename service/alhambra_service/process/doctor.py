"""Checks a store and its games: what is wrong, and what to do about it.

    for finding in (*examine_files(folder), *examine(client, Durability.ALWAYS)):
        print(finding.good, finding.text, finding.advice)

Nothing is changed. Every file and every game is read once, so a large store takes a while.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from alhambra import ENGINE_VERSION

from .. import limits
from ..games.loaded_game import RUNNING, LoadedGame, decode
from ..store import (
    DamagedGame,
    Durability,
    NewerGame,
    RulesChanged,
    StoreError,
    StoreUnavailable,
    faults,
    warnings,
)
from ..store.append_only.files import FOLDER
from ..store.append_only.inspection import file_faults
from ..store.checks import troubles
from ..store.clock import seconds_of
from ..store.connection.connect import StoreClient
from ..store.embedded.capacity import explain_error, write_error
from ..store.index import scan
from ..store.keys import STATE_PREFIX, game_of, index_key, state_key
from ..store.stored_game import STORAGE_VERSION, read_head, read_stored_game

SHOWN = 5
"""How many games a finding names."""


class Finding(NamedTuple):
    """The result of one check: fine (True), wrong (False), or worth knowing (None)."""

    good: bool | None
    text: str
    advice: str = ""


def examine(client: StoreClient, durability: Durability, replicas: int = 0) -> Iterator[Finding]:
    """Check the settings of the store, its clock, the versions in use, every game, and the list of games."""
    yield from _settings(client, durability, replicas)
    yield _clock(client)
    yield from _games(client)


def examine_files(folder: Path) -> Iterator[Finding]:
    """Check the disk and the append-only files of an embedded store, which need not run."""
    if not folder.is_dir():
        return
    code = write_error(folder)
    if code:
        yield Finding(
            False, explain_error(code, folder), "The store takes no writes until then, and all games can be read."
        )
    if not (folder / FOLDER).is_dir():
        return
    advice = (
        f"Stop the service and restore what is intact into a new folder:  alhambra restore {folder} "
        "--store embedded:NEW-FOLDER  (with --skip-damage also what comes after the damage)."
    )
    wrong = list(file_faults(folder / FOLDER))
    yield from (Finding(False, fault, advice) for fault in wrong)
    if not wrong:
        yield Finding(True, f"The files in {folder / FOLDER} are intact.")


def _settings(client: StoreClient, durability: Durability, replicas: int) -> Iterator[Finding]:
    wrong = list(faults(client, durability, replicas))
    yield from (
        Finding(False, fault, "The service refuses to start on this store until this is fixed.") for fault in wrong
    )
    if not wrong:
        yield Finding(True, f"The store keeps what the mode `{durability}` promises.")
    yield from (Finding(False, trouble) for trouble in troubles(client))
    yield from (Finding(None, warning) for warning in warnings(client))


def _clock(client: StoreClient) -> Finding:
    ahead = max((abs(seconds_of(server.ask("TIME")) - time.time()) for server in client.servers()), default=0.0)
    if ahead <= limits.DOCTOR_CLOCK_SECONDS:
        return Finding(True, f"The clocks of the store and of this machine differ by {ahead:.1f} s.")
    advice = "Deadlines follow the store's clock. Synchronise the clocks of both machines with NTP."
    return Finding(False, f"The clocks of the store and of this machine differ by {ahead:.0f} s.", advice)


class _Census:
    """The findings about the games of a store."""

    def __init__(self) -> None:
        self.storage: Counter[int] = Counter()
        self.rulesets: Counter[str] = Counter()
        """By version of the engine that the games were written under."""
        self.under_other_rules = 0
        self.readable = 0
        self.unreadable: dict[type[StoreError], list[str]] = {}
        self.unlisted: list[str] = []


def _games(client: StoreClient) -> Iterator[Finding]:
    census = _Census()
    for game in {found for found in map(game_of, scan(client, STATE_PREFIX)) if found}:
        _examine_game(client, game, census)
    yield from _versions(census)
    yield from _unreadable(census)
    if census.unlisted:
        text = f"Games that no list shows: {len(census.unlisted)} ({_some(census.unlisted)})."
        yield Finding(False, text, "Run  alhambra reindex  on this store.")
    else:
        yield Finding(True, "Every game that can be read is in the list of its tenant.")


def _examine_game(client: StoreClient, game: str, census: _Census) -> None:
    key = state_key(game)
    data = client.read(key, "GET", key)
    if data is None:
        return  # it has been deleted
    try:
        census.storage[read_head(data).storage] += 1
        stored = read_stored_game(data)
        listed = client.read(index_key(stored.tenant), "ZSCORE", index_key(stored.tenant), game)
        if listed is None:
            census.unlisted.append(game)
        census.rulesets[stored.ruleset.partition(":")[0]] += 1
        loaded: LoadedGame = decode(stored)
        census.readable += 1
        census.under_other_rules += loaded.status == RUNNING and loaded.under_other_rules
    except StoreUnavailable:
        raise
    except StoreError as fault:
        census.unreadable.setdefault(type(fault), []).append(game)


def _versions(census: _Census) -> Iterator[Finding]:
    forms = ", ".join(f"{count} in format {form}" for form, count in sorted(census.storage.items())) or "none"
    yield Finding(None, f"Games: {forms}. This version writes format {STORAGE_VERSION}.")
    engines = ", ".join(f"{count} under engine {engine or 'none'}" for engine, count in sorted(census.rulesets.items()))
    if engines:
        yield Finding(None, f"Rules: {engines}. This version has engine {ENGINE_VERSION}.")
    if census.under_other_rules:
        text = f"Running games that were written under other rules: {census.under_other_rules}."
        yield Finding(None, text, "Nothing to do: each continues under the rules of this version with its next move.")


_WHY: dict[type[StoreError], tuple[str, str]] = {
    NewerGame: (
        "written by a newer version",
        "Finish the upgrade, or go back to the newer version: this one answers ENGINE_TOO_OLD.",
    ),
    RulesChanged: (
        "written under rules that this version cannot carry forward",
        "Use the version that wrote them, or install the modules they need, and report it: a migration is missing.",
    ),
    DamagedGame: ("damaged", "Restore them from a backup, or delete them."),
}


def _unreadable(census: _Census) -> Iterator[Finding]:
    for kind, games in census.unreadable.items():
        why, advice = _WHY.get(kind, ("unreadable", "See the log of the service."))
        yield Finding(False, f"Games that are {why}: {len(games)} ({_some(games)}).", advice)
    if not census.unreadable:
        yield Finding(True, f"Every game can be read: {census.readable}.")


def _some(games: list[str]) -> str:
    return ", ".join(sorted(games)[:SHOWN]) + (", …" if len(games) > SHOWN else "")
