"""What a store holds at the end of a round, read from a backup of it: the log of each game, and whether it is whole."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterable, Mapping
from pathlib import Path

from alhambra import Game
from alhambra.export import read_entry, stored_rules
from alhambra_service.store.stored_game import read_entry as read_line
from alhambra_service.store.stored_game import read_stored_game

from .history import Entry, Truth


def truths(backup: Path, people: Mapping[str, Iterable[int]]) -> dict[str, Truth]:
    """Return the games of a backup. `people` are the seats of each game that clients play."""
    found = {}
    for line in backup.read_text("utf-8").splitlines():
        document = json.loads(line)
        if document.get("game") in people:
            game = document["game"]
            found[game] = _truth(game, b64decode(document["record"]), document["log"], sorted(people[game]))
    return found


def _truth(game: str, data: bytes, lines: list[str], people: list[int]) -> Truth:
    record = read_stored_game(data)
    entries = [read_line(version, line.encode("utf-8", "surrogateescape")) for version, line in enumerate(lines, 1)]
    log = [read_entry(entry.text) for entry in entries]
    options, _ = stored_rules(record.options, record.ruleset)
    opening = record.opening
    replayed = Game.replay(options, log)
    decision = replayed.decision
    damage = ""
    if len(log) != record.version:
        damage = f"the record counts {record.version} entries, the log has {len(log)}"
    elif replayed.state_bytes() != record.state:
        damage = "the stored state does not follow from the log"
    elif record.link != (entries[-1].link if entries else opening):
        damage = "the link of the record is not that of its log"
    elif decision is not None and decision.seat not in people:
        damage = f"the game waits for seat {decision.seat}, which the server plays"
    shown = [Entry(one.seat, entry.text, entry.link) for one, entry in zip(log, entries, strict=True)]
    return Truth(game, opening, shown, people, damage=damage)
