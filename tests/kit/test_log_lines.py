"""Log lines are JSON, have the id of their request, and contain no secrets."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from alhambra_kit.log_lines import CUT, JsonLines, begin, cut, is_request_id

SECRET = "alh_key_0123456789"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before, level = [*root.handlers], root.level
    yield io.StringIO()
    root.handlers[:] = before
    root.setLevel(level)


def test_a_line_has_the_id_of_its_request_and_the_fields_that_are_listed(stream: io.StringIO) -> None:
    begin("info", JsonLines(("method", "status"), lambda: "00ff00ff"), stream)
    log = logging.getLogger("lamp")
    log.info("lit %d", 3, extra={"method": "Light", "unlisted": "no"})
    log.debug("not logged")
    line = json.loads(stream.getvalue())
    assert line.pop("time").endswith("+00:00")
    assert line == {"level": "info", "logger": "lamp", "message": "lit 3", "request": "00ff00ff", "method": "Light"}


def test_secrets_are_cut_out_of_messages_fields_and_tracebacks(stream: io.StringIO) -> None:
    begin("info", JsonLines(("method",), str), stream)
    try:
        raise ValueError(SECRET)
    except ValueError:
        logging.getLogger("lamp").exception("key %s", SECRET, extra={"method": SECRET})
    line = json.loads(stream.getvalue())
    assert SECRET not in stream.getvalue()
    assert (line["message"], line["method"], CUT in line["error"]) == (f"key {CUT}", CUT, True)


@pytest.mark.parametrize("text", [SECRET, "Bearer x", "redis://user:word@host", "A" * 40])
def test_what_looks_like_a_secret_is_cut(text: str) -> None:
    assert CUT in cut(text)


def test_an_id_of_a_client_is_hexadecimal() -> None:
    assert is_request_id("0123-abcd-ef")
    assert not any(map(is_request_id, ("", "short", "X" * 10, "0" * 37)))
