"""Runs tests inside of this process: traced, to learn what they reach, or until one of them fails.

A mutant gets a process of its own. If it is inside of a function, the process is forked from one that has imported the
library and collected the tests, and the function's code is replaced. If not, or if no test noticed, it is forked from a
process that has imported nothing of the project, and the import of the changed file reads the mutant. The second way
is slower, and is not needed if the function was not called while the tests were collected.
"""

from __future__ import annotations

import functools
import gc
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import NoReturn

import pytest

from tests.mutants.changes import Mutant
from tests.mutants.finder import VARIABLE, MutantFinder
from tests.mutants.reach import Reach, Tracer, save
from tests.mutants.targets import ROOT

OPTIONS = ("-s", "-p", "no:cacheprovider", "--size=test")
MEMORY = 6 * 1024**3
"""A mutant may not take more bytes than this, beside those of the process that it was forked from."""
WAITING = 1800
"""Seconds after which a mutant is ended that only waits, such as a server without an answer."""
IMPORT = "the import of the file"
"""What noticed a mutant with which the tests cannot be collected."""
SLOW = "the limit of CPU time"
"""What noticed a mutant that ran for ever."""
CRASHED = "the interpreter"
"""What noticed a mutant that ended its process."""
OF_RULES = "tests/rules/"
"""In tests of the rules, what shared fixtures do is measured for each test anew. Other tests share a server."""
IN_SERVERS = ROOT / "tests" / "mutants" / "in_servers"
"""On the path of processes that tests start, so that they import the mutant, too."""


class CannotReplace(Exception):
    """The mutant has other functions, or functions with other variables, than the file."""


class Tests:
    """A pytest plugin that holds the collected tests, lets its user run them, and knows which one failed."""

    def __init__(self, use: Callable[[Tests], None]) -> None:
        self.items: dict[str, pytest.Item] = {}
        self.failed = ""
        self._use = use

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note that a file could not be imported."""
        if report.failed:
            self.failed = IMPORT

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the first test that failed."""
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Hand the tests to the user instead of running all of them."""
        self.items = {item.nodeid: item for item in session.items}
        self._use(self)
        return True

    def run(self, tests: Sequence[str]) -> str:
        """Run tests in this order; return the first that fails, or "" if none does."""
        items = [self.items[test] for test in tests if test in self.items]
        for item, following in zip(items, [*items[1:], None], strict=True):
            if self.failed:
                break
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        return self.failed


def prepare() -> None:
    """Make collecting quick: without plugins that no test of the rules needs, and with compiled files."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def collect(files: Iterable[str], use: Callable[[Tests], None]) -> None:
    """Collect the tests of some files and hand them over."""
    tests = Tests(use)
    pytest.main([*OPTIONS, *(str(ROOT / file) for file in files)], plugins=[tests])


def measure(files: Sequence[str], tracer: Tracer) -> None:
    """Run the tests of some files, and remember what each of them reaches. A test that fails is left out."""

    def use(tests: Tests) -> None:
        found: dict[str, list[Reach]] = {file: [] for file in files}
        items = list(tests.items.items())
        for (name, item), (_, following) in zip(items, [*items[1:], ("", None)], strict=True):
            clear_caches()
            tests.failed = ""
            began = time.process_time()
            with tracer:
                item.ihook.pytest_runtest_protocol(item=item, nextitem=None if name.startswith(OF_RULES) else following)
            rules = tuple(str(rule) for mark in item.iter_markers("rule") for rule in mark.args)
            if tests.failed:
                print(f"Left out, because it fails without a mutant: {name}", file=sys.stderr)
            else:
                seconds = round(time.process_time() - began, 4)
                found[name.partition("::")[0]].append(Reach(name, seconds, rules, tracer.found()))
        for file, reaches in found.items():
            save(file, reaches)

    collect(files, use)


Answer = Callable[[str], NoReturn]
"""Ends a forked process with an answer."""


