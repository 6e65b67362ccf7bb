"""The URL map of the Flask application: addresses of a single game are found in a dictionary.

A placement is judged in a few microseconds, while werkzeug's search for a rule takes thirty. In most addresses of the
contract only the id of the game varies, so one regular expression and one dictionary find their rule. All other
addresses are searched as usual. Only documented parts of Flask and werkzeug are used: `Flask.url_map_class`,
`Map.add`, `Map.bind_to_environ` and `MapAdapter.match`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask import Flask, Request
from flask.sessions import NullSession, SessionInterface
from werkzeug.routing import Map, MapAdapter, Rule, RuleFactory
from werkzeug.wrappers import Request as WerkzeugRequest

from .routes import GAME_ID, GAME_RULE

_GAME_ADDRESS = re.compile(rf"{GAME_RULE.partition('<')[0]}({GAME_ID})(|[:/].*)")
"""An address with the id of a game: the id, and what follows it."""
_ADDED_BY_FLASK = frozenset({"HEAD", "OPTIONS"})
"""Methods that Flask adds to rules; requests with them are searched as usual."""


class GameMap(Map):
    """A URL map with a dictionary of the rules in which nothing varies but the game."""

    def __init__(self, *given: Any, **options: Any) -> None:
        self.game_rules: dict[tuple[str, str], Rule] = {}
        """Rules by method and by what follows the id of the game."""
        super().__init__(*given, **options)

    def add(self, rulefactory: RuleFactory) -> None:
        """Add a rule, also to the dictionary if nothing varies in it but the game."""
        super().add(rulefactory)
        if not isinstance(rulefactory, Rule):
            return
        suffix = rulefactory.rule.removeprefix(GAME_RULE)
        if suffix != rulefactory.rule and "<" not in suffix:
            for method in (rulefactory.methods or set()) - _ADDED_BY_FLASK:
                self.game_rules[method, suffix] = rulefactory

    def bind_to_environ(
        self, environ: dict[str, Any] | WerkzeugRequest, server_name: str | None = None, subdomain: str | None = None
    ) -> MapAdapter:
        """Return what finds the rule of one request."""
        if isinstance(environ, dict) and not environ.get("SCRIPT_NAME"):
            address = _GAME_ADDRESS.fullmatch(environ["PATH_INFO"])
            if address is not None:
                rule = self.game_rules.get((environ["REQUEST_METHOD"], address[2]))
                if rule is not None:
                    return FoundRule(self, rule, address[1], environ)
        return super().bind_to_environ(environ, server_name, subdomain)


class FoundRule(MapAdapter):
    """The adapter of a request whose rule was found in the dictionary."""

    def __init__(self, url_map: Map, rule: Rule, game: str, environ: Mapping[str, Any]) -> None:
        super().__init__(
            url_map,
            environ.get("HTTP_HOST", ""),
            "/",
            "",
            environ["wsgi.url_scheme"],
            environ["PATH_INFO"],
            environ["REQUEST_METHOD"],
            environ.get("QUERY_STRING", ""),
        )
        self._rule, self._arguments = rule, {"game": game}

    def match(self, path_info: str | None = None, method: str | None = None, *given: Any, **options: Any) -> Any:
        """Return the rule that was found, or search if another address or method is asked about."""
        if path_info is None and method is None and not given and options == {"return_rule": True}:
            return self._rule, self._arguments
        return super().match(path_info, method, *given, **options)


class NoSessions(SessionInterface):
    """The gateway keeps no sessions: every request has the same empty one, which cannot be written to."""

    _none = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        """Return the empty session."""
        return self._none


class PlainRequest(Request):
    """A request of an application without blueprints. Flask asks for them three times a request."""

    @property
    def blueprints(self) -> list[str]:
        """No blueprint handles a request."""
        return []


class Application(Flask):
    """Flask with the URL map of the gateway, and without sessions and blueprints. No method is overridden."""

    url_map_class = GameMap
    request_class = PlainRequest
    session_interface = NoSessions()
