"""Interruptions by whoever runs a test, for tests of what a run then leaves."""

import os
import signal
from concurrent.futures import Executor, Future

from guts_sim.interruption import current_work


def press_ctrl_c():
    """Send Ctrl-C to this process from inside some work, and go on once it has been heard."""
    os.kill(os.getpid(), signal.SIGINT)
    assert current_work().interrupted.wait(10)


class StoppingExecutor(Executor):
    """Runs tasks at once and behaves like a user who presses Ctrl-C before one of the messages."""

    def __init__(self, n_tasks):
        self.n_left = n_tasks

    def submit(self, task, /, *args, **kwargs):
        if self.n_left == 0:
            raise KeyboardInterrupt
        self.n_left -= 1
        future = Future()
        future.set_result(task(*args, **kwargs))
        return future