def in_a_fork(limit: float, act: Callable[[Answer], object], *, silent: bool = True) -> str:
    """Return what a function answers that runs in a forked process, within so many seconds of CPU time."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 5))
        most = address_space() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        signal.alarm(WAITING if silent else 0)
        silence(*((1, 2) if silent else (1,)))

        def answer(text: str) -> NoReturn:
            os.write(writer, text.encode())
            os._exit(0)

        try:
            act(answer)
        finally:
            answer(CRASHED)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        answer_of_child = answers.read().decode()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return SLOW if os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL, signal.SIGALRM) else CRASHED
    return answer_of_child


def address_space() -> int:
    """Return how many bytes of addresses this process has. A process with a hundred threads has several gigabytes."""
    numbers = Path("/proc/self/statm")
    return int(numbers.read_text().split()[0]) * resource.getpagesize() if numbers.exists() else 0


def silence(*descriptors: int) -> None:
    """Send what is written to these files nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in descriptors:
        os.dup2(nowhere, descriptor)


# -- A mutant inside of a function: its code is replaced --------------------------------------------------------------


def functions_by_code() -> dict[CodeType, list[FunctionType]]:
    """Return the functions of the project that exist, by their code."""
    found: dict[CodeType, list[FunctionType]] = {}
    for function in _objects():
        if type(function) is FunctionType and function.__code__.co_filename.startswith(f"{ROOT}{os.sep}"):
            found.setdefault(function.__code__, []).append(function)
    return found


def _objects() -> list[object]:
    """Return all objects, also those that were frozen after the tests had been collected."""
    gc.unfreeze()
    return gc.get_objects()


def put_in(mutant: Mutant, functions: Mapping[CodeType, list[FunctionType]]) -> None:
    """Replace the code of the changed function. Raise CannotReplace if that is not possible."""
    path = ROOT / mutant.path
    original = path.read_bytes()
    old = list(_codes(compile(original, str(path), "exec")))
    new = list(_codes(compile(mutant.source(original), str(path), "exec")))
    if [code.co_name for code in old] != [code.co_name for code in new]:
        raise CannotReplace
    changed = [(functions.get(before, ()), after) for before, after in zip(old, new, strict=True) if before != after]
    if not any(existing for existing, _ in changed):
        raise CannotReplace
    for existing, after in changed:
        for function in existing:
            try:
                function.__code__ = after
            except ValueError:  # it has other free variables now
                raise CannotReplace from None


def changes_import(mutant: Mutant, called: Collection[CodeType]) -> bool:
    """Tell whether the changed function is among those that were called while the tests were collected."""
    original = (ROOT / mutant.path).read_bytes()
    old = _codes(compile(original, mutant.path, "exec"))
    new = _codes(compile(mutant.source(original), mutant.path, "exec"))
    next(old), next(new)  # the file itself contains all others
    return any(before != after and before in called for before, after in zip(old, new, strict=True))


@contextmanager
def noting_calls() -> Iterator[set[CodeType]]:
    """Note which functions of the project are called."""
    called: set[CodeType] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            called.add(frame.f_code)

    sys.setprofile(note)
    try:
        yield called
    finally:
        sys.setprofile(None)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def clear_caches() -> None:
    """Forget what functions of the project returned before."""
    for kept in _caches():
        kept.cache_clear()


@functools.cache
def _caches() -> list[functools._lru_cache_wrapper[object]]:
    kept = [each for each in _objects() if type(each) is functools._lru_cache_wrapper]
    return [each for each in kept if _is_cleared(each.__module__)]


def _is_cleared(module: str) -> bool:
    """Tell whether caches of a module are forgotten before each test: those of tests as well, because a test that finds
    what another one has kept reaches nothing itself."""
    return module.startswith("alhambra") or (module.startswith("tests.") and not module.startswith("tests.mutants"))


# -- Any other mutant: the import reads it ----------------------------------------------------------------------------


def run_imported(mutant: Mutant, tests: Sequence[str], answer: Answer) -> None:
    """In a process that has imported nothing of the project yet, run tests and answer which of them fails first."""
    source = mutant.source((ROOT / mutant.path).read_bytes())
    sys.meta_path.insert(0, MutantFinder(str(ROOT / mutant.path), source))
    with tempfile.NamedTemporaryFile(suffix=".py") as file:
        file.write(source)
        file.flush()
        os.environ[VARIABLE] = f"{ROOT / mutant.path}{os.pathsep}{file.name}"
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(IN_SERVERS), os.environ.get("PYTHONPATH"))))

        def use(collected: Tests) -> None:
            failed = collected.failed or collected.run(tests)
            file.close()  # the answer ends the process at once
            answer(failed)

        collect(dict.fromkeys(test.partition("::")[0] for test in tests), use)
    answer(IMPORT)
