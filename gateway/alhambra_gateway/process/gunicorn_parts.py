"""What the gateway uses of gunicorn beside its documented interface, in one place.

`pyproject.toml` allows one major version of gunicorn. A version without one of these names is refused when the gateway
starts, not in the middle of a request.
"""

from __future__ import annotations

from gunicorn.http.message import Message, Request
from gunicorn.http.parser import Parser, RequestParser
from gunicorn.http.unreader import Unreader
from gunicorn.workers.gthread import PollableMethodQueue, TConn, ThreadWorker

PARTS: tuple[tuple[type, tuple[str, ...]], ...] = (
    # The poller: accepted connections and finished requests come to our methods, threads begin in `handle`.
    (
        ThreadWorker,
        (
            "accept",
            "enqueue_req",
            "finish_request",
            "get_thread_pool",
            "handle",
            "handle_error",
            "handle_request",
            "is_parent_alive",
            "murder_keepalived",
            "murder_pending",
            "set_accept_enabled",
            "wait_for_and_dispatch_events",
        ),
    ),
    (PollableMethodQueue, ("defer",)),
    # A connection is made ready by us: its parser reads from memory.
    (TConn, ("close", "init")),
    (Parser, ("finish_body",)),
    (RequestParser, ("__next__",)),
    (Unreader, ("chunk", "read", "take_buffered", "unread")),
    # `100 Continue` is sent by the poller and not a second time; a request that was cut off is the last one.
    (Message, ("_expected_100_continue", "force_close", "set_body_reader")),
    (Request, ("should_close",)),
)
CONNECTION = ("cfg", "client", "initialized", "parser", "sock")
"""Attributes of a TConn that are set when it is made."""
WORKER = ("alive", "cfg", "keepalived_conns", "method_queue", "nr_conns", "pending_conns", "poller", "tpool")
"""Attributes of a ThreadWorker that are set when it is made."""


def missing() -> list[str]:
    """Return the names that this version of gunicorn does not have; empty if it can be used."""
    found = [f"{part.__name__}.{name}" for part, names in PARTS for name in names if not hasattr(part, name)]
    for part, names in ((TConn, CONNECTION), (ThreadWorker, WORKER)):
        set_there = {name for kind in part.__mro__ if "__init__" in vars(kind) for name in _names_in(kind)}
        found += [f"{part.__name__}.{name}" for name in names if name not in set_there]
    return found


def _names_in(kind: type) -> tuple[str, ...]:
    code = getattr(vars(kind)["__init__"], "__code__", None)
    return code.co_names if code is not None else ()
