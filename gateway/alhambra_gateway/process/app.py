"""The gateway as a Flask application: routes of the contract, event streams, API documentation, pages, middleware.

`create_app` opens channels to the service. Call it in the process that answers requests, after any fork.
"""

from __future__ import annotations

from flask import Flask

from .. import openapi, pages
from ..config import Settings
from ..middleware import request_checks, request_log
from ..refusals import error_handlers
from ..routing.routes import CONVERTERS, compile_routes
from ..routing.url_map import Application
from ..streams import event_streams
from ..upstream.client import Upstream
from ..upstream.unary_calls import unary_call
from . import health


def create_app(settings: Settings) -> Flask:
    """Return the application with these settings."""
    app = Application("alhambra_gateway", static_folder=None, template_folder="templates")
    app.url_map.merge_slashes = False  # an address has one spelling
    app.url_map.converters.update(CONVERTERS)
    error_handlers.install(app)
    upstream = app.extensions["upstream"] = Upstream(settings)
    for route in compile_routes():
        if not route.streaming:
            app.add_url_rule(route.rule, route.name, unary_call(route, upstream), methods=[route.method])
    event_streams.install(app, settings, upstream)
    openapi.install(app)
    pages.install(app)
    meter = health.install(app, settings, upstream)
    request_checks.install(app, settings)
    request_log.install(app, meter)  # the outermost middleware: it counts and logs every request
    return app
