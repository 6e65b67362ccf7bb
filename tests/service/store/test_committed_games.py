"""A game that this process committed stays in memory without being read back, and is never trusted for too long."""

from dataclasses import replace

import pytest

from alhambra_service.store import Commit, GameNotFound, GameStore, Stale, StoredGame

from .conftest import OpenStore
from .samples import commit, created
from .servers import await_true


def hand_over(store: GameStore[StoredGame], game: str, seen: StoredGame | None = None) -> StoredGame:
    """Commits one move and hands the record over."""
    advance = (seen or store.newest_known(game)).advanced(["0 pass"])
    store.commit(Commit(game, advance, loaded=advance.stored))
    return advance.stored


def echoed(store: GameStore[StoredGame], game: str) -> bool:
    """Whether the store has told of the last commit."""
    return not store.cache._games[game].echo_due


def test_a_commit_is_read_without_getting_and_decoding_it(url: str, open_store: OpenStore) -> None:
    store = open_store(url)
    game = created(store)
    for version in range(1, 20):
        made = hand_over(store, game)
        assert made.version == version
        assert store.load(game) is made
        await_true(lambda: echoed(store, game), "the echo of the commit")
        assert store.load(game) is made
        assert store.cached(game) is made


def test_a_later_commit_of_another_process_is_seen_even_if_both_have_one_echo(url: str, open_store: OpenStore) -> None:
    here, there = open_store(url), open_store(url)
    game = created(here)
    for _ in range(20):
        made = hand_over(here, game)
        commit(there, game, replace(made), ["1 pass"])  # no read in between: the echoes may come as one
        assert here.load(game, made.version + 1).version == made.version + 1
        await_true(lambda: here.load(game) is here.load(game), "the game is kept")
        assert here.load(game).version == here.read_game(game).version


def test_an_echo_that_stands_for_another_commit_too_makes_the_game_suspect(url: str, open_store: OpenStore) -> None:
    here, there = open_store(url), open_store(url)
    game = created(here)
    here.cache.changed = lambda game: None  # type: ignore[method-assign]
    made = hand_over(here, game)  # neither echo is heard …
    assert here.load(game) is made
    commit(there, game, made, ["1 pass"])
    del here.cache.changed
    here.cache.changed(game)  # … but one for both
    assert here.cached(game) is None
    assert here.load(game).version == made.version + 1


def test_a_commit_that_was_too_late_makes_the_kept_game_suspect(url: str, open_store: OpenStore) -> None:
    here, there = open_store(url), open_store(url)
    game = created(here)
    old = here.load(game)
    commit(there, game, old, ["0 pass"])
    with pytest.raises(Stale):
        hand_over(here, game, old)
    assert here.load(game).version == 1


def test_what_was_handed_over_is_not_kept_while_changes_are_not_heard(url: str, open_store: OpenStore) -> None:
    here, there = open_store(url), open_store(url)
    game = created(here)
    for server in list(here.cache._tracked):
        here.cache.disconnected(server)
    made = hand_over(here, game, here.load(game, fresh=True))
    commit(there, game, made, ["1 pass"])
    assert here.load(game).version == made.version + 1


def test_a_deleted_game_that_was_handed_over_is_gone(url: str, open_store: OpenStore) -> None:
    store = open_store(url)
    game = created(store)
    hand_over(store, game)
    assert store.forget(game)
    with pytest.raises(GameNotFound):
        store.load(game)


def test_a_watcher_is_woken_once_for_a_commit_of_its_own_process(url: str, open_store: OpenStore) -> None:
    store = open_store(url)
    game = created(store)
    store.load(game)
    woken: list[int] = []
    end = store.watch(game, lambda: woken.append(store.cache._games[game].version))
    for version in range(1, 11):
        hand_over(store, game)
        await_true(lambda: len(woken) >= version, "the watcher is woken")  # noqa: B023
    await_true(lambda: echoed(store, game), "the echo of the commit")
    end()
    assert woken == list(range(1, 11))
