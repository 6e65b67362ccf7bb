"""A line that breaks at the worst moment: nothing is sent twice, and what became of it is found out."""

from collections.abc import Iterator

import pytest

from alhambra_service import limits
from alhambra_service.store import GameStore, OutcomeUnknown, StoredGame, StoreUnavailable
from alhambra_service.store.connection.connect import connect

from .conftest import OpenStore
from .proxy import CuttingProxy
from .samples import asked, assert_intact, commit, created, same
from .servers import RealServer, free_port, script_runs


@pytest.fixture
def proxy(server: RealServer) -> Iterator[CuttingProxy]:
    line = CuttingProxy(server.port)
    yield line
    line.stop()


@pytest.fixture
def store(proxy: CuttingProxy) -> Iterator[GameStore[StoredGame]]:
    """A store at the other end of the line, which does not listen: the proxy only passes requests and replies."""
    found = GameStore(connect(proxy.url), same)
    yield found
    found.client.close()


def test_a_commit_whose_answer_was_lost_is_found_by_its_request(
    proxy: CuttingProxy, store: GameStore[StoredGame]
) -> None:
    game = created(store)
    before = script_runs(store.client)
    proxy.cut_after = b"0 pass"
    outcome = commit(store, game, store.load(game), ["0 pass"], asked(0, "a"), note="kept")
    assert proxy.cuts == 1
    assert outcome.repeated
    assert (outcome.version, outcome.note) == (1, "kept")
    assert len(assert_intact(store, game)) == 1
    assert script_runs(store.client) - before == 2  # the commit, and the question


def test_a_commit_that_never_arrived_has_an_unknown_outcome_and_was_not_sent_again(
    proxy: CuttingProxy, store: GameStore[StoredGame]
) -> None:
    game = created(store)
    seen = store.load(game)
    before = script_runs(store.client)
    proxy.swallow = b"0 pass"
    with pytest.raises(OutcomeUnknown):
        commit(store, game, seen, ["0 pass"], asked(0, "a"))
    assert proxy.cuts == 1
    assert script_runs(store.client) - before == 1  # the question alone
    proxy.swallow = b""
    assert not commit(store, game, seen, ["0 pass"], asked(0, "a")).repeated
    assert len(assert_intact(store, game)) == 1


def test_a_store_that_stays_away_leaves_the_outcome_unknown_after_a_bounded_time(
    proxy: CuttingProxy, store: GameStore[StoredGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SETTLE_SECONDS", 0.2)
    game = created(store)
    seen = store.load(game)
    proxy.cut_after = b"EVAL"
    with pytest.raises(OutcomeUnknown, match="it is not known"):
        commit(store, game, seen, ["0 pass"], asked(0, "a"))
    assert proxy.cuts > 1
    proxy.cut_after = b""
    assert commit(store, game, seen, ["0 pass"], asked(0, "a")).repeated


def test_a_read_whose_answer_was_lost_is_sent_again_once(proxy: CuttingProxy, store: GameStore[StoredGame]) -> None:
    game = created(store)
    proxy.cut_after = b"GET"
    with pytest.raises(StoreUnavailable):
        store.load(game)
    assert proxy.cuts == 2


def test_a_store_that_is_not_there_is_unavailable_and_not_a_mystery(open_store: OpenStore) -> None:
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        open_store(f"redis://127.0.0.1:{free_port()}")
