"""Runs that may take long: taken up from a checkpoint, and ended once a precision is reached."""

import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from guts_sim.engine.blocks import run_blocks
from guts_sim.engine.checkpoint import Checkpoint
from guts_sim.engine.precision import HalfWidth, Target, forecast
from guts_sim.engine.progress import progress_bar
from guts_sim.engine.sums import Sums


@dataclass(frozen=True)
class Ending:
    """How a run ended.

    Attributes
    ----------
    complete
        False if it was interrupted.
    half_width
        Half-width of the main estimate at the last look; None without a precision to reach, or before a look.
    reached
        Whether that is short enough.
    confidence
        What every interval must be worth because of the looks; None without a precision to reach.
    """

    complete: bool
    half_width: float | None = None
    reached: bool = False
    confidence: float | None = None


def run_sums(
    task: Callable[[int, int], Any],
    sums: Sums,
    n_deals: int,
    *,
    block_size: int,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    checkpoint: Checkpoint | None = None,
    part: str = "",
    target: Target | None = None,
    half_width: HalfWidth | None = None,
) -> Ending:
    """Bring ``sums`` to ``n_deals`` deals in all, or to a precision.

    Parameters
    ----------
    task, block_size, workers, executor, progress
        See `run_blocks`.
    sums
        What the blocks are added to, from its ``n_whole`` on.
    n_deals
        Deals in all; with ``target``, the most.
    checkpoint, part
        Where sums are taken up from and written to, also if the run ends by an error.
    target, half_width
        When to stop, and the half-width of the main estimate of ``sums`` at a confidence.
    """
    if checkpoint is not None:
        checkpoint.restore(part, sums, n_deals)

    def add(start: int, stop: int, result: Any) -> None:
        sums.add(start, stop, result)
        if checkpoint is not None:
            checkpoint.save_now_and_then(part, sums)

    first, began = sums.n_whole, time.monotonic()
    ending = Ending(True, confidence=None if target is None else target.confidence)
    looks = (n_deals,) if target is None else [look for look in target.looks if look >= first]
    try:
        with progress_bar(n_deals, progress, n_before=first) as bar:
            for look in looks:
                if look > sums.n_whole:
                    n_before = sums.n_whole
                    status = run_blocks(
                        task,
                        look - n_before,
                        add,
                        first=n_before,
                        block_size=block_size,
                        workers=workers,
                        executor=executor,
                        progress=bar,
                        combine=sums.combine,
                    )
                    if not status.complete or (status.interrupted and look < n_deals):
                        return replace(ending, complete=False)
                if target is None or half_width is None:
                    continue
                found = half_width(target.confidence)
                ending = replace(ending, half_width=found, reached=isfinite(found) and found <= target.half_width)
                if ending.reached:
                    break
                if look < n_deals and isfinite(found) and look > first:
                    bar.note(forecast(target, look, found, time.monotonic() - began, look - first))
        return ending
    except KeyboardInterrupt:  # between two looks
        return replace(ending, complete=False)
    finally:
        if checkpoint is not None and sums.n_whole > 0:
            checkpoint.save(part, sums)
