"""`alhambra serve` with the bounds that an operator gives it, as processes and on real stores."""

import subprocess

import grpc
import pytest

from alhambra_api.v1 import games_pb2, service_pb2_grpc
from alhambra_service.store.connection.connect import connect
from alhambra_service.store.keys import state_key

from .commands import command, served
from .playing import Failure
from .store.servers import RealServer, await_true

PATIENCE = 60.0
ONE = ("--listen", "127.0.0.1:0", "--workers", "1")
TWO_SEATS = games_pb2.CreateGameRequest(seats=[games_pb2.SeatSetup(claim=True)] * 2)
DAY = 24 * 3600


def create(address: str) -> str:
    with grpc.insecure_channel(address) as channel:
        answer = service_pb2_grpc.GameServiceStub(channel).CreateGame(TWO_SEATS, timeout=PATIENCE)
        return str(answer.game)


def healthy(address: str) -> bool:
    asked = subprocess.run(command("healthcheck", "--address", address), capture_output=True, check=False)
    assert asked.returncode in (0, 1), asked.stderr
    return asked.returncode == 0


def test_a_service_on_a_full_store_is_not_healthy_and_its_log_says_why_once() -> None:
    store = RealServer()
    try:
        with served(*ONE, "--store", store.url) as service:
            assert "has no memory limit" in service.log
            create(service.address)
            store.ask("CONFIG", "SET", "maxmemory", 1)
            await_true(lambda: not healthy(service.address), "the health turns red", PATIENCE)
            for _ in range(3):
                with pytest.raises(grpc.RpcError) as refusal:
                    create(service.address)
                assert Failure(refusal.value).reason == "STORE_FULL"
            told = [line for line in service.log.splitlines() if "Not serving games" in line]
            assert len(told) == 1
            assert "is full: raise its maxmemory, or remove games." in told[0]
            assert "command not allowed when used memory" in told[0]
            store.ask("CONFIG", "SET", "maxmemory", "100mb")
            await_true(lambda: healthy(service.address), "the health turns green", PATIENCE)
            create(service.address)
    finally:
        store.stop()


def test_memory_and_retention_are_what_the_operator_says() -> None:
    words = ("--store", "embedded:games", "--store-memory", "77", "--forget-abandoned-days", "5")
    with served(*ONE, *words) as service:
        game = create(service.address)
        client = connect(f"unix://{service.folder / 'games' / 'store.sock'}")
        try:
            server = client.servers()[0]
            assert int(server.info("memory")["maxmemory"]) == 77 << 20
            left = server.ask("TTL", state_key(game))
            assert 5 * DAY - PATIENCE < left <= 5 * DAY
        finally:
            client.close()
        assert "no memory limit" not in service.log
