"""Every failure has a reason of the contract and its status, and says nothing that it must not say."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from alhambra import BadOptions, BadState, IllegalMove, Violation
from alhambra.violations import CODES as RULES_CODES
from alhambra_api.v1 import events_pb2, games_pb2, nouns_pb2, reasons_pb2, service_pb2_grpc
from alhambra_runtime.log_lines import JsonLines
from alhambra_service import limits
from alhambra_service.current_call import request_id
from alhambra_service.logs import FIELDS
from alhambra_service.messages.refusals import CODES, Refusal, as_text, from_error, status_of
from alhambra_service.rpc.call_log import CallLog
from alhambra_service.rpc.failed_calls import FailedCalls
from alhambra_service.store import errors

from .playing import Failure, Host, failure, refused

SECRET = "alh_seat_very-secret"


def test_every_reason_of_the_contract_has_a_status() -> None:
    assert len(CODES) == len(reasons_pb2.Reason.keys()) - 1
    assert set(RULES_CODES) <= set(CODES)
    assert Refusal("VERSION_STALE", "").code == grpc.StatusCode.ABORTED
    assert Refusal("TOKEN_INVALID", "").code == grpc.StatusCode.UNAUTHENTICATED
    assert Refusal("NOUN_MISSING", "").code == grpc.StatusCode.INVALID_ARGUMENT
    assert Refusal("UNDERPAID", "").code == grpc.StatusCode.FAILED_PRECONDITION


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (errors.StoreUnavailable("secret place"), "STORE_UNAVAILABLE"),
        (errors.StoreUnavailable("secret place", errors.Trouble.SLOW), "STORE_SLOW"),
        (errors.StoreUnavailable("secret place", errors.Trouble.FULL), "STORE_FULL"),
        (errors.StoreUnavailable("secret place", errors.Trouble.READ_ONLY), "STORE_READ_ONLY"),
        (errors.StoreUnavailable("secret place", errors.Trouble.REPLICAS_MISSING), "STORE_REPLICAS_MISSING"),
        (errors.QuotaExceeded("running_games", 5, 5), "QUOTA_EXCEEDED"),
        (errors.QuotaExceeded("stored_bytes", 5, 7), "QUOTA_EXCEEDED"),
        (errors.TooEarly(17), "VERSION_STALE"),
        (errors.OutcomeUnknown("secret place"), "OUTCOME_UNKNOWN"),
        (errors.GameNotFound("secret place"), "GAME_NOT_FOUND"),
        (errors.GameExists("secret place"), "REQUEST_ID_REUSED"),
        (errors.Stale(3, 17), "VERSION_STALE"),
        (errors.VersionAhead(17), "VERSION_STALE"),
        (errors.RequestReused("secret place"), "REQUEST_ID_REUSED"),
        (errors.WentBack(17), "VERSION_STALE"),
        (errors.NewerGame("secret place", written_by="2:x", known="1:x"), "ENGINE_TOO_OLD"),
        (errors.RulesChanged("secret place", written_by="2:x", known="1:x"), "RULES_CHANGED"),
        (errors.DamagedGame("secret place"), "STATE_MALFORMED"),
        (errors.StoreMisconfigured("secret place"), "STORE_UNAVAILABLE"),
        (BadOptions("MODULE_UNKNOWN", "no module", module="x"), "MODULE_UNKNOWN"),
        (BadState("REPLAY_FAILED", "entry 3"), "REPLAY_FAILED"),
        (IllegalMove([Violation("UNDERPAID", due=9, paid=7)]), "UNDERPAID"),
    ],
)
def test_errors_of_rules_and_store_become_reasons(error: Exception, reason: str) -> None:
    refusal = from_error(error)
    assert refusal.reason == reason
    assert "secret place" not in str(status_of(refusal))
    if isinstance(error, errors.WrittenElsewhere):
        assert refusal.metadata == {"written_by": "2:x", "known": "1:x"}
        assert refusal.message.endswith("Written by: 2:x. Known here: 1:x.")
    if isinstance(error, errors.Stale | errors.VersionAhead):
        assert refusal.metadata["version"] == "17"


def test_every_error_of_the_store_has_a_reason() -> None:
    arguments: dict[type, tuple[Any, ...]] = {
        errors.Stale: (1, 1),
        errors.VersionAhead: (1,),
        errors.TooEarly: (1,),
        errors.QuotaExceeded: ("stored_bytes", 1, 1),
    }
    for kind in errors.StoreError.__subclasses__():
        assert from_error(kind(*arguments.get(kind, ("x",)))).reason in CODES


def test_an_error_of_anybody_else_is_none_of_ours() -> None:
    with pytest.raises(TypeError):
        from_error(KeyError(SECRET))


def test_facts_are_short_texts() -> None:
    assert as_text(True) == "true"
    assert as_text(["a", 1, (2, -3)]) == "a, 1, 2, -3"
    assert len(as_text("x" * 10_000)) == limits.FACT_CHARS


def test_a_status_fits_into_trailers_however_much_is_wrong() -> None:
    cells = [[x, y] for x in range(100) for y in range(100)]
    violations = [Violation("HOLE", "cell", cells=cells), *[Violation("NOUN_UNEXPECTED", "x" * 60)] * 500]
    status = status_of(from_error(IllegalMove(violations)))
    assert status.ByteSize() <= limits.STATUS_BYTES


def test_a_refused_move_names_every_violation_in_the_callers_language(host: Host) -> None:
    game = host.create(2)
    seat = game.seats[game.view().decision.seat]
    version = seat.view().version
    move = nouns_pb2.Move(verb="buy", slot="market-denar", cards=["denar-1", "gulden-1"] * 4)
    found = failure(lambda: seat.apply(move, version))
    assert found.code == grpc.StatusCode.FAILED_PRECONDITION
    codes = [violation.code for violation in found.refusal.violations]
    assert found.reason == codes[0]
    assert len(codes) > 1
    assert found.refusal.version == version
    seat.metadata = (*seat.metadata, ("accept-language", "de"))  # type: ignore[assignment]
    german = failure(lambda: seat.apply(move, version))
    assert german.reason == found.reason
    assert german.refusal.violations[0].text != found.refusal.violations[0].text


def test_what_cannot_be_read_is_the_callers_fault(host: Host) -> None:
    game = host.create(2)
    seat = game.seats[game.view().decision.seat]
    unreadable = failure(lambda: seat.apply(nouns_pb2.Move(), 0))
    assert (unreadable.code, unreadable.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "NOUN_MISSING")
    assert refused(lambda: seat.apply(nouns_pb2.Move(verb="fly"), 0)) == "VERB_UNKNOWN"
    for call in (
        lambda: host.stub.GetGame(games_pb2.GetGameRequest(game="Not A Game")),
        lambda: host.stub.GetGame(games_pb2.GetGameRequest(game=game.id, min_version=-1)),
        lambda: seat.apply(nouns_pb2.Move(verb="pass"), -1),
        lambda: seat.apply(nouns_pb2.Move(verb="pass"), 0, request_id="\n"),
        lambda: seat.apply(nouns_pb2.Move(verb="pass"), 0, request_id="x" * 65),
        lambda: seat.undo(0, consent=True),
        lambda: host.create([{"server_player": "genius"}, {}]),
        lambda: host.create([{"server_player": "random", "claim": True}, {}]),
        lambda: host.create([{"claim": True, "entropy": "xyz"}, {}]),
        lambda: host.create(2, turn_seconds=-1),
        lambda: game.claim(0),
    ):
        assert refused(call) == "REQUEST_MALFORMED"
    assert refused(lambda: host.create(1)) == "PLAYERS_UNSUPPORTED"
    assert refused(lambda: host.create(2, modules=["camels"])) == "MODULE_UNKNOWN"
    assert refused(lambda: host.create(2, options={"undo": "maybe"})) == "OPTION_INVALID"
    assert refused(lambda: host.game("a" * 12, {0: "x"}).view()) == "GAME_NOT_FOUND"


def test_a_version_that_does_not_exist_is_refused_with_the_current_one(host: Host) -> None:
    game = host.create(2)
    found = failure(lambda: game.view(min_version=7))
    assert (found.code, found.reason) == (grpc.StatusCode.ABORTED, "VERSION_STALE")
    assert found.info.metadata["version"] == "0"


# -- Defects -----------------------------------------------------------------------------------------------------------


class Broken(service_pb2_grpc.GameServiceServicer):
    """A servicer with defects."""

    def GetGame(self, request: Any, context: Any) -> Any:  # noqa: N802
        raise KeyError(SECRET)

    def DeleteGame(self, request: Any, context: Any) -> Any:  # noqa: N802
        context.abort(grpc.StatusCode.CANCELLED, "by itself")

    def WatchEvents(self, request: Any, context: Any) -> Iterator[Any]:  # noqa: N802
        yield from self._refused()

    def _refused(self) -> Iterator[Any]:
        raise Refusal("WATCHERS_EXCEEDED", "Too many.", {"limit": 3})


@pytest.fixture
def broken() -> Iterator[tuple[Host, list[tuple[str, str]]]]:
    told: list[tuple[str, str]] = []
    server = grpc.server(ThreadPoolExecutor(2), interceptors=[FailedCalls(lambda *what: told.append(what))])
    service_pb2_grpc.add_GameServiceServicer_to_server(Broken(), server)  # type: ignore[abstract]
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    host = Host(f"127.0.0.1:{port}")
    yield host, told
    host.close()
    server.stop(0).wait()


def test_a_defect_tells_its_caller_an_id_and_nothing_else(
    broken: tuple[Host, list[tuple[str, str]]], caplog: pytest.LogCaptureFixture
) -> None:
    host, told = broken
    found = failure(lambda: host.stub.GetGame(games_pb2.GetGameRequest()))
    assert (found.code, found.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL_ERROR")
    assert SECRET not in found.message + str(found.info)
    assert found.info.metadata["request"] in caplog.text
    assert told == [("/alhambra_api.v1.GameService/GetGame", "INTERNAL_ERROR")]


def test_the_id_of_a_defect_is_that_of_its_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    server = grpc.server(ThreadPoolExecutor(2), interceptors=[CallLog(), FailedCalls()])
    service_pb2_grpc.add_GameServiceServicer_to_server(Broken(), server)  # type: ignore[abstract]
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    host = Host(f"127.0.0.1:{port}")
    try:
        given = failure(
            lambda: host.stub.GetGame(games_pb2.GetGameRequest(), metadata=(("x-request-id", "0123456789abcdef"),))
        )
        new_secret = failure(lambda: host.stub.GetGame(games_pb2.GetGameRequest()))
    finally:
        host.close()
        server.stop(0).wait()
    ids = [found.info.metadata["request"] for found in (given, new_secret)]
    assert ids[0] == "0123456789abcdef"
    lines = [record for record in caplog.records if record.name == "alhambra_service.rpc.failed_calls"]
    assert [getattr(record, "request", "") for record in lines] == ids
    assert [json.loads(JsonLines(FIELDS, request_id).format(record))["request"] for record in lines] == ids


def test_a_server_speaks_the_callers_language_where_no_rule_is_broken(host: Host) -> None:
    request = games_pb2.GetGameRequest(game="a" * 12)
    found = failure(lambda: host.stub.GetGame(request, metadata=(("accept-language", "de"),)))
    assert (found.reason, found.message) == ("GAME_NOT_FOUND", "Diese Partie gibt es nicht.")


def test_a_stream_is_refused_like_a_call(broken: tuple[Host, list[tuple[str, str]]]) -> None:
    host, _ = broken
    found = failure(lambda: list(host.stub.WatchEvents(events_pb2.WatchEventsRequest())))
    assert (found.code, found.info.metadata["limit"]) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "3")


def test_a_call_that_was_ended_is_left_alone(broken: tuple[Host, list[tuple[str, str]]]) -> None:
    host, told = broken
    with pytest.raises(grpc.RpcError) as raised:
        host.stub.DeleteGame(games_pb2.DeleteGameRequest())
    assert raised.value.code() == grpc.StatusCode.CANCELLED
    assert not told


def test_a_failure_can_be_read_by_a_client(host: Host) -> None:
    with pytest.raises(grpc.RpcError) as raised:
        host.game("b" * 12, {0: "x"}).view()
    assert Failure(raised.value).info.domain == "alhambra"
