"""When a request is complete: never before gunicorn has all of its bytes, and what is odd is handed over at once."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alhambra_gateway import limits
from alhambra_gateway.connections.request_scanner import RequestScanner, Verdict
from alhambra_gateway.refusals.problem import Problem

MOST = 1_000
GET = b"GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /a HTTP/1.1\r\nHost: localhost\r\n"
LENGTH = POST + b"Content-Length: 5\r\n\r\nhello"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;a=b\r\nlo\r\n0\r\n\r\n"
TRAILERS = POST + b"transfer-encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n"


def scan(data: bytes) -> Verdict:
    return RequestScanner(MOST).scan(bytearray(data))


def in_parts(parts: list[bytes]) -> list[Verdict]:
    scanner, data, found = RequestScanner(MOST), bytearray(), []
    for part in parts:
        data += part
        found.append(scanner.scan(data))
    return found


@pytest.mark.parametrize("request_", [GET, LENGTH, CHUNKED, TRAILERS, b"\r\n" + GET])
def test_a_request_is_complete_with_its_last_byte_and_not_before(request_: bytes) -> None:
    verdicts = in_parts([request_[i : i + 1] for i in range(len(request_))])
    assert verdicts[:-1] == [Verdict.WAIT] * (len(request_) - 1)
    assert verdicts[-1] is Verdict.COMPLETE


@settings(deadline=None)
@given(st.sampled_from([GET, LENGTH, CHUNKED, TRAILERS]), st.lists(st.integers(0, 200), max_size=6))
def test_in_which_parts_a_request_comes_in_changes_nothing(request_: bytes, cuts: list[int]) -> None:
    places = [0, *sorted(min(cut, len(request_)) for cut in cuts), len(request_)]
    verdicts = in_parts([request_[a:b] for a, b in pairwise(places)])
    whole = [index for index, place in enumerate(places[1:]) if place == len(request_)]
    assert [index for index, verdict in enumerate(verdicts) if verdict is Verdict.COMPLETE] == whole


@pytest.mark.parametrize("behind", [b"GET", GET, b"\x00\xff", b"5\r\n"])
@pytest.mark.parametrize("request_", [GET, LENGTH, CHUNKED, TRAILERS])
def test_what_follows_a_request_is_not_looked_at(request_: bytes, behind: bytes) -> None:
    assert scan(request_ + behind) is Verdict.COMPLETE


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Length: 5\r\nContent-Length: 5",
        b"Content-Length: 5\r\nTransfer-Encoding: chunked",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        b"Transfer-Encoding: gzip, chunked",
        b"Transfer-Encoding: identity",
        b"Content-Length: +5",
        b"Content-Length: 5, 5",
        b"Content-Length: 0x5",
        b"Content-Length: -1",
        b"Content-Length:",
        b"Content-Length: 99999999999999999999",
        b"Expect: a-miracle",
    ],
)
def test_a_body_whose_end_is_doubtful_is_handed_over_at_once(headers: bytes) -> None:
    assert scan(POST + headers + b"\r\n\r\n") is Verdict.CUT


def test_a_body_that_is_too_large_is_not_waited_for() -> None:
    assert scan(POST + b"Content-Length: 1001\r\n\r\n") is Verdict.CUT
    assert scan(POST + b"Content-Length: 1000\r\n\r\n") is Verdict.WAIT


@pytest.mark.parametrize(
    "body", [b"x\r\n", b"-1\r\n", b"\r\n", b"5\r\nhello!!", b"0x5\r\n", b"1 2\r\n", b"1" * limits.CHUNK_LINE_BYTES]
)
def test_chunks_that_are_none_are_handed_over_at_once(body: bytes) -> None:
    assert scan(POST + b"Transfer-Encoding: chunked\r\n\r\n" + body) is Verdict.CUT


@pytest.mark.parametrize("head", [b"GET / HTTP/1.1\nHost: a\n", b"GET / HTTP/1.1\r\nHost: a\n", b"\n"])
def test_lines_without_a_carriage_return_are_handed_over_at_once(head: bytes) -> None:
    assert in_parts([head[i : i + 1] for i in range(len(head))])[-1] is Verdict.CUT


def test_a_first_line_that_is_too_long_is_not_waited_for() -> None:
    assert scan(b"GET /" + b"a" * (limits.REQUEST_LINE_BYTES + 4)) is Verdict.CUT


@pytest.mark.parametrize("end", [b"", b"\r\n\r\n"])
def test_a_head_that_is_too_long_is_refused(end: bytes) -> None:
    many = b"".join(b"X-%d: %s\r\n" % (number, b"a" * 4_000) for number in range(1 + limits.HEAD_BYTES // 4_000))
    with pytest.raises(Problem) as refused:
        scan(POST + many + end)
    assert refused.value.reason == "LIMIT_EXCEEDED"


def test_chunks_that_are_too_much_together_are_refused() -> None:
    with pytest.raises(Problem) as refused:
        scan(POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1f4\r\n" + b" " * 500 + b"\r\n" + b"1f5\r\n")
    assert refused.value.reason == "BODY_TOO_LARGE"


def test_too_many_chunks_are_refused() -> None:
    scanner = RequestScanner(limits.BODY_BYTES)
    with pytest.raises(Problem) as refused:
        scanner.scan(bytearray(POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * (limits.CHUNKS + 1)))
    assert refused.value.reason == "LIMIT_EXCEEDED"


@pytest.mark.parametrize(("version", "waits"), [(b"1.1", True), (b"1.0", False)])
def test_a_client_that_waits_for_a_sign_is_known(version: bytes, waits: bool) -> None:
    scanner = RequestScanner(MOST)
    head = b"POST /a HTTP/" + version + b"\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 5\r\n\r\n"
    assert scanner.scan(bytearray(head)) is Verdict.WAIT
    assert scanner.continues == waits


def test_the_addresses_that_a_proxy_tells_are_read_from_the_head_alone() -> None:
    scanner = RequestScanner(MOST)
    data = bytearray(POST + b"X-Forwarded-For: 192.0.2.1\r\nx-forwarded-for: 192.0.2.2\r\nContent-Length: 40\r\n\r\n")
    data += b"\r\nX-Forwarded-For: 192.0.2.3\r\n"
    assert scanner.scan(data) is Verdict.WAIT
    assert [hop.strip() for hop in scanner.forwarded(data).split(",")] == ["192.0.2.1", "192.0.2.2"]
