"""Operators see in Prometheus what came of deliveries."""

from __future__ import annotations

import subprocess
import sys
from urllib.request import urlopen

import pytest
from prometheus_client import REGISTRY

from alhambra_api.v1 import webhooks_pb2
from alhambra_service import limits
from alhambra_service.store import EmbeddedStore

from ..store.servers import free_port
from .conftest import PATIENCE, Platform, Running
from .receiver import accept, receiving, status, until

STARTED = webhooks_pb2.NOTICE_KIND_GAME_STARTED


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def attempts(outcome: str) -> float:
    return value("alhambra_delivery_attempts_total", outcome=outcome)


def test_attempts_are_counted_by_what_came_of_them(
    platform: Platform, sender: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WEBHOOK_RETRY_SECONDS", (0,) * 1000)
    before = {outcome: attempts(outcome) for outcome in ("delivered", "pending", "parked")}
    timed = value("alhambra_delivery_seconds_count")
    with receiving(status(500)) as receiver:
        platform.register(receiver.address, kinds=[STARTED])
        platform.create()
        until(lambda: attempts("pending") > before["pending"])
        receiver.answer = accept
        until(lambda: attempts("delivered") > before["delivered"])
        made = len(receiver.received)
    assert {outcome: attempts(outcome) - count for outcome, count in before.items()} == {
        "delivered": 1,
        "pending": made - 1,
        "parked": 0,
    }
    assert value("alhambra_delivery_seconds_count") - timed == made


def test_what_was_given_up_is_counted(platform: Platform, sender: Running) -> None:
    before = attempts("parked")
    with receiving(status(500)) as receiver:
        platform.register(receiver.address, kinds=[STARTED])
        platform.create()
        until(lambda: value("alhambra_deliveries_parked") == 1)
    assert attempts("parked") - before == 1
    until(lambda: value("alhambra_deliveries_waiting") == 0)


def test_a_sender_serves_its_metrics(embedded: EmbeddedStore) -> None:
    address = f"127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "alhambra_cli", "webhooks", "serve", "--store", embedded.url]
    with subprocess.Popen([*command, "--webhook-metrics", address], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            with urlopen(f"http://{address}/metrics", timeout=PATIENCE) as answer:
                assert b"alhambra_deliveries_waiting" in answer.read()
            taken = subprocess.run(
                [*command, "--webhook-metrics", address], capture_output=True, text=True, timeout=PATIENCE, check=False
            )
            assert (taken.returncode, address in taken.stderr) == (2, True)
        finally:
            process.terminate()


def test_an_address_of_metrics_that_cannot_be_read_is_refused(embedded: EmbeddedStore) -> None:
    command = [sys.executable, "-m", "alhambra_cli", "webhooks", "serve", "--store", embedded.url]
    done = subprocess.run(
        [*command, "--webhook-metrics", "everywhere"], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, "--webhook-metrics must be" in done.stderr) == (2, True)
