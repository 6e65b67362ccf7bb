"""Sends a great number of generated requests to a service and a gateway, and judges every answer.

    python -m tests.generated_requests --requests 1000000

Both are started on loopback with a store of their own. A run can be interrupted, and goes on where it was. It ends with
an error if any answer was wrong; failures are printed with the request that caused them.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from pathlib import Path

from .run import PARTS, chapters, keep, play, summary

PAUSE_SECONDS = 10.0
FOLDER = Path(".requests")


def main() -> int:
    """Send requests with one process for each part until there are enough, and sum up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=1_000_000, help="how many in all, over gRPC and over REST")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the results are kept")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        return _write_chapters(arguments)
    told = 0
    parts = {part: _start(part, arguments) for part in PARTS if _missing(arguments)}
    try:
        while missing := _missing(arguments):
            done = chapters(arguments.folder)
            for chapter in done[told:]:
                for failure in chapter.failures:
                    print(f"\n{chapter.part}, seed {chapter.seed}: {failure}", flush=True)
            told = len(done)
            print(f"\r{missing:,} of {arguments.requests:,} requests are left", end="", flush=True)
            if ended := [part for part, process in parts.items() if process.poll()]:
                print(f"\nThe process of {' and of '.join(ended)} ended before its time.")
                return 1
            time.sleep(PAUSE_SECONDS)
    except KeyboardInterrupt:
        print("\nInterrupted. The same command goes on.")
        return 130
    finally:
        for process in parts.values():
            process.terminate()
        for process in parts.values():
            process.wait()
    done = chapters(arguments.folder)
    print("", *summary(done), sep="\n")
    return 1 if any(chapter.failures for chapter in done) else 0


def _missing(arguments: argparse.Namespace) -> int:
    sent = sum(chapter.requests for chapter in chapters(arguments.folder))
    return max(0, int(arguments.requests) - sent)


def _start(part: str, arguments: argparse.Namespace) -> subprocess.Popen[bytes]:
    words = ("--part", part, "--folder", str(arguments.folder), "--requests", str(arguments.requests))
    # In a session of its own, it does not hear Ctrl-C, and ends its servers in order when it is told to stop.
    return subprocess.Popen([sys.executable, "-m", "tests.generated_requests", *words], start_new_session=True)


def _write_chapters(arguments: argparse.Namespace) -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    own = [chapter.seed for chapter in chapters(arguments.folder) if chapter.part == arguments.part]
    try:
        for chapter in play(arguments.part, max(own, default=0) + 1):
            keep(arguments.folder, chapter)
            if not _missing(arguments):
                break
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
