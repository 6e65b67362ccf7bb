"""The bytes that a game takes in the store."""

from __future__ import annotations

from alhambra import Options, known_modules
from alhambra_service.store import GameStore, StoredGame
from alhambra_service.store.checks import Durability
from tests.service.store.test_memory import BUDGET, MOVES, memory, played

from .group import Effort, Goal, Group
from .processes import Processes
from .rounds import Figure

MANY = tuple(sorted(known_modules()))[:12]
KINDS: tuple[tuple[int, tuple[str, ...]], ...] = ((2, ()), (6, ()), (4, MANY))


def stored_size(effort: Effort) -> Group:
    """Measure the bytes of one game in the store."""
    taken: dict[str, int] = {}
    with Processes() as processes:
        store: GameStore[StoredGame] = GameStore.open(
            processes.store().url, lambda record: record, durability=Durability.EVERYSEC
        )
        try:
            for seats, modules in KINDS[:1] if effort.quick else KINDS:
                effort.tick(f"stored size of a game with {seats} seats and {len(modules)} modules")
                game = played(store, Options(seats=seats, seed="memory", modules=modules))
                taken[f"{seats} seats, {len(modules)} modules"] = memory(store, game)
        finally:
            store.close()
    rows = [{"what": what, "moves": MOVES, "bytes": size, "KiB": round(size / 1024, 1)} for what, size in taken.items()]
    most = float(max(taken.values()))
    goal = Goal.of("bytes_per_game", Figure(most, most, most), BUDGET, unit="bytes")
    how = f"State, log and remembered requests after {MOVES} moves, each committed by itself, as the store counts them."
    return Group("Room in the store", how, rows, {}, [goal])
