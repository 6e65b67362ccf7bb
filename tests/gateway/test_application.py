"""Flask as the gateway uses it: routes are found as Flask would find them, and no hook is left out unnoticed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter

from alhambra_gateway.app import create_app
from alhambra_gateway.application import Application, Direct
from alhambra_gateway.config import Settings
from alhambra_gateway.routes import OF_A_GAME, compile_routes

GAMES = ("abcdefghijkl", "0123456789abcdefghijklmnopqrstuv", "short", "UPPERCASE-ID", "with/slash/in", "")
METHODS = ("GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT")


@pytest.fixture(scope="module")
def app() -> Iterator[Flask]:
    yield create_app(Settings(service="127.0.0.1:1"))


def outcome(adapter: MapAdapter | Direct) -> object:
    try:
        rule, named = adapter.match(return_rule=True)
    except HTTPException as refused:
        return type(refused), getattr(refused, "valid_methods", None)
    return rule.endpoint, dict(named)


@pytest.mark.parametrize("method", METHODS)
def test_an_address_leads_where_a_search_would_lead(app: Flask, method: str) -> None:
    paths = {route.path.replace("{game}", game) for route in compile_routes() for game in GAMES}
    paths |= {path + tail for path in paths for tail in ("/", ":nonsense")}
    direct = 0
    for path in sorted(paths):
        with app.test_request_context(path, method=method) as context:
            adapter = context.url_adapter
            assert adapter is not None
            request = context.request
            search = MapAdapter(app.url_map, request.host, "/", "", "http", request.path, request.method)
            assert outcome(adapter) == outcome(search), path
            direct += isinstance(adapter, Direct)
    good_games = 2
    expected = sum(route.method == method and route.rule.startswith(OF_A_GAME) for route in compile_routes())
    assert direct == good_games * expected


def test_a_hook_that_nobody_would_call_is_refused() -> None:
    app = Application("hooked")
    app.refuse_hooks()
    app.before_request(lambda: None)
    with pytest.raises(AssertionError, match="before_request_funcs"):
        app.refuse_hooks()


def test_a_view_may_answer_with_a_text() -> None:
    app = Application("plain")
    app.add_url_rule("/page", "page", lambda: "a text")
    answer = app.test_client().get("/page")
    assert (answer.status_code, answer.text) == (200, "a text")
