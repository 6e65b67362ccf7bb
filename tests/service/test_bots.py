"""Seats that bots play: given out one decision at a time, never without a process for bots, never lost with one."""

from base64 import b64decode
from collections.abc import Callable
from random import Random

import grpc
import pytest

from alhambra import BadState, Options
from alhambra import Game as Rules
from alhambra.players import STRENGTHS
from alhambra_api.v1 import games_pb2, views_pb2
from alhambra_cli.bots import Bots, BotSettings
from alhambra_runtime.signals import Signals
from alhambra_service import limits
from alhambra_service.auth.access import Access
from alhambra_service.games.automatic.bots import BOTS, imagined
from alhambra_service.store import EmbeddedStore
from alhambra_service.store.keys import DEFAULT_TENANT, bots_alive_key, bots_key

from .playing import MOVES_OF_A_GAME, PATIENCE, Host, failure, random_move, refused
from .serving import GameServer
from .small import key_file
from .store.servers import await_true

BOT = {"server_player": "search_easy"}
DUE, ALIVE = bots_key(DEFAULT_TENANT), bots_alive_key(DEFAULT_TENANT)


def bearer(secret: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {secret}"),)


def lease(host: Host, *players: str) -> games_pb2.BotDecision | None:
    request = games_pb2.LeaseBotDecisionRequest(players=players or BOTS)
    answer = host.stub.LeaseBotDecision(request, timeout=PATIENCE)
    return answer.decision if answer.HasField("decision") else None


def forget_bots(server: GameServer) -> GameServer:
    """Tests share a store: no process for bots was ever there, and no game waits for one."""
    for key in (DUE, ALIVE):
        server.store.client.write(key, "DEL", key)
    return server


@pytest.fixture
def server(start_server: Callable[..., GameServer]) -> GameServer:
    return forget_bots(start_server())


@pytest.fixture
def host(server: GameServer, connect: Callable[[str], Host]) -> Host:
    return connect(server.address)


@pytest.fixture
def quick_bots(host: Host) -> Bots:
    """A process for bots that judges moves and does not search."""
    channel = grpc.insecure_channel(host.address)
    bots = Bots(BotSettings(service=host.address, easy_seconds=0.0), channel, Signals())
    assert not bots.play_one()
    return bots


def test_a_seat_for_a_bot_is_refused_if_no_process_for_bots_is_alive(host: Host) -> None:
    found = failure(lambda: host.create([{"claim": True}, BOT]))
    assert found.reason == "NOT_SUPPORTED"
    assert "alhambra bots" in found.message
    assert lease(host) is None
    assert host.create([{"claim": True}, BOT]).created.view.seats[1].server_player == "search_easy"


def test_bots_and_a_person_play_a_game_to_its_end(host: Host, quick_bots: Bots) -> None:
    game = host.create([{"claim": True}, BOT])
    rng, view = Random(8), game.view()
    for _ in range(MOVES_OF_A_GAME):
        if view.status == views_pb2.GAME_STATUS_OVER:
            break
        if view.decision.seat == 0:
            move, version = random_move(game.seats[0], view.version, rng)
            view = game.seats[0].apply(move, version).view
        else:
            # A decision that the store's clock places a moment ahead is given out a moment later.
            await_true(quick_bots.play_one, "a decision is given out")
            view = game.view(view.version + 1)
    assert view.status == views_pb2.GAME_STATUS_OVER
    assert view.seats[1].score > view.seats[0].score
    assert not quick_bots.play_one()


def test_the_token_of_a_bot_is_given_to_nobody_else(host: Host, quick_bots: Bots) -> None:
    game = host.create([BOT, {"claim": True}])
    assert set(game.keys) == {1}
    claim = games_pb2.ClaimSeatRequest(game=game.id, seat=0)
    assert refused(lambda: host.stub.ClaimSeat(claim, timeout=PATIENCE)) == "TOKEN_INVALID"


def test_a_decision_is_one_bots_own_until_its_lease_is_over(
    start_server: Callable[..., GameServer], connect: Callable[[str], Host]
) -> None:
    now = [1_000_000.0]
    host = connect(forget_bots(start_server(clock=lambda: now[0])).address)
    lease(host)
    game = host.create([BOT, BOT])
    first = lease(host)
    assert first is not None
    assert (first.game, first.player, first.lease_seconds) == (game.id, "search_easy", limits.BOT_LEASE_SECONDS)
    assert lease(host) is None
    now[0] += limits.BOT_LEASE_SECONDS + 1
    again = lease(host)
    assert again is not None
    assert (again.game, again.seat, again.version) == (first.game, first.seat, first.version)


def test_a_decision_is_given_only_to_who_plays_such_a_player(host: Host, quick_bots: Bots) -> None:
    host.create([BOT, BOT])
    assert lease(host, "search_hard") is None
    assert lease(host, "search_hard", "search_easy") is not None


def test_a_game_that_was_deleted_is_not_given_out(host: Host, quick_bots: Bots) -> None:
    game = host.create([BOT, BOT])
    host.stub.DeleteGame(games_pb2.DeleteGameRequest(game=game.id), timeout=PATIENCE)
    assert lease(host) is None


def test_a_game_that_no_bot_was_told_of_is_given_out_once_it_is_read(
    server: GameServer, host: Host, quick_bots: Bots
) -> None:
    game = host.create([BOT, BOT])
    server.store.client.write(DUE, "DEL", DUE)
    assert lease(host) is None
    game.view()
    found = lease(host)
    assert found is not None
    assert found.game == game.id


def test_the_twin_shows_a_bot_what_its_seat_sees_and_no_more() -> None:
    game, rng = Rules.new(Options(3, "secret seed", modules=["thieves"])), Random(1)
    for _ in range(40):
        game.play(game.random_move(rng))
    assert game.decision is not None
    seat = game.decision.seat
    sample = Rules.from_bytes(imagined(game, seat))
    assert {**sample.view(seat), "version": game.version} == game.view(seat)
    assert sample.decision == game.decision
    assert sample.options.seed != "secret seed"
    assert sample.log == []
    assert sample.state.tower != game.state.tower


def test_every_bot_is_a_strength_of_the_search() -> None:
    settings = BotSettings()
    assert tuple(STRENGTHS) == BOTS
    assert [settings.seconds(player) for player in BOTS] == sorted(settings.seconds(player) for player in BOTS)


def test_the_twin_of_a_decision_can_be_read(host: Host, quick_bots: Bots) -> None:
    host.create([BOT, BOT])
    found = lease(host)
    assert found is not None
    sample = Rules.from_bytes(b64decode(found.twin))
    assert sample.decision is not None
    assert sample.decision.seat == found.seat


def test_bots_leave_a_game_of_a_newer_version_to_others_and_go_on(
    host: Host, quick_bots: Bots, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = host.create([BOT, BOT])

    def newer(_: bytes) -> Rules:
        raise BadState("STATE_MALFORMED", "this was written by a newer version")

    monkeypatch.setattr(Rules, "from_bytes", newer)
    await_true(quick_bots.play_one, "a decision is given out")
    assert quick_bots.answered == 0
    assert f"Game {game.id} is left to another process" in caplog.text


def test_bots_need_a_scope_of_their_own_and_play_for_their_tenant_alone(
    embedded: EmbeddedStore, connect: Callable[[str], Host]
) -> None:
    with key_file() as keys:
        host_key, bots_key = keys.add("one", "games.create"), keys.add("two", "games.create", "bots")
        server = GameServer(embedded.url, access=Access(keys.ring(), calls_per_second=0.0))
        try:
            stub = connect(server.address).stub
            ask = games_pb2.LeaseBotDecisionRequest(players=BOTS)
            missing = failure(lambda: stub.LeaseBotDecision(ask, metadata=bearer(host_key)))
            assert (missing.reason, missing.info.metadata["scope"]) == ("SCOPE_MISSING", "bots")
            assert not stub.LeaseBotDecision(ask, metadata=bearer(bots_key)).HasField("decision")
            setup = games_pb2.CreateGameRequest(seats=[games_pb2.SeatSetup(server_player="search_easy")] * 2)
            assert refused(lambda: stub.CreateGame(setup, metadata=bearer(host_key))) == "NOT_SUPPORTED"
            game = stub.CreateGame(setup, metadata=bearer(bots_key)).game
            assert stub.LeaseBotDecision(ask, metadata=bearer(bots_key)).decision.game == game
        finally:
            server.stop()
