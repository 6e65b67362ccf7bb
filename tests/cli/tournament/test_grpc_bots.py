"""Bots over gRPC in a tournament: the examples play unchanged, and see what their seat may see."""

from __future__ import annotations

import time
from collections.abc import Iterator

import grpc
import pytest

from alhambra import Game, Options
from alhambra.players import Action
from alhambra_api.v1 import games_pb2, moves_pb2, service_pb2_grpc
from alhambra_cli.tournament import grpc_seat
from alhambra_cli.tournament.grpc_seat import Hosted, service
from alhambra_cli.tournament.play import Bench
from alhambra_cli.tournament.seat import TimeLeft
from alhambra_service.messages.translate import move_to

from ...service.store.servers import await_true
from .test_play import EXAMPLES, PYTHON, bench, game_of

__all__ = ["bench"]
ONE_GAME = f'bot=grpc:{PYTHON} "{EXAMPLES / "grpc_bot.py"}"'
LEASES = f'bot=lease:{PYTHON} "{EXAMPLES / "lease_bot.py"}" {{address}}'


@pytest.mark.parametrize("bot", [ONE_GAME, LEASES], ids=["one game", "leases"])
def test_the_examples_play_to_the_end(bench: Bench, bot: str) -> None:
    game = game_of(bench, bot, "random")
    assert game.faults == ()
    assert game.places == (1, 2)
    assert game.differences() == []


@pytest.mark.parametrize("kind", ["grpc", "lease"])
def test_a_program_that_ends_loses_with_what_it_wrote(bench: Bench, kind: str) -> None:
    words = "-c \"import sys; print('no luck today', file=sys.stderr); sys.exit(4)\""
    game = game_of(bench, f"bot={kind}:{PYTHON} {words}", "random")
    (fault,) = game.faults
    assert fault.reason == "crash"
    assert "code 4" in fault.detail and "no luck today" in fault.detail


def test_a_program_that_never_calls_loses_by_its_time(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grpc_seat, "START_SECONDS", 0.5)
    words = '-c "import sys; sys.stdin.read(); import time; time.sleep(600)"'
    game = game_of(bench, f"bot=grpc:{PYTHON} {words}", "random")
    assert [fault.reason for fault in game.faults] == ["timeout"]


def test_the_start_of_a_program_takes_no_time_of_its_first_decision(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    answer = grpc_seat.GrpcBot.answer

    def noted(bot: grpc_seat.GrpcBot, game: Game, left: TimeLeft) -> Action:
        asked.append(bot._hosted.claimed)
        return answer(bot, game, left)

    monkeypatch.setattr(grpc_seat.GrpcBot, "answer", noted)
    game_of(bench, ONE_GAME, "random")
    assert asked and all(asked)


class Seat:
    """A seat of a game that the arena serves, and a client for it."""

    def __init__(self, channel: grpc.Channel) -> None:
        self.game = Game.new(Options(2, "a secret seed"))
        assert self.game.decision is not None
        self.hosted = Hosted(self.game, self.game.decision.seat)
        self.calls = service_pb2_grpc.GameServiceStub(channel)
        self.token = (("authorization", f"Bearer {self.hosted.token}"),)

    def apply(self, verb: str, version: int = 0) -> grpc.StatusCode:
        """The status of a move."""
        request = moves_pb2.ApplyMoveRequest(game=self.hosted.id, version=version)
        request.move.verb = verb
        with pytest.raises(grpc.RpcError) as failed:
            self.calls.ApplyMove(request, metadata=self.token, timeout=60)
        code: grpc.StatusCode = failed.value.code()
        return code


@pytest.fixture
def seat() -> Iterator[Seat]:
    offered, address, _ = service()
    with grpc.insecure_channel(address) as channel:
        found = Seat(channel)
        offered.add(found.hosted)
        yield found
        offered.remove(found.hosted)


def test_a_seat_is_claimed_by_its_invitation_and_shows_neither_seed_nor_other_hands(seat: Seat) -> None:
    request = games_pb2.ClaimSeatRequest(game=seat.hosted.id, invitation=seat.hosted.invitation)
    claimed = seat.calls.ClaimSeat(request, timeout=60)
    assert (claimed.seat, claimed.token) == (seat.hosted.seat, seat.hosted.token)
    assert "a secret seed" not in str(claimed)
    hands = [list(shown.hand) for shown in claimed.view.seats]
    assert hands[seat.hosted.seat] == list(seat.game.state.seats[seat.hosted.seat].hand)
    assert hands[1 - seat.hosted.seat] == []


def test_a_stranger_can_neither_claim_nor_see_the_seat(seat: Seat) -> None:
    with pytest.raises(grpc.RpcError) as claimed:
        seat.calls.ClaimSeat(games_pb2.ClaimSeatRequest(game=seat.hosted.id, invitation="guess"), timeout=60)
    with pytest.raises(grpc.RpcError) as seen:
        seat.calls.GetGame(games_pb2.GetGameRequest(game=seat.hosted.id), timeout=60)
    assert {claimed.value.code(), seen.value.code()} == {grpc.StatusCode.UNAUTHENTICATED}


def test_a_move_for_another_version_or_another_seats_decision_is_stale(seat: Seat) -> None:
    seat.hosted.ask()
    assert seat.apply("pass", version=7) == grpc.StatusCode.ABORTED
    seat.hosted.publish(seat.game)
    seat.hosted.seat = 1 - seat.hosted.seat
    assert seat.apply("pass") == grpc.StatusCode.ABORTED


def test_a_move_that_comes_before_the_seat_is_asked_waits_until_it_is(seat: Seat) -> None:
    move = seat.game.legal_moves()[0]
    request = moves_pb2.ApplyMoveRequest(game=seat.hosted.id, move=move_to(move))
    early = seat.calls.ApplyMove.future(request, metadata=seat.token, timeout=60)
    time.sleep(0.1)
    assert seat.hosted.answer is None and not early.done()
    seat.hosted.publish(seat.game)  # the same state, as when the last seat has been opened
    seat.hosted.ask()
    await_true(lambda: seat.hosted.answer == move, "the answer is taken")
    seat.game.apply(move)
    seat.hosted.publish(seat.game)
    assert early.result().version == 1


def test_an_illegal_move_is_refused_and_handed_to_the_game(seat: Seat) -> None:
    seat.hosted.ask()
    assert seat.apply("pass") == grpc.StatusCode.FAILED_PRECONDITION
    assert seat.hosted.answer is not None, "the game judges it, too, and the bot loses"


def test_the_moves_are_those_of_the_rules(seat: Seat) -> None:
    request = moves_pb2.ListLegalMovesRequest(game=seat.hosted.id)
    listed = seat.calls.ListLegalMoves(request, metadata=seat.token, timeout=60)
    assert {legal.move.verb for legal in listed.moves} == {move.verb for move in seat.game.legal_moves()}
