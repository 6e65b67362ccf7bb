"""Log lines are JSON, have the id of their request, and contain no secrets."""

import io
import json
import logging
import re
from collections.abc import Iterator

import pytest

from alhambra_runtime.log_lines import CUT, begin, cut, is_request_id

SECRET = "alh_key_0123456789"


@pytest.fixture
def stream() -> io.StringIO:
    return io.StringIO()


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    before, level = [*root.handlers], root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)


def test_a_line_has_the_id_of_its_request_and_the_fields_that_are_listed(stream: io.StringIO) -> None:
    begin("info", "auto", ("method", "status"), lambda: "00ff00ff", stream)
    log = logging.getLogger("lamp")
    log.info("lit %d", 3, extra={"method": "Light", "unlisted": "no"})
    log.debug("not logged")
    line = json.loads(stream.getvalue())
    assert line.pop("time").endswith("+00:00")
    assert line == {"level": "info", "logger": "lamp", "message": "lit 3", "request": "00ff00ff", "method": "Light"}


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_line_on_a_terminal_is_for_a_person() -> None:
    stream = Terminal()
    log = _logger(stream, "auto")
    log.info("Refused", extra={"method": "POST", "path": "/v1/games", "status": 400, "milliseconds": 1.5})
    log.warning("The store is slow.")
    first, second = stream.getvalue().splitlines()
    assert re.fullmatch(r"\d\d:\d\d:\d\d  Refused \(POST /v1/games 400 1\.5 ms\)", first)
    assert re.fullmatch(r"\d\d:\d\d:\d\d  warning: The store is slow\.", second)


def test_an_error_on_a_terminal_names_its_request_and_shows_the_traceback() -> None:
    stream = Terminal()
    try:
        raise ValueError("no lamp")
    except ValueError:
        _logger(stream, "auto").exception("A defect.")
    first, *more = stream.getvalue().splitlines()
    assert first.endswith("  error: A defect. [00ff00ff]")
    assert (more[0], more[-1]) == ("Traceback (most recent call last):", "ValueError: no lamp")


@pytest.mark.parametrize(("style", "terminal", "json_lines"), [("json", True, True), ("text", False, False)])
def test_the_style_can_be_chosen(style: str, terminal: bool, json_lines: bool) -> None:
    stream = Terminal() if terminal else io.StringIO()
    _logger(stream, style).info("lit")
    assert stream.getvalue().startswith("{") is json_lines


def _logger(stream: io.StringIO, style: str) -> logging.Logger:
    begin("info", style, ("method", "path", "status", "milliseconds"), lambda: "00ff00ff", stream)
    return logging.getLogger("lamp")


@pytest.mark.parametrize("style", ["json", "text"])
def test_secrets_are_cut_out_of_messages_fields_and_tracebacks(style: str, stream: io.StringIO) -> None:
    begin("info", style, ("method",), str, stream)
    try:
        raise ValueError(SECRET)
    except ValueError:
        logging.getLogger("lamp").exception("key %s", SECRET, extra={"method": SECRET})
    said = stream.getvalue()
    assert SECRET not in said
    assert f"key {CUT}" in said
    assert f"ValueError: {CUT}" in said, "the traceback"
    assert said.count(CUT) >= 3, "the message, the traceback and the field"


@pytest.mark.parametrize("text", [SECRET, "Bearer x", "redis://user:word@host", "A" * 40])
def test_what_looks_like_a_secret_is_cut(text: str) -> None:
    assert CUT in cut(text)


def test_an_id_of_a_client_is_hexadecimal() -> None:
    assert is_request_id("0123-abcd-ef")
    assert not any(map(is_request_id, ("", "short", "X" * 10, "0" * 37)))
