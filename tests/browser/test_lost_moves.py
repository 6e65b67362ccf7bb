"""The store loses moves that the page has shown: the page shows the game as it is."""

from __future__ import annotations

from playwright.sync_api import expect
from redis import Redis

from alhambra_service.store.keys import log_key, state_key
from tests.gateway.http import Client
from tests.gateway.product import Product
from tests.gateway.tables import RestGame

from .conftest import Arrive


def play_otherwise(client: Client, game: RestGame) -> None:
    """Make the last legal move instead of the first one, which `RestGame.play` makes."""
    game.view = client.get(game.path).json()["view"]
    legal = client.get(f"{game.path}/moves", game.bearer(), pageSize=1000).json()
    assert game.apply({"move": legal["moves"][-1]["move"], "version": legal["version"]}).status == 200


def test_a_page_that_has_shown_lost_moves_begins_anew(arrive: Arrive, client: Client, product: Product) -> None:
    game = RestGame(client)
    game.play(3)
    keys = state_key(game.id), log_key(game.id)
    with Redis(unix_socket_path=str(product.folder / "data" / "store.sock")) as store:
        kept = [store.dump(key) for key in keys]
        person = arrive()
        person.open_game(game.id, game.tokens[0])
        game.play(2)
        person.page.wait_for_selector("play-table[data-version='5']")
        for key, dump in zip(keys, kept, strict=True):
            assert isinstance(dump, bytes)
            store.restore(key, 0, dump, replace=True)
    for version in (4, 5, 6):
        play_otherwise(client, game)
        person.page.wait_for_selector(f"play-table[data-version='{version}']")
    expect(person.page.locator(".moves .refused")).to_have_count(0)
