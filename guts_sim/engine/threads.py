"""Threads that take tasks, and that nobody needs to wait for."""

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from typing import Any, Self

from guts_sim.interruption import THREAD_NAMES, Work, belonging_to

_Task = Callable[[], None]


class Threads(Executor):
    """Some threads, as an executor that can be left while a task is still running.

    The pool of the standard library keeps the process alive until its last task has ended, which is too long after
    Ctrl-C. These threads end by themselves after the task at hand, and with the process at the latest.

    Parameters
    ----------
    n_threads : int
        How many.
    work : Work, optional
        What the tasks are part of: runs inside them hear of an interruption, too, and none starts after it.
    """

    def __init__(self, n_threads: int, work: Work | None) -> None:
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._work = work
        self._threads = [
            threading.Thread(target=self._take_tasks, name=f"{THREAD_NAMES} {number}", daemon=True)
            for number in range(n_threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, task: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a task done."""
        future: Future[Any] = Future()

        def do() -> None:
            if self._work is not None and self._work.interrupted.is_set():
                future.cancel()
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = task(*args, **kwargs)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        self._tasks.put(do)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let every thread end after the tasks that were given; there is nothing to wait for."""
        for _ in self._threads:
            self._tasks.put(None)

    def __enter__(self) -> Self:
        return self

    def _take_tasks(self) -> None:
        with belonging_to(self._work):
            while (task := self._tasks.get()) is not None:
                task()
                del task  # and with it the result, which may be large
