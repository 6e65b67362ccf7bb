"""Many writers at once: every accepted move exactly once, in order, with no gap."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor

from alhambra_service.store import GameStore, Stale, StoredGame

from .conftest import OpenStore
from .samples import asked, assert_intact, commit, created

WRITERS = 6
MOVES = 12
ATTEMPTS = 400


def write(store: GameStore[StoredGame], game: str, writer: int, outcomes: list[tuple[str, int]]) -> None:
    """Commits a number of moves, now and then on an old version and now and then twice."""
    rng = random.Random(writer)
    for number in range(MOVES):
        text, request = f"{writer} move{number}", asked(writer, str(number))
        for _ in range(ATTEMPTS):
            seen = store.load(game, fresh=rng.random() < 0.7)
            try:
                outcome = commit(store, game, seen, [text], request)
                break
            except Stale:
                continue
        else:
            raise AssertionError("never accepted")
        outcomes.append((text, outcome.version))
        if rng.random() < 0.5:
            again = commit(store, game, seen, [text], request)
            assert again.repeated
            assert again.version == outcome.version


def test_concurrent_writers_are_applied_exactly_once_and_in_order(url: str, open_store: OpenStore) -> None:
    stores = [open_store(url), open_store(url)]
    games = [created(stores[0]) for _ in range(2)]
    outcomes: dict[str, list[tuple[str, int]]] = {game: [] for game in games}
    with ThreadPoolExecutor(2 * WRITERS) as pool:
        tasks = [
            pool.submit(write, stores[writer % 2], game, writer, outcomes[game])
            for game in games
            for writer in range(WRITERS)
        ]
        for task in tasks:
            task.result(60)
    for game in games:
        log = assert_intact(stores[0], game)
        assert len(log) == WRITERS * MOVES
        assert {(entry.text, entry.version) for entry in log} == set(outcomes[game])
        for writer in range(WRITERS):
            own = [entry.text for entry in log if entry.text.startswith(f"{writer} ")]
            assert own == [f"{writer} move{number}" for number in range(MOVES)]


def test_one_request_sent_by_many_at_the_same_moment_is_applied_once(url: str, open_store: OpenStore) -> None:
    store = open_store(url)
    game = created(store)
    for round_ in range(5):
        seen = store.load(game, fresh=True)
        gate = threading.Barrier(8)

        def send(seen: StoredGame = seen, gate: threading.Barrier = gate, round_: int = round_) -> bool:
            gate.wait(10)
            return commit(store, game, seen, [f"0 round{round_}"], asked(0, f"{round_}")).repeated

        with ThreadPoolExecutor(8) as pool:
            repeated = [task.result(10) for task in [pool.submit(send) for _ in range(8)]]
        assert repeated.count(False) == 1
    assert len(assert_intact(store, game)) == 5


def test_of_many_games_under_one_id_one_is_created(url: str, open_store: OpenStore) -> None:
    store = open_store(url)
    game = created(store)
    seen = store.load(game)
    gate = threading.Barrier(8)

    def send(writer: int) -> bool:
        gate.wait(10)
        try:
            commit(store, game, seen, [f"{writer} pass"], asked(writer, "x"))
        except Stale:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        accepted = [task.result(10) for task in [pool.submit(send, writer) for writer in range(8)]]
    assert accepted.count(True) == 1
    assert len(assert_intact(store, game)) == 1
