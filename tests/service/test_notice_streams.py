"""One stream tells about many games: of a host, or of the seats of a ticket."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest

from alhambra_api.v1 import games_pb2, views_pb2, webhooks_pb2
from alhambra_service import limits
from alhambra_service.auth.access import Access
from alhambra_service.notices.feed import NoticeFeed
from alhambra_service.notices.game_notices import text_of
from alhambra_service.rpc.grpc_internals import StreamSender
from alhambra_service.store import EmbeddedStore
from alhambra_service.store.keys import WANTED_KEY, feed_key, notices_key
from alhambra_service.streams.notice_watcher import NoticeWatcher, encoded_notice, without_closed_decisions

from .playing import Game, Host, failure, play, refused
from .serving import GameServer
from .small import key_file
from .watchers import PATIENCE, MessageReader

Message = webhooks_pb2.WatchNoticesResponse
Metadata = tuple[tuple[str, str], ...]
STARTED, OPENED, NEAR, ENDED, BOT = (
    webhooks_pb2.NOTICE_KIND_GAME_STARTED,
    webhooks_pb2.NOTICE_KIND_DECISION_OPENED,
    webhooks_pb2.NOTICE_KIND_DEADLINE_NEAR,
    webhooks_pb2.NOTICE_KIND_GAME_ENDED,
    webhooks_pb2.NOTICE_KIND_BOT_DECISION_OPENED,
)


class Reader(MessageReader[Message]):
    """Reads the notices of many games."""

    def __init__(self, call: Any) -> None:
        super().__init__(call)
        self.last = ""
        first = self.next()
        assert first.HasField("opened"), first
        self.missed = first.opened.missed

    def next(self) -> Message:
        found = super().next()
        self.last = found.id or self.last
        return found

    def notices(self, count: int, game: str = "") -> list[webhooks_pb2.Notice]:
        """The next notices, of one game if it is given; keep-alives are left out."""
        found: list[webhooks_pb2.Notice] = []
        while len(found) < count:
            message = self.next()
            assert not message.HasField("resume"), message
            if message.HasField("notice") and message.notice.game.startswith(game):
                found.append(message.notice)
        return found

    def until(self, kind: str) -> Message:
        while True:
            message = self.next()
            if message.WhichOneof("message") == kind:
                return message


class Client:
    """A caller of one server."""

    def __init__(self, address: str, key: str = "") -> None:
        self.host = Host(address)
        self.metadata: Metadata = (("authorization", f"Bearer {key}"),) if key else ()

    def ticket(self, seats: Iterable[tuple[str, str]]) -> webhooks_pb2.CreateNoticeTicketResponse:
        sent = [webhooks_pb2.SeatToken(game=game, token=token) for game, token in seats]
        answer: webhooks_pb2.CreateNoticeTicketResponse = self.host.stub.CreateNoticeTicket(
            webhooks_pb2.CreateNoticeTicketRequest(seats=sent), timeout=PATIENCE
        )
        return answer

    @contextmanager
    def watching(self, **fields: Any) -> Iterator[Reader]:
        request = webhooks_pb2.WatchNoticesRequest(**fields)
        call = self.host.stub.WatchNotices(request, metadata=self.metadata, timeout=120)
        try:
            yield Reader(call)
        finally:
            call.cancel()

    def page(self, **fields: Any) -> list[Message]:
        request = webhooks_pb2.WatchNoticesRequest(past_only=True, **fields)
        return list(self.host.stub.WatchNotices(request, metadata=self.metadata, timeout=PATIENCE))

    def close(self) -> None:
        self.host.close()


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "NOTICES_POLL_SECONDS", 0.02)
    monkeypatch.setattr(limits, "NOTICES_UPKEEP_SECONDS", 0.02)
    monkeypatch.setattr(limits, "WEBHOOK_SWEEP_SECONDS", 0.02)
    monkeypatch.setattr(limits, "WANTED_SECONDS", 0.0)
    monkeypatch.setattr(limits, "WANTED_MARGIN_SECONDS", 0.0)


@pytest.fixture
def server(embedded: EmbeddedStore) -> Iterator[GameServer]:
    one = GameServer(embedded.url)
    yield one
    one.store.client.write(WANTED_KEY, "DEL", WANTED_KEY)
    one.stop()


@pytest.fixture
def client(server: GameServer) -> Iterator[Client]:
    one = Client(server.address)
    yield one
    one.close()


def about(game: Game, found: list[webhooks_pb2.Notice]) -> list[int]:
    return [notice.kind for notice in found if notice.game == game.id]


def end(game: Game) -> None:
    game.seats[game.view().decision.seat].resign()


# -- A host --------------------------------------------------------------------------------------------------------


def test_one_stream_tells_of_every_game_from_its_start_to_its_end(client: Client) -> None:
    with client.watching() as reader:
        games = [client.host.create() for _ in range(3)]
        play(games[1], Random(1), moves=2)
        for game in games:
            end(game)
        found: list[webhooks_pb2.Notice] = []
        while len([notice for notice in found if notice.kind == ENDED]) < 3:
            found += reader.notices(1)
        for game in games:
            kinds = about(game, found)
            assert (kinds[0], kinds[1], kinds[-1]) == (STARTED, OPENED, ENDED)
        versions = [notice.version for notice in found if notice.game == games[1].id]
        assert versions == sorted(versions)


def test_a_stream_tells_the_kinds_that_were_asked_for(client: Client) -> None:
    with client.watching(kinds=[ENDED]) as reader:
        game = client.host.create()
        end(game)
        assert [(notice.kind, notice.game) for notice in reader.notices(1)] == [(ENDED, game.id)]


def test_a_stream_resumes_after_a_message_without_a_gap_and_without_repetition(client: Client) -> None:
    with client.watching() as reader:
        game = client.host.create()
        first = reader.notices(1)
        after = reader.last
    other = client.host.create()
    with client.watching(after=after) as again:
        assert not again.missed
        found = first + again.notices(3)
    assert [(notice.kind, notice.game) for notice in found] == [
        (kind, one.id) for one in (game, other) for kind in (STARTED, OPENED)
    ]


def test_a_decision_that_was_taken_while_the_reader_was_away_is_left_out(client: Client) -> None:
    with client.watching() as reader:
        game = client.host.create()
        reader.notices(1)
        after = reader.last
    end(game)
    with client.watching(after=after) as again:
        assert [notice.kind for notice in again.notices(1)] == [ENDED]


def test_another_process_tells_what_one_committed(client: Client, start_process: Callable[[], str]) -> None:
    other = Host(start_process())
    try:
        with client.watching() as reader:
            game = other.create()
            assert about(game, reader.notices(2)) == [STARTED, OPENED]
    finally:
        other.close()


def test_a_stream_goes_on_at_another_server_after_the_first_one_stopped(embedded: EmbeddedStore) -> None:
    first = GameServer(embedded.url)
    client = Client(first.address)
    with client.watching() as reader:
        game = client.host.create()
        reader.notices(2)
        stopping = threading.Thread(target=first.stop)
        stopping.start()
        last = reader.until("resume")
        assert (last.resume.because, last.resume.after) == ("stopping", last.id)
        stopping.join()
    client.close()
    second = GameServer(embedded.url)
    client = Client(second.address)
    try:
        end(client.host.game(game.id, {number: seat.token for number, seat in game.seats.items()}))
        with client.watching(after=last.resume.after) as again:
            assert [notice.kind for notice in again.notices(1)] == [ENDED]
    finally:
        second.store.client.write(WANTED_KEY, "DEL", WANTED_KEY)
        client.close()
        second.stop()


def test_a_client_that_was_away_while_nobody_wanted_notices_is_told_that_it_missed_some(
    client: Client, server: GameServer
) -> None:
    with client.watching() as reader:
        client.host.create()
        reader.notices(2)
        after = reader.last
    server.store.client.write(WANTED_KEY, "DEL", WANTED_KEY)
    client.host.create()
    with client.watching(after=after) as again:
        assert again.missed
        game = client.host.create()  # games of other tests may come near their deadlines meanwhile
        assert [notice.kind for notice in again.notices(2, game.id)] == [STARTED, OPENED]


def test_a_stream_falls_behind_if_the_store_has_forgotten_that_notices_are_wanted(
    client: Client, server: GameServer
) -> None:
    with client.watching() as reader:
        client.host.create()
        reader.notices(2)
        server.store.client.write(WANTED_KEY, "DEL", WANTED_KEY)
        with client.watching():  # they are wanted anew
            last = reader.until("resume")
        assert (last.resume.because, last.resume.after) == ("fell_behind", last.id)
    with client.watching(after=last.resume.after) as again:
        assert again.missed


def test_a_client_whose_place_was_removed_is_told_that_it_missed_some(client: Client, server: GameServer) -> None:
    with client.watching() as reader:
        client.host.create()
        reader.notices(2)
        after = reader.last
    with client.watching(after=after) as reader:
        client.host.create()
        reader.notices(2)
    key = feed_key("local")
    server.store.client.write(key, "XTRIM", key, "MAXLEN", 1)
    with client.watching(after=after) as again:
        assert again.missed
    with client.watching(after="999999999999999-0") as ahead:
        assert ahead.missed


def test_a_quiet_stream_says_how_far_it_is(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STREAM_SILENCE_SECONDS", 0.1)
    with client.watching(kinds=[ENDED]) as reader:
        before = reader.last
        client.host.create()
        while reader.last == before:
            assert reader.until("keep_alive").id
        assert reader.last > before


def test_a_deadline_that_is_near_is_told_although_no_sender_runs(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from alhambra_service.notices import game_notices

    monkeypatch.setattr(game_notices, "near_time", lambda notice: 1 if "deadline" in notice else 0)
    with client.watching(kinds=[NEAR]) as reader:
        game = client.host.create(turn_seconds=600)
        (near,) = reader.notices(1)
        assert (near.game, near.seat) == (game.id, game.view().decision.seat)
        assert near.HasField("deadline")


def test_notices_whose_process_died_before_the_relay_are_told(
    client: Client, server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NoticeFeed, "relay_soon", lambda self, game, tenant: None)
    with client.watching() as reader:
        game = client.host.create()
        assert about(game, reader.notices(2)) == [STARTED, OPENED]
    key = notices_key(game.id)
    assert not server.store.client.read(key, "EXISTS", key)


def test_pages_tell_everything_once(client: Client) -> None:
    with client.watching() as reader:
        start = reader.last
        games = [client.host.create() for _ in range(2)]
        reader.notices(4)
    found: list[str] = []
    after = start
    for _ in range(10):
        messages = client.page(after=after, page_size=3)
        found += [message.notice.game for message in messages if message.HasField("notice")]
        after = messages[-1].id
        if not messages[-1].HasField("resume"):
            break
        assert messages[-1].resume.because == "more"
    assert found == [game.id for game in games for _ in range(2)]
    (_, alive) = client.page(after=after)
    assert (alive.WhichOneof("message"), alive.id) == ("keep_alive", after)


# -- Fair between games ---------------------------------------------------------------------------------------------


def test_a_busy_game_takes_little_room_in_the_queue_of_a_slow_reader() -> None:
    def message(place: int, game: str, kind: str) -> Any:
        notice = {"id": "msg_a", "kind": kind, "game": game, "version": place, "time": 0, "seat": 0}
        return encoded_notice(f"{place}-0", notice)

    queued = [message(1, "quiet", "decision_opened"), message(2, "busy", "game_started")]
    queued += [message(place, "busy", "decision_opened") for place in range(3, 100)]
    queued += [message(100, "busy", "deadline_near"), message(101, "quiet", "deadline_near")]
    kept = without_closed_decisions(queued)
    assert [one.event for one in kept] == ["1-0", "2-0", "99-0", "100-0", "101-0"]


def test_a_backlog_of_one_game_leaves_out_decisions_that_are_closed(client: Client, server: GameServer) -> None:
    with client.watching() as reader:
        start = reader.last
    feed, quiet = server.commands.feed, client.host.create()
    for number in range(3 * limits.NOTICES_READ):
        notice = {"id": f"msg_{number}", "kind": "decision_opened", "game": "b" * 24, "version": number, "time": 0}
        key = feed_key("local")
        server.store.client.write(key, "XADD", key, "*", "n", text_of({**notice, "seat": 0, "name": ""}))
    end(quiet)
    with client.watching(after=start) as again:
        found = again.notices(3)
        while found[-1].kind != ENDED:
            found += again.notices(1)
    assert about(quiet, found) == [STARTED, OPENED, ENDED]
    assert len(found) < 20
    assert feed.last("local") == again.last


def test_a_reader_that_takes_nothing_falls_behind_and_resumes_without_a_loss(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[tuple[Any, ...]] = []
    lock, full, flowing = threading.RLock(), threading.Event(), threading.Event()
    send, shorten = StreamSender.send, NoticeWatcher._shorten

    def send_or_hold(*message: Any) -> bool:
        with lock:
            if flowing.is_set():
                return send(*message)
            held.append(message)
            return True

    def shorten_and_tell(watcher: NoticeWatcher) -> bool:
        fits = shorten(watcher)
        if not fits:
            full.set()
        return fits

    monkeypatch.setattr(limits, "WATCHER_QUEUE", 3)
    monkeypatch.setattr(NoticeWatcher, "_shorten", shorten_and_tell)
    with client.watching() as reader:
        monkeypatch.setattr(StreamSender, "send", send_or_hold)
        games = [client.host.create() for _ in range(4)]
        assert full.wait(PATIENCE)
        with lock:
            flowing.set()
            for message in held:
                send(*message)
        told = []
        while not (last := reader.next()).HasField("resume"):
            told.append(last.notice)
        assert (last.resume.because, last.resume.after) == ("fell_behind", last.id)
        assert len(told) <= 1  # what was on its way; the queue was dropped
    with client.watching(after=last.resume.after) as again:
        assert not again.missed
        told += again.notices(8 - len(told))
    expected = [(game.id, kind) for game in games for kind in (STARTED, OPENED)]
    assert [(notice.game, notice.kind) for notice in told] == expected


# -- Tickets of seats -----------------------------------------------------------------------------------------------


def test_a_ticket_tells_of_its_games_and_of_the_decisions_of_its_seats_only(client: Client) -> None:
    games = [client.host.create() for _ in range(3)]
    mine = games[:2]
    made = client.ticket([(game.id, game.seats[0].token) for game in mine])
    assert not made.refused_games
    with client.watching(ticket=made.ticket) as reader:
        for game in games:
            play(game, Random(2), moves=6)
            end(game)
        found: list[webhooks_pb2.Notice] = []
        while len([notice for notice in found if notice.kind == ENDED]) < 2:
            found += reader.notices(1)
        assert {notice.game for notice in found} == {game.id for game in mine}
        assert {notice.seat for notice in found if notice.kind == OPENED} == {0}


def test_a_game_without_spectators_is_told_to_its_seats_only(client: Client) -> None:
    hidden = client.host.create(({"claim": True}, {}), visibility=views_pb2.VISIBILITY_SEATS)
    made = client.ticket([(hidden.id, hidden.seats[0].token)])
    with client.watching() as anybody, client.watching(ticket=made.ticket) as seat:
        hidden.claim(1)
        open_game = client.host.create()
        assert [notice.game for notice in seat.notices(1)] == [hidden.id]
        assert {notice.game for notice in anybody.notices(2)} == {open_game.id}


def test_a_ticket_opens_one_stream_once(client: Client) -> None:
    game = client.host.create()
    made = client.ticket([(game.id, game.seats[0].token)])
    with client.watching(ticket=made.ticket):
        pass
    assert refused(lambda: client.page(ticket=made.ticket)) == "TOKEN_INVALID"
    assert refused(lambda: client.page(ticket="x" * 1000)) == "TOKEN_INVALID"


def test_tokens_that_are_not_valid_are_named_and_alone_refused(client: Client) -> None:
    game, other = client.host.create(), client.host.create()
    bad = [(other.id, game.seats[0].token), ("nosuchgameeverwas", "alh_seat_x")]
    made = client.ticket([(game.id, game.seats[0].token), *bad])
    assert list(made.refused_games) == [other.id, "nosuchgameeverwas"]
    assert refused(lambda: client.ticket(bad)) == "TOKEN_INVALID"
    assert refused(lambda: client.ticket([])) == "REQUEST_MALFORMED"
    assert refused(lambda: client.ticket([(game.id, "x")] * 101)) == "REQUEST_MALFORMED"


def test_a_seat_whose_token_was_replaced_is_told_nothing_more(client: Client) -> None:
    lost, kept = client.host.create(), client.host.create()
    made = client.ticket([(game.id, game.seats[0].token) for game in (lost, kept)])
    with client.watching(ticket=made.ticket, kinds=[ENDED]) as reader:
        lost.seats[0].call("ClaimSeat", games_pb2.ClaimSeatRequest(game=lost.id, seat=0))
        lost.seats[1].resign()
        kept.seats[1].resign()
        assert [notice.game for notice in reader.notices(1)] == [kept.id]


# -- Permissions ----------------------------------------------------------------------------------------------------


def test_a_key_is_told_of_the_games_of_its_tenant_if_its_scopes_allow_it(embedded: EmbeddedStore) -> None:
    with key_file() as keys:
        scopes = ("games.create", "notices")
        one, two = keys.add("one", *scopes), keys.add("two", *scopes)
        bare, bots = keys.add("bare", "games.create"), keys.add("bots", "bots")
        server = GameServer(embedded.url, access=Access(keys.ring(), calls_per_second=0))
        host = Client(server.address, one)
        try:
            with host.watching() as reader:
                made = []
                for key in (two, one):
                    request = games_pb2.CreateGameRequest(
                        seats=[games_pb2.SeatSetup(claim=True)] * 2, visibility=views_pb2.VISIBILITY_SEATS
                    )
                    bearer = (("authorization", f"Bearer {key}"),)
                    made.append(host.host.stub.CreateGame(request, metadata=bearer).game)
                assert {notice.game for notice in reader.notices(2)} == {made[1]}
            for key, reason in (("", "TOKEN_INVALID"), (bare, "SCOPE_MISSING"), ("alh_key_x", "TOKEN_INVALID")):
                stranger = Client(server.address, key)
                assert refused(stranger.page) == reason
                stranger.close()
            process = Client(server.address, bots)
            with process.watching():
                pass
            assert refused(lambda: process.page(kinds=[STARTED])) == "SCOPE_MISSING"
            process.close()
        finally:
            server.store.client.write(WANTED_KEY, "DEL", WANTED_KEY)
            host.close()
            server.stop()


def test_a_host_has_a_bounded_number_of_streams(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "NOTICE_STREAMS_PER_HOST", 1)
    with client.watching():
        fault = failure(client.page)
        assert (fault.reason, fault.info.metadata["limit"]) == ("WATCHERS_EXCEEDED", "1")


def test_a_stream_refuses_what_it_does_not_know(client: Client) -> None:
    assert refused(lambda: client.page(after="now")) == "REQUEST_MALFORMED"
    assert refused(lambda: client.page(kinds=[webhooks_pb2.NOTICE_KIND_PING])) == "REQUEST_MALFORMED"
    assert refused(lambda: client.page(kinds=[OPENED] * 17)) == "LIMIT_EXCEEDED"
    assert refused(lambda: client.page(page_size=1001)) == "LIMIT_EXCEEDED"


def test_what_is_told_holds_nothing_hidden(client: Client) -> None:
    from google.protobuf.json_format import MessageToDict

    with client.watching() as reader:
        client.host.create()
        named = {"id", "kind", "time", "game", "version", "name", "decisionKind", "seat", "deadline"}
        for notice in reader.notices(2):
            assert set(MessageToDict(notice)) <= named
            json.dumps(MessageToDict(notice))
