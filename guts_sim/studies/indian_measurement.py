"""Measure one strategy of Indian poker on fresh deals: what seats earn, and what best replies gain."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import PURPOSE_DEALS, PURPOSE_ENTRY, run_all_blocks, run_blocks, run_key
from guts_sim.estimate import Estimate, normal
from guts_sim.games.walk import Walk
from guts_sim.kernels.units import SUBUNITS
from guts_sim.solve.sampled_replies import ReplyTask
from guts_sim.studies.indian_session import SESSIONS_PER_BLOCK, SessionTask
from guts_sim.studies.indian_strategies import SolveOptions

Floats = NDArray[np.float64]
PURPOSE_MEASURE = 4
REPLY_BLOCK = 4  # so that Ctrl-C is heard soon at large tables
VALUE_SESSIONS = 1 << 15


@dataclass(frozen=True, eq=False)
class Measured:
    """What an equilibrium is worth to each seat, and how far it is from one."""

    values: list[Estimate]
    gains: list[Estimate]
    nash_conv: Estimate
    n_deals: int
    complete: bool = True


def measure_replies(
    walk: Walk, strategy: Floats, deals: int, options: SolveOptions, confidence: float = 0.95
) -> Measured:
    """Estimate values and best-reply gains of one strategy for all seats on fresh deals, up to an interruption."""
    parts: list[Floats] = []
    status = run_blocks(
        ReplyTask(walk, run_key(options.seed, PURPOSE_MEASURE), strategy[None], (0,) * walk.n_players),
        deals,
        lambda _start, _stop, values: parts.append(values),
        block_size=REPLY_BLOCK,
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
    )
    if not parts:
        raise KeyboardInterrupt
    values = np.concatenate(parts)
    gains = values[:, :, 0] - values[:, :, 1]
    seats = range(walk.n_players)
    return Measured(
        [_mean(values[:, seat, 1], confidence) for seat in seats],
        [_mean(gains[:, seat], confidence) for seat in seats],
        _mean(gains.sum(axis=1), confidence),
        len(values),
        status.complete,
    )


def seat_values(walk: Walk, strategy: Floats, options: SolveOptions, confidence: float) -> list[Estimate]:
    """What each seat earns when everybody plays one strategy, over many hands; far cheaper than best replies."""
    sums = np.zeros((walk.n_players, 2), np.int64)

    def add(_start: int, _stop: int, parts: tuple[NDArray[np.int64], NDArray[np.int64]]) -> None:
        sums[...] += parts[1].sum(axis=0)

    keys = run_key(options.seed, PURPOSE_DEALS), run_key(options.seed, PURPOSE_ENTRY)
    run_all_blocks(
        SessionTask(walk, *keys, strategy[None], (0,) * walk.n_players),
        VALUE_SESSIONS,
        add,
        block_size=SESSIONS_PER_BLOCK,
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
    )
    n = VALUE_SESSIONS * walk.n_players
    estimates = []
    for total, squares in sums.tolist():
        mean = total / n / SUBUNITS
        variance = (squares / SUBUNITS**2 - n * mean * mean) / (n - 1)
        estimates.append(normal(mean, sqrt(variance / n), n, confidence))
    return estimates


def _mean(sample: Floats, confidence: float) -> Estimate:
    n = len(sample)
    stderr = float(sample.std(ddof=1)) / sqrt(n) if n > 1 else float("nan")
    return normal(float(sample.mean()), stderr, n, confidence)
