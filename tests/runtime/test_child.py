"""Children are kept running: started again after growing pauses, told to reload, stopped with their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import psutil
import pytest

from alhambra_runtime.backoff import QUIET_SECONDS, Backoff
from alhambra_runtime.child import Child, await_end, await_ready, keep_running
from alhambra_runtime.die_with_parent import dies_with_parent
from alhambra_runtime.settings import BadSettings
from alhambra_runtime.signals import Signals

PATIENCE = 60.0
READY_THEN_ECHO = "import sys; print('ready', flush=True); [print(line, end='', flush=True) for line in sys.stdin]"
FAILS = "print('fault: no oil', flush=True)"
SLEEPS = "import time; time.sleep(60)"
STARTED = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
PARENT = f"""
import subprocess, sys
from alhambra_runtime.die_with_parent import dies_with_parent
subprocess.Popen(dies_with_parent(sys.executable, "-c", {STARTED!r}))
input()
"""
DEAF = "import signal, time; signal.signal(15, signal.SIG_IGN); print('ready', flush=True); time.sleep(60)"


class Script(Child):
    """A child that runs a line of Python, and remembers what it said."""

    reads_stdin = True

    def __init__(self, code: str) -> None:
        super().__init__({"OIL": "olive"})
        self.code = code
        self.said: list[str] = []
        self.pauses: list[float] = []

    def command(self) -> list[str]:
        return [sys.executable, "-I", "-S", "-c", self.code]

    def read_line(self, line: str) -> None:
        self.said.append(line.strip())

    @property
    def ready(self) -> bool:
        return "ready" in self.said

    def start_fault(self) -> str:
        return f"It said {self.said}."

    def died(self, pause: float) -> None:
        self.pauses.append(pause)

    def reload(self) -> None:
        self.write_line("reload")


@pytest.fixture
def start() -> Iterator[Callable[[str], Script]]:
    found: list[Script] = []

    def begin(code: str) -> Script:
        found.append(Script(code))
        found[-1].launch()
        return found[-1]

    yield begin
    for child in found:
        child.end()


def await_true(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def stopped(signals: Signals, child: Script, when: Callable[[], object]) -> None:
    """Keep a child running until something holds."""

    def watch() -> None:
        await_true(when)
        signals.receive(signal.SIGTERM)

    watcher = threading.Thread(target=watch)
    watcher.start()
    keep_running([child], signals)
    watcher.join()


def test_pauses_double_up_to_the_longest() -> None:
    backoff = Backoff(1.0, 5.0)
    assert [backoff.pause() for _ in range(5)] == [1.0, 2.0, 4.0, 5.0, 5.0]


def test_pauses_begin_again_after_a_success_or_a_quiet_stretch() -> None:
    backoff = Backoff(1.0, 5.0)
    assert [backoff.pause(), backoff.pause(QUIET_SECONDS)] == [1.0, 2.0]
    assert backoff.pause(QUIET_SECONDS + 1) == 1.0
    backoff.reset()
    assert backoff.pause() == 1.0


def test_a_child_is_ready_when_it_says_so(start: Callable[[str], Script]) -> None:
    child = start("import os; print(os.environ['OIL'], os.environ['MALLOC_ARENA_MAX'])\n" + READY_THEN_ECHO)
    await_ready([child], Signals(), PATIENCE)
    assert child.said == ["olive 2", "ready"]
    assert os.getsid(child.process.pid) == child.process.pid != os.getsid(0)


def test_a_child_that_dies_before_it_is_ready_has_the_last_word(start: Callable[[str], Script]) -> None:
    with pytest.raises(BadSettings, match="fault: no oil"):
        await_ready([start(FAILS)], Signals(), PATIENCE)


def test_a_child_must_be_ready_in_time(start: Callable[[str], Script]) -> None:
    with pytest.raises(BadSettings):
        await_ready([start(SLEEPS)], Signals(), 0.0)


def test_a_signal_to_stop_ends_the_wait_for_children(start: Callable[[str], Script]) -> None:
    signals = Signals()
    signals.receive(signal.SIGTERM)
    await_ready([start(SLEEPS)], signals, PATIENCE)


def test_a_child_that_dies_is_started_again_after_growing_pauses(start: Callable[[str], Script]) -> None:
    child = start(FAILS)
    stopped(Signals(), child, lambda: len(child.pauses) == 2)
    assert child.pauses == [0.2, 0.4]
    assert child.said == ["fault: no oil"] * 2


def test_children_reload_on_sighup(start: Callable[[str], Script]) -> None:
    child, signals = start(READY_THEN_ECHO), Signals()
    signals.receive(signal.SIGHUP)
    stopped(signals, child, lambda: "reload" in child.said)
    assert child.pauses == []


def test_orders_and_signals_to_a_dead_child_do_nothing(start: Callable[[str], Script]) -> None:
    child = start(READY_THEN_ECHO)
    child.end()
    child.write_line("hello")
    child.send(signal.SIGTERM)
    assert not child.alive


def test_the_wait_for_the_end_is_over_when_all_have_ended(start: Callable[[str], Script]) -> None:
    child = start(SLEEPS)
    child.send(signal.SIGTERM)
    await_end([child], Signals(), PATIENCE)
    assert not child.alive


def test_a_second_signal_ends_the_wait_for_the_end(start: Callable[[str], Script]) -> None:
    child, signals = start(DEAF), Signals()
    await_ready([child], signals, PATIENCE)
    signals.receive(signal.SIGTERM)
    child.send(signal.SIGTERM)
    threading.Timer(0.05, signals.receive, (signal.SIGTERM,)).start()
    began = time.monotonic()
    await_end([child], signals, PATIENCE)
    assert child.alive
    assert time.monotonic() - began < PATIENCE / 2
    child.end()
    assert not child.alive


def test_a_program_that_dies_with_its_parent_dies_with_its_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdin=-1, stdout=-1, text=True) as parent:
        assert parent.stdout is not None
        program = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    psutil.wait_procs([program], PATIENCE)
    assert not program.is_running()


def test_a_program_that_dies_with_its_parent_does_not_start_without_its_parent() -> None:
    command = dies_with_parent(sys.executable, "-c", "print('started')")
    command[4] = "1"
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "The parent process has died.\n")
