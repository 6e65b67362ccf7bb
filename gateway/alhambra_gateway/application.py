"""Flask without what the gateway has no use for: sessions, signals, hooks around a request, and a search for routes
that their address names.

A placement is judged in a few microseconds; whatever Flask does for every request on the way to it is paid thousands of
times a second. Requests and answers are looked after by the doors, outside of Flask.
"""

from __future__ import annotations

import re
from typing import Any

from flask import Flask, Request, Response
from flask.sessions import NullSession, SessionInterface
from werkzeug.routing import MapAdapter, Rule

from .routes import GAME_ID, OF_A_GAME

_OF_A_GAME = re.compile(rf"{OF_A_GAME.partition('<')[0]}({GAME_ID})(|[:/].*)")
"""An address with the id of a game: the id, and what comes behind it."""
_ADDED_BY_FLASK = frozenset({"HEAD", "OPTIONS"})
"""Methods that every rule has, and that are answered by looking at the rule."""


class NoSessions(SessionInterface):
    """Nobody is remembered between two requests."""

    _none = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        """The same empty session for everybody; writing to it is an error."""
        return self._none


class Direct:
    """Stands for the map of addresses in a request whose rule is known."""

    __slots__ = ("_found",)

    def __init__(self, rule: Rule, game: str) -> None:
        self._found = rule, {"game": game}

    def match(self, *, return_rule: bool) -> tuple[Rule, dict[str, str]]:
        """The rule, and what the address says."""
        return self._found


class Application(Flask):
    """The application that the gateway's routes are added to."""

    session_interface = NoSessions()

    def __init__(self, *named: Any, **options: Any) -> None:
        self._rules_of_a_game: dict[tuple[str, str], Rule] = {}
        """By method and by what comes behind the id of the game."""
        super().__init__(*named, **options)

    def add_url_rule(self, rule: str, endpoint: str | None = None, *named: Any, **options: Any) -> None:
        """Adds a route; addresses in which nothing varies but the game are found without a search."""
        super().add_url_rule(rule, endpoint, *named, **options)
        behind = rule.removeprefix(OF_A_GAME)
        if behind == rule or "<" in behind:
            return
        for found in self.url_map.iter_rules(endpoint):
            for method in (found.methods or set()) - _ADDED_BY_FLASK:
                self._rules_of_a_game[method, behind] = found

    def create_url_adapter(self, request: Request | None) -> Any:
        """What finds the route of a request. There are no subdomains, and no names to choose from: the doors have
        refused every host but ours."""
        if request is None:
            return None  # outside of a request no addresses are made
        address = _OF_A_GAME.fullmatch(request.path)
        if address is not None:
            rule = self._rules_of_a_game.get((request.method, address[2]))
            if rule is not None:
                return Direct(rule, address[1])
        return MapAdapter(self.url_map, request.host, "/", "", request.scheme, request.path, request.method)

    def full_dispatch_request(self) -> Response:
        """Finds the view and answers with it."""
        try:
            found = self.dispatch_request()
        except Exception as error:  # whatever it is becomes a problem document
            found = self.handle_user_exception(error)
        return found if isinstance(found, Response) else self.make_response(found)

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        """Nothing is left to do with a request."""

    def do_teardown_appcontext(self, exc: BaseException | None = None) -> None:
        """Nor with what was around it."""

    def refuse_hooks(self) -> None:
        """Raises AssertionError if somebody waits for requests in a way that is left out here."""
        waiting = {
            name: functions
            for name, functions in vars(self).items()
            if name.startswith(("before_", "after_", "teardown_", "url_value_")) and functions
        }
        assert not waiting, f"hooks that nobody would call: {waiting}"
