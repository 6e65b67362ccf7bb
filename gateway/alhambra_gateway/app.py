"""The gateway as a WSGI application: the routes of the contract, pages and documents around them, one way to fail.

`create_app` opens channels to the service: it is called in the process that answers, after any fork.
"""

from __future__ import annotations

import logging

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from . import doors, openapi, operating, pages, problems, streams
from .application import Application
from .config import Settings
from .plain_calls import REQUEST_ID, plain_call
from .problems import Problem
from .routes import CONVERTERS, compile_routes
from .upstream import Upstream

_log = logging.getLogger(__name__)


def create_app(settings: Settings) -> Flask:
    """The application with these settings."""
    app = Application("alhambra_gateway", static_folder=None, template_folder="templates")
    app.url_map.merge_slashes = False  # an address has one spelling
    app.url_map.converters.update(CONVERTERS)
    _refuse_in_one_way(app)
    upstream = app.extensions["upstream"] = Upstream(settings)
    for route in compile_routes():
        if not route.streaming:
            app.add_url_rule(route.rule, route.name, plain_call(route, upstream), methods=[route.method])
    streams.install(app, settings, upstream)
    openapi.install(app)
    pages.install(app)
    doors.install(app, settings)
    operating.install(app, settings, upstream)
    app.refuse_hooks()
    return app


def _refuse_in_one_way(app: Flask) -> None:
    """Whatever goes wrong becomes a problem document."""

    def refused(problem: Problem) -> Response:
        return problems.response(problem, request.environ)

    def refused_by_flask(error: HTTPException) -> Response:
        return problems.response(problems.from_http_error(error), request.environ)

    def defect(error: Exception) -> Response:
        _log.error("A defect of the gateway.", exc_info=error)
        problem = Problem("INTERNAL_ERROR", "The gateway made a mistake.")
        return problems.response(problem.about(request.environ[REQUEST_ID]), request.environ)

    app.register_error_handler(Problem, refused)
    app.register_error_handler(HTTPException, refused_by_flask)
    app.register_error_handler(Exception, defect)
