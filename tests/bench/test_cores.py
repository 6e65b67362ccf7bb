"""The CPU time of a process."""

import os
import threading
import time

from bench import cores


def test_the_time_of_a_thread_that_has_ended_counts() -> None:
    taken = []

    def work() -> None:
        while time.thread_time() < 0.05:
            pass
        taken.append(time.thread_time())

    before = cores.seconds(os.getpid())
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert cores.seconds(os.getpid()) - before >= taken[0]
