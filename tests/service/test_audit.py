"""The audit log: what hosts did with the games of their tenant stays on record, longer than the games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from alhambra_api.v1 import games_pb2
from alhambra_service import limits
from alhambra_service.auth.access import Access
from alhambra_service.auth.api_keys import known_scopes
from alhambra_service.auth.audit_log import DAY_MS, GAME_DELETED, AuditLog
from alhambra_service.store import EmbeddedStore, StoreUnavailable
from alhambra_service.store.connection.connect import StoreClient, connect

from .playing import PATIENCE, Game, Host, refused
from .serving import GameServer
from .small import Keys, key_file
from .store.servers import RealCluster, RealServer

KEY = 32 * b"k"
GAMES = [f"game{number:012d}" for number in range(250)]
Metadata = tuple[tuple[str, str], ...]


# -- Over the contract -------------------------------------------------------------------------------------------------


class Hosted:
    """A server with keys, and two tenants with keys of all scopes."""

    def __init__(self, url: str, keys: Keys) -> None:
        self.keys = keys
        scopes = sorted(known_scopes())
        self.own, self.other, self.narrow = (
            self._key(name, *given) for name, given in (("own", scopes), ("other", scopes), ("narrow", ["games.list"]))
        )
        self.server = GameServer(url, access=Access(keys.ring(), calls_per_second=0))
        self.host = Host(self.server.address)

    def _key(self, name: str, *scopes: str) -> Metadata:
        return (("authorization", f"Bearer {self.keys.add(name, *scopes)}"),)

    def create(self) -> Game:
        wanted = games_pb2.CreateGameRequest(seats=[games_pb2.SeatSetup(claim=True)] * 2)
        return Game(self.host, self.host.stub.CreateGame(wanted, timeout=PATIENCE, metadata=self.own))

    def call(self, method: str, request: Any, *, who: Metadata | None = None, call_id: str = "") -> Any:
        metadata = (self.own if who is None else who) + ((("x-request-id", call_id),) if call_id else ())
        return getattr(self.host.stub, method)(request, timeout=PATIENCE, metadata=metadata)

    def entries(self, game: Game, **fields: Any) -> list[games_pb2.AuditEntry]:
        return list(self.call("ListAuditEntries", games_pb2.ListAuditEntriesRequest(game=game.id), **fields).entries)

    def stop(self) -> None:
        self.host.close()
        self.server.stop()


@pytest.fixture
def hosted(embedded: EmbeddedStore) -> Iterator[Hosted]:
    with key_file() as keys:
        found = Hosted(embedded.url, keys)
        try:
            yield found
        finally:
            found.stop()


def test_a_deleted_game_stays_on_record_with_key_and_call(hosted: Hosted) -> None:
    game = hosted.create()
    hosted.call("DeleteGame", games_pb2.DeleteGameRequest(game=game.id), call_id="0123456789abcdef")
    (entry,) = hosted.entries(game)
    assert (entry.action, entry.game, entry.key) == ("game_deleted", game.id, "own")
    assert entry.request_id == "0123456789abcdef"
    assert not entry.HasField("seat")
    assert abs(entry.time.seconds - hosted.server.commands.now() // 1000) < PATIENCE


def test_a_seat_that_a_host_takes_over_is_on_record_once_however_often_the_request_is_repeated(hosted: Hosted) -> None:
    game = hosted.create()
    request = games_pb2.ClaimSeatRequest(game=game.id, seat=1, request_id="again")
    tokens = {hosted.call("ClaimSeat", request).token for _ in range(3)}
    assert len(tokens) == 1
    (entry,) = hosted.entries(game)
    assert (entry.action, entry.seat, entry.key) == ("seat_taken_over", 1, "own")
    assert tokens.isdisjoint(str(entry).split('"'))


def test_a_refused_request_leaves_no_entry(hosted: Hosted) -> None:
    game = hosted.create()
    request = games_pb2.ClaimSeatRequest(game=game.id, seat=1, name="Another")  # the game has begun: names stay
    assert refused(partial(hosted.call, "ClaimSeat", request)) == "REQUEST_MALFORMED"
    assert hosted.entries(game) == []


def test_what_players_do_with_their_own_tokens_is_not_on_record(hosted: Hosted) -> None:
    game = hosted.create()
    game.seats[0].call("ClaimSeat", games_pb2.ClaimSeatRequest(game=game.id, seat=0))
    assert hosted.entries(game) == []


def test_a_running_game_that_a_host_exports_is_on_record_and_a_players_export_is_not(hosted: Hosted) -> None:
    game = hosted.create()
    request = games_pb2.ExportGameRequest(game=game.id)
    game.seats[0].call("ExportGame", request)
    assert hosted.entries(game) == []
    hosted.call("ExportGame", request)
    assert [entry.action for entry in hosted.entries(game)] == ["game_exported"]


def test_a_host_without_the_scope_and_a_host_of_another_tenant_learn_nothing(hosted: Hosted) -> None:
    game = hosted.create()
    hosted.call("DeleteGame", games_pb2.DeleteGameRequest(game=game.id), who=hosted.other)
    assert hosted.entries(game) == hosted.entries(game, who=hosted.other) == []
    hosted.call("DeleteGame", games_pb2.DeleteGameRequest(game=game.id))
    assert len(hosted.entries(game)) == 1
    assert hosted.entries(game, who=hosted.other) == []
    assert refused(partial(hosted.entries, game, who=hosted.narrow)) == "SCOPE_MISSING"
    assert refused(partial(hosted.entries, game, who=())) == "TOKEN_INVALID"
    assert refused(partial(hosted.entries, game, who=game.seats[0].metadata)) == "TOKEN_INVALID"


def test_nothing_is_done_that_cannot_be_put_on_record(hosted: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    game = hosted.create()

    def broken(*_: object, **__: object) -> None:
        raise StoreUnavailable("full")

    monkeypatch.setattr(AuditLog, "_write", broken)
    request = games_pb2.DeleteGameRequest(game=game.id)
    assert refused(partial(hosted.call, "DeleteGame", request)) == "STORE_UNAVAILABLE"
    token = games_pb2.ClaimSeatRequest(game=game.id, seat=1)
    assert refused(partial(hosted.call, "ClaimSeat", token)) == "STORE_UNAVAILABLE"
    assert game.seats[1].view().game == game.id


# -- In every kind of store --------------------------------------------------------------------------------------------


@pytest.fixture(params=["embedded", "one server", "cluster"])
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StoreClient]:
    with ExitStack() as until_the_end:
        if request.param == "embedded":
            url = until_the_end.enter_context(EmbeddedStore(tmp_path / "store", fsync="always")).url
        elif request.param == "cluster":
            cluster = RealCluster()
            until_the_end.callback(cluster.stop)
            url = cluster.url
        else:
            server = RealServer()
            until_the_end.callback(server.stop)
            url = server.socket_url
        found = connect(url)
        until_the_end.callback(found.close)
        yield found


class Log:
    """The audit log of one tenant, with a clock that can be put forward."""

    def __init__(self, client: StoreClient, days: int = 10) -> None:
        self.ahead = 0
        self._log = AuditLog(client, self._now, days)
        self._client = client

    def _now(self) -> int:
        seconds, micros = self._client.read("alh:index:{tenant}", "TIME")
        return 1000 * int(seconds) + int(micros) // 1000 + self.ahead

    def note(self, *games: str, tenant: str = "tenant") -> None:
        for game in games:
            self._log.note(tenant, "key", GAME_DELETED, game)

    def page(self, tenant: str = "tenant", **fields: Any) -> tuple[list[str], str]:
        found = self._log.page(games_pb2.ListAuditEntriesRequest(**fields), tenant, KEY)
        return [entry.game for entry in found.entries], found.next_page_token

    def all(self, **fields: Any) -> list[str]:
        found, token = self.page(**fields)
        while token:
            more, token = self.page(page_token=token, **fields)
            found += more
        return found


def test_pages_are_complete_and_bounded_by_number_and_age(client: StoreClient, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Log(client)
    log.note(*GAMES)
    log.note("another00000", tenant="other")
    newest_first = GAMES[::-1]
    assert log.all(page_size=100) == log.all() == log.all(page_size=7) == newest_first
    assert log.all(game=GAMES[3]) == [GAMES[3]]
    assert log.page(tenant="other") == (["another00000"], "")
    assert log.page(tenant="nobody") == ([], "")
    monkeypatch.setattr(limits, "AUDIT_ENTRIES", 20)
    log.note("oneonemore00")
    assert log.all() == ["oneonemore00", *newest_first[:19]]
    log.ahead = 11 * DAY_MS
    assert log.all() == []  # what is too old is not shown, even while it is still there
    log.note("toooldatonce")
    log.ahead = 0
    assert log.all() == []  # and the next entry removes it
    assert Log(client, days=0).all() == []


def test_a_page_token_is_good_for_its_own_list_only(client: StoreClient) -> None:
    log = Log(client)
    log.note(*GAMES[:3])
    token = log.page(page_size=1)[1]
    assert log.page(page_size=1, page_token=token)[0] == [GAMES[1]]
    for wrong in ({"page_token": token + "x"}, {"page_token": token, "game": GAMES[0]}):
        with pytest.raises(Exception, match="PAGE_TOKEN_INVALID"):
            log.page(**wrong)
    with pytest.raises(Exception, match="PAGE_TOKEN_INVALID"):
        log.page(tenant="other", page_token=token)
