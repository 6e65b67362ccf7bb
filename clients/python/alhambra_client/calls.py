"""A call as a value: a request, and the credentials that it is sent with. It can be sent, repeated and kept.

A call that changes something has a request id, which is chosen when the call is made. The server carries out a call
with the same request id once, however often it arrives, and repeats its first answer.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar
from uuid import uuid4

from .errors import UnexpectedAnswer
from .messages import Answer, Message, Request

Result = TypeVar("Result")
Procedure: TypeAlias = Generator["Call[Any]", Any, Result]
"""Steps that need the server: it yields calls, is sent their answers or thrown their errors, and returns a result."""

JSON, EVENT_STREAM = "application/json", "text/event-stream"
_REQUEST_ID = "request_id"
_IN_PATH = re.compile(r"{(\w+)}")


@dataclass(frozen=True)
class Call(Generic[Answer]):
    """A request with its credentials."""

    request: Request[Answer]
    token: str = dataclasses.field(default="", repr=False)
    """The token of a seat or an API key; empty for none."""
    accept: str = "*/*"

    @property
    def changes(self) -> bool:
        """Whether the call changes something, so that an answer that is lost matters."""
        return self.method == "DELETE" or bool(getattr(self.request, _REQUEST_ID, ""))

    @property
    def method(self) -> str:
        """The HTTP method."""
        return self.request.route.method

    @property
    def path(self) -> str:
        """The path of the address, `/v1/games/k3x9…/moves`."""
        return _IN_PATH.sub(lambda name: str(getattr(self.request, name[1])), self.request.route.path)

    @property
    def query(self) -> list[tuple[str, str]]:
        """The parameters of the address; empty if the call has a body."""
        return [] if self.method == "POST" else list(_parameters(self._members()))

    @property
    def body(self) -> bytes | None:
        """The JSON body; None if the call has none."""
        return json.dumps(self._members()).encode() if self.method == "POST" else None

    def _members(self) -> dict[str, Any]:
        in_path = _IN_PATH.findall(self.request.route.path)
        return {name: value for name, value in self.request.to_json().items() if name not in in_path}

    def read(self, body: bytes) -> Answer:
        """Return the answer that the body of a good HTTP answer holds."""
        kind: Any = self.request.route.answer
        if not issubclass(kind, Message):
            return body  # type: ignore[return-value]  # the request says so
        try:
            answer: Answer = kind.from_json(json.loads(body))
        except (ValueError, TypeError, AttributeError) as error:
            raise UnexpectedAnswer(f"{self.method} {self.path} was answered with {body[:80]!r}") from error
        return answer


def call(request: Request[Answer], token: str = "") -> Call[Answer]:
    """Return the call of a request. A request that can have a request id and has none gets a new one."""
    if getattr(request, _REQUEST_ID, None) == "":
        changed: Any = request
        request = dataclasses.replace(changed, request_id=str(uuid4()))
    return Call(request, token, "*/*" if request.route.answer is bytes else JSON)


def ask(request: Request[Answer], token: str = "") -> Procedure[Answer]:
    """Send one request, as a step of a procedure, and return its answer."""
    answer: Answer = yield call(request, token)
    return answer


def all_pages(request: Request[Answer], token: str = "") -> Procedure[list[Answer]]:
    """Return the answers to a request for a list: one for each page."""
    answers: list[Answer] = []
    while True:
        answer: Any = yield from ask(request, token)
        answers.append(answer)
        if not answer.next_page_token:
            return answers
        paged: Any = request
        request = dataclasses.replace(paged, page_token=answer.next_page_token)


def _parameters(members: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in members.items():
        for each in value if isinstance(value, list) else [value]:
            yield name, json.dumps(each) if isinstance(each, bool) else str(each)
