"""A script that runs a program which dies with its parent.

    python die_with_parent.py PARENT PROGRAM ARGUMENT…

PARENT is the process id of the parent. On Linux the kernel kills the program when its parent dies, even by kill -9.
To the kernel, the parent is the *thread* that started the program, so that thread must live as long as the program.
Other systems have no such call: there the program survives a killed parent.

The script runs with -I -S, so this file imports only the standard library.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
"""The option of prctl(2) that names the signal which a process gets when its parent dies."""


def dies_with_parent(*command: str) -> list[str]:
    """Return a command that runs another command and dies with this process. The first word must be a path."""
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


def signal_when_parent_dies(number: signal.Signals) -> None:
    """Ask the kernel to send this process a signal when its parent dies. Do nothing on systems other than Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(number))


def main() -> None:
    """Ask the kernel to end this process with its parent, then become the program."""
    parent, program, *arguments = sys.argv[1:]
    signal_when_parent_dies(signal.SIGKILL)
    if os.getppid() != int(parent):
        sys.exit("The parent process has died.")
    os.execv(program, [program, *arguments])


if __name__ == "__main__":
    main()
