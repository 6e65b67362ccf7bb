"""Calls over gRPC and REST that Locust counts. A call counts as failed if it was refused for an unexpected reason, or
if its answer is wrong (`WrongAnswer`).
"""

from __future__ import annotations

import os
import random
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import gevent
import grpc
from google.rpc import error_details_pb2
from grpc.experimental import gevent as grpc_gevent
from grpc_status import rpc_status
from locust import FastHttpUser, User
from locust.env import Environment

from alhambra_api.v1 import service_pb2_grpc

from .. import limits
from ..trace.records import FOLDER_VARIABLE, Recorder

_trace = Recorder("client") if FOLDER_VARIABLE in os.environ else None
"""Records the calls of all users of this process if the load test traces them."""
Answer = TypeVar("Answer")


class WrongAnswer(Exception):
    """Counts a call as failed because its answer is not the expected one."""


def expect(said: object, wanted: object, about: str) -> None:
    """Raise WrongAnswer unless both values are equal."""
    if said != wanted:
        raise WrongAnswer(f"{about}: {said!r} instead of {wanted!r}")


class Thinking:
    """The pauses of a user: between two tasks or moves (`--think`), and to keep its rate of calls (`--pace`)."""

    environment: Environment
    _due: float | None = None

    def keep_pace(self) -> None:
        """Wait until the next call is due, if the options give users a pace. A user that is late does not catch up:
        its next calls keep the usual interval."""
        options: Any = self.environment.parsed_options
        if not options.pace:
            return
        now, interval = time.monotonic(), 1 / options.pace
        due = now + random.uniform(0, interval) if self._due is None else self._due
        if due > now:
            gevent.sleep(due - now)
        self._due = max(due, now) + interval

    def wait_time(self) -> float:
        """Return the pause in seconds."""
        options: Any = self.environment.parsed_options
        return float(options.think)


@contextmanager
def counted(environment: Environment, door: str, name: str, *, timed: bool = True) -> Iterator[None]:
    """Count the block as one call in Locust's statistics. A wrong answer or a failure is counted and not raised. With
    `timed=False` its time does not count, for example while a stream is read."""
    began = time.perf_counter()
    fault: Exception | None = None
    try:
        yield
    except (WrongAnswer, grpc.RpcError) as raised:
        fault = raised
    took = (time.perf_counter() - began) * 1_000 if timed else None
    environment.events.request.fire(
        request_type=door, name=name, response_time=took, response_length=0, exception=fault, context={}
    )


@contextmanager
def traced(*, rest: bool) -> Iterator[str]:
    """Yield the request id of the call that the block makes, and record the call; an empty text if calls are not
    traced."""
    if _trace is None:
        yield ""
        return
    name, began = uuid.uuid4().hex, time.monotonic()
    yield name
    _trace.add(id=name, rest=rest, began=began, ended=time.monotonic())


def reason_of(error: grpc.RpcError) -> str:
    """Return the reason of a refused call, in the words of the contract."""
    call: Any = error
    status = rpc_status.from_call(call)
    info = error_details_pb2.ErrorInfo()
    for detail in status.details if status is not None else ():
        if detail.Unpack(info):
            return str(info.reason)
    return str(call.code())


@cache
def _ready_for_gevent() -> None:
    """Let gRPC work with gevent. Call it once in each process before its first channel, or a call blocks all users."""
    grpc_gevent.init_gevent()


class GrpcUser(Thinking, User):
    """A user with its own channel, so that users spread over the processes of the service."""

    abstract = True

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        _ready_for_gevent()
        options: Any = environment.parsed_options
        self.channel = grpc.insecure_channel(options.grpc, options=[("grpc.use_local_subchannel_pool", 1)])
        self.games = service_pb2_grpc.GameServiceStub(self.channel)

    def on_stop(self) -> None:
        """Close the channel."""
        self.channel.close()

    def call(self, method: str, request: Any, metadata: Any = ()) -> Any:
        """Make a call without counting it."""
        with traced(rest=False) as name:
            named = (*metadata, ("x-request-id", name)) if name else metadata
            return getattr(self.games, method)(request, metadata=named, timeout=limits.CALL_SECONDS)

    def counted(self, name: str, *, timed: bool = True) -> Any:
        """Return a context manager that counts its block as one call over gRPC. With `timed=False` its time does not
        count, and it does not wait for the pace."""
        if timed:
            self.keep_pace()
        return counted(self.environment, "gRPC", name, timed=timed)


class RestUser(Thinking, FastHttpUser):
    """A user with its own connections to the gateway."""

    abstract = True
    connection_timeout = limits.CALL_SECONDS
    network_timeout = limits.CALL_SECONDS

    def asked(
        self,
        method: str,
        path: str,
        name: str,
        check: Callable[[int, Any], Answer],
        *,
        body: Any = None,
        token: str = "",
        key: str = "",
        paced: bool = True,
    ) -> Answer | None:
        """Make a request and return what `check` returns; None if the request failed. `check` gets the status and the
        document of the answer, and raises WrongAnswer if they are wrong. With `paced=False` the request does not wait
        for the user's pace."""
        if paced:
            self.keep_pace()
        headers = {"accept": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        if key:
            headers["idempotency-key"] = key
        with traced(rest=True) as request_id:
            if request_id:
                headers["x-request-id"] = request_id
            sent = self.client.request(method, path, name=name, json=body, headers=headers, catch_response=True)
        with sent as response:
            try:
                if not response.status_code:
                    raise WrongAnswer("no answer")
                found = check(response.status_code, response.json() if response.content else None)
            except (WrongAnswer, KeyError, ValueError) as fault:
                response.failure(fault)
                return None
            response.success()
            return found
