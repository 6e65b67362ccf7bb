"""One worker of the service, started by `supervisor.py`: opens the store and answers calls until it is told to stop.

    python -m alhambra_service.process.worker

The first line of its standard input is JSON with its settings; each further line is a command. On its standard output
it reports that it is ready, or in one sentence why it cannot start. When the input ends, the parent is dead, and the
worker ends too, because no process would restart or stop it.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, TYPE_CHECKING, NoReturn

from alhambra import BadModule, known_modules, load_module
from alhambra_runtime.machine import pin, take_short_turns

from .. import limits, logs
from ..config import Settings

if TYPE_CHECKING:
    from .service import Service

READY, FAULT = "ready", "fault"
STOP, RELOAD = "stop", "reload"

_log = logging.getLogger(__name__)


class _Terminated(Exception):
    """This process got SIGTERM instead of a command."""


def main() -> None:
    """Run the worker."""
    orders, answers = sys.stdin, _own_output()
    first = json.loads(orders.readline())
    settings = Settings(**first["settings"])
    logs.begin(settings.log_level, settings.log)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    signal.signal(signal.SIGTERM, _terminated)
    take_short_turns()
    if settings.pin:
        pin(first["number"])
    _load_modules(answers)
    from .service import Service, StartFault  # after pinning, so that all threads are pinned

    try:
        service = Service(settings, first["store"])
        service.start()
        gc.collect()
        gc.freeze()  # these objects stay; each full collection would visit them and delay calls
    except StartFault as fault:
        _report(answers, FAULT, str(fault))
        sys.exit(1)
    _report(answers, READY, "")
    try:
        drain, grace = _run_commands(orders, service)
    except _Terminated:
        drain, grace = settings.drain_seconds, settings.grace_seconds
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _end_at_the_latest(drain + grace + limits.WORKER_STOP_SECONDS)
    service.stop(drain, grace)
    logging.shutdown()
    os._exit(0)  # a call that never ends must not keep the process alive


def _load_modules(answers: IO[str]) -> None:
    """Load all modules, those of other packages included. If one of them is wrong, report it and exit: texts, pages and
    the catalogue need every module."""
    try:
        for key in known_modules():
            load_module(key)
    except BadModule as fault:
        _report(answers, FAULT, f"{fault.message[:1].upper()}{fault.message[1:]}.")
        sys.exit(1)


def _run_commands(orders: IO[str], service: Service) -> tuple[float, float]:
    """Run commands until STOP, and return its arguments: the seconds to drain, and the seconds for running calls."""
    for order, *arguments in _words(orders):
        if order == RELOAD:
            service.reload()
        elif order == STOP:
            return float(arguments[0]), float(arguments[1])
    _log.error("The parent of this worker is gone.")
    return 0.0, limits.ORPHAN_GRACE_SECONDS


def _end_at_the_latest(seconds: float) -> None:
    """End this process after this time even if stopping hangs, because an orphan has no parent that would kill it."""
    clock = threading.Timer(seconds, os._exit, (1,))
    clock.daemon = True
    clock.start()


def _words(orders: IO[str]) -> Iterator[list[str]]:
    while line := orders.readline():
        if line.strip():
            yield line.split()


def _terminated(number: int, frame: object) -> NoReturn:
    raise _Terminated


def _own_output() -> IO[str]:
    """Return the standard output for answers alone. From now on `print` writes to standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _report(answers: IO[str], what: str, text: str) -> None:
    with suppress(BrokenPipeError):
        answers.write(json.dumps([what, text]) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
