"""The call log: every call is counted, timed and logged. This wrapper is the outermost one.

A line has the method, how the call ended and how long it took. Refusals are logged at level "info", all other calls at
level "debug". Requests and answers are never logged.
"""

from __future__ import annotations

import logging
import time
from contextvars import ContextVar

import grpc

from ..blocking import NeedsStore
from ..current_call import THREAD
from ..metrics import meter_of
from .wrappers import Behavior, Handler, Wrapper

_log = logging.getLogger(__name__)
_REASON: ContextVar[str] = ContextVar("reason", default="")


def note_reason(method: str, reason: str) -> None:
    """Remember why the current call is refused. `FailedCalls` calls this."""
    _REASON.set(reason)


class CallLog(Wrapper):
    """Counts calls and logs them. It must be the outermost wrapper."""

    def around(self, method: str, handler: Handler, behavior: Behavior) -> Behavior:
        """Return the behavior with its calls counted and logged."""
        meter = meter_of(method.rpartition("/")[2])
        note, clock = meter.good.note, time.perf_counter
        quiet = not _log.isEnabledFor(logging.DEBUG)

        def finish(context: grpc.ServicerContext, began: float, failed: bool, *, stream: bool = False) -> None:
            code = context.code()  # type: ignore[attr-defined]
            name = code.name if code is not None else "UNKNOWN" if failed else "OK"
            seconds = time.perf_counter() - began
            reason = _REASON.get()
            meter.count(name, reason, None if stream else seconds)
            level = logging.INFO if reason else logging.DEBUG
            if _log.isEnabledFor(level):
                facts = {"method": method, "code": name, "reason": reason, "milliseconds": round(1000 * seconds, 1)}
                _log.log(level, "answered", extra={key: value for key, value in facts.items() if value != ""})

        def observed(request: object, context: grpc.ServicerContext) -> object:
            THREAD.call = context
            began = clock()
            try:
                answer = behavior(request, context)
                if context.code() is None and quiet:  # type: ignore[attr-defined]
                    note(clock() - began)
                else:
                    finish(context, began, failed=False)
                return answer
            except NeedsStore:
                raise  # the call is restarted on other threads and counted there
            except BaseException:
                finish(context, began, failed=True)
                raise
            finally:
                THREAD.call = None  # so that this thread does not keep the call alive

        def opened(request: object, context: grpc.ServicerContext, *more: object) -> object:
            THREAD.call = context
            began = time.perf_counter()

            def closed() -> None:
                finish(context, began, failed=False, stream=True)

            if not context.add_callback(closed):
                closed()
            return behavior(request, context, *more)

        return opened if handler.response_streaming else observed
