"""The client library reads notices about many games against a real server, also across a restart of it."""

from __future__ import annotations

import asyncio

import psutil

from alhambra_client import AsyncClient, Client, SeatSetup
from alhambra_client.contract import Notice, SeatToken, WatchNoticesRequest

from ...gateway.product import Product, running
from .event_loop import run

SEATS = (SeatSetup(name="Ann", claim=True), SeatSetup(name="Ben", claim=True))


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
        kill_workers(product)
        games.append((await client.create_game(SEATS, contribute=False)).id)
        while getattr(notices[-1], "game", "") != games[-1]:
            notices.append(await anext(stream))
        return games, [notice.game for notice in notices if isinstance(notice, Notice)]


def kill_workers(product: Product) -> None:
    """Kill the workers of the service; their parent starts others."""
    for process in psutil.Process(product.process.pid).children(recursive=True):
        if any("alhambra_service.process.worker" in word for word in process.cmdline()):
            process.kill()


def test_notices_of_seats_are_told_with_tickets(client: Client) -> None:
    place = client.send(WatchNoticesRequest(page_size=1000)).next_after
    game = client.create_game(SEATS, contribute=False)
    seats = [SeatToken(game=game.id, token=one.credentials["token"]) for one in game.seats.values()]
    client.create_game(SEATS, contribute=False).seats[0].resign()
    game.seats[0].resign()
    notice = next(iter(client.notices(seats=seats, kinds=["game_ended"], after=place)))
    assert isinstance(notice, Notice)
    assert (notice.kind, notice.game) == ("game_ended", game.id)
