"""Draws what `make run` shows in a terminal, docs/images/run.svg, from a start of the product:

    python -m scripts.start_picture                 draw it anew
    python -m scripts.start_picture --to FILE       into another file

The product runs in a terminal of its own, on free ports and in a folder of its own; the picture names the usual ones.
"""

from __future__ import annotations

import argparse
import os
import platform
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from alhambra_gateway.config import Settings as GatewaySettings
from alhambra_service.config import Settings as ServiceSettings

from .recording import COLUMNS, TARGET, terminal

START = TARGET.with_name("run.svg")
COMMAND = "make run"
HOST = "my-machine"
PATIENCE = 60.0


def printed() -> list[str]:
    """The lines that a person sees: the command, the welcome, Ctrl-C and the last line."""
    screen, inside = pty.openpty()
    words = [sys.executable, "-m", "alhambra_cli", "run", "--http", "127.0.0.1:0", "--grpc", "127.0.0.1:0"]
    variables = {**os.environ, "COLUMNS": str(COLUMNS)}
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            words, cwd=folder, env=variables, stdin=inside, stdout=inside, stderr=inside, start_new_session=True
        )
        os.close(inside)
        os.set_blocking(screen, False)
        try:
            said = _read_until(screen, "Ctrl-C")
            process.send_signal(signal.SIGINT)
            said += "^C\r\n" + _read_until(screen, "Stopped")
            process.wait(PATIENCE)
        finally:
            process.kill()
            os.close(screen)
    lines = said.replace("\r\n", "\n").replace("\r", "").strip("\n").split("\n")
    return [f"$ {COMMAND}", "", *(_usual(line) for line in lines)]


def _read_until(screen: int, word: str) -> str:
    """What the terminal shows until a line with this word is complete."""
    found, deadline = "", time.monotonic() + PATIENCE
    while not re.search(rf"{re.escape(word)}[^\n]*\n", found):
        if time.monotonic() > deadline:
            raise TimeoutError(found)
        with suppress(BlockingIOError):
            found += os.read(screen, 1 << 16).decode()
        time.sleep(0.02)
    return found


def _usual(line: str) -> str:
    """The line with the usual ports and the name of no machine."""
    line = line.replace(platform.node(), HOST) if platform.node() else line
    usual = ServiceSettings.listen if line.lstrip().startswith("gRPC") else GatewaySettings.listen
    return re.sub(r"(127\.0\.0\.1:|-L )\d+", rf"\g<1>{usual.rpartition(':')[2]}", line)


def main() -> int:
    """Writes the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=START)
    target: Path = parser.parse_args().to
    lines = printed()
    target.write_text(terminal(lines, len(lines), COMMAND), encoding="utf-8")
    print(target.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
