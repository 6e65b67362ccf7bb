"""Every method of the library, against a real server."""

from tests.gateway.product import Product

from .node_tests import ADDRESS, every_test, run_test


@every_test("games.test.mjs")
def test_games(name: str, product: Product) -> None:
    run_test("games.test.mjs", name, {ADDRESS: product.http})


@every_test("live.test.mjs")
def test_what_comes_with_views(name: str, product: Product) -> None:
    run_test("live.test.mjs", name, {ADDRESS: product.http})


@every_test("told.test.mjs")
def test_open_games_and_webhooks(name: str, product: Product) -> None:
    run_test("told.test.mjs", name, {ADDRESS: product.http})
