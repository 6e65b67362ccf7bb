"""The guard admits or refuses the caller before a handler of the contract runs.

The contract says for every RPC who may call it (`caller`, `scope`), so that no handler has to check it.
`auth/access.py` decides; this file applies its decision to every call and charges calls for their CPU time. A message
is parsed only after its caller was admitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from time import thread_time

import grpc

from .. import limits
from ..auth.access import CALLER_ATTRIBUTE, Access, Caller, Rule, contract_rules
from ..messages.refusals import Refusal
from .wrappers import Behavior, Handler, Wrapper

SPENT = "alhambra-spent"
"""The trailer that tells a gateway the CPU time of a call that it made for a client (`Access.report`)."""


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
        admit, charge, report = self._access.admit, self._access.charge, self._access.report
        stream, cost, read = bool(handler.response_streaming), rule.cost, handler.request_deserializer

        def admitted(context: grpc.ServicerContext) -> Caller:
            caller = admit(rule, context.invocation_metadata() or (), context.peer, where=stream)
            setattr(context, CALLER_ATTRIBUTE, caller)
            return caller

        def message(data: bytes) -> object:
            try:
                return read(data)
            except Exception:
                raise _malformed() from None

        def guarded(data: bytes, context: grpc.ServicerContext) -> object:
            caller = admitted(context)
            if not (caller.account or caller.by_gateway):
                try:
                    request = read(data)
                except Exception:
                    raise _malformed() from None
                return behavior(request, context)
            began = thread_time()
            try:
                return behavior(message(data), context)
            finally:
                used = thread_time() - began
                charge(caller, used, cost)
                if caller.by_gateway:
                    kept = context.trailing_metadata() or ()
                    context.set_trailing_metadata((*kept, (SPENT, report(caller, used))))

        def watched(data: bytes, context: grpc.ServicerContext) -> Iterator[object]:
            caller = admitted(context)
            if not caller.account:
                yield from behavior(message(data), context)
                return
            used = 0.0
            with closing(behavior(message(data), context)) as answers:
                while True:
                    began = thread_time()  # each answer may be made by another thread
                    answer = next(answers, None)
                    used += thread_time() - began
                    if used > limits.CALL_CPU_SECONDS:
                        charge(caller, used)
                        used = 0.0
                    if answer is None:
                        return
                    yield answer

        return watched if stream else guarded

    def reader(self, method: str, handler: Handler) -> object:
        """Return the function that reads requests. Requests of the contract stay bytes, and are read when their caller
        has been admitted."""
        return handler.request_deserializer if method not in self._rules else None


def _malformed() -> Refusal:
    return Refusal("REQUEST_MALFORMED", "The request is not a message of the contract.", {"field": ""})
