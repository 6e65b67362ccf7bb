"""Starts a program that does not outlive who started it: run as a script, it becomes the program.

    python die_with_parent.py PARENT PROGRAM ARGUMENT…

On Linux the kernel kills the program when its parent dies, however that happens. It counts the *thread* that started
the program as its parent, so that thread must live as long as the program shall. Elsewhere there is no such leash, and
the lock that the program inherits keeps a second one from the same data.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Fastens the leash and becomes the program."""
    parent, program, *arguments = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
    if os.getppid() != int(parent):
        sys.exit("the parent died first")
    os.execv(program, [program, *arguments])


if __name__ == "__main__":
    main()
