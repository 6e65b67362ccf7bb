"""Records to try things on. The store does not look into states, so most tests use a few bytes for one."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from alhambra_service.store import Commit, GameStore, LogEntry, Outcome, Request, StoredGame, first_broken, new_game

from .servers import await_true

SECRET = bytes(range(32))


def same(record: StoredGame) -> StoredGame:
    """Decodes a record as itself."""
    return record


def blank(tenant: str = "tests", **others: object) -> StoredGame:
    return StoredGame.new(created=int(time.time() * 1000), secret=SECRET, tenant=tenant, **others)


def created(store: GameStore[StoredGame], record: StoredGame | None = None) -> str:
    """A new game in the store."""
    game = new_game()
    store.create(game, record or blank())
    return game


def asked(seat: int, request_id: str, content: bytes = b"move") -> Request:
    return Request.of(f"seat-{seat}", request_id, content)


def commit(
    store: GameStore[Any],
    game: str,
    stored: StoredGame,
    texts: Sequence[str] = (),
    request: Request | None = None,
    **more: Any,
) -> Outcome:
    """Commits a game that was loaded and changed, with entries of the log."""
    return store.commit(Commit(game, stored.advanced(texts), request, **more))


def moved(record: StoredGame, state: bytes) -> StoredGame:
    return replace(record, state=state)


def assert_intact(store: GameStore[StoredGame], game: str) -> list[LogEntry]:
    """State and log belong together, no version is missing, the chain holds. Returns the log."""
    record, log = store.read_game(game), store.log(game)
    assert [entry.version for entry in log] == list(range(1, record.version + 1))
    opening = blank().link
    assert first_broken(record.secret, opening, log) is None
    assert record.link == (log[-1].link if log else opening)
    return log


def await_version(store: GameStore[StoredGame], game: str, version: int) -> None:
    """Reads without demanding anything until a change is heard; fails if it never is."""
    await_true(lambda: store.load(game).version == version, f"version {version} is heard of", 5)
