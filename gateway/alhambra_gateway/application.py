"""Flask without what the gateway has no use for: sessions, and hooks after the request.

A placement is judged in a few microseconds; whatever Flask does for every request on the way to it is paid thousands of
times a second. Answers are looked after by the doors, outside of Flask.
"""

from __future__ import annotations

from flask import Flask, Request, Response
from flask.sessions import NullSession, SessionInterface
from werkzeug.routing import MapAdapter


class NoSessions(SessionInterface):
    """Nobody is remembered between two requests."""

    _none = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        """The same empty session for everybody; writing to it is an error."""
        return self._none


class Application(Flask):
    """The application that the gateway's routes are added to."""

    session_interface = NoSessions()

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """What finds the route of a request. There are no subdomains, and no names to choose from: the doors have
        refused every host but ours."""
        if request is None:
            return super().create_url_adapter(request)
        return MapAdapter(self.url_map, request.host, "/", "", request.scheme, request.path, request.method)

    def process_response(self, response: Response) -> Response:
        """Nothing is left to do with an answer."""
        return response
