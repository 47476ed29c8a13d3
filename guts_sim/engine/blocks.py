"""Cut a range of deals into blocks, run the blocks on workers, add their results in block order."""

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from guts_sim.checks import check_count
from guts_sim.engine.progress import Progress, progress_bar
from guts_sim.engine.threads import Threads
from guts_sim.interruption import BLOCK_PATIENCE_SECONDS, Work, current_work, interruptible

# Long enough that handing over a block costs nothing, short enough that Ctrl-C is answered at once.
DEFAULT_BLOCK_SIZE = 1 << 18
# Blocks travel in bundles of about as much work, at most so many: a message to other processes and machines costs
# milliseconds, one to another thread some tens of microseconds. Bundles change neither the blocks nor their order.
BUNDLE_SECONDS, MOST_PER_BUNDLE = 0.5, 64
# What a scheduler of many workers can pass on: with more of them, bundles that come back as one sum get longer.
BUNDLES_PER_SECOND = 200
THREAD_BUNDLE_SECONDS, MOST_PER_THREAD_BUNDLE = 0.004, 8
Combine = Callable[[Any, Any], Any]
_Result = tuple[int, int, Any]  # start, stop and what came out
# Deal numbers stay exact in JSON readers that hold numbers as doubles.
MAX_DEALS = 2**53
_GLANCE_SECONDS = 0.05  # between two looks at Ctrl-C while a block is waited for


@dataclass(frozen=True)
class RunStatus:
    """How far a run came.

    Attributes
    ----------
    n_done : int
        Deals whose results were accumulated; always the first ones of the run, without gaps.
    complete : bool
        False if the run was interrupted before all deals were done.
    interrupted : bool
        Whether Ctrl-C was pressed, be it in the last block.
    """

    n_done: int
    complete: bool
    interrupted: bool = field(default=False, repr=False, compare=False)


def default_workers() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "process_cpu_count"):  # Python 3.13
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _capacity(executor: Executor | None) -> int:
    """Blocks that can run at once: pools and clusters say how many workers they have."""
    said = getattr(executor, "max_workers", None) or getattr(executor, "_max_workers", None)
    return said if isinstance(said, int) else default_workers()


