"""The client library reads notices about many games against a real server, also across a restart of it."""

from __future__ import annotations

import asyncio

import pytest

from alhambra_client import (
    AccessDenied,
    AsyncClient,
    Client,
    Notice,
    Retry,
    SeatSetup,
    SeatToken,
    ToldNotice,
    Unreachable,
)
from alhambra_client.contract import WatchNoticesRequest
from alhambra_client.errors import refusal
from alhambra_client.notices import NoticeWatch

from ...gateway.product import Product, running
from .event_loop import run

NOT_ACCEPTED = refusal(401, {}, b'{"reason": "TOKEN_INVALID"}')
RETRY = Retry(seconds=1.0, first_pause=0.2)
SEATS = (SeatSetup(name="Ann", claim=True), SeatSetup(name="Ben", claim=True))


@pytest.mark.check_only
def test_notices_go_on_after_the_service_was_killed_and_started_again() -> None:
    with running("--workers", "1") as product:
        games, found = run(told_across_a_restart(product))
        assert found == games[-len(found) :]


async def told_across_a_restart(product: Product) -> tuple[list[str], list[str]]:
    """Return the games that were created, and those that were told to have started."""
    async with AsyncClient(product.http) as client:
        stream = client.notices(kinds=["game_started"])
        games: list[str] = []
        first = asyncio.ensure_future(anext(stream))
        while not first.done():  # what comes about before the stream is open is not told
            games.append((await client.create_game(SEATS, contribute=False)).id)
            await asyncio.wait([first], timeout=0.5)
        notices = [first.result()]
        product.kill_service_workers()
        games.append((await client.create_game(SEATS, contribute=False)).id)
        while getattr(notices[-1], "game", "") != games[-1]:
            notices.append(await anext(stream))
        return games, [notice.game for notice in notices if isinstance(notice, Notice)]


@pytest.mark.check_only
def test_notices_for_threads_go_on_after_the_service_was_killed_and_started_again() -> None:
    with running("--workers", "1") as product, Client(product.http) as client:
        place = client.send(WatchNoticesRequest(page_size=1000)).next_after
        stream = client.notices(kinds=["game_started"], after=place)
        first = client.create_game(SEATS, contribute=False).id
        notices = [next(stream)]
        product.kill_service_workers()
        second = client.create_game(SEATS, contribute=False).id
        notices.append(next(stream))
        assert [notice.game for notice in notices if isinstance(notice, Notice)] == [first, second]


def test_notices_of_seats_are_told_with_tickets(client: Client) -> None:
    place = client.send(WatchNoticesRequest(page_size=1000)).next_after
    game = client.create_game(SEATS, contribute=False)
    seats = [SeatToken(game=game.id, token=one.credentials["token"]) for one in game.seats.values()]
    client.create_game(SEATS, contribute=False).seats[0].resign()
    game.seats[0].resign()
    notice = next(iter(client.notices(seats=seats, kinds=["game_ended"], after=place)))
    assert isinstance(notice, Notice)
    assert (notice.kind, notice.game) == ("game_ended", game.id)


def test_a_program_that_is_started_again_goes_on_after_the_last_notice_it_had(client: Client) -> None:
    place = client.send(WatchNoticesRequest(page_size=1000)).next_after
    games = [client.create_game(SEATS, contribute=False) for _ in range(3)]
    seats = [SeatToken(game=one.id, token=one.seats[0].credentials["token"]) for one in games]
    first = next(iter(client.notices(seats=seats, kinds=["game_started"], after=place)))
    again = client.notices(seats=seats, kinds=["game_started"], after=first.after)
    told = [first, next(again), next(again)]
    assert [one.game for one in told if isinstance(one, ToldNotice)] == [one.id for one in games]


def test_a_ticket_that_is_not_accepted_is_replaced_but_not_for_ever() -> None:
    watch = NoticeWatch("", RETRY, (), "", has_seats=True)
    assert watch.pause_after(NOT_ACCEPTED) <= RETRY.first_pause
    assert watch.is_finished
    with pytest.raises(Unreachable):
        for _ in range(10):
            watch.pause_after(NOT_ACCEPTED)


def test_an_api_key_that_is_not_accepted_is_an_error() -> None:
    with pytest.raises(AccessDenied):
        NoticeWatch("key", RETRY, (), "", has_seats=False).pause_after(NOT_ACCEPTED)
