"""The processes that play the games of a tournament.

Each worker is a process that reads a game to play as one line of JSON and answers with its result as another. It ends
when its input is closed, so no worker outlives the arena, however that ends. If a worker dies during a game (a bot
inside the process can do that), its game is tried once more by another worker.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from ..bad_input import BadInput
from .entrants import Entrant
from .play import Bench, Terms, play
from .results import Played
from .schedule import Fixture

ATTEMPTS = 2
MODULE = "alhambra_cli.tournament.workers"


def main() -> None:
    """Play the games that arrive on standard input until it is closed."""
    sys.path.insert(0, "")  # as with `python -m`: bots in the current folder can be imported
    setup = json.loads(sys.stdin.readline())
    terms = Terms(**{**setup["terms"], "modules": tuple(setup["terms"]["modules"])})
    entrants = {name: Entrant(*entrant) for name, entrant in setup["entrants"].items()}
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a bot prints must not get between the answers
    bench = Bench(terms)
    try:
        for line in sys.stdin:
            number, deal, bots = json.loads(line)
            result = play(terms, entrants, Fixture(number, deal, tuple(bots)), bench)
            answers.write(json.dumps(result.as_dict(), separators=(",", ":")) + "\n")
            answers.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        pass  # the arena has ended
    finally:
        bench.close()


class Worker:
    """A process that plays one game at a time."""

    def __init__(self, terms: Terms, entrants: Iterable[Entrant]) -> None:
        command = [sys.executable, "-m", MODULE]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self._send({"terms": terms._asdict(), "entrants": {entrant.name: list(entrant) for entrant in entrants}})

    def _send(self, document: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(document) + "\n")
        self._process.stdin.flush()

    def play(self, fixture: Fixture) -> Played | None:
        """Return the result of a game; None if the worker died."""
        assert self._process.stdout is not None
        try:
            self._send([fixture.number, fixture.deal, list(fixture.bots)])
            line = self._process.stdout.readline()
        except (OSError, ValueError):
            return None
        return Played.read(json.loads(line)) if line.endswith("\n") else None

    def close(self, *, kill: bool = False) -> None:
        """End the process, at once or after its game."""
        assert self._process.stdin is not None and self._process.stdout is not None
        if kill:
            self._process.terminate()
        with suppress(OSError):  # it has ended already
            self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def play_all(terms: Terms, entrants: Iterable[Entrant], fixtures: Iterable[Fixture], jobs: int) -> Iterator[Played]:
    """Play the games in several processes and yield the results as the games end."""
    todo: queue.SimpleQueue[Fixture | None] = queue.SimpleQueue()
    wanted = 0
    for fixture in fixtures:
        todo.put(fixture)
        wanted += 1
    jobs = min(jobs, wanted)
    done: queue.SimpleQueue[Played | BaseException] = queue.SimpleQueue()
    stopping = threading.Event()
    threads = [
        threading.Thread(target=_serve, args=(terms, tuple(entrants), todo, done, stopping), daemon=True)
        for _ in range(jobs)
    ]
    for thread in threads:
        todo.put(None)
        thread.start()
    try:
        for _ in range(wanted):
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            yield found
    finally:
        stopping.set()
        for thread in threads:
            thread.join()


def _serve(
    terms: Terms,
    entrants: tuple[Entrant, ...],
    todo: queue.SimpleQueue[Fixture | None],
    done: queue.SimpleQueue[Played | BaseException],
    stopping: threading.Event,
) -> None:
    """Let one worker play games until none is left."""
    worker = Worker(terms, entrants)
    try:
        while not stopping.is_set():
            fixture = todo.get()
            if fixture is None:
                return
            for _ in range(ATTEMPTS):
                result = worker.play(fixture)
                if result is not None or stopping.is_set():
                    break
                worker.close(kill=True)
                worker = Worker(terms, entrants)
            if result is None:
                names = ", ".join(dict.fromkeys(fixture.bots))
                done.put(BadInput(f"Game {fixture.number} ended its process {ATTEMPTS} times (bots: {names})."))
                return
            done.put(result)
    except BaseException as fault:  # handed to the thread that waits for results
        done.put(fault)
    finally:
        worker.close(kill=stopping.is_set())


if __name__ == "__main__":
    main()
