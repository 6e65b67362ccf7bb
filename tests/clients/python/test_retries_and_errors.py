"""What is sent again and when, and which class a refusal has. No server is needed."""

from collections import Counter
from collections.abc import Mapping
from email.utils import formatdate
from typing import Any

import httpx
import pytest

from alhambra_client import (
    AccessDenied,
    AlhambraError,
    Conflict,
    IllegalMove,
    InvalidRequest,
    InvalidSetup,
    Move,
    NotFound,
    NotReady,
    OutcomeUnknown,
    Refused,
    Retry,
    ServerFault,
    Stale,
    TooManyCalls,
    Unavailable,
    Unreachable,
)
from alhambra_client.calls import Call, call
from alhambra_client.contract import (
    REASONS,
    ApplyMoveRequest,
    DeleteGameRequest,
    GetGameRequest,
    ListComponentsRequest,
    ListLegalMovesRequest,
)
from alhambra_client.errors import refusal
from alhambra_client.retries import Attempts
from alhambra_client.transport import http_request, no_answer

READ: Call[Any] = call(GetGameRequest(game="g", min_version=3), "token")
CHANGE: Call[Any] = call(ApplyMoveRequest(game="g", move=Move(verb="pass"), version=3), "token")


class Clock:
    """A clock that stands until it is set."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def attempts(clock: Clock | None = None, **wanted: float) -> Attempts:
    return Attempts(Retry(**wanted), clock or Clock(), lambda low, high: high)


def busy(reason: str, status: int = 503, headers: Mapping[str, str] | None = None, about: Call[Any] = READ) -> Refused:
    error = refusal(status, headers or {}, f'{{"reason": "{reason}"}}'.encode())
    error.call = about
    return error


def lost(about: Call[Any]) -> AlhambraError:
    return no_answer(about, httpx.ReadTimeout(""))


# -- Retries -----------------------------------------------------------------------------------------------------------


def test_pauses_double_up_to_the_longest() -> None:
    trying = attempts(first_pause=1.0, longest_pause=5.0)
    assert [trying.pause_after(lost(READ)) for _ in range(5)] == [1, 2, 4, 5, 5]


def test_pauses_are_drawn_from_the_upper_half() -> None:
    pauses = {Attempts(Retry(first_pause=1.0)).pause_after(lost(READ)) for _ in range(200)}
    assert 0.5 <= min(pauses) < 0.6 and 0.9 < max(pauses) <= 1.0


def test_a_pause_is_never_shorter_than_the_server_asks() -> None:
    assert attempts().pause_after(busy("RATE_LIMITED", 429, {"retry-after": "7"})) == 7


def test_the_server_may_ask_with_a_date() -> None:
    error = busy("RATE_LIMITED", 429, {"retry-after": formatdate(4_000_000_000, usegmt=True)})
    assert error.retry_after > 1_000_000


def test_a_call_that_would_come_too_late_fails_at_once_and_says_when_to_come_back() -> None:
    with pytest.raises(TooManyCalls) as caught:
        attempts(seconds=30).pause_after(busy("RATE_LIMITED", 429, {"retry-after": "31"}))
    assert caught.value.retry_after == 31


def test_attempts_end_with_their_time() -> None:
    clock = Clock()
    trying = attempts(clock, seconds=10)
    trying.pause_after(lost(READ))
    clock.now += 10
    with pytest.raises(Unreachable):
        trying.pause_after(lost(READ))


@pytest.mark.parametrize("status", [400, 401, 404, 409, 422, 500, 501])
def test_other_refusals_are_final(status: int) -> None:
    with pytest.raises(Refused):
        attempts().pause_after(busy("", status))


def test_a_used_up_quota_is_final() -> None:
    with pytest.raises(TooManyCalls):
        attempts().pause_after(busy("QUOTA_EXCEEDED", 429))


def test_a_change_without_an_answer_has_an_unknown_outcome() -> None:
    with pytest.raises(OutcomeUnknown) as caught:
        attempts(seconds=0).pause_after(lost(CHANGE))
    assert caught.value.call is CHANGE


def test_a_change_that_never_left_has_changed_nothing() -> None:
    with pytest.raises(Unreachable):
        attempts(seconds=0).pause_after(no_answer(CHANGE, httpx.ConnectError("refused")))


@pytest.mark.parametrize("reason", ["OUTCOME_UNKNOWN", "DEADLINE_PASSED"])
def test_a_server_that_does_not_know_the_outcome_is_asked_again(reason: str) -> None:
    trying = attempts(seconds=1, first_pause=0.5)
    assert trying.pause_after(busy(reason, about=CHANGE)) == 0.5
    with pytest.raises(OutcomeUnknown):
        trying.pause_after(busy(reason, about=CHANGE, headers={"retry-after": "5"}))


def test_the_outcome_stays_unknown_if_later_attempts_are_turned_away() -> None:
    trying = attempts(seconds=5, first_pause=1)
    trying.pause_after(lost(CHANGE))
    with pytest.raises(OutcomeUnknown) as caught:
        trying.pause_after(busy("RATE_LIMITED", 429, {"retry-after": "60"}, about=CHANGE))
    assert caught.value.call is CHANGE


def test_a_later_refusal_that_is_final_tells_the_outcome() -> None:
    """The server repeats the first outcome of a request id, so the refusal is about the change itself."""
    trying = attempts()
    trying.pause_after(lost(CHANGE))
    with pytest.raises(Stale):
        trying.pause_after(busy("VERSION_STALE", 409, about=CHANGE))


def test_an_address_that_makes_no_sense_is_not_tried_again() -> None:
    with pytest.raises(httpx.UnsupportedProtocol):
        no_answer(READ, httpx.UnsupportedProtocol("no http://"))


# -- Calls -------------------------------------------------------------------------------------------------------------


def test_a_change_gets_a_request_id_and_keeps_its_own() -> None:
    one, other = (call(ApplyMoveRequest(game="g", move=Move(verb="pass"), version=3)) for _ in range(2))
    assert isinstance(one.request, ApplyMoveRequest) and isinstance(other.request, ApplyMoveRequest)
    assert one.request.request_id != other.request.request_id != ""
    named = call(ApplyMoveRequest(game="g", move=Move(verb="pass"), version=3, request_id="mine"))
    assert isinstance(named.request, ApplyMoveRequest) and named.request.request_id == "mine"
    assert (one.changes, call(DeleteGameRequest(game="g")).changes, READ.changes) == (True, True, False)


def test_the_parts_of_a_request_stand_where_the_contract_wants_them() -> None:
    assert http_request(READ) == {
        "method": "GET",
        "url": "/v1/games/g",
        "params": [("minVersion", "3")],
        "content": None,
        "headers": {"Accept": "application/json", "Authorization": "Bearer token"},
    }
    assert CHANGE.path == "/v1/games/g/moves"
    assert CHANGE.body is not None and b'"game"' not in CHANGE.body and b'"version": 3' in CHANGE.body
    assert call(ListComponentsRequest(modules=("a", "b"))).query == [("modules", "a"), ("modules", "b")]
    assert call(ListLegalMovesRequest(game="g", texts=True)).query == [("texts", "true")]


def test_a_token_is_not_shown() -> None:
    assert "token" not in repr(READ).replace("token=''", "")


# -- Errors ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "family"),
    [
        ("UNDERPAID", IllegalMove),
        ("VERB_UNKNOWN", IllegalMove),
        ("NOT_YOUR_DECISION", IllegalMove),
        ("HOLE", IllegalMove),
        ("UNDO_REFUSED", IllegalMove),
        ("MODULES_CLASH", InvalidSetup),
        ("REQUEST_MALFORMED", InvalidRequest),
        ("BOARD_INVALID", InvalidRequest),
        ("BODY_TOO_LARGE", InvalidRequest),
        ("TOKEN_INVALID", AccessDenied),
        ("SCOPE_MISSING", AccessDenied),
        ("GAME_NOT_FOUND", NotFound),
        ("VERSION_STALE", Stale),
        ("GAME_OVER", Stale),
        ("REQUEST_ID_REUSED", Conflict),
        ("GAME_WAITING", NotReady),
        ("ENTROPY_REFUSED", NotReady),
        ("RATE_LIMITED", TooManyCalls),
        ("WATCHERS_EXCEEDED", TooManyCalls),
        ("STORE_FULL", Unavailable),
        ("INTERNAL_ERROR", ServerFault),
        ("STATE_MALFORMED", ServerFault),
    ],
)
def test_a_refusal_has_the_class_of_its_family(reason: str, family: type[Refused]) -> None:
    assert type(refusal(REASONS[reason][1], {}, f'{{"reason": "{reason}"}}'.encode())) is family


def test_every_reason_has_a_class_of_its_own_family() -> None:
    kinds = Counter(
        type(refusal(status, {}, f'{{"reason": "{name}"}}'.encode())) for name, (_, status) in REASONS.items()
    )
    assert Refused not in kinds
    assert kinds.keys() == set(Refused.__subclasses__())


@pytest.mark.parametrize(
    ("status", "family"),
    [
        (400, InvalidRequest),
        (401, AccessDenied),
        (409, Conflict),
        (418, InvalidRequest),
        (422, IllegalMove),
        (429, TooManyCalls),
        (503, Unavailable),
        (599, ServerFault),
    ],
)
def test_a_reason_of_tomorrow_has_the_class_of_its_status(status: int, family: type[Refused]) -> None:
    error = refusal(status, {}, b'{"reason": "OF_TOMORROW", "detail": "New.", "metadata": {"a": "b"}}')
    assert (type(error), error.reason, error.detail, error.facts) == (family, "OF_TOMORROW", "New.", {"a": "b"})


def test_the_page_of_a_proxy_is_a_refusal_without_a_reason() -> None:
    error = refusal(502, {}, b"<html>Bad Gateway</html>")
    assert (type(error), error.reason, error.detail) == (Unavailable, "", "<html>Bad Gateway</html>")
    assert type(refusal(503, {}, b"[1]")) is Unavailable


def test_violations_are_typed() -> None:
    body = b'{"reason": "UNDERPAID", "violations": [{"code": "UNDERPAID", "noun": "cards", "metadata": {"due": 9}}]}'
    (violation,) = refusal(422, {}, body).violations
    assert (violation.code, violation.noun, violation.metadata) == ("UNDERPAID", "cards", {"due": 9})
