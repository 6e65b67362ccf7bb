"""Calls that need credentials and have none: they are refused before their body is parsed.

Whether credentials are good is judged by the service. Here only a call is refused whose header Authorization is missing
or cannot hold any. A gateway without an API key of its own leaves that to the service too, which takes all callers of
this machine as hosts then.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, request

from alhambra.texts import choose_language, text
from alhambra_api.v1 import annotations_pb2

from .. import limits
from ..config import Settings
from ..refusals.problem import Problem
from .routes import Route

View = Callable[..., Response]
"""A function of Flask that answers requests to one address."""
SCHEME = "bearer "
_NEED_THEM = (annotations_pb2.CALLER_SEAT, annotations_pb2.CALLER_HOST)


def behind_credentials(route: Route, settings: Settings, view: View) -> View:
    """Return the view that refuses calls without credentials, or the view itself if the call needs none."""
    if not settings.key or route.caller not in _NEED_THEM:
        return view

    def answer(**named: str) -> Response:
        header = request.environ.get("HTTP_AUTHORIZATION", "")
        if not len(SCHEME) < len(header) <= limits.AUTHORIZATION_CHARS or header[: len(SCHEME)].lower() != SCHEME:
            language = choose_language(request.environ.get("HTTP_ACCEPT_LANGUAGE"))
            title = text("refusal.TOKEN_INVALID", language)
            raise Problem("TOKEN_INVALID", "The credentials are missing or invalid.", title=title)
        return view(**named)

    return answer
