"""Meters count and time calls many at a time; the metrics of several processes are added up."""

import os
import subprocess
import sys
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from alhambra_runtime.meters import FOLDER_VARIABLE, Meter, all_processes, forget_process, metrics_folder

LAMP = """
from prometheus_client import Counter, Gauge
Counter("lamps", "Lamps.").inc(2)
Gauge("lit", "Lit lamps.", multiprocess_mode="livesum").set(1)
"""


def test_noted_calls_are_counted_and_timed_when_they_are_flushed() -> None:
    registry = CollectorRegistry()
    calls, seconds = Counter("calls", "", registry=registry), Histogram("t", "", buckets=(1, 2), registry=registry)
    meter = Meter(calls, seconds, most=100)
    for amount in (0.5, 1.0, 1.5, 9.0):
        meter.note(amount)
    assert registry.get_sample_value("calls_total") == 0
    meter.flush()
    meter.flush()
    assert registry.get_sample_value("calls_total") == 4
    assert [registry.get_sample_value("t_bucket", {"le": le}) for le in ("1.0", "2.0", "+Inf")] == [2, 3, 4]
    assert registry.get_sample_value("t_sum") == 12


def test_a_meter_keeps_the_newest_notes() -> None:
    registry = CollectorRegistry()
    seconds = Histogram("t", "", registry=registry)
    meter = Meter(Counter("calls", "", registry=registry), seconds, most=2)
    for amount in (4.0, 2.0, 1.0):
        meter.note(amount)
    meter.flush()
    assert registry.get_sample_value("t_sum") == 3


def test_metrics_of_processes_are_added_up_and_gauges_of_dead_ones_forgotten() -> None:
    with metrics_folder("alh-test-") as folder:
        variables = {**os.environ, FOLDER_VARIABLE: folder}
        pids = []
        for _ in range(2):
            with subprocess.Popen([sys.executable, "-c", LAMP], env=variables) as process:
                pids.append(process.pid)
        assert b"lamps_total 4.0\n" in generate_latest(all_processes(folder))
        assert b"lit 2.0\n" in generate_latest(all_processes(folder))
        forget_process(pids[0], folder)
        assert b"lamps_total 4.0\n" in generate_latest(all_processes(folder))
        assert b"lit 1.0\n" in generate_latest(all_processes(folder))
    assert not Path(folder).exists()
