"""Starts the whole product for a load test on free ports with its own store, and ends all its processes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from . import limits
from .trace.records import FOLDER_VARIABLE

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "alhambra*/__init__.py"
"""What the folders of a checkout that hold packages of the product contain; earlier versions have other folders."""
GRPC = re.compile(r"served at (127\.0\.0\.1:\d+)")
HTTP = re.compile(r"(http://127\.0\.0\.1:\d+)")


class Product(NamedTuple):
    """The addresses of a running installation, and its process if it was started here."""

    grpc: str
    http: str
    pid: int | None


@contextmanager
def started(*options: str, checkout: Path = ROOT, trace: Path | None = None, cores: int = 0) -> Iterator[Product]:
    """Start the product of a checkout with `alhambra run`, without a rate limit: all users of a load test have one
    address. With `trace`, its processes record calls in that folder (`trace/probes.py`). With `cores`, they may use
    only this number of cores, as on a smaller machine."""
    with tempfile.TemporaryDirectory(prefix="alhambra-load-") as folder:
        log = Path(folder, "log")
        some = sorted(os.sched_getaffinity(0))[:cores] if cores else []
        command = [
            *(("taskset", "--cpu-list", ",".join(map(str, some))) if some else ()),
            *(sys.executable, "-m", "alhambra_cli", "run"),
            *("--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--store", f"embedded:{folder}/data"),
            *options,
        ]
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env=_environment(checkout, trace),
                cwd=folder,
            )
        try:
            yield _addresses(process, log)
        finally:
            end(process)


def _environment(checkout: Path, trace: Path | None) -> dict[str, str]:
    paths = sorted({str(found.parents[1]) for found in checkout.glob(f"*/{PACKAGE}")})
    if trace is None:
        return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    paths = [str(Path(__file__).parent / "trace" / "injected"), *paths, str(ROOT)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), FOLDER_VARIABLE: str(trace)}


def end(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to stop, and kill it if it does not."""
    process.terminate()
    try:
        process.wait(limits.STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _addresses(process: subprocess.Popen[bytes], log: Path) -> Product:
    deadline = time.monotonic() + limits.START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        said = log.read_text(encoding="utf-8", errors="replace")
        grpc, http = GRPC.search(said), HTTP.search(said)
        if grpc and http:
            return Product(grpc[1], http[1], process.pid)
        time.sleep(0.1)
    raise RuntimeError(f"The product did not start:\n{log.read_text(encoding='utf-8', errors='replace')[-2_000:]}")