def block_ranges(first: int, n_deals: int, block_size: int) -> Iterator[tuple[int, int]]:
    """Yield ``(start, stop)`` of the blocks of deals ``first`` .. ``first + n_deals - 1``.

    Cuts are at multiples of ``block_size`` counted from deal 0, wherever a run begins, so that a run and
    its continuation are cut like one long run.

    Examples
    --------
    >>> list(block_ranges(5, 20, 10))
    [(5, 10), (10, 20), (20, 25)]
    """
    start, end = first, first + n_deals
    while start < end:
        stop = min((start // block_size + 1) * block_size, end)
        yield start, stop
        start = stop


@interruptible
def run_blocks(
    task: Callable[[int, int], Any],
    n_deals: int,
    accumulate: Callable[[int, int, Any], None],
    *,
    first: int = 0,
    block_size: int = DEFAULT_BLOCK_SIZE,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | Progress | None = None,
    combine: Combine | None = None,
) -> RunStatus:
    """Run ``task`` on every block of a range of deals and hand over the results in block order.

    Parameters
    ----------
    task : callable
        ``task(start, stop)`` works on deals ``start`` .. ``stop - 1`` and returns anything. It runs on
        several workers at once, so it must not change shared state; for an executor of processes it and
        its result must be picklable.
    n_deals : int
        How many deals.
    accumulate : callable
        ``accumulate(start, stop, result)``, called in one thread, strictly in block order.
    first : int
        Number of the first deal; a run of ``n`` continued with ``first=n`` does the deals of a longer run.
    block_size : int
        Deals per block; cuts are at its multiples, see `block_ranges`.
    workers : int, optional
        Threads (numba kernels release the interpreter's lock); None: one per usable processor. With ``executor``
        the number of its workers (None: what it says of itself), which only sets how many blocks are kept in flight.
    executor : concurrent.futures.Executor, optional
        Any `concurrent.futures.Executor`; it is left open.
    progress : bool, optional
        Whether to show a progress bar; by default on a terminal. Or a bar, which is left open.
    combine : callable, optional
        ``combine(a, b)`` makes one result of those of two neighbouring blocks, exactly, as sums of integers are. An
        executor's workers then send one result for several blocks, so ``accumulate`` gets longer ranges, which end
        with a whole block all the same; a piece of a block at the end of the run comes alone.

    Returns
    -------
    RunStatus

    Raises
    ------
    InputError
        If a number is not a whole number in its range.
    Exception
        Whatever ``task`` or ``accumulate`` raises, once the blocks that were running have ended.

    Notes
    -----
    What is accumulated depends on the deals and the block size alone, never on workers, executor or
    progress. Memory is flat: at most two bundles of blocks per worker are in flight, on threads each of a few
    milliseconds or one block, with an executor of half a second or, if many workers answer with sums, longer.

    Ctrl-C ends a run between two blocks, never inside ``accumulate``: nothing more is started, blocks that are
    running are waited for a moment and then given up, and the status says how far the run came. A KeyboardInterrupt
    from anywhere else ends it at once; a block counts as done only if its ``accumulate`` returned. A second Ctrl-C
    does not wait for the status but raises KeyboardInterrupt, see `guts_sim.interruption`.

    Examples
    --------
    >>> total = []
    >>> run_blocks(lambda start, stop: sum(range(start, stop)), 100,
    ...            lambda start, stop, result: total.append(result), block_size=30, workers=2)
    RunStatus(n_done=100, complete=True)
    >>> total
    [435, 1335, 2235, 945]
    """
    first = check_count(first, "first", minimum=0, maximum=MAX_DEALS - 1)
    n_deals = check_count(n_deals, "n_deals", maximum=MAX_DEALS - first)
    block_size = check_count(block_size, "block_size")
    workers = _capacity(executor) if workers is None else check_count(workers, "workers")
    work = current_work()
    with _bar_of(progress, n_deals) as bar, nullcontext() if work is None else work.looking_itself():
        run = _Run(task, accumulate, bar, work, first, first + n_deals, block_size)
        try:
            if executor is not None:
                run.on_executor(executor, _packing(workers, combine))
            elif work is None and (workers == 1 or n_deals <= block_size):
                run.inline()
            else:
                with Threads(min(workers, -(-n_deals // block_size)), work) as pool:
                    run.on_executor(pool, _Packing(2 * workers, THREAD_BUNDLE_SECONDS, MOST_PER_THREAD_BUNDLE))
        except KeyboardInterrupt:
            pass  # reported by `complete`
        interrupted = work is not None and work.interrupted.is_set()
    if work is not None:
        work.has_partial_result = interrupted and run.n_done > 0
    return RunStatus(run.n_done, run.n_done == n_deals, interrupted)


def run_all_blocks(
    task: Callable[[int, int], Any], n_deals: int, accumulate: Callable[[int, int, Any], None], **how: Any
) -> None:
    """Run all blocks of something of which a part is worth nothing; the arguments are those of `run_blocks`.

    Raises
    ------
    KeyboardInterrupt
        Stopped before the end.
    """
    if not run_blocks(task, n_deals, accumulate, **how).complete:
        raise KeyboardInterrupt


def _bar_of(progress: bool | Progress | None, n_deals: int) -> AbstractContextManager[Progress]:
    """A bar of its own for a run, or the one that was given, which stays open."""
    if progress is None or isinstance(progress, bool):
        return progress_bar(n_deals, progress)
    return nullcontext(progress)


@dataclass(frozen=True)
class _Packing:
    """How many bundles are in flight, how long a bundle takes, how many blocks it has at most, who adds them up."""

    window: int
    seconds: float
    most: int
    combine: Combine | None = None


def _packing(workers: int, combine: Combine | None) -> _Packing:
    """Return what suits an executor, whose messages take a while."""
    if combine is None:
        return _Packing(2 * workers, BUNDLE_SECONDS, MOST_PER_BUNDLE)
    return _Packing(2 * workers, max(BUNDLE_SECONDS, workers / BUNDLES_PER_SECOND), MAX_DEALS, combine)


class _Run:
    """One run of blocks: what to do with them and how far it is."""

    def __init__(
        self,
        task: Callable[[int, int], Any],
        accumulate: Callable[[int, int, Any], None],
        bar: Progress,
        work: Work | None,
        start: int,
        stop: int,
        block_size: int,
    ) -> None:
        self.task = task
        self.accumulate = accumulate
        self.bar = bar
        self.work = work
        self.start, self.stop, self.block_size = start, stop, block_size
        self.n_done = 0

    def inline(self) -> None:
        for start, stop in block_ranges(self.start, self.stop - self.start, self.block_size):
            self._finish(start, stop, self.task(start, stop))

    def on_executor(self, pool: Executor, packing: _Packing) -> None:
        """Keep a window of bundles in flight."""
        bundle = _Bundle(self.task, self.block_size, packing.combine)
        in_flight: deque[_Sent] = deque()
        seconds_per_block = packing.seconds  # until it is known: one by one
        start = self.start
        try:
            while start < self.stop or in_flight:
                if start < self.stop and len(in_flight) < packing.window:
                    size = max(1, min(int(packing.seconds / max(seconds_per_block, 1e-6)), packing.most))
                    stop = min((start // self.block_size + size) * self.block_size, self.stop)
                    in_flight.append((start, stop, pool.submit(bundle, start, stop)))
                    start = stop
                else:
                    seconds_per_block = self._finish_oldest(in_flight)
        finally:
            self._abandon([future for *_, future in in_flight])

    def _finish_oldest(self, in_flight: deque["_Sent"]) -> float:
        """Take in the results of the oldest bundle and return what a block took."""
        start, end, future = in_flight[0]
        self._wait_for(future)
        in_flight.popleft()
        seconds, results = future.result()
        n_blocks = -(-end // self.block_size) - start // self.block_size
        for start, stop, result in results:
            self._finish(start, stop, result)
            start = stop
            self._stop_if_interrupted()
        if start < end:
            raise KeyboardInterrupt
        return float(seconds) / n_blocks

    def _finish(self, start: int, stop: int, result: Any) -> None:
        self.accumulate(start, stop, result)
        self.n_done += stop - start
        if self.work is not None:
            self.work.has_partial_result = True
        self.bar.advance(stop - start)

    def _wait_for(self, future: "Future[Any]") -> None:
        """Wait for a bundle; after Ctrl-C only for a moment."""
        if self.work is not None:
            while not future.done() and self._seconds_to_wait() > 0.0:
                wait([future], _GLANCE_SECONDS)
            if not future.done() or future.cancelled():
                raise KeyboardInterrupt

    def _seconds_to_wait(self) -> float:
        """For how long blocks that are running may still be waited for."""
        if self.work is None or not self.work.interrupted.is_set():
            return float("inf")
        return BLOCK_PATIENCE_SECONDS - self.work.seconds_since_asked()

    def _abandon(self, futures: "Sequence[Future[Any]]") -> None:
        """Cancel what has not started and wait for the rest, so that nothing runs on; after Ctrl-C a moment only."""
        running = [future for future in futures if not future.cancel()]
        while running and self._seconds_to_wait() > 0.0:
            _, left = wait(running, _GLANCE_SECONDS)
            running = list(left)

    def _stop_if_interrupted(self) -> None:
        if self.work is not None and self.work.interrupted.is_set():
            raise KeyboardInterrupt


@dataclass(frozen=True, eq=False)
class _Bundle:
    """Run some neighbouring blocks one after another; as picklable as the task is."""

    task: Callable[[int, int], Any]
    block_size: int
    combine: Combine | None

    def __call__(self, first: int, end: int) -> tuple[float, list[_Result]]:
        """Seconds taken, and start, stop and result of each block, or of all whole blocks together.

        Fewer blocks if one was interrupted.
        """
        began = time.perf_counter()
        results: list[_Result] = []
        try:
            for start, stop in block_ranges(first, end - first, self.block_size):
                result = self.task(start, stop)
                if results and self.combine is not None and stop % self.block_size == 0:
                    start, _, before = results.pop()
                    result = self.combine(before, result)
                results.append((start, stop, result))
        except KeyboardInterrupt:
            pass
        return time.perf_counter() - began, results


_Sent = tuple[int, int, "Future[tuple[float, list[_Result]]]"]
