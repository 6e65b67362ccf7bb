"""Probes in the processes of the product: they record where each call spends its time.

The product knows nothing of them. A load test with `--trace` starts it with `injected/` in PYTHONPATH, and the modules
below are changed when they are imported. So a version of the product that was written before the probes can be traced,
too, as long as it has these functions:

    service    Call.answer (a thread begins with a call), CallLog.around (its handler), Server.exchange (the store)
    gateway    Worker.handle (a thread begins with a request), Upstream.unary (its call of the service)
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from functools import wraps
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from .records import Recorder, Spent

REQUEST_ID = "x-request-id"


class _Thread(threading.local):
    """What the present thread knows of its call."""

    arrived = 0.0
    exchanges: list[dict[str, float]] | None = None
    """What its exchanges with the store took; None while they are not measured."""
    upstream: dict[str, float] | None = None
    """What its last call of the service took."""


_THREAD = _Thread()
_service, _gateway = Recorder("service"), Recorder("gateway")


def install() -> None:
    """Change the modules of PROBES when this process imports them."""
    sys.meta_path.insert(0, _Finder())


class _Finder(MetaPathFinder):
    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> Any:
        """Return the usual spec of a module, whose loader also adds the probe."""
        probe = PROBES.get(fullname)
        found = PathFinder.find_spec(fullname, path, target) if probe is not None else None
        return _with_probe(found, probe) if found is not None and probe is not None else None


def _with_probe(spec: ModuleSpec, probe: Callable[[Any], None]) -> ModuleSpec:
    loader = spec.loader
    assert isinstance(loader, Loader)
    execute = loader.exec_module

    def execute_and_add(module: ModuleType) -> None:
        execute(module)
        probe(module)

    loader.exec_module = execute_and_add  # type: ignore[method-assign]
    return spec


def _replace(owner: Any, name: str, around: Callable[[Any], Any]) -> None:
    function = getattr(owner, name)
    setattr(owner, name, wraps(function)(around(function)))


# -- The service -----------------------------------------------------------------------------------------------------


def _probe_calls(module: Any) -> None:
    """Note when a call arrived, before its handler is called."""

    def around(answer: Any) -> Any:
        def answered(call: Any) -> Any:
            _THREAD.arrived = call.arrived
            return answer(call)

        return answered

    _replace(module.Call, "answer", around)


def _probe_handlers(module: Any) -> None:
    """Record each unary call from its arrival to the end of its handler."""

    def around(around_handler: Any) -> Any:
        def wrapped(log: Any, method: str, handler: Any, behavior: Any) -> Any:
            found = around_handler(log, method, handler, behavior)
            return found if handler.response_streaming else _recorded(method.rpartition("/")[2], found)

        return wrapped

    _replace(module.CallLog, "around", around)


def _recorded(method: str, behavior: Any) -> Any:
    def recorded(request: Any, context: Any) -> Any:
        name = next((value for key, value in context.invocation_metadata() or () if key == REQUEST_ID), "")
        if not name:
            return behavior(request, context)
        spent, _THREAD.exchanges = Spent(), []
        try:
            answer = behavior(request, context)
            _service.add(id=name, what=method, arrived=_THREAD.arrived, **_sum(_THREAD.exchanges), **spent.so_far())
            return answer
        finally:
            _THREAD.exchanges = None

    return recorded


def _sum(exchanges: list[dict[str, float]]) -> dict[str, float]:
    """Return what the exchanges of one call took together."""
    return {
        "store": sum(one["ended"] - one["began"] for one in exchanges),
        "store_cpu": sum(one["cpu"] for one in exchanges),
        "store_core_wait": sum(one["core_wait"] for one in exchanges),
    }


def _probe_store(module: Any) -> None:
    """Measure the exchanges with the store."""

    def around(exchange: Any) -> Any:
        def timed(server: Any, *commands: Any) -> Any:
            if _THREAD.exchanges is None:
                return exchange(server, *commands)
            spent = Spent()
            try:
                return exchange(server, *commands)
            finally:
                _THREAD.exchanges.append(spent.so_far())

        return timed

    _replace(module.Server, "exchange", around)


# -- The gateway -----------------------------------------------------------------------------------------------------


def _probe_requests(module: Any) -> None:
    """Record each request whose answer needs one call of the service."""

    def around(handle: Any) -> Any:
        def handled(worker: Any, conn: Any) -> Any:
            spent, _THREAD.upstream = Spent(), None
            arrived = conn.began
            result = handle(worker, conn)
            _record(module.REQUEST.get(), arrived, spent)
            return result

        return handled

    _replace(module.Worker, "handle", around)


def _record(name: str, arrived: float, spent: Spent) -> None:
    if _THREAD.upstream is not None:
        _gateway.add(id=name, arrived=arrived, **_THREAD.upstream, **spent.so_far())


def _probe_upstream(module: Any) -> None:
    """Measure the call of the service."""

    def around(unary: Any) -> Any:
        def asking(upstream: Any, route: Any) -> Any:
            ask = unary(upstream, route)

            def asked(*given: Any) -> Any:
                spent = Spent()
                try:
                    return ask(*given)
                finally:
                    _THREAD.upstream = spent.so_far("call_")

            return asked

        return asking

    _replace(module.Upstream, "unary", around)


PROBES: dict[str, Callable[[Any], None]] = {
    "alhambra_service.rpc.grpc_internals": _probe_calls,
    "alhambra_service.rpc.call_log": _probe_handlers,
    "alhambra_service.store.connection.wire": _probe_store,
    "alhambra_gateway.process.worker": _probe_requests,
    "alhambra_gateway.upstream.client": _probe_upstream,
}
"""By module: what adds its probe."""
