"""Ten examples of every RPC; `make fuzz` makes many."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .fuzzer import EXAMPLES, SORTS, VALID, Report, calls_of, methods, run
from .valid import MAKERS
from .world import serving

SEED = 1
NOT_YET = {"GetBoardPicture"}
"""The service refuses these whatever is asked."""


@pytest.fixture(scope="module")
def report() -> Iterator[Report]:
    found = Report()
    with serving() as server:
        run(server, SEED, found)
    yield found


def test_whatever_is_asked_is_answered_or_refused_with_a_reason_and_a_refusal_changes_nothing(report: Report) -> None:
    assert not report.failures, "\n".join(map(str, report.kinds().values()))


def test_every_method_was_called_with_requests_of_every_sort(report: Report) -> None:
    names = {method.name for method in methods()}
    assert set(MAKERS) == names
    assert report.calls == calls_of(EXAMPLES)
    assert {(name, sort) for name, sort, _ in report.answers} == {(name, sort) for name in names for sort in SORTS}


def test_valid_requests_are_answered(report: Report) -> None:
    answered = {name for name, sort, code in report.answers if sort == VALID and code == "OK"}
    assert answered == set(MAKERS) - NOT_YET, report.turned_away


def test_games_were_created_with_modules_variants_and_options(report: Report) -> None:
    with_any = {name for name in report.created if report.created[name]}
    assert len(with_any) > len(SORTS)
    assert report.reasons["MODULE_UNKNOWN"] + report.reasons["OPTION_INVALID"] + report.reasons["SEATS_INVALID"]
