"""Every operation with many requests: good ones, bad ones, and good ones with something bad in them.

Schemathesis makes requests that obey the document and requests that break it in one point. Left alone they would all
be about games that do not exist: so the id of a game is most often that of a real one, with a token of it, and members
are mixed with those of the examples. A move is sometimes a legal one, and a seat is sometimes really claimed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPMessage
from typing import Any
from urllib.parse import parse_qs, urlsplit

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.core import NOT_SET
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.transport import Response
from schemathesis.specs.openapi import checks

from alhambra_gateway.openapi import document
from alhambra_gateway.routing.routes import CONVERTERS, Route, compile_routes

from ..conformity import answer_faults, faults_of
from ..examples import FILE
from ..http import Answer
from ..sse import Stream
from .world import OVER, RUNNING, WAITING, World

PATIENCE = 60.0
"""A call that takes longer hangs."""
EXAMPLES: Mapping[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
CHECKS = [
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
WHOLLY, PARTLY = "wholly", "partly"
NOBODY = -1
ROUTES = {route.descriptor.name: route for route in compile_routes()}


@dataclass(frozen=True)
class Fault:
    """Something that a gateway must not do, and the request that made it do so."""

    operation: str
    kind: str
    detail: str
    curl: str

    def __str__(self) -> str:
        return f"{self.operation}: {self.kind}\n{self.detail}\n{self.curl}\n"


@dataclass
class Report:
    """What happened."""

    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    reasons: set[str] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)

    @property
    def calls(self) -> int:
        return self.answers.total()

    def kinds(self) -> dict[str, Fault]:
        """One fault of each kind."""
        return {f"{fault.operation} {fault.kind}": fault for fault in reversed(self.faults)}


@dataclass(frozen=True)
class Twist:
    """How a generated request is made to be about something."""

    where: str
    """The game that it is about, by its status; empty for the generated one."""
    who: int | None
    """The seat that sends it; below 0 for nobody, None for the generated credentials."""
    kept: frozenset[str]
    """Members and parameters that are taken from the example."""
    live: str
    """Whether it is a legal move, a real claim or a stream: wholly, with something strange in it, or not at all."""


def twists(route: Route) -> st.SearchStrategy[Twist]:
    example = EXAMPLES[route.descriptor.name]
    names = sorted({*example.get("query", {}), *example.get("body", {})})
    return st.builds(
        Twist,
        st.sampled_from((RUNNING, RUNNING, RUNNING, OVER, WAITING, "")),
        st.sampled_from((0, 1, 0, 1, NOBODY, NOBODY, None)),
        st.frozensets(st.sampled_from(names)) if names else st.just(frozenset()),
        st.sampled_from((WHOLLY, PARTLY, "")),
    )


def run(world: World, examples: int, report: Report, start: int = 0, tick: Callable[[], None] = lambda: None) -> None:
    """So many requests to every operation."""
    api = schemathesis.openapi.from_dict(document())
    for route in ROUTES.values():
        operation = api[route.path][route.method]
        modes = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
        cases = st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in modes))
        _send_all(world, route, cases, examples, report, start, tick)


def _send_all(
    world: World,
    route: Route,
    cases: st.SearchStrategy[Any],
    examples: int,
    report: Report,
    start: int,
    tick: Callable[[], None],
) -> None:
    @seed(start)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases, twist=twists(route))
    def send(case: Any, twist: Twist) -> None:
        Call(world, route, case, twist).judge(report)
        tick()

    send()


class Call:
    """One request, sent and judged."""

    def __init__(self, world: World, route: Route, case: Any, twist: Twist) -> None:
        self._world = world
        self._route = route
        self._case = case
        self._is_stream = route.streaming and twist.live == WHOLLY
        self._is_real = self._about_something(twist)
        case.headers["Accept"] = "*/*" if route.http_body else "application/json"

    def _about_something(self, twist: Twist) -> bool:
        """Twists the request; whether its address is one of the document."""
        case, world, name = self._case, self._world, self._route.descriptor.name
        example = EXAMPLES[name]
        for part in ("query", "body"):
            kept = {key: value for key, value in example.get(part, {}).items() if key in twist.kept}
            held = getattr(case, part)
            if kept and isinstance(held, dict):
                setattr(case, part, {**held, **kept})
        if twist.who is not None:
            case.headers.pop("Authorization", None)
        if not self._route.path_fields:
            if twist.live and name == "CreateNoticeTicket":
                case.body = world.good_ticket()
            return True
        good = {
            "ApplyMove": world.good_move,
            "ClaimSeat": world.good_claim,
            "LeaveSeat": world.good_leave,
            "RevealEntropy": world.good_reveal,
        }
        if twist.live and name in good:
            where, token, body = good[name]()
            generated = case.body if twist.live == PARTLY and isinstance(case.body, dict) else {}
            case.body = {**generated, **body}
        else:
            where, token = twist.where, world.token(twist.where, twist.who)
        if token:
            case.headers["Authorization"] = f"Bearer {token}"
        if where:
            case.path_parameters.update(example["path"])
            if "game" in example["path"]:
                case.path_parameters["game"] = world.tables[where].id
        return self._is_address()

    def _is_address(self) -> bool:
        """Whether everything in the path is written as it must be."""
        held = self._case.path_parameters.items()
        return all(re.fullmatch(CONVERTERS[name].regex, str(value)) for name, value in held)

    # -- Sending and judging -------------------------------------------------------------------------------------------

    def judge(self, report: Report) -> None:
        """Sends it, and keeps what is wrong with the answer."""
        name = self._route.descriptor.name
        try:
            response = self._case.call(base_url=self._world.base, timeout=PATIENCE)
        except (OSError, Failure) as silence:
            report.faults.append(Fault(name, "no answer", str(silence), self._case.as_curl_command()))
            return
        answer = _plain(response)
        report.answers[name, answer.status] += 1
        if answer.headers.get_content_type() == "application/problem+json":
            report.reasons.add(answer.json()["reason"])
        faults = [*self._faults(response, answer)]
        if self._is_stream and answer.status == 200:
            faults += self._stream_faults(response)
        for kind, detail in faults:
            report.faults.append(Fault(name, kind, detail, self._case.as_curl_command()))
        if answer.status == 200 and self._route.changes:
            self._world.go_on()

    def _faults(self, response: Response, answer: Answer) -> Iterator[tuple[str, str]]:
        if answer.status >= 500:
            yield f"status {answer.status}", answer.body.decode(errors="replace")[:500]
        if self._is_real:
            described = list(answer_faults(self._route.method, self._route.path, answer))
            if described:
                yield "not as described", "\n".join(described[:5])
            yield from self._schemathesis_faults(response)
            query = urlsplit(response.request.path_url).query
            if answer.status == 200 and not _judged_illegal(answer):
                yield from (("accepted what the document forbids", text) for text in self._forbidden(query))
        elif answer.status == 200:
            yield "an address that is none", self._case.formatted_path
        if answer.status != 200 or not self._route.changes:
            after = self._world.fingerprint()
            if after != self._world.print:
                changed = [pair for pair in zip(self._world.print, after, strict=True) if pair[0] != pair[1]]
                yield f"changed something with status {answer.status}", str(changed)
                self._world.go_on()

    def _schemathesis_faults(self, response: Response) -> Iterator[tuple[str, str]]:
        try:
            self._case.validate_response(response, checks=CHECKS)
        except FailureGroup as group:
            for failure in group.exceptions:
                yield type(failure).__name__, str(failure)[:800]
        except Failure as failure:
            yield type(failure).__name__, str(failure)[:800]

    def _forbidden(self, query: str) -> Iterator[str]:
        """What the document forbids in the body and in the query as they were sent."""
        place = ("paths", self._route.path, self._route.method.lower())
        if self._route.has_body and self._case.body is not NOT_SET:
            yield from faults_of(self._case.body, *place, "requestBody", "content", "application/json", "schema")
        parameters = document()["paths"][self._route.path][self._route.method.lower()]["parameters"]
        known = {found["name"]: index for index, found in enumerate(parameters) if found.get("in") == "query"}
        for name, values in parse_qs(query, keep_blank_values=True).items():
            if name not in known:
                yield f"there is no parameter {name}"
            else:
                read = _as_read(values, parameters[known[name]]["schema"].get("type", ""))
                yield from faults_of(read, *place, "parameters", str(known[name]), "schema")

    def _stream_faults(self, response: Response) -> Iterator[tuple[str, str]]:
        """Send the request again as a stream. The stream must begin with a snapshot or with `opened`, and end when the
        client disconnects."""
        path = response.request.path_url
        headers = {name: str(value) for name, value in self._case.headers.items() if name == "Authorization"}
        with Stream(self._world.base, path, headers) as stream:
            if stream.status != 200:
                yield f"a stream with status {stream.status}", str(stream.body())[:500]
            elif next(stream).type not in ("snapshot", "opened"):
                yield "a stream without a beginning", path


def _as_read(values: list[str], kind: str) -> Any:
    """A parameter as the gateway reads the texts that stand for it in an address."""
    text = values[-1]
    if kind == "integer" and re.fullmatch(r"-?[0-9]+", text):
        return int(text)
    if kind == "boolean" and text in ("true", "false"):
        return text == "true"
    return values if kind == "array" else text


def _judged_illegal(answer: Answer) -> bool:
    """Whether a dry run was told that it would be refused."""
    if answer.headers.get_content_type() != "application/json":
        return False
    data = answer.json()
    verdicts = [data, data.get("verdict", {}), *data.get("verdicts", ())]
    return any(verdict.get("legal") is False for verdict in verdicts)


def _plain(response: Response) -> Answer:
    headers = HTTPMessage()
    for name, values in response.headers.items():
        for value in values:
            headers[name] = value
    return Answer(response.status_code, headers, response.content)
