"""What the processes of the product take from their machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from alhambra_runtime import machine

OPEN_A_CHANNEL = """
import grpc
server = grpc.server(None)
port = server.add_insecure_port("127.0.0.1:0")
with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
    pass
"""


def test_grpc_knows_the_experiments_that_are_turned_off() -> None:
    """gRPC only logs an error if it does not know one, and goes on with its default."""
    environment = {**os.environ, **machine.THREADS_THAT_POLL}
    command = [sys.executable, "-c", OPEN_A_CHANNEL]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_operator_can_choose_other_experiments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRPC_EXPERIMENTS", "")
    machine.prepare_grpc()
    assert os.environ["GRPC_EXPERIMENTS"] == ""
    assert machine.server_environment()["GRPC_EXPERIMENTS"] == ""


def test_a_server_gets_the_experiments_without_further_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRPC_EXPERIMENTS", raising=False)
    assert machine.server_environment()["GRPC_EXPERIMENTS"] == machine.THREADS_THAT_POLL["GRPC_EXPERIMENTS"]
    machine.prepare_grpc()
    assert os.environ["GRPC_EXPERIMENTS"] == machine.THREADS_THAT_POLL["GRPC_EXPERIMENTS"]


@pytest.mark.parametrize(
    ("said", "processes"),
    [("max 100000", 4), ("400000 100000", 4), ("150000 100000", 2), ("20000 100000", 1), ("900000 100000", 4), ("", 4)],
)
def test_a_server_has_as_many_processes_as_its_machine_or_container_can_run(
    said: str, processes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "cores", lambda: [0, 1, 2, 3])
    limit = tmp_path / "cpu.max"
    if said:
        limit.write_text(f"{said}\n", encoding="ascii")
    assert machine.usual_processes(limit) == processes
