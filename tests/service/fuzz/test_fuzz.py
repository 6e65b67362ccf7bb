"""Ten examples of every RPC; `make fuzz` makes many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from alhambra_api.v1 import views_pb2
from alhambra_service.auth.access import Access
from alhambra_service.games.game_change import GameChange
from alhambra_service.games.game_commands import ChangeResult, GameCommands, PrepareChange
from alhambra_service.games.loaded_game import LoadedGame
from alhambra_service.notices.feed import NoticeFeed

from .fuzzer import EXAMPLES, SORTS, VALID, Report, calls_of, methods, run
from .valid import MAKERS
from .world import TENANTS, Server, serving

SEED = 1


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture(scope="module")
def report(server: Server) -> Report:
    found = Report()
    run(server, SEED, found)
    return found


def test_whatever_is_asked_is_answered_or_refused_with_a_reason_and_a_refusal_changes_nothing(report: Report) -> None:
    assert not report.failures, "\n".join(map(str, report.kinds().values()))


def test_every_method_was_called_with_requests_of_every_sort(report: Report) -> None:
    names = {method.name for method in methods()}
    assert set(MAKERS) == names
    assert report.calls == calls_of(EXAMPLES)
    assert {(name, sort) for name, sort, _ in report.answers} == {(name, sort) for name in names for sort in SORTS}


NEED_A_SENDER = {
    *("CreateWebhook", "GetWebhook", "UpdateWebhook", "RotateWebhookSecret", "TestWebhook"),
    *("ListDeliveries", "ReplayDeliveries"),
}
"""Calls about webhooks, which can be registered only while a sender runs; tests/service/webhooks has one."""


def test_valid_requests_are_answered(report: Report) -> None:
    answered = {name for name, sort, code in report.answers if sort == VALID and code == "OK"}
    assert answered == set(MAKERS) - NEED_A_SENDER, report.turned_away


def test_games_were_created_with_modules_variants_and_options(report: Report) -> None:
    with_any = {name for name in report.created if report.created[name]}
    assert len(with_any) > len(SORTS)
    assert report.reasons["MODULE_UNKNOWN"] + report.reasons["OPTION_INVALID"] + report.reasons["SEATS_INVALID"]


# -- A service with a defect is found out ------------------------------------------------------------------------------


def found_out(server: Server, *methods: str) -> str:
    found = Report()
    run(server, SEED, found, only=methods)
    return "\n".join(map(str, found.failures))


def test_a_defect_is_found_with_its_traceback(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise KeyError("nobody thought of this")

    monkeypatch.setattr("alhambra_service.games.lists.tenant_games.list_games", broken)
    told = found_out(server, "ListGames")
    assert "the call ended with INTERNAL" in told
    assert "nobody thought of this" in told
    assert f"--seed {SEED}" in told


def test_a_refusal_that_changes_something_is_found(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = GameCommands.change

    def committed_anyway(self: GameCommands, game: str, judge: PrepareChange, *more: Any, **named: Any) -> ChangeResult:
        try:
            return judged(self, game, judge, *more, **named)
        except Exception:
            self.save(game, GameChange.of_seats(self.store.load(game, fresh=True)))
            raise

    monkeypatch.setattr(GameCommands, "change", committed_anyway)
    assert "a refused call changed alh:" in found_out(server, "ApplyMove")


def test_a_notice_that_another_tenant_is_told_is_found(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    relay = NoticeFeed.relay
    monkeypatch.setattr(NoticeFeed, "relay", lambda feed, game, tenant: relay(feed, game, TENANTS[1]))
    told = found_out(server, "WatchNotices", "ApplyMove")
    assert "the call changed alh:feed:{blue}, which it is not about" in told


def test_a_secret_in_a_view_is_found(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def telling(loaded: LoadedGame) -> views_pb2.View:
        return views_pb2.View(ruleset=loaded.stored.secret.hex())

    monkeypatch.setattr("alhambra_service.messages.encoded_views.constant_to", telling)
    assert "the answer holds what keys the chain" in found_out(server, "GetGame")


def test_somebody_without_a_right_who_is_let_in_is_found(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Access, "seat", lambda self, caller, tokens: 0 if caller.bearer else None)
    told = found_out(server, "ListLegalMoves", "GetGame")
    assert "answered without the token of a seat" in told
    assert "the view is that of 0, the caller is " in told
