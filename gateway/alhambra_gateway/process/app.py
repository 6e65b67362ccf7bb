"""The gateway as a Flask application: routes of the contract, event streams, API documentation, pages, middleware.

`create_app` opens channels to the service. Call it in the process that answers requests, after any fork.
"""

from __future__ import annotations

from flask import Flask

from .. import openapi, pages
from ..config import Settings
from ..middleware import request_checks, request_log
from ..middleware.cpu_accounts import CpuAccounts, CpuCharges
from ..refusals import error_handlers
from ..routing.credentials import behind_credentials
from ..routing.ready_documents import ReadyDocuments
from ..routing.routes import CONVERTERS, compile_routes
from ..routing.url_map import Application
from ..streams import event_streams
from ..upstream.client import Upstream
from ..upstream.unary_calls import unary_call
from . import health


def create_app(settings: Settings, accounts: CpuAccounts | None = None) -> Flask:
    """Return the application with these settings. `accounts` are those of all processes; None to count no CPU time."""
    app = Application("alhambra_gateway", static_folder=None, template_folder="templates")
    app.url_map.merge_slashes = False  # an address has one spelling
    app.url_map.converters.update(CONVERTERS)
    error_handlers.install(app)
    charges = app.extensions["cpu_charges"] = CpuCharges(accounts) if accounts is not None else None
    upstream = app.extensions["upstream"] = Upstream(settings, charges.note_trailers if charges is not None else None)
    documents = ReadyDocuments()
    for route in compile_routes():
        if not route.streaming:
            view = behind_credentials(route, settings, unary_call(route, upstream, documents))
            app.add_url_rule(route.rule, route.name, view, methods=[route.method])
    event_streams.install(app, settings, upstream)
    openapi.install(app, documents)
    pages.install(app, documents)
    meter = health.install(app, settings, upstream)
    request_checks.install(app, settings, charges)
    request_log.install(app, meter)  # the outermost middleware: it counts and logs every request
    return app
