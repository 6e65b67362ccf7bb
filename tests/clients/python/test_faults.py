"""Nothing is lost and nothing is done twice, whatever the network and the server do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from alhambra_client import (
    AsyncClient,
    Client,
    Event,
    Game,
    OutcomeUnknown,
    Retry,
    SeatSetup,
    Snapshot,
    Stale,
    Unreachable,
    WentBack,
)
from alhambra_service.store import EmbeddedStore
from tests.gateway.product import Product, Running, gateway, running
from tests.service.lost_moves import keep_for_later, play_otherwise
from tests.service.watchers import Place, Seats

from . import event_loop
from .faulty_proxy import LOSE_ANSWER, LOSE_REQUEST, FaultyProxy, answer
from .test_be_told import registered
from .test_games import buyer

T = TypeVar("T")
TWO = (SeatSetup(claim=True), SeatSetup(claim=True))
QUICK = Retry(seconds=20, first_pause=0.02, longest_pause=0.2)
RATE_LIMITED = answer("429 Too Many Requests", "RATE_LIMITED", Retry_After="1")
UNKNOWN = answer("503 Service Unavailable", "OUTCOME_UNKNOWN", Retry_After="0")
LATE = answer("504 Gateway Timeout", "DEADLINE_PASSED")
PATIENCE = 180.0
"""Enough to start a server on a busy machine."""


@pytest.fixture
def proxy(product: Product) -> Iterator[FaultyProxy]:
    found = FaultyProxy(product.http)
    yield found
    found.stop()


@pytest.fixture
def shaky(proxy: FaultyProxy) -> Iterator[Client]:
    """A client behind the proxy."""
    with Client(proxy.http, retry=QUICK) as found:
        yield found


def asked_seat(client: Client) -> Game:
    return next(game for game in client.create_game(TWO).seats.values() if game.is_asked)


# -- Lost requests and answers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "faults", [[LOSE_ANSWER], [LOSE_REQUEST], [LOSE_ANSWER, LOSE_REQUEST, LOSE_ANSWER], [UNKNOWN], [LATE]]
)
def test_a_move_is_made_once(shaky: Client, proxy: FaultyProxy, faults: list[str | bytes]) -> None:
    game = asked_seat(shaky)
    move = game.moves(verb="take_money")[0]
    proxy.only, proxy.faults = f"POST /v1/games/{game.id}/moves", [*faults]
    played = game.play(move)
    sent = proxy.sent(proxy.only)
    assert len(sent) == len(faults) + 1
    assert len({request.body["requestId"] for request in sent}) == 1
    assert [event.kind for event in game.events()].count("money_taken") == 1
    assert game.read().version == played.version


def test_a_game_is_created_once(shaky: Client, proxy: FaultyProxy) -> None:
    before = len([*shaky.list_games()])
    proxy.only, proxy.faults = "POST /v1/games ", [LOSE_ANSWER, LOSE_ANSWER]
    created = shaky.create_game(TWO)
    assert created.seats[0].moves() or created.seats[1].moves()
    assert len([*shaky.list_games()]) == before + 1


def test_a_seat_is_not_lost_with_the_answer_to_its_claim(shaky: Client, proxy: FaultyProxy) -> None:
    created = shaky.create_game([SeatSetup(claim=True), SeatSetup()])
    proxy.only, proxy.faults = ":", [LOSE_ANSWER]
    joined = shaky.join(created.id, created.invitations[1])
    proxy.faults = [LOSE_ANSWER]  # of the reveal
    assert created.seats[0].read().status == "running"
    assert joined.read().viewer == 1


def test_an_undo_and_a_resignation_happen_once(shaky: Client, proxy: FaultyProxy) -> None:
    game, _, purchase = buyer(shaky)
    game.play(purchase)
    proxy.only, proxy.faults = ":undo", [LOSE_ANSWER]
    assert game.undo().undone
    proxy.only, proxy.faults = ":resign", [LOSE_ANSWER]
    game.resign()
    assert [event.kind for event in game.events()].count("undone") <= 1
    assert game.read().status == "over"


def test_a_seat_is_opened_and_a_game_is_cancelled_although_the_answers_are_lost(
    shaky: Client, proxy: FaultyProxy
) -> None:
    created = shaky.create_game([SeatSetup(claim=True), SeatSetup(claim=True), SeatSetup()], contribute=False)
    proxy.only, proxy.faults = ":leaveSeat", [LOSE_ANSWER]
    left = created.seats[1].leave_seat()  # its token is revoked
    assert left.view is not None
    assert left.view.seats[1].occupancy == "open"
    proxy.only, proxy.faults = ":cancel", [LOSE_ANSWER]
    created.seats[0].cancel()
    assert not proxy.faults


def test_a_webhook_is_changed_once(shaky: Client, proxy: FaultyProxy) -> None:
    webhook = registered(shaky).webhook.webhook
    proxy.only = f"POST /v1/webhooks/{webhook}"

    def losing_the_answer(change: Callable[[str], T]) -> T:
        proxy.requests.clear()
        proxy.faults = [LOSE_ANSWER, LOSE_ANSWER]
        answer = change(webhook)
        assert len(proxy.requests) == 3
        assert len({request.body["requestId"] for request in proxy.requests}) == 1
        return answer

    assert losing_the_answer(lambda name: shaky.update_webhook(name, disabled=True)).disabled
    notice = losing_the_answer(shaky.test_webhook)
    assert [delivery.notice.id for delivery in shaky.deliveries(webhook)] == [notice]
    first, second = losing_the_answer(shaky.rotate_webhook_secret), losing_the_answer(shaky.rotate_webhook_secret)
    assert first != second
    assert losing_the_answer(shaky.replay_deliveries) == 0
    shaky.delete_webhook(webhook)


def test_the_server_says_when_to_come_back(shaky: Client, proxy: FaultyProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("alhambra_client.client.time.sleep", pauses.append)
    game = asked_seat(shaky)
    proxy.faults = [RATE_LIMITED, RATE_LIMITED]
    game.read()
    assert pauses == [1, 1]


def test_a_change_with_an_unknown_outcome_can_be_repeated_later(product: Product, proxy: FaultyProxy) -> None:
    with Client(proxy.http, retry=Retry(seconds=0)) as client:
        game = asked_seat(client)
        move = game.moves(verb="take_money")[0]
        proxy.faults = [LOSE_ANSWER]
        with pytest.raises(OutcomeUnknown) as caught:
            game.play(move)
        done = client.repeat(caught.value)
        assert game.read().version == done.version
        assert [event.kind for event in game.events()].count("money_taken") == 1


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with Client("http://127.0.0.1:9", retry=Retry(seconds=0.1)) as client, pytest.raises(Unreachable):
        client.modules()


def test_reads_after_a_move_ask_for_its_version(shaky: Client, proxy: FaultyProxy) -> None:
    game = asked_seat(shaky)
    version = game.play(game.moves(verb="take_money")[0]).version
    proxy.requests.clear()
    game.moves()
    game.read()
    game.table_picture()
    game.placements("garden-8-ne")
    assert [f"minVersion={version}" in request.line for request in proxy.requests] == [True] * 4


# -- Streams -----------------------------------------------------------------------------------------------------------


def test_a_stream_that_is_cut_loses_and_repeats_no_event(product: Product, shaky: Client, proxy: FaultyProxy) -> None:
    seats = shaky.create_game(TWO).seats
    spectator = shaky.game(seats[0].id)
    told: list[Event | Snapshot | WentBack] = []
    ready = threading.Semaphore(0)

    def watch() -> None:
        for message in spectator.watch():
            told.append(message)
            if isinstance(message, Snapshot):
                ready.release()

    thread = threading.Thread(target=watch)
    thread.start()
    assert ready.acquire(timeout=PATIENCE)
    first = told[0]
    assert isinstance(first, Snapshot)
    for number in range(4):
        game = next(game for game in seats.values() if game.read().decision and game.is_asked)
        if number % 2:
            assert proxy.cut_streams() == 1
        game.play(game.moves(verb="take_money")[0])
        assert ready.acquire(timeout=PATIENCE)
    for game in seats.values():
        if game.read().status == "running":
            game.resign()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    events = [message.id for message in told if isinstance(message, Event)]
    assert events == [event.id for event in spectator.events(first.last_event)]
    assert len(proxy.sent("snapshots=true")) >= 3
    assert not [message for message in told if isinstance(message, WentBack)]


def test_a_stream_that_is_cut_goes_on_with_asyncio(proxy: FaultyProxy) -> None:
    async def watch() -> None:
        async with AsyncClient(proxy.http, retry=QUICK) as client:
            seats = (await client.create_game(TWO)).seats
            watching = seats[0].watch()
            assert isinstance(await anext(watching), Snapshot)
            asked = next(game for game in seats.values() if game.is_asked)
            proxy.cut_streams()
            played = await asked.play((await asked.moves(verb="take_money"))[0])
            told = []
            async for message in watching:
                if isinstance(message, Snapshot) and message.view.version >= played.version:
                    break
                if isinstance(message, Event):
                    told.append(message.id)
            await watching.aclose()  # type: ignore[attr-defined]
            assert told == [event.id for event in played.events]

    event_loop.run(watch())


# -- Servers that stop or forget ---------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


def test_a_server_that_is_started_again_is_played_on(folder: Path) -> None:
    """The client knows one address. Behind it, a server stops, and another one with the same data takes its place."""
    told: list[str] = []
    with running("--workers", "1", "--data", str(folder)) as first:
        proxy = FaultyProxy(first.http)
        client = Client(proxy.http, retry=Retry(seconds=PATIENCE, first_pause=0.1, longest_pause=0.5))
        seats = client.create_game(TWO).seats
        game = next(game for game in seats.values() if game.is_asked)
        watching = client.game(game.id).watch()
        assert isinstance(next(watching), Snapshot)
        listed = game.moves(verb="take_money")
    thread = threading.Thread(target=lambda: told.extend(event.id for event in game.play(listed[0]).events))
    thread.start()
    with running("--workers", "1", "--data", str(folder)) as second:
        proxy.target = second.http
        thread.join(PATIENCE)
        assert told
        watched = [message for message in _until(watching, game.version) if isinstance(message, Event)]
        assert [event.id for event in watched] == told
        client.close()
        proxy.stop()


def _until(watching: Iterator[object], version: int) -> Iterator[object]:
    for message in watching:
        yield message
        if isinstance(message, Snapshot) and message.view.version >= version:
            return


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with EmbeddedStore(tmp_path_factory.mktemp("store"), fsync="always") as store:
        found = Place(store.url)
        yield found
        found.stop()


@pytest.fixture(scope="module")
def front(place: Place) -> Iterator[Running]:
    with gateway(f"127.0.0.1:{place.port}") as found:
        yield found


@pytest.mark.parametrize("moves", [0, 1, 2, 4])
def test_a_client_of_a_server_that_has_lost_moves_begins_anew(place: Place, front: Running, moves: int) -> None:
    seats = Seats(place)
    with Client(front.http, retry=QUICK) as client:
        seats.play(3)
        go_back = keep_for_later(place.store, seats.game)
        seats.play(2)
        players = [client.game(seats.game, token, seat) for seat, token in seats.tokens.items()]
        last = client.game(seats.game).events()[-1].id
        asked = next(game for game in players if game.read().decision and game.is_asked)
        listed = asked.moves()
        go_back()
        play_otherwise(seats, moves)

        watching = asked.watch(after=last)
        assert isinstance(next(watching), WentBack)
        anew = next(watching)
        assert isinstance(anew, Snapshot) and anew.view.version == asked.version == 3 + moves

        for game in players:
            assert game.read().version == 3 + moves
        with pytest.raises(Stale):
            asked.play(listed[0])
        now = next(game for game in players if game.is_asked)
        assert now.play(now.moves()[0]).version > 3 + moves
