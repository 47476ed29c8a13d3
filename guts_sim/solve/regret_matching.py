"""Regret matching: everybody's entry probabilities, improved by what entering would have gained.

Each iteration adds what entering and staying out would have gained to the regrets (kept non-negative, as in CFR+), and
the next strategy is in proportion to them. The strategy reported is the average of all iterations, later ones weighing
more: as the number of the iteration, or a higher power of it where early ones are worth little.

References
----------
S. Hart and A. Mas-Colell, "A simple adaptive procedure leading to correlated equilibrium", Econometrica 68
(2000) 1127-1150. O. Tammelin, "Solving large imperfect information games using CFR+", arXiv:1407.5042.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import progress_bar

FloatArray = NDArray[np.float64]
PURE_WITHIN = 0.01  # averaged probabilities closer than this to 0 or 1 are remnants of early iterations


def match_regrets(
    start: FloatArray,
    gain_of_entering: Callable[[FloatArray, int], FloatArray],
    *,
    iterations: int,
    deals_per_iteration: int,
    power: int = 1,
    progress: bool | None = None,
) -> FloatArray:
    """Return the averaged strategy after so many iterations.

    Parameters
    ----------
    start : ndarray of float64
        Entry probabilities to begin with, of any shape.
    gain_of_entering : callable
        Gets everybody's strategy and the number of the deal from which fresh deals begin; returns in-minus-out.
    iterations, deals_per_iteration : int
        How often, and on how many deals each time.
    power : int
        Iteration t has weight t**power in the average.
    progress : bool, optional
        See `guts_sim.engine.run_blocks`.
    """
    current = start
    regret_in, regret_out = np.zeros_like(current), np.zeros_like(current)
    weighted = np.zeros_like(current)
    with progress_bar(iterations * deals_per_iteration, progress, unit="deals to solve") as bar:
        for iteration in range(iterations):
            gain = gain_of_entering(current, iteration * deals_per_iteration)
            bar.advance(deals_per_iteration)
            regret_in = np.maximum(regret_in + (1.0 - current) * gain, 0.0)
            regret_out = np.maximum(regret_out - current * gain, 0.0)
            weighted += (iteration + 1) ** power * current
            total = regret_in + regret_out
            current = np.divide(regret_in, total, out=current.copy(), where=total > 0)
    entry = weighted / sum((iteration + 1) ** power for iteration in range(iterations))
    return np.where(entry < PURE_WITHIN, 0.0, np.where(entry > 1.0 - PURE_WITHIN, 1.0, entry))


def scaled(n_deals: int, effort: float, block_size: int) -> int:
    """Deals of an iteration for that effort, in whole blocks, at least one.

    Examples
    --------
    >>> scaled(4096, 0.6, 1024), scaled(4096, 0.01, 1024)
    (2048, 1024)
    """
    return max(round(n_deals * effort / block_size), 1) * block_size
