"""Clients that take little CPU time: h2load for gRPC, wrk for HTTP. They repeat requests as fast as they can.

A process of h2load repeats one request, so there is one for each request; they run at the same time. The bytes of the
answers are counted: h2load does not read the status of a gRPC call, but a failed call has no answer, and a wrong answer
rarely has the right length.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from . import cores
from .rounds import Run

FRAME = 5
"""Bytes that gRPC puts before each message."""
PATIENCE = "20s"
"""Seconds that a client waits for a server that does not answer."""
TRIES = 5
_DONE = re.compile(r"(\d+) succeeded, (\d+) failed, (\d+) errored")
_DATA = re.compile(r"\((\d+)\) data")
_LUA = """
local asked = {%s}
local turn = 0
request = function() turn = turn %% #asked + 1; return asked[turn] end
init = function()
  for i, one in ipairs(asked) do asked[i] = wrk.format("POST", one[1], one[2], one[3]) end
end
done = function(summary, latency)
  local bad = summary.errors
  io.write(string.format("\\n#%%d %%d %%d %%d %%d %%d", summary.requests, summary.duration,
    bad.connect + bad.read + bad.write + bad.timeout, bad.status, latency:percentile(50), latency:percentile(99)))
end
"""


class Missing(Exception):
    """A program that is needed is not installed."""


def require() -> None:
    """Raise Missing, with what to install, if a program is missing."""
    absent = [name for name in ("h2load", "wrk") if shutil.which(name) is None]
    if absent:
        raise Missing(f"{' and '.join(absent)} cannot be found: run scripts/system_packages.sh first.")


class Question(NamedTuple):
    """A gRPC call: its method, its message as bytes, the answer that must come, and its headers."""

    method: str
    message: bytes
    answer: bytes
    token: str = ""


class Asking:
    """Calls that are sent to a server at the same time, each by its own client."""

    def __init__(self, folder: Path, address: str, questions: Sequence[Question], in_flight: int, calls: int) -> None:
        self._questions = questions
        self._calls = max(in_flight, calls // len(questions))
        self._commands = []
        for number, question in enumerate(questions):
            body = folder / f"question-{len([*folder.iterdir()])}-{number}"
            body.write_bytes(b"\0" + len(question.message).to_bytes(FRAME - 1, "big") + question.message)
            headers = ["content-type: application/grpc", "te: trailers"]
            headers += [f"authorization: Bearer {question.token}"] if question.token else []
            self._commands.append(
                [
                    *("h2load", "-n", str(self._calls), "-c", "1", "-m", str(max(1, in_flight // len(questions)))),
                    *("-N", PATIENCE, "-d", str(body)),
                    *(word for header in headers for word in ("-H", header)),
                    f"http://{address}{question.method}",
                ]
            )

    def run(self, cpu: Callable[[], Mapping[str, float]]) -> Run:
        """Make the calls. `cpu` returns the CPU seconds of each process."""
        before, began = cpu(), time.perf_counter()
        clients = [_started(command) for command in self._commands]
        outputs = [_output(client) for client in clients]
        took, after = time.perf_counter() - began, cpu()
        for question, (text, _) in zip(self._questions, outputs, strict=True):
            self._check(question, text)
        spent = {role: after[role] - before[role] for role in after}
        return Run(self._calls * len(clients), took, {**spent, "client": sum(used for _, used in outputs)})

    def _check(self, question: Question, text: str) -> None:
        done, data = _DONE.search(text), _DATA.search(text)
        wanted = self._calls * (FRAME + len(question.answer))
        if not done or not data or [*map(int, done.groups())] != [self._calls, 0, 0] or int(data[1]) != wanted:
            raise AssertionError(f"{question.method} was not answered as it should be:\n{text}")


class Post(NamedTuple):
    """A request over HTTP."""

    path: str
    body: bytes
    token: str = ""


class Posting:
    """Requests that are sent in turn over some connections."""

    def __init__(self, folder: Path, address: str, posts: Sequence[Post], *, connections: int, seconds: int) -> None:
        asked = ", ".join(
            f"{{{json.dumps(post.path)}, {{{_headers(post)}}}, {json.dumps(post.body.decode())}}}" for post in posts
        )
        script = folder / f"posts-{len([*folder.iterdir()])}.lua"
        script.write_text(_LUA % asked, encoding="utf-8")
        self._command = [
            "wrk",
            "-t1",
            f"-c{connections}",
            f"-d{seconds}s",
            "--timeout",
            PATIENCE,
            "-s",
            str(script),
            f"http://{address}/",
        ]

    def run(self, cpu: Callable[[], Mapping[str, float]]) -> Run:
        """Send the requests. Repeat the run a few times if a busy machine did not answer even one."""
        for _ in range(TRIES):
            found = self._sent(cpu)
            if found.calls:
                return found
        raise AssertionError(f"nothing was answered in {TRIES} tries: {self._command}")

    def _sent(self, cpu: Callable[[], Mapping[str, float]]) -> Run:
        before = cpu()
        text, used = _output(_started(self._command))
        after = cpu()
        found = re.search(r"^#(\d+) (\d+) (\d+) (\d+) (\d+) (\d+)", text, re.MULTILINE)
        if not found or found[3] != "0" or found[4] != "0":
            raise AssertionError(f"wrk was not answered as it should be:\n{text}")
        calls, micros, *_, middle, slow = map(int, found.groups())
        spent = {role: after[role] - before[role] for role in after}
        return Run(calls, micros / 1e6, {**spent, "client": used}, {"p50 ms": middle / 1e3, "p99 ms": slow / 1e3})


def _headers(post: Post) -> str:
    bearer = f', ["Authorization"] = {json.dumps("Bearer " + post.token)}' if post.token else ""
    return f'["Content-Type"] = "application/json"{bearer}'


def _started(command: list[str]) -> subprocess.Popen[str]:
    client = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    cores.pin(client.pid, cores.BACK)
    return client


def _output(client: subprocess.Popen[str]) -> tuple[str, float]:
    """Wait for a client, and return its output and the CPU seconds that it took."""
    assert client.stdout is not None
    with client.stdout:
        text = client.stdout.read()
    _, status, used = os.wait4(client.pid, 0)
    client.returncode = os.waitstatus_to_exitcode(status)
    if client.returncode:
        raise AssertionError(f"{client.args!r} failed:\n{text}")
    return text, used.ru_utime + used.ru_stime
