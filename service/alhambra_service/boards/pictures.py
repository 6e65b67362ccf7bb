"""Pictures as answers: SVG in a google.api.HttpBody."""

from __future__ import annotations

from google.api import httpbody_pb2

from alhambra_api.v1 import boards_pb2

_THEMES: dict[int, str] = {boards_pb2.THEME_LIGHT: "light", boards_pb2.THEME_DARK: "dark"}


def theme_of(number: int) -> str:
    """The colours that a request asks for; those of the reader's system unless it names some."""
    return _THEMES.get(number, "auto")


def picture(svg: str) -> httpbody_pb2.HttpBody:
    """The answer that holds a picture."""
    return httpbody_pb2.HttpBody(content_type="image/svg+xml", data=svg.encode())
