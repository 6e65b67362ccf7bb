"""Lists of games: newest first, complete, and free of what is gone."""

from dataclasses import replace

from alhambra_service.store import GameStore, Listed, Page, StoredGame, keys, new_game, rebuild

from .samples import asked, blank


def tenant() -> str:
    return f"tenant-{new_game()}"


def create_many(store: GameStore[StoredGame], whose: str, times: list[int]) -> list[Listed]:
    """Games created at these times, in the order of lists."""
    listed = []
    for at in times:
        game = new_game()
        store.create(game, replace(blank(whose), created=at))
        listed.append(Listed(game, at))
    return sorted(listed, key=lambda one: (one.created, one.game), reverse=True)


def pages(store: GameStore[StoredGame], whose: str, size: int) -> list[Page]:
    found = [store.list(whose, size=size)]
    while (after := found[-1].after) is not None:
        found.append(store.list(whose, after, size))
        assert len(found) < 50
    return found


def test_a_tenant_sees_its_own_games_newest_first(store: GameStore[StoredGame]) -> None:
    mine, others = tenant(), tenant()
    listed = create_many(store, mine, [1_700_000_000_003, 1_700_000_000_001, 1_700_000_000_002])
    create_many(store, others, [1_700_000_000_000])
    assert store.list(mine) == Page(tuple(listed), None)
    assert store.list(tenant()) == Page((), None)


def test_pages_join_without_gap_or_repetition_even_for_games_of_the_same_moment(store: GameStore[StoredGame]) -> None:
    whose = tenant()
    listed = create_many(store, whose, [5, 5, 5, 5, 5, 4, 4, 3, 2, 2, 2, 1])
    for size in (1, 2, 5, 12, 100):
        assert [one for page in pages(store, whose, size) for one in page.games] == listed


def test_games_that_are_gone_disappear_from_the_list_and_from_the_store(store: GameStore[StoredGame]) -> None:
    whose = tenant()
    listed = create_many(store, whose, list(range(12)))
    for one in listed[::2]:
        store.forget(one.game)  # without saying whose it was
    living = listed[1::2]
    assert [one for page in pages(store, whose, 4) for one in page.games] == living
    key = keys.index_key(whose)
    assert store.client.read(key, "ZCARD", key) == len(living)


def test_a_repeated_creation_is_listed_again(store: GameStore[StoredGame]) -> None:
    whose, game = tenant(), new_game()
    record = blank(whose)
    store.create(game, record, asked(0, "create"))
    store.client.write(keys.index_key(whose), "DEL", keys.index_key(whose))
    store.create(game, record, asked(0, "create"))
    assert [one.game for one in store.list(whose).games] == [game]


def test_new_games_sweep_out_old_ones_that_nobody_lists(store: GameStore[StoredGame]) -> None:
    whose = tenant()
    key = keys.index_key(whose)
    for number in range(20):
        store.client.write(key, "ZADD", key, number, new_game())
    create_many(store, whose, [100] * 40)
    assert store.client.read(key, "ZCOUNT", key, 0, 19) < 20


def test_the_list_can_be_rebuilt_from_the_games(store: GameStore[StoredGame]) -> None:
    whose = tenant()
    listed = create_many(store, whose, [3, 1, 2])
    key = keys.index_key(whose)
    store.client.write(key, "DEL", key)
    damaged = new_game()
    store.client.write(keys.state_key(damaged), "SET", keys.state_key(damaged), "no game")
    found = set(rebuild(store.client))
    assert {one.game for one in listed} <= found
    assert damaged not in found
    assert list(store.list(whose).games) == listed
    store.forget(damaged)
