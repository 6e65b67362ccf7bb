"""Flask as the gateway uses it: routes are found as werkzeug would find them, and no method of Flask is overridden."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter

from alhambra_gateway.config import Settings
from alhambra_gateway.process.app import create_app
from alhambra_gateway.routing.routes import GAME_RULE, compile_routes
from alhambra_gateway.routing.url_map import Application, FoundRule

GAMES = ("abcdefghijkl", "0123456789abcdefghijklmnopqrstuv", "short", "UPPERCASE-ID", "with/slash/in", "")
METHODS = ("GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT")


@pytest.fixture(scope="module")
def app() -> Iterator[Flask]:
    yield create_app(Settings(service="127.0.0.1:1"))


def outcome(adapter: MapAdapter) -> object:
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
            direct += isinstance(adapter, FoundRule)
    good_games = 2
    expected = sum(route.method == method and route.rule.startswith(GAME_RULE) for route in compile_routes())
    assert direct == good_games * expected


def test_an_address_below_a_prefix_is_searched_as_usual(app: Flask) -> None:
    with app.test_request_context("/v1/games/abcdefghijkl", environ_overrides={"SCRIPT_NAME": "/mounted"}) as context:
        assert not isinstance(context.url_adapter, FoundRule)


def test_no_method_of_flask_is_overridden() -> None:
    """Flask 3.2 changes the arguments of most methods that answer a request."""
    own = {name for name in vars(Application) if not name.startswith("__")}
    assert own == {"request_class", "session_interface", "url_map_class"}
    assert not any(callable(getattr(Flask, name)) and not isinstance(getattr(Flask, name), type) for name in own)


def test_hooks_around_a_request_are_called() -> None:
    app, called = Application("hooked"), list[str]()
    app.add_url_rule("/page", "page", lambda: "a text")
    app.before_request(lambda: called.append("before"))
    app.teardown_request(lambda error: called.append("after"))
    app.test_client().get("/page")
    assert called == ["before", "after"]


def test_a_view_may_answer_with_a_text() -> None:
    app = Application("plain")
    app.add_url_rule("/page", "page", lambda: "a text")
    answer = app.test_client().get("/page")
    assert (answer.status_code, answer.text) == (200, "a text")
