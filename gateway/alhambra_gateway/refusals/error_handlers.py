"""Error handlers of the Flask application: every exception becomes a problem document."""

from __future__ import annotations

import logging

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestEntityTooLarge

from ..environ_keys import REQUEST_ID
from .problem import Problem, response

_log = logging.getLogger(__name__)


def install(app: Flask) -> None:
    """Register the handlers."""

    def refused(problem: Problem) -> Response:
        return response(problem, request.environ)

    def refused_by_flask(error: HTTPException) -> Response:
        return response(from_http_error(error), request.environ)

    def defect(error: Exception) -> Response:
        _log.error("A defect of the gateway.", exc_info=error)
        problem = Problem("INTERNAL_ERROR", "The gateway made a mistake.")
        return response(problem.about(request.environ[REQUEST_ID]), request.environ)

    app.register_error_handler(Problem, refused)
    app.register_error_handler(HTTPException, refused_by_flask)
    app.register_error_handler(Exception, defect)


def from_http_error(error: HTTPException) -> Problem:
    """Return the problem for an error that Flask or werkzeug raised."""
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(sorted(error.valid_methods or ()))
        return Problem(
            "METHOD_NOT_ALLOWED", f"This address knows: {allowed}.", {"allowed": allowed}, headers={"Allow": allowed}
        )
    if isinstance(error, RequestEntityTooLarge):
        return Problem("BODY_TOO_LARGE", "The body of the request is too large.")
    if error.code == 404:
        return Problem("ROUTE_NOT_FOUND", "There is no such address. /openapi.json lists those there are.")
    if error.code is not None and error.code < 500:
        return Problem("REQUEST_MALFORMED", error.description or "The request cannot be read.", {"field": ""})
    return Problem("INTERNAL_ERROR", "The gateway made a mistake.")
