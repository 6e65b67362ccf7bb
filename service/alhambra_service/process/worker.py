"""One process of the service, started by `supervisor.py`: opens the store, registers the services, answers until told.

    python -m alhambra_service.process.worker

On its standard input it is given its orders, a line of JSON with the settings first and then words; on its standard
output it tells its parent that it is ready, or in one sentence why it cannot be. When the input ends the parent is
dead, and the worker ends too: no process would restart it, stop it, or look after the store.
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

from alhambra_kit.machine import pin

from .. import limits, logs
from ..config import Settings

if TYPE_CHECKING:
    from .service import Service

READY, FAULT = "ready", "fault"
STOP, RELOAD = "stop", "reload"

_log = logging.getLogger(__name__)


class _Terminated(Exception):
    """This process got a signal to end instead of an order."""


def main() -> None:
    """Runs the worker."""
    orders, answers = sys.stdin, _own_output()
    first = json.loads(orders.readline())
    settings = Settings(**first["settings"])
    logs.begin(settings.log_level)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    signal.signal(signal.SIGTERM, _terminated)
    if settings.pin:
        pin(first["number"])
    from .service import Service, StartFault  # after pinning, so that all threads are where they belong

    try:
        service = Service(settings, first["store"])
        service.start()
        gc.collect()
        gc.freeze()  # what is there from the start stays: looking through it again and again would stop every call
    except StartFault as fault:
        _tell(answers, FAULT, str(fault))
        sys.exit(1)
    _tell(answers, READY, "")
    try:
        drain, grace = _obey(orders, service)
    except _Terminated:
        drain, grace = settings.drain_seconds, settings.grace_seconds
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _end_at_the_latest(drain + grace + limits.WORKER_STOP_SECONDS)
    service.stop(drain, grace)
    logging.shutdown()
    os._exit(0)  # a call that never ends must not keep the process


def _obey(orders: IO[str], service: Service) -> tuple[float, float]:
    """Follows orders until the last one: how long to drain, and how long calls may take to end."""
    for order, *arguments in _words(orders):
        if order == RELOAD:
            service.reload()
        elif order == STOP:
            return float(arguments[0]), float(arguments[1])
    _log.error("The parent of this worker is gone.")
    return 0.0, limits.ORPHAN_GRACE_SECONDS


def _end_at_the_latest(seconds: float) -> None:
    """End this process after this time even if stopping hangs: an orphan has no parent that would kill it."""
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
    """The standard output, for answers alone: what anybody prints goes to the standard error from now on."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _tell(answers: IO[str], what: str, text: str) -> None:
    with suppress(BrokenPipeError):
        answers.write(json.dumps([what, text]) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
