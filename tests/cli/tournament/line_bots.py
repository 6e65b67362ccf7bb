"""Processes of the line protocol that fail, each in one way. They import nothing of the project and start fast.


python line_bots.py crash
"""

from __future__ import annotations

import sys
import time


def line_bot(how: str) -> None:
    """A process of the line protocol that fails in one way."""
    for line in sys.stdin:
        verb = line.split(" ", 1)[0].strip()
        if verb == "alhambra":
            print("ok 2" if how == "version" else "ok 1", flush=True)
        elif verb == "new":
            print("ready", flush=True)
        elif verb == "decide":
            _answer(how)
        elif verb == "quit":
            return


def _answer(how: str) -> None:
    if how == "crash":
        print("the dog ate my homework", file=sys.stderr, flush=True)
        raise SystemExit(7)
    if how == "hang":
        time.sleep(600)
    lines = {
        "index": "move 99999",
        "illegal": 'move {"verb": "pass", "tile": "start-0"}',
        "nonsense": "hello",
        "json": "move {",
        "long": "info " + "x" * 400_000,
        "resign": "resign",
        "play": "move 0",
    }
    print(lines[how], flush=True)


if __name__ == "__main__":
    line_bot(sys.argv[1])
