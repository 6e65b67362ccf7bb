"""The guard admits or refuses the caller before a handler of the contract runs.

The contract says of every RPC who may call it (`caller`, `scope`), so that no handler has to check it. `auth/access.py`
decides; this file applies its decision to every call and charges calls for their CPU time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import thread_time

import grpc

from .. import limits
from ..auth.access import CALLER_ATTRIBUTE, Access, Caller, Rule, contract_rules
from ..messages.refusals import Refusal
from .wrappers import Behavior, Handler, Wrapper


class Guard(Wrapper):
    """The wrapper that admits the callers whom the contract allows."""

    def __init__(self, access: Access, rules: Mapping[str, Rule] | None = None) -> None:
        super().__init__()
        self._access = access
        self._rules = contract_rules() if rules is None else rules

    def around(self, method: str, handler: Handler, behavior: Behavior) -> Behavior:  # noqa: D102
        rule = self._rules.get(method)
        if rule is None:
            return behavior  # health and reflection are no part of the contract
        admit, charge = self._access.admit, self._access.charge
        stream, cost = bool(handler.response_streaming), rule.cost

        def admitted(request: object, context: grpc.ServicerContext) -> Caller:
            caller = admit(rule, context.invocation_metadata() or (), context.peer, where=stream)
            if type(request) is Unreadable:
                raise Refusal("REQUEST_MALFORMED", "The request is not a message of the contract.", {"field": ""})
            setattr(context, CALLER_ATTRIBUTE, caller)
            return caller

        def guarded(request: object, context: grpc.ServicerContext) -> object:
            caller = admitted(request, context)
            if not caller.account:
                return behavior(request, context)
            began = thread_time()
            try:
                return behavior(request, context)
            finally:
                charge(caller, thread_time() - began, cost)

        def watched(request: object, context: grpc.ServicerContext) -> Iterator[object]:
            caller = admitted(request, context)
            if not caller.account:
                yield from behavior(request, context)
                return
            began = thread_time()
            for message in behavior(request, context):
                yield message
                if (used := thread_time() - began) > limits.CALL_CPU_SECONDS:
                    charge(caller, used)
                    began += used

        return watched if stream else guarded

    def reader(self, method: str, handler: Handler) -> object:
        """Return the function that reads requests. A request that is no message is refused; it is no defect."""
        read = handler.request_deserializer
        if read is None or method not in self._rules:
            return read

        def careful(data: bytes) -> object:
            try:
                return read(data)
            except Exception:
                return Unreadable()

        return careful


class Unreadable:
    """A request whose bytes are no message."""
