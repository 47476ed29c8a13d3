"""An executor that is interrupted, for tests of what a run then leaves."""

from concurrent.futures import Executor, Future


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
